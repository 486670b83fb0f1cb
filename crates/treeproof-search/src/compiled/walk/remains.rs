//! Detours: the best leaves of a tree in a region without the way to its best leaf, for all splits on that way in one
//! walk.

use std::cmp::Reverse;

use super::{NONE, Walk, WalkNode, WalkSplit};
use crate::grid::{Region, Space, Value, index};

/// Limit on detours, which are the bits of a word; a tree with more loses nothing along the others.
const MOST_WAYS: usize = 64;

/// Cells of an axis that may not lead to the best leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Aside {
    /// Ordered cells below a cut.
    Below(Reverse<u32>),
    /// Ordered cells from a cut on.
    From(u32),
    /// One special cell, of an axis that has special cells left.
    Special(u32),
    /// All ordered cells, of such an axis.
    Ordered,
}

/// Some cells of an axis, and the best leaf that a tree has for them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Way {
    pub(crate) axis: u32,
    pub(crate) aside: Aside,
    pub(crate) best: Value,
}

impl Way {
    /// The cut, or the choice: ordered cells together count as the cell after the last special one.
    pub(crate) fn place(&self, space: &Space) -> u32 {
        match self.aside {
            Aside::Below(Reverse(cut)) | Aside::From(cut) => cut,
            Aside::Special(cell) => cell,
            Aside::Ordered => space.axes[self.axis as usize].special,
        }
    }
}

/// Cuts of one axis between cells of the region, at which a walk went to both sides. As long as a region that shrinks
/// has cells on either side of both, a walk comes to the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Looked {
    pub(crate) axis: u32,
    least: u32,
    most: u32,
}

/// Finds what remains of trees; holds the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct Remains {
    /// For the last tree: by axis, then from the best leaf outwards.
    pub(crate) ways: Vec<Way>,
    pub(crate) looked: Vec<Looked>,
    /// Per axis its place in `looked`; [`NONE`] between walks.
    place: Vec<u32>,
    /// Per axis the bits of its ways; 0 between walks.
    of_axis: Vec<u64>,
    stack: Vec<u32>,
    ways_stack: Vec<(u32, u64)>,
    /// Nodes looked at: what it cost.
    pub(crate) visits: u64,
}

impl Looked {
    /// True if a part of the region still has cells on either side.
    #[inline]
    pub(crate) fn is_same_in(&self, part: &Region) -> bool {
        part.low[self.axis as usize] < self.least && self.most < part.high[self.axis as usize]
    }
}

impl Remains {
    /// Finds the best leaf of a tree below a node that all points of a region reach, and what remains aside of it.
    /// Returns the leaf, and the last node that all points reach.
    pub(crate) fn find(&mut self, space: &Space, walk: &Walk, region: &Region, node: u32) -> (u32, u32) {
        self.place.resize(space.axes.len(), NONE);
        self.of_axis.resize(space.axes.len(), 0);
        self.ways.clear();
        self.looked.clear();
        let start = walk.first_parting(space, region, node);
        let best = self.best(space, walk, region, start);
        if best != start {
            self.find_ways(space, walk, region, start, best);
            self.follow_ways(space, walk, region, start);
        }
        for Looked { axis, .. } in &self.looked {
            self.place[*axis as usize] = NONE;
        }
        for Way { axis, .. } in &self.ways {
            self.of_axis[*axis as usize] = 0;
        }
        (best, start)
    }

    /// The best leaf below a node.
    fn best(&mut self, space: &Space, walk: &Walk, region: &Region, start: u32) -> u32 {
        let mut stack = std::mem::take(&mut self.stack);
        let (best, visits) = walk.best_below(space, region, start, &mut stack, |split| self.look(region, split));
        self.stack = stack;
        self.visits += visits;
        best
    }

    /// Notes that a walk went to both sides of a split.
    #[inline]
    fn look(&mut self, region: &Region, split: WalkSplit) {
        let WalkSplit { axis, cut, .. } = split;
        // Otherwise both sides are those of special cells, which the shrunk region must have all the same.
        if region.low[axis as usize] < cut && cut < region.high[axis as usize] {
            let place = &mut self.place[axis as usize];
            if *place == NONE {
                *place = index(self.looked.len());
                self.looked.push(Looked { axis, least: cut, most: cut });
            }
            let looked = &mut self.looked[*place as usize];
            (looked.least, looked.most) = (looked.least.min(cut), looked.most.max(cut));
        }
    }

