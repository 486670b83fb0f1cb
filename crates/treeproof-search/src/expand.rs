//! One step of the search: a region is closed, or cut in two.
//!
//! A region is closed in one place, [`Incumbent::close`], for a named [`Reason`].

use crate::climb::Climber;
use crate::evaluate::{Evaluation, Layout};
use crate::frontier::PartBound;
use crate::masks::Masks;
use crate::problem::{Case, Channel, MAX_MAGNITUDE, Problem, Value};
use crate::region::{Cut, Part, Region, Space};
use crate::trees::Trees;

/// Rounds of tightening and evaluating again before a region is cut.
const MAX_ROUNDS: usize = 6;
/// Climbing takes at most one part in this many of the work.
const CLIMB_SHARE: u64 = 12;
/// A point is tried in one of this many regions.
const GUESS_EVERY: u64 = 4;

/// The best value known, and whether a point has it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incumbent {
    /// Regions that cannot exceed it are closed.
    pub value: Value,
    /// Whether a point attains it; if not, a region that can just reach it stays open.
    pub is_attained: bool,
}

/// Why a region needs no further search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The bound of a channel is not above the incumbent.
    Bound,
    /// Tightening left an axis without cells.
    Empty,
}

impl Incumbent {
    /// Nothing is known.
    pub(crate) const NONE: Self = Self { value: Value::MIN, is_attained: false };

    /// Whether a bound closes a region: nothing in it is better.
    #[inline]
    pub(crate) fn close(self, bound: Value) -> Result<(), Reason> {
        let closes = if self.is_attained { bound <= self.value } else { bound < self.value };
        if closes { Err(Reason::Bound) } else { Ok(()) }
    }

    /// Whether a point of this value is an improvement.
    pub(crate) fn is_improved_by(self, value: Value) -> bool {
        if self.is_attained { value > self.value } else { value >= self.value }
    }

    /// The least fall of a bound that closes what falls so far.
    pub(crate) fn closing_fall(self, bound: Value) -> Value {
        bound.saturating_sub(self.ceiling())
    }

    /// What nothing outside the open regions exceeds.
    pub(crate) fn ceiling(self) -> Value {
        if self.is_attained { self.value } else { self.value.saturating_sub(1) }
    }
}

/// A problem made ready for searching.
#[derive(Debug)]
pub(crate) struct Compiled {
    pub(crate) space: Space,
    pub(crate) layout: Layout,
    pub(crate) cases: Vec<Vec<Trees>>,
}

impl Compiled {
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search. If its values
    /// are larger than [`MAX_MAGNITUDE`] allows.
    pub(crate) fn new(problem: &Problem, max_mask_bytes: usize) -> Self {
        assert!(problem.axes.iter().all(|axis| axis.num_cells() > 0), "an axis without cells");
        assert!(
            !problem.cases.is_empty() && problem.cases.iter().all(|case| !case.channels.is_empty()),
            "nothing to maximise"
        );
        assert!(problem.magnitude() <= MAX_MAGNITUDE.unsigned_abs().into(), "values whose sums could overflow");
        let space = Space::new(&problem.axes);
        let trees = |channel: &Channel| Trees::new(&space, channel, max_mask_bytes);
        let compile = |case: &Case| case.channels.iter().map(trees).collect();
        let cases: Vec<Vec<Trees>> = problem.cases.iter().map(compile).collect();
        let layout = Layout::new(&space);
        Self { space, layout, cases }
    }

    /// Sets how much more memory the trees may take.
    pub(crate) fn limit_growth(&self, max_bytes: usize) {
        let masks: Vec<&Masks> = self.cases.iter().flatten().filter_map(Trees::masks).collect();
        masks.iter().for_each(|of_channel| of_channel.limit_rows(max_bytes / masks.len()));
    }

    /// The bytes that were taken since the problem was made ready.
    pub(crate) fn grown_bytes(&self) -> usize {
        self.cases.iter().flatten().map(Trees::grown_bytes).sum()
    }
}

