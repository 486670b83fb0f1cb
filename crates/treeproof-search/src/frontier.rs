//! The open regions, best bound first. A region is stored once for its two parts, as its difference from everything.
//!
//! The better part of the region that was opened last comes before all others: much of what is known about the whole holds
//! for it, so that a dive is cheaper than jumps between the best regions. Where very many are open, jumps bring the
//! bound down faster.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::expand::PartBound;
use crate::grid::{Axes, CutPart, Packed, Region, RegionCut, Value, index};

/// An entry of a heap, best bound first.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ranked<T> {
    /// No point of it has a larger value.
    pub(crate) bound: Value,
    /// Later ones come first among equal bounds, so that ties are searched in depth.
    pub(crate) number: u64,
    pub(crate) item: T,
}

/// An open part of a stored region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct OpenPart {
    pub(crate) case: u32,
    stored: u32,
    cut: Option<(RegionCut, CutPart)>,
}

/// With fewer open regions than this, the last one's better part comes first.
const DIVE_BELOW: usize = 10_000;

/// The open regions: the nodes of branch and bound that are neither expanded nor pruned.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    heap: BinaryHeap<Ranked<OpenPart>>,
    /// The entry that comes before all others, while the search dives.
    next: Option<Ranked<OpenPart>>,
    /// The stored regions, each with the number of its open parts; and the slots that are free.
    regions: Vec<Option<(Packed, u32)>>,
    free: Vec<u32>,
    /// The number of the next that opens.
    next_number: u64,
    /// Bytes of the packed regions.
    packed: usize,
}

impl Frontier {
    /// Opens parts of a region, each with its bound.
    pub(crate) fn open(&mut self, space: &Axes, region: &Region, case: u32, parts: &[PartBound]) {
        let first = self.next_number;
        self.next_number += parts.len() as u64;
        self.open_numbered(space, region, case, first, parts);
    }

    /// Opens parts that have numbers, from the first one on.
    pub(crate) fn open_numbered(&mut self, space: &Axes, region: &Region, case: u32, first: u64, parts: &[PartBound]) {
        if parts.is_empty() {
            return;
        }
        let packed = space.pack(region);
        self.packed += packed.bytes();
        let entry = Some((packed, index(parts.len())));
        let stored = match self.free.pop() {
            Some(slot) => {
                self.regions[slot as usize] = entry;
                slot
            }
            None => {
                grow(self.regions.len() == self.regions.capacity(), self.regions.len(), |more| {
                    self.regions.reserve_exact(more)
                });
                self.regions.push(entry);
                index(self.regions.len() - 1)
            }
        };
        grow(self.heap.len() + 2 > self.heap.capacity(), self.heap.len(), |more| self.heap.reserve_exact(more));
        self.heap.extend(self.next.take());
        let dives = self.heap.len() < DIVE_BELOW;
        for (number, (bound, cut)) in (first..).zip(parts) {
            let open = Ranked { bound: *bound, number, item: OpenPart { case, stored, cut: *cut } };
            if dives && self.next.is_none_or(|next| next < open) {
                self.heap.extend(self.next.replace(open));
            } else {
                self.heap.push(open);
            }
        }
    }

    /// Gives a number to a region that is open elsewhere.
    pub(crate) fn number(&mut self) -> u64 {
        let number = self.next_number;
        self.next_number += 1;
        number
    }

    /// Takes the next part and writes it to `region`.
    pub(crate) fn take(&mut self, space: &Axes, region: &mut Region) -> Option<Ranked<OpenPart>> {
        let open = self.next.take().or_else(|| self.heap.pop())?;
        let slot = &mut self.regions[open.item.stored as usize];
        let (packed, users) = slot.as_mut().expect("a part holds its region");
        space.unpack(packed, region);
        *users -= 1;
        if *users == 0 {
            self.packed -= packed.bytes();
            *slot = None;
            self.free.push(open.item.stored);
        }
        if let Some((cut, part)) = open.item.cut {
            space.keep(region, cut, part);
        }
        Some(open)
    }

    /// The best bound of all open regions.
    pub(crate) fn bound(&self) -> Option<Value> {
        self.heap.peek().max(self.next.as_ref()).map(|open| open.bound)
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len() + usize::from(self.next.is_some())
    }

    /// The bytes taken by open parts and their regions.
    pub(crate) fn bytes(&self) -> usize {
        self.heap.capacity() * size_of::<Ranked<OpenPart>>()
            + self.regions.capacity() * size_of::<Option<(Packed, u32)>>()
            + self.free.capacity() * size_of::<u32>()
            + self.packed
    }

    /// The bytes in use: less than [`Frontier::bytes`] by what was allocated ahead.
    pub(crate) fn used(&self) -> usize {
        let stored = self.regions.len() - self.free.len();
        self.len() * size_of::<Ranked<OpenPart>>() + stored * size_of::<Option<(Packed, u32)>>() + self.packed
    }
}

/// Grows by an eighth, not by half: memory stays close to what is used.
pub(crate) fn grow(is_full: bool, len: usize, reserve: impl FnOnce(usize)) {
    if is_full {
        reserve((len / 8).max(1024));
    }
}

impl<T> PartialEq for Ranked<T> {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl<T> Eq for Ranked<T> {}

impl<T> PartialOrd for Ranked<T> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<T> Ord for Ranked<T> {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.bound, self.number).cmp(&(other.bound, other.number))
    }
}
