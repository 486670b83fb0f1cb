//! Follows a log: which regions are open, and what nothing outside of them exceeds.
//!
//! To begin with, the whole grid is open in every case. A record takes one open region. It may remove cells from it, each time
//! for a reason that is verified here; then it closes what is left, or cuts it in two parts that are open from then on, or
//! closed by what is known of them. So every point is at all times in an open region, or was given up for a reason that
//! bounds its value. Nothing is left out, whatever the log says.

use std::collections::HashMap;
use std::io::{self, Read};
use std::rc::Rc;

use crate::evaluate::{Channel, ONE, Reached, Wanted, Weighed, cut};
use crate::ledger::Ledger;
use crate::listed::NarrowBox;
use crate::log::{Decoder, Note, Place, Price, Share, Why};
use crate::refute::Refutation;
use crate::region::{CellSet, Region};

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
        for (axis, before) in &self.kept[known.num_kept..] {
            let axis = *axis as usize;
            channel.confine(&mut known.reached, axis, before, &self.region.axes[axis]);
        }
        known.num_kept = self.kept.len();
    }

    /// The evaluation of a channel.
    fn weighed(&self, channel: u32) -> Result<&Weighed, &'static str> {
        let known = self.known.get(channel as usize).filter(|known| known.is_weighed);
        known.map(|known| &known.weighed).ok_or("the channel was not evaluated")
    }

    fn weigh(
        &mut self,
        number: u32,
        shares: &[Share],
        price: Option<Price>,
        widened: Option<i64>,
        later: &[Note],
    ) -> Result<(), &'static str> {
        let problem = self.problem;
        let channel = problem.channel(self.case, number)?;
        check_shares(shares, channel.bundles.len(), problem.everything.axes.len(), |share| share.tree)?;
        let price = match price {
            Some(price) => Some((price, problem.ledger(price.ledger)?)),
            None => None,
        };
        if price.is_some_and(|(_, ledger)| ledger.is_largest) {
            return Err("a price for the largest cost means nothing");
        }
        if price.is_some_and(|(price, _)| problem.is_nearest != problem.is_distance(price.ledger)) {
            return Err("a price of other costs than those asked about");
        }
        let wanted = wanted(number, later, problem.everything.axes.len());
        self.reach(number as usize);
        let Known { reached, weighed, is_weighed, .. } = &mut self.known[number as usize];
        channel.weigh(&self.region, reached, shares, price, &wanted, weighed);
        *is_weighed = true;
        let mut bound = self.bound;
        let weighed = &self.known[number as usize].weighed;
        if let Some(least) = widened {
            let ledger = self.problem.ledgers.last().filter(|ledger| self.problem.is_nearest && ledger.is_largest);
            let ledger = ledger.ok_or("the largest cost is not what is asked for")?;
            let within = weighed.total_within(&self.region, ledger, least - 1);
            // What cannot be within reach costs more.
            if within.is_none_or(|lost| lost > weighed.plain * ONE) {
                bound = bound.min(-least);
            }
        }
        self.bound = bound.min(self.worth(weighed, weighed.total, weighed.plain));
        Ok(())
    }

    /// What points are worth at most that lose so much of the plain bound, in units of 2⁻¹⁶, or whose plain bound is so.
    fn worth(&self, weighed: &Weighed, lost: i128, plain: i128) -> i64 {
        let left = |lost: i128| saturate((weighed.plain - div_ceil(lost, ONE)).min(plain));
        match (&weighed.price, self.problem.is_nearest) {
            (None, false) => left(lost.max(0)),
            (Some(priced), false) => {
                let limit = self.problem.ledgers[priced.price.ledger as usize].limit;
                let room = limit.map(|limit| i128::from(limit) - i128::from(priced.least));
                match room.and_then(|room| priced.price.ceil(room.max(0))) {
                    Some(room) => left((lost - room).max(0)),
                    None => saturate(plain),
                }
            }
            (_, true) if plain < 0 => MISSED,
            (None, true) => {
                if lost > weighed.plain * ONE {
                    MISSED
                } else {
                    i64::MAX
                }
            }
            (Some(priced), true) => {
                let over = lost - weighed.plain * ONE;
                let more = if over > 0 { priced.price.least_cost(over) } else { Some(0) };
                more.map_or(MISSED, |more| saturate(-i128::from(priced.least) - more))
            }
        }
    }

    fn toll(&mut self, number: u32, shares: &[Share], price: Price) -> Result<(), &'static str> {
        let problem = self.problem;
        let (channel, ledger) = (problem.channel(self.case, number)?, problem.ledger(price.ledger)?);
        check_shares(shares, channel.bundles.len(), problem.everything.axes.len(), |share| share.axis)?;
        if ledger.is_largest || problem.is_nearest != problem.is_distance(price.ledger) {
            return Err("tolls of other costs than those asked about");
        }
        self.reach(number as usize);
        let value = channel.toll(&self.region, &self.known[number as usize].reached, shares, price, ledger);
        let least = i128::from(ledger.least(&self.region));
        let worth = if problem.is_nearest {
            // Points that reach the goal pay for what is missing to it.
            let more = if value < 0 { price.least_cost(-value).map(|tolls| div_ceil(tolls, ONE)) } else { Some(0) };
            more.map_or(MISSED, |more| saturate(-least - more))
        } else {
            let room = ledger.limit.map(|limit| (i128::from(limit) - least).max(0) * ONE);
            room.and_then(|room| price.ceil(room)).map_or(i64::MAX, |room| saturate(value + room))
        };
        self.bound = self.bound.min(worth);
        Ok(())
    }

    /// Gives up some cells of an axis.
    fn give_up(&mut self, axis: u32, removed: &CellSet, why: Why) -> Result<(), &'static str> {
        if self.region.is_empty() {
            return Ok(());
        }
        let worth = match why {
            Why::Channel(channel, by_leaves) => {
                let weighed = self.weighed(channel)?;
                let ledgers = &self.problem.ledgers;
                if by_leaves {
                    let cells = weighed.by_leaves(ledgers, axis, removed);
                    cells.map(|(lost, plain)| self.worth(weighed, lost, plain)).max().unwrap_or(NOTHING)
                } else {
                    // Who loses least is worth most.
                    self.worth(weighed, weighed.total_in(ledgers, axis, removed), weighed.plain)
                }
            }
            Why::Cost(number) => {
                let ledger = self.problem.ledger(number)?;
                let own = ledger.least_of(axis as usize, removed);
                let cost = if ledger.is_largest {
                    own
                } else {
                    let at_axis = ledger.least_of(axis as usize, &self.region.axes[axis as usize]);
                    ledger.least(&self.region).saturating_sub(at_axis).saturating_add(own)
                };
                self.too_dear(number, cost)?
            }
            Why::Constraint(_) => {
                let part = self.region.with(axis as usize, removed.clone());
                let one = |cell: u32| self.void(&self.region.with(axis as usize, removed.one(cell)));
                let by_cells = || removed.cells().try_fold(NOTHING, |most, cell| Some(most.max(one(cell)?)));
                self.void(&part).or_else(by_cells).ok_or("no condition excludes what is removed")?
            }
            Why::Known | Why::Point | Why::Listed(_) => return Err("cells are removed without a reason"),
        };
        self.measure();
        self.closed = self.closed.max(worth.min(self.bound));
        Ok(())
    }

    /// What the inputs of a box are worth that are none, or that miss the goal; none if some may count.
    fn void(&self, region: &Region) -> Option<i64> {
        match () {
            () if self.excludes.excludes(region, self.refutation.as_ref()) => Some(NOTHING),
            () if self.excludes.misses(region, self.case) => Some(MISSED),
            () => None,
        }
    }

    /// What points are worth that cost at least so much.
    fn too_dear(&self, ledger: u32, cost: i64) -> Result<i64, &'static str> {
        match self.problem.ledger(ledger)?.limit {
            _ if self.problem.is_distance(ledger) => Ok(-cost),
            Some(limit) if cost > limit => Ok(NOTHING),
            _ => Err("it does not cost too much"),
        }
    }

    /// No point is nearer than the nearest cells.
    fn measure(&mut self) {
        if let Some(distance) = self.problem.ledgers.last().filter(|_| self.problem.is_nearest) {
            self.bound = self.bound.min(-distance.least(&self.region));
        }
    }

    fn close(&mut self, why: Why) -> Result<(), &'static str> {
        if self.region.is_empty() {
            return Ok(());
        }
        self.measure();
        let worth = match why {
            Why::Known => self.bound,
            Why::Cost(number) => {
                let least = self.problem.ledger(number)?.least(&self.region);
                self.too_dear(number, least)?
            }
            // Where the library alone could tell, and does not, a point counts as what it can be worth.
            Why::Point => self.void(&self.region).unwrap_or(self.bound),
            Why::Constraint(_) => self.void(&self.region).ok_or("no condition excludes what is closed")?,
            Why::Listed(number) => {
                let listed = self.problem.listed.get(number as usize).ok_or("there is no such region in the list")?;
                if !listed.contains(&self.region) {
                    return Err("it is not in the region that the list has");
                }
                NOTHING
            }
            Why::Channel(..) => return Err("no condition excludes what is closed"),
        };
        self.closed = self.closed.max(worth.min(self.bound));
        Ok(())
    }

    /// Parts the region: some ordered cells and some special ones against all others.
    fn part(&mut self, axis: u32, cut: u32, special: &[u64]) -> Result<Vec<(i64, u32, CellSet)>, &'static str> {
        self.measure();
        let own = self.region.axes.get(axis as usize).ok_or("there is no such axis")?;
        let mut sides = [own.clone(), own.clone()];
        sides[0].keep_ordered(0, cut);
        sides[1].keep_ordered(cut, u32::MAX);
        for (place, word) in special.iter().enumerate() {
            sides[0].special[place] &= word;
            sides[1].special[place] &= !word;
        }
        Ok(sides.into_iter().map(|side| (self.bound, axis, side)).collect())
    }

    fn cut(
        &mut self,
        axis: u32,
        place: Place,
        is_open: [bool; 2],
        channel: Option<(u32, bool)>,
    ) -> Result<Vec<(i64, u32, CellSet)>, &'static str> {
        self.measure();
        let own = self.region.axes.get(axis as usize).ok_or("there is no such axis")?;
        let sides = cut(own, place);
        let weighed = match channel {
            Some((channel, by_leaves)) => Some((self.weighed(channel)?, by_leaves)),
            None => None,
        };
        let (mut parts, mut closed) = (vec![], self.closed);
        for (number, side) in sides.into_iter().enumerate() {
            let mut bound = self.bound;
            if let Some((weighed, by_leaves)) = weighed {
                let plain = weighed.parts.filter(|_| by_leaves).map_or(weighed.plain, |parts| parts[number]);
                let lost = weighed.total_in(&self.problem.ledgers, axis, &side);
                bound = bound.min(self.worth(weighed, lost, plain));
            }
            let is_empty = side.is_empty();
            if is_open[number] {
                parts.push((bound, axis, side));
            } else if !is_empty && !self.region.is_empty() {
                closed = closed.max(bound);
            }
        }
        self.closed = closed;
        Ok(parts)
    }
}