/// Expands regions; holds the memory that this takes, and the best point it knows.
#[derive(Debug)]
pub(crate) struct Worker {
    pub(crate) incumbent: Incumbent,
    /// A point with the incumbent's value, if this worker found it.
    pub(crate) found: Option<Vec<u32>>,
    channels: Vec<Evaluation>,
    /// The case whose channels were evaluated last.
    evaluated: Option<u32>,
    climber: Climber,
    guess: Vec<u32>,
    /// Regions expanded; a point is tried in some of them.
    pub(crate) expanded: u64,
    /// Words read by evaluations; climbing gets its share of this.
    pub(crate) work: u64,
    /// Words read by climbing.
    pub(crate) climbed: u64,
}

impl Worker {
    pub(crate) fn new(compiled: &Compiled) -> Self {
        let widest = compiled.cases.iter().map(Vec::len).max().unwrap_or(0);
        Self {
            incumbent: Incumbent::NONE,
            found: None,
            channels: (0..widest).map(|_| Evaluation::default()).collect(),
            evaluated: None,
            climber: Climber::default(),
            climbed: 0,
            guess: vec![],
            expanded: 0,
            work: 0,
        }
    }

    /// Closes a region whose bound is known, or says how to cut it. The region may shrink on the way.
    pub(crate) fn expand(
        &mut self,
        compiled: &Compiled,
        case: u32,
        bound: Value,
        region: &mut Region,
    ) -> Result<Vec<PartBound>, Reason> {
        let Compiled { space, cases, .. } = compiled;
        let channels = &cases[case as usize];
        self.incumbent.close(bound)?;
        let mut bound = bound;
        let mut binding = self.evaluate(compiled, case, region);
        for round in 0..=MAX_ROUNDS {
            bound = bound.min(self.channels[binding].bound);
            if round == 0 && self.guesses() {
                self.try_guess(compiled, case, binding, region, bound);
            }
            self.incumbent.close(bound)?;
            if round == MAX_ROUNDS || !self.tighten(space, channels.len(), region) {
                break;
            }
            if space.is_empty(region) {
                return Err(Reason::Empty);
            }
            match self.evaluate_again(compiled, channels, region) {
                Some(again) => binding = again,
                None => break,
            }
        }
        let evaluation = &self.channels[binding];
        let gap = if self.incumbent == Incumbent::NONE {
            evaluation.plain.saturating_abs()
        } else {
            evaluation.plain.saturating_sub(self.incumbent.value)
        };
        if let Some((cut, first, second)) = evaluation.best_cut(space, region, gap) {
            let part = |fall: Value, part: Part| {
                let fall = fall.max(evaluation.share_fall(region, cut, part));
                (bound.min(evaluation.plain - fall), Some((cut, part)))
            };
            let parts = [part(first, Part::First), part(second, Part::Second)];
            return Ok(parts.into_iter().filter(|(bound, _)| self.incumbent.close(*bound).is_ok()).collect());
        }
        self.try_guess(compiled, case, binding, region, bound);
        self.incumbent.close(bound)?;
        let cut = self.conflict(space, channels, region, bound);
        Ok(vec![(bound, Some((cut, Part::First))), (bound, Some((cut, Part::Second)))])
    }

    /// Whether it is time to try a point: always as long as none is known, and else every few regions.
    fn guesses(&mut self) -> bool {
        self.expanded += 1;
        !self.incumbent.is_attained || self.expanded % GUESS_EVERY == 1
    }

    /// Evaluates every channel and returns the one with the least bound. In a part of the region that was evaluated last,
    /// much is known already.
    fn evaluate(&mut self, compiled: &Compiled, case: u32, region: &Region) -> usize {
        let Compiled { space, layout, cases } = compiled;
        let channels = &cases[case as usize];
        let covers = |evaluation: &Evaluation| evaluation.covers(region);
        if self.evaluated.replace(case) == Some(case) && self.channels[..channels.len()].iter().all(covers) {
            self.evaluate_again(compiled, channels, region);
            return self.binding(channels.len());
        }
        for (trees, evaluation) in channels.iter().zip(&mut self.channels) {
            trees.evaluate(space, layout, region, self.incumbent, evaluation);
            self.work += trees.work(space);
        }
        self.binding(channels.len())
    }

