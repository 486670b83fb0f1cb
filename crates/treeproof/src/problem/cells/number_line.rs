//! The numbers of a domain, in the user's doubles: where cells begin, and which numbers are set apart.
//!
//! Models round numbers, some draw those near zero together. Both keep the order, so what a model reads at or above a
//! number begins at one double: cells of several models that round differently are intervals of doubles.

use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::InputRules;
use treeproof_ensemble::tree::Test;

use crate::problem::domain::largest_finite;
use crate::problem::number_set::NumberSet;

/// The doubles from one to below another, or to the end of the line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NumberStretch {
    pub(super) first: f64,
    pub(super) end: Option<f64>,
}

/// An ordered cell: a stretch without what is set apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct OrderedCell {
    pub(super) stretch: NumberStretch,
    /// The least number in it.
    pub(super) member: f64,
}

/// The numbers of a domain.
#[derive(Debug)]
pub(super) struct NumberLine {
    pub(super) numbers: NumberSet,
    pub(super) low: f64,
    pub(super) high: f64,
    /// Where numbers are cells of their own: ascending, and apart from each other.
    apart: Vec<NumberStretch>,
}

impl NumberLine {
    /// None if there are no numbers.
    pub(super) fn new(numbers: NumberSet, mut apart: Vec<NumberStretch>) -> Option<Self> {
        let (low, high) = numbers.ends()?;
        apart.sort_by(|a, b| a.first.total_cmp(&b.first));
        let mut merged: Vec<NumberStretch> = vec![];
        for stretch in apart {
            match merged.last_mut() {
                Some(last) if last.end.is_none_or(|end| stretch.first <= end) => {
                    last.end = last.end.zip(stretch.end).map(|(a, b)| a.max(b));
                }
                _ => merged.push(stretch),
            }
        }
        Some(Self { numbers, low, high, apart: merged })
    }

    /// The cells between these ascending cuts that have members, ascending.
    pub(super) fn spans(&self, cuts: &[f64]) -> Vec<OrderedCell> {
        let from = cuts.partition_point(|cut| *cut <= self.low);
        let cuts = &cuts[from..cuts.partition_point(|cut| *cut <= self.high).max(from)];
        let firsts = std::iter::once(self.low).chain(cuts.iter().copied());
        let ends = cuts.iter().copied().map(Some).chain(std::iter::once(None));
        let span = |(first, end)| {
            let stretch = NumberStretch { first, end };
            Some(OrderedCell { stretch, member: self.member(&stretch)? })
        };
        let mut spans = Vec::with_capacity(cuts.len() + 1);
        spans.extend(firsts.zip(ends).filter_map(span));
        spans
    }

    /// What is set apart, parted at these ascending places.
    pub(super) fn apart(&self, places: &[f64]) -> Vec<NumberStretch> {
        let parts = self.apart.iter().flat_map(|stretch| {
            let from = places.partition_point(|place| *place <= stretch.first);
            let to = stretch.end.map_or(places.len(), |end| places.partition_point(|place| *place < end));
            let inner = &places[from..to.max(from)];
            let firsts = std::iter::once(stretch.first).chain(inner.iter().copied());
            let ends = inner.iter().copied().map(Some).chain(std::iter::once(stretch.end));
            firsts.zip(ends).map(|(first, end)| NumberStretch { first, end }).collect::<Vec<NumberStretch>>()
        });
        // Only what the domain has.
        let within = |part: NumberStretch| {
            let first = self.numbers.at_or_above(part.first)?;
            part.contains(first).then_some(NumberStretch { first, ..part })
        };
        parts.filter_map(within).collect()
    }

    /// The numbers of a stretch that are not set apart, as ascending ranges whose ends are among them.
    pub(super) fn ranges(&self, stretch: &NumberStretch) -> Vec<(f64, f64)> {
        let end = stretch.end.map_or(self.high, f64::next_down);
        self.ranges_between((stretch.first.max(self.low), end), &self.apart)
    }

