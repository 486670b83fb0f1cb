//! The log of a search as bytes: one record for every region that is looked at.
//!
//! Numbers are unsigned LEB128 (seven bits a byte, the lowest first, the top bit says that more follow); signed ones are
//! zigzagged first. A record is the region's number, counted back from the number of regions that were ever open, then notes.
//! A note begins with its kind; `closed`, `cut` and `parted` end the record.
//!
//! | kind | then |
//! |---|---|
//! | 0 weighed | channel, shares, price, widened |
//! | 1 tolled | channel, shares, ledger, mantissa, exponent (signed) |
//! | 2 kept | axis, low, high − low, special words, reason |
//! | 3 closed | reason |
//! | 4 cut | axis, place, open parts (bit 0: first, bit 1: second), channel |
//! | 5 parted | axis, cell, special words |
//! | 6 refuted | a refutation |
//!
//! Shares are most of a log. They are their number and, for each, 4·axis + how many trees it is behind the one before, where 3
//! stands for 3 or more and is followed by how many more; then the units of 2⁻¹⁶ without one, 2 bytes, little-endian.
//! A price is 0 for none, else ledger + 1, mantissa, exponent (signed). Widened is 0 for none, else the cost + 1. Special words are
//! as many as the axis has, 8 bytes each, little-endian. A reason is 0 known, 1 point, else: 2 cost, 3 constraint, 4 channel, 5 channel by leaves,
//! 6 listed, followed by its number. A place is 0 ordered, else 2·cell + 1 below it, 2·cell + 2 special. The channel of a cut is 0 for
//! none, else 2·channel + 1, or + 2 if by leaves.
//!
//! A refutation begins with its kind: 0 void; 1 sums, which are the number of rows, for each its place and what it is multiplied
//! by, then the number of planes, for each its distance, what it is multiplied by, and how many features with their numbers it has; 2 either, a place, the
//! number of cases, and a refutation for each; 3 parted, input, feature, the 8 bytes of a double, and 2 refutations; 4 ordered, a
//! feature, and 3 refutations. An exact number is the length of its text, and the text.

mod decoder;
mod encoder;
mod price;

use crate::excluded::refute::Refutation;

pub use decoder::Decoder;
pub use encoder::Encoder;

/// A tree that is so far behind the last one is told by a number of its own.
const FAR: u32 = 3;

/// One thing that is done to a region.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A channel is evaluated by shares.
    Weighed {
        /// The channel of the region's case.
        channel: u32,
        /// Ordered by trees.
        shares: Vec<Share>,
        /// What costs are worth: per unit, in units of 2⁻¹⁶ of a value.
        price: Option<Price>,
        /// No point that reaches the goal costs less.
        widened: Option<i64>,
    },
    /// A channel is evaluated by tolls.
    Tolled {
        /// The channel of the region's case.
        channel: u32,
        /// Ordered by trees.
        shares: Vec<Share>,
        /// What 2⁻¹⁶ of a unit of cost is worth, in values.
        price: Price,
    },
    /// Only these cells of an axis are kept.
    Kept {
        /// The axis.
        axis: u32,
        /// The first ordered cell.
        low: u32,
        /// The end of the ordered cells.
        high: u32,
        /// The special cells, as bits.
        special: Vec<u64>,
        /// Why not the others.
        why: Why,
    },
    /// Why conditions leave nothing of the region. What follows may rely on it.
    Refuted(Refutation),
    /// The region is closed.
    Closed(Why),
    /// It is cut in two.
    Cut {
        /// The axis.
        axis: u32,
        /// Where.
        place: Place,
        /// Which parts stay open.
        is_open: [bool; 2],
        /// The channel by which parts are evaluated, and whether also by leaves.
        channel: Option<(u32, bool)>,
    },
    /// It is parted in two, both of which stay open.
    Parted {
        /// The axis.
        axis: u32,
        /// The ordered cells below this are in the first part.
        cut: u32,
        /// The special cells of the first part, as bits.
        special: Vec<u64>,
    },
}

/// A reason.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// What is known of the region already.
    Known,
    /// It is one point that does not count.
    Point,
    /// A ledger.
    Cost(u32),
    /// A condition.
    Constraint(u32),
    /// An evaluation, and whether also by leaves.
    Channel(u32, bool),
    /// It is in a region that the conclusion lists.
    Listed(u32),
}

/// A share of a tree and an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The tree.
    pub tree: u32,
    /// The axis.
    pub axis: u32,
    /// In units of 2⁻¹⁶: 1 to 65536.
    pub units: u32,
}

/// `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// Whose costs.
    pub ledger: u32,
    /// The number.
    pub mantissa: u64,
    /// Its scale.
    pub exponent: i32,
}

/// Where an axis is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Ordered cells below this, and the rest.
    Below(u32),
    /// Ordered cells, and special ones.
    Ordered,
    /// One special cell, and the rest.
    Special(u32),
}
