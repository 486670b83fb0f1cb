//! Sets of numbers: ranges, and grids laid over them.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{Present, Range};

/// The numbers of some ranges that are multiples of all of some steps. The double nearest to a multiple counts as one.
#[derive(Clone, Debug, PartialEq)]
pub struct NumberSet {
    /// Ascending and apart from each other; both ends of each are members.
    ranges: Vec<Range>,
    steps: Vec<Exact>,
}

impl NumberSet {
    /// The empty set.
    pub fn none() -> Self {
        Self { ranges: vec![], steps: vec![] }
    }

    /// All numbers between two, both included; empty if they are in the wrong order.
    pub fn between(low: f64, high: f64) -> Self {
        Self::new([Range { low, high }], vec![])
    }

    /// The numbers of some ranges, in any order, that are multiples of all of these steps, which are above 0.
    pub fn new(ranges: impl IntoIterator<Item = Range>, steps: Vec<Exact>) -> Self {
        let Present::Numbers(ranges) = Present::numbers(ranges) else { unreachable!("ranges are of numbers") };
        // A multiple of a multiple of a step is one of the step.
        let is_implied = |(place, step): &(usize, &Exact)| {
            let others = steps.iter().enumerate().filter(|(other, _)| other != place);
            others.into_iter().any(|(other, coarse)| {
                let times = coarse.divided_by(step);
                times.floor() == times && (coarse != *step || other < *place)
            })
        };
        let needed = steps.iter().enumerate().filter(|step| !is_implied(step)).map(|(_, step)| step.clone());
        let mut numbers = Self { ranges: vec![], steps: needed.collect() };
        numbers.ranges = ranges.into_iter().filter_map(|range| numbers.clipped(range)).collect();
        numbers
    }

    /// True if all are known to be multiples of a step.
    pub(crate) fn are_multiples_of(&self, step: &Exact) -> bool {
        self.steps.iter().any(|own| {
            let times = own.divided_by(step);
            times.floor() == times
        })
    }

    /// The ranges: ascending and apart from each other; both ends of each are members.
    pub fn ranges(&self) -> &[Range] {
        &self.ranges
    }

    /// The steps of which all are multiples.
    pub fn steps(&self) -> &[Exact] {
        &self.steps
    }

    /// True if it is empty.
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The least and the greatest number.
    pub fn ends(&self) -> Option<(f64, f64)> {
        Some((self.ranges.first()?.low, self.ranges.last()?.high))
    }

    /// True if a number is a member.
    pub fn contains(&self, number: f64) -> bool {
        self.at_or_above(number) == Some(number)
    }

    /// The least member at or above a number.
    pub fn at_or_above(&self, number: f64) -> Option<f64> {
        let range = self.ranges.get(self.ranges.partition_point(|range| range.high < number))?;
        // The upper end is a member, so there is one in the range.
        if number <= range.low { Some(range.low) } else { self.multiple_above(number) }
    }

    /// The greatest member at or below a number.
    pub fn at_or_below(&self, number: f64) -> Option<f64> {
        let range = self.ranges[..self.ranges.partition_point(|range| range.low <= number)].last()?;
        if number >= range.high { Some(range.high) } else { self.multiple_below(number) }
    }

