//! Coordinate ascent from a point: the axis is changed that gains most, until none gains.
//!
//! The values of a channel along all axes through the point are kept as rises over cells. A move changes them only for
//! the trees that compared the point with a cut that it crosses.

use std::sync::Arc;

use crate::compiled::{CostTable, FlatTrees, LineFinder, Lines, Rise, Trees};
use crate::grid::{Axes, Value, index, offsets};
use crate::method::{Abandoned, Stop, proceed};
use crate::problem::Constraint;

/// Number of times that the price of distance is halved on the way to an admissible point, before distance is ignored.
const HALVINGS: u32 = 3;

/// The objective of a climb.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ClimbGoal<'a> {
    /// It must stay within these.
    pub(crate) budgets: &'a [CostTable],
    /// And meet these.
    pub(crate) constraints: &'a [Arc<dyn Constraint>],
    /// A sum that is minimised as long as no channel is below 0, if not the worst channel is maximised.
    pub(crate) distance: Option<&'a CostTable>,
    /// The worth of a unit of distance on the way to such a point.
    pub(crate) price: f64,
    /// No cell may cost more than this; a point with no channel below 0 is good enough then.
    pub(crate) within: Option<(&'a CostTable, Value)>,
}

impl ClimbGoal<'_> {
    /// True if the gain or the admissibility of a move depends on the cells of other axes beyond the values of trees.
    fn ties_axes(&self) -> bool {
        !self.budgets.is_empty() || !self.constraints.is_empty() || self.distance.is_some()
    }

    /// The gain of a move along an axis, given the values of the worst channel before and after.
    #[inline]
    fn gain(&self, axis: usize, (from, before): (u32, Value), (to, after): (u32, Value)) -> Value {
        let Some(distance) = self.distance else { return after - before };
        let farther = distance.cost(axis, to) - distance.cost(axis, from);
        match (before >= 0, after >= 0) {
            (true, true) => -farther,
            (true, false) => Value::MIN,
            // More than any that does not get there; the nearer, the better.
            (false, true) => Value::MAX / 2 - farther,
            #[expect(clippy::cast_possible_truncation, reason = "saturates, and is a preference, no fact")]
            (false, false) => ((after - before) as f64 - self.price * farther as f64) as Value,
        }
    }

    /// True if a point may move along an axis. `spent` is its cost before, per budget.
    fn allows(&self, spent: &[Value], point: &mut [u32], axis: usize, to: u32) -> bool {
        let from = point[axis];
        let is_within = self.within.is_none_or(|(table, most)| table.cost(axis, to) <= most)
            && spent
                .iter()
                .zip(self.budgets)
                .all(|(spent, budget)| spent - budget.cost(axis, from) + budget.cost(axis, to) <= budget.limit);
        if !is_within {
            return false;
        }
        point[axis] = to;
        let holds = self.constraints.iter().all(|constraint| constraint.holds(point));
        point[axis] = from;
        holds
    }
}

/// Climbs; holds the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Ascent {
    /// Per axis its first cell among those of all axes.
    first_cell: Vec<usize>,
    /// Per cell and channel the sum of the rises of all trees; all 0 between climbs.
    rises: Vec<Value>,
    /// Per channel and tree, one after the other: its lines through the point.
    lines: Vec<Lines>,
    /// Per channel the value of the point.
    values: Vec<Value>,
    /// Per budget what the point costs.
    spent: Vec<Value>,
    moves: Vec<Move>,
    /// The lines of a tree after a move.
    changed: Lines,
    finder: LineFinder,
    along: Vec<Value>,
    /// Nodes and cells looked at: what climbing costs, in a unit that is the same on every machine.
    pub(crate) work: u64,
}

/// The best move along an axis.
#[derive(Clone, Copy, Debug)]
struct Move {
    gain: Value,
    cell: u32,
    /// True if it may no longer be the best.
    is_stale: bool,
}

