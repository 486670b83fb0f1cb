//! The values that a feature may take.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, FeatureKind, InputRules, Reading};
use treeproof_ensemble::tree::{Side, Split, Test, Tree};

/// The values that a feature may take, in the user's own numbers.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// Numbers between two numbers, both included.
    Numbers {
        /// The least.
        low: f64,
        /// The greatest.
        high: f64,
        /// Whether it may be missing.
        missing: bool,
    },
    /// Categories by code.
    Categories {
        /// The codes, ascending.
        codes: Vec<u32>,
        /// Whether it may be missing.
        missing: bool,
    },
}

impl Domain {
    /// Every finite number, or every known category; not missing.
    pub fn everything(feature: &Feature, input: &InputRules) -> Self {
        match &feature.kind {
            FeatureKind::Numeric => {
                let largest = input.precision.floor(f64::MAX);
                let largest = if largest.is_finite() { largest } else { f64::MAX };
                Self::Numbers { low: -largest, high: largest, missing: false }
            }
            FeatureKind::Category(categories) => {
                let count = u32::try_from(categories.names.len()).unwrap_or(u32::MAX);
                Self::Categories { codes: (0..count).collect(), missing: false }
            }
        }
    }

    /// Whether the domain holds nothing.
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Numbers { low, high, missing } => !missing && (low.is_nan() || high.is_nan() || low > high),
            Self::Categories { codes, missing } => !missing && codes.is_empty(),
        }
    }

    /// Whether some value goes left, and whether some goes right; both if in doubt.
    pub(super) fn sides(&self, ensemble: &Ensemble, tree: &Tree, split: &Split) -> (bool, bool) {
        let mut sides = (false, false);
        let mut see = |side: Side| match side {
            Side::Left => sides.0 = true,
            Side::Right => sides.1 = true,
        };
        let missing = match self {
            Self::Numbers { low, high, missing } => {
                if low <= high {
                    let precision = ensemble.input().precision;
                    match split.test {
                        Test::Below(threshold) if split.zero.is_none() => {
                            if precision.round(*low) < threshold {
                                see(Side::Left);
                            }
                            if precision.round(*high) >= threshold {
                                see(Side::Right);
                            }
                        }
                        Test::Present if split.zero.is_none() => see(Side::Left),
                        _ => {
                            see(Side::Left);
                            see(Side::Right);
                        }
                    }
                }
                *missing
            }
            Self::Categories { codes, missing } => {
                codes.iter().for_each(|code| see(tree.side(split, Reading::Category(*code))));
                *missing
            }
        };
        if missing {
            see(split.missing);
        }
        sides
    }

    /// Some raw value of the domain.
    pub(super) fn any(&self, feature: &Feature, _input: &InputRules) -> f64 {
        match self {
            Self::Numbers { low, high, .. } if low <= high => 0.0_f64.clamp(*low, *high),
            Self::Categories { codes, .. } if !codes.is_empty() => super::cells::raw_category(feature, codes[0]),
            _ => f64::NAN,
        }
    }
}
