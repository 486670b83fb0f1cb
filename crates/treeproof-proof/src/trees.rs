//! The trees of the models over the cells of a grid: which leaves a box can reach, and what they add.

use std::collections::HashMap;
use std::sync::Arc;

use crate::ball::Ball;
use crate::region::Region;

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

/// Trees that are looked at together: a box reaches one leaf of each at the same time.
#[derive(Debug)]
pub(crate) struct Bundle {
    pub(crate) trees: Vec<CellTree>,
    pub(crate) values: Values,
    /// Of trees at two inputs that must not be far apart.
    pub(crate) ball: Option<Arc<Ball>>,
}

/// What leaves add, in units, rounded up once.
#[derive(Debug)]
pub(crate) enum Values {
    /// Of one tree.
    One(Vec<i64>),
    /// Of several: those that can be reached together.
    Several(HashMap<Vec<u32>, i64>),
}

/// What is still to be done on a walk.
enum Todo {
    Node(u32),
    /// Cells that an axis had before.
    Restore(u32, u32, u32, Vec<u64>),
    /// The next tree begins.
    Next,
    /// The last tree ends.
    Back,
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
                    let meets =
                        |side: usize| cells.special.iter().zip(&special[side]).any(|(own, goes)| own & goes != 0);
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
    /// Calls with what every combination of leaves adds that the box can reach, and the part of the box that may reach it.
    pub(crate) fn walk(&self, region: &mut Region, mut visit: impl FnMut(i64, &Region)) {
        let mut leaves: Vec<u32> = Vec::with_capacity(self.trees.len());
        let whole = self.ball.as_ref().map(|_| region.clone());
        self.walk_leaves(region, &mut leaves, &mut |leaves, region| {
            let value = match &self.values {
                Values::One(values) => values[leaves[0] as usize],
                Values::Several(values) => values[leaves],
            };
            match (&self.ball, &whole) {
                (Some(ball), Some(whole)) => {
                    let mut confined = region.clone();
                    if ball.confine(whole, &mut confined) {
                        visit(value, &confined);
                    }
                }
                _ => visit(value, region),
            }
        });
    }

    /// What all combinations of leaves add that a box can reach, if that is the same.
    pub(crate) fn constant(&self, region: &mut Region) -> Option<i64> {
        let (mut only, mut is_constant) = (None, true);
        self.walk(region, |value, _| is_constant &= *only.get_or_insert(value) == value);
        only.filter(|_| is_constant)
    }

    /// The same with the leaves.
    pub(crate) fn walk_leaves(
        &self,
        region: &mut Region,
        leaves: &mut Vec<u32>,
        visit: &mut dyn FnMut(&[u32], &Region),
    ) {
        let mut todo = vec![Todo::Node(0)];
        while let Some(next) = todo.pop() {
            match next {
                Todo::Restore(axis, low, high, special) => {
                    let side = &mut region.axes[axis as usize];
                    (side.low, side.high) = (low, high);
                    if !special.is_empty() {
                        side.special = special;
                    }
                }
                Todo::Next => todo.push(Todo::Node(0)),
                Todo::Back => {
                    leaves.pop();
                }
                Todo::Node(node) => match &self.trees[leaves.len()].nodes[node as usize] {
                    CellNode::Leaf(leaf) => {
                        leaves.push(*leaf);
                        if leaves.len() == self.trees.len() {
                            visit(leaves, region);
                            leaves.pop();
                        } else {
                            todo.extend([Todo::Back, Todo::Next]);
                        }
                    }
                    CellNode::Free { children } => todo.extend(children.map(Todo::Node)),
                    CellNode::Split { axis, left_end, right_start, special, children } => {
                        let side = &mut region.axes[*axis as usize];
                        let (low, high) = (side.low, side.high);
                        if side.special.is_empty() {
                            // Most axes have no special cells: nothing to copy.
                            let goes_left = low < high.min(*left_end);
                            let goes_right = low.max(*right_start) < high;
                            match (goes_left, goes_right) {
                                (true, true) => {
                                    todo.push(Todo::Restore(*axis, low, high, vec![]));
                                    todo.push(Todo::Node(children[1]));
                                    todo.push(Todo::Restore(*axis, low.max(*right_start), high, vec![]));
                                    todo.push(Todo::Node(children[0]));
                                    side.high = high.min(*left_end);
                                }
                                (true, false) => todo.push(Todo::Node(children[0])),
                                (false, true) => todo.push(Todo::Node(children[1])),
                                (false, false) => {}
                            }
                            continue;
                        }
                        let parts = [0, 1].map(|way| {
                            let ends =
                                if way == 0 { (low, high.min(*left_end)) } else { (low.max(*right_start), high) };
                            let bits: Vec<u64> =
                                side.special.iter().zip(special[way].iter()).map(|(own, goes)| own & goes).collect();
                            (ends, bits)
                        });
                        todo.push(Todo::Restore(*axis, low, high, side.special.clone()));
                        for (((low, high), bits), child) in parts.into_iter().zip(children).rev() {
                            if low < high || bits.iter().any(|word| *word != 0) {
                                todo.push(Todo::Node(*child));
                                todo.push(Todo::Restore(*axis, low, high, bits));
                            }
                        }
                    }
                },
            }
        }
    }
}