impl Ascent {
    /// Improves a point until no single axis can, or it is to stop; returns the value of its worst channel.
    pub(crate) fn climb(
        &mut self,
        space: &Axes,
        channels: &[Trees],
        goal: ClimbGoal<'_>,
        point: &mut [u32],
        stop: &dyn Stop,
    ) -> Value {
        self.work += 1;
        self.start(space, channels, point);
        self.spent.clear();
        self.spent.extend(goal.budgets.iter().map(|budget| budget.of_point(point)));
        if goal.distance.is_some() {
            // Axes that no tree looks at count too.
            self.moves.iter_mut().for_each(|best| best.is_stale = true);
        }
        let mut goal = goal;
        let mut halvings = 0;
        while goal.within.is_none() || self.value() < 0 {
            if self.find_moves(space, channels.len(), &goal, point, stop).is_err() {
                break;
            }
            // The first of the best.
            let best = (0..self.moves.len()).rev().max_by_key(|axis| self.moves[*axis].gain);
            match best {
                Some(axis) if self.moves[axis].gain > 0 => self.change(space, channels, &goal, axis, point),
                _ if goal.price > 0.0 && self.value() < 0 => {
                    halvings += 1;
                    goal.price = if halvings <= HALVINGS { goal.price / 2.0 } else { 0.0 };
                    self.moves.iter_mut().for_each(|best| best.is_stale = true);
                }
                _ => break,
            }
        }
        let value = self.value();
        self.finish(channels);
        value
    }

    /// The worst channel at the point.
    fn value(&self) -> Value {
        self.values.iter().copied().min().expect("a case has channels")
    }

    fn start(&mut self, space: &Axes, channels: &[Trees], point: &[u32]) {
        if self.first_cell.is_empty() {
            let (first_cell, end) = offsets(&space.axes, |axis| axis.num_cells());
            self.first_cell = first_cell.into_iter().map(|first| first as usize).chain([end]).collect();
        }
        let cells = self.first_cell[space.axes.len()] * channels.len();
        self.rises.resize(cells.max(self.rises.len()), 0);
        self.moves.clear();
        self.moves.resize(space.axes.len(), Move { gain: 0, cell: 0, is_stale: false });
        self.values.clear();
        self.values.extend(channels.iter().map(|trees| trees.flat.base));
        self.lines.resize_with(trees_of(channels).count(), Lines::default);
        for (number, (channel, flat, tree)) in trees_of(channels).enumerate() {
            self.finder.find(space, flat, tree, point, &mut self.changed);
            self.replace(channels.len(), channel, number);
        }
    }

    /// Leaves no rises behind.
    fn finish(&mut self, channels: &[Trees]) {
        for (lines, (channel, ..)) in self.lines.iter_mut().zip(trees_of(channels)) {
            for rise in &lines.rises {
                let cell = self.first_cell[rise.axis as usize] + rise.cell as usize;
                self.rises[cell * channels.len() + channel] = 0;
            }
            lines.clear();
        }
        self.work += std::mem::take(&mut self.finder.visits);
    }

    /// Replaces the lines of a tree by those that were just found.
    fn replace(&mut self, num_channels: usize, channel: usize, tree: usize) {
        let (lines, changed) = (&mut self.lines[tree], &mut self.changed);
        self.values[channel] += changed.value - lines.value;
        let mut add = |rise: &Rise, amount: Value| {
            let cell = self.first_cell[rise.axis as usize] + rise.cell as usize;
            self.rises[cell * num_channels + channel] += amount;
            self.moves[rise.axis as usize].is_stale = true;
        };
        lines.rises.iter().for_each(|rise| add(rise, -rise.amount));
        changed.rises.iter().for_each(|rise| add(rise, rise.amount));
        std::mem::swap(lines, changed);
    }

