//! Replay of a log: the open regions, and a bound on everything that was pruned.
//!
//! To begin with, the whole grid is open in every case. A record takes one open region. It may remove cells from it, each time
//! for a reason that is verified here; then it closes what is left, or branches into two parts that are open from then on, or
//! closed by their bounds. So every point is at all times in an open region, or was pruned for a reason that bounds its value,
//! whatever the log says.

mod bound;
mod current;
pub(crate) mod evaluate;
pub(crate) mod losses;
mod parents;
mod prune;
pub(crate) mod reachable;
pub(crate) mod toll;

use std::collections::HashMap;
use std::io::{self, Read};

use treeproof_proof::record::{Decoder, Note};
use treeproof_proof::refutation::Refutation;

use crate::ledger::Ledger;
use crate::region::{CellSet, NarrowBox, Region};
use crate::replay::current::CurrentRegion;
use crate::replay::evaluate::Channel;
use crate::replay::parents::{Deferred, Parent, Parents, PartId};

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

/// Limit on the memory for regions that were branched, in bytes. Beyond it no notes are deferred.
const MOST_BYTES: usize = 1 << 28;

/// The upper bound on all points that count, and the number of records.
pub(crate) fn replay(problem: &Problem, excludes: &dyn Exclusion, log: impl Read) -> Result<(i64, u64), ReplayError> {
    replay_within(problem, excludes, log, MOST_BYTES)
}

fn replay_within(
    problem: &Problem,
    excludes: &dyn Exclusion,
    log: impl Read,
    most_bytes: usize,
) -> Result<(i64, u64), ReplayError> {
    let words = problem.everything.axes.iter().map(|cells| cells.special.len()).collect();
    let mut decoder = Decoder::new(log, words);
    let mut replay = Replay::new(problem, excludes, most_bytes);
    let mut record = 0;
    loop {
        record += 1;
        let next = decoder.record().map_err(|error| ReplayError::Unreadable { record, error })?;
        let Some((back, notes)) = next else { break };
        replay.apply(record, back, notes)?;
    }
    Ok((replay.finish()?, record - 1))
}

/// An open region: a part of a parent, or the whole grid.
struct OpenRegion {
    of: PartId,
    /// Its cells of the axis of the branching.
    cells: Option<(u32, CellSet)>,
}

/// The state of a replay.
struct Replay<'a> {
    /// The open regions, by number.
    open: HashMap<u64, OpenRegion>,
    /// The number of regions that were ever opened.
    opened: u64,
    parents: Parents,
    /// The bound on everything that was pruned.
    closed: i64,
    current: CurrentRegion<'a>,
    /// A second region, for deferred notes.
    revisited: CurrentRegion<'a>,
}

impl<'a> Replay<'a> {
    fn new(problem: &'a Problem, excludes: &'a dyn Exclusion, most_bytes: usize) -> Self {
        let mut replay = Self {
            open: HashMap::new(),
            opened: 0,
            parents: Parents::new(most_bytes),
            // Without cases no input reaches the goal.
            closed: if problem.cases.is_empty() { MISSED } else { EMPTY },
            current: CurrentRegion::new(problem, excludes),
            revisited: CurrentRegion::new(problem, excludes),
        };
        for case in 0..problem.cases.len() {
            let parent = replay.parents.add(Parent::everything(case));
            replay.open(OpenRegion { of: (parent, 0), cells: None });
        }
        replay
    }

    fn open(&mut self, open: OpenRegion) {
        self.open.insert(self.opened, open);
        self.opened += 1;
    }

    fn apply(&mut self, record: u64, back: u64, mut notes: Vec<Note>) -> Result<(), ReplayError> {
        let at = |step: usize| move |what: &'static str| ReplayError::Step { record, step, what };
        let taken = self.opened.checked_sub(back).and_then(|number| self.open.remove(&number));
        let OpenRegion { of, cells } = taken.ok_or_else(|| at(0)("there is no such open region"))?;
        let parent = self.parents.get(of.0);
        self.current.load(parent, cells.as_ref(), parent.bounds[of.1]);
        let num_now = if self.parents.is_full() { notes.len() } else { notes.len() - num_deferrable(&notes) };
        for step in 0..num_now {
            let effect = self.current.apply(&notes[step], &notes[step + 1..]).map_err(at(step + 1))?;
            self.prune(of, effect.pruned)?;
            if !effect.parts.is_empty() {
                self.cut(of, effect.parts, None)?;
            }
        }
        for (note, step) in notes[num_now..].iter().zip(num_now + 1..) {
            self.current.check_note(note).map_err(at(step))?;
        }
        if num_now < notes.len() {
            let (axis, sides) = self.current.sides(&notes[notes.len() - 1]).map_err(at(notes.len()))?;
            let parts = sides.into_iter().map(|cells| (self.current.bound, axis, cells)).collect();
            let deferred = Deferred { record, step: num_now, notes: notes.split_off(num_now) };
            self.cut(of, parts, Some(deferred))?;
        }
        self.parents.close_part(of.0);
        Ok(())
    }

