//! Few leaves as bits: which of them a box reaches is then a few operations on words, however many they are.
//!
//! Along an axis, a leaf has an interval of ordered cells and some special ones. The cells at which the interval of some leaf begins
//! or ends are bounds. Of a box that has cells up to a bound only leaves are reached that begin below it, and of one that has cells
//! from a bound on only leaves that end above it.

use crate::problem::bundle::{Bundle, Leading};
use crate::space::region::{CellSet, Region};

/// So many words at most: with more leaves, walking to them takes less time.
const MOST_WORDS: usize = 4;

/// A set of leaves.
pub(crate) type Set = [u64; MOST_WORDS];

/// Which cells lead to which leaves.
#[derive(Debug)]
pub(crate) struct Masks {
    /// The leaves that there are.
    pub(crate) all: Set,
    /// The axes that matter, and for every axis its place among them, or more than that.
    axes: Vec<Along>,
    places: Vec<u32>,
    sets: Vec<Set>,
}

/// What there is of an axis.
#[derive(Debug)]
struct Along {
    num_ordered: u32,
    /// The ordered cells that lead to each leaf: from one to below another.
    ordered: Box<[(u32, u32)]>,
    /// For every ordered cell how many bounds there are up to it.
    bounds: Box<[u16]>,
    /// Where the sets of leaves are that begin below each bound, those of leaves that end above each, and those of special cells.
    below: usize,
    above: usize,
    special: usize,
}

impl Masks {
    /// Whether there can be masks of so many leaves.
    pub(crate) fn can_have(num_leaves: usize) -> bool {
        num_leaves <= 64 * MOST_WORDS
    }

    /// Of the leaves of a bundle over all these cells.
    pub(crate) fn new(everything: &Region, bundle: &Bundle) -> Self {
        let num_leaves = bundle.values.len() as u32;
        let places = vec![u32::MAX; everything.num_axes()];
        let mut masks = Self { all: Set::default(), axes: vec![], places, sets: vec![] };
        (0..num_leaves as usize).for_each(|leaf| insert(&mut masks.all, leaf));
        for (cells, axis) in everything.axes.iter().zip(0..).filter(|(_, axis)| bundle.tells_apart(*axis)) {
            let leading = |leaf: u32| bundle.leading_of(axis, cells.special.len(), leaf);
            masks.add(axis, cells, &(0..num_leaves).map(leading).collect::<Vec<_>>());
        }
        masks
    }

    fn add(&mut self, axis: u32, all: &CellSet, leaves: &[Leading<'_>]) {
        let (num_ordered, num_cells) = (all.num_ordered(), all.num_cells());
        let ordered: Box<[(u32, u32)]> = leaves.iter().map(|leaf| (leaf.low, leaf.high.min(num_ordered))).collect();
        let some = ordered.iter().filter(|(low, high)| low < high);
        let mut ends: Vec<u32> = some.flat_map(|(low, high)| [*low, *high]).chain([0, num_ordered]).collect();
        ends.sort_unstable();
        ends.dedup();
        let up_to = |cell: u32| ends.partition_point(|end| *end <= cell) as u16;
        let bounds = (0..num_ordered).map(up_to).collect();
        let below = self.sets.len();
        let above = below + ends.len();
        let special = above + ends.len();
        self.sets.resize(special + (num_cells - num_ordered) as usize, Set::default());
        for (leaf, (low, high)) in ordered.iter().enumerate().filter(|(_, (low, high))| low < high) {
            for (number, end) in ends.iter().enumerate() {
                if low < end {
                    insert(&mut self.sets[below + number], leaf);
                }
                if high > end {
                    insert(&mut self.sets[above + number], leaf);
                }
            }
        }
        for (leaf, leading) in leaves.iter().enumerate() {
            let places = leading.special_places().take_while(|place| *place < (num_cells - num_ordered) as usize);
            places.for_each(|place| insert(&mut self.sets[special + place], leaf));
        }
        self.places[axis as usize] = self.axes.len() as u32;
        self.axes.push(Along { num_ordered, ordered, bounds, below, above, special });
    }

    /// The ordered cells of an axis that lead to each leaf, if it matters.
    pub(crate) fn ordered(&self, axis: u32) -> Option<&[(u32, u32)]> {
        self.axes.get(self.places[axis as usize] as usize).map(|along| &*along.ordered)
    }

    /// Takes leaves out of a set that a box does not reach with the cells that it has of these axes, which matter.
    pub(crate) fn confine(&self, region: &Region, axes: impl Iterator<Item = usize>, reached: &mut Set) {
        for axis in axes {
            let (cells, along) = (&region.axes[axis], &self.axes[self.places[axis] as usize]);
            let mut goes = Set::default();
            if cells.low < cells.high {
                // The last bound that is not above the first cell, and the first that is not below the end.
                let first = along.bounds[cells.low as usize] as usize - 1;
                let end = along.bounds[cells.high as usize - 1] as usize;
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

fn insert(set: &mut Set, leaf: usize) {
    set[leaf / 64] |= 1 << (leaf % 64);
}
