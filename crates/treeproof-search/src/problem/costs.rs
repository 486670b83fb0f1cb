//! Costs of cells, for limits on points and distances between them.

use crate::grid::Value;

/// The costs of cells; the cost of a point is the sum over its cells.
///
/// Costs are made from real numbers by rounding down, so that no point within a limit is lost. A cell that stands for
/// many inputs costs as much as the cheapest of them, and a [`Constraint`](crate::Constraint) decides whether one
/// input can have it all.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Costs {
    /// Per axis and cell, ordered cells first. From the least of every axis to its largest, 0 included, they span at most
    /// [`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE) together.
    pub axes: Vec<Vec<Value>>,
}

/// A limit on what the cells of a point cost together.
///
/// Costs may be negative, so that a limit from below is one from above with all signs changed: at least three of some
/// features are `Σ −1 ≤ −3`. With both, exactly so many are asked for, as in one-hot groups, or a linear equation holds.
///
/// ```
/// use treeproof_search::{
///     Axis, Budget, Case, Channel, Costs, Limits, Method, Node, Problem, Search, Split, Tree, Unobserved,
/// };
///
/// // Three features that are 0 or 1, of which exactly one is 1.
/// let axes = vec![Axis::ordered(2); 3];
/// let is_one = Costs { axes: vec![vec![0, 1]; 3] };
/// let is_one_negated = Costs { axes: vec![vec![0, -1]; 3] };
/// let budgets = vec![Budget { costs: is_one, limit: 1 }, Budget { costs: is_one_negated, limit: -1 }];
/// let is_worth = |(axis, value)| {
///     let split = Split { axis, cut: 1, special_left: vec![], left: 1, right: 2 };
///     Tree { nodes: vec![Node::Split(split), Node::Leaf(0), Node::Leaf(value)] }
/// };
/// let trees = [(0, 4), (1, 7), (2, 5)].map(is_worth).to_vec();
/// let cases = vec![Case { channels: vec![Channel { base: 0, trees }] }];
/// let problem = Problem { axes, cases, budgets, ..Problem::default() };
/// let mut search = Search::new(&problem);
/// search.run(&Limits::default(), &Unobserved);
/// assert_eq!((search.lower(), search.upper()), (Some(7), Some(7)));
/// assert_eq!(search.solution(), Some(&[0, 1, 0][..]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Budget {
    /// The costs of cells.
    pub costs: Costs,
    /// The largest total cost.
    pub limit: Value,
}

/// The distance of a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distance {
    /// The distances along each axis; never negative.
    pub costs: Costs,
    /// The norm.
    pub norm: Norm,
}

/// A norm over the distances along axes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Norm {
    /// Their sum: L0, L1, and L2 if costs are squares.
    Sum,
    /// The largest: L∞.
    Max,
}

impl Costs {
    /// The total cost of a point's cells.
    pub fn sum(&self, point: &[u32]) -> Value {
        self.of_cells(point).sum()
    }

    fn of_cells(&self, point: &[u32]) -> impl Iterator<Item = Value> {
        self.axes.iter().zip(point).map(|(costs, cell)| costs[*cell as usize])
    }
}

impl Distance {
    /// The distance of a point.
    pub fn of(&self, point: &[u32]) -> Value {
        match self.norm {
            Norm::Sum => self.costs.sum(point),
            Norm::Max => self.costs.of_cells(point).max().unwrap_or(0),
        }
    }
}