    /// Opens parts of the current region, which is a part itself.
    fn cut(
        &mut self,
        of: PartId,
        parts: Vec<(i64, u32, CellSet)>,
        deferred: Option<Deferred>,
    ) -> Result<(), ReplayError> {
        let mut bounds = [EMPTY; 2];
        bounds.iter_mut().zip(&parts).for_each(|(bound, part)| *bound = part.0);
        let is_full = self.parents.is_full();
        let parent = self.parents.add(Parent {
            case: self.current.case,
            narrowed: self.current.narrowed(),
            reached: (!is_full).then(|| self.current.reached()),
            bounds,
            deferred,
            of: Some(of),
            inherited: None,
            num_open: parts.len(),
            num_cut: 0,
        });
        if is_full {
            self.inherited(parent)?;
        }
        for (place, (_, axis, cells)) in parts.into_iter().enumerate() {
            self.open(OpenRegion { of: (parent, place), cells: Some((axis, cells)) });
        }
        Ok(())
    }

    /// Prunes something of a part that is bounded by its record.
    fn prune(&mut self, part: PartId, bound: i64) -> Result<(), ReplayError> {
        if bound > self.closed {
            let bound = bound.min(self.bound(part)?);
            self.closed = self.closed.max(bound);
        }
        Ok(())
    }

    /// The bound of a part, exact if it exceeds everything that was pruned.
    fn bound(&mut self, part: PartId) -> Result<i64, ReplayError> {
        let own = self.own_bound(part)?;
        if own <= self.closed { Ok(own) } else { Ok(own.min(self.inherited(part.0)?)) }
    }

    /// The bound of a part by the notes of its parent.
    fn own_bound(&mut self, (number, place): PartId) -> Result<i64, ReplayError> {
        let is_enough = self.parents.get(number).bounds[place] <= self.closed;
        let deferred = if is_enough { None } else { self.parents.change(number, |parent| parent.deferred.take()) };
        if let Some(Deferred { record, step, notes }) = deferred {
            let parent = self.parents.get(number);
            self.revisited.load(parent, None, parent.bounds[0]);
            for (own, note) in notes.iter().enumerate() {
                let wrong = |what: &'static str| ReplayError::Step { record, step: step + own + 1, what };
                let effect = self.revisited.apply(note, &notes[own + 1..]).map_err(wrong)?;
                for (place, (bound, ..)) in effect.parts.into_iter().enumerate() {
                    self.parents.change(number, |parent| parent.bounds[place] = bound);
                }
            }
        }
        Ok(self.parents.get(number).bounds[place])
    }

    /// The bound of a region by all its ancestors.
    fn inherited(&mut self, number: u64) -> Result<i64, ReplayError> {
        // Walks outwards as long as it matters.
        let (mut at, mut way, mut least) = (number, vec![], i64::MAX);
        let mut beyond = loop {
            let parent = self.parents.get(at);
            if let Some(known) = parent.inherited {
                break Some(known);
            }
            let Some(of) = parent.of else { break None };
            let bound = self.own_bound(of)?;
            way.push((at, bound));
            (at, least) = (of.0, least.min(bound));
            if least <= self.closed {
                break None;
            }
        };
        // The bounds are kept, from the outside in. A walk that ended early yields no more than was pruned already, and no less
        // is ever asked for.
        for (number, bound) in way.into_iter().rev() {
            let inherited = bound.min(beyond.unwrap_or(i64::MAX));
            self.parents.inherit(number, inherited);
            beyond = Some(inherited);
        }
        Ok(beyond.unwrap_or(i64::MAX))
    }

    /// The bound on everything that was pruned or is open.
    fn finish(mut self) -> Result<i64, ReplayError> {
        let open: Vec<PartId> = self.open.values().map(|open| open.of).collect();
        open.into_iter().try_for_each(|part| self.prune(part, i64::MAX))?;
        Ok(self.closed)
    }
}

/// The number of last notes that can be deferred: evaluations before a branching whose parts both stay open.
fn num_deferrable(notes: &[Note]) -> usize {
    let [before @ .., cut] = notes else { return 0 };
    let is_evaluation = |note: &&Note| matches!(note, Note::Weighed { .. } | Note::Tolled { .. });
    let evaluations = before.iter().rev().take_while(is_evaluation);
    let num_evaluations = evaluations.clone().count();
    let is_among = |channel: u32| {
        evaluations.clone().any(|note| matches!(note, Note::Weighed { channel: own, .. } if *own == channel))
    };
    let can_wait = match cut {
        Note::Cut { is_open: [true, true], channel, .. } => channel.is_none_or(|(channel, _)| is_among(channel)),
        Note::Parted { .. } => true,
        _ => false,
    };
    if can_wait && num_evaluations > 0 { num_evaluations + 1 } else { 0 }
}

#[cfg(test)]
mod tests;
