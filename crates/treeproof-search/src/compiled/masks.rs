//! A channel compiled to bit masks: which leaves of all trees a set of cells leaves reachable.
//!
//! The leaves of a tree are numbered by value, best first, so the best reachable leaf is the lowest set bit. For every
//! boundary of every axis there is a row of bits over the leaves of all trees, side by side: a region is then a few
//! streamed ANDs. A small question looks at few rows, so a row is made when it is first looked at.

mod leaves;
mod rows;

use std::ops::Range;

use self::leaves::LeafFinder;
use self::rows::BoundaryRows;
use crate::compiled::{CostTable, weight_shift};
use crate::grid::{Axes, Region, RegionCut, Value, index};
use crate::method::{Abandoned, Stop, proceed};
use crate::problem::{Channel, Tree};

/// A compiled channel.
#[derive(Debug)]
pub(crate) struct Masks {
    pub(crate) base: Value,
    pub(crate) trees: Vec<TreeBits>,
    /// Per leaf, tree after tree, best first within a tree.
    pub(crate) values: Vec<Value>,
    /// Per leaf the first of its [`AxisPath`]s; one more at the end.
    step_start: Vec<u32>,
    steps: Vec<AxisPath>,
    /// The boundaries at which a tree looks at an axis, ascending; steps point into this.
    boundaries: Vec<u32>,
    /// Per boundary, in the same order: the tree's own words of "starts below it", then of "ends above it". Rows hold the
    /// same bits, but there the boundaries of one tree lie far apart in memory.
    sides: Vec<u64>,
    /// Per axis, the trees that look at it, in order.
    lookers: Vec<Vec<Looker>>,
    /// All leaves that exist.
    full: Vec<u64>,
    pub(crate) rows: BoundaryRows,
    /// The shift from the unit of values to the coarser one of shares.
    pub(crate) share_shift: u32,
}

/// The offsets of a tree's leaves and boundaries.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TreeBits {
    pub(crate) first_word: u32,
    pub(crate) num_words: u32,
    pub(crate) first_leaf: u32,
    /// Its first boundary, and where the words of that begin.
    pub(crate) first_boundary: u32,
    first_side: u32,
}

/// The part of a leaf's path on one axis.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct AxisPath {
    pub(crate) axis: u32,
    /// The leaf's ordered cells; empty if `low >= high`.
    pub(crate) low: u32,
    pub(crate) high: u32,
    /// The tree's boundaries on the axis.
    pub(crate) first_boundary: u32,
    pub(crate) end_boundary: u32,
    /// The end of those up to `low`, and the first of those from `high` on.
    pub(crate) past_low: u32,
    pub(crate) at_high: u32,
}

/// A tree that looks at an axis, with its boundaries there.
#[derive(Clone, Debug)]
struct Looker {
    tree: u32,
    boundaries: Range<u32>,
}

/// A side of a boundary, by which leaves are told apart.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BoundarySide {
    /// Leaves that start below it.
    Below,
    /// Leaves that end above it.
    Above,
}

impl Masks {
    /// The bytes that the masks of a channel would take.
    pub(crate) fn bytes(space: &Axes, channel: &Channel) -> usize {
        let (mut words, mut sides) = (0, 0);
        for tree in &channel.trees {
            // A binary tree has one leaf more than splits, and each split is a boundary at most.
            let splits = tree.nodes.len() / 2;
            let of_tree = (splits + 1).div_ceil(64);
            words += of_tree;
            sides += 2 * splits * of_tree;
        }
        let rows: usize = space.axes.iter().map(|axis| 2 * axis.ordered as usize + axis.special as usize).sum();
        (words.saturating_mul(rows) + sides).saturating_mul(8)
    }

