//! Follows a log: which regions are open, and what nothing outside of them exceeds.
//!
//! To begin with, the whole grid is open in every case. A record takes one open region. It may remove cells from it, each time
//! for a reason that is verified here; then it closes what is left, or cuts it in two parts that are open from then on, or
//! closed by what is known of them. So every point is at all times in an open region, or was given up for a reason that
//! bounds its value. Nothing is left out, whatever the log says.

pub(crate) mod evaluate;
mod given_up;
pub(crate) mod losses;
pub(crate) mod toll;
mod weigh;

use std::collections::HashMap;
use std::io::{self, Read};
use std::rc::Rc;

use crate::check::listed::NarrowBox;
use crate::excluded::refute::Refutation;
use crate::file::log::{Decoder, Note};
use crate::problem::ledger::Ledger;
use crate::replay::evaluate::{Channel, Reached, Weighed};
use crate::space::region::{CellSet, Region};

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
pub(crate) trait Excludes {
    /// Whether no input of a box meets all conditions, as can be seen at once or as the log shows.
    fn excludes(&self, region: &Region, refutation: Option<&Refutation>) -> bool;

    /// Whether all inputs of a box that is looked at in a case miss the goal, in the library's own words.
    fn misses(&self, region: &Region, case: usize) -> bool;
}

/// A step that does not follow.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Wrong {
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

/// Open regions keep which leaves they reach as long as all that takes no more bytes; else it is looked up again.
const MOST_BYTES: usize = 1 << 28;

/// An open region: a part of one that was cut, or the whole grid.
struct Open {
    bound: i64,
    of: Rc<Whole>,
    /// The cells that it has of an axis.
    part: Option<(u32, CellSet)>,
}

/// A region that was cut.
struct Whole {
    case: usize,
    /// The axes that have lost cells.
    narrowed: Box<[(u32, CellSet)]>,
    /// The leaves that it reaches, per channel.
    reached: Option<Vec<Reached>>,
}

/// Returns what no point exceeds that counts, and the number of records.
pub(crate) fn replay(problem: &Problem, excludes: &dyn Excludes, log: impl Read) -> Result<(i64, u64), Wrong> {
    let words = problem.everything.axes.iter().map(|cells| cells.special.len()).collect();
    let mut decoder = Decoder::new(log, words);
    let whole = |case: usize| Rc::new(Whole { case, narrowed: Box::default(), reached: None });
    let whole = |case: usize| Open { bound: i64::MAX, of: whole(case), part: None };
    let mut open: HashMap<u64, Open> = (0..problem.cases.len()).map(|case| (case as u64, whole(case))).collect();
    let (mut opened, mut record) = (problem.cases.len() as u64, 0);
    let mut state = State {
        problem,
        excludes,
        // Without cases no input reaches the goal.
        closed: if problem.cases.is_empty() { MISSED } else { NOTHING },
        region: problem.everything.clone(),
        bound: 0,
        case: 0,
        known: vec![],
        kept: vec![],
        refutation: None,
    };
    loop {
        record += 1;
        let next = decoder.record().map_err(|error| Wrong::Unreadable { record, error })?;
        let Some((back, notes)) = next else { break };
        let at = |step: usize| move |what: &'static str| Wrong::Step { record, step, what };
        let taken = opened.checked_sub(back).and_then(|number| open.remove(&number));
        let taken = taken.ok_or_else(|| at(0)("there is no such open region"))?;
        state.begin(&taken);
        for (step, note) in notes.iter().enumerate() {
            let parts = state.follow(note, &notes[step + 1..]).map_err(at(step + 1))?;
            if parts.is_empty() {
                continue;
            }
            let whole = Rc::new(state.whole(open.len()));
            for (bound, axis, side) in parts {
                open.insert(opened, Open { bound, of: Rc::clone(&whole), part: Some((axis, side)) });
                opened += 1;
            }
        }
    }
    Ok((open.values().map(|open| open.bound).fold(state.closed, i64::max), record - 1))
}

/// The region at hand.
struct State<'a> {
    problem: &'a Problem,
    excludes: &'a dyn Excludes,
    /// Nothing that was given up exceeds this.
    closed: i64,
    region: Region,
    /// Nothing in the region exceeds this.
    bound: i64,
    case: usize,
    /// What is known of it, per channel.
    known: Vec<Known>,
    /// Axes that have lost cells since the leaves were looked up that are known to begin with, one by one, and what they had before.
    kept: Vec<(u32, CellSet)>,
    /// Why conditions leave nothing, if the record says it.
    refutation: Option<Refutation>,
}

