//! The open regions of an enumeration, best bound first.

use std::collections::BinaryHeap;

use crate::frontier::{Ranked, grow};
use crate::grid::{Packed, Value};

/// The next step of an open region.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// It is a configuration of this value, certain when it is taken.
    Certain(Value),
    /// It is parted at this split.
    Part(u32),
}

/// An open region.
#[derive(Debug)]
pub(super) struct PendingRegion {
    pub(super) region: Packed,
    pub(super) next: Next,
    /// The number in the journal of a configuration, or of the first of two parts.
    pub(super) number_in_journal: u64,
}

#[derive(Debug, Default)]
pub(super) struct OpenRegions {
    heap: BinaryHeap<Ranked<PendingRegion>>,
    next_number: u64,
    /// Bytes of the packed regions.
    packed: usize,
}

impl OpenRegions {
    pub(super) fn push(&mut self, bound: Value, region: Packed, next: Next, number_in_journal: u64) {
        self.next_number += 1;
        self.packed += region.bytes();
        let heap = &mut self.heap;
        grow(heap.len() == heap.capacity(), heap.len(), |more| heap.reserve_exact(more));
        let item = PendingRegion { region, next, number_in_journal };
        heap.push(Ranked { bound, number: self.next_number, item });
    }

    pub(super) fn pop(&mut self) -> Option<Ranked<PendingRegion>> {
        let entry = self.heap.pop()?;
        self.packed -= entry.item.region.bytes();
        Some(entry)
    }

    /// The best bound.
    pub(super) fn bound(&self) -> Option<Value> {
        self.heap.peek().map(|entry| entry.bound)
    }

    /// The numbers in the journal of the configurations among them.
    pub(super) fn certain(&self) -> impl Iterator<Item = u64> {
        let certain = self.heap.iter().filter(|entry| matches!(entry.item.next, Next::Certain(_)));
        certain.map(|entry| entry.item.number_in_journal)
    }

    pub(super) fn len(&self) -> usize {
        self.heap.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Ranked<PendingRegion>>() + self.packed
    }
}
