//! From a point to a better one: exact line maximum along one axis after the other.

use std::sync::Arc;

use crate::constraint::Constraint;
use crate::ledger::Ledger;
use crate::masks::{Masks, and, index};
use crate::problem::Value;
use crate::region::Space;

/// Sweeps towards a point that counts before the distance is forgotten, each at half the price of the one before.
const PRICED_SWEEPS: i32 = 4;

/// What makes a point better.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Goal<'a> {
    /// It must stay within these.
    pub(crate) budgets: &'a [Ledger],
    /// And meet these.
    pub(crate) constraints: &'a [Arc<dyn Constraint>],
    /// What is minimised as long as no channel is below 0, if not the worst channel is maximised.
    pub(crate) distance: Option<&'a Ledger>,
    /// What a unit of distance is worth on the way to such a point.
    pub(crate) price: f64,
    /// No cell may cost more than this; a point with no channel below 0 is good enough then.
    pub(crate) within: Option<(&'a Ledger, Value)>,
}

/// Climbs; holds the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Climber {
    /// Per channel: leaves compatible with the cells of all axes from one on (rows of words, one per axis and one more).
    after: Vec<Vec<u64>>,
    before: Vec<Vec<u64>>,
    line: Vec<Value>,
    worst: Vec<Value>,
    /// Per budget: what the point costs.
    spent: Vec<Value>,
    /// Words read or written: what climbing costs, in a unit that is the same on every machine.
    pub(crate) work: u64,
}

impl Climber {
    /// Improves a point within the budgets until no single axis can; returns the value of its worst channel.
    pub(crate) fn climb(&mut self, space: &Space, channels: &[&Masks], goal: Goal<'_>, point: &mut [u32]) -> Value {
        self.spent.clear();
        self.spent.extend(goal.budgets.iter().map(|budget| budget.of_point(point)));
        let mut goal = goal;
        let mut before = (Value::MIN, Value::MIN);
        for sweep in 1.. {
            let value = self.sweep(space, channels, goal, point);
            let worth = match goal.distance {
                Some(distance) if value >= 0 => (-distance.of_point(point), 0),
                Some(_) => (Value::MIN, value),
                None => (value, 0),
            };
            let is_on_its_way = goal.distance.is_some() && value < 0 && sweep <= PRICED_SWEEPS;
            let is_enough = goal.within.is_some() && value >= 0;
            if is_enough || worth <= before && !is_on_its_way {
                return value;
            }
            before = worth;
            goal.price = if sweep < PRICED_SWEEPS { goal.price / 2.0 } else { 0.0 };
        }
        unreachable!("points do not get better for ever")
    }

    /// One line maximum per axis, in order.
    fn sweep(&mut self, space: &Space, channels: &[&Masks], goal: Goal<'_>, point: &mut [u32]) -> Value {
        let axes = space.axes.len();
        self.after.resize_with(channels.len(), Vec::new);
        self.before.resize_with(channels.len(), Vec::new);
        for (masks, (after, before)) in channels.iter().zip(self.after.iter_mut().zip(&mut self.before)) {
            let words = masks.full().len();
            after.resize((axes + 1) * words, 0);
            after[axes * words..].copy_from_slice(masks.full());
            for axis in (0..axes).rev() {
                let (head, tail) = after.split_at_mut((axis + 1) * words);
                let row = &mut head[axis * words..];
                row.copy_from_slice(&tail[..words]);
                masks.and_cell(space, axis, point[axis], row);
            }
            before.clear();
            before.extend_from_slice(masks.full());
            self.work += (4 * axes * words) as u64;
        }
        let mut value = Value::MIN;
        for axis in 0..axes {
            let cells = space.axes[axis].num_cells();
            if cells > 1 && channels.iter().any(|masks| !masks.lookers(axis).is_empty()) {
                value = self.line_maximum(space, channels, goal, axis, point);
            }
            for (masks, before) in channels.iter().zip(&mut self.before) {
                masks.and_cell(space, axis, point[axis], before);
            }
        }
        if value == Value::MIN {
            // No axis matters: the point is as good as any.
            let values = channels.iter().map(|masks| masks.value_at(space, point, masks.full()));
            return values.min().expect("a case has channels");
        }
        value
    }

