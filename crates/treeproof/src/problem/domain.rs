//! The domain of a feature: its admissible values, in the user's own numbers.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::float::Precision;
use treeproof_ensemble::input::{Feature, FeatureKind, InputRules, Reading};
use treeproof_ensemble::tree::{Side, Split, Test, Tree};
use treeproof_ensemble::values::Range;

use super::number_set::NumberSet;

/// The admissible values of a feature, in the user's own numbers.
///
/// A number that the library reads as missing (XGBoost's `missing=`) is admissible only where missing is.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Numbers.
    Numbers {
        /// The numbers.
        numbers: NumberSet,
        /// True if missing is admissible.
        missing: bool,
    },
    /// Categories by code.
    Categories {
        /// The codes, ascending.
        codes: Vec<u32>,
        /// True if values that are no category are admissible.
        unknown: bool,
        /// True if missing is admissible.
        missing: bool,
    },
}

impl Domain {
    /// Numbers between two, both included; not missing.
    pub fn between(low: f64, high: f64) -> Self {
        Self::Numbers { numbers: NumberSet::between(low, high), missing: false }
    }

    /// The values of a column of a group in which one of these columns is 1.
    pub(super) fn of_column(column: usize, choices: &[usize]) -> Self {
        let may_be_0 = choices.iter().any(|choice| *choice != column).then_some(0.0);
        let may_be_1 = choices.contains(&column).then_some(1.0);
        let bits = may_be_0.into_iter().chain(may_be_1).map(|bit| Range { low: bit, high: bit });
        Self::Numbers { numbers: NumberSet::new(bits, vec![]), missing: false }
    }

    /// For each feature every finite number, or every known category; not missing.
    ///
    /// If the file does not name the categories, the known ones are those that some split lists, and one more that stands
    /// for all others.
    pub fn everything(ensemble: &Ensemble) -> Vec<Self> {
        let mut listed: Vec<BTreeSet<u32>> = vec![BTreeSet::new(); ensemble.features().len()];
        for tree in ensemble.trees() {
            for split in tree.splits() {
                if let Test::InSet(set) = split.test {
                    listed[split.feature as usize].extend(tree.category_set(set));
                }
            }
        }
        let everything = |(feature, listed): (&Feature, &BTreeSet<u32>)| match &feature.kind {
            FeatureKind::Numeric => Self::between(-f64::MAX, f64::MAX),
            FeatureKind::Category(categories) => {
                let count = match (categories.encoding.values(), categories.names.len()) {
                    (Some(values), _) => values.len(),
                    (None, named) => named,
                };
                let mut codes: BTreeSet<u32> = (0..u32::try_from(count).unwrap_or(u32::MAX)).collect();
                if codes.is_empty() {
                    codes.extend(listed);
                    codes.extend(another_category(feature, ensemble.input(), |code| listed.contains(&code)));
                }
                Self::Categories { codes: codes.into_iter().collect(), unknown: false, missing: false }
            }
        };
        ensemble.features().iter().zip(&listed).map(everything).collect()
    }

    /// The part of the domain with some of its numbers, and with those other values that are kept, by their readings.
    #[must_use]
    pub(crate) fn filtered(
        &self,
        keep_numbers: impl FnOnce(&NumberSet) -> NumberSet,
        is_kept: impl Fn(Reading) -> bool,
    ) -> Self {
        match self {
            Self::Numbers { numbers, missing } => {
                Self::Numbers { numbers: keep_numbers(numbers), missing: *missing && is_kept(Reading::Missing) }
            }
            Self::Categories { codes, unknown, missing } => Self::Categories {
                codes: codes.iter().copied().filter(|code| is_kept(Reading::Category(*code))).collect(),
                unknown: *unknown && is_kept(Reading::NoCategory),
                missing: *missing && is_kept(Reading::Missing),
            },
        }
    }

