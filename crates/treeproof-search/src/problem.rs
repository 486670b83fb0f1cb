//! The problem: maximise, over points of a grid of cells, the largest case of the smallest channel of a sum of trees.
//!
//! ```text
//! max over cases · max over points · min over channels · base + Σ over trees of the value of the point's leaf
//! ```
//!
//! Values are integers, so sums are exact; a problem made from real numbers chooses its unit and rounds them upwards.
//!
//! Budgets confine the points by what their cells cost together. With [`Objective::Nearest`] the cost itself is the question:
//! the least distance of all points at which every channel of some case is at least 0. So that one search answers both
//! questions, it maximises the distance with a minus sign.

mod constraint;
mod costs;
#[cfg(test)]
pub(crate) mod sample;

use std::sync::Arc;

pub use self::constraint::{Constraint, Points};
pub use self::costs::{Budget, Costs, Distance, Norm};

use crate::grid::{Axis, Value};

/// A maximisation problem: over all points (one cell per axis) that keep the budgets and constraints, the objective.
#[derive(Clone, Debug, Default)]
pub struct Problem {
    /// The coordinates of a point.
    pub axes: Vec<Axis>,
    /// The best case counts.
    pub cases: Vec<Case>,
    /// Limits on what the cells of a point cost together.
    pub budgets: Vec<Budget>,
    /// Conditions that points must meet besides.
    pub constraints: Vec<Arc<dyn Constraint>>,
    /// The quantity to maximise.
    pub objective: Objective,
}

/// The quantity to maximise.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Objective {
    /// The largest case of the smallest channel.
    #[default]
    Margin,
    /// Minus the distance, over points at which every channel of some case is at least 0.
    Nearest(Distance),
}

/// Channels; the worst one counts.
#[derive(Clone, Debug, Default)]
pub struct Case {
    /// At least one.
    pub channels: Vec<Channel>,
}

/// A sum of trees.
#[derive(Clone, Debug, Default)]
pub struct Channel {
    /// The constant term.
    pub base: Value,
    /// The summands.
    pub trees: Vec<Tree>,
}

/// A binary tree over cells. Node 0 is the root; children stand behind their parent.
#[derive(Clone, Debug)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// A node of a tree.
#[derive(Clone, Debug)]
pub enum Node {
    /// A leaf with its value.
    Leaf(Value),
    /// An inner node.
    Split(Split),
}

/// A split: ordered cells below `cut` go left, and so do the listed special cells.
#[derive(Clone, Debug)]
pub struct Split {
    /// The axis it looks at.
    pub axis: u32,
    /// Ordered cells `0..cut` go left.
    pub cut: u32,
    /// Special cells (counted from 0) that go left, ascending.
    pub special_left: Vec<u32>,
    /// The left child.
    pub left: u32,
    /// The right child.
    pub right: u32,
}

impl Tree {
    /// The value of the leaf that a point reaches; `point` has one cell per axis.
    pub fn value(&self, axes: &[Axis], point: &[u32]) -> Value {
        let mut at = 0;
        loop {
            match &self.nodes[at] {
                Node::Leaf(value) => return *value,
                Node::Split(split) => {
                    let cell = point[split.axis as usize];
                    at = if split.goes_left(axes[split.axis as usize], cell) { split.left } else { split.right }
                        as usize;
                }
            }
        }
    }
}

impl Split {
    /// True if a cell goes to the left child.
    pub fn goes_left(&self, axis: Axis, cell: u32) -> bool {
        if cell < axis.ordered {
            cell < self.cut
        } else {
            self.special_left.binary_search(&(cell - axis.ordered)).is_ok()
        }
    }
}

impl Channel {
    /// The sum at a point.
    pub fn value(&self, axes: &[Axis], point: &[u32]) -> Value {
        self.base + self.trees.iter().map(|tree| tree.value(axes, point)).sum::<Value>()
    }
}

impl Case {
    /// The worst channel at a point.
    pub fn value(&self, axes: &[Axis], point: &[u32]) -> Value {
        self.channels.iter().map(|channel| channel.value(axes, point)).min().expect("a case has channels")
    }
}

impl Problem {
    /// The largest `|base| + Σ max |leaf|` of all channels.
    pub(crate) fn magnitude(&self) -> u128 {
        let leaf = |node: &Node| match node {
            Node::Leaf(value) => u128::from(value.unsigned_abs()),
            Node::Split(_) => 0,
        };
        let of_tree = |tree: &Tree| tree.nodes.iter().map(leaf).max().unwrap_or(0);
        let of_channel = |channel: &Channel| {
            u128::from(channel.base.unsigned_abs()) + channel.trees.iter().map(of_tree).sum::<u128>()
        };
        self.cases.iter().flat_map(|case| &case.channels).map(of_channel).max().unwrap_or(0)
    }

    /// The leaves of all trees of all channels.
    pub fn num_leaves(&self) -> usize {
        let channels = self.cases.iter().flat_map(|case| &case.channels);
        // A binary tree has one leaf more than splits.
        channels.flat_map(|channel| &channel.trees).map(|tree| tree.nodes.len().div_ceil(2)).sum()
    }

    /// True if it asks for the margin alone: no budgets, constraints or distance.
    pub fn is_plain(&self) -> bool {
        self.budgets.is_empty() && self.constraints.is_empty() && self.objective == Objective::Margin
    }

    /// # Panics
    /// If it has an axis without cells, or a case without channels.
    pub(crate) fn assert_searchable(&self) {
        assert!(self.axes.iter().all(|axis| axis.num_cells() > 0), "an axis without cells");
        let has_channels = self.cases.iter().all(|case| !case.channels.is_empty());
        assert!(!self.cases.is_empty() && has_channels, "nothing to maximise");
    }

    /// # Panics
    /// If it has budgets, constraints or a distance.
    pub(crate) fn assert_plain(&self) {
        assert!(self.is_plain(), "budgets, constraints and distances are for `Search` alone");
    }

    /// The best case at a point: plain code, the reference for everything faster.
    pub fn value(&self, point: &[u32]) -> Value {
        self.cases.iter().map(|case| case.value(&self.axes, point)).max().expect("a problem has cases")
    }

    /// The objective at a point; `None` if the point is infeasible. Plain code as well.
    pub fn worth(&self, point: &[u32]) -> Option<Value> {
        let value = self.value(point);
        let is_within = self.budgets.iter().all(|budget| budget.costs.sum(point) <= budget.limit)
            && self.constraints.iter().all(|constraint| constraint.holds(point));
        match &self.objective {
            Objective::Margin => is_within.then_some(value),
            Objective::Nearest(distance) => (is_within && value >= 0).then(|| -distance.of(point)),
        }
    }
}
