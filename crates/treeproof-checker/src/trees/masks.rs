//! Sets of leaves as bits, for bundles with few leaves: the leaves that a box reaches take a few operations on words.
//!
//! Along an axis, a leaf has an interval of ordered cells and some special ones. The cells at which the interval of some leaf
//! begins or ends are bounds. A box with cells up to a bound reaches only leaves that begin below it, and a box with cells from
//! a bound on only leaves that end above it.

use crate::region::{CellSet, Region};
use crate::trees::bundle::{Bundle, LeafCells};

/// Size of a set in words. With more leaves a walk takes less time.
const SET_WORDS: usize = 4;

/// Limit on the stretches of cells of an axis in which bounds are counted.
const MOST_STRETCHES: u32 = 1024;

/// A set of leaves.
pub(crate) type LeafSet = [u64; SET_WORDS];

/// The leaves to which cells lead.
#[derive(Debug)]
pub(crate) struct LeafMasks {
    /// The set of all leaves.
    pub(crate) all: LeafSet,
    /// The axes that are split, and for every axis its place among them, or a larger number.
    axes: Vec<AxisMasks>,
    places: Vec<u32>,
    sets: Vec<LeafSet>,
    /// The bounds of these axes, ascending, the first cell and the end among them.
    bounds: Vec<Box<[u32]>>,
    /// The ordered cells that lead to each leaf: from one to below another.
    ordered: Vec<Box<[(u32, u32)]>>,
}

/// The layout of an axis.
#[derive(Debug)]
struct AxisMasks {
    /// The number of bounds up to the first cell of each stretch, which has two to this power cells.
    num_before: Box<[u16]>,
    power: u32,
    num_ordered: u32,
    /// The places of the sets: of leaves that begin below each bound, of leaves that end above each, and of special cells.
    below: usize,
    above: usize,
    special: usize,
}

impl AxisMasks {
    /// The number of bounds that are not above an ordered cell.
    fn num_up_to(&self, bounds: &[u32], cell: u32) -> usize {
        let before = self.num_before[(cell >> self.power) as usize] as usize;
        if self.power == 0 {
            return before;
        }
        before + bounds[before..].iter().take_while(|bound| **bound <= cell).count()
    }
}

impl LeafMasks {
    /// True if there can be masks of a bundle with this number of leaves.
    pub(crate) fn can_have(num_leaves: usize) -> bool {
        num_leaves <= 64 * SET_WORDS
    }

    /// The masks of a bundle over all these cells.
    pub(crate) fn new(everything: &Region, bundle: &Bundle) -> Self {
        let num_leaves = bundle.values.len() as u32;
        let places = vec![u32::MAX; everything.num_axes()];
        let (all, axes, sets, bounds, ordered) = Default::default();
        let mut masks = Self { all, axes, places, sets, bounds, ordered };
        (0..num_leaves as usize).for_each(|leaf| insert(&mut masks.all, leaf));
        for (cells, axis) in everything.axes.iter().zip(0..).filter(|(_, axis)| bundle.tells_apart(*axis)) {
            let leaf_cells = |leaf: u32| bundle.leaf_cells_of(axis, cells, leaf);
            masks.add(axis, cells, &(0..num_leaves).map(leaf_cells).collect::<Vec<_>>());
        }
        masks
    }

