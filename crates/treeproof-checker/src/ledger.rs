//! Ledgers: costs of cells, and prices.

pub(crate) mod price;

use treeproof_proof::record::Price;

use crate::region::{CellSet, Region};

/// The costs of cells, not negative, with a limit on the cost of a point.
#[derive(Debug)]
pub(crate) struct Ledger {
    /// The costs, by axis and cell.
    pub(crate) costs: Vec<Vec<i64>>,
    /// The cost of everything without an axis.
    pub(crate) fixed: i64,
    pub(crate) limit: Option<i64>,
    /// True if the cost of a point is the largest cost of its cells, not the sum.
    pub(crate) is_largest: bool,
}

impl Ledger {
    pub(crate) fn least_of(&self, axis: usize, cells: &CellSet) -> i64 {
        if self.costs[axis].is_empty() {
            return 0;
        }
        cells.cells().map(|cell| self.costs[axis][cell as usize]).min().unwrap_or(i64::MAX >> 2)
    }

    /// A lower bound on the cost of the points of a box.
    pub(crate) fn least(&self, region: &Region) -> i64 {
        let costs = self.costs.iter().enumerate().filter(|(_, costs)| !costs.is_empty());
        let costs = costs.map(|(axis, _)| self.least_of(axis, &region.axes[axis]));
        if self.is_largest { costs.fold(self.fixed, i64::max) } else { costs.fold(self.fixed, i64::saturating_add) }
    }
}

/// A price with the least costs of a box.
#[derive(Debug)]
pub(crate) struct Priced {
    pub(crate) price: Price,
    /// A lower bound on the cost of the points of the box.
    pub(crate) least: i64,
    /// The least cost, by axis.
    leasts: Vec<i64>,
}

impl Priced {
    pub(crate) fn new(price: Price, ledger: &Ledger, region: &Region) -> Self {
        let leasts = region.axes.iter().enumerate().map(|(axis, cells)| ledger.least_of(axis, cells));
        Self { price, least: ledger.least(region), leasts: leasts.collect() }
    }

    /// The worth of a cell's cost beyond the least of its axis, at the price.
    pub(crate) fn of(&self, ledger: &Ledger, axis: usize, cell: u32) -> i128 {
        let cost = ledger.costs[axis].get(cell as usize).copied();
        cost.map_or(0, |cost| price::floor(self.price, (i128::from(cost) - i128::from(self.leasts[axis])).max(0)))
    }
}