    /// The numbers from one to another, but for these ascending stretches, as ascending ranges whose ends are among them.
    pub(super) fn ranges_between(&self, (first, last): (f64, f64), without: &[NumberStretch]) -> Vec<(f64, f64)> {
        let mut ranges = vec![];
        for range in self.numbers.ranges() {
            let mut rest = Some((range.low.max(first), range.high.min(last)));
            for stretch in without {
                let Some((from, to)) = rest else { break };
                ranges.push((from, to.min(stretch.first.next_down())));
                rest = stretch.end.map(|end| (from.max(end), to));
            }
            ranges.extend(rest);
        }
        let clip = |(from, to): (f64, f64)| {
            let (from, to) = (self.numbers.at_or_above(from)?, self.numbers.at_or_below(to)?);
            (from <= to).then_some((from, to))
        };
        ranges.into_iter().filter(|(from, to)| from <= to).filter_map(clip).collect()
    }

    /// The numbers in as few ranges as contain no others of the domain, ascending.
    pub(super) fn joined(&self, mut ranges: Vec<(f64, f64)>) -> Vec<(f64, f64)> {
        // Between multiples there is nothing else in a range of the domain.
        let is_grid = !self.numbers.steps().is_empty();
        let is_one =
            |from: f64, to: f64| self.numbers.ranges().iter().any(|range| range.low <= from && to <= range.high);
        let is_next = |last: f64, from: f64| {
            let next = last.next_up();
            next == from || (is_grid && is_one(last, from) && self.numbers.at_or_above(next) == Some(from))
        };
        ranges.sort_by(|one, other| one.0.total_cmp(&other.0));
        let mut joined: Vec<(f64, f64)> = vec![];
        for (from, to) in ranges {
            match joined.last_mut() {
                Some(last) if from <= last.1 || is_next(last.1, from) => {
                    last.1 = last.1.max(to);
                }
                _ => joined.push((from, to)),
            }
        }
        joined
    }

    /// Whether a number is in the domain and in a cell.
    pub(super) fn is_in(&self, span: &OrderedCell, number: f64) -> bool {
        span.stretch.contains(number) && self.is_free(number) && self.numbers.contains(number)
    }

    /// The greatest number of a stretch that has one.
    pub(super) fn last(&self, stretch: &NumberStretch) -> f64 {
        stretch.end.map_or(self.high, |end| self.last_to(end.next_down()))
    }

    fn last_to(&self, number: f64) -> f64 {
        self.numbers.at_or_below(number).expect("a cell has numbers")
    }

    /// The greatest number of a cell.
    pub(super) fn greatest(&self, span: &OrderedCell) -> f64 {
        let mut last = self.last(&span.stretch);
        while let Some(stretch) = self.around(last) {
            last = self.last_to(stretch.first.next_down());
        }
        last
    }

    /// The numbers of a cell next to a number, below and above it, or the number itself twice.
    pub(super) fn next_to(&self, span: &OrderedCell, number: f64) -> [Option<f64>; 2] {
        if self.is_in(span, number) {
            return [Some(number); 2];
        }
        let is_in = |number: &f64| self.is_in(span, *number);
        let mut below = self.numbers.at_or_below(number.min(self.last(&span.stretch)));
        while let Some(stretch) = below.and_then(|below| self.around(below)) {
            below = self.numbers.at_or_below(stretch.first.next_down());
        }
        let mut above = self.numbers.at_or_above(number.max(span.stretch.first));
        while let Some(stretch) = above.and_then(|above| self.around(above)) {
            above = stretch.end.and_then(|end| self.numbers.at_or_above(end));
        }
        [below.filter(is_in), above.filter(is_in)]
    }

    /// The least number of a stretch that is not set apart, if there is one.
    fn member(&self, stretch: &NumberStretch) -> Option<f64> {
        let mut number = self.numbers.at_or_above(stretch.first)?;
        while let Some(apart) = self.around(number) {
            number = self.numbers.at_or_above(apart.end?)?;
        }
        stretch.contains(number).then_some(number)
    }

    fn is_free(&self, number: f64) -> bool {
        self.around(number).is_none()
    }

    /// What is set apart around a number.
    fn around(&self, number: f64) -> Option<&NumberStretch> {
        let place = self.apart.partition_point(|stretch| stretch.first <= number);
        self.apart[..place].last().filter(|stretch| stretch.contains(number))
    }
}

impl NumberStretch {
    pub(super) fn contains(&self, number: f64) -> bool {
        self.first <= number && self.end.is_none_or(|end| number < end)
    }

