//! Evaluation of a channel in a box by tolls, which leaves pay for the cells that lead to them.

use treeproof_proof::record::{Price, Share};

use crate::ledger::{Ledger, price};
use crate::region::{CellSet, Region};
use crate::replay::evaluate::Channel;
use crate::replay::reachable::ReachableLeaves;
use crate::trees::bundle::{LeafCells, LeafSearch};

impl Channel {
    /// An upper bound on the value of points minus the worth of their cost: every tree pays its share of each axis's cost
    /// beyond the least. The cost of a leaf along an axis is that of the cheapest cell that leads to it.
    pub(crate) fn evaluate_tolls(
        &self,
        region: &Region,
        reached: &mut ReachableLeaves,
        shares: &[Share],
        price: Price,
        ledger: &Ledger,
        search: &mut LeafSearch,
    ) -> i128 {
        let mut sum = i128::from(self.base);
        search.begin(region);
        let mut left = shares;
        let ReachableLeaves { sets, lost } = reached;
        assert_eq!(sets.len(), self.bundles.len(), "no bundle is left out");
        for (tree, (bundle, set)) in self.bundles.iter().zip(sets).enumerate() {
            let own = left.iter().take_while(|share| share.tree as usize == tree).count();
            let (own, others) = left.split_at(own);
            left = others;
            bundle.reach(region, search, lost, set);
            // Along axes that are not split all leaves pay nothing.
            let own = own.iter().filter(|share| bundle.tells_apart(share.axis));
            let tolls = own.map(|share| {
                let tolls = Tolls::new(region, share, ledger);
                let leaf_cells = bundle.leaf_cells(share.axis, tolls.cells);
                (tolls, leaf_cells)
            });
            let tolls: Vec<_> = tolls.collect();
            let mut best: Option<i128> = None;
            for leaf in &search.leaves {
                let value = i128::from(bundle.values[*leaf as usize]);
                // Later leaves have no larger value and pay no less than nothing.
                if best.is_some_and(|best| value <= best) {
                    break;
                }
                let paid = tolls.iter().map(|(tolls, leaf_cells)| tolls.of(leaf_cells(*leaf))).sum();
                let left = value - price::floor(price, paid);
                best = Some(best.map_or(left, |best| best.max(left)));
            }
            sum += best.unwrap_or(0);
        }
        lost.fill(0);
        sum
    }
}

/// The tolls along an axis.
struct Tolls<'a> {
    cells: &'a CellSet,
    /// The costs of the cells; empty if all are 0.
    costs: &'a [i64],
    /// The least cost of the axis.
    always: i64,
    units: u32,
}

impl<'a> Tolls<'a> {
    fn new(region: &'a Region, share: &Share, ledger: &'a Ledger) -> Self {
        let axis = share.axis as usize;
        let (cells, costs) = (&region.axes[axis], &ledger.costs[axis]);
        Self { cells, costs, always: ledger.least_of(axis, cells), units: share.units }
    }

    /// The toll of a leaf to which these cells lead; others of them may be outside the box.
    fn of(&self, leaf_cells: LeafCells<'_>) -> i128 {
        let (low, high) = (leaf_cells.low.max(self.cells.low), leaf_cells.high.min(self.cells.high));
        let ordered = self.costs.get(low as usize..high as usize).unwrap_or(&[]);
        let special = leaf_cells.special_places().map(|place| self.cells.num_ordered() as usize + place);
        let special = special.filter(|cell| self.cells.has(*cell as u32)).filter_map(|cell| self.costs.get(cell));
        let least = ordered.iter().chain(special).min().copied().unwrap_or(self.always);
        i128::from(self.units) * (i128::from(least) - i128::from(self.always)).max(0)
    }
}
