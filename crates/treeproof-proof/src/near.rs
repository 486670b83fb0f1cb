//! How far an input is from the reference, or the second input from the first: `‖factor · (x − x₀)‖` in exact reals.

use serde::{Deserialize, Serialize};

use crate::statement::Number;

/// A distance, and how large it may be.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// How distances along features make one.
    pub norm: Norm,
    /// Per feature what its distance is multiplied by; finite and not negative.
    pub factors: Vec<Number>,
    /// The distance between a value and missing, per feature; none where neither can become the other.
    pub missing_costs: Vec<Option<Number>>,
    /// The distance between two categories; none where they cannot change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_cost: Option<Number>,
    /// The largest distance that is asked about; none if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
}

/// How distances along features make one. Groups count once: another of their columns being 1 is a distance of 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// The largest.
    Linf,
    /// The root of the sum of squares.
    L2,
    /// The sum.
    L1,
    /// The sum of the factors of the features that change.
    L0,
}
