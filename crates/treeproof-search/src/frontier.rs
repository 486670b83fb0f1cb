//! The open regions, best bound first. A region is stored once for its two parts.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use crate::problem::Value;
use crate::region::{Cut, Part, Region};

/// An open part of a stored region.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Open {
    /// No point of the part has a larger value.
    pub(crate) bound: Value,
    /// Later ones first among equal bounds, so that ties are searched in depth.
    order: u64,
    pub(crate) case: u32,
    stored: u32,
    pub(crate) cut: Option<(Cut, Part)>,
}

/// The open regions.
#[derive(Debug, Default)]
pub(crate) struct Frontier {
    heap: BinaryHeap<Open>,
    regions: Vec<Option<(Region, u32)>>,
    free: Vec<u32>,
    order: u64,
}

impl Frontier {
    /// Opens parts of a region, each with its bound.
    pub(crate) fn open(&mut self, region: Region, case: u32, parts: &[(Value, Option<(Cut, Part)>)]) {
        let users = crate::masks::index(parts.len());
        if users == 0 {
            return;
        }
        let stored = match self.free.pop() {
            Some(slot) => {
                self.regions[slot as usize] = Some((region, users));
                slot
            }
            None => {
                self.regions.push(Some((region, users)));
                crate::masks::index(self.regions.len() - 1)
            }
        };
        for (bound, cut) in parts {
            self.order += 1;
            self.heap.push(Open { bound: *bound, order: self.order, case, stored, cut: *cut });
        }
    }

    /// Takes the part with the best bound; its region is cloned or, for the last user, moved.
    pub(crate) fn take(&mut self) -> Option<(Open, Region)> {
        let open = self.heap.pop()?;
        let slot = &mut self.regions[open.stored as usize];
        let (region, users) = slot.as_mut().expect("a part holds its region");
        if *users > 1 {
            *users -= 1;
            return Some((open, region.clone()));
        }
        let (region, _) = slot.take().expect("a part holds its region");
        self.free.push(open.stored);
        Some((open, region))
    }

    /// The best bound of all open regions.
    pub(crate) fn bound(&self) -> Option<Value> {
        self.heap.peek().map(|open| open.bound)
    }

    pub(crate) fn len(&self) -> usize {
        self.heap.len()
    }

    /// The bytes taken by open parts and their regions.
    pub(crate) fn bytes(&self, region_bytes: usize) -> usize {
        let stored = self.regions.len() - self.free.len();
        self.heap.capacity() * size_of::<Open>()
            + self.regions.capacity() * size_of::<Option<(Region, u32)>>()
            + stored * region_bytes
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        (self.bound, self.order).cmp(&(other.bound, other.order))
    }
}
