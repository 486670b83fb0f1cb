//! The grid on which problems are stated: axes, their cells, integer values; and regions of it.

mod region;

use std::ops::Range;

pub(crate) use self::region::{Axes, CutPart, Packed, Region, RegionCut, offsets};

/// A value in units that the maker of the problem chose.
pub type Value = i64;

/// Values are kept so small that no sum of a channel overflows: `|base| + Σ max |leaf|` is at most this.
pub const MAX_MAGNITUDE: Value = 1 << 60;

/// One coordinate: cells in order, then cells outside the order (missing, zero, categories).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axis {
    /// Cells `0..ordered`.
    pub ordered: u32,
    /// Cells `ordered..ordered + special`.
    pub special: u32,
}

/// Some cells of an axis.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cells {
    /// The ordered ones, which may be none.
    pub ordered: Range<u32>,
    /// The special ones, counted from 0, ascending.
    pub special: Vec<u32>,
}

/// The place of a cut on its axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Ordered cells below this against the others; the axis has no special cells left.
    Below(u32),
    /// All ordered cells against all special ones.
    Ordered,
    /// One special cell against all other cells.
    Special(u32),
}

impl Axis {
    /// An axis of ordered cells alone.
    pub fn ordered(cells: u32) -> Self {
        Self { ordered: cells, special: 0 }
    }

    /// All its cells.
    pub fn num_cells(self) -> u32 {
        self.ordered + self.special
    }
}

/// A count as the 32-bit number by which axes, trees, leaves and segments are referred to.
pub(crate) fn index(count: usize) -> u32 {
    u32::try_from(count).expect("problems are bounded by memory far below this")
}