    /// Moves the point along an axis.
    fn change(&mut self, space: &Axes, channels: &[Trees], goal: &ClimbGoal<'_>, axis: usize, point: &mut [u32]) {
        let from = std::mem::replace(&mut point[axis], self.moves[axis].cell);
        for (spent, budget) in self.spent.iter_mut().zip(goal.budgets) {
            *spent += budget.cost(axis, point[axis]) - budget.cost(axis, from);
        }
        // The best cell is now the point's own.
        self.moves[axis].is_stale = true;
        for (number, (channel, flat, tree)) in trees_of(channels).enumerate() {
            if self.lines[number].depend_on(space, index(axis), from, point[axis]) {
                self.finder.find(space, flat, tree, point, &mut self.changed);
                self.replace(channels.len(), channel, number);
            }
        }
        if channels.len() > 1 || goal.ties_axes() {
            // Which channel is the worst may have changed everywhere, or which moves may be made.
            self.moves.iter_mut().for_each(|best| best.is_stale = true);
        }
    }

    /// Finds the best move along every axis whose lines have changed; ties stay where they are.
    ///
    /// # Errors
    /// If it is to stop: constraints over thousands of axes take long to ask.
    fn find_moves(
        &mut self,
        space: &Axes,
        num_channels: usize,
        goal: &ClimbGoal<'_>,
        point: &mut [u32],
        stop: &dyn Stop,
    ) -> Result<(), Abandoned> {
        let here = self.value();
        let is_free = !goal.ties_axes() && goal.within.is_none();
        for (axis, best) in self.moves.iter_mut().enumerate().filter(|(_, best)| best.is_stale) {
            if !is_free {
                proceed(stop)?;
            }
            let from = point[axis];
            let cells = &self.rises[self.first_cell[axis] * num_channels..self.first_cell[axis + 1] * num_channels];
            self.along.clear();
            self.along.extend_from_slice(&self.values);
            let (gain, cell) = if is_free {
                best_cell(cells, &mut self.along, |_, worst, _| worst - here)
            } else {
                best_cell(cells, &mut self.along, |cell, worst, most| {
                    let gain = goal.gain(axis, (from, here), (cell, worst));
                    if gain > most && goal.allows(&self.spent, point, axis, cell) { gain } else { most }
                })
            };
            *best = Move { gain, cell: cell.unwrap_or(from), is_stale: false };
            self.work += u64::from(space.axes[axis].num_cells()) * num_channels as u64 / 4;
        }
        Ok(())
    }
}

/// The trees of all channels, each with its channel.
fn trees_of(channels: &[Trees]) -> impl Iterator<Item = (usize, &FlatTrees, u32)> {
    channels
        .iter()
        .enumerate()
        .flat_map(|(channel, trees)| (0..index(trees.flat.num_trees())).map(move |tree| (channel, &trees.flat, tree)))
}

