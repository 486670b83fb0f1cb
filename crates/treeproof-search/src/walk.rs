//! Trees too large for bit masks: their best leaves are found by walking, with the best value below every node as a guide.

use std::cmp::Ordering;

use crate::evaluate::share_shift;
use crate::masks::index;
use crate::problem::{Channel, Node, Value};
use crate::region::{Cut, Part, Place, Region, Space};
use crate::trees::parting;

const NONE: u32 = u32::MAX;

/// The trees of a channel as flat arrays of nodes.
#[derive(Debug)]
pub(crate) struct Walk {
    pub(crate) base: Value,
    roots: Vec<u32>,
    nodes: Vec<WalkNode>,
    special_left: Vec<u32>,
    share_shift: u32,
}

#[derive(Clone, Copy, Debug)]
struct WalkNode {
    /// The best leaf below, wherever it is.
    best: Value,
    /// [`NONE`] for a leaf.
    axis: u32,
    cut: u32,
    first_special: u32,
    end_special: u32,
    left: u32,
    right: u32,
    parent: u32,
}

/// A node that is a split.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WalkSplit {
    pub(crate) axis: u32,
    pub(crate) cut: u32,
    pub(crate) left: u32,
    pub(crate) right: u32,
}

/// One axis of a region confined further.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Confined {
    /// To these ordered cells and no special ones.
    Ordered(u32, u32),
    /// To one special cell.
    Special(u32),
}

/// What the path to a leaf says about one axis.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PathSide {
    pub(crate) axis: u32,
    pub(crate) low: u32,
    pub(crate) high: u32,
}

impl Walk {
    pub(crate) fn new(channel: &Channel) -> Self {
        let mut walk = Self { base: channel.base, roots: vec![], nodes: vec![], special_left: vec![], share_shift: 0 };
        let mut most = 0;
        for tree in &channel.trees {
            let first = index(walk.nodes.len());
            walk.roots.push(first);
            for node in &tree.nodes {
                let leaf = WalkNode {
                    best: 0,
                    axis: NONE,
                    cut: 0,
                    first_special: 0,
                    end_special: 0,
                    left: NONE,
                    right: NONE,
                    parent: NONE,
                };
                walk.nodes.push(match node {
                    Node::Leaf(value) => WalkNode { best: *value, ..leaf },
                    Node::Split(split) => {
                        let first_special = index(walk.special_left.len());
                        walk.special_left.extend_from_slice(&split.special_left);
                        WalkNode {
                            axis: split.axis,
                            cut: split.cut,
                            first_special,
                            end_special: index(walk.special_left.len()),
                            left: first + split.left,
                            right: first + split.right,
                            ..leaf
                        }
                    }
                });
            }
            let values = walk.nodes[first as usize..].iter().filter(|node| node.axis == NONE).map(|node| node.best);
            most += values.clone().max().unwrap_or(0) - values.min().unwrap_or(0);
            // Children stand behind their parents, so one pass from the end sees them first.
            for node in (first as usize..walk.nodes.len()).rev() {
                let WalkNode { axis, left, right, .. } = walk.nodes[node];
                if axis != NONE {
                    walk.nodes[node].best = walk.nodes[left as usize].best.max(walk.nodes[right as usize].best);
                    walk.nodes[left as usize].parent = index(node);
                    walk.nodes[right as usize].parent = index(node);
                }
            }
        }
        walk.share_shift = share_shift(most);
        walk
    }

    /// By how much the unit of shares is coarser than that of values.
    pub(crate) fn share_shift(&self) -> u32 {
        self.share_shift
    }

    pub(crate) fn num_trees(&self) -> usize {
        self.roots.len()
    }

