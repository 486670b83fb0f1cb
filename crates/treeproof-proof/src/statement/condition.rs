//! Conditions on inputs.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::statement::Number;

/// The values that a feature may have.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Domain {
    /// Numbers of these ranges, ends included, that are doubles nearest to a multiple of every step.
    Numbers {
        /// The ranges.
        ranges: Vec<(Number, Number)>,
        /// The steps, above 0.
        #[serde(default, with = "crate::file::number::list", skip_serializing_if = "Vec::is_empty")]
        steps: Vec<Exact>,
        /// Whether it may be missing.
        #[serde(default)]
        missing: bool,
    },
    /// Categories, by the first reader's codes.
    Categories {
        /// The codes.
        codes: Vec<u32>,
        /// Whether it may be a value that is no category.
        #[serde(default)]
        unknown: bool,
        /// Whether it may be missing.
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

/// Something that holds for inputs, or does not. A statement about a value is false where that value is missing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Condition {
    /// All of these hold.
    All(Vec<Condition>),
    /// One of these holds at least.
    Any(Vec<Condition>),
    /// A feature has one of these values.
    Values(Variable, Domain),
    /// A feature is, or is not, the double nearest to a multiple of a step.
    Multiple {
        /// The feature.
        variable: Variable,
        /// The step, above 0.
        #[serde(with = "crate::file::number")]
        step: Exact,
        /// Whether it is none, but there.
        negated: bool,
    },
    /// `Σ coefficient · feature` compares with a number.
    Linear {
        /// Coefficients and features, each feature once.
        terms: Vec<Scaled>,
        /// How the sum lies to the number.
        relation: Relation,
        /// The number.
        #[serde(with = "crate::file::number")]
        constant: Exact,
    },
    /// So many of these features are there and not 0.
    Count {
        /// The features.
        columns: Vec<Variable>,
        /// At least so many.
        at_least: u64,
        /// At most so many.
        at_most: u64,
    },
    /// A feature is as in the reference, or is not; of two inputs the first is the reference. Missing is like missing.
    Same {
        /// The feature.
        feature: u32,
        /// Whether it differs.
        negated: bool,
    },
    /// How a feature lies to the reference. Both missing is as high and as low.
    Moved {
        /// The feature.
        feature: u32,
        /// Where it lies.
        direction: Direction,
    },
    /// So many units differ from the reference.
    Changed {
        /// What counts once: a feature, or the columns of a group.
        units: Vec<Vec<u32>>,
        /// At least so many.
        at_least: u64,
        /// At most so many.
        at_most: u64,
    },
}

/// A feature times a number.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scaled {
    /// The number, not 0.
    #[serde(with = "crate::file::number")]
    pub coefficient: Exact,
    /// The feature.
    pub variable: Variable,
}

/// How a sum lies to a number.
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

/// Where a feature lies to the reference.
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
