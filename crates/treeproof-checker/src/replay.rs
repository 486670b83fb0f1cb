//! Follows a log: which regions are open, and what nothing outside of them exceeds.
//!
//! To begin with, the whole grid is open in every case. A record takes one open region. It may remove cells from it, each time
//! for a reason that is verified here; then it closes what is left, or cuts it in two parts that are open from then on, or
//! closed by what is known of them. So every point is at all times in an open region, or was given up for a reason that
//! bounds its value. Nothing is left out, whatever the log says.

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

/// Less than every value: there is nothing.
pub(crate) const NOTHING: i64 = i64::MIN;
/// Less than every value, but more than nothing: what is there misses the goal.
pub(crate) const MISSED: i64 = NOTHING + 1;

/// The problem that a log is about.
#[derive(Debug)]
pub(crate) struct Problem {
    pub(crate) everything: Region,
    /// The best case of the worst channel counts.
    pub(crate) cases: Vec<Vec<Channel>>,
    /// Budgets, and, if a distance is asked for, that last.
    pub(crate) ledgers: Vec<Ledger>,
    /// Whether a distance is asked for: then values are distances with a minus sign, of points of which no channel of some case is
    /// negative.
    pub(crate) is_nearest: bool,
    /// Regions of which nothing is claimed, as the conclusion lists them.
    pub(crate) listed: Vec<NarrowBox>,
}

impl Problem {
    fn ledger(&self, number: u32) -> Result<&Ledger, &'static str> {
        self.ledgers.get(number as usize).ok_or("there are no such costs")
    }

    /// What the distance is by, if one is asked for.
    fn is_distance(&self, ledger: u32) -> bool {
        self.is_nearest && ledger as usize + 1 == self.ledgers.len()
    }

    fn channel(&self, case: usize, number: u32) -> Result<&Channel, &'static str> {
        self.cases[case].get(number as usize).ok_or("there is no such channel")
    }
}

/// Says of boxes that no input in them counts.
pub(crate) trait Exclusion {
    /// Whether no input of a box meets all conditions, as can be seen at once or as the log shows.
    fn excludes(&self, region: &Region, refutation: Option<&Refutation>) -> bool;

    /// Whether all inputs of a box that is looked at in a case miss the goal, in the library's own words.
    fn misses(&self, region: &Region, case: usize) -> bool;
}

/// A step that does not follow.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ReplayError {
    /// The log cannot be read.
    #[error("record {record}: {error}")]
    Unreadable {
        /// Its number.
        record: u64,
        /// What is wrong.
        error: io::Error,
    },
    /// A step is not justified.
    #[error("record {record}, step {step}: {what}")]
    Step {
        /// The record.
        record: u64,
        /// The step in it.
        step: usize,
        /// What is wrong.
        what: &'static str,
    },
}

/// What is kept of regions that were cut takes about so many bytes: beyond, all notes are looked at at once.
const MOST_BYTES: usize = 1 << 28;

/// Returns what no point exceeds that counts, and the number of records.
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
        replay.follow(record, back, notes)?;
    }
    Ok((replay.finish()?, record - 1))
}

/// An open region: a part of one that was cut, or the whole grid.
struct OpenRegion {
    of: PartId,
    /// The cells that it has of an axis.
    cells: Option<(u32, CellSet)>,
}

/// What is open, and what is known of the rest.
struct Replay<'a> {
    /// By number.
    open: HashMap<u64, OpenRegion>,
    /// How many ever were.
    opened: u64,
    wholes: Parents,
    /// Nothing that was given up exceeds this.
    closed: i64,
    hand: CurrentRegion<'a>,
    /// For regions that are looked at later than they were at hand.
    other: CurrentRegion<'a>,
}

impl<'a> Replay<'a> {
    fn new(problem: &'a Problem, excludes: &'a dyn Exclusion, most_bytes: usize) -> Self {
        let mut replay = Self {
            open: HashMap::new(),
            opened: 0,
            wholes: Parents::new(most_bytes),
            // Without cases no input reaches the goal.
            closed: if problem.cases.is_empty() { MISSED } else { NOTHING },
            hand: CurrentRegion::new(problem, excludes),
            other: CurrentRegion::new(problem, excludes),
        };
        for case in 0..problem.cases.len() {
            let whole = replay.wholes.add(Parent::everything(case));
            replay.open(OpenRegion { of: (whole, 0), cells: None });
        }
        replay
    }

    fn open(&mut self, open: OpenRegion) {
        self.open.insert(self.opened, open);
        self.opened += 1;
    }

