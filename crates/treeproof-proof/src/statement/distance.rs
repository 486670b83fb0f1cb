//! Distances: `‖factor · (x − x₀)‖` in exact reals, of an input from the reference, or of the second input from the first.
//!
//! Two numbers are as far apart as their difference; a missing value and another category are as far away as the statement says,
//! or cannot change. No number is at a finite distance from an infinite one, unless the factor is 0. The columns of a group count
//! once: another one being 1 is a distance of 1. The cost of a distance is the distance itself, and for L2 its square, which is
//! exact.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm;

use crate::statement::Number;

/// A norm over the distances along features. The format has its own, so that a new one elsewhere does not change it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// The largest distance.
    Linf,
    /// The root of the sum of squared distances.
    L2,
    /// The sum of distances.
    L1,
    /// The number of features that change.
    L0,
}

impl From<norm::Norm> for Norm {
    fn from(norm: norm::Norm) -> Self {
        match norm {
            norm::Norm::Linf => Self::Linf,
            norm::Norm::L2 => Self::L2,
            norm::Norm::L1 => Self::L1,
            norm::Norm::L0 => Self::L0,
        }
    }
}

impl From<Norm> for norm::Norm {
    fn from(norm: Norm) -> Self {
        match norm {
            Norm::Linf => Self::Linf,
            Norm::L2 => Self::L2,
            Norm::L1 => Self::L1,
            Norm::L0 => Self::L0,
        }
    }
}

impl Norm {
    /// The name in the file.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linf => "linf",
            Self::L2 => "l2",
            Self::L1 => "l1",
            Self::L0 => "l0",
        }
    }
}

/// A distance, perhaps with a radius.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Distance {
    /// The norm.
    pub norm: Norm,
    /// A factor for each feature: finite, not negative, and equal for all columns of a group.
    pub factors: Vec<Number>,
    /// Factors for changes of numbers in place of these, not for L0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_factors: Option<Vec<Number>>,
    /// The distance between a value and missing, by feature; `None` if neither can become the other. For L0 any distance is 1.
    pub missing_costs: Vec<Option<Number>>,
    /// The distance between two categories; `None` if they cannot change. For L0 any distance is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_cost: Option<Number>,
    /// The largest distance that is asked about; `None` if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
}

/// A bound on a distance beside the one that is asked about.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DistanceBound {
    /// The distance, which has no radius of its own.
    pub distance: Distance,
    /// The bound.
    #[serde(with = "crate::exact_text")]
    pub at_most: Exact,
}

impl DistanceBound {
    /// The largest admissible cost; below 0 no input is admissible.
    pub fn limit(&self) -> Exact {
        let most = &self.at_most;
        if self.distance.norm == Norm::L2 { most.times(&most.magnitude()) } else { most.clone() }
    }
}

impl Distance {
    /// The factor on the distance between two numbers of a feature.
    pub fn number_factor(&self, feature: usize) -> Number {
        self.number_factors.as_ref().unwrap_or(&self.factors)[feature]
    }

    /// The cost of a distance; `None` if it is not finite.
    pub fn cost(&self, distance: f64) -> Option<Exact> {
        let exact = Exact::from_f64(distance)?;
        Some(if self.norm == Norm::L2 { exact.times(&exact) } else { exact })
    }

    /// The cost of the radius.
    pub fn limit(&self) -> Option<Exact> {
        self.cost(self.radius?.0)
    }

    /// The cost of a change of all features, by the cost of each.
    pub fn total(&self, costs: impl IntoIterator<Item = Exact>) -> Exact {
        let costs = costs.into_iter();
        match self.norm {
            Norm::Linf => costs.max().filter(|most| *most > Exact::zero()).unwrap_or_else(Exact::zero),
            Norm::L2 | Norm::L1 | Norm::L0 => costs.fold(Exact::zero(), |sum, cost| sum.plus(&cost)),
        }
    }
}