    /// The common members of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let pairs = self.ranges.iter().flat_map(|one| other.ranges.iter().map(move |two| (one, two)));
        let common = pairs.map(|(one, two)| Range { low: one.low.max(two.low), high: one.high.min(two.high) });
        Self::new(common, [self.steps.as_slice(), &other.steps].concat())
    }

    /// The members outside some ranges.
    pub(crate) fn without(&self, excluded: impl IntoIterator<Item = Range>) -> Self {
        let Present::Numbers(ranges) = Present::numbers(excluded).complement() else {
            unreachable!("ranges are of numbers")
        };
        self.intersection(&Self { ranges, steps: vec![] })
    }

    /// The members in some ranges, which are ascending and apart from each other, with members at both ends.
    pub(crate) fn subset(&self, ranges: Vec<Range>) -> Self {
        Self { ranges, steps: self.steps.clone() }
    }

    /// The members between two numbers.
    #[must_use]
    pub fn within(&self, low: f64, high: f64) -> Self {
        match self.ends() {
            Some((least, greatest)) if low > least || high < greatest => {
                let parts =
                    self.ranges.iter().map(|range| Range { low: range.low.max(low), high: range.high.min(high) });
                self.subset(parts.filter_map(|part| self.clipped(part)).collect())
            }
            _ => self.clone(),
        }
    }

    /// The set with a number added, if that is a multiple of all steps.
    #[must_use]
    pub fn with(&self, number: f64) -> Self {
        let ranges = self.ranges.iter().copied().chain([Range { low: number, high: number }]);
        Self::new(ranges, self.steps.clone())
    }

    /// The range between the least and the greatest multiple in a range, if there is any.
    fn clipped(&self, range: Range) -> Option<Range> {
        let Range { low, high } = Some(range).filter(|range| range.low <= range.high)?;
        let (first, last) = (self.multiple_above(low)?, self.multiple_below(high)?);
        (first <= last && first <= high).then_some(Range { low: first, high: last })
    }

    /// The least multiple of all steps at or above a number.
    fn multiple_above(&self, number: f64) -> Option<f64> {
        if self.steps.is_empty() {
            return Some(number);
        }
        let mut found = number.max(-f64::MAX);
        loop {
            let before = found;
            for step in &self.steps {
                let floor = Exact::from_f64(found)?.divided_by(step).floor();
                // Rounding keeps the order, so the multiple above is not read below; the one below may be read as the number.
                let multiples = [floor.clone(), floor.plus(&Exact::one())].map(|count| count.times(step).to_f64());
                found = multiples.into_iter().find(|multiple| *multiple >= found)?;
            }
            if found == before {
                return Some(found + 0.0);
            }
        }
    }

    fn multiple_below(&self, number: f64) -> Option<f64> {
        self.multiple_above(-number).map(|found| 0.0 - found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exact(text: &str) -> Exact {
        Exact::from_decimal(text).unwrap()
    }

    fn points(numbers: &[f64]) -> Vec<Range> {
        numbers.iter().map(|number| Range { low: *number, high: *number }).collect()
    }

    #[test]
    fn members_are_found_from_both_sides() {
        let set = NumberSet::new(points(&[5.0, 1.0, 2.0]), vec![]);
        assert_eq!((set.at_or_above(2.5), set.at_or_below(2.5), set.ends()), (Some(5.0), Some(2.0), Some((1.0, 5.0))));
        assert_eq!((set.at_or_above(5.5), set.at_or_below(0.5)), (None, None));
        assert!(set.contains(2.0) && !set.contains(3.0) && set.ranges().len() > 1);
        assert!(NumberSet::between(2.0, 1.0).is_empty());
    }

    #[test]
    fn a_grid_has_the_doubles_nearest_to_multiples() {
        let tenths = NumberSet::new([Range { low: 0.05, high: 0.75 }], vec![exact("0.1")]);
        assert_eq!(tenths.ends(), Some((0.1, 0.7)));
        assert_eq!((tenths.at_or_above(0.21), tenths.at_or_below(0.39)), (Some(0.3), Some(0.3)));
        assert!(tenths.contains(0.3) && !tenths.contains(0.1 + 0.2));
        let whole = NumberSet::new([Range { low: -f64::MAX, high: f64::MAX }], vec![Exact::one()]);
        assert_eq!((whole.at_or_above(-0.5), whole.at_or_below(-0.5)), (Some(0.0), Some(-1.0)));
        assert_eq!(whole.ends(), Some((-f64::MAX, f64::MAX)));
        assert!(NumberSet::new([Range { low: 0.2, high: 0.8 }], vec![Exact::one()]).is_empty());
    }

    #[test]
    fn several_steps_leave_what_is_a_multiple_of_all() {
        let both = |one, other| NumberSet::new([Range { low: 0.5, high: 20.0 }], vec![exact(one), exact(other)]);
        assert_eq!(both("4", "6").ends(), Some((12.0, 12.0)));
        assert_eq!(both("0.5", "1"), both("1", "1"));
        let sevens = NumberSet::new([Range { low: 1.0, high: 30.0 }], vec![exact("7")]);
        assert_eq!(sevens.intersection(&NumberSet::between(8.0, 22.0)).ends(), Some((14.0, 21.0)));
    }
}
