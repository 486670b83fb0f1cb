//! The record of an evaluation for a journal.

use super::Evaluation;
use crate::compiled::CostTable;
use crate::grid::index;
use crate::journal::{Note, Price, Share};
use crate::problem::Norm;

impl Evaluation {
    /// Records the weights and prices from which the bounds follow. `first_table` is the number of the first cost
    /// table.
    pub(crate) fn record(&self, channel: u32, tables: &[CostTable], first_table: u32, record: &mut dyn FnMut(Note)) {
        let place = self.prices.table;
        let table = tables.get(place);
        let price = Some(self.prices.price).filter(|price| table.is_some() && !price.is_zero());
        let price = price.map(|price| price.to_note(first_table + index(place), self.shift.cast_signed()));
        let widened = table.filter(|table| table.norm == Norm::Max).map(|_| self.distance);
        record(Note::Weighed { channel, shares: self.shares.to_notes(&self.losses), price, widened });
        for (shares, price) in self.toll_notes.iter().flatten() {
            let price = Price { table: first_table + price.table, ..*price };
            record(Note::Tolled { channel, shares: shares.clone(), price });
        }
    }
}

/// A share that is worth telling.
pub(super) fn share(tree: u32, axis: u32, units: i64) -> Option<Share> {
    let units = u32::try_from(units).ok().filter(|units| *units > 0)?;
    Some(Share { tree, axis, units })
}
