//! Records of a log: each narrows one region by notes, and closes it or cuts it in two.
//!
//! A log is in depth-first order. It begins with the whole grid of every case; a record is about the first part of the last cut
//! that has none yet. Numbers are unsigned LEB128; signed ones are zigzagged first. The section on the log in `docs/proofs.md`
//! has the bytes of each note, reason and refutation.

mod decoder;
mod depth_first;
mod encoder;

use crate::refutation::Refutation;

pub use decoder::Decoder;
pub use depth_first::DepthFirst;
pub use encoder::Encoder;

/// Distance between the trees of two shares from which it is a number of its own.
const FAR: u32 = 3;

/// A step on a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// An evaluation of a channel by shares of what cells lose.
    Weighed {
        /// The channel, of the region's case.
        channel: u32,
        /// The shares, ordered by trees.
        shares: Vec<Share>,
        /// The price of a unit of cost, in units of 2⁻¹⁶ of a value.
        price: Option<Price>,
        /// A lower bound on the cost of points that reach the goal.
        widened: Option<i64>,
    },
    /// An evaluation of a channel by tolls.
    Tolled {
        /// The channel, of the region's case.
        channel: u32,
        /// The shares, ordered by trees.
        shares: Vec<Share>,
        /// The price of 2⁻¹⁶ of a unit of cost, in values.
        price: Price,
    },
    /// A pruning step: only these cells of an axis are kept.
    Kept {
        /// The axis.
        axis: u32,
        /// The first ordered cell.
        low: u32,
        /// The end of the ordered cells.
        high: u32,
        /// The special cells, as bits.
        special: Vec<u64>,
        /// The reason why the others are pruned.
        reason: Reason,
    },
    /// A refutation of the region's conditions, on which later notes of the record may rely.
    Refuted(Refutation),
    /// The end of the region: all of it is pruned.
    Closed(Reason),
    /// A branching in two parts.
    Cut {
        /// The axis.
        axis: u32,
        /// The place of the cut.
        place: CutPlace,
        /// True for each part that has a record; the others are closed by their bounds.
        is_open: [bool; 2],
        /// The channel that bounds the parts; true if also by leaves.
        channel: Option<(u32, bool)>,
    },
}

impl Note {
    /// True for the last note of a record.
    pub fn is_last(&self) -> bool {
        matches!(self, Self::Closed(_) | Self::Cut { .. })
    }

    /// True for an evaluation, which matters only to notes that rely on it.
    pub fn is_evaluation(&self) -> bool {
        matches!(self, Self::Weighed { .. } | Self::Tolled { .. })
    }
}

/// A reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bound that is known of the region.
    Known,
    /// A single point that does not count.
    Point,
    /// A ledger, whose limit is exceeded.
    Cost(u32),
    /// A condition that excludes it.
    Constraint(u32),
    /// An evaluation of a channel; true if also by leaves.
    Channel(u32, bool),
    /// Containment in a region that the conclusion lists.
    Listed(u32),
}

/// A share of a tree and an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The tree.
    pub tree: u32,
    /// The axis.
    pub axis: u32,
    /// The share in units of 2⁻¹⁶: 1 to 65536.
    pub units: u32,
}

/// `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The ledger whose costs have this price.
    pub ledger: u32,
    /// The mantissa.
    pub mantissa: u64,
    /// The exponent.
    pub exponent: i32,
}

/// A place at which an axis is cut.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CutPlace {
    /// Ordered cells below this one, with the special ones, against the rest.
    Below(u32),
    /// Ordered cells against special ones.
    Ordered,
    /// One special cell against all others.
    Special(u32),
    /// Ordered cells below this one, with these special ones, as bits, against the rest.
    Set(u32, Vec<u64>),
}