    /// Moves the point to the best cell of an axis; ties keep it where it is.
    fn line_maximum(
        &mut self,
        space: &Space,
        channels: &[&Masks],
        goal: Goal<'_>,
        axis: usize,
        point: &mut [u32],
    ) -> Value {
        let shape = space.axes[axis];
        let cells = shape.num_cells() as usize;
        self.worst.clear();
        self.worst.resize(cells, Value::MAX);
        for (channel, masks) in channels.iter().enumerate() {
            let words = masks.full().len();
            // Leaves compatible with the cells of all other axes.
            let mut others = self.before[channel].clone();
            and(&mut others, &self.after[channel][(axis + 1) * words..][..words]);
            self.line.clear();
            self.line.resize(cells + 1, 0);
            let mut constant = masks.base;
            let mut lookers = masks.lookers(axis).iter().peekable();
            for (tree, bits) in masks.trees.iter().enumerate() {
                let Some(looker) = lookers.next_if(|looker| looker.tree as usize == tree) else {
                    constant += masks.values[bits.best(&others)];
                    continue;
                };
                let (others, values) = (bits.words(&others), masks.values_of(bits));
                let boundaries = masks.boundaries_of(looker);
                self.work += 2 * words as u64 / masks.trees.len().max(1) as u64 + boundaries.len() as u64;
                let mut last = 0;
                if shape.ordered > 0 {
                    // The cells from one boundary up to the next lead to the same leaf.
                    for segment in 0..=boundaries.len() {
                        let start = segment.checked_sub(1).map_or(0, |place| boundaries[place]);
                        let end = boundaries.get(segment).copied().unwrap_or(shape.ordered);
                        if start >= end.min(shape.ordered) {
                            continue;
                        }
                        let above = segment.checked_sub(1).map(|boundary| masks.above(looker, boundary));
                        let below = (segment < boundaries.len()).then(|| masks.below(looker, segment));
                        let value = values[first_of(others, above, below)];
                        self.line[start as usize] += value - last;
                        last = value;
                    }
                }
                for cell in 0..shape.special {
                    let has_cell = bits.words(masks.has_special(index(axis), cell));
                    let value = values[first_of(others, Some(has_cell), None)];
                    self.line[(shape.ordered + cell) as usize] += value - last;
                    last = value;
                }
            }
            let mut value = constant;
            for (cell, worst) in self.worst.iter_mut().enumerate() {
                value += self.line[cell];
                *worst = (*worst).min(value);
            }
        }
        let before = point[axis];
        self.choose(goal, axis, point);
        let best = point[axis];
        for (spent, budget) in self.spent.iter_mut().zip(goal.budgets) {
            *spent += budget.cost(axis, best) - budget.cost(axis, before);
        }
        self.worst[best as usize]
    }

    /// Moves the point to the best cell of an axis whose values are known; ties keep it where it is.
    fn choose(&self, goal: Goal<'_>, axis: usize, point: &mut [u32]) {
        let current = point[axis];
        let is_within =
            |cell: u32| {
                goal.within.is_none_or(|(ledger, most)| ledger.cost(axis, cell) <= most)
                    && self.spent.iter().zip(goal.budgets).all(|(spent, budget)| {
                        spent - budget.cost(axis, current) + budget.cost(axis, cell) <= budget.limit
                    })
            };
        // Cells that count before others, then the nearer ones; on the way there, what is worth its price.
        let worth = |cell: u32| {
            let value = self.worst[cell as usize];
            match goal.distance {
                None => (value, 0, 0.0),
                Some(distance) if value >= 0 => (1, -distance.cost(axis, cell), value as f64),
                Some(distance) => (0, 0, value as f64 - goal.price * distance.cost(axis, cell) as f64),
            }
        };
        let mut best = current;
        for cell in (0..index(self.worst.len())).filter(|cell| is_within(*cell)) {
            if worth(cell) > worth(best) {
                point[axis] = cell;
                if goal.constraints.iter().all(|constraint| constraint.holds(point)) {
                    best = cell;
                }
            }
        }
        point[axis] = best;
    }
}

/// The first leaf that is in all of these sets.
fn first_of(leaves: &[u64], above: Option<&[u64]>, below: Option<&[u64]>) -> usize {
    let word_of = |set: Option<&[u64]>, place: usize| set.map_or(u64::MAX, |set| set[place]);
    for (place, leaves) in leaves.iter().enumerate() {
        let found = leaves & word_of(above, place) & word_of(below, place);
        if found != 0 {
            return place * 64 + found.trailing_zeros() as usize;
        }
    }
    unreachable!("every cell reaches a leaf")
}