    /// Evaluates every channel again after the region has shrunk; `None` if nothing has changed.
    fn evaluate_again(&mut self, compiled: &Compiled, channels: &[Trees], region: &Region) -> Option<usize> {
        let Compiled { space, layout, .. } = compiled;
        let mut changed = false;
        for (trees, evaluation) in channels.iter().zip(&mut self.channels) {
            changed |= trees.evaluate_again(space, layout, region, self.incumbent, evaluation);
            self.work += trees.work(space);
        }
        changed.then(|| self.binding(channels.len()))
    }

    /// The channel with the least bound.
    fn binding(&self, num_channels: usize) -> usize {
        (0..num_channels).min_by_key(|channel| self.channels[*channel].bound).expect("a case has channels")
    }

    /// Removes cells in which no channel can beat the incumbent. Returns whether there were any.
    fn tighten(&self, space: &Space, num_channels: usize, region: &mut Region) -> bool {
        let mut changed = false;
        for evaluation in &self.channels[..num_channels] {
            changed |= evaluation.tighten(space, region, self.incumbent.closing_fall(evaluation.plain));
        }
        changed
    }

    /// Nothing falls at any cut, and yet the region is open: best leaves of equal value exclude each other. Cuts off the
    /// best leaf of a tree that the last guess misses.
    fn conflict(&self, space: &Space, channels: &[Trees], region: &Region, bound: Value) -> Cut {
        let below = channels.iter().zip(&self.channels).filter_map(|(trees, evaluation)| {
            let is_below = trees.value_within(space, &self.guess, evaluation) < bound;
            is_below.then(|| trees.conflict(space, region, &evaluation.best, &self.guess)).flatten()
        });
        // In every best leaf of a channel, the guess would have that channel's bound as its value.
        below
            .into_iter()
            .next()
            .expect("an open region without a falling cut has a tree whose best leaf the guess misses")
    }

    /// Evaluates the cheapest cells as a point, and climbs from it if that may pay.
    fn try_guess(&mut self, compiled: &Compiled, case: u32, binding: usize, region: &Region, bound: Value) {
        let (space, channels) = (&compiled.space, &compiled.cases[case as usize]);
        self.channels[binding].guess(space, region, &mut self.guess);
        let of_channel = |(trees, evaluation): (&Trees, _)| trees.value_within(space, &self.guess, evaluation);
        let values = channels.iter().zip(&self.channels).map(of_channel);
        let value = values.min().expect("a case has channels");
        let improves = self.incumbent.is_improved_by(value);
        if improves {
            self.improve(compiled, self.guess.clone());
        }
        let may_climb = value < bound && (improves || self.climbed * CLIMB_SHARE < self.work);
        if may_climb && let Some(masks) = masks(channels) {
            let mut point = self.guess.clone();
            let value = self.climber.climb(space, &masks, &mut point);
            self.climbed += std::mem::take(&mut self.climber.work);
            if self.incumbent.is_improved_by(value) {
                self.improve(compiled, point);
            }
        }
    }

    /// A point found in one case may be worth even more in another.
    fn improve(&mut self, compiled: &Compiled, point: Vec<u32>) {
        let Compiled { space, cases, .. } = compiled;
        let of_case = |channels: &Vec<Trees>| channels.iter().map(|trees| trees.value_at(space, &point)).min();
        let value = cases.iter().filter_map(of_case).max().expect("a problem has cases");
        self.incumbent = Incumbent { value, is_attained: true };
        self.found = Some(point);
    }
}

/// The masks of all channels, where all have such.
fn masks(channels: &[Trees]) -> Option<Vec<&Masks>> {
    channels.iter().map(Trees::masks).collect()
}
