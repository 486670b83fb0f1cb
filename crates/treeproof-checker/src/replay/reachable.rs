//! Sets of reachable leaves, for bundles with few leaves: as a box only shrinks, only lost cells count.

use crate::replay::evaluate::Channel;
use crate::trees::masks::LeafSet;

/// The reachable leaves of a channel.
#[derive(Clone, Debug, Default)]
pub(crate) struct ReachableLeaves {
    /// The set of each bundle, as of the last evaluation.
    pub(crate) sets: Vec<LeafSet>,
    /// The axes that have lost cells since then, as bits.
    pub(crate) lost: Vec<u64>,
}

impl ReachableLeaves {
    /// Resets the sets to those of a box with all cells.
    pub(crate) fn begin(&mut self, channel: &Channel, num_axes: usize) {
        self.sets.clear();
        self.sets.extend(channel.bundles.iter().map(|bundle| bundle.all()));
        self.lost.clear();
        self.lost.resize(num_axes / 64 + 1, 0);
    }

    /// Marks an axis that has lost cells.
    pub(crate) fn lose(&mut self, axis: u32) {
        self.lost[axis as usize / 64] |= 1 << (axis % 64);
    }

    pub(crate) fn bytes(&self) -> usize {
        size_of::<Self>() + size_of_val(&*self.sets) + size_of_val(&*self.lost)
    }
}
