//! One step of the search: a region is closed, or cut in two.
//!
//! [`Incumbent`] says which bounds close a region.

mod candidate;

use crate::bound::{BoundAim, Evaluation, Incumbent, Pruned, Request};
use crate::compiled::{CompiledProblem, Trees};
use crate::grid::{CutPart, Region, RegionCut, Value, index};
use crate::journal::{Note, Notes, Why};
use crate::method::{Abandoned, Stop, proceed};
use crate::primal::{Ascent, Chains};
use crate::problem::Points;
use crate::random::Random;

/// Rounds of tightening and evaluating again before a region is cut.
const MAX_ROUNDS: usize = 6;
/// A point is tried in one of this many regions.
const GUESS_EVERY: u64 = 4;

/// End of an expansion without a cut.
enum ExpansionEnd {
    Pruned,
    Abandoned(Abandoned),
}

impl From<Pruned> for ExpansionEnd {
    fn from(Pruned: Pruned) -> Self {
        Self::Pruned
    }
}

impl From<Abandoned> for ExpansionEnd {
    fn from(abandoned: Abandoned) -> Self {
        Self::Abandoned(abandoned)
    }
}

/// A part of a region and its bound.
pub(crate) type PartBound = (Value, Option<(RegionCut, CutPart)>);

/// An evaluated region: its case, the channel that binds there, and its bound.
#[derive(Clone, Copy)]
struct Evaluated<'a> {
    compiled: &'a CompiledProblem,
    case: u32,
    binding: usize,
    region: &'a Region,
    bound: Value,
    stop: &'a dyn Stop,
}

impl<'a> Evaluated<'a> {
    fn channels(&self) -> &'a [Trees] {
        &self.compiled.cases[self.case as usize]
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
    ascent: Ascent,
    pub(crate) chains: Chains,
    /// Guesses and chains take turns at climbing.
    is_chains_turn: bool,
    guess: Vec<u32>,
    pub(crate) notes: Notes,
    /// Channels with an up-to-date note of their evaluation.
    is_noted: Vec<bool>,
    /// Regions expanded; a point is tried in some of them.
    expanded: u64,
    /// The work of all evaluations, of which climbing gets a share.
    work: u64,
    /// The work of climbing.
    climbed: u64,
}

impl Worker {
    pub(crate) fn new(compiled: &CompiledProblem, random: Random) -> Self {
        let widest = compiled.cases.iter().map(Vec::len).max().unwrap_or(0);
        Self {
            incumbent: Incumbent::NONE,
            found: None,
            channels: (0..widest).map(|_| Evaluation::default()).collect(),
            evaluated: None,
            ascent: Ascent::default(),
            chains: Chains::new(random),
            is_chains_turn: false,
            climbed: 0,
            guess: vec![],
            notes: Notes::default(),
            is_noted: vec![false; widest],
            expanded: 0,
            work: 0,
        }
    }

    /// Notes what is done to regions, or does not.
    pub(crate) fn record_notes(&mut self, is_enabled: bool) {
        self.notes.enable(is_enabled);
        self.channels.iter_mut().for_each(|evaluation| evaluation.record_notes(is_enabled));
    }

    /// The open parts of a region whose bound is known; none if it is closed. The region may shrink on the way.
    ///
    /// # Errors
    /// If it is abandoned: the region, and its bound, are then as open as before.
    pub(crate) fn expand(
        &mut self,
        compiled: &CompiledProblem,
        open: (u32, Value),
        region: &mut Region,
        stop: &dyn Stop,
    ) -> Result<Vec<PartBound>, Abandoned> {
        match self.expand_or_end(compiled, open, region, stop) {
            Ok(parts) => Ok(parts),
            Err(ExpansionEnd::Pruned) => Ok(vec![]),
            Err(ExpansionEnd::Abandoned(abandoned)) => {
                // What is known of the region is neither of it before it shrank nor after.
                self.evaluated = None;
                Err(abandoned)
            }
        }
    }

