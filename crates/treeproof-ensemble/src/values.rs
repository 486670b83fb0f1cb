//! Sets of values of one feature.

use std::collections::BTreeSet;

use crate::input::Reading;

/// A set of values of one feature, as raw values.
#[derive(Clone, Debug, PartialEq)]
pub struct ValueSet {
    /// The values other than missing.
    pub present: Present,
    /// True if missing is a member.
    pub missing: bool,
}

/// Values other than missing.
#[derive(Clone, Debug, PartialEq)]
pub enum Present {
    /// Numbers in ascending, disjoint and non-adjacent ranges.
    Numbers(Vec<Range>),
    /// Categories.
    Categories(CategorySet),
}

/// All numbers between two numbers, both included.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Range {
    /// The least.
    pub low: f64,
    /// The greatest.
    pub high: f64,
}

/// Categories by code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CategorySet {
    /// These.
    Only(BTreeSet<u32>),
    /// All others, and values outside all categories.
    Except(BTreeSet<u32>),
}

impl ValueSet {
    /// True for the empty set.
    pub fn is_empty(&self) -> bool {
        !self.missing
            && match &self.present {
                Present::Numbers(ranges) => ranges.is_empty(),
                Present::Categories(CategorySet::Only(codes)) => codes.is_empty(),
                Present::Categories(CategorySet::Except(_)) => false,
            }
    }

    /// A set without missing.
    pub fn of(present: Present) -> Self {
        Self { present, missing: false }
    }

    /// True if a raw value, with its reading by the model's library, is a member.
    pub fn contains(&self, raw: f64, reading: Reading) -> bool {
        match (reading, &self.present) {
            (Reading::Missing, _) => self.missing,
            (Reading::Number(_), Present::Numbers(ranges)) => {
                ranges.iter().any(|range| range.low <= raw && raw <= range.high)
            }
            (Reading::Category(code), Present::Categories(CategorySet::Only(codes))) => codes.contains(&code),
            (Reading::Category(code), Present::Categories(CategorySet::Except(codes))) => !codes.contains(&code),
            (Reading::NoCategory, Present::Categories(set)) => matches!(set, CategorySet::Except(_)),
            _ => false,
        }
    }

    /// The values in either set.
    #[must_use]
    pub fn union(&self, other: &Self) -> Self {
        Self { present: self.present.union(&other.present), missing: self.missing || other.missing }
    }

    /// The values in both sets.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        Self { present: self.present.intersection(&other.present), missing: self.missing && other.missing }
    }
}

impl Present {
    /// Numbers of some ranges, in any order; a range with a low end above its high end is empty.
    pub fn numbers(ranges: impl IntoIterator<Item = Range>) -> Self {
        let mut ranges: Vec<Range> = ranges.into_iter().filter(|range| range.low <= range.high).collect();
        ranges.sort_by(|a, b| a.low.total_cmp(&b.low));
        let mut joined: Vec<Range> = vec![];
        for range in ranges {
            match joined.last_mut() {
                Some(last) if range.low <= last.high.next_up() => last.high = last.high.max(range.high),
                _ => joined.push(range),
            }
        }
        Self::Numbers(joined)
    }

    /// Every number.
    pub fn every_number() -> Self {
        Self::Numbers(vec![Range { low: f64::NEG_INFINITY, high: f64::INFINITY }])
    }

    /// Every category.
    pub fn every_category() -> Self {
        Self::Categories(CategorySet::Except(BTreeSet::new()))
    }

    /// The empty set of this kind.
    #[must_use]
    pub fn nothing(&self) -> Self {
        match self {
            Self::Numbers(_) => Self::Numbers(vec![]),
            Self::Categories(_) => Self::Categories(CategorySet::Only(BTreeSet::new())),
        }
    }

    /// The complement within this kind.
    #[must_use]
    pub fn complement(&self) -> Self {
        match self {
            Self::Numbers(ranges) => {
                let lows = std::iter::once(f64::NEG_INFINITY).chain(ranges.iter().map(|range| range.high.next_up()));
                let highs = ranges.iter().map(|range| range.low.next_down()).chain([f64::INFINITY]);
                // Nothing is beyond infinity, but its neighbour is itself.
                let ends_at = |end: f64| ranges.iter().any(|range| range.low <= end && end <= range.high);
                let gaps = lows.zip(highs).map(|(low, high)| Range { low, high });
                Self::numbers(gaps.filter(|gap| !ends_at(gap.low) && !ends_at(gap.high)))
            }
            Self::Categories(CategorySet::Only(codes)) => Self::Categories(CategorySet::Except(codes.clone())),
            Self::Categories(CategorySet::Except(codes)) => Self::Categories(CategorySet::Only(codes.clone())),
        }
    }

