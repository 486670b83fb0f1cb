//! A problem made ready for searching: its trees as bit masks or flat nodes, its costs as tables.

mod cost_table;
mod flat;
mod masks;
mod trees;
mod weight;

use std::sync::Arc;

pub(crate) use self::cost_table::CostTable;
pub(crate) use self::flat::{Dependency, Detour, DetourFinder, FlatSplit, FlatTrees, LineFinder, Lines, OffPath, Rise};
pub(crate) use self::masks::{AxisPath, BoundarySide, Masks, TreeBits};
pub(crate) use self::trees::Trees;
pub(crate) use self::weight::{WEIGHT_BITS, WEIGHT_ONE, in_weights, weight_shift};
use crate::grid::{Axes, MAX_MAGNITUDE, Value};
use crate::method::{Abandoned, Stop};
use crate::problem::{Case, Channel, Constraint, Objective, Problem};

/// The default limit on the bit masks of a channel; its trees are walked where they would take more.
pub const MAX_MASK_BYTES: usize = 512 << 20;

/// A problem made ready for searching.
#[derive(Debug)]
pub(crate) struct CompiledProblem {
    pub(crate) space: Axes,
    pub(crate) cases: Vec<Vec<Trees>>,
    pub(crate) budgets: Vec<CostTable>,
    pub(crate) constraints: Vec<Arc<dyn Constraint>>,
    /// Those that points must meet even on the way to a solution.
    pub(crate) on_the_way: Vec<Arc<dyn Constraint>>,
    /// The distance to minimise, if the problem asks for the nearest point.
    pub(crate) distance: Option<CostTable>,
}

impl CompiledProblem {
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search. If its values
    /// are larger than [`MAX_MAGNITUDE`] allows, or its costs are not one per cell, or as large.
    pub(crate) fn new(problem: &Problem, max_mask_bytes: usize, stop: &dyn Stop) -> Result<Self, Abandoned> {
        problem.assert_searchable();
        assert!(problem.magnitude() <= MAX_MAGNITUDE.unsigned_abs().into(), "values whose sums could overflow");
        let space = Axes::new(&problem.axes);
        let trees = |channel: &Channel| Trees::new(&space, channel, max_mask_bytes, stop);
        let compile = |case: &Case| case.channels.iter().map(trees).collect::<Result<_, _>>();
        let cases: Vec<Vec<Trees>> = problem.cases.iter().map(compile).collect::<Result<_, _>>()?;
        let budgets = problem.budgets.iter().map(|budget| CostTable::of_budget(&problem.axes, budget)).collect();
        let distance = match &problem.objective {
            Objective::Margin => None,
            Objective::Nearest(distance) => Some(CostTable::of_distance(&problem.axes, distance)),
        };
        let constraints = problem.constraints.clone();
        let on_the_way = constraints.iter().filter(|constraint| !constraint.is_about_solutions()).cloned().collect();
        Ok(Self { space, cases, budgets, constraints, on_the_way, distance })
    }

    /// The objective at a point, given the value of its worst channel; `None` if the point is infeasible.
    pub(crate) fn counts(&self, point: &[u32], value: Value) -> Option<Value> {
        let is_within = || {
            self.budgets.iter().all(|budget| budget.of_point(point) <= budget.limit)
                && self.constraints.iter().all(|constraint| constraint.holds(point))
        };
        match &self.distance {
            None => is_within().then_some(value),
            Some(distance) => (value >= 0 && is_within()).then(|| -distance.of_point(point)),
        }
    }

    /// True if all points are feasible and the worst channel is the objective.
    pub(crate) fn is_plain(&self) -> bool {
        self.budgets.is_empty() && self.constraints.is_empty() && self.distance.is_none()
    }

    /// Sets how much more memory the trees may take.
    pub(crate) fn limit_growth(&self, max_bytes: usize) {
        let masks: Vec<&Masks> = self.cases.iter().flatten().filter_map(Trees::masks).collect();
        masks.iter().for_each(|of_channel| of_channel.rows.limit(max_bytes / masks.len()));
    }

    /// The bytes that were taken since the problem was made ready.
    pub(crate) fn grown_bytes(&self) -> usize {
        self.cases.iter().flatten().filter_map(Trees::masks).map(|masks| masks.rows.bytes()).sum()
    }
}