    /// The doubles that trees see as a number; none if there are none. That some of them mean "missing" is another matter.
    pub(super) fn seen_as(input: &InputRules, number: f64) -> Option<Self> {
        match input.zero_band {
            Some(band) if number == 0.0 => Some(Self::read_between(input.precision, -band, band)),
            Some(band) if number.abs() <= band => None,
            _ => Self::read_as(input, number),
        }
    }

    /// The doubles that round to a number.
    pub(super) fn read_as(input: &InputRules, number: f64) -> Option<Self> {
        let is_there = input.precision.contains(number);
        is_there.then(|| Self::read_between(input.precision, number, number))
    }

    fn read_between(precision: Precision, least: f64, greatest: f64) -> Self {
        let end = (greatest < f64::INFINITY).then(|| least_read(precision, precision.next_up(greatest)));
        Self { first: least_read(precision, least), end }
    }
}

/// The least double that a model sees at or above a threshold; none if it sees every number so.
pub(in crate::problem) fn cut(input: &InputRules, threshold: f64) -> Option<f64> {
    // No cell may end inside the zero band, of which trees see only zero.
    match input.test_below(threshold) {
        Test::Below(threshold) => Some(threshold).filter(|threshold| *threshold > f64::NEG_INFINITY),
        _ => None,
    }
    .map(|threshold| least_read(input.precision, threshold))
}

/// The least double that rounds to a number of a precision, or to a larger one.
fn least_read(precision: Precision, number: f64) -> f64 {
    if precision == Precision::F64 || number == f64::NEG_INFINITY {
        return number;
    }
    // Half-way between two numbers of a smaller precision, which a double holds, or the next one where the tie goes down.
    let before = -precision.next_up(-number);
    let middle = match (before.is_infinite(), number.is_infinite()) {
        (true, _) => -largest_finite(precision),
        (_, true) => largest_finite(precision),
        _ => before / 2.0 + number / 2.0,
    };
    if precision.round(middle) >= number { middle } else { middle.next_up() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_double_is_the_first_that_is_read_so() {
        let singles = [0.1_f32, -0.1, 0.0, 1.0, f32::MAX, f32::MIN, f32::from_bits(1), -f32::from_bits(1)];
        for number in singles.map(f64::from).into_iter().chain([f64::INFINITY]) {
            let least = least_read(Precision::F32, number);
            assert!(Precision::F32.round(least) >= number, "{number:e}");
            assert!(Precision::F32.round(least.next_down()) < number, "{number:e}");
        }
        assert_eq!(least_read(Precision::F64, 0.1), 0.1);
    }

    #[test]
    fn cells_have_members_that_are_not_set_apart() {
        let apart = |first: f64, end: f64| NumberStretch { first, end: Some(end) };
        let numbers = NumberSet::between(0.0, 10.0);
        let line = NumberLine::new(numbers, vec![apart(3.0, 4.0), apart(2.0, 3.0), apart(6.0, 7.0)]).unwrap();
        let spans = line.spans(&[2.0, 3.5, 5.0]);
        let members: Vec<(f64, f64)> = spans.iter().map(|span| (span.member, line.greatest(span))).collect();
        assert_eq!(members, [(0.0, 2.0_f64.next_down()), (4.0, 5.0_f64.next_down()), (5.0, 10.0)]);
        let parts = line.apart(&[2.0, 3.0, 3.5, 4.0, 5.0, 6.0, 7.0]);
        assert_eq!(parts, [apart(2.0, 3.0), apart(3.0, 3.5), apart(3.5, 4.0), apart(6.0, 7.0)]);
    }

    #[test]
    fn cells_without_a_number_of_the_domain_vanish() {
        let (one, whole) =
            (treeproof_ensemble::exact::Exact::one(), treeproof_ensemble::values::Range { low: 0.5, high: 9.0 });
        let apart = vec![NumberStretch { first: 4.0, end: Some(4.5) }, NumberStretch { first: 6.5, end: Some(6.75) }];
        let line = NumberLine::new(NumberSet::new([whole], vec![one]), apart).unwrap();
        let spans = line.spans(&[2.25, 2.5, 3.5, 4.75, 8.0]);
        let members: Vec<(f64, f64)> = spans.iter().map(|span| (span.member, line.greatest(span))).collect();
        assert_eq!(members, [(1.0, 2.0), (3.0, 3.0), (5.0, 7.0), (8.0, 9.0)]);
        assert_eq!(line.apart(&[]), [NumberStretch { first: 4.0, end: Some(4.5) }]);
    }
}