    /// The part of the domain that the library accepts and that some raw value reaches.
    #[must_use]
    pub fn accepted(&self, feature: &Feature, input: &InputRules) -> Self {
        let keep_numbers = |numbers: &NumberSet| {
            let numbers = within_range(numbers, feature, input);
            // Numbers that the library all reads as missing are none.
            let round = |number: f64| input.precision.round(number);
            let rounded = numbers.ends().map(|(least, greatest)| (round(least), round(greatest)));
            let are_missing = rounded.is_some() && rounded == input.missing_value.map(|value| (value, value));
            if are_missing { NumberSet::none() } else { numbers }
        };
        self.filtered(keep_numbers, |reading| match reading {
            Reading::Category(code) => raw_category(feature, input, code).is_some(),
            Reading::NoCategory => raw_unknown(feature, input).is_some(),
            Reading::Missing => input.takes_missing(feature),
            Reading::Number(_) => true,
        })
    }

    /// The common values of both.
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Self {
        let keep_numbers = |numbers: &NumberSet| match other {
            Self::Numbers { numbers: others, .. } => numbers.intersection(others),
            Self::Categories { .. } => unreachable!("the domains of one feature are of one kind"),
        };
        self.filtered(keep_numbers, |reading| other.contains(f64::NAN, reading))
    }

    /// Adds a value with this reading, unless it is missing.
    pub(crate) fn include(&mut self, raw: f64, reading: Reading) {
        match (self, reading) {
            (Self::Numbers { numbers, .. }, Reading::Number(_)) => *numbers = numbers.with(raw),
            (Self::Categories { codes, .. }, Reading::Category(code)) => {
                if let Err(place) = codes.binary_search(&code) {
                    codes.insert(place, code);
                }
            }
            (Self::Categories { unknown, .. }, Reading::NoCategory) => *unknown = true,
            _ => {}
        }
    }

    /// True if a value with this reading is admissible.
    pub(crate) fn contains(&self, raw: f64, reading: Reading) -> bool {
        match (self, reading) {
            (Self::Numbers { missing, .. } | Self::Categories { missing, .. }, Reading::Missing) => *missing,
            (Self::Numbers { numbers, .. }, _) => numbers.contains(raw),
            (Self::Categories { codes, .. }, Reading::Category(code)) => codes.binary_search(&code).is_ok(),
            (Self::Categories { unknown, .. }, _) => *unknown,
        }
    }

    /// True if an accepted domain is empty.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Numbers { numbers, missing } => !missing && numbers.is_empty(),
            Self::Categories { codes, unknown, missing } => !missing && !unknown && codes.is_empty(),
        }
    }

    /// True if missing is admissible.
    pub(super) fn may_be_missing(&self) -> bool {
        match self {
            Self::Numbers { missing, .. } | Self::Categories { missing, .. } => *missing,
        }
    }

    /// True for each side of a split, left and right, that some value takes; both if in doubt.
    pub(super) fn sides(&self, ensemble: &Ensemble, tree: &Tree, split: &Split) -> (bool, bool) {
        let (left, right) = match self {
            Self::Numbers { numbers, .. } => match (numbers.ends(), split.test) {
                (None, _) => (false, false),
                (Some((low, high)), Test::Below(threshold)) if split.zero.is_none() => {
                    let precision = ensemble.input().precision;
                    (precision.round(low) < threshold, precision.round(high) >= threshold)
                }
                (Some(_), Test::Present) if split.zero.is_none() => (true, false),
                _ => (true, true),
            },
            Self::Categories { codes, unknown, .. } => {
                let known = codes.iter().map(|code| Reading::Category(*code));
                let mut sides = known.chain(unknown.then_some(Reading::NoCategory)).map(|of| tree.side(split, of));
                let first = sides.next();
                let has_other = sides.any(|side| Some(side) != first);
                (first == Some(Side::Left) || has_other, first == Some(Side::Right) || has_other)
            }
        };
        let goes_missing = |side: Side| self.may_be_missing() && split.missing == side;
        (left || goes_missing(Side::Left), right || goes_missing(Side::Right))
    }
}