    pub(crate) fn new(space: &Axes, channel: &Channel, stop: &dyn Stop) -> Result<Self, Abandoned> {
        let mut masks = Self {
            base: channel.base,
            trees: Vec::with_capacity(channel.trees.len()),
            values: vec![],
            step_start: vec![0],
            steps: vec![],
            boundaries: vec![],
            sides: vec![],
            lookers: vec![vec![]; space.axes.len()],
            full: vec![],
            rows: BoundaryRows::new(space),
            share_shift: 0,
        };
        let mut finder = LeafFinder::new(space);
        let mut most = 0;
        for tree in &channel.trees {
            proceed(stop)?;
            masks.add_tree(&mut finder, tree);
            let values = &masks.values[masks.trees[masks.trees.len() - 1].first_leaf as usize..];
            most += values[0] - values[values.len() - 1];
        }
        masks.share_shift = weight_shift(most);
        Ok(masks)
    }

    fn add_tree(&mut self, finder: &mut LeafFinder<'_>, tree: &Tree) {
        let mut first_boundary = index(self.boundaries.len());
        finder.find(tree, first_boundary);
        let (cuts, num_leaves) = (&finder.cuts, finder.leaves.len());
        let words = num_leaves.div_ceil(64);
        let bits = TreeBits {
            first_word: index(self.full.len()),
            num_words: index(words),
            first_leaf: index(self.values.len()),
            first_boundary,
            first_side: index(self.sides.len()),
        };
        self.boundaries.extend(cuts.iter().map(|(_, cut)| *cut));
        for of_axis in cuts.chunk_by(|a, b| a.0 == b.0) {
            let end_boundary = first_boundary + index(of_axis.len());
            let looker = Looker { tree: index(self.trees.len()), boundaries: first_boundary..end_boundary };
            self.lookers[of_axis[0].0 as usize].push(looker);
            first_boundary = end_boundary;
        }
        self.sides.resize(self.sides.len() + cuts.len() * 2 * words, 0);
        let sides = &mut self.sides[bits.first_side as usize..];
        for (place, (value, leaf)) in finder.leaves.iter().enumerate() {
            let (word, bit) = (place / 64, 1_u64 << (place % 64));
            let of_all = bits.first_word as usize + word;
            self.values.push(*value);
            for (path, excluded) in finder.sides(leaf) {
                // Where leaves are missing: from here down they do not start below, from there up they do not end above.
                let (last_below, first_above) = if path.low >= path.high {
                    self.rows.exclude(path.axis, None, of_all, bit);
                    (path.end_boundary, path.first_boundary)
                } else {
                    (path.past_low, path.at_high)
                };
                let side = |boundary: u32| (boundary - bits.first_boundary) as usize * 2 * words;
                if last_below > path.first_boundary {
                    sides[side(last_below - 1) + word] |= bit;
                }
                if first_above < path.end_boundary {
                    sides[side(first_above) + words + word] |= bit;
                }
                excluded.iter().for_each(|cell| self.rows.exclude(path.axis, Some(*cell), of_all, bit));
                self.steps.push(path);
            }
            self.step_start.push(index(self.steps.len()));
        }
        fill_in(sides, words, cuts);
        for word in 0..words {
            let left = num_leaves - word * 64;
            self.full.push(if left >= 64 { u64::MAX } else { (1 << left) - 1 });
        }
        self.trees.push(bits);
    }

    /// Leaves that start below a cell, which is at least 1, or end above a cell.
    #[inline]
    pub(crate) fn beside(&self, side: BoundarySide, axis: u32, cell: u32) -> &[u64] {
        let make = || self.rows.made(&self.full, |row| self.and_by_tree(side, axis, cell, row));
        self.rows.beside(side, axis, cell).get_or_init(make)
    }

    /// Leaves that have a special cell.
    #[inline]
    pub(crate) fn has_special(&self, axis: u32, cell: u32) -> &[u64] {
        let make = || self.rows.made(&self.full, |row| self.rows.remove(axis, Some(cell), row));
        self.rows.special(axis, cell).get_or_init(make)
    }

    /// ANDs the leaves on one side of a cell, by its row if there is one or may be.
    fn and_beside(&self, side: BoundarySide, axis: u32, cell: u32, reach: &mut [u64]) {
        match self.rows.beside(side, axis, cell).get() {
            Some(row) => and(reach, row),
            None if self.rows.has_room() => and(reach, self.beside(side, axis, cell)),
            None => self.and_by_tree(side, axis, cell, reach),
        }
    }