    fn add(&mut self, axis: u32, all: &CellSet, leaves: &[LeafCells<'_>]) {
        let (num_ordered, num_cells) = (all.num_ordered(), all.num_cells());
        let ordered: Box<[(u32, u32)]> = leaves.iter().map(|leaf| (leaf.low, leaf.high.min(num_ordered))).collect();
        let some = ordered.iter().filter(|(low, high)| low < high);
        let mut bounds: Vec<u32> = some.flat_map(|(low, high)| [*low, *high]).chain([0, num_ordered]).collect();
        bounds.sort_unstable();
        bounds.dedup();
        let below = self.sets.len();
        let above = below + bounds.len();
        let special = above + bounds.len();
        self.sets.resize(special + (num_cells - num_ordered) as usize, LeafSet::default());
        for (leaf, (low, high)) in ordered.iter().enumerate().filter(|(_, (low, high))| low < high) {
            for (number, bound) in bounds.iter().enumerate() {
                if low < bound {
                    insert(&mut self.sets[below + number], leaf);
                }
                if high > bound {
                    insert(&mut self.sets[above + number], leaf);
                }
            }
        }
        for (leaf, leaf_cells) in leaves.iter().enumerate() {
            leaf_cells.special_places().for_each(|place| insert(&mut self.sets[special + place], leaf));
        }
        // Not one for each cell, as there may be many trees and many cells.
        let power = (num_ordered / MOST_STRETCHES).checked_ilog2().map_or(0, |power| power + 1);
        let num_up_to = |cell: u32| bounds.partition_point(|bound| *bound <= cell) as u16;
        let num_before = (0..=num_ordered >> power).map(|stretch| num_up_to(stretch << power)).collect();
        self.places[axis as usize] = self.axes.len() as u32;
        self.axes.push(AxisMasks { num_before, power, num_ordered, below, above, special });
        self.bounds.push(bounds.into());
        self.ordered.push(ordered);
    }

    /// The ordered cells of an axis that lead to each leaf, if it is split.
    pub(crate) fn ordered(&self, axis: u32) -> Option<&[(u32, u32)]> {
        self.ordered.get(self.places[axis as usize] as usize).map(|ordered| &**ordered)
    }

    /// Removes the leaves that a box does not reach with its cells of these axes, which are split.
    pub(crate) fn confine(&self, region: &Region, axes: impl Iterator<Item = usize>, reached: &mut LeafSet) {
        for axis in axes {
            let place = self.places[axis] as usize;
            let (cells, along) = (&region.axes[axis], &self.axes[place]);
            let mut goes = LeafSet::default();
            if cells.low < cells.high {
                // The last bound that is not above the first cell, and the first that is not below the end.
                let first = along.num_up_to(&self.bounds[place], cells.low) - 1;
                let end = along.num_up_to(&self.bounds[place], cells.high - 1);
                let (below, above) = (&self.sets[along.below + end], &self.sets[along.above + first]);
                goes.iter_mut().zip(below.iter().zip(above)).for_each(|(goes, (below, above))| *goes = below & above);
            }
            if !cells.special.is_empty() {
                for cell in cells.special() {
                    let own = &self.sets[along.special + (cell - along.num_ordered) as usize];
                    goes.iter_mut().zip(own).for_each(|(goes, own)| *goes |= own);
                }
            }
            reached.iter_mut().zip(goes).for_each(|(reached, goes)| *reached &= goes);
        }
    }
}

fn insert(set: &mut LeafSet, leaf: usize) {
    set[leaf / 64] |= 1 << (leaf % 64);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::trees::joined::{JoinedTrees, Origin};

    /// So many cells that they are counted in stretches.
    #[test]
    fn leaves_of_an_axis_of_many_cells_are_those_that_its_cells_lead_to() {
        const CELLS: u32 = 5000;
        let mut state = 1_u64;
        let mut random = |below: u32| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            ((state >> 33) % u64::from(below)) as u32
        };
        let everything = Region::new(vec![CellSet::all(CELLS, CELLS)]);
        let mut some = || {
            // Some are next to each other.
            let most = [3, 20, CELLS][random(3) as usize];
            let low = random(CELLS);
            (low, (low + 1 + random(most)).min(CELLS))
        };
        let leaves: Vec<(u32, u32)> = (0..100).map(|_| some()).collect();
        let mut joined = JoinedTrees::default();
        let mut from = Origin::START;
        for (low, high) in &leaves {
            let free = joined.free(from, 1);
            let cells = everything.axis(0).some((*low, *high), &[]);
            let own = joined.fork(Origin::fork(free, 0), 0, [&cells, &cells.none()]);
            joined.end(Origin::fork(own, 0), vec![]);
            from = Origin::fork(free, 1);
        }
        // The numbers of leaves are those of their values.
        let values: Vec<i64> = (0..100).map(|leaf| -leaf).collect();
        let masks = LeafMasks::new(&everything, &Bundle::new(&everything, joined, &values));
        assert!(masks.axes[0].num_before.len() < CELLS as usize / 2);
        for _ in 0..3000 {
            let (low, high) = some();
            let region = Region::new(vec![everything.axis(0).some((low, high), &[])]);
            let mut reached = masks.all;
            masks.confine(&region, std::iter::once(0), &mut reached);
            for (leaf, (start, end)) in leaves.iter().enumerate() {
                let is_reached = reached[leaf / 64] >> (leaf % 64) & 1 == 1;
                assert_eq!(is_reached, low < *end && *start < high, "{low}..{high} and {start}..{end}");
            }
        }
    }
}
