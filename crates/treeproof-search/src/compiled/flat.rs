//! Trees as flat arrays of nodes. Points walk through them; and where they are too large for bit masks, the best leaves of
//! regions are found by walking too, with the best value below every node as a guide.

mod detours;
mod lines;

use std::cmp::Ordering;

pub(crate) use self::detours::{Dependency, Detour, DetourFinder, OffPath};
pub(crate) use self::lines::{LineFinder, Lines, Rise};
use crate::compiled::weight_shift;
use crate::grid::{Axes, Axis, CutPart, Place, Region, RegionCut, Value, index};
use crate::journal::Note;
use crate::method::{Abandoned, Stop, proceed};
use crate::problem::{Channel, Node, Tree};

const NONE: u32 = u32::MAX;

/// The trees of a channel as flat arrays of nodes.
#[derive(Debug)]
pub(crate) struct FlatTrees {
    pub(crate) base: Value,
    roots: Vec<u32>,
    /// Depth first, but for the two children of a split, which stand side by side: who looks at one mostly looks at both.
    nodes: Vec<WalkNode>,
    /// Per node its part of `special_left`; empty if no split has any.
    special: Vec<(u32, u32)>,
    special_left: Vec<u32>,
    /// The shift from the unit of values to the coarser one of shares.
    pub(crate) share_shift: u32,
}

#[derive(Clone, Copy, Debug)]
struct WalkNode {
    /// The best leaf below, wherever it is.
    best: Value,
    /// [`NONE`] for a leaf.
    axis: u32,
    cut: u32,
    left: u32,
    parent: u32,
}

/// A node that is a split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FlatSplit {
    pub(crate) axis: u32,
    pub(crate) cut: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
}

impl FlatTrees {
    pub(crate) fn new(channel: &Channel, stop: &dyn Stop) -> Result<Self, Abandoned> {
        let num_nodes = channel.trees.iter().map(|tree| tree.nodes.len()).sum();
        let mut flat = Self {
            base: channel.base,
            roots: Vec::with_capacity(channel.trees.len()),
            nodes: Vec::with_capacity(num_nodes),
            special: vec![],
            special_left: vec![],
            share_shift: 0,
        };
        let mut most = 0;
        for tree in &channel.trees {
            proceed(stop)?;
            let values = tree.nodes.iter().filter_map(|node| match node {
                Node::Leaf(value) => Some(*value),
                Node::Split(_) => None,
            });
            most += values.clone().max().unwrap_or(0) - values.min().unwrap_or(0);
            flat.add_tree(tree);
        }
        flat.share_shift = weight_shift(most);
        if !flat.special_left.is_empty() {
            flat.special.resize(flat.nodes.len(), (0, 0));
        }
        Ok(flat)
    }

    fn add_tree(&mut self, tree: &Tree) {
        let first = self.nodes.len();
        self.roots.push(index(first));
        let unknown = |parent: u32| WalkNode { best: 0, axis: NONE, cut: 0, left: NONE, parent };
        self.nodes.push(unknown(NONE));
        let mut stack = vec![(0, first)];
        while let Some((node, place)) = stack.pop() {
            match &tree.nodes[node as usize] {
                Node::Leaf(value) => self.nodes[place].best = *value,
                Node::Split(split) => {
                    let left = self.nodes.len();
                    self.nodes.extend([unknown(index(place)); 2]);
                    let own = &mut self.nodes[place];
                    (own.axis, own.cut, own.left) = (split.axis, split.cut, index(left));
                    self.add_special(place, &split.special_left);
                    stack.extend([(split.right, left + 1), (split.left, left)]);
                }
            }
        }
        // Children stand behind their parents, so one pass from the end sees them first.
        for node in (first..self.nodes.len()).rev() {
            let WalkNode { axis, left, .. } = self.nodes[node];
            if axis != NONE {
                self.nodes[node].best = self.value(left).max(self.value(left + 1));
            }
        }
    }

    fn add_special(&mut self, node: usize, special_left: &[u32]) {
        if !special_left.is_empty() {
            let first = index(self.special_left.len());
            self.special_left.extend_from_slice(special_left);
            self.special.resize(self.nodes.len(), (0, 0));
            self.special[node] = (first, index(self.special_left.len()));
        }
    }

