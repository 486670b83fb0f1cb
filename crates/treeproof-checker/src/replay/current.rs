//! The current region: the one that a record takes and changes.

use treeproof_proof::record::Note;
use treeproof_proof::refutation::Refutation;

use super::parents::Parent;
use super::reachable::ReachableLeaves;
use super::{EMPTY, Exclusion, Problem};
use crate::region::{CellSet, Region};
use crate::replay::evaluate::ChannelEvaluation;

/// The current region.
pub(super) struct CurrentRegion<'a> {
    pub(super) problem: &'a Problem,
    pub(super) excludes: &'a dyn Exclusion,
    pub(super) region: Region,
    /// An upper bound on the region.
    pub(super) bound: i64,
    pub(super) case: usize,
    /// The state of each channel.
    pub(super) states: Vec<ChannelState>,
    /// The record's refutation of the conditions, if there is one.
    pub(super) refutation: Option<Refutation>,
}

/// The state of a channel in the current region.
#[derive(Default)]
pub(super) struct ChannelState {
    /// The leaves that the region reaches.
    pub(super) reached: ReachableLeaves,
    /// The last evaluation, if there was one.
    pub(super) evaluation: ChannelEvaluation,
    pub(super) is_evaluated: bool,
}

/// The effect of a note.
#[derive(Debug)]
pub(super) struct Effect {
    /// The bound on everything that it pruned.
    pub(super) pruned: i64,
    /// The parts that it opened: the bound and the cells of an axis of each.
    pub(super) parts: Vec<(i64, u32, CellSet)>,
}

impl Effect {
    fn pruned(pruned: i64) -> Self {
        Self { pruned, parts: vec![] }
    }
}

impl<'a> CurrentRegion<'a> {
    pub(super) fn new(problem: &'a Problem, excludes: &'a dyn Exclusion) -> Self {
        let region = problem.everything.clone();
        Self { problem, excludes, region, bound: 0, case: 0, states: vec![], refutation: None }
    }

    /// Loads a region, or the part of it with these cells of an axis, with its bound.
    pub(super) fn load(&mut self, of: &Parent, part: Option<&(u32, CellSet)>, bound: i64) {
        let axes = &mut self.region.axes;
        axes.iter_mut().zip(&self.problem.everything.axes).for_each(|(own, all)| own.set(all));
        of.narrowed.iter().chain(part).for_each(|(axis, cells)| axes[*axis as usize].set(cells));
        (self.bound, self.case) = (bound, of.case);
        self.refutation = None;
        let channels = &self.problem.cases[self.case];
        self.states.resize_with(channels.len(), ChannelState::default);
        for (number, (state, channel)) in self.states.iter_mut().zip(channels).enumerate() {
            state.is_evaluated = false;
            match &of.reached {
                Some(reached) => state.reached.clone_from(&reached[number]),
                None => {
                    state.reached.begin(channel, self.region.num_axes());
                    of.narrowed.iter().for_each(|(axis, _)| state.reached.lose(*axis));
                }
            }
            part.iter().for_each(|(axis, _)| state.reached.lose(*axis));
        }
    }

    /// The leaves that it reaches, by channel.
    pub(super) fn reached(&self) -> Box<[ReachableLeaves]> {
        self.states.iter().map(|state| state.reached.clone()).collect()
    }

    /// The axes that have lost cells.
    pub(super) fn narrowed(&self) -> Box<[(u32, CellSet)]> {
        let axes = self.region.axes.iter().zip(&self.problem.everything.axes);
        let narrowed = (0..).zip(axes).filter(|(_, (own, all))| !own.is_same(all));
        narrowed.map(|(axis, (own, _))| (axis, own.clone())).collect()
    }

    /// Applies a note; `later` are the notes behind it.
    pub(super) fn apply(&mut self, note: &Note, later: &[Note]) -> Result<Effect, &'static str> {
        self.check_note(note)?;
        match note {
            Note::Weighed { channel, shares, price, widened } => {
                self.evaluate(*channel, shares, *price, *widened, later)?;
            }
            Note::Tolled { channel, shares, price } => self.evaluate_tolls(*channel, shares, *price)?,
            Note::Kept { axis, low, high, special, reason } => {
                let own = self.region.axes.get(*axis as usize).ok_or("there is no such axis")?;
                let mut kept = own.clone();
                (kept.low, kept.high, kept.special) = (*low, *high, special.clone());
                let kept = kept.common(own);
                let mut pruned = EMPTY;
                for removed in own.without(&kept) {
                    pruned = pruned.max(self.prune(*axis, &removed, *reason)?);
                }
                self.region.axes[*axis as usize] = kept;
                self.states.iter_mut().for_each(|state| state.reached.lose(*axis));
                return Ok(Effect::pruned(pruned));
            }
            Note::Refuted(refutation) => self.refutation = Some(refutation.clone()),
            Note::Closed(reason) => return Ok(Effect::pruned(self.close(*reason)?)),
            Note::Cut { is_open, channel, .. } => return self.cut(self.sides(note)?, *is_open, *channel),
            Note::Parted { .. } => return self.cut(self.sides(note)?, [true; 2], None),
        }
        Ok(Effect::pruned(EMPTY))
    }
}
