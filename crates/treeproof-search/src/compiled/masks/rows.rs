//! Rows of bits over the leaves of all trees, one per boundary and special cell, each made when first looked at.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::BoundarySide;
use crate::grid::{Axes, index, offsets};

/// A row, once it is made.
type LazyRow = OnceLock<Box<[u64]>>;

/// The rows of a channel.
#[derive(Debug)]
pub(crate) struct BoundaryRows {
    rows: Vec<LazyRow>,
    /// Per axis the first row of `start < cell` (for cells 1 to ordered), `end > cell` (0 to ordered − 1), special cells.
    below: Vec<u32>,
    above: Vec<u32>,
    special: Vec<u32>,
    /// Per axis the leaves, word and bit, that no ordered cell leads to; then those that each special cell does not.
    without: Vec<Vec<Vec<(u32, u64)>>>,
    bytes: AtomicUsize,
    max_bytes: AtomicUsize,
}

impl BoundaryRows {
    pub(crate) fn new(space: &Axes) -> Self {
        let (below, count) = offsets(&space.axes, |axis| 2 * axis.ordered + axis.special);
        let above: Vec<u32> = below.iter().zip(&space.axes).map(|(first, axis)| first + axis.ordered).collect();
        let special = above.iter().zip(&space.axes).map(|(first, axis)| first + axis.ordered).collect();
        Self {
            rows: (0..count).map(|_| OnceLock::new()).collect(),
            below,
            above,
            special,
            without: space.axes.iter().map(|axis| vec![vec![]; axis.special as usize + 1]).collect(),
            bytes: 0.into(),
            max_bytes: usize::MAX.into(),
        }
    }

    #[inline]
    pub(crate) fn beside(&self, side: BoundarySide, axis: u32, cell: u32) -> &LazyRow {
        let axis = axis as usize;
        let row = match side {
            BoundarySide::Below => self.below[axis] + cell - 1,
            BoundarySide::Above => self.above[axis] + cell,
        };
        &self.rows[row as usize]
    }

    #[inline]
    pub(crate) fn special(&self, axis: u32, cell: u32) -> &LazyRow {
        &self.rows[(self.special[axis as usize] + cell) as usize]
    }

    /// Notes that a special cell of an axis does not lead to a leaf; with `None`, that no ordered cell does.
    pub(crate) fn exclude(&mut self, axis: u32, special: Option<u32>, word: usize, bit: u64) {
        self.without[axis as usize][choice(special)].push((index(word), bit));
    }

    /// Removes the leaves that were excluded so.
    pub(crate) fn remove(&self, axis: u32, special: Option<u32>, row: &mut [u64]) {
        let without = &self.without[axis as usize][choice(special)];
        without.iter().for_each(|(word, bit)| row[*word as usize] &= !bit);
    }

    /// A new row: all leaves, without those that `remove` removes.
    pub(crate) fn made(&self, full: &[u64], remove: impl FnOnce(&mut [u64])) -> Box<[u64]> {
        let mut row: Box<[u64]> = full.into();
        remove(&mut row);
        self.bytes.fetch_add(size_of_val(&*row) + 16, Ordering::Relaxed);
        row
    }

    /// True if there is memory for another row; boundaries without a row are looked up tree by tree.
    pub(crate) fn has_room(&self) -> bool {
        self.bytes() < self.max_bytes.load(Ordering::Relaxed)
    }

    /// Sets how much memory rows may take.
    pub(crate) fn limit(&self, max_bytes: usize) {
        self.max_bytes.store(max_bytes, Ordering::Relaxed);
    }

    /// The bytes of the rows that were made so far.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}

fn choice(special: Option<u32>) -> usize {
    special.map_or(0, |cell| cell as usize + 1)
}
