//! The record of an evaluation for a journal.

use super::Evaluation;
use crate::compiled::CostTable;
use crate::grid::index;
use crate::journal::{Note, Price, Share};
use crate::problem::Norm;

impl Evaluation {
    /// Records the weights and prices from which the bounds follow. `first_ledger` is the number of the first cost
    /// table.
    pub(crate) fn tell(&self, channel: u32, ledgers: &[CostTable], first_ledger: u32, tell: &mut dyn FnMut(Note)) {
        let place = self.prices.ledger();
        let ledger = ledgers.get(place);
        let price = ledger.and_then(|_| self.prices.told()).map(|(mantissa, exponent)| Price {
            ledger: first_ledger + index(place),
            mantissa,
            exponent: exponent + self.shift.cast_signed(),
        });
        let widened = ledger.filter(|ledger| ledger.norm == Norm::Max).map(|_| self.distance);
        tell(Note::Weighed { channel, shares: self.shares.told(&self.losses), price, widened });
        for (place, told) in self.tolled.iter().flatten() {
            let price =
                Price { ledger: first_ledger + index(*place), mantissa: told.mantissa, exponent: told.exponent };
            tell(Note::Tolled { channel, shares: told.shares.clone(), price });
        }
    }
}

/// A share that is worth telling.
pub(super) fn share(tree: u32, axis: u32, units: i64) -> Option<Share> {
    let units = u32::try_from(units).ok().filter(|units| *units > 0)?;
    Some(Share { tree, axis, units })
}