    pub(crate) fn num_nodes(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn value(&self, leaf: u32) -> Value {
        self.nodes[leaf as usize].best
    }

    fn sends_left(&self, node: &WalkNode, ordered: u32, cell: u32) -> bool {
        if cell < ordered {
            return cell < node.cut;
        }
        self.special_left(node).binary_search(&(cell - ordered)).is_ok()
    }

    /// The sum at a point.
    pub(crate) fn value_at(&self, space: &Space, point: &[u32]) -> Value {
        let mut sum = self.base;
        for root in &self.roots {
            let mut node = &self.nodes[*root as usize];
            while node.axis != NONE {
                let axis = node.axis as usize;
                let left = self.sends_left(node, space.axes[axis].ordered, point[axis]);
                node = &self.nodes[if left { node.left } else { node.right } as usize];
            }
            sum += node.best;
        }
        sum
    }

    /// Whether cells of a region go left, and whether some go right.
    fn sides(
        &self,
        space: &Space,
        region: &Region,
        confined: Option<(u32, Confined)>,
        node: &WalkNode,
    ) -> (bool, bool) {
        let axis = node.axis as usize;
        let ordered = space.axes[axis].ordered;
        let (low, high) = match confined {
            Some((confined, what)) if confined == node.axis => match what {
                Confined::Ordered(low, high) => return (low < node.cut.min(high), high > node.cut.max(low)),
                Confined::Special(cell) => {
                    let left = self.sends_left(node, ordered, ordered + cell);
                    return (left, !left);
                }
            },
            _ => (region.low[axis], region.high[axis]),
        };
        let mut sides = (low < node.cut.min(high), high > node.cut.max(low));
        if space.axes[axis].special > 0 {
            for cell in space.special_cells(region, axis) {
                let left = self.sends_left(node, ordered, ordered + cell);
                sides.0 |= left;
                sides.1 |= !left;
            }
        }
        sides
    }

    /// The best leaf of a tree that a region leaves reachable, and whether it may leave others.
    pub(crate) fn best(
        &self,
        space: &Space,
        region: &Region,
        tree: usize,
        confined: Option<(u32, Confined)>,
        stack: &mut Vec<u32>,
    ) -> (u32, bool) {
        self.best_below(space, region, self.roots[tree], confined, stack)
    }

    /// The same of what is below a node; it is not asked whether the region reaches the node.
    pub(crate) fn best_below(
        &self,
        space: &Space,
        region: &Region,
        node: u32,
        confined: Option<(u32, Confined)>,
        stack: &mut Vec<u32>,
    ) -> (u32, bool) {
        let mut best: Option<u32> = None;
        let mut several = false;
        stack.clear();
        stack.push(node);
        while let Some(place) = stack.pop() {
            let node = &self.nodes[place as usize];
            if best.is_some_and(|best| node.best <= self.nodes[best as usize].best) {
                several = true;
                continue;
            }
            if node.axis == NONE {
                several |= best.is_some();
                best = Some(place);
                continue;
            }
            let (left, right) = self.sides(space, region, confined, node);
            match (left, right) {
                (true, true) => {
                    // The side with the better leaves last, so that it is looked at first.
                    let left_is_better = self.nodes[node.left as usize].best >= self.nodes[node.right as usize].best;
                    stack.extend(if left_is_better { [node.right, node.left] } else { [node.left, node.right] });
                }
                (true, false) => stack.push(node.left),
                (false, true) => stack.push(node.right),
                (false, false) => unreachable!("a region has a cell of every axis"),
            }
        }
        (best.expect("every region reaches a leaf"), several)
    }

    /// The first split of a tree at which the points of a region part, or the leaf that all of them reach.
    pub(crate) fn first_parting(&self, space: &Space, region: &Region, tree: usize) -> u32 {
        let mut place = self.roots[tree];
        while let Some(WalkSplit { left, right, .. }) = self.split(place) {
            place = match self.sides(space, region, None, &self.nodes[place as usize]) {
                (true, true) => break,
                (true, false) => left,
                (false, _) => right,
            };
        }
        place
    }

    /// A split; `None` for a leaf.
    pub(crate) fn split(&self, node: u32) -> Option<WalkSplit> {
        let WalkNode { axis, cut, left, right, .. } = self.nodes[node as usize];
        (axis != NONE).then_some(WalkSplit { axis, cut, left, right })
    }

    fn special_left(&self, node: &WalkNode) -> &[u32] {
        &self.special_left[node.first_special as usize..node.end_special as usize]
    }

    /// An order in which splits are equal if they send the same cells to the same side.
    pub(crate) fn compare_splits(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (&self.nodes[a as usize], &self.nodes[b as usize]);
        let special = || self.special_left(a).cmp(self.special_left(b));
        (a.axis, a.cut).cmp(&(b.axis, b.cut)).then_with(special)
    }

    /// Keeps the cells of a region that a split sends to one side.
    pub(crate) fn keep_side(&self, space: &Space, region: &mut Region, node: u32, left: bool) {
        let node = &self.nodes[node as usize];
        let (axis, ordered) = (node.axis as usize, space.axes[node.axis as usize].ordered);
        let part = if left { Part::First } else { Part::Second };
        space.keep(region, Cut { axis: node.axis, place: Place::Below(node.cut) }, part);
        for cell in 0..space.axes[axis].special {
            if self.sends_left(node, ordered, ordered + cell) != left {
                space.remove_special(region, axis, cell);
            }
        }
    }

    /// The axes on the path to a leaf, each with the ordered cells that lead there.
    pub(crate) fn path(&self, space: &Space, leaf: u32, path: &mut Vec<PathSide>) {
        path.clear();
        let mut child = leaf;
        while self.nodes[child as usize].parent != NONE {
            let parent = self.nodes[child as usize].parent;
            let node = &self.nodes[parent as usize];
            let place = path.iter().position(|side| side.axis == node.axis).unwrap_or_else(|| {
                path.push(PathSide { axis: node.axis, low: 0, high: space.axes[node.axis as usize].ordered });
                path.len() - 1
            });
            let side = &mut path[place];
            if node.left == child {
                side.high = side.high.min(node.cut)
            } else {
                side.low = side.low.max(node.cut)
            }
            child = parent;
        }
    }

    /// A cut between a point and the best leaf of a tree that does not have it.
    pub(crate) fn conflict(&self, space: &Space, region: &Region, best: &[u32], point: &[u32]) -> Option<Cut> {
        for leaf in best {
            let mut child = *leaf;
            while self.nodes[child as usize].parent != NONE {
                let parent = self.nodes[child as usize].parent;
                let node = &self.nodes[parent as usize];
                let cell = point[node.axis as usize];
                let left = self.sends_left(node, space.axes[node.axis as usize].ordered, cell);
                if left != (node.left == child) {
                    return Some(parting(space, region, node.axis, cell, node.cut));
                }
                child = parent;
            }
        }
        None
    }
}
