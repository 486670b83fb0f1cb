//! From a point to a better one: the axis is changed that gains most, until none gains.
//!
//! The values of a channel along all axes through the point are kept as rises over cells. A move changes them only for
//! the trees that compared the point with a cut that it crosses.

use crate::masks::index;
use crate::problem::Value;
use crate::region::Space;
use crate::trees::Trees;
use crate::walk::{LineFinder, Lines, Rise};

/// Climbs; holds the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Climber {
    /// Per axis its first cell among those of all axes.
    first_cell: Vec<usize>,
    /// Per cell and channel the sum of the rises of all trees; all 0 between climbs.
    rises: Vec<Value>,
    /// Per channel and tree, one after the other: its lines through the point.
    lines: Vec<Lines>,
    /// Per channel the value of the point.
    values: Vec<Value>,
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
    /// Whether it may no longer be the best.
    is_stale: bool,
}

impl Climber {
    /// Improves a point until no single axis can; returns its value.
    pub(crate) fn climb(&mut self, space: &Space, channels: &[Trees], point: &mut [u32]) -> Value {
        self.work += 1;
        self.start(space, channels, point);
        loop {
            self.find_moves(space, channels.len(), point);
            // The first of the best.
            let best = (0..self.moves.len()).rev().max_by_key(|axis| self.moves[*axis].gain);
            match best {
                Some(axis) if self.moves[axis].gain > 0 => self.change(space, channels, axis, point),
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

    fn start(&mut self, space: &Space, channels: &[Trees], point: &[u32]) {
        if self.first_cell.is_empty() {
            let mut cells = 0;
            for axis in &space.axes {
                self.first_cell.push(cells);
                cells += axis.num_cells() as usize;
            }
            self.first_cell.push(cells);
        }
        let cells = self.first_cell[space.axes.len()] * channels.len();
        self.rises.resize(cells.max(self.rises.len()), 0);
        self.moves.clear();
        self.moves.resize(space.axes.len(), Move { gain: 0, cell: 0, is_stale: false });
        self.values.clear();
        self.values.extend(channels.iter().map(|trees| trees.walk.base));
        let num_trees = channels.iter().map(|trees| trees.walk.num_trees()).sum();
        self.lines.resize_with(num_trees, Lines::default);
        let mut first = 0;
        for (channel, trees) in channels.iter().enumerate() {
            for tree in 0..trees.walk.num_trees() {
                self.finder.find(space, &trees.walk, index(tree), point, &mut self.changed);
                self.replace(channels.len(), channel, first + tree);
            }
            first += trees.walk.num_trees();
        }
    }

    /// Leaves no rises behind.
    fn finish(&mut self, channels: &[Trees]) {
        let mut first = 0;
        for (channel, trees) in channels.iter().enumerate() {
            for tree in 0..trees.walk.num_trees() {
                let lines = &mut self.lines[first + tree];
                for rise in &lines.rises {
                    let cell = self.first_cell[rise.axis as usize] + rise.cell as usize;
                    self.rises[cell * channels.len() + channel] = 0;
                }
                lines.clear();
            }
            first += trees.walk.num_trees();
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
    fn change(&mut self, space: &Space, channels: &[Trees], axis: usize, point: &mut [u32]) {
        let from = std::mem::replace(&mut point[axis], self.moves[axis].cell);
        // The best cell is now the point's own.
        self.moves[axis].is_stale = true;
        let mut first = 0;
        for (channel, trees) in channels.iter().enumerate() {
            for tree in 0..trees.walk.num_trees() {
                let lines = &self.lines[first + tree];
                if lines.depend_on(space, index(axis), from, point[axis]) {
                    self.finder.find(space, &trees.walk, index(tree), point, &mut self.changed);
                    self.replace(channels.len(), channel, first + tree);
                }
            }
            first += trees.walk.num_trees();
        }
        if channels.len() > 1 {
            // Which channel is the worst may have changed everywhere.
            self.moves.iter_mut().for_each(|best| best.is_stale = true);
        }
    }

    /// Finds the best move along every axis whose lines have changed; ties stay where they are.
    fn find_moves(&mut self, space: &Space, num_channels: usize, point: &[u32]) {
        let here = self.value();
        for (axis, best) in self.moves.iter_mut().enumerate().filter(|(_, best)| best.is_stale) {
            *best = Move { gain: 0, cell: point[axis], is_stale: false };
            let cells = &self.rises[self.first_cell[axis] * num_channels..self.first_cell[axis + 1] * num_channels];
            self.along.clear();
            self.along.extend_from_slice(&self.values);
            for (cell, rises) in cells.chunks_exact(num_channels).enumerate() {
                let mut worst = Value::MAX;
                for (value, rise) in self.along.iter_mut().zip(rises) {
                    *value += rise;
                    worst = worst.min(*value);
                }
                if worst - here > best.gain {
                    (best.gain, best.cell) = (worst - here, index(cell));
                }
            }
            self.work += u64::from(space.axes[axis].num_cells()) * num_channels as u64 / 4;
        }
    }
}
