//! Translation of a search's journal into the notes of a proof.

use std::fmt::{Debug, Formatter};
use std::sync::Mutex;

use tempfile::SpooledTempFile;
use treeproof_proof::record::{CutPlace, DepthFirst, Note, Price, Reason, Share};
use treeproof_search::{Journal, Value, journal};

use super::refuter::{MOST_IN_LOG, Refuter};

/// The records of a search, on a temporary file once they are many.
pub(super) type Records = DepthFirst<SpooledTempFile>;

/// Translates the notes of a search and collects them.
pub(super) struct JournalTranslator<'a> {
    records: &'a Mutex<Records>,
    /// Finds out why conditions leave nothing of a box.
    refuter: &'a (dyn Fn() -> Option<Refuter<'a>> + Sync),
    /// Cases that the refuter may still look at.
    cases_left: usize,
}

impl<'a> JournalTranslator<'a> {
    pub(super) fn new(records: &'a Mutex<Records>, refuter: &'a (dyn Fn() -> Option<Refuter<'a>> + Sync)) -> Self {
        Self { records, refuter, cases_left: MOST_IN_LOG }
    }
}

impl Debug for JournalTranslator<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JournalTranslator").finish_non_exhaustive()
    }
}

impl Journal for JournalTranslator<'_> {
    fn record(&mut self, region: u64, notes: &[journal::Note]) {
        let bounds = notes.last().map_or([Value::MIN; 2], part_bounds);
        let notes: Vec<Note> = notes.iter().filter_map(|note| self.translate(note)).collect();
        self.records.lock().expect("no thread panics while it writes").record(region, &notes, bounds);
    }
}

impl JournalTranslator<'_> {
    /// The note in the words of a proof; `None` if it has no reason that can be checked.
    fn translate(&mut self, note: &journal::Note) -> Option<Note> {
        use journal::Note as Entry;
        Some(match note {
            Entry::Weighed { channel, shares: own, price: at, widened } => {
                let price = at.as_ref().map(price);
                Note::Weighed { channel: *channel, shares: shares(own), price, widened: *widened }
            }
            Entry::Tolled { channel, shares: own, price: at } => {
                Note::Tolled { channel: *channel, shares: shares(own), price: price(at) }
            }
            Entry::Void { cells } => Note::Refuted((self.refuter)()?.refute(cells, &mut self.cases_left)?),
            Entry::Kept { axis, low, high, special, why: reason } => {
                Note::Kept { axis: *axis, low: *low, high: *high, special: special.clone(), reason: why(*reason) }
            }
            Entry::Closed(reason) => Note::Closed(why(*reason)),
            Entry::Parted { axis, cut, special, .. } => {
                let place = CutPlace::Set(*cut, special.clone());
                Note::Cut { axis: *axis, place, is_open: [true; 2], channel: None }
            }
            Entry::Cut { axis, place: at, is_open, channel, .. } => {
                Note::Cut { axis: *axis, place: place(*at), is_open: *is_open, channel: *channel }
            }
        })
    }
}

/// Upper bounds on the parts of a cut.
fn part_bounds(note: &journal::Note) -> [Value; 2] {
    match note {
        journal::Note::Cut { bounds, .. } => *bounds,
        journal::Note::Parted { bound, .. } => [*bound; 2],
        _ => [Value::MIN; 2],
    }
}

fn shares(shares: &[journal::Share]) -> Vec<Share> {
    shares.iter().map(|share| Share { tree: share.tree, axis: share.axis, units: share.units }).collect()
}

fn price(price: &journal::Price) -> Price {
    Price { ledger: price.table, mantissa: price.mantissa, exponent: price.exponent }
}

fn why(why: journal::Why) -> Reason {
    match why {
        journal::Why::Known => Reason::Known,
        journal::Why::Point => Reason::Point,
        journal::Why::Cost(ledger) => Reason::Cost(ledger),
        journal::Why::Constraint(number) => Reason::Constraint(number),
        journal::Why::Listed(number) => Reason::Listed(number),
        journal::Why::Channel(channel, by_leaves) => Reason::Channel(channel, by_leaves),
    }
}

fn place(place: journal::Place) -> CutPlace {
    match place {
        journal::Place::Below(cell) => CutPlace::Below(cell),
        journal::Place::Ordered => CutPlace::Ordered,
        journal::Place::Special(cell) => CutPlace::Special(cell),
    }
}