    pub(crate) fn num_trees(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn value(&self, leaf: u32) -> Value {
        self.nodes[leaf as usize].best
    }

    fn sends_left(&self, node: u32, ordered: u32, cell: u32) -> bool {
        if cell < ordered {
            return cell < self.nodes[node as usize].cut;
        }
        self.special_left(node).binary_search(&(cell - ordered)).is_ok()
    }

    /// The sum at a point.
    pub(crate) fn value_at(&self, space: &Axes, point: &[u32]) -> Value {
        self.base + self.roots.iter().map(|root| self.value_below(space, *root, point)).sum::<Value>()
    }

    /// The value of a tree at a point.
    #[inline]
    pub(crate) fn value_below(&self, space: &Axes, root: u32, point: &[u32]) -> Value {
        let mut node = root;
        while let Some(split) = self.split(node) {
            node = self.next(space, node, split, point[split.axis as usize]);
        }
        self.value(node)
    }

    /// The root of a tree.
    pub(crate) fn root(&self, tree: u32) -> u32 {
        self.roots[tree as usize]
    }

    /// The child to which a node, which is this split, sends a cell of its axis.
    #[inline]
    fn next(&self, space: &Axes, node: u32, split: FlatSplit, cell: u32) -> u32 {
        // Special cells stand behind the ordered ones, so where none goes left they need not be told apart.
        let left = cell < split.cut
            || !self.special_left.is_empty() && self.sends_left(node, space.axes[split.axis as usize].ordered, cell);
        if left { split.left } else { split.right }
    }

    /// Two flags: some cell of the region goes left; some cell goes right.
    #[inline]
    pub(crate) fn sides(&self, space: &Axes, region: &Region, node: u32) -> (bool, bool) {
        let split = &self.nodes[node as usize];
        let (axis, cut) = (split.axis as usize, split.cut);
        let (low, high) = (region.low[axis], region.high[axis]);
        let sides = (low < cut.min(high), high > cut.max(low));
        if space.axes[axis].special > 0 { self.sides_of_special(space, region, node, sides) } else { sides }
    }

    /// The two flags with special cells, given those of ordered ones.
    fn sides_of_special(&self, space: &Axes, region: &Region, node: u32, ordered: (bool, bool)) -> (bool, bool) {
        let axis = self.nodes[node as usize].axis as usize;
        let first_special = space.axes[axis].ordered;
        let mut sides = ordered;
        for cell in space.special_cells(region, axis) {
            let left = self.sends_left(node, first_special, first_special + cell);
            sides.0 |= left;
            sides.1 |= !left;
        }
        sides
    }

    /// The best leaf below a node that a region leaves reachable, and the number of nodes visited to find it; the node
    /// itself is taken as reached. Calls `parts` for every split with both sides visited.
    pub(crate) fn best_below(
        &self,
        space: &Axes,
        region: &Region,
        node: u32,
        stack: &mut Vec<u32>,
        mut parts: impl FnMut(FlatSplit),
    ) -> (u32, u64) {
        let mut best: Option<u32> = None;
        let mut visits = 0;
        stack.clear();
        stack.push(node);
        while let Some(node) = stack.pop() {
            visits += 1;
            if best.is_some_and(|best| self.value(node) <= self.value(best)) {
                continue;
            }
            let Some(split) = self.split(node) else {
                best = Some(node);
                continue;
            };
            match self.sides(space, region, node) {
                (true, true) => {
                    parts(split);
                    // The side with the better leaves last, so that it is looked at first.
                    let left_is_better = self.value(split.left) >= self.value(split.right);
                    stack.extend(if left_is_better { [split.right, split.left] } else { [split.left, split.right] });
                }
                (true, false) => stack.push(split.left),
                (false, true) => stack.push(split.right),
                (false, false) => unreachable!("a region has a cell of every axis"),
            }
        }
        (best.expect("every region reaches a leaf"), visits)
    }

    /// The first split from a node on at which the points of a region part, or the leaf that all of them reach.
    pub(crate) fn first_parting(&self, space: &Axes, region: &Region, node: u32) -> u32 {
        let mut place = node;
        while let Some(FlatSplit { left, right, .. }) = self.split(place) {
            place = match self.sides(space, region, place) {
                (true, true) => break,
                (true, false) => left,
                (false, _) => right,
            };
        }
        place
    }

    /// A split; `None` for a leaf.
    #[inline]
    pub(crate) fn split(&self, node: u32) -> Option<FlatSplit> {
        let WalkNode { axis, cut, left, .. } = self.nodes[node as usize];
        (axis != NONE).then_some(FlatSplit { axis, cut, left, right: left.wrapping_add(1) })
    }

    fn special_left(&self, node: u32) -> &[u32] {
        match self.special.get(node as usize) {
            Some((first, end)) => &self.special_left[*first as usize..*end as usize],
            None => &[],
        }
    }

    /// An order in which splits are equal if they send the same cells to the same side.
    pub(crate) fn compare_splits(&self, a: u32, b: u32) -> Ordering {
        let special = || self.special_left(a).cmp(self.special_left(b));
        let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        (a.axis, a.cut).cmp(&(b.axis, b.cut)).then_with(special)
    }

    /// Keeps the cells of a region that a split sends to one side.
    pub(crate) fn keep_side(&self, space: &Axes, region: &mut Region, node: u32, left: bool) {
        let WalkNode { axis, cut, .. } = self.nodes[node as usize];
        let part = if left { CutPart::First } else { CutPart::Second };
        space.keep(region, RegionCut { axis, place: Place::Below(cut) }, part);
        let (axis, Axis { ordered, special }) = (axis as usize, space.axes[axis as usize]);
        for cell in 0..special {
            if self.sends_left(node, ordered, ordered + cell) != left {
                space.remove_special(region, axis, cell);
            }
        }
    }

    /// The two sides of a split, as a note for a journal.
    pub(crate) fn parted(&self, space: &Axes, node: u32, bound: Value) -> Note {
        let WalkNode { axis, cut, .. } = self.nodes[node as usize];
        let mut special = vec![0_u64; space.axes[axis as usize].special.div_ceil(64) as usize];
        self.special_left(node).iter().for_each(|cell| special[*cell as usize / 64] |= 1 << (cell % 64));
        Note::Parted { axis, cut, special, bound }
    }

    /// A cut between a point and the best leaf of a tree that does not have it.
    pub(crate) fn conflict(&self, space: &Axes, region: &Region, best: &[u32], point: &[u32]) -> Option<RegionCut> {
        for leaf in best {
            let mut child = *leaf;
            while self.nodes[child as usize].parent != NONE {
                let parent = self.nodes[child as usize].parent;
                let split = self.split(parent).expect("a parent is a split");
                let cell = point[split.axis as usize];
                if self.next(space, parent, split, cell) != child {
                    return Some(space.parting(region, split.axis, cell, split.cut));
                }
                child = parent;
            }
        }
        None
    }
}
