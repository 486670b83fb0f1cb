//! The leaves of a bundle as bits: which of them a box reaches is then a few operations on words, whatever they are.
//!
//! Along an axis, a leaf has an interval of ordered cells and some special ones. The cells at which the interval of some leaf begins
//! or ends are bounds. Of a box that has cells up to a bound only leaves are reached that begin below it, and of one that has cells
//! from a bound on only leaves that end above it.

use crate::problem::leads::Leading;
use crate::space::region::CellSet;

/// So many words at most: with more leaves, walking takes less time.
const MOST_WORDS: usize = 4;

/// A set of leaves.
pub(crate) type Set = [u64; MOST_WORDS];

/// Which cells lead to which leaves.
#[derive(Debug)]
pub(crate) struct Masks {
    /// The leaves that there are.
    all: Set,
    /// For each axis that matters, in their order.
    axes: Vec<Along>,
    sets: Vec<Set>,
}

/// Where the sets of an axis are.
#[derive(Debug)]
struct Along {
    axis: u32,
    num_ordered: u32,
    /// For every ordered cell, and the end of them, how many bounds there are up to it.
    bounds: Box<[u16]>,
    /// Where the leaves are that begin below each bound, from there on those that end above each, and those of each special cell.
    below: usize,
    above: usize,
    special: usize,
}

impl Masks {
    /// Whether there can be masks of so many leaves.
    pub(crate) fn can_have(num_leaves: usize) -> bool {
        num_leaves <= 64 * MOST_WORDS
    }

    /// Of so many leaves.
    pub(crate) fn new(num_leaves: usize) -> Self {
        let mut all = Set::default();
        (0..num_leaves).for_each(|leaf| add(&mut all, leaf));
        Self { all, axes: vec![], sets: vec![] }
    }

    /// Adds an axis: all of its cells, and those that lead to each leaf.
    pub(crate) fn add(&mut self, axis: u32, everything: &CellSet, leaves: &[Leading<'_>]) {
        let (num_ordered, num_cells) = (everything.num_ordered(), everything.num_cells());
        let ordered = leaves.iter().filter(|cells| cells.low < cells.high);
        let mut ends: Vec<u32> = ordered.flat_map(|cells| [cells.low, cells.high]).chain([0, num_ordered]).collect();
        ends.sort_unstable();
        ends.dedup();
        let up_to = |cell: u32| ends.partition_point(|end| *end <= cell) as u16;
        let bounds = (0..=num_ordered).map(up_to).collect();
        let below = self.sets.len();
        let above = below + ends.len();
        let special = above + ends.len();
        self.sets.resize(special + (num_cells - num_ordered) as usize, Set::default());
        for (leaf, cells) in leaves.iter().enumerate() {
            for (number, end) in ends.iter().enumerate().filter(|_| cells.low < cells.high) {
                if cells.low < *end {
                    add(&mut self.sets[below + number], leaf);
                }
                if cells.high > *end {
                    add(&mut self.sets[above + number], leaf);
                }
            }
            cells.special_places().for_each(|place| add(&mut self.sets[special + place], leaf));
        }
        self.axes.push(Along { axis, num_ordered, bounds, below, above, special });
    }

    /// The leaves that a box reaches.
    pub(crate) fn reached(&self, region: &[CellSet]) -> Set {
        let mut reached = self.all;
        for along in &self.axes {
            let cells = &region[along.axis as usize];
            let is_whole = cells.low == 0 && cells.high == along.num_ordered;
            if is_whole && cells.special.is_empty() {
                continue;
            }
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
        reached
    }
}

fn add(set: &mut Set, leaf: usize) {
    set[leaf / 64] |= 1 << (leaf % 64);
}

/// The leaves of a set, ascending.
pub(crate) fn members(set: Set) -> impl Iterator<Item = usize> {
    set.into_iter().enumerate().flat_map(|(word, bits)| {
        let mut left = bits;
        std::iter::from_fn(move || {
            let place = left.trailing_zeros() as usize;
            (left != 0).then(|| {
                left &= left - 1;
                64 * word + place
            })
        })
    })
}
