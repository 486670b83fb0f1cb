//! The trees of the models over the cells of a grid: which leaves a box can reach, and what they add.

use std::sync::Arc;

use crate::ball::Ball;
use crate::region::{CellSet, Region};

/// A tree of a model at an input, over cells.
#[derive(Debug)]
pub(crate) struct CellTree {
    pub(crate) nodes: Vec<CellNode>,
}

/// A node of it. Children stand behind their parents.
#[derive(Debug)]
pub(crate) enum CellNode {
    /// The number of a leaf.
    Leaf(u32),
    /// Cells of an axis may go to either side.
    Split {
        axis: u32,
        /// Ordered cells that may go left are below this.
        left_end: u32,
        /// Ordered cells that may go right are not below this.
        right_start: u32,
        /// Special cells that may go left, and right, as bits.
        special: [Box<[u64]>; 2],
        children: [u32; 2],
    },
    /// What it looks at has no axis: both sides are possible.
    Free { children: [u32; 2] },
}

/// Trees that are looked at together, as one: a box that reaches a leaf of each at the same time reaches one of this.
#[derive(Debug)]
pub(crate) struct Bundle {
    nodes: Vec<Step>,
    /// What leaves add, in units, rounded up once.
    values: Vec<i64>,
    /// Of splits, the special cells that may go left, and then those that may go right.
    special: Vec<u64>,
    /// The axes of its splits, ascending.
    axes: Vec<u32>,
    /// Of trees at two inputs that must not be far apart.
    pub(crate) ball: Option<Arc<Ball>>,
}

/// A node of a bundle: as [`CellNode`], but small, as walks are what takes most time.
#[derive(Clone, Copy, Debug)]
enum Step {
    Leaf(u32),
    Split { axis: u32, left_end: u32, right_start: u32, special: u32, children: [u32; 2] },
    Free { children: [u32; 2] },
}

/// A node of a bundle that is still to be made.
struct Planned {
    /// The leaves of the trees before, and a node of the next one.
    leaves: Vec<u32>,
    node: u32,
    /// The cells that lead here, of axes that are split on the way.
    cells: Vec<(u32, CellSet)>,
    /// Whose child it is, and which.
    parent: Option<(usize, usize)>,
}

/// The memory that a walk takes.
#[derive(Debug, Default)]
pub(crate) struct Trail {
    todo: Vec<Todo>,
    /// The special cells of what is to be set, the last one at the end.
    special: Vec<u64>,
}

/// What is still to be done on a walk.
#[derive(Debug)]
enum Todo {
    Node(u32),
    /// An axis gets these ordered cells, and special ones.
    Set(u32, u32, u32),
}

impl CellTree {
    /// The only leaf that a box can reach, if it is one.
    pub(crate) fn only_leaf(&self, region: &Region) -> Option<u32> {
        let mut at = 0;
        loop {
            at = match &self.nodes[at as usize] {
                CellNode::Leaf(leaf) => return Some(*leaf),
                CellNode::Free { .. } => return None,
                CellNode::Split { axis, left_end, right_start, special, children } => {
                    let cells = region.axis(*axis as usize);
                    let meets = |side: usize| meets(&cells.special, &special[side]);
                    let is_ordered = cells.low < cells.high;
                    let goes_left = (is_ordered && cells.low < *left_end) || meets(0);
                    let goes_right = (is_ordered && cells.high > *right_start) || meets(1);
                    match (goes_left, goes_right) {
                        (true, false) => children[0],
                        (false, true) => children[1],
                        _ => return None,
                    }
                }
            };
        }
    }
}

impl Bundle {
    /// Puts trees together. What combinations of their leaves add is asked of those that a box can reach.
    pub(crate) fn new<E>(
        everything: &Region,
        trees: &[CellTree],
        mut value: impl FnMut(&[u32]) -> Result<i64, E>,
    ) -> Result<Self, E> {
        let mut bundle = Self { nodes: vec![], values: vec![], special: vec![], axes: vec![], ball: None };
        let mut pending = vec![Planned { leaves: vec![], node: 0, cells: vec![], parent: None }];
        while let Some(mut planned) = pending.pop() {
            let node = &trees[planned.leaves.len()].nodes[planned.node as usize];
            let (made, children) = match node {
                CellNode::Leaf(leaf) => {
                    planned.leaves.push(*leaf);
                    if planned.leaves.len() < trees.len() {
                        pending.push(Planned { node: 0, ..planned });
                        continue;
                    }
                    bundle.values.push(value(&planned.leaves)?);
                    (Step::Leaf(bundle.values.len() as u32 - 1), vec![])
                }
                CellNode::Free { children } => {
                    let cells = &planned.cells;
                    let children = children.iter().zip(0..).map(|(child, side)| (*child, side, cells.clone()));
                    (Step::Free { children: [0; 2] }, children.collect())
                }
                CellNode::Split { axis, left_end, right_start, special, children } => {
                    let place = planned.cells.iter().position(|(own, _)| own == axis).unwrap_or_else(|| {
                        planned.cells.push((*axis, everything.axes[*axis as usize].clone()));
                        planned.cells.len() - 1
                    });
                    let mut sides = [planned.cells[place].1.clone(), planned.cells[place].1.clone()];
                    sides[0].keep_ordered(0, *left_end);
                    sides[1].keep_ordered(*right_start, u32::MAX);
                    for (side, goes) in sides.iter_mut().zip(special) {
                        side.special.iter_mut().zip(goes).for_each(|(own, goes)| *own &= goes);
                    }
                    // Where no cell goes to one of the sides, the other is the way.
                    if let Some(way) = [0, 1].into_iter().find(|way| sides[1 - way].is_empty()) {
                        planned.cells[place].1 = sides[way].clone();
                        pending.push(Planned { node: children[way], ..planned });
                        continue;
                    }
                    let sides = sides.into_iter().zip(children).zip(0..).map(|((side, child), number)| {
                        let mut cells = planned.cells.clone();
                        cells[place].1 = side;
                        (*child, number, cells)
                    });
                    let children: Vec<_> = sides.collect();
                    let (axis, left_end, right_start) = (*axis, *left_end, *right_start);
                    let first = bundle.special.len() as u32;
                    bundle.axes.push(axis);
                    special.iter().for_each(|goes| bundle.special.extend(goes));
                    (Step::Split { axis, left_end, right_start, special: first, children: [0; 2] }, children)
                }
            };
            let own = bundle.nodes.len();
            if let Some((parent, side)) = planned.parent
                && let Step::Split { children, .. } | Step::Free { children } = &mut bundle.nodes[parent]
            {
                children[side] = own as u32;
            }
            bundle.nodes.push(made);
            pending.extend(children.into_iter().rev().map(|(node, side, cells)| Planned {
                leaves: planned.leaves.clone(),
                node,
                cells,
                parent: Some((own, side)),
            }));
        }
        bundle.axes.sort_unstable();
        bundle.axes.dedup();
        Ok(bundle)
    }

