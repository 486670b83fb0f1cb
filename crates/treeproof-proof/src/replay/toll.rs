//! What a box can be worth beside what it costs: leaves pay tolls for the cells that lead to them.

use crate::file::log::{Price, Share};
use crate::problem::bundle::Part;
use crate::problem::ledger::Ledger;
use crate::replay::evaluate::Channel;
use crate::replay::reached::Reached;
use crate::space::region::{CellSet, Region};

impl Channel {
    /// What all points of a box are worth at most that reaches these leaves, minus what their leaves cost at a price: every tree
    /// pays its share of what each axis costs beyond what it must. A leaf costs, along an axis, what the cheapest cell costs that
    /// leads to it.
    pub(crate) fn toll(
        &self,
        region: &Region,
        Reached(reached): &Reached,
        shares: &[Share],
        price: Price,
        ledger: &Ledger,
    ) -> i128 {
        let mut sum = i128::from(self.base);
        let mut left = shares;
        for (tree, bundle) in self.bundles.iter().enumerate() {
            let own = left.iter().take_while(|share| share.tree as usize == tree).count();
            let (own, others) = left.split_at(own);
            left = others;
            let mut best: Option<i128> = None;
            for (part, reached) in bundle.reached(reached) {
                let tolls: Vec<Tolls> =
                    own.iter().filter_map(|share| Tolls::new(part, region, share, ledger)).collect();
                for leaf in members(reached) {
                    let value = i128::from(part.values[leaf]);
                    // Leaves that follow add no more, and pay no less than nothing.
                    if best.is_some_and(|best| value <= best) {
                        break;
                    }
                    let left = value - price.floor(tolls.iter().map(|tolls| tolls.of(leaf)).sum());
                    best = Some(best.map_or(left, |best| best.max(left)));
                }
            }
            sum += best.unwrap_or(0);
        }
        sum
    }
}

/// The places of a set, ascending.
fn members(set: &[u64]) -> impl Iterator<Item = usize> {
    let bits = |bits: u64| (0..64).filter(move |place| bits >> place & 1 == 1);
    set.iter().enumerate().flat_map(move |(word, own)| bits(*own).map(move |place| 64 * word + place))
}

/// What the leaves of a part pay along an axis.
struct Tolls {
    /// What some cells cost beyond what the axis must cost, times the share, and the leaves to which they lead.
    ways: Vec<(i128, Vec<u64>)>,
}

impl Tolls {
    /// None if all leaves are reached by all cells.
    fn new(part: &Part, region: &Region, share: &Share, ledger: &Ledger) -> Option<Self> {
        let axis = share.axis as usize;
        let (along, cells) = (part.along(share.axis)?, &region.axes[axis]);
        let always = ledger.least_of(axis, cells);
        let toll = |some: &CellSet| {
            let least = ledger.least_of(axis, some);
            i128::from(share.units) * (i128::from(least) - i128::from(always)).max(0)
        };
        let ordered = along.intervals(cells).map(|number| {
            let mut some = cells.none();
            (some.low, some.high) = (along.bounds[number].max(cells.low), along.bounds[number + 1].min(cells.high));
            (toll(&some), (0..part.words()).map(|word| along.between(number, word)).collect())
        });
        let special =
            cells.special().map(|cell| (toll(&cells.one(cell)), along.special(cell - cells.num_ordered()).to_vec()));
        Some(Self { ways: ordered.chain(special).collect() })
    }

    /// What a leaf pays.
    fn of(&self, leaf: usize) -> i128 {
        let leads = |set: &[u64]| set[leaf / 64] >> (leaf % 64) & 1 == 1;
        self.ways.iter().filter(|(_, set)| leads(set)).map(|(toll, _)| *toll).min().unwrap_or(0)
    }
}
