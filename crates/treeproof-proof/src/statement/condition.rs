//! Domains of features and conditions on inputs.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::statement::Number;

/// The values that a feature may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Domain {
    /// Numbers of ranges, ends included, that are doubles nearest to a multiple of every step.
    Numbers {
        /// The ranges.
        ranges: Vec<(Number, Number)>,
        /// The steps, above 0.
        #[serde(default, with = "crate::exact_text::list", skip_serializing_if = "Vec::is_empty")]
        steps: Vec<Exact>,
        /// True if it may be missing.
        #[serde(default)]
        missing: bool,
    },
    /// Categories, by the first reader's codes.
    Categories {
        /// The codes.
        codes: Vec<u32>,
        /// True if it may be a value that is no category.
        #[serde(default)]
        unknown: bool,
        /// True if it may be missing.
        #[serde(default)]
        missing: bool,
    },
}

/// A feature of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// The input.
    pub input: u32,
    /// The feature.
    pub feature: u32,
}

/// A condition on inputs. A comparison of a missing value is false.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// A conjunction.
    All(Vec<Condition>),
    /// A disjunction.
    Any(Vec<Condition>),
    /// Membership of a feature in a domain.
    Values(Variable, Domain),
    /// Divisibility: a feature is the double nearest to a multiple of a step.
    Multiple {
        /// The feature.
        variable: Variable,
        /// The step, above 0.
        #[serde(with = "crate::exact_text")]
        step: Exact,
        /// True if it must be a number that is no multiple.
        negated: bool,
    },
    /// A linear constraint: `Σ coefficient · feature` compared with a constant, in exact reals over finite numbers.
    Linear {
        /// The terms, each feature once.
        terms: Vec<LinearTerm>,
        /// The comparison.
        relation: Relation,
        /// The constant.
        #[serde(with = "crate::exact_text")]
        constant: Exact,
    },
    /// A bound on the number of features that are present and not 0.
    Count {
        /// The features.
        columns: Vec<Variable>,
        /// The least number.
        at_least: u64,
        /// The largest number.
        at_most: u64,
    },
    /// Equality with the reference, or with the first of two inputs. Missing equals missing.
    Same {
        /// The feature.
        feature: u32,
        /// True if it must differ.
        negated: bool,
    },
    /// A direction in which a feature moves from the reference, or from the first of two inputs. Missing in both counts as equal.
    Moved {
        /// The feature.
        feature: u32,
        /// The direction.
        direction: Direction,
    },
    /// A bound on the number of units that differ from the reference, or from the first of two inputs.
    Changed {
        /// The units, each of which counts once: a feature, or the columns of a group.
        units: Vec<Vec<u32>>,
        /// The least number.
        at_least: u64,
        /// The largest number.
        at_most: u64,
    },
}

/// A feature times a coefficient.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LinearTerm {
    /// The coefficient, not 0.
    #[serde(with = "crate::exact_text")]
    pub coefficient: Exact,
    /// The feature.
    pub variable: Variable,
}

/// A comparison of a sum with a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Relation {
    /// `<`
    Below,
    /// `<=`
    AtMost,
    /// `==`
    Equal,
}

impl Relation {
    /// True if a sum compares so with a constant.
    pub fn holds(self, sum: &Exact, constant: &Exact) -> bool {
        match self {
            Self::Below => sum < constant,
            Self::AtMost => sum <= constant,
            Self::Equal => sum == constant,
        }
    }
}

/// A direction from the reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Direction {
    /// Not below.
    AtLeast,
    /// Not above.
    AtMost,
    /// Above.
    Above,
    /// Below.
    Below,
}

impl Direction {
    /// The admissible orders of the new value relative to the reference.
    pub fn orders(self) -> &'static [Ordering] {
        match self {
            Self::AtLeast => &[Ordering::Greater, Ordering::Equal],
            Self::AtMost => &[Ordering::Less, Ordering::Equal],
            Self::Above => &[Ordering::Greater],
            Self::Below => &[Ordering::Less],
        }
    }
}
