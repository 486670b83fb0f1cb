//! Detours: the best leaves of a tree in a region without the way to its best leaf, for all splits on that way in one
//! walk.

use std::cmp::Reverse;

use super::{FlatSplit, FlatTrees, NONE, WalkNode};
use crate::grid::{Axes, Region, Value, index};

/// Limit on detours, which are the bits of a word; a tree with more loses nothing along the others.
const MAX_DETOURS: usize = 64;

/// Cells of an axis that may not lead to the best leaf.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum OffPath {
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
pub(crate) struct Detour {
    pub(crate) axis: u32,
    pub(crate) cells: OffPath,
    pub(crate) best: Value,
}

impl Detour {
    /// The cut, or the choice: ordered cells together count as the cell after the last special one.
    pub(crate) fn place(&self, space: &Axes) -> u32 {
        match self.cells {
            OffPath::Below(Reverse(cut)) | OffPath::From(cut) => cut,
            OffPath::Special(cell) => cell,
            OffPath::Ordered => space.axes[self.axis as usize].special,
        }
    }
}

/// Cuts of one axis between cells of the region, at which a walk went to both sides. As long as a region that shrinks
/// has cells on either side of both, a walk comes to the same.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dependency {
    pub(crate) axis: u32,
    least: u32,
    most: u32,
}

/// Finds what remains of trees; holds the memory that this takes.
#[derive(Debug, Default)]
pub(crate) struct DetourFinder {
    /// For the last tree: by axis, then from the best leaf outwards.
    pub(crate) detours: Vec<Detour>,
    pub(crate) dependencies: Vec<Dependency>,
    /// Per axis its place in `looked`; [`NONE`] between walks.
    place: Vec<u32>,
    /// Per axis the bits of its ways; 0 between walks.
    of_axis: Vec<u64>,
    stack: Vec<u32>,
    detour_stack: Vec<(u32, u64)>,
    /// Nodes looked at: what it cost.
    pub(crate) visits: u64,
}

impl Dependency {
    /// True if a part of the region still has cells on either side.
    #[inline]
    pub(crate) fn holds_in(&self, part: &Region) -> bool {
        part.low[self.axis as usize] < self.least && self.most < part.high[self.axis as usize]
    }
}

impl DetourFinder {
    /// Finds the best leaf of a tree below a node that all points of a region reach, and what remains aside of it.
    /// Returns the leaf, and the last node that all points reach.
    pub(crate) fn find(&mut self, space: &Axes, flat: &FlatTrees, region: &Region, node: u32) -> (u32, u32) {
        self.place.resize(space.axes.len(), NONE);
        self.of_axis.resize(space.axes.len(), 0);
        self.detours.clear();
        self.dependencies.clear();
        let start = flat.first_parting(space, region, node);
        let best = self.best(space, flat, region, start);
        if best != start {
            self.find_detours(space, flat, region, start, best);
            self.follow_detours(space, flat, region, start);
        }
        for Dependency { axis, .. } in &self.dependencies {
            self.place[*axis as usize] = NONE;
        }
        for Detour { axis, .. } in &self.detours {
            self.of_axis[*axis as usize] = 0;
        }
        (best, start)
    }

    /// The best leaf below a node.
    fn best(&mut self, space: &Axes, flat: &FlatTrees, region: &Region, start: u32) -> u32 {
        let mut stack = std::mem::take(&mut self.stack);
        let (best, visits) = flat.best_below(space, region, start, &mut stack, |split| self.look(region, split));
        self.stack = stack;
        self.visits += visits;
        best
    }

    /// Notes that a walk went to both sides of a split.
    #[inline]
    fn look(&mut self, region: &Region, split: FlatSplit) {
        let FlatSplit { axis, cut, .. } = split;
        // Otherwise both sides are those of special cells, which the shrunk region must have all the same.
        if region.low[axis as usize] < cut && cut < region.high[axis as usize] {
            let place = &mut self.place[axis as usize];
            if *place == NONE {
                *place = index(self.dependencies.len());
                self.dependencies.push(Dependency { axis, least: cut, most: cut });
            }
            let own = &mut self.dependencies[*place as usize];
            (own.least, own.most) = (own.least.min(cut), own.most.max(cut));
        }
    }

