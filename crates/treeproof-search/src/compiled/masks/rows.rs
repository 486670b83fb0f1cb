//! Rows of bits over the leaves of all trees, one per boundary and special cell, each made when first looked at.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::grid::{Space, index};

/// A row, once it is made.
pub(super) type Row = OnceLock<Box<[u64]>>;

/// The rows of a channel.
#[derive(Debug)]
pub(super) struct BoundaryRows {
    rows: Vec<Row>,
    /// Per axis the first row of `start < cell` (for cells 1 to ordered), `end > cell` (0 to ordered − 1), special cells.
    below: Vec<u32>,
    above: Vec<u32>,
    special: Vec<u32>,
    /// Per axis, the leaves that no ordered cell leads to: word and bit.
    without_ordered: Vec<Vec<(u32, u64)>>,
    /// Per axis and special cell, the leaves that it does not lead to.
    without_special: Vec<Vec<Vec<(u32, u64)>>>,
    bytes: AtomicUsize,
    max_bytes: AtomicUsize,
}

impl BoundaryRows {
    pub(super) fn new(space: &Space) -> Self {
        let (mut below, mut above, mut special) = (vec![], vec![], vec![]);
        let mut count = 0;
        for axis in &space.axes {
            below.push(count);
            above.push(count + axis.ordered);
            special.push(count + 2 * axis.ordered);
            count += 2 * axis.ordered + axis.special;
        }
        let rows = (0..count).map(|_| OnceLock::new()).collect();
        let without_ordered = vec![vec![]; space.axes.len()];
        let without_special = space.axes.iter().map(|axis| vec![vec![]; axis.special as usize]).collect();
        Self {
            rows,
            below,
            above,
            special,
            without_ordered,
            without_special,
            bytes: 0.into(),
            max_bytes: usize::MAX.into(),
        }
    }

    #[inline]
    pub(super) fn below(&self, axis: u32, cell: u32) -> &Row {
        &self.rows[(self.below[axis as usize] + cell - 1) as usize]
    }

    #[inline]
    pub(super) fn above(&self, axis: u32, cell: u32) -> &Row {
        &self.rows[(self.above[axis as usize] + cell) as usize]
    }

    #[inline]
    pub(super) fn special(&self, axis: u32, cell: u32) -> &Row {
        &self.rows[(self.special[axis as usize] + cell) as usize]
    }

    /// Notes that no ordered cell of an axis leads to a leaf.
    pub(super) fn exclude_ordered(&mut self, axis: u32, word: usize, bit: u64) {
        self.without_ordered[axis as usize].push((index(word), bit));
    }

    /// Notes that a special cell of an axis does not lead to a leaf.
    pub(super) fn exclude_special(&mut self, axis: u32, cell: u32, word: usize, bit: u64) {
        self.without_special[axis as usize][cell as usize].push((index(word), bit));
    }

    /// Removes the leaves that no ordered cell leads to.
    pub(super) fn clear_ordered(&self, axis: u32, row: &mut [u64]) {
        self.without_ordered[axis as usize].iter().for_each(|(word, bit)| row[*word as usize] &= !bit);
    }

    /// Removes the leaves that a special cell does not lead to.
    pub(super) fn clear_special(&self, axis: u32, cell: u32, row: &mut [u64]) {
        self.without_special[axis as usize][cell as usize].iter().for_each(|(word, bit)| row[*word as usize] &= !bit);
    }

    /// A new row: all leaves, without those that `remove` removes.
    pub(super) fn made(&self, full: &[u64], remove: impl FnOnce(&mut [u64])) -> Box<[u64]> {
        let mut row: Box<[u64]> = full.into();
        remove(&mut row);
        self.bytes.fetch_add(size_of_val(&*row) + 16, Ordering::Relaxed);
        row
    }

    /// True if there is memory for another row; boundaries without a row are looked up tree by tree.
    pub(super) fn has_room(&self) -> bool {
        self.bytes() < self.max_bytes.load(Ordering::Relaxed)
    }

    /// Sets how much memory rows may take.
    pub(super) fn limit(&self, max_bytes: usize) {
        self.max_bytes.store(max_bytes, Ordering::Relaxed);
    }

    /// The bytes of the rows that were made so far.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }
}
