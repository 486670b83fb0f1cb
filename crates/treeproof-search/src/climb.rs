//! From a point to a better one: exact line maximum along one axis after the other.

use crate::masks::{Masks, TreeBits, and, index};
use crate::problem::Value;
use crate::region::Space;

/// Climbs in one case; holds the memory it needs.
#[derive(Debug)]
pub(crate) struct Climber {
    /// Per channel and axis, the trees that look at the axis and their boundaries there.
    lookers: Vec<Vec<Vec<Looker>>>,
    /// Per channel: leaves compatible with the cells of all axes from one on (rows of words, one per axis and one more).
    after: Vec<Vec<u64>>,
    before: Vec<Vec<u64>>,
    line: Vec<Value>,
    worst: Vec<Value>,
    /// Words read or written: what climbing costs, in a unit that is the same on every machine.
    pub(crate) work: u64,
}

#[derive(Debug)]
struct Looker {
    tree: u32,
    boundaries: Box<[u32]>,
}

impl Climber {
    pub(crate) fn new(space: &Space, channels: &[&Masks]) -> Self {
        let lookers = channels.iter().map(|masks| {
            let mut axes: Vec<Vec<Looker>> = space.axes.iter().map(|_| vec![]).collect();
            for (tree, bits) in masks.trees.iter().enumerate() {
                let mut seen = vec![];
                for leaf in bits.first_leaf..bits.first_leaf + bits.num_leaves {
                    for step in masks.steps(leaf as usize) {
                        if !seen.contains(&step.axis) {
                            seen.push(step.axis);
                            let boundaries = masks.boundaries(step).into();
                            axes[step.axis as usize].push(Looker { tree: index(tree), boundaries });
                        }
                    }
                }
            }
            axes
        });
        Self { lookers: lookers.collect(), after: vec![], before: vec![], line: vec![], worst: vec![], work: 0 }
    }

    /// Improves a point until no single axis can; returns its value.
    pub(crate) fn climb(&mut self, space: &Space, channels: &[&Masks], point: &mut [u32]) -> Value {
        let mut value = Value::MIN;
        loop {
            let reached = self.sweep(space, channels, point);
            if reached <= value {
                return reached;
            }
            value = reached;
        }
    }

    /// One line maximum per axis, in order.
    fn sweep(&mut self, space: &Space, channels: &[&Masks], point: &mut [u32]) -> Value {
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
            if cells > 1 && self.lookers.iter().any(|channel| !channel[axis].is_empty()) {
                value = self.line_maximum(space, channels, axis, point);
            }
            for (masks, before) in channels.iter().zip(&mut self.before) {
                masks.and_cell(space, axis, point[axis], before);
            }
        }
        if value == Value::MIN {
            // No axis matters: the point is as good as any.
            let mut scratch = vec![];
            return channels
                .iter()
                .map(|masks| masks.value_at(space, point, &mut scratch))
                .min()
                .expect("a case has channels");
        }
        value
    }

    /// Moves the point to the best cell of an axis; ties keep it where it is.
    fn line_maximum(&mut self, space: &Space, channels: &[&Masks], axis: usize, point: &mut [u32]) -> Value {
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
            let mut lookers = self.lookers[channel][axis].iter().peekable();
            for (tree, bits) in masks.trees.iter().enumerate() {
                let Some(looker) = lookers.next_if(|looker| looker.tree as usize == tree) else {
                    constant += masks.values[bits.best(&others)];
                    continue;
                };
                self.work += 2 * words as u64 / masks.trees.len().max(1) as u64 + looker.boundaries.len() as u64;
                let value_in = |cell: u32| masks.values[leaf_at(space, masks, bits, &others, axis, cell)];
                let mut last = 0;
                if shape.ordered > 0 {
                    last = value_in(0);
                    self.line[0] += last;
                    for boundary in looker.boundaries.iter().filter(|boundary| (1..shape.ordered).contains(*boundary)) {
                        let value = value_in(*boundary);
                        self.line[*boundary as usize] += value - last;
                        last = value;
                    }
                }
                for cell in shape.ordered..shape.ordered + shape.special {
                    let value = value_in(cell);
                    self.line[cell as usize] += value - last;
                    last = value;
                }
            }
            let mut value = constant;
            for (cell, worst) in self.worst.iter_mut().enumerate() {
                value += self.line[cell];
                *worst = (*worst).min(value);
            }
        }
        let mut best = point[axis] as usize;
        for (cell, value) in self.worst.iter().enumerate() {
            if *value > self.worst[best] {
                best = cell;
            }
        }
        point[axis] = index(best);
        self.worst[best]
    }
}

/// The leaf of a tree at a cell of an axis, given the leaves compatible with all other axes.
fn leaf_at(space: &Space, masks: &Masks, bits: &TreeBits, others: &[u64], axis: usize, cell: u32) -> usize {
    let ordered = space.axes[axis].ordered;
    let axis_id = index(axis);
    if cell >= ordered {
        return bits
            .best_of_both(others, masks.has_special(axis_id, cell - ordered))
            .expect("every cell reaches a leaf");
    }
    let (above, below) =
        (bits.words(masks.ends_above(axis_id, cell)), bits.words(masks.starts_below(axis_id, cell + 1)));
    for (place, other) in bits.words(others).iter().enumerate() {
        let found = other & above[place] & below[place];
        if found != 0 {
            return bits.first_leaf as usize + place * 64 + found.trailing_zeros() as usize;
        }
    }
    unreachable!("every cell reaches a leaf")
}