    fn follow(&mut self, record: u64, back: u64, mut notes: Vec<Note>) -> Result<(), ReplayError> {
        let at = |step: usize| move |what: &'static str| ReplayError::Step { record, step, what };
        let taken = self.opened.checked_sub(back).and_then(|number| self.open.remove(&number));
        let OpenRegion { of, cells } = taken.ok_or_else(|| at(0)("there is no such open region"))?;
        let whole = self.wholes.get(of.0);
        self.hand.take(whole, cells.as_ref(), whole.bounds[of.1]);
        let num_now = if self.wholes.is_full() { notes.len() } else { notes.len() - num_unread(&notes) };
        for step in 0..num_now {
            let followed = self.hand.follow(&notes[step], &notes[step + 1..]).map_err(at(step + 1))?;
            self.prune(of, followed.pruned)?;
            if !followed.parts.is_empty() {
                self.cut(of, followed.parts, None)?;
            }
        }
        for (note, step) in notes[num_now..].iter().zip(num_now + 1..) {
            self.hand.check_note(note).map_err(at(step))?;
        }
        if num_now < notes.len() {
            let (axis, sides) = self.hand.sides(&notes[notes.len() - 1]).map_err(at(notes.len()))?;
            let parts = sides.into_iter().map(|cells| (self.hand.bound, axis, cells)).collect();
            let unread = Deferred { record, step: num_now, notes: notes.split_off(num_now) };
            self.cut(of, parts, Some(unread))?;
        }
        self.wholes.close_part(of.0);
        Ok(())
    }

    /// Parts of the region at hand, which is a part itself, are open from now on.
    fn cut(
        &mut self,
        of: PartId,
        parts: Vec<(i64, u32, CellSet)>,
        unread: Option<Deferred>,
    ) -> Result<(), ReplayError> {
        let mut bounds = [NOTHING; 2];
        bounds.iter_mut().zip(&parts).for_each(|(bound, part)| *bound = part.0);
        let is_full = self.wholes.is_full();
        let whole = self.wholes.add(Parent {
            case: self.hand.case,
            narrowed: self.hand.narrowed(),
            reached: (!is_full).then(|| self.hand.reached()),
            bounds,
            unread,
            of: Some(of),
            inherited: None,
            num_open: parts.len(),
            num_cut: 0,
        });
        if is_full {
            self.inherited(whole)?;
        }
        for (place, (_, axis, cells)) in parts.into_iter().enumerate() {
            self.open(OpenRegion { of: (whole, place), cells: Some((axis, cells)) });
        }
        Ok(())
    }

    /// Something of a part is given up, that does not exceed a bound by what the record says.
    fn prune(&mut self, part: PartId, bound: i64) -> Result<(), ReplayError> {
        if bound > self.closed {
            let bound = bound.min(self.bound(part)?);
            self.closed = self.closed.max(bound);
        }
        Ok(())
    }

    /// What nothing in a part exceeds: exactly, if that is more than was given up already.
    fn bound(&mut self, part: PartId) -> Result<i64, ReplayError> {
        let own = self.own_bound(part)?;
        if own <= self.closed { Ok(own) } else { Ok(own.min(self.inherited(part.0)?)) }
    }

    /// The same by what is said of the region that it is a part of.
    fn own_bound(&mut self, (number, place): PartId) -> Result<i64, ReplayError> {
        let is_enough = self.wholes.get(number).bounds[place] <= self.closed;
        let unread = if is_enough { None } else { self.wholes.change(number, |whole| whole.unread.take()) };
        if let Some(Deferred { record, step, notes }) = unread {
            let whole = self.wholes.get(number);
            self.other.take(whole, None, whole.bounds[0]);
            for (own, note) in notes.iter().enumerate() {
                let wrong = |what: &'static str| ReplayError::Step { record, step: step + own + 1, what };
                let followed = self.other.follow(note, &notes[own + 1..]).map_err(wrong)?;
                for (place, (bound, ..)) in followed.parts.into_iter().enumerate() {
                    self.wholes.change(number, |whole| whole.bounds[place] = bound);
                }
            }
        }
        Ok(self.wholes.get(number).bounds[place])
    }

    /// The same by what is said of what that is a part of, and so on.
    fn inherited(&mut self, number: u64) -> Result<i64, ReplayError> {
        // From the inside out, as long as it matters.
        let (mut at, mut way, mut least) = (number, vec![], i64::MAX);
        let mut beyond = loop {
            let whole = self.wholes.get(at);
            if let Some(known) = whole.inherited {
                break Some(known);
            }
            let Some(of) = whole.of else { break None };
            let bound = self.own_bound(of)?;
            way.push((at, bound));
            (at, least) = (of.0, least.min(bound));
            if least <= self.closed {
                break None;
            }
        };
        // What was found is kept, from the outside in. Where it was not looked further, it is no more than was given up already, and
        // no less is ever asked for.
        for (number, bound) in way.into_iter().rev() {
            let inherited = bound.min(beyond.unwrap_or(i64::MAX));
            self.wholes.inherit(number, inherited);
            beyond = Some(inherited);
        }
        Ok(beyond.unwrap_or(i64::MAX))
    }

    /// What nothing exceeds that was given up or is open.
    fn finish(mut self) -> Result<i64, ReplayError> {
        let open: Vec<PartId> = self.open.values().map(|open| open.of).collect();
        open.into_iter().try_for_each(|part| self.prune(part, i64::MAX))?;
        Ok(self.closed)
    }
}

/// How many notes at the end only say what parts are worth that both stay open: evaluations, and the cut.
fn num_unread(notes: &[Note]) -> usize {
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