    /// Whether cells of an axis may lead to different leaves.
    pub(crate) fn tells_apart(&self, axis: u32) -> bool {
        self.ball.is_some() || self.axes.binary_search(&axis).is_ok()
    }

    /// What all leaves add that a box can reach, if that is the same.
    pub(crate) fn constant(&self, region: &mut Region) -> Option<i64> {
        let (mut only, mut is_constant) = (None, true);
        self.walk(region, 0, &mut Trail::default(), |value, _| is_constant &= *only.get_or_insert(value) == value);
        only.filter(|_| is_constant)
    }

    /// Calls with what every leaf adds that the box can reach, and the part of the box that may reach it. Nothing else is reached
    /// than what is below a node; returns the last one of which that can be said.
    pub(crate) fn walk(
        &self,
        region: &mut Region,
        first: u32,
        trail: &mut Trail,
        mut visit: impl FnMut(i64, &Region),
    ) -> u32 {
        let Trail { todo, special: kept } = trail;
        let whole = self.ball.as_ref().map(|_| region.clone());
        let mut above = None;
        todo.push(Todo::Node(first));
        while let Some(next) = todo.pop() {
            let mut at = match next {
                Todo::Node(node) => node,
                Todo::Set(axis, low, high) => {
                    let cells = &mut region.axes[axis as usize];
                    (cells.low, cells.high) = (low, high);
                    if !cells.special.is_empty() {
                        let first = kept.len() - cells.special.len();
                        cells.special.copy_from_slice(&kept[first..]);
                        kept.truncate(first);
                    }
                    continue;
                }
            };
            loop {
                at = match self.nodes[at as usize] {
                    Step::Leaf(leaf) => {
                        above.get_or_insert(at);
                        let value = self.values[leaf as usize];
                        match (&self.ball, &whole) {
                            (Some(ball), Some(whole)) => {
                                let mut confined = region.clone();
                                if ball.confine(whole, &mut confined) {
                                    visit(value, &confined);
                                }
                            }
                            _ => visit(value, region),
                        }
                        break;
                    }
                    Step::Free { children } => {
                        above.get_or_insert(at);
                        todo.push(Todo::Node(children[1]));
                        children[0]
                    }
                    Step::Split { axis, left_end, right_start, special, children } => {
                        let cells = &mut region.axes[axis as usize];
                        let (low, high) = (cells.low, cells.high);
                        let (end, start) = (high.min(left_end), low.max(right_start));
                        let (mut goes_left, mut goes_right) = (low < end, start < high);
                        let words = cells.special.len();
                        if words > 0 {
                            goes_left |= meets(&cells.special, &self.special[special as usize..]);
                            goes_right |= meets(&cells.special, &self.special[special as usize + words..]);
                        }
                        match (goes_left, goes_right) {
                            (true, true) => {
                                above.get_or_insert(at);
                                // At the end the axis gets back what it had; before that it has what goes right.
                                todo.push(Todo::Set(axis, low, high));
                                todo.push(Todo::Node(children[1]));
                                todo.push(Todo::Set(axis, start, high));
                                if words > 0 {
                                    let (left, right) = self.special[special as usize..].split_at(words);
                                    kept.extend(&cells.special);
                                    kept.extend(cells.special.iter().zip(right).map(|(own, goes)| own & goes));
                                    cells.special.iter_mut().zip(left).for_each(|(own, goes)| *own &= goes);
                                }
                                cells.high = end;
                                children[0]
                            }
                            (true, false) => children[0],
                            (false, true) => children[1],
                            (false, false) => break,
                        }
                    }
                }
            }
        }
        above.unwrap_or(first)
    }
}

/// Whether there are cells in both.
pub(crate) fn meets(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}