    /// ANDs the leaves on one side of a cell: for each tree those that start below its next boundary, or end above its
    /// last one up to the cell, if there is one.
    fn and_by_tree(&self, side: BoundarySide, axis: u32, cell: u32, row: &mut [u64]) {
        for Looker { tree, boundaries } in &self.lookers[axis as usize] {
            let cuts = &self.boundaries[boundaries.start as usize..boundaries.end as usize];
            let place = match side {
                BoundarySide::Below => Some(cuts.partition_point(|cut| *cut < cell)).filter(|next| *next < cuts.len()),
                BoundarySide::Above => cuts.partition_point(|cut| *cut <= cell).checked_sub(1),
            };
            if let Some(place) = place {
                let bits = &self.trees[*tree as usize];
                let words = bits.num_words as usize;
                let first = (boundaries.start - bits.first_boundary) as usize + place;
                and(bits.words_mut(row), &self.sides_of(bits)[(first * 2 + side as usize) * words..][..words]);
            }
        }
        self.rows.remove(axis, None, row);
    }

    /// The path to a leaf, by axis.
    #[inline]
    pub(crate) fn steps(&self, leaf: usize) -> &[AxisPath] {
        &self.steps[self.step_start[leaf] as usize..self.step_start[leaf + 1] as usize]
    }

    /// A boundary.
    #[inline]
    pub(crate) fn boundary(&self, boundary: u32) -> u32 {
        self.boundaries[boundary as usize]
    }

    /// The values of leaves, from a tree's best one on.
    #[inline]
    pub(crate) fn values_of(&self, bits: &TreeBits) -> &[Value] {
        &self.values[bits.first_leaf as usize..]
    }

    /// From a tree's first boundary on: the words of its leaves that start below it, and of those that end above it.
    #[inline]
    pub(crate) fn sides_of(&self, bits: &TreeBits) -> &[u64] {
        &self.sides[bits.first_side as usize..]
    }

    /// The leaves that a region leaves reachable.
    pub(crate) fn reach(&self, space: &Axes, region: &Region, reach: &mut Vec<u64>) {
        reach.clear();
        reach.extend_from_slice(&self.full);
        self.shrink(space, &space.everything, region, reach);
    }

    /// Removes the leaves that a part of a region does not reach.
    pub(crate) fn shrink(&self, space: &Axes, before: &Region, region: &Region, reach: &mut [u64]) {
        for (axis, shape) in space.axes.iter().enumerate() {
            let (low, high) = (region.low[axis], region.high[axis]);
            let axis_id = index(axis);
            if shape.special == 0 || !space.is_mixed(before, axis) {
                if low > before.low[axis] {
                    self.and_beside(BoundarySide::Above, axis_id, low, reach);
                }
                if high < before.high[axis] {
                    self.and_beside(BoundarySide::Below, axis_id, high, reach);
                }
            } else if !space.same_cells(before, region, axis) {
                let mut allowed = vec![0; reach.len()];
                self.axis_mask(space, region, axis, &mut allowed);
                and(reach, &allowed);
            }
        }
    }

    /// Adds the leaves that one axis of a region allows.
    fn axis_mask(&self, space: &Axes, region: &Region, axis: usize, allowed: &mut [u64]) {
        let (low, high) = (region.low[axis], region.high[axis]);
        let axis_id = index(axis);
        if low < high {
            let above = self.beside(BoundarySide::Above, axis_id, low);
            let below = self.beside(BoundarySide::Below, axis_id, high);
            for ((allowed, above), below) in allowed.iter_mut().zip(above).zip(below) {
                *allowed |= above & below;
            }
        }
        for cell in space.special_cells(region, axis) {
            for (allowed, special) in allowed.iter_mut().zip(self.has_special(axis_id, cell)) {
                *allowed |= special;
            }
        }
    }

    /// The first step of a leaf's path that a point does not take.
    #[inline]
    fn missed(&self, space: &Axes, bits: &TreeBits, leaf: usize, point: &[u32]) -> Option<&AxisPath> {
        self.steps(leaf).iter().find(|step| {
            let cell = point[step.axis as usize];
            let ordered = space.axes[step.axis as usize].ordered;
            if cell < ordered {
                !(step.low..step.high).contains(&cell)
            } else {
                !bits.has(self.has_special(step.axis, cell - ordered), leaf)
            }
        })
    }

