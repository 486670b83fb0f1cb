//! The log of a search for an independent check: branches, removed cells, and reasons for pruning.
//!
//! Regions are numbered: first the whole of every case, then the parts of each branch, in the order of the log. A record is about
//! one open region. The records determine the open regions at every moment and, by the reasons, a bound on all points outside of
//! them, without trust in the search.
//!
//! The log gives the weights of share bounds and the prices of costs. Any weights and prices yield a valid bound, so the log
//! need not justify them.

use std::fmt::Debug;

pub use crate::grid::Place;
use crate::grid::{Axes, Cells, Region, Value, index};

/// A receiver of the log of a search.
pub trait Journal: Debug + Send {
    /// Records the notes on a region, which is open no longer.
    fn record(&mut self, region: u64, notes: &[Note]);
}

/// One step on a region, in order. The last one closes it or branches in two.
#[derive(Clone, Debug, PartialEq)]
pub enum Note {
    /// A channel is evaluated. Later notes may rely on it.
    Weighed {
        /// The channel of the region's case.
        channel: u32,
        /// Weights of axes in the losses of trees.
        shares: Vec<Share>,
        /// The price of costs, if they count, in units of 2⁻¹⁶ of a value.
        price: Option<Price>,
        /// For a minimised largest cost: a lower bound on it at points that reach the floor.
        widened: Option<Value>,
    },
    /// A channel is evaluated by what trees pay for their leaves.
    Tolled {
        /// The channel of the region's case.
        channel: u32,
        /// Weights of trees in the costs of axes.
        shares: Vec<Share>,
        /// The worth of 2⁻¹⁶ of a unit of cost, in values.
        price: Price,
    },
    /// No point of the region meets the constraints.
    Void {
        /// The cells of each axis.
        cells: Vec<Cells>,
    },
    /// An axis keeps these cells only.
    Kept {
        /// The axis.
        axis: u32,
        /// The first ordered cell.
        low: u32,
        /// The end of the ordered cells.
        high: u32,
        /// The special cells, as bits.
        special: Vec<u64>,
        /// The reason for removing the others.
        why: Why,
    },
    /// The region is pruned: it holds no point better than the incumbent.
    Closed(Why),
    /// The region is cut in two parts.
    Cut {
        /// The axis.
        axis: u32,
        /// The place of the cut.
        place: Place,
        /// Per part: true if it stays open, false if the evaluation closes it.
        is_open: [bool; 2],
        /// The bounds of the parts that stay open.
        bounds: [Value; 2],
        /// The channel whose evaluation says what the parts are worth, if there is one, and whether sums of best leaves say more
        /// than shares.
        channel: Option<(u32, bool)>,
    },
    /// The region is parted at a split, and both parts are open.
    Parted {
        /// The axis.
        axis: u32,
        /// Ordered cells below this are in the first part.
        cut: u32,
        /// The special cells that are in the first part, as bits.
        special: Vec<u64>,
        /// The bound of both parts.
        bound: Value,
    },
}

impl Note {
    /// The cells of an axis that a region keeps.
    pub(crate) fn kept(space: &Axes, region: &Region, axis: usize, why: Why) -> Self {
        let special = space.special_words(region, axis).to_vec();
        Self::Kept { axis: index(axis), low: region.low[axis], high: region.high[axis], special, why }
    }

    /// All cells of a region in which no point counts.
    pub(crate) fn void(space: &Axes, region: &Region) -> Self {
        Self::Void { cells: space.cells(region) }
    }
}

/// The reason why cells or a region are pruned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// By the evaluation of a channel; and whether sums of best leaves say more than shares.
    Channel(u32, bool),
    /// By what is known of the region already, or because it is empty.
    Known,
    /// It costs too much: by a budget, or, after all of them, by the distance.
    Cost(u32),
    /// No point of it meets a constraint of the problem.
    Constraint(u32),
    /// It is one point, which does not count.
    Point,
    /// It is a configuration, by its number among those that are certain.
    Listed(u32),
}

/// A weight between a tree and an axis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Share {
    /// The tree.
    pub tree: u32,
    /// The axis.
    pub axis: u32,
    /// In units of 2⁻¹⁶. Of a tree, or of an axis, all together are at most 1.
    pub units: u32,
}

/// The worth of a unit of cost: `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    /// The costs: a budget, or, after all of them, the distance.
    pub table: u32,
    /// The number.
    pub mantissa: u64,
    /// Its scale.
    pub exponent: i32,
}

/// The notes on a region while it is expanded, if a journal is kept.
#[derive(Debug, Default)]
pub(crate) struct Notes {
    notes: Option<Vec<Note>>,
}

impl Notes {
    pub(crate) fn enable(&mut self, is_enabled: bool) {
        self.notes = is_enabled.then(Vec::new);
    }

    pub(crate) fn is_enabled(&self) -> bool {
        self.notes.is_some()
    }

    pub(crate) fn add(&mut self, note: impl FnOnce() -> Note) {
        if let Some(notes) = &mut self.notes {
            notes.push(note());
        }
    }

    pub(crate) fn take(&mut self) -> Vec<Note> {
        self.notes.as_mut().map(std::mem::take).unwrap_or_default()
    }
}
