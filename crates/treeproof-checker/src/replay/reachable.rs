//! Which leaves of bundles that have few a box reaches: as it only shrinks, only what it has lost must be looked at.

use crate::replay::evaluate::Channel;
use crate::trees::masks::LeafSet;

/// Leaves of a channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReachableLeaves {
    /// For each bundle what the box reached when it was looked at last.
    pub(crate) sets: Vec<LeafSet>,
    /// The axes of which it has lost cells since then, as bits.
    pub(crate) lost: Vec<u64>,
}

impl ReachableLeaves {
    /// Of a box that has all cells.
    pub(crate) fn begin(&mut self, channel: &Channel, num_axes: usize) {
        self.sets.clear();
        self.sets.extend(channel.bundles.iter().map(|bundle| bundle.all()));
        self.lost.clear();
        self.lost.resize(num_axes / 64 + 1, 0);
    }

    /// It has lost cells of an axis.
    pub(crate) fn lose(&mut self, axis: u32) {
        self.lost[axis as usize / 64] |= 1 << (axis % 64);
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.sets) + size_of_val(&*self.lost)
    }
}