    fn union(&self, other: &Self) -> Self {
        match (self, other) {
            (Self::Numbers(left), Self::Numbers(right)) => Self::numbers(left.iter().chain(right).copied()),
            _ => self.complement().intersection(&other.complement()).complement(),
        }
    }

    fn intersection(&self, other: &Self) -> Self {
        use CategorySet::{Except, Only};
        match (self, other) {
            (Self::Numbers(left), Self::Numbers(right)) => Self::Numbers(common(left, right)),
            (Self::Categories(left), Self::Categories(right)) => Self::Categories(match (left, right) {
                (Only(left), Only(right)) => Only(left & right),
                (Only(some), Except(others)) | (Except(others), Only(some)) => Only(some - others),
                (Except(left), Except(right)) => Except(left | right),
            }),
            // A feature has numbers or categories, never both.
            _ => self.nothing(),
        }
    }
}

/// The intersection of two ascending lists of ranges.
fn common(mut left: &[Range], mut right: &[Range]) -> Vec<Range> {
    let mut common = vec![];
    while let ([first, left_rest @ ..], [second, right_rest @ ..]) = (left, right) {
        let range = Range { low: first.low.max(second.low), high: first.high.min(second.high) };
        if range.low <= range.high {
            common.push(range);
        }
        if first.high < second.high { left = left_rest } else { right = right_rest }
    }
    common
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn ends() -> impl Strategy<Value = f64> {
        let zeros = [0.0, -0.0, f64::from_bits(1), -f64::from_bits(1), f64::MAX, f64::INFINITY, f64::NEG_INFINITY];
        prop_oneof![(-4..5).prop_map(f64::from), proptest::sample::select(zeros.to_vec())]
    }

    fn number_sets() -> impl Strategy<Value = ValueSet> {
        let range = (ends(), ends()).prop_map(|(low, high)| Range { low, high });
        (proptest::collection::vec(range, 0..4), any::<bool>())
            .prop_map(|(ranges, missing)| ValueSet { present: Present::numbers(ranges), missing })
    }

    fn category_sets() -> impl Strategy<Value = ValueSet> {
        let codes = proptest::collection::btree_set(0_u32..5, 0..5);
        (codes, any::<bool>(), any::<bool>()).prop_map(|(codes, is_only, missing)| {
            let set = if is_only { CategorySet::Only(codes) } else { CategorySet::Except(codes) };
            ValueSet { present: Present::Categories(set), missing }
        })
    }

    fn check(left: &ValueSet, right: &ValueSet, raw: f64, reading: Reading) {
        let (in_left, in_right) = (left.contains(raw, reading), right.contains(raw, reading));
        assert_eq!(left.union(right).contains(raw, reading), in_left || in_right, "{left:?} or {right:?}: {raw}");
        assert_eq!(left.intersection(right).contains(raw, reading), in_left && in_right, "{left:?} {right:?}: {raw}");
        if reading != Reading::Missing {
            assert_eq!(ValueSet::of(left.present.complement()).contains(raw, reading), !in_left, "not {left:?}: {raw}");
        }
    }

    proptest! {
        #[test]
        fn numbers_obey_the_laws_of_sets(left in number_sets(), right in number_sets(), x in ends()) {
            for x in [x, x.next_up(), x.next_down()] {
                check(&left, &right, x, Reading::Number(x));
            }
            check(&left, &right, f64::NAN, Reading::Missing);
            let Present::Numbers(ranges) = left.union(&right).present else { unreachable!() };
            prop_assert!(ranges.windows(2).all(|pair| pair[0].high.next_up() < pair[1].low));
        }

        #[test]
        fn categories_obey_the_laws_of_sets(left in category_sets(), right in category_sets(), code in 0_u32..6) {
            check(&left, &right, f64::from(code), Reading::Category(code));
            check(&left, &right, -1.0, Reading::NoCategory);
            check(&left, &right, f64::NAN, Reading::Missing);
        }
    }
}
