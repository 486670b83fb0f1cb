//! Sets of doubles: the multiples of some steps in some ranges.
//!
//! A double is a multiple of a step if it is the double nearest to one. No infinite number is a multiple.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::bisect;
use treeproof_proof::statement::condition::Domain;

/// A closed range of doubles.
pub type Range = (f64, f64);

/// Limit on the rounds in which several steps agree on a number.
const MOST_ROUNDS: usize = 64;

/// The doubles of some ranges that are multiples of all of some steps.
#[derive(Clone, Debug, Default)]
pub struct Numbers {
    /// The ranges, ascending, none touching the next.
    ranges: Vec<Range>,
    /// The steps, above 0.
    steps: Vec<Exact>,
}

/// The next number after a multiple of a step that may be no multiple. Beyond some power of two every double is the nearest to
/// one: doubles from 2ᵏ on are 2ᵏ⁻⁵² apart, and where that exceeds the step, each has a multiple nearer to it than half of
/// that; a step that is as large, and a power of two, has every double among its multiples.
pub(crate) fn past_multiple(multiple: f64, step: &Exact) -> f64 {
    let dense = dense_beyond(step);
    match multiple {
        multiple if multiple < -dense => -dense,
        // The greatest double has no neighbour on its other side.
        multiple if multiple > dense && multiple < f64::MAX => f64::MAX,
        multiple => multiple.next_up(),
    }
}

/// The power of two beyond which every double is a multiple; see [`past_multiple`].
fn dense_beyond(step: &Exact) -> f64 {
    let Some(mut power) = step.power_above() else { return f64::INFINITY };
    while *step < Exact::power_of_two(power - 1) {
        power -= 1;
    }
    let is_power = *step == Exact::power_of_two(power - 1);
    // Below the least normal number doubles are as far apart as there.
    let dense = (power - i64::from(is_power) + 52).max(-1022);
    Exact::power_of_two(dense).to_f64()
}

impl Numbers {
    /// The numbers of a domain.
    pub fn of(domain: &Domain) -> Self {
        match domain {
            Domain::Numbers { ranges, steps, .. } => {
                Self::new(ranges.iter().map(|(low, high)| (low.0, high.0)), steps.clone())
            }
            Domain::Categories { .. } => Self::default(),
        }
    }

    /// The multiples of steps above 0 in ranges in any order. A range whose ends are in the wrong order is empty.
    pub fn new(ranges: impl IntoIterator<Item = Range>, steps: Vec<Exact>) -> Self {
        Self { ranges: merged(ranges), steps }
    }

    /// The intersection.
    #[must_use]
    pub fn common(&self, other: &Self) -> Self {
        let (mut mine, mut others) = (self.ranges.iter().peekable(), other.ranges.iter().peekable());
        let mut ranges = vec![];
        while let (Some((low, high)), Some((least, greatest))) = (mine.peek(), others.peek()) {
            ranges.push((low.max(*least), high.min(*greatest)));
            if high <= greatest {
                mine.next()
            } else {
                others.next()
            };
        }
        let new = other.steps.iter().filter(|step| !self.steps.contains(step));
        Self { ranges: merged(ranges), steps: self.steps.iter().chain(new).cloned().collect() }
    }

    /// All multiples of the steps.
    #[must_use]
    pub fn everywhere(&self) -> Self {
        Self { ranges: vec![(f64::NEG_INFINITY, f64::INFINITY)], steps: self.steps.clone() }
    }

    /// The intersection with a range.
    #[must_use]
    pub fn inside(&self, range: Range) -> Self {
        self.common(&Self::new([range], vec![]))
    }

    /// The numbers outside a range whose ends are in order.
    #[must_use]
    pub fn outside(&self, (low, high): Range) -> Self {
        let below = self.ranges.iter().map(|range| (range.0, if range.1 < low { range.1 } else { low.next_down() }));
        let above = self.ranges.iter().map(|range| (if range.0 > high { range.0 } else { high.next_up() }, range.1));
        // Infinity is its own neighbour.
        let below = below.filter(|range| range.0 < low && range.1 < low);
        let above = above.filter(|range| range.0 > high && range.1 > high);
        Self { ranges: merged(below.chain(above)), steps: self.steps.clone() }
    }

