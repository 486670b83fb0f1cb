//! Translation of a search's journal into the notes of a proof.

use std::fmt::{Debug, Formatter};
use std::sync::Mutex;

use treeproof_proof::record::{CutPlace, Note, Price, Reason, Share};
use treeproof_proof::writer::SectionWriter;
use treeproof_search::{Journal, journal};

use super::refuter::{MOST_IN_LOG, Refuter};

/// Translates the notes of a search and hands them to the writer of a section.
pub(super) struct JournalTranslator<'a> {
    writer: &'a Mutex<SectionWriter>,
    /// Finds out why conditions leave nothing of a box.
    refuter: &'a (dyn Fn() -> Option<Refuter<'a>> + Sync),
    /// Cases that the refuter may still look at.
    cases_left: usize,
}

impl<'a> JournalTranslator<'a> {
    pub(super) fn new(writer: &'a Mutex<SectionWriter>, refuter: &'a (dyn Fn() -> Option<Refuter<'a>> + Sync)) -> Self {
        Self { writer, refuter, cases_left: MOST_IN_LOG }
    }
}

impl Debug for JournalTranslator<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("JournalTranslator").finish_non_exhaustive()
    }
}

impl Journal for JournalTranslator<'_> {
    fn record(&mut self, region: u64, notes: &[journal::Note]) {
        let notes: Vec<Note> = notes.iter().filter_map(|note| self.translate(note)).collect();
        let mut writer = self.writer.lock().expect("no thread panics while it writes");
        writer.record(region);
        notes.iter().for_each(|note| writer.note(note));
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
            Entry::Parted { axis, cut, special } => Note::Parted { axis: *axis, cut: *cut, special: special.clone() },
            Entry::Cut { axis, place: at, is_open, channel } => {
                Note::Cut { axis: *axis, place: place(*at), is_open: *is_open, channel: *channel }
            }
        })
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