    fn expand_or_end(
        &mut self,
        compiled: &CompiledProblem,
        (case, whole): (u32, Value),
        region: &mut Region,
        stop: &dyn Stop,
    ) -> Result<Vec<PartBound>, ExpansionEnd> {
        let CompiledProblem { space, cases, .. } = compiled;
        let channels = &cases[case as usize];
        self.is_noted.fill(false);
        self.prune(whole, None, compiled)?;
        self.propagate(compiled, case, region)?;
        let mut bound = whole;
        let mut binding = self.evaluate(compiled, case, region, stop)?;
        for round in 0..=MAX_ROUNDS {
            // What is noted is the last evaluation alone.
            let known = if self.notes.is_enabled() { whole } else { bound };
            bound = known.min(self.worth(compiled, binding));
            if compiled.distance.is_some() {
                self.prune_by_channels(compiled, channels.len())?;
            }
            proceed(stop)?;
            if round == 0 && self.guesses() {
                self.try_guess(Evaluated { compiled, case, binding, region, bound, stop });
            }
            self.prune(bound, Some(binding), compiled)?;
            if round == MAX_ROUNDS || !self.tighten(compiled, channels.len(), region) {
                break;
            }
            if space.is_empty(region) {
                self.notes.add(|| Note::Closed(Why::Known));
                return Err(Pruned.into());
            }
            self.propagate(compiled, case, region)?;
            match self.evaluate_again(compiled, channels, region, stop)? {
                Some(again) => binding = again,
                None => break,
            }
        }
        let floor = self.aim(compiled).floor;
        let evaluation = &self.channels[binding];
        let gap = if floor == Incumbent::NONE {
            evaluation.plain.saturating_abs()
        } else {
            evaluation.plain.saturating_sub(floor.value)
        };
        if let Some((cut, first, second)) = evaluation.best_cut(space, region, gap) {
            let mut is_by_leaves = false;
            let mut part = |fall: Value, part: CutPart| {
                let share_fall = evaluation.share_fall(region, cut, part);
                is_by_leaves |= fall > share_fall;
                let below = evaluation.plain - fall.max(share_fall);
                floor.prune(below).ok()?;
                let bound = match &compiled.distance {
                    Some(_) => bound.min(-evaluation.distance_of_part(region, cut, part)),
                    None => bound.min(below),
                };
                self.incumbent.prune(bound).ok()?;
                Some((bound, Some((cut, part))))
            };
            let parts = [part(first, CutPart::First), part(second, CutPart::Second)];
            self.note_channel(compiled, binding);
            self.notes.add(|| Note::Cut {
                axis: cut.axis,
                place: cut.place,
                is_open: parts.map(|part| part.is_some()),
                bounds: parts.map(|part| part.map_or(Value::MIN, |(bound, _)| bound)),
                channel: Some((index(binding), is_by_leaves)),
            });
            return Ok(parts.into_iter().flatten().collect());
        }
        if let Some(distance) = &compiled.distance {
            // Cells may have gone since the region was evaluated.
            bound = bound.min(-distance.least(space, region));
        }
        self.try_last(Evaluated { compiled, case, binding, region, bound, stop });
        self.prune(bound, Some(binding), compiled)?;
        self.note_channel(compiled, binding);
        let cut = self.conflict(compiled, case, region, bound)?;
        self.notes.add(|| Note::Cut {
            axis: cut.axis,
            place: cut.place,
            is_open: [true; 2],
            bounds: [bound; 2],
            channel: None,
        });
        Ok(vec![(bound, Some((cut, CutPart::First))), (bound, Some((cut, CutPart::Second)))])
    }

    /// Closes a region if its bound does, as the evaluation of a channel has it, or as it was known before.
    fn prune(&mut self, bound: Value, channel: Option<usize>, compiled: &CompiledProblem) -> Result<(), Pruned> {
        let pruned = self.incumbent.prune(bound);
        if pruned.is_err() {
            channel.into_iter().for_each(|channel| self.note_channel(compiled, channel));
            self.notes.add(|| Note::Closed(Why::Known));
        }
        pruned
    }

    /// Notes how a channel was evaluated, unless that was done.
    fn note_channel(&mut self, compiled: &CompiledProblem, channel: usize) {
        if !self.notes.is_enabled() || std::mem::replace(&mut self.is_noted[channel], true) {
            return;
        }
        let first_table = compiled.distance.as_ref().map_or(0, |_| index(compiled.budgets.len()));
        let tables = match &compiled.distance {
            Some(distance) => std::slice::from_ref(distance),
            None => &compiled.budgets,
        };
        let notes = &mut self.notes;
        self.channels[channel].record(index(channel), tables, first_table, &mut |note| notes.add(|| note));
    }

