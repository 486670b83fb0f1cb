//! The leaves of a tree with their boxes: which cells of each axis lead to them.

use std::cmp::Reverse;
use std::ops::Range;

use super::AxisPath;
use crate::grid::{Axes, Value, index};
use crate::problem::{Node, Split, Tree};

/// Finds the leaves of one tree after the other; holds the memory that this takes.
pub(super) struct LeafFinder<'s> {
    space: &'s Axes,
    /// The tree's cuts by axis, ascending, without repeats.
    pub(super) cuts: Vec<(u32, u32)>,
    /// Per axis of the tree the side of a box that no split has narrowed.
    whole: Vec<LeafSide>,
    /// The leaves that some point reaches, best first: value and sides.
    pub(super) leaves: Vec<(Value, Range<usize>)>,
    /// The sides of the boxes of all nodes, in the order of the axes on their paths.
    sides: Vec<LeafSide>,
    excluded: Vec<u32>,
}

/// The cells of one axis that lead to a node.
#[derive(Clone)]
pub(super) struct LeafSide {
    pub(super) path: AxisPath,
    /// The special cells that do not lead there, ascending.
    excluded: Range<usize>,
}

impl<'s> LeafFinder<'s> {
    pub(super) fn new(space: &'s Axes) -> Self {
        let whole = |(axis, shape): (usize, &crate::grid::Axis)| LeafSide {
            path: AxisPath { axis: index(axis), high: shape.ordered, ..AxisPath::default() },
            excluded: 0..0,
        };
        let whole = space.axes.iter().enumerate().map(whole).collect();
        Self { space, cuts: vec![], whole, leaves: vec![], sides: vec![], excluded: vec![] }
    }

    /// Finds the leaves that some point reaches; the tree's boundaries are numbered from `first_boundary` on. Not
    /// recursive: a tree may be as deep as it has nodes.
    pub(super) fn find(&mut self, tree: &Tree, first_boundary: u32) {
        self.leaves.clear();
        self.sides.clear();
        self.excluded.clear();
        self.find_cuts(tree, first_boundary);
        let mut pending = vec![(0, 0..0)];
        while let Some((node, sides)) = pending.pop() {
            match &tree.nodes[node as usize] {
                Node::Leaf(value) => self.leaves.push((*value, sides)),
                Node::Split(split) => {
                    // The left child last, so that it is taken first.
                    for left in [false, true] {
                        let child = if left { split.left } else { split.right };
                        let sides = self.enter(split, sides.clone(), left, first_boundary);
                        pending.extend(sides.map(|sides| (child, sides)));
                    }
                }
            }
        }
        // Stable: of equal leaves the leftmost comes first, so that runs are the same everywhere.
        self.leaves.sort_by_key(|(value, _)| Reverse(*value));
    }

    /// Finds the cuts of a tree, and where those of each axis stand among them.
    fn find_cuts(&mut self, tree: &Tree, first_boundary: u32) {
        self.cuts.clear();
        self.cuts.extend(tree.nodes.iter().filter_map(|node| match node {
            Node::Leaf(_) => None,
            Node::Split(split) => Some((split.axis, split.cut)),
        }));
        self.cuts.sort_unstable();
        self.cuts.dedup();
        let mut first = first_boundary;
        for of_axis in self.cuts.chunk_by(|a, b| a.0 == b.0) {
            let path = &mut self.whole[of_axis[0].0 as usize].path;
            (path.first_boundary, path.end_boundary) = (first, first + index(of_axis.len()));
            // Cuts outside the cells are those of splits that send all ordered cells to one side.
            path.past_low = first + index(of_axis.partition_point(|(_, cut)| *cut <= path.low));
            path.at_high = first + index(of_axis.partition_point(|(_, cut)| *cut < path.high));
            first = path.end_boundary;
        }
    }

    /// The sides of a child's box, given those of its parent; `None` if no point goes there.
    fn enter(&mut self, split: &Split, parent: Range<usize>, left: bool, first_boundary: u32) -> Option<Range<usize>> {
        let first = self.sides.len();
        self.sides.extend_from_within(parent);
        let known = self.sides[first..].iter().position(|side| side.path.axis == split.axis);
        let place = known.map_or(self.sides.len(), |place| first + place);
        if known.is_none() {
            self.sides.push(self.whole[split.axis as usize].clone());
        }
        let LeafSide { path, excluded } = &mut self.sides[place];
        let boundary = || {
            let cuts = path.first_boundary - first_boundary..path.end_boundary - first_boundary;
            let own = &self.cuts[cuts.start as usize..cuts.end as usize];
            path.first_boundary + index(own.partition_point(|(_, cut)| *cut < split.cut))
        };
        if left && split.cut < path.high {
            (path.high, path.at_high) = (split.cut, boundary());
        } else if !left && split.cut > path.low {
            (path.low, path.past_low) = (split.cut, boundary() + 1);
        }
        let special = self.space.axes[split.axis as usize].special;
        if special > 0 {
            let before = &self.excluded[excluded.clone()];
            let goes = |cell: &u32| split.special_left.binary_search(cell).is_ok() == left;
            let is_excluded = |cell: &u32| before.binary_search(cell).is_ok() || !goes(cell);
            let cells: Vec<u32> = (0..special).filter(is_excluded).collect();
            *excluded = self.excluded.len()..self.excluded.len() + cells.len();
            self.excluded.extend(cells);
        }
        if path.low >= path.high && excluded.len() == special as usize {
            self.sides.truncate(first);
            return None;
        }
        Some(first..self.sides.len())
    }

    /// The sides of a leaf's box, each with the special cells that do not lead there.
    pub(super) fn sides(&self, leaf: &Range<usize>) -> impl Iterator<Item = (AxisPath, &[u32])> {
        self.sides[leaf.clone()].iter().map(|side| (side.path, &self.excluded[side.excluded.clone()]))
    }
}