/// The numbers that the library accepts.
pub(super) fn within_range(numbers: &NumberSet, feature: &Feature, input: &InputRules) -> NumberSet {
    let largest = if input.accepts_infinite { f64::INFINITY } else { largest_finite(input.precision) };
    match feature.accepts.between {
        Some([low, high]) => numbers.within(low.0.max(-largest), high.0.min(largest)),
        None => numbers.within(-largest, largest),
    }
}

/// The largest number that does not overflow in a precision.
pub(crate) fn largest_finite(precision: Precision) -> f64 {
    match precision {
        // Half an ulp above the largest f32 is a tie, which rounds to the even neighbour: infinity.
        Precision::F32 => (f64::from(f32::MAX) + 2.0_f64.powi(103)).next_down(),
        Precision::F64 => f64::MAX,
    }
}

/// A raw value that is read as a category, if there is one.
pub(crate) fn raw_category(feature: &Feature, input: &InputRules, code: u32) -> Option<f64> {
    let FeatureKind::Category(categories) = &feature.kind else { return None };
    let natural = match categories.encoding.values() {
        Some(values) => *values.get(code as usize)?,
        None => f64::from(code),
    };
    // If the code itself means "missing", XGBoost and LightGBM still know the category by a fraction.
    let is_read = |raw: &f64| input.read(feature, *raw) == Ok(Reading::Category(code));
    [natural, natural + 0.5].into_iter().find(is_read)
}

/// A reachable category that is not known: the first, as it stands for all others.
pub(crate) fn another_category(feature: &Feature, input: &InputRules, is_known: impl Fn(u32) -> bool) -> Option<u32> {
    // Only the one code that means "missing" may be out of reach.
    let mut others = (0..=u32::MAX).filter(|code| !is_known(*code)).take(2);
    others.find(|code| raw_category(feature, input, *code).is_some())
}

/// A raw value that is no category, if the feature has one.
pub(super) fn raw_unknown(feature: &Feature, input: &InputRules) -> Option<f64> {
    let FeatureKind::Category(categories) = &feature.kind else { return None };
    // If −1 means "missing", −2 does not.
    let known = categories.encoding.no_category().into_iter().chain([-2.0]);
    known.into_iter().find(|raw| input.read(feature, *raw) == Ok(Reading::NoCategory))
}

#[cfg(test)]
mod tests {
    use super::*;
    use treeproof_ensemble::input::Absent;

    fn rules(precision: Precision, accepts_infinite: bool, missing_value: Option<f64>) -> InputRules {
        InputRules {
            precision,
            missing_value,
            zero_band: None,
            accepts_missing: true,
            accepts_infinite,
            absent: Absent::Zero,
        }
    }

    #[test]
    fn the_largest_finite_number_is_the_last_that_rounds_to_one() {
        let largest = largest_finite(Precision::F32);
        assert_eq!(Precision::F32.round(largest), f64::from(f32::MAX));
        assert!(Precision::F32.round(largest.next_up()).is_infinite());
    }

    #[test]
    fn what_the_library_refuses_or_calls_missing_is_no_number() {
        let feature = Feature::numeric("x");
        let accepted = |low, high, rules: &InputRules| Domain::between(low, high).accepted(&feature, rules).is_empty();
        assert!(accepted(1e39, 1e40, &rules(Precision::F32, false, None)));
        assert!(!accepted(1e39, 1e40, &rules(Precision::F32, true, None)));
        assert!(accepted(0.0, 0.0, &rules(Precision::F64, true, Some(0.0))));
        assert!(!accepted(0.0, f64::from_bits(1), &rules(Precision::F64, true, Some(0.0))));
        assert!(accepted(0.0, f64::from_bits(1), &rules(Precision::F32, true, Some(0.0))), "both round to zero");
        assert!(accepted(2.0, 1.0, &rules(Precision::F64, true, None)));
        assert!(accepted(f64::NAN, 1.0, &rules(Precision::F64, true, None)));
    }
}
