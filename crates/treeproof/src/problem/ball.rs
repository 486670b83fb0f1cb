//! The ball: two inputs that are near each other.
//!
//! Each feature that may differ has an axis for each input. Feature by feature it is known which cells are admissible
//! together (`coupled`); the cost of all features is a constraint of the search (`coupling`). Both keep one law: of two
//! cells the nearest values count, so no two inputs within the radius are excluded.
//!
//! Constraints alone would leave bounds poor, as every tree takes the difference of the inputs that suits it best. So the
//! tree of leaf pairs knows the ball too (`walk`): pairs too far apart are no leaves of it, and the leaves of the others
//! are confined to the reach of the ball, near the thresholds between them. Where changed features are counted, an axis for
//! each feature says whether it changes: its cost is a budget, and a leaf pair needs the changes of its features.
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

use super::metric::Metric;

/// A ball around either of two inputs that holds the other, over the features not tied otherwise. For questions about one
/// model.
#[derive(Clone, Debug)]
pub(crate) struct Ball {
    /// The distance.
    pub metric: Metric,
    /// The largest distance: finite and not negative.
    pub radius: f64,
    /// Per feature true if one input may have a value where it is missing in the other, if that has a cost.
    pub may_go_missing: Vec<bool>,
}

impl Ball {
    /// The largest cost.
    pub(crate) fn limit(&self) -> Exact {
        self.metric.of_distance(self.radius).expect("the radius is finite")
    }

    /// Cost of a feature that is missing in one input alone; `None` if that is not admissible.
    pub(crate) fn missing_cost(&self, feature: usize) -> Option<f64> {
        self.metric.missing_price().filter(|_| self.may_go_missing[feature])
    }

    /// Cost of different categories; `None` if they are not admissible.
    pub(crate) fn category_cost(&self) -> Option<f64> {
        self.metric.category_price()
    }

    /// Largest difference between numbers of a feature, approximately; `None` if there is no limit.
    pub(super) fn reach(&self, feature: usize) -> Option<f64> {
        let reach = self.radius / self.metric.number_factor(feature);
        (!self.metric.rule().counts_changes && reach.is_finite()).then_some(reach)
    }
}
