//! The models' trees over the cells of a grid, and the leaves of several trees that are reached together.

pub(crate) mod bundle;
pub(crate) mod joined;
pub(crate) mod masks;
pub(crate) mod model_tree;
pub(crate) mod same_leaf;

use crate::distance::pair::PairDistance;
use crate::region::{NarrowBox, Region};
use crate::trees::joined::{JoinedTrees, Origin};

/// Limit on the nodes visited to join several trees. Honest proofs bundle trees only where there are far fewer.
const MOST_NODES: usize = 1 << 18;
/// Limit on the words of special cells of joined trees.
const MOST_WORDS: usize = 1 << 26;

/// A tree of a model at an input, over cells.
#[derive(Debug)]
pub(crate) struct CellTree {
    pub(crate) nodes: Vec<CellNode>,
}

/// A node of such a tree. Children stand behind their parents.
#[derive(Debug)]
pub(crate) enum CellNode {
    /// The number of a leaf.
    Leaf(u32),
    /// A split of the cells of an axis. A cell may go to both sides.
    Split {
        axis: u32,
        /// The end of the ordered cells that may go left.
        left_end: u32,
        /// The first ordered cell that may go right.
        right_start: u32,
        /// The special cells that may go left, and right, as bits.
        special: [Box<[u64]>; 2],
        children: [u32; 2],
    },
    /// A split of a feature without an axis: both sides are possible.
    Free { children: [u32; 2] },
}

impl CellTree {
    /// The only leaf that a box can reach; `None` if there are several.
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

impl CellTree {
    /// The tree as one leaf, if all reachable leaves add the same; else the tree itself.
    pub(crate) fn simplified<T: PartialEq>(self, everything: &Region, adds: impl Fn(u32) -> T) -> Self {
        let found = join(everything, std::slice::from_ref(&self), None).unwrap_or_default();
        let mut leaves = found.leaves.iter().map(|(_, leaves)| leaves[0]);
        match leaves.next() {
            Some(first) if leaves.all(|leaf| adds(leaf) == adds(first)) => Self { nodes: vec![CellNode::Leaf(first)] },
            _ => self,
        }
    }
}

/// A position on the way to one leaf of every tree.
#[derive(Clone)]
struct PartialPath {
    /// The leaves of the trees before, and a node of the next one.
    leaves: Vec<u32>,
    node: u32,
    way: NarrowBox,
    /// The side of a fork from which it came.
    from: Origin,
}

/// Several trees joined as one, whose leaves are the combinations that can be reached together; with a distance between two
/// inputs, only those within it. `None` if there are too many.
pub(crate) fn join(everything: &Region, trees: &[CellTree], ball: Option<&PairDistance>) -> Option<JoinedTrees> {
    let mut joined = JoinedTrees::default();
    let mut num_nodes = 0;
    let mut pending = vec![PartialPath { leaves: vec![], node: 0, way: NarrowBox::default(), from: Origin::START }];
    while let Some(mut path) = pending.pop() {
        num_nodes += 1;
        if (trees.len() > 1 && num_nodes > MOST_NODES) || joined.special.len() > MOST_WORDS {
            return None;
        }
        match &trees[path.leaves.len()].nodes[path.node as usize] {
            CellNode::Leaf(leaf) => {
                path.leaves.push(*leaf);
                path.node = 0;
                match path.leaves.len() < trees.len() {
                    true => pending.push(path),
                    false => joined.end(path.from, path.leaves),
                }
            }
            CellNode::Free { children } => {
                let fork = joined.free(path.from, everything.num_axes());
                for side in [1, 0] {
                    let next = PartialPath { node: children[side], from: Origin::fork(fork, side), ..path.clone() };
                    pending.push(next);
                }
            }
            CellNode::Split { axis, left_end, right_start, special, children } => {
                let own = path.way.cells(everything, *axis);
                let mut sides = [own.clone(), own.clone()];
                sides[0].keep_ordered(0, *left_end);
                sides[1].keep_ordered(*right_start, u32::MAX);
                for (side, goes) in sides.iter_mut().zip(special) {
                    side.special.iter_mut().zip(goes).for_each(|(own, goes)| *own &= goes);
                }
                // A split that all cells pass one way is no fork.
                let goes_all = |side: usize| !own.is_empty() && sides[side].is_same(own) && sides[1 - side].is_empty();
                let only = (0..2).find(|side| goes_all(*side));
                if let Some(side) = only {
                    pending.push(PartialPath { node: children[side], ..path });
                    continue;
                }
                let fork = joined.fork(path.from, *axis, sides.each_ref());
                for side in [1, 0] {
                    if sides[side].is_empty() {
                        continue;
                    }
                    let mut next = PartialPath { node: children[side], from: Origin::fork(fork, side), ..path.clone() };
                    if !sides[side].is_same(own) {
                        next.way.keep(*axis, sides[side].clone());
                        if let Some(ball) = ball {
                            let before = next.way.clone();
                            if !ball.follow(everything, &mut next.way, *axis) {
                                continue;
                            }
                            for (axis, cells) in &next.way.narrowed {
                                if !cells.is_same(before.cells(everything, *axis)) {
                                    let fork = joined.fork(next.from, *axis, [cells, &cells.none()]);
                                    next.from = Origin::fork(fork, 0);
                                }
                            }
                        }
                    }
                    pending.push(next);
                }
            }
        }
    }
    Some(joined)
}

/// True if two sets of special cells have a common cell.
pub(crate) fn meets(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::region::CellSet;

    /// A chain of splits that has a leaf for every cell of an axis.
    fn chain(axis: u32, cells: u32) -> CellTree {
        let mut nodes = vec![];
        for cell in 1..cells {
            let own = nodes.len() as u32;
            let special = [Box::default(), Box::default()];
            let children = [own + 1, own + 2];
            nodes.push(CellNode::Split { axis, left_end: cell, right_start: cell, special, children });
            nodes.push(CellNode::Leaf(cell - 1));
        }
        nodes.push(CellNode::Leaf(cells - 1));
        CellTree { nodes }
    }

    #[test]
    fn leaves_that_are_reached_together_are_found_unless_there_are_too_many() {
        let everything = Region::new(vec![CellSet::all(100, 100); 4]);
        let trees: Vec<CellTree> = (0..4).map(|axis| chain(axis, 100)).collect();
        let found = |trees: &[CellTree]| join(&everything, trees, None).map(|found| found.leaves.len());
        assert_eq!(found(&trees[..1]), Some(100));
        assert_eq!(found(&trees[..2]), Some(100 * 100));
        // A hundred million would take hours.
        assert_eq!(found(&trees), None);
        // Of the same axis only equal cells go together.
        assert_eq!(found(&[chain(0, 100), chain(0, 100), chain(0, 100), chain(0, 100)]), Some(100));
    }
}