    /// True if a number is in the set.
    pub fn contains(&self, number: f64) -> bool {
        let place = self.ranges.partition_point(|(_, high)| *high < number);
        let is_inside = self.ranges.get(place).is_some_and(|(low, _)| *low <= number);
        is_inside && self.steps.iter().all(|step| is_multiple(number, step))
    }

    /// Ranges that cover the numbers of the set in a range, each as narrow as is known.
    pub fn within(&self, (low, high): Range) -> impl Iterator<Item = Range> + '_ {
        let from = self.ranges.partition_point(|range| range.1 < low);
        let ranges = self.ranges[from..].iter().take_while(move |range| range.0 <= high);
        ranges.filter_map(move |range| {
            let (first, last) = (self.multiple_above(range.0.max(low))?, self.multiple_below(range.1.min(high))?);
            (first <= last).then_some((first, last))
        })
    }

    /// True if the set is known to have no number in a range.
    pub fn misses(&self, range: Range) -> bool {
        self.within(range).next().is_none()
    }

    /// A lower bound on the smallest member ≥ `number`; `None` if there is none.
    pub fn at_or_above(&self, number: f64) -> Option<f64> {
        self.within((number, f64::INFINITY)).next().map(|(first, _)| first)
    }

    /// An upper bound on the largest member ≤ `number`; `None` if there is none.
    pub fn at_or_below(&self, number: f64) -> Option<f64> {
        let place = self.ranges.partition_point(|range| range.0 <= number);
        let mut ranges = self.ranges[..place].iter().rev();
        ranges.find_map(|range| self.multiple_below(range.1.min(number)).filter(|last| *last >= range.0))
    }

    /// True if all are multiples of a step because one of their own steps is.
    pub fn are_multiples_of(&self, step: &Exact) -> bool {
        self.steps.iter().any(|own| {
            let times = own.divided_by(step);
            times.floor() == times
        })
    }

    /// A lower bound on the least multiple of all steps ≥ `number`, mostly exact.
    fn multiple_above(&self, number: f64) -> Option<f64> {
        if self.steps.is_empty() {
            return Some(number);
        }
        let mut found = number.max(-f64::MAX);
        for _ in 0..MOST_ROUNDS {
            let before = found;
            for step in &self.steps {
                found = next_multiple(found, step)?;
            }
            if found == before {
                break;
            }
        }
        Some(found)
    }

    fn multiple_below(&self, number: f64) -> Option<f64> {
        self.multiple_above(-number).map(|found| -found)
    }
}

/// The least multiple of a step that is not below a finite number.
fn next_multiple(number: f64, step: &Exact) -> Option<f64> {
    // Rounding keeps the order: the multiple above is not rounded below the number, and the one below may be rounded to it.
    around(number, step)?.into_iter().find(|multiple| *multiple >= number)
}

/// True if a number is the double nearest to some multiple of a step.
pub fn is_multiple(number: f64, step: &Exact) -> bool {
    // If any multiple is rounded to the number, so is the next one on its side.
    around(number, step).is_some_and(|multiples| multiples.contains(&number))
}

/// The doubles nearest to the multiples of a step next to a finite number.
fn around(number: f64, step: &Exact) -> Option<[f64; 2]> {
    let floor = Exact::from_f64(number)?.divided_by(step).floor();
    let next = floor.plus(&Exact::one());
    Some([floor, next].map(|count| count.times(step).reduced().to_f64()))
}

/// Ranges in order, none touching the next.
pub(crate) fn merged(ranges: impl IntoIterator<Item = Range>) -> Vec<Range> {
    // −0 and 0 are one number; neither end of a range is NaN.
    let ranges = ranges.into_iter().filter(|(low, high)| low <= high).map(|(low, high)| (low + 0.0, high + 0.0));
    let mut ranges: Vec<Range> = ranges.collect();
    ranges.sort_by(|one, other| one.0.total_cmp(&other.0));
    let mut merged: Vec<Range> = vec![];
    for (low, high) in ranges {
        match merged.last_mut() {
            Some(last) if low <= last.1.next_up() => last.1 = last.1.max(high),
            _ => merged.push((low, high)),
        }
    }
    merged
}