/// The best cell of an axis to move to, and the gain; `None` if no move gains. `along` holds the values of channels at
/// the point, and changes by the rises of cells. `gain` gives the gain of a move to a cell, given its worst channel
/// and the largest gain so far; a value not above that stands for no improvement.
#[inline]
fn best_cell(
    rises: &[Value],
    along: &mut [Value],
    mut gain: impl FnMut(u32, Value, Value) -> Value,
) -> (Value, Option<u32>) {
    let (mut most, mut best) = (0, None);
    for (cell, rises) in (0..).zip(rises.chunks_exact(along.len())) {
        let mut worst = Value::MAX;
        for (value, rise) in along.iter_mut().zip(rises) {
            *value += rise;
            worst = worst.min(*value);
        }
        let gain = gain(cell, worst, most);
        if gain > most {
            (most, best) = (gain, Some(cell));
        }
    }
    (most, best)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::compiled::CompiledProblem;
    use crate::grid::Axis;
    use crate::method::Unobserved;
    use crate::problem::sample::problem;
    use crate::problem::{Budget, Costs, Distance, Norm, Points};
    use crate::random::Random;

    /// The cells of a point have an even sum.
    #[derive(Debug)]
    struct Even;

    impl Constraint for Even {
        fn narrow(&self, _: &mut Points<'_>) {}

        fn holds(&self, point: &[u32]) -> bool {
            point.iter().sum::<u32>() % 2 == 0
        }
    }

    fn costs(axes: &[Axis], random: &mut Random) -> Costs {
        let of_axis = |axis: &Axis| (0..axis.num_cells()).map(|_| Value::from(random.below(10))).collect();
        Costs { axes: axes.iter().map(of_axis).collect() }
    }

    /// Calls `check` with goals, where climbs for them began, and where they ended.
    fn climb(mut check: impl FnMut(ClimbGoal<'_>, &CompiledProblem, &[u32], &[u32], Value)) {
        let constraints: [Arc<dyn Constraint>; 1] = [Arc::new(Even)];
        for seed in 0..200 {
            let problem = problem(seed);
            let (compiled, mut random) =
                (CompiledProblem::new(&problem, usize::MAX, &Unobserved).unwrap(), Random(seed));
            let axes = &problem.axes;
            let start: Vec<u32> = axes.iter().map(|axis| random.below(axis.num_cells())).collect();
            let (spending, distance) = (costs(axes, &mut random), costs(axes, &mut random));
            // The start is within its budget, by little.
            let limit = spending.sum(&start) + Value::from(random.below(6));
            let budgets = [CostTable::of_budget(axes, &Budget { costs: spending, limit })];
            let distance = CostTable::of_distance(axes, &Distance { costs: distance, norm: Norm::Sum });
            let radius = Value::from(random.below(10));
            let budgeted = ClimbGoal { budgets: &budgets, ..ClimbGoal::default() };
            let mut goals = vec![
                budgeted,
                ClimbGoal { within: Some((&distance, radius)), ..budgeted },
                ClimbGoal { distance: Some(&distance), price: 0.5, ..budgeted },
            ];
            if Even.holds(&start) {
                goals.push(ClimbGoal { constraints: &constraints, ..budgeted });
            }
            for goal in goals {
                let mut point = start.clone();
                let value = Ascent::default().climb(&compiled.space, &compiled.cases[0], goal, &mut point, &Unobserved);
                check(goal, &compiled, &start, &point, value);
            }
        }
    }

    fn worst(compiled: &CompiledProblem, point: &[u32]) -> Value {
        let values = compiled.cases[0].iter().map(|trees| trees.flat.value_at(&compiled.space, point));
        values.min().expect("a case has channels")
    }

    #[test]
    fn climbs_stay_where_points_may_be() {
        let mut moved = 0;
        climb(|goal, compiled, start, point, value| {
            assert_eq!(value, worst(compiled, point));
            assert!(goal.budgets.iter().all(|budget| budget.of_point(point) <= budget.limit));
            assert!(goal.constraints.iter().all(|constraint| constraint.holds(point)));
            if let Some((table, most)) = goal.within {
                let moves = (0..point.len()).filter(|axis| point[*axis] != start[*axis]);
                moves.for_each(|axis| assert!(table.cost(axis, point[axis]) <= most));
            }
            moved += u32::from(point != start);
        });
        assert!(moved > 300, "{moved}");
    }

    #[test]
    fn no_move_that_may_be_made_is_left_to_gain() {
        climb(|goal, compiled, _, point, value| {
            if goal.within.is_some() && value >= 0 {
                return;
            }
            // On the way to a point that counts the price is gone in the end.
            let goal = ClimbGoal { price: 0.0, ..goal };
            let spent: Vec<Value> = goal.budgets.iter().map(|budget| budget.of_point(point)).collect();
            let mut moved = point.to_vec();
            for (axis, shape) in compiled.space.axes.iter().enumerate() {
                for cell in (0..shape.num_cells()).filter(|cell| *cell != point[axis]) {
                    let is_allowed = goal.allows(&spent, &mut moved, axis, cell);
                    moved[axis] = cell;
                    let gain = goal.gain(axis, (point[axis], value), (cell, worst(compiled, &moved)));
                    moved[axis] = point[axis];
                    assert!(!is_allowed || gain <= 0, "{point:?}: axis {axis} to {cell} gains {gain}");
                }
            }
        });
    }
}
