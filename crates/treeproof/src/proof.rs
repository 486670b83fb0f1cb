//! Writes what a search does as a proof, for [`treeproof_proof`] to check.
//!
//! Everything that a proof states is made here from what a question means, and nothing of it from the search.

mod empty;
mod refuter;
mod statement;

use std::fmt::{Debug, Formatter};
use std::sync::{Mutex, OnceLock};

use treeproof_checker::exclusion::distance_limit::DistanceLimit;
use treeproof_checker::space::Space;
use treeproof_checker::space::grid::Grid;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_proof::conclusion::Conclusion;
use treeproof_proof::header::{Header, LedgerKind};
use treeproof_proof::record::{CutPlace, Note, Price, Reason, Share};
use treeproof_proof::statement::Statement;
use treeproof_proof::writer::{ProofWriter, SectionWriter};
use treeproof_search::{Journal, journal};

use crate::error::TaskError;
use crate::problem::{Compiled, Form};

pub(crate) use self::empty::{prove_empty, prove_unreachable};
use self::refuter::{MOST_IN_LOG, Refuter};
pub(crate) use self::statement::{FromRow, Stated, goal_of_sums, metric_near, row, small};

/// A section under way.
#[derive(Debug)]
pub(crate) struct Section {
    header: Header,
    /// What is farther away does not count, if a distance is asked for.
    most: Option<f64>,
    writer: Mutex<SectionWriter>,
}

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
        ledgers: Vec<LedgerKind>,
    ) -> Result<Self, TaskError> {
        let (unit, offset) = compiled.scale();
        let bundles = compiled.bundles();
        let (name, place) = (writer.name().to_owned(), writer.place().to_vec());
        let models = writer.models().to_vec();
        let axes = compiled.grid(form);
        let header = Header { name, place, models, statement, axes, unit, offset, bundles, ledgers };
        let writer = Mutex::new(writer.section(&header).map_err(unwritten)?);
        Ok(Self { header, most: None, writer })
    }

    /// The same of a search that leaves out what is farther away than this.
    pub(crate) fn up_to(self, most: Option<f64>) -> Self {
        Self { most, ..self }
    }

    /// Runs a search that tells the section what it does.
    pub(crate) fn follow<T>(&self, models: &[&Ensemble], search: impl FnOnce(Box<dyn Journal + '_>) -> T) -> T {
        // To look at all conditions again takes as long as many a search, and most searches have no use for it.
        let (space, grid, limits) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        let space = || space.get_or_init(|| Space::new(&self.header.statement, models.iter().copied()).ok()).as_ref();
        let grid = || grid.get_or_init(|| Grid::new(space()?, &self.header.axes).ok()).as_ref();
        let limits = || limits.get_or_init(|| DistanceLimit::all(grid()?, self.most).ok()).as_ref();
        let refuter = || Some(Refuter::new(grid()?, limits()?));
        search(Box::new(Follower { writer: &self.writer, refuter: &refuter, cases_left: MOST_IN_LOG }))
    }

    /// Ends it.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(crate) fn finish(self, conclusion: &Conclusion) -> Result<(), TaskError> {
        let writer = self.writer.into_inner().expect("no thread panics while it writes");
        writer.finish(conclusion).map_err(unwritten)
    }
}

/// Runs a search that tells a section what it does, if there is one.
pub(crate) fn follow<T>(
    section: Option<&Section>,
    models: &[&Ensemble],
    search: impl FnOnce(Option<Box<dyn Journal + '_>>) -> T,
) -> T {
    match section {
        Some(section) => section.follow(models, |journal| search(Some(journal))),
        None => search(None),
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

/// Hands what a search tells to a section.
struct Follower<'a> {
    writer: &'a Mutex<SectionWriter>,
    /// Who says why conditions leave nothing together.
    refuter: &'a (dyn Fn() -> Option<Refuter<'a>> + Sync),
    /// So many cases it may still look at.
    cases_left: usize,
}

impl Debug for Follower<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Follower").finish_non_exhaustive()
    }
}

impl Journal for Follower<'_> {
    fn record(&mut self, region: u64, notes: &[journal::Note]) {
        let notes: Vec<Note> = notes.iter().filter_map(|note| self.told(note)).collect();
        let mut writer = self.writer.lock().expect("no thread panics while it writes");
        writer.record(region);
        notes.iter().for_each(|note| writer.note(note));
    }
}

impl Follower<'_> {
    fn told(&mut self, note: &journal::Note) -> Option<Note> {
        use journal::Note as Told;
        Some(match note {
            Told::Weighed { channel, shares: own, price: at, widened } => {
                let price = at.as_ref().map(price);
                Note::Weighed { channel: *channel, shares: shares(own), price, widened: *widened }
            }
            Told::Tolled { channel, shares: own, price: at } => {
                Note::Tolled { channel: *channel, shares: shares(own), price: price(at) }
            }
            Told::Void { cells } => Note::Refuted((self.refuter)()?.refute(cells, &mut self.cases_left)?),
            Told::Kept { axis, low, high, special, why: reason } => {
                Note::Kept { axis: *axis, low: *low, high: *high, special: special.clone(), reason: why(*reason) }
            }
            Told::Closed(reason) => Note::Closed(why(*reason)),
            Told::Parted { axis, cut, special } => Note::Parted { axis: *axis, cut: *cut, special: special.clone() },
            Told::Cut { axis, place: at, is_open, channel } => {
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