/// The range of doubles that a monotone function maps into a range.
pub(crate) fn preimage(function: impl Fn(f64) -> f64, (least, greatest): Range) -> Option<Range> {
    let first_where = |is_before: &dyn Fn(f64) -> bool| match () {
        () if !is_before(f64::NEG_INFINITY) => Some(f64::NEG_INFINITY),
        () if is_before(f64::INFINITY) => None,
        () => Some(bisect(f64::NEG_INFINITY, f64::INFINITY, is_before).1),
    };
    let first = first_where(&|number| function(number) < least)?;
    let last = match first_where(&|number| function(number) <= greatest) {
        Some(f64::NEG_INFINITY) => return None,
        Some(end) => end.next_down(),
        None => f64::INFINITY,
    };
    (first <= last).then_some((first, last))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use treeproof_ensemble::float::Precision;

    use super::*;

    fn numbers() -> impl Strategy<Value = Numbers> {
        let ends = prop::collection::vec((-9..9_i32, 0..6_i32), 0..4);
        let steps = prop::collection::vec(prop::sample::select(vec!["1", "3/2", "1/10", "2"]), 0..3);
        (ends, steps).prop_map(|(ends, steps)| {
            let ranges = ends.into_iter().map(|(low, width)| (f64::from(low) / 2.0, f64::from(low + width) / 2.0));
            Numbers::new(ranges, steps.into_iter().map(|step| Exact::from_text(step).unwrap()).collect())
        })
    }

    proptest! {
        #[test]
        fn what_is_found_is_first_and_last(of in numbers(), other in numbers(), at in -60..60_i32, width in 0..60_i32) {
            let tenths: Vec<f64> = (-120..120).map(|tenth| f64::from(tenth) / 10.0).collect();
            let (low, high) = (f64::from(at) / 10.0, f64::from(at + width) / 10.0);
            let members = || tenths.iter().copied().filter(|number| of.contains(*number));
            let is_held = |number: f64| of.within((low, high)).any(|range| range.0 <= number && number <= range.1);
            for number in members().filter(|number| (low..=high).contains(number)) {
                prop_assert!(is_held(number) && !of.misses((low, high)), "{number} of {of:?}");
                prop_assert!(of.at_or_above(low).unwrap() <= number && of.at_or_below(high).unwrap() >= number);
            }
            for (first, last) in of.within((low, high)) {
                prop_assert!(of.contains(first) && of.contains(last) && low <= first && last <= high);
            }
            let (common, inside, outside) = (of.common(&other), of.inside((low, high)), of.outside((low, high)));
            for number in tenths.iter().copied() {
                prop_assert_eq!(common.contains(number), of.contains(number) && other.contains(number));
                prop_assert_eq!(inside.contains(number), of.contains(number) && (low..=high).contains(&number));
                prop_assert_eq!(outside.contains(number), of.contains(number) && !(low..=high).contains(&number));
            }
        }
    }

    #[test]
    fn infinities_are_numbers_but_no_multiples() {
        let all = Numbers::new([(f64::NEG_INFINITY, f64::INFINITY)], vec![]);
        assert!(all.contains(f64::INFINITY) && !all.outside((5.0, f64::INFINITY)).contains(f64::INFINITY));
        assert!(all.outside((5.0, 6.0)).contains(f64::NEG_INFINITY) && all.outside((5.0, 6.0)).contains(f64::INFINITY));
        let whole = Numbers::new([(f64::NEG_INFINITY, f64::INFINITY)], vec![Exact::one()]);
        assert_eq!(
            (whole.at_or_above(f64::NEG_INFINITY), whole.at_or_below(f64::INFINITY)),
            (Some(-f64::MAX), Some(f64::MAX))
        );
        assert!(
            !whole.contains(f64::INFINITY) && Numbers::new([(f64::NAN, 1.0), (2.0, 1.0)], vec![]).misses((0.0, 3.0))
        );
    }

    #[test]
    fn doubles_that_round_to_a_number_are_found() {
        let round = |number| Precision::F32.round(number);
        let (first, last) = preimage(round, (f64::from(0.1_f32), f64::from(0.1_f32))).unwrap();
        assert!(round(first) == f64::from(0.1_f32) && round(first.next_down()) < round(first));
        assert!(round(last) == f64::from(0.1_f32) && round(last.next_up()) > round(last));
        assert_eq!(preimage(round, (0.1, 0.1)), None, "no f32 is 0.1");
        assert_eq!(preimage(round, (f64::INFINITY, f64::INFINITY)).unwrap().1, f64::INFINITY);
    }
}