    /// A cut between a point and the best leaf of a tree that does not have it.
    pub(crate) fn conflict(&self, space: &Axes, region: &Region, best: &[u32], point: &[u32]) -> Option<RegionCut> {
        self.trees.iter().zip(best).find_map(|(tree, best)| {
            let step = self.missed(space, tree, *best as usize, point)?;
            let cell = point[step.axis as usize];
            let boundary = if cell < step.low { step.low } else { step.high };
            Some(space.parting(region, step.axis, cell, boundary))
        })
    }

    /// Moves a point of a region into a leaf that the region reaches, as cheaply as possible. Returns false, and leaves the
    /// point where it is, if that needs a special cell.
    pub(crate) fn enter(&self, region: &Region, leaf: usize, table: &CostTable, point: &mut [u32]) -> bool {
        let within = |step: &AxisPath| {
            let axis = step.axis as usize;
            (region.low[axis].max(step.low), region.high[axis].min(step.high))
        };
        let steps = self.steps(leaf);
        if steps.iter().map(within).any(|(low, high)| low >= high) {
            return false;
        }
        for (step, (low, high)) in steps.iter().zip(steps.iter().map(within)) {
            let cell = &mut point[step.axis as usize];
            if !(low..high).contains(cell) {
                *cell = table.cheapest_ordered(step.axis as usize, low, high);
            }
        }
        true
    }
}

impl TreeBits {
    #[inline]
    pub(crate) fn words<'r>(&self, row: &'r [u64]) -> &'r [u64] {
        &row[self.first_word as usize..][..self.num_words as usize]
    }

    #[inline]
    fn words_mut<'r>(&self, row: &'r mut [u64]) -> &'r mut [u64] {
        &mut row[self.first_word as usize..][..self.num_words as usize]
    }

    /// The best leaf of a set that has one.
    #[inline]
    pub(crate) fn best(&self, set: &[u64]) -> usize {
        for (place, word) in self.words(set).iter().enumerate() {
            if *word != 0 {
                return self.first_leaf as usize + place * 64 + word.trailing_zeros() as usize;
            }
        }
        unreachable!("every point reaches a leaf of every tree")
    }

    /// The leaves of a set, best first.
    #[inline]
    pub(crate) fn leaves<'r>(&self, set: &'r [u64]) -> impl Iterator<Item = usize> + use<'r> {
        let first_leaf = self.first_leaf as usize;
        self.words(set).iter().enumerate().flat_map(move |(place, word)| {
            let mut word = *word;
            std::iter::from_fn(move || {
                let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
                word &= word - 1;
                Some(first_leaf + place * 64 + bit)
            })
        })
    }

    /// True if a set has a leaf.
    #[inline]
    pub(crate) fn has(&self, set: &[u64], leaf: usize) -> bool {
        let place = leaf - self.first_leaf as usize;
        self.words(set)[place / 64] >> (place % 64) & 1 != 0
    }
}

/// Turns marks of where leaves begin to be missing into the leaves that are there: a leaf that does not start below a
/// boundary does not start below a lower one either, and the same the other way about for ends.
fn fill_in(sides: &mut [u64], words: usize, cuts: &[(u32, u32)]) {
    let mut first = 0;
    for of_axis in cuts.chunk_by(|a, b| a.0 == b.0) {
        let end = first + of_axis.len();
        for boundary in (first..end - 1).rev() {
            for word in boundary * 2 * words..(boundary * 2 + 1) * words {
                sides[word] |= sides[word + 2 * words];
            }
        }
        for boundary in first + 1..end {
            for word in (boundary * 2 + 1) * words..(boundary * 2 + 2) * words {
                sides[word] |= sides[word - 2 * words];
            }
        }
        first = end;
    }
    sides.iter_mut().for_each(|word| *word = !*word);
}

#[inline]
fn and(set: &mut [u64], other: &[u64]) {
    for (word, other) in set.iter_mut().zip(other) {
        *word &= other;
    }
}