    /// The ways that lead aside from the best leaf, at the splits above it at which the points of the region part.
    fn find_ways(&mut self, space: &Space, walk: &Walk, region: &Region, start: u32, best: u32) {
        let mut child = best;
        while child != start {
            let node = walk.nodes[child as usize].parent;
            let WalkNode { axis, cut, left, .. } = walk.nodes[node as usize];
            let (low, high) = (region.low[axis as usize], region.high[axis as usize]);
            let mut add = |aside: Aside| self.ways.push(Way { axis, aside, best: Value::MIN });
            if space.is_mixed(region, axis as usize) {
                if self.of_axis[axis as usize] == 0 {
                    // Just a mark that these choices are known.
                    self.of_axis[axis as usize] = 1;
                    space.special_cells(region, axis as usize).for_each(|cell| add(Aside::Special(cell)));
                    if low < high {
                        add(Aside::Ordered);
                    }
                }
            } else if low < cut && cut < high {
                add(if left == child { Aside::From(cut) } else { Aside::Below(Reverse(cut)) });
            }
            child = node;
        }
        for Way { axis, .. } in &self.ways {
            self.of_axis[*axis as usize] = 0;
        }
        self.ways.truncate(MOST_WAYS);
        self.ways.sort_unstable_by_key(|way| (way.axis, way.aside));
        for (number, Way { axis, .. }) in self.ways.iter().enumerate() {
            self.of_axis[*axis as usize] |= 1 << number;
        }
    }

    /// Finds the best leaf of every way.
    fn follow_ways(&mut self, space: &Space, walk: &Walk, region: &Region, start: u32) {
        let mut stack = std::mem::take(&mut self.ways_stack);
        let all = if self.ways.is_empty() { 0 } else { u64::MAX >> (MOST_WAYS - self.ways.len()) };
        stack.push((start, all));
        while let Some((node, ways)) = stack.pop() {
            self.visits += 1;
            let value = walk.value(node);
            // The ways that lead here and have found nothing as good.
            let mut wanted = 0;
            for_each_bit(ways, |way| wanted |= u64::from(self.ways[way].best < value) << way);
            if wanted == 0 {
                continue;
            }
            let Some(split) = walk.split(node) else {
                for_each_bit(wanted, |way| self.ways[way].best = value);
                continue;
            };
            match walk.sides(space, region, node) {
                (true, true) => {
                    self.look(region, split);
                    let (to_left, to_right) = self.part(space, walk, region, node, wanted);
                    let sides = [(split.left, to_left), (split.right, to_right)];
                    // The side with the better leaves last, so that it is looked at first.
                    let left_is_better = walk.value(split.left) >= walk.value(split.right);
                    stack.extend(if left_is_better { [sides[1], sides[0]] } else { sides });
                }
                (true, false) => stack.push((split.left, wanted)),
                (false, _) => stack.push((split.right, wanted)),
            }
        }
        self.ways_stack = stack;
    }

    /// The ways that lead to the left of a split, and those that lead to its right.
    #[inline]
    fn part(&self, space: &Space, walk: &Walk, region: &Region, node: u32, ways: u64) -> (u64, u64) {
        let WalkNode { axis, cut, .. } = walk.nodes[node as usize];
        let of_axis = ways & self.of_axis[axis as usize];
        let (mut to_left, mut to_right) = (ways, ways);
        for_each_bit(of_axis, |way| {
            let (low, high, ordered) =
                (region.low[axis as usize], region.high[axis as usize], space.axes[axis as usize].ordered);
            let (left, right) = match self.ways[way].aside {
                Aside::Below(end) => (true, cut < end.0),
                Aside::From(first) => (first < cut, true),
                Aside::Ordered => (low < cut, cut < high),
                Aside::Special(cell) => {
                    let left = walk.sends_left(node, ordered, ordered + cell);
                    (left, !left)
                }
            };
            to_left &= !(u64::from(!left) << way);
            to_right &= !(u64::from(!right) << way);
        });
        (to_left, to_right)
    }
}

#[inline]
fn for_each_bit(mut bits: u64, mut each: impl FnMut(usize)) {
    while bits != 0 {
        each(bits.trailing_zeros() as usize);
        bits &= bits - 1;
    }
}