/// What later notes want of an evaluation, up to the next one of the same channel, along axes that there are.
fn wanted(channel: u32, later: &[Note], num_axes: usize) -> Wanted {
    let mut wanted = Wanted::default();
    for note in later {
        match note {
            Note::Weighed { channel: other, .. } if *other == channel => break,
            Note::Kept { axis, why: Why::Channel(of, true), .. }
                if *of == channel && !wanted.by_leaves.contains(axis) =>
            {
                wanted.by_leaves.push(*axis);
            }
            Note::Cut { axis, place, channel: Some((of, true)), .. }
                if *of == channel && (*axis as usize) < num_axes =>
            {
                wanted.cut = Some((*axis, *place));
            }
            _ => {}
        }
    }
    wanted
}

/// Shares are in the order of trees, of known trees and axes, and all of the same tree sum to at most one, or all of the same axis.
fn check_shares(
    shares: &[Share],
    num_trees: usize,
    num_axes: usize,
    owner: impl Fn(&Share) -> u32,
) -> Result<(), &'static str> {
    let mut sums: Vec<u64> = vec![0; num_trees.max(num_axes)];
    let mut last = 0;
    for share in shares {
        if share.tree as usize >= num_trees || share.axis as usize >= num_axes || share.tree < last {
            return Err("shares of no known tree or axis");
        }
        last = share.tree;
        let sum = &mut sums[owner(share) as usize];
        *sum += u64::from(share.units);
        if *sum > ONE as u64 {
            return Err("shares that sum to more than one");
        }
    }
    Ok(())
}

fn div_ceil(number: i128, by: i128) -> i128 {
    -(-number).div_euclid(by)
}

fn saturate(number: i128) -> i64 {
    i64::try_from(number).unwrap_or(if number < 0 { i64::MIN } else { i64::MAX }).max(MISSED + 1)
}

#[cfg(test)]
mod tests;
