//! Two inputs that are not far apart: a ball around one holds the other.
//!
//! Each feature that may differ has an axis for each input. Which cells of the two go together is known feature by
//! feature (`coupled`); what all features cost together is a constraint of the search (`coupling`). Both keep one law: of
//! two cells the nearest values count, so nothing is excluded that two inputs within the radius have.
//!
//! Constraints alone would leave bounds poor, as every tree looks for itself where two inputs differ most. So the tree of leaf
//! pairs knows the ball too (`walk`): pairs that are too far apart are no leaves of it, and the leaves of the others are
//! confined to where the inputs can be, which is near the thresholds between them. Where changed features are
//! counted, an axis for each feature says whether it changes: what it costs there is a budget, and a leaf pair is
//! reached only where what it needs does change.
//!
//! | file | what |
//! |---|---|
//! | `coupled` | what cells of one feature at two inputs cost |
//! | `coupling` | what all features cost: the constraint, and values for two inputs |
//! | `meet` | values for two inputs that conditions tie as well |
//! | `walk` | what it means to leaf pairs |

mod coupled;
mod coupling;
mod meet;
mod walk;

pub(super) use self::coupling::Coupling;
pub(super) use self::walk::{ForcedSplit, PairReach};

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;

use super::metric::Metric;

/// How far apart two inputs may be, in features that are not tied otherwise. For questions about one model.
#[derive(Clone, Debug)]
pub struct Ball {
    /// What a difference costs.
    pub metric: Metric,
    /// The largest distance: finite and not negative.
    pub radius: f64,
    /// Per feature whether one input may have it where it is missing in the other, if that has a cost.
    pub may_go_missing: Vec<bool>,
}

impl Ball {
    /// The largest cost.
    pub(crate) fn limit(&self) -> Exact {
        self.metric.of_distance(self.radius).expect("the radius is finite")
    }

    /// What it costs that a feature is missing in one input alone; none if it may not be.
    pub(crate) fn missing_cost(&self, feature: usize) -> Option<f64> {
        let cost = if self.metric.norm == Norm::L0 { Some(1.0) } else { self.metric.missing_cost };
        cost.filter(|_| self.may_go_missing[feature])
    }

    /// What it costs that categories differ; none if they may not.
    pub(crate) fn category_cost(&self) -> Option<f64> {
        if self.metric.norm == Norm::L0 { Some(1.0) } else { self.metric.category_cost }
    }

    /// How far numbers of a feature may be apart at most, if there is a limit: about this much.
    pub(super) fn reach(&self, feature: usize) -> Option<f64> {
        let reach = self.radius / self.metric.number_factor(feature);
        (self.metric.norm != Norm::L0 && reach.is_finite()).then_some(reach)
    }
}