    /// The ways that lead aside from the best leaf, at the splits above it at which the points of the region part.
    fn find_detours(&mut self, space: &Axes, flat: &FlatTrees, region: &Region, start: u32, best: u32) {
        let mut child = best;
        while child != start {
            let node = flat.nodes[child as usize].parent;
            let WalkNode { axis, cut, left, .. } = flat.nodes[node as usize];
            let (low, high) = (region.low[axis as usize], region.high[axis as usize]);
            let mut add = |cells: OffPath| self.detours.push(Detour { axis, cells, best: Value::MIN });
            if space.is_mixed(region, axis as usize) {
                if self.of_axis[axis as usize] == 0 {
                    // Just a mark that these choices are known.
                    self.of_axis[axis as usize] = 1;
                    space.special_cells(region, axis as usize).for_each(|cell| add(OffPath::Special(cell)));
                    if low < high {
                        add(OffPath::Ordered);
                    }
                }
            } else if low < cut && cut < high {
                add(if left == child { OffPath::From(cut) } else { OffPath::Below(Reverse(cut)) });
            }
            child = node;
        }
        for Detour { axis, .. } in &self.detours {
            self.of_axis[*axis as usize] = 0;
        }
        self.detours.truncate(MAX_DETOURS);
        self.detours.sort_unstable_by_key(|detour| (detour.axis, detour.cells));
        for (number, Detour { axis, .. }) in self.detours.iter().enumerate() {
            self.of_axis[*axis as usize] |= 1 << number;
        }
    }

    /// Finds the best leaf of every way.
    fn follow_detours(&mut self, space: &Axes, flat: &FlatTrees, region: &Region, start: u32) {
        let mut stack = std::mem::take(&mut self.detour_stack);
        let all = if self.detours.is_empty() { 0 } else { u64::MAX >> (MAX_DETOURS - self.detours.len()) };
        stack.push((start, all));
        while let Some((node, detours)) = stack.pop() {
            self.visits += 1;
            let value = flat.value(node);
            // The ways that lead here and have found nothing as good.
            let mut wanted = 0;
            for_each_bit(detours, |detour| wanted |= u64::from(self.detours[detour].best < value) << detour);
            if wanted == 0 {
                continue;
            }
            let Some(split) = flat.split(node) else {
                for_each_bit(wanted, |detour| self.detours[detour].best = value);
                continue;
            };
            match flat.sides(space, region, node) {
                (true, true) => {
                    self.look(region, split);
                    let (to_left, to_right) = self.part(space, flat, region, node, wanted);
                    let sides = [(split.left, to_left), (split.right, to_right)];
                    // The side with the better leaves last, so that it is looked at first.
                    let left_is_better = flat.value(split.left) >= flat.value(split.right);
                    stack.extend(if left_is_better { [sides[1], sides[0]] } else { sides });
                }
                (true, false) => stack.push((split.left, wanted)),
                (false, _) => stack.push((split.right, wanted)),
            }
        }
        self.detour_stack = stack;
    }

    /// The ways that lead to the left of a split, and those that lead to its right.
    #[inline]
    fn part(&self, space: &Axes, flat: &FlatTrees, region: &Region, node: u32, detours: u64) -> (u64, u64) {
        let WalkNode { axis, cut, .. } = flat.nodes[node as usize];
        let of_axis = detours & self.of_axis[axis as usize];
        let (mut to_left, mut to_right) = (detours, detours);
        for_each_bit(of_axis, |detour| {
            let (low, high, ordered) =
                (region.low[axis as usize], region.high[axis as usize], space.axes[axis as usize].ordered);
            let (left, right) = match self.detours[detour].cells {
                OffPath::Below(end) => (true, cut < end.0),
                OffPath::From(first) => (first < cut, true),
                OffPath::Ordered => (low < cut, cut < high),
                OffPath::Special(cell) => {
                    let left = flat.sends_left(node, ordered, ordered + cell);
                    (left, !left)
                }
            };
            to_left &= !(u64::from(!left) << detour);
            to_right &= !(u64::from(!right) << detour);
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
