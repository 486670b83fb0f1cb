//! Writes what a search does as a proof, for [`treeproof_proof`] to check.
//!
//! Everything that a proof states is made here from what a question means, and nothing of it from the search.

mod empty;
mod statement;

use std::sync::{Arc, Mutex};

use treeproof_proof::file::{ProofWriter, SectionWriter};
use treeproof_proof::log::{Note, Place, Price, Share, Why};
use treeproof_proof::section::{Conclusion, Counted, Header};
use treeproof_proof::statement::Statement;
use treeproof_search::{Journal, journal};

use crate::compile::{Compiled, Form};
use crate::task::TaskError;

pub(crate) use self::empty::{prove_empty, prove_unreachable};
pub(crate) use self::statement::{FromRow, Stated, goal_of_sums, metric_near, row, small};

/// A section under way.
#[derive(Debug)]
pub(crate) struct Section(SectionWriter);

impl Section {
    /// Begins the section of a search. The ledgers are those of the problem.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn begin(
        writer: &ProofWriter,
        statement: Statement,
        form: &Form<'_>,
        compiled: &Compiled,
        ledgers: Vec<Counted>,
    ) -> Result<Self, TaskError> {
        let (unit, offset) = compiled.scale();
        let bundles = compiled.bundles();
        let name = writer.name().to_owned();
        let models = writer.models().to_vec();
        let header = Header { name, models, statement, axes: compiled.grid(form), unit, offset, bundles, ledgers };
        writer.section(&header).map(Self).map_err(unwritten)
    }

    /// Ends it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self, conclusion: &Conclusion) -> Result<(), TaskError> {
        self.0.finish(conclusion).map_err(unwritten)
    }
}

fn unwritten(error: std::io::Error) -> TaskError {
    TaskError::Field { field: "proof", what: format!("cannot be written: {error}") }
}

/// Refuses a proof of what cannot be stated in one.
pub(crate) fn unstated(what: &str) -> TaskError {
    TaskError::Field { field: "proof", what: format!("cannot be written: {what}") }
}

/// No other method than the best one gives reasons.
pub(crate) fn unstated_method() -> TaskError {
    let what = "needs the method `auto`, as the others give no reasons that can be checked: leave out `--method`";
    TaskError::Field { field: "proof", what: what.to_owned() }
}

/// Ends a section whose search is over.
///
/// # Errors
/// If it cannot be written.
pub(crate) fn finish(section: Arc<Mutex<Section>>, conclusion: &Conclusion) -> Result<(), TaskError> {
    let section = Arc::into_inner(section).expect("the search is over").into_inner();
    section.expect("no thread panics while it writes").finish(conclusion)
}

/// Hands what a search tells to a section, which its maker keeps.
#[derive(Debug)]
pub(crate) struct Follower(pub(crate) Arc<Mutex<Section>>);

impl Journal for Follower {
    fn record(&mut self, region: u64, notes: &[journal::Note]) {
        let mut section = self.0.lock().expect("no thread panics while it writes");
        section.0.record(region);
        notes.iter().for_each(|note| section.0.note(&told(note)));
    }
}

fn told(note: &journal::Note) -> Note {
    use journal::Note as Told;
    match note {
        Told::Weighed { channel, shares: own, price: at, widened } => {
            Note::Weighed { channel: *channel, shares: shares(own), price: at.as_ref().map(price), widened: *widened }
        }
        Told::Tolled { channel, shares: own, price: at } => {
            Note::Tolled { channel: *channel, shares: shares(own), price: price(at) }
        }
        Told::Kept { axis, low, high, special, why: reason } => {
            Note::Kept { axis: *axis, low: *low, high: *high, special: special.clone(), why: why(*reason) }
        }
        Told::Closed(reason) => Note::Closed(why(*reason)),
        Told::Parted { axis, cut, special } => Note::Parted { axis: *axis, cut: *cut, special: special.clone() },
        Told::Cut { axis, place: at, is_open, channel } => {
            Note::Cut { axis: *axis, place: place(*at), is_open: *is_open, channel: *channel }
        }
    }
}

fn shares(shares: &[journal::Share]) -> Vec<Share> {
    shares.iter().map(|share| Share { tree: share.tree, axis: share.axis, units: share.units }).collect()
}

fn price(price: &journal::Price) -> Price {
    Price { ledger: price.ledger, mantissa: price.mantissa, exponent: price.exponent }
}

fn why(why: journal::Why) -> Why {
    match why {
        journal::Why::Known => Why::Known,
        journal::Why::Point => Why::Point,
        journal::Why::Cost(ledger) => Why::Cost(ledger),
        journal::Why::Constraint(number) => Why::Constraint(number),
        journal::Why::Listed(number) => Why::Listed(number),
        journal::Why::Channel(channel, by_leaves) => Why::Channel(channel, by_leaves),
    }
}

fn place(place: journal::Place) -> Place {
    match place {
        journal::Place::Below(cell) => Place::Below(cell),
        journal::Place::Ordered => Place::Ordered,
        journal::Place::Special(cell) => Place::Special(cell),
    }
}
