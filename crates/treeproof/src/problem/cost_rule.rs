//! Norms as rules for costs: what each makes of the distances along features.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;

/// The rule by which a norm makes one cost of the distances along features: the only place of this crate's arithmetic that
/// knows the norms by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CostRule {
    /// True if changes are counted, whatever their size.
    pub(crate) counts_changes: bool,
    /// True if distances are squared: the cost is the square of the distance.
    pub(crate) squares: bool,
    /// True if the largest cost counts, and else the sum.
    pub(crate) takes_largest: bool,
}

impl From<Norm> for CostRule {
    fn from(norm: Norm) -> Self {
        let sum = Self { counts_changes: false, squares: false, takes_largest: false };
        match norm {
            Norm::Linf => Self { takes_largest: true, ..sum },
            Norm::L2 => Self { squares: true, ..sum },
            Norm::L1 => sum,
            Norm::L0 => Self { counts_changes: true, ..sum },
        }
    }
}

impl CostRule {
    /// The cost of a distance.
    pub(crate) fn cost(self, distance: Exact) -> Exact {
        if self.squares { distance.times(&distance) } else { distance }
    }

    /// The cost of a distance, rounded down.
    pub(crate) fn cost_down(self, distance: f64) -> f64 {
        if self.squares { (distance * distance).next_down().max(0.0) } else { distance }
    }

    /// The cost of a distance, rounded up.
    pub(crate) fn cost_up(self, distance: f64) -> f64 {
        if self.squares { (distance * distance).next_up() } else { distance }
    }

    /// The distance of a cost, rounded down.
    pub(crate) fn distance_down(self, cost: f64) -> f64 {
        if self.squares { cost.max(0.0).sqrt().next_down() } else { cost }
    }

    /// The distance of a cost, rounded up.
    pub(crate) fn distance_up(self, cost: f64) -> f64 {
        if self.squares { cost.sqrt().next_up() } else { cost }
    }

    /// The costs of all features together.
    pub(crate) fn together(self, costs: impl IntoIterator<Item = Exact>) -> Exact {
        let join = |one: Exact, other: Exact| if self.takes_largest { one.max(other) } else { one.plus(&other) };
        costs.into_iter().fold(Exact::zero(), join)
    }
}
