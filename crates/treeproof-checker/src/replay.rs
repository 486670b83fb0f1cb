//! Replay of a log: the open regions, and a bound on everything that was pruned.
//!
//! To begin with, the whole grid is open in every case. A record takes the region that was opened last. It may remove cells from
//! it, each time for a reason that is verified here; then it closes what is left, or cuts it into two parts that are open from
//! then on, or closed by their bounds. So every point is at all times in an open region, or was pruned for a reason that bounds
//! its value, whatever the log says.

mod bound;
mod current;
pub(crate) mod evaluate;
pub(crate) mod losses;
mod prune;
pub(crate) mod reachable;
pub(crate) mod toll;

use std::io::{self, Read};

use treeproof_proof::record::{Decoder, Note};
use treeproof_proof::refutation::Refutation;

use crate::ledger::Ledger;
use crate::region::{NarrowBox, Region};
use crate::replay::current::{CurrentRegion, OpenPart};
use crate::replay::evaluate::Channel;

/// The value of an empty region, less than every other.
pub(crate) const EMPTY: i64 = i64::MIN;
/// The value of a region that misses the goal, less than every value but that of an empty region.
pub(crate) const MISSED: i64 = EMPTY + 1;

/// The problem of a log.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) everything: Region,
    /// The cases, each with its channels: the value of a point is the largest case's smallest channel.
    pub(crate) cases: Vec<Vec<Channel>>,
    /// The ledgers: budgets, and the distance last, if one is asked for.
    pub(crate) ledgers: Vec<Ledger>,
    /// True if a distance is asked for. Values are then negated distances of points at which no channel of some case is
    /// negative.
    pub(crate) is_nearest: bool,
    /// The regions that the conclusion lists, to which the claim does not apply.
    pub(crate) listed: Vec<NarrowBox>,
}

impl Problem {
    fn ledger(&self, number: u32) -> Result<&Ledger, &'static str> {
        self.ledgers.get(number as usize).ok_or("there are no such costs")
    }

    /// True for the ledger of the distance, if one is asked for.
    fn is_distance(&self, ledger: u32) -> bool {
        self.is_nearest && ledger as usize + 1 == self.ledgers.len()
    }

    fn channel(&self, case: usize, number: u32) -> Result<&Channel, &'static str> {
        self.cases[case].get(number as usize).ok_or("there is no such channel")
    }
}

/// Reasons why no input of a box counts.
pub(crate) trait Exclusion {
    /// True if no input of a box meets all conditions, by propagation or by a refutation of the log.
    fn excludes(&self, region: &Region, refutation: Option<&Refutation>) -> bool;

    /// True if all inputs of a box miss the goal in a case, by the library's own sums.
    fn misses(&self, region: &Region, case: usize) -> bool;
}

/// A step that does not follow.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// The log cannot be read.
    #[error("record {record}: {error}")]
    Unreadable {
        /// The number of the record.
        record: u64,
        /// The mistake.
        error: io::Error,
    },
    /// A step is not justified.
    #[error("record {record}, step {step}: {what}")]
    Step {
        /// The record.
        record: u64,
        /// The step in the record.
        step: usize,
        /// The mistake.
        what: &'static str,
    },
}

/// Limit on the memory for parts that wait, in bytes.
const MOST_BYTES: usize = 1 << 28;
/// Limit on the memory beyond which the leaves that a part reaches are not kept, but found again.
const MOST_LEAF_BYTES: usize = 1 << 27;

/// The upper bound on all points that count, and the number of records.
pub(crate) fn replay(problem: &Problem, excludes: &dyn Exclusion, log: impl Read) -> Result<(i64, u64), ReplayError> {
    replay_within(problem, excludes, log, MOST_LEAF_BYTES)
}

fn replay_within(
    problem: &Problem,
    excludes: &dyn Exclusion,
    log: impl Read,
    most_leaf_bytes: usize,
) -> Result<(i64, u64), ReplayError> {
    let words = problem.everything.axes.iter().map(|cells| cells.special.len()).collect();
    let mut decoder = Decoder::new(log, words);
    let mut replay = Replay::new(problem, excludes, most_leaf_bytes);
    let mut record = 0;
    loop {
        record += 1;
        let next = decoder.record().map_err(|error| ReplayError::Unreadable { record, error })?;
        let Some(notes) = next else { break };
        let wrong = |(step, what)| ReplayError::Step { record, step, what };
        replay.apply(&notes).map_err(wrong)?;
    }
    Ok((replay.finish(), record - 1))
}

/// A step that does not follow: its place in the record, and why.
type WrongStep = (usize, &'static str);

/// The state of a replay.
struct Replay<'a> {
    /// The open parts: the last one is next.
    open: Vec<OpenPart>,
    /// Memory of the open parts beside their size.
    bytes: usize,
    most_leaf_bytes: usize,
    /// The bound on everything that was pruned.
    closed: i64,
    current: CurrentRegion<'a>,
}

impl<'a> Replay<'a> {
    fn new(problem: &'a Problem, excludes: &'a dyn Exclusion, most_leaf_bytes: usize) -> Self {
        // Without cases no input reaches the goal.
        let closed = if problem.cases.is_empty() { MISSED } else { EMPTY };
        let current = CurrentRegion::new(problem, excludes);
        let mut replay = Self { open: vec![], bytes: 0, most_leaf_bytes, closed, current };
        (0..problem.cases.len()).rev().for_each(|case| replay.push(OpenPart::everything(case)));
        replay
    }

    fn push(&mut self, mut part: OpenPart) {
        if self.bytes >= self.most_leaf_bytes {
            part.forget_leaves();
        }
        self.bytes += part.bytes();
        self.open.push(part);
    }

    fn apply(&mut self, notes: &[Note]) -> Result<(), WrongStep> {
        let part = self.open.pop().ok_or((0, "no region is open"))?;
        self.bytes -= part.bytes();
        self.current.enter(part);
        for (place, note) in notes.iter().enumerate() {
            let at = |what: &'static str| (place + 1, what);
            let effect = self.current.apply(note, &notes[place + 1..]).map_err(at)?;
            self.closed = self.closed.max(effect.pruned);
            // The first part is next.
            effect.parts.into_iter().rev().for_each(|part| self.push(part));
            if self.bytes + self.current.bytes() > MOST_BYTES {
                return Err(at("cuts within cuts that take too much memory"));
            }
        }
        Ok(())
    }

    /// The bound on everything that was pruned or is open.
    fn finish(self) -> i64 {
        self.open.iter().map(|part| part.bound).fold(self.closed, i64::max)
    }
}

#[cfg(test)]
mod tests;