/// What is known of the region at hand by a channel.
#[derive(Default)]
struct Known {
    /// The leaves that it reached when it had lost cells so often: it only shrinks.
    reached: Reached,
    num_kept: usize,
    /// The evaluation, if there was one.
    weighed: Weighed,
    is_weighed: bool,
}

impl State<'_> {
    fn begin(&mut self, taken: &Open) {
        let (problem, of) = (self.problem, &taken.of);
        self.kept.clear();
        let axes = &mut self.region.axes;
        axes.iter_mut().zip(&problem.everything.axes).for_each(|(own, all)| own.set(all));
        for (axis, cells) in &of.narrowed {
            if of.reached.is_none() {
                self.kept.push((*axis, axes[*axis as usize].clone()));
            }
            axes[*axis as usize].set(cells);
        }
        if let Some((axis, cells)) = &taken.part {
            self.kept.push((*axis, axes[*axis as usize].clone()));
            axes[*axis as usize].set(cells);
        }
        (self.bound, self.case) = (taken.bound, of.case);
        self.refutation = None;
        let channels = &problem.cases[self.case];
        self.known.resize_with(channels.len(), Known::default);
        for (number, (known, channel)) in self.known.iter_mut().zip(channels).enumerate() {
            known.reached.0.clone_from(of.reached.as_ref().map_or(&channel.all, |reached| &reached[number].0));
            known.num_kept = 0;
            known.is_weighed = false;
        }
    }

    /// The region as it is, of which parts will be open beside so many regions.
    fn whole(&mut self, num_open: usize) -> Whole {
        let axes = self.region.axes.iter().zip(&self.problem.everything.axes);
        let narrowed = (0..).zip(axes).filter(|(_, (own, all))| !own.is_same(all));
        let narrowed = narrowed.map(|(axis, (own, _))| (axis, own.clone())).collect();
        let channels = &self.problem.cases[self.case];
        let bytes: usize = channels.iter().map(|channel| 8 * channel.all.len()).sum();
        let mut whole = Whole { case: self.case, narrowed, reached: None };
        if num_open.saturating_mul(bytes) <= MOST_BYTES {
            (0..channels.len()).for_each(|number| self.reach(number));
            whole.reached = Some(self.known.iter().map(|known| known.reached.clone()).collect());
        }
        whole
    }

    /// Returns the parts that are open from then on: what nothing in them exceeds, and the cells of an axis that they have.
    fn follow(&mut self, note: &Note, later: &[Note]) -> Result<Vec<(i64, u32, CellSet)>, &'static str> {
        match note {
            Note::Weighed { channel, shares, price, widened } => {
                self.weigh(*channel, shares, *price, *widened, later)?;
            }
            Note::Tolled { channel, shares, price } => self.toll(*channel, shares, *price)?,
            Note::Kept { axis, low, high, special, why } => {
                let own = self.region.axes.get(*axis as usize).ok_or("there is no such axis")?;
                let mut kept = own.clone();
                (kept.low, kept.high, kept.special) = (*low, *high, special.clone());
                let kept = kept.common(own);
                for removed in own.without(&kept) {
                    self.give_up(*axis, &removed, *why)?;
                }
                let before = std::mem::replace(&mut self.region.axes[*axis as usize], kept);
                self.kept.push((*axis, before));
            }
            Note::Refuted(refutation) => self.refutation = Some(refutation.clone()),
            Note::Closed(why) => self.close(*why)?,
            Note::Cut { axis, place, is_open, channel } => return self.cut(*axis, *place, *is_open, *channel),
            Note::Parted { axis, cut, special } => return self.part(*axis, *cut, special),
        }
        Ok(vec![])
    }

    /// Looks up which leaves of a channel the region reaches.
    fn reach(&mut self, number: usize) {
        let (channel, known) = (&self.problem.cases[self.case][number], &mut self.known[number]);
        let kept = &self.kept[known.num_kept..];
        for (number, (axis, before)) in kept.iter().enumerate() {
            // An axis that has lost cells twice is looked at once, as it is now.
            if kept[..number].iter().any(|(other, _)| other == axis) {
                continue;
            }
            let axis = *axis as usize;
            channel.confine(&mut known.reached, axis, before, &self.region.axes[axis]);
        }
        known.num_kept = self.kept.len();
    }
}

#[cfg(test)]
mod tests;
