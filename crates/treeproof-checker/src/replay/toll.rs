//! What a box can be worth beside what it costs: leaves pay tolls for the cells that lead to them.

use treeproof_proof::record::{Price, Share};

use crate::ledger::{Ledger, price};
use crate::region::{CellSet, Region};
use crate::replay::evaluate::Channel;
use crate::replay::reachable::ReachableLeaves;
use crate::trees::bundle::{LeafCells, LeafSearch};

impl Channel {
    /// What all points of a box are worth at most, minus what their leaves cost at a price: every tree pays its share of what each
    /// axis costs beyond what it must. A leaf costs, along an axis, what the cheapest cell costs that leads to it.
    pub(crate) fn toll(
        &self,
        region: &Region,
        reached: &mut ReachableLeaves,
        shares: &[Share],
        price: Price,
        ledger: &Ledger,
        walk: &mut LeafSearch,
    ) -> i128 {
        let mut sum = i128::from(self.base);
        walk.begin(region);
        let mut left = shares;
        let ReachableLeaves { sets, lost } = reached;
        assert_eq!(sets.len(), self.bundles.len(), "no bundle is left out");
        for (tree, (bundle, set)) in self.bundles.iter().zip(sets).enumerate() {
            let own = left.iter().take_while(|share| share.tree as usize == tree).count();
            let (own, others) = left.split_at(own);
            left = others;
            bundle.reach(region, walk, lost, set);
            // Along axes that tell no leaves apart all pay the same: nothing.
            let own = own.iter().filter(|share| bundle.tells_apart(share.axis));
            let tolls = own.map(|share| {
                let tolls = Tolls::new(region, share, ledger);
                let leading = bundle.leading(share.axis, tolls.cells);
                (tolls, leading)
            });
            let tolls: Vec<_> = tolls.collect();
            let mut best: Option<i128> = None;
            for leaf in &walk.leaves {
                let value = i128::from(bundle.values[*leaf as usize]);
                // Leaves that follow add no more, and pay no less than nothing.
                if best.is_some_and(|best| value <= best) {
                    break;
                }
                let paid = tolls.iter().map(|(tolls, leading)| tolls.of(leading(*leaf))).sum();
                let left = value - price::floor(price, paid);
                best = Some(best.map_or(left, |best| best.max(left)));
            }
            sum += best.unwrap_or(0);
        }
        lost.fill(0);
        sum
    }
}

/// What leaves pay along an axis.
struct Tolls<'a> {
    cells: &'a CellSet,
    /// What cells cost; empty if none costs anything.
    costs: &'a [i64],
    /// What the axis must cost.
    always: i64,
    units: u32,
}

impl<'a> Tolls<'a> {
    fn new(region: &'a Region, share: &Share, ledger: &'a Ledger) -> Self {
        let axis = share.axis as usize;
        let (cells, costs) = (&region.axes[axis], &ledger.costs[axis]);
        Self { cells, costs, always: ledger.least_of(axis, cells), units: share.units }
    }

    /// What a leaf pays to which these cells lead, and others that the box has not.
    fn of(&self, leading: LeafCells<'_>) -> i128 {
        let (low, high) = (leading.low.max(self.cells.low), leading.high.min(self.cells.high));
        let ordered = self.costs.get(low as usize..high as usize).unwrap_or(&[]);
        let special = leading.special_places().map(|place| self.cells.num_ordered() as usize + place);
        let special = special.filter(|cell| self.cells.has(*cell as u32)).filter_map(|cell| self.costs.get(cell));
        let least = ordered.iter().chain(special).min().copied().unwrap_or(self.always);
        i128::from(self.units) * (i128::from(least) - i128::from(self.always)).max(0)
    }
}
