//! What cells cost.

pub(crate) mod price;

use treeproof_proof::record::Price;

use crate::region::{CellSet, Region};

/// What cells cost, not negative, and what a point may cost.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// Per axis and cell.
    pub(crate) costs: Vec<Vec<i64>>,
    /// What all other things cost together that have no axis.
    pub(crate) fixed: i64,
    pub(crate) limit: Option<i64>,
    /// Whether the largest cost counts, and not the sum.
    pub(crate) is_largest: bool,
}

impl Ledger {
    pub(crate) fn least_of(&self, axis: usize, cells: &CellSet) -> i64 {
        if self.costs[axis].is_empty() {
            return 0;
        }
        cells.cells().map(|cell| self.costs[axis][cell as usize]).min().unwrap_or(i64::MAX >> 2)
    }

    /// What every point of a box costs at least.
    pub(crate) fn least(&self, region: &Region) -> i64 {
        let costs = self.costs.iter().enumerate().filter(|(_, costs)| !costs.is_empty());
        let costs = costs.map(|(axis, _)| self.least_of(axis, &region.axes[axis]));
        if self.is_largest { costs.fold(self.fixed, i64::max) } else { costs.fold(self.fixed, i64::saturating_add) }
    }
}

/// A price, and what it is for.
#[derive(Debug)]
pub(crate) struct Priced {
    pub(crate) price: Price,
    /// What every point of the box costs at least.
    pub(crate) least: i64,
    /// The same per axis.
    leasts: Vec<i64>,
}

impl Priced {
    pub(crate) fn new(price: Price, ledger: &Ledger, region: &Region) -> Self {
        let leasts = region.axes.iter().enumerate().map(|(axis, cells)| ledger.least_of(axis, cells));
        Self { price, least: ledger.least(region), leasts: leasts.collect() }
    }

    /// What a cell costs beyond what its axis must cost, at the price.
    pub(crate) fn of(&self, ledger: &Ledger, axis: usize, cell: u32) -> i128 {
        let cost = ledger.costs[axis].get(cell as usize).copied();
        cost.map_or(0, |cost| price::floor(self.price, (i128::from(cost) - i128::from(self.leasts[axis])).max(0)))
    }
}