    /// The purpose of evaluations: the incumbent to beat, and the costs that count.
    fn aim<'c>(&self, compiled: &'c CompiledProblem) -> BoundAim<'c> {
        match &compiled.distance {
            Some(distance) => BoundAim::nearest(distance, self.max_distance()),
            None => BoundAim::margin(self.incumbent, &compiled.budgets),
        }
    }

    /// The largest distance that would be an improvement.
    fn max_distance(&self) -> Option<Value> {
        (self.incumbent != Incumbent::NONE).then(|| -(self.incumbent.ceiling() + 1))
    }

    /// Removes cells that are too expensive, too far away or against a constraint, until nothing more can be.
    fn propagate(&mut self, compiled: &CompiledProblem, case: u32, region: &mut Region) -> Result<(), Pruned> {
        let space = &compiled.space;
        let distance = compiled.distance.iter().zip(self.max_distance());
        let limits = compiled.budgets.iter().map(|budget| (budget, budget.limit)).chain(distance);
        loop {
            let mut changed = false;
            for (place, (table, limit)) in (0..).zip(limits.clone()) {
                let before = self.notes.is_enabled().then(|| region.clone());
                let Some(has_shrunk) = table.propagate(space, region, limit) else {
                    self.notes.add(|| Note::Closed(Why::Cost(place)));
                    return Err(Pruned);
                };
                changed |= has_shrunk;
                for axis in 0..before.as_ref().map_or(0, |_| space.axes.len()) {
                    if before.as_ref().is_some_and(|before| !space.same_cells(before, region, axis)) {
                        self.notes.add(|| Note::kept(space, region, axis, Why::Cost(place)));
                    }
                }
            }
            for (place, constraint) in (0..).zip(&compiled.constraints) {
                let before = (self.notes.is_enabled() && constraint.sees_values()).then(|| region.clone());
                let recorded = self.notes.is_enabled().then_some(place);
                let mut points = Points::new(space, region, case as usize, recorded);
                constraint.narrow(&mut points);
                if points.has_changed {
                    changed = true;
                    let is_empty = points.is_empty();
                    before.iter().filter(|_| is_empty).for_each(|before| self.notes.add(|| Note::void(space, before)));
                    points.into_notes().into_iter().for_each(|note| self.notes.add(|| note));
                    if is_empty {
                        self.notes.add(|| Note::Closed(Why::Known));
                        return Err(Pruned);
                    }
                }
            }
            if !changed {
                return Ok(());
            }
        }
    }

    /// An upper bound on the objective in the evaluated region, by one channel.
    fn worth(&self, compiled: &CompiledProblem, channel: usize) -> Value {
        let evaluation = &self.channels[channel];
        if compiled.distance.is_some() { -evaluation.distance } else { evaluation.bound }
    }

    /// Closes a region in which a channel does not reach its floor.
    fn prune_by_channels(&mut self, compiled: &CompiledProblem, num_channels: usize) -> Result<(), Pruned> {
        let floor = self.aim(compiled).floor;
        for channel in 0..num_channels {
            if floor.prune(self.channels[channel].bound).is_err() {
                self.note_channel(compiled, channel);
                self.notes.add(|| Note::Closed(Why::Known));
                return Err(Pruned);
            }
        }
        Ok(())
    }

    /// True if it is time to try a point: always without an incumbent, else every few regions.
    fn guesses(&mut self) -> bool {
        self.expanded += 1;
        !self.incumbent.is_attained || self.expanded % GUESS_EVERY == 1
    }

    /// Evaluates every channel and returns the one with the least bound. In a part of the region that was evaluated last,
    /// much is known already, and holds whatever has been found since: bounds were for more points, and worse ones to beat.
    fn evaluate(
        &mut self,
        compiled: &CompiledProblem,
        case: u32,
        region: &Region,
        stop: &dyn Stop,
    ) -> Result<usize, Abandoned> {
        let CompiledProblem { space, cases, .. } = compiled;
        let request = Request { space, region, aim: self.aim(compiled), stop };
        let channels = &cases[case as usize];
        let covers = |evaluation: &Evaluation| evaluation.covers(region);
        if self.evaluated.replace(case) == Some(case) && self.channels[..channels.len()].iter().all(covers) {
            self.evaluate_again(compiled, channels, region, stop)?;
            return Ok(self.binding(compiled, channels.len()));
        }
        for (trees, evaluation) in channels.iter().zip(&mut self.channels) {
            evaluation.evaluate(trees, request)?;
            self.work += evaluation.work();
        }
        self.is_noted.fill(false);
        Ok(self.binding(compiled, channels.len()))
    }

    /// Evaluates every channel again after the region has shrunk; `None` if nothing has changed.
    fn evaluate_again(
        &mut self,
        compiled: &CompiledProblem,
        channels: &[Trees],
        region: &Region,
        stop: &dyn Stop,
    ) -> Result<Option<usize>, Abandoned> {
        let request = Request { space: &compiled.space, region, aim: self.aim(compiled), stop };
        let mut changed = false;
        for ((trees, evaluation), is_noted) in channels.iter().zip(&mut self.channels).zip(&mut self.is_noted) {
            let has_changed = evaluation.evaluate_again(trees, request)?;
            *is_noted &= !has_changed;
            changed |= has_changed;
            self.work += evaluation.work();
        }
        Ok(changed.then(|| self.binding(compiled, channels.len())))
    }

    /// The channel with the least bound.
    fn binding(&self, compiled: &CompiledProblem, num_channels: usize) -> usize {
        let bounds = |channel: &usize| (self.worth(compiled, *channel), self.channels[*channel].bound);
        (0..num_channels).min_by_key(bounds).expect("a case has channels")
    }

    /// Removes cells in which no channel can beat the incumbent. Returns whether there were any.
    fn tighten(&mut self, compiled: &CompiledProblem, num_channels: usize, region: &mut Region) -> bool {
        let (space, floor) = (&compiled.space, self.aim(compiled).floor);
        let mut changed = false;
        for channel in 0..num_channels {
            let evaluation = &self.channels[channel];
            let mut kept = vec![];
            let mut has_changed = false;
            evaluation.tighten(space, region, floor.pruning_fall(evaluation.plain), |region, axis, is_by_leaves| {
                has_changed = true;
                if self.notes.is_enabled() {
                    let why = Why::Channel(index(channel), is_by_leaves);
                    kept.push(Note::kept(space, region, axis as usize, why));
                }
            });
            if has_changed {
                changed = true;
                self.note_channel(compiled, channel);
                kept.into_iter().for_each(|note| self.notes.add(|| note));
            }
        }
        changed
    }

    /// The cut of an open region in which no cut has a fall: best leaves of equal value exclude each other, or the
    /// last guess is too expensive or violates a constraint. It separates the guess from a best leaf that it misses,
    /// or from cheaper points, or halves the region. A region of one point is pruned.
    fn conflict(
        &mut self,
        compiled: &CompiledProblem,
        case: u32,
        region: &mut Region,
        bound: Value,
    ) -> Result<RegionCut, Pruned> {
        let (space, channels) = (&compiled.space, &compiled.cases[case as usize]);
        if let Some(budget) = compiled.budgets.iter().find(|budget| budget.of_point(&self.guess) > budget.limit) {
            let axis = budget.costliest_axis(space, region, &self.guess);
            let (dear, cheap) = (self.guess[axis as usize], budget.cheapest(space, region, axis as usize));
            return Ok(space.parting(region, axis, dear, dear.max(cheap)));
        }
        let wanted = if compiled.distance.is_some() { 0 } else { bound };
        let mut below = channels.iter().zip(&self.channels).filter_map(|(trees, evaluation)| {
            let is_below = trees.flat.value_at(space, &self.guess) < wanted;
            is_below.then(|| trees.conflict(space, region, &evaluation.best, &self.guess)).flatten()
        });
        if let Some(cut) = below.next() {
            return Ok(cut);
        }
        drop(below);
        // In every best leaf of a channel, the guess has that channel's bound as its value.
        let broken = compiled.constraints.iter().find(|constraint| !constraint.holds(&self.guess));
        let broken = broken.expect("the guess of an open region is its solution, and yet does not count");
        if let Some((axis, boundary)) = broken.parting(&Points::new(space, region, case as usize, None), &self.guess) {
            return Ok(space.parting(region, index(axis), self.guess[axis], boundary));
        }
        space.halving(region).ok_or_else(|| {
            self.notes.add(|| Note::void(space, region));
            self.notes.add(|| Note::Closed(Why::Point));
            Pruned
        })
    }
}
