//! The numbers of a domain as doubles: where cells begin, and which numbers are set apart.
//!
//! Models round numbers, and some draw those near zero together. Both keep the order, so the numbers that a model reads at
//! or above a threshold begin at one double: cells of several models that round differently are intervals of doubles.

use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::InputRules;
use treeproof_ensemble::tree::Test;
use treeproof_ensemble::values::Range;

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
    /// Stretches that are cells of their own: ascending, and apart from each other.
    apart: Vec<NumberStretch>,
    /// The numbers outside these, if there are any.
    free: Option<NumberSet>,
}

impl NumberLine {
    /// The line of a domain; `None` if it has no numbers.
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
        let free = (!merged.is_empty()).then(|| numbers.without(merged.iter().map(NumberStretch::range)));
        Some(Self { numbers, low, high, apart: merged, free })
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

    /// The stretches set apart, cut at these ascending places.
    pub(super) fn apart(&self, places: &[f64]) -> Vec<NumberStretch> {
        let parts = self.apart.iter().flat_map(|stretch| {
            let from = places.partition_point(|place| *place <= stretch.first);
            let to = stretch.end.map_or(places.len(), |end| places.partition_point(|place| *place < end));
            let inner = &places[from..to.max(from)];
            let firsts = std::iter::once(stretch.first).chain(inner.iter().copied());
            let ends = inner.iter().copied().map(Some).chain(std::iter::once(stretch.end));
            firsts.zip(ends).map(|(first, end)| NumberStretch { first, end }).collect::<Vec<NumberStretch>>()
        });
        // Stretches without numbers of the domain are left out.
        let within = |part: NumberStretch| {
            let first = self.numbers.at_or_above(part.first)?;
            part.contains(first).then_some(NumberStretch { first, ..part })
        };
        parts.filter_map(within).collect()
    }

    /// The numbers that are not set apart.
    fn free(&self) -> &NumberSet {
        self.free.as_ref().unwrap_or(&self.numbers)
    }

    /// The numbers of a stretch that are not set apart, as ascending ranges whose ends are among them.
    pub(super) fn ranges(&self, stretch: &NumberStretch) -> Vec<Range> {
        let Range { low, high } = stretch.range();
        self.free().within(low, high).ranges().to_vec()
    }

    /// Ascending ranges joined where the domain has no number between them.
    pub(super) fn joined(&self, mut ranges: Vec<Range>) -> Vec<Range> {
        // Between multiples the domain has no numbers.
        let is_grid = !self.numbers.steps().is_empty();
        let is_one =
            |from: f64, to: f64| self.numbers.ranges().iter().any(|range| range.low <= from && to <= range.high);
        let is_next = |last: f64, from: f64| {
            let next = last.next_up();
            next == from || (is_grid && is_one(last, from) && self.numbers.at_or_above(next) == Some(from))
        };
        ranges.sort_by(|one, other| one.low.total_cmp(&other.low));
        let mut joined: Vec<Range> = vec![];
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.low <= last.high || is_next(last.high, range.low) => {
                    last.high = last.high.max(range.high);
                }
                _ => joined.push(range),
            }
        }
        joined
    }

    /// True if a number is in the domain and in a cell.
    pub(super) fn is_in(&self, span: &OrderedCell, number: f64) -> bool {
        span.stretch.contains(number) && self.free().contains(number)
    }

    /// The greatest number of a stretch that has one.
    pub(super) fn last(&self, stretch: &NumberStretch) -> f64 {
        self.numbers.at_or_below(stretch.range().high).expect("a stretch has numbers")
    }

    /// The greatest number of a cell.
    pub(super) fn greatest(&self, span: &OrderedCell) -> f64 {
        self.free().at_or_below(span.stretch.range().high).expect("a cell has numbers")
    }

    /// The numbers of a cell next to a number, below and above it, or the number itself twice.
    pub(super) fn next_to(&self, span: &OrderedCell, number: f64) -> [Option<f64>; 2] {
        if self.is_in(span, number) {
            return [Some(number); 2];
        }
        let Range { low, high } = span.stretch.range();
        let sides = [self.free().at_or_below(number.min(high)), self.free().at_or_above(number.max(low))];
        sides.map(|side| side.filter(|number| span.stretch.contains(*number)))
    }

    /// The least number of a stretch that is not set apart, if there is one.
    fn member(&self, stretch: &NumberStretch) -> Option<f64> {
        self.free().at_or_above(stretch.first).filter(|number| stretch.contains(*number))
    }
}

impl NumberStretch {
    pub(super) fn contains(&self, number: f64) -> bool {
        self.first <= number && self.end.is_none_or(|end| number < end)
    }

    /// The doubles from the first to the last.
    pub(super) fn range(&self) -> Range {
        Range { low: self.first, high: self.end.map_or(f64::INFINITY, f64::next_down) }
    }

    /// The doubles that trees read as a number; `None` if there are none. Some of them may mean "missing".
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

/// The least double that a model reads at or above a threshold; `None` if it reads every number so.
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
        let (one, whole) = (treeproof_ensemble::exact::Exact::one(), Range { low: 0.5, high: 9.0 });
        let apart = vec![NumberStretch { first: 4.0, end: Some(4.5) }, NumberStretch { first: 6.5, end: Some(6.75) }];
        let line = NumberLine::new(NumberSet::new([whole], vec![one]), apart).unwrap();
        let spans = line.spans(&[2.25, 2.5, 3.5, 4.75, 8.0]);
        let members: Vec<(f64, f64)> = spans.iter().map(|span| (span.member, line.greatest(span))).collect();
        assert_eq!(members, [(1.0, 2.0), (3.0, 3.0), (5.0, 7.0), (8.0, 9.0)]);
        assert_eq!(line.apart(&[]), [NumberStretch { first: 4.0, end: Some(4.5) }]);
    }
}
