//! The current region: the one that a record takes and changes.
//!
//! There is one region; entering an open part undoes what was done to it since that part was cut off.

use treeproof_proof::record::Note;
use treeproof_proof::refutation::Refutation;

use super::reachable::ReachableLeaves;
use super::{EMPTY, Exclusion, Problem};
use crate::region::{CellSet, Region};
use crate::replay::evaluate::ChannelEvaluation;

/// The current region.
pub(super) struct CurrentRegion<'a> {
    pub(super) problem: &'a Problem,
    pub(super) excludes: &'a dyn Exclusion,
    pub(super) region: Region,
    /// The cells that axes had before each change, since the whole grid.
    trail: Vec<(u32, CellSet)>,
    trail_bytes: usize,
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

/// An open part of a region, or the whole grid.
#[derive(Debug)]
pub(super) struct OpenPart {
    case: usize,
    /// An upper bound on it.
    pub(super) bound: i64,
    /// The length of the trail of the region that was cut.
    trail: usize,
    /// Its cells of the axis that was cut.
    cells: Option<(u32, CellSet)>,
    /// The leaves that the region which was cut reaches, by channel; `None` if they have to be found again.
    reached: Option<Vec<ReachableLeaves>>,
}

impl OpenPart {
    /// The whole grid.
    pub(super) fn everything(case: usize) -> Self {
        Self { case, bound: i64::MAX, trail: 0, cells: None, reached: None }
    }

    /// Forgets which leaves are reached.
    pub(super) fn forget_leaves(&mut self) {
        self.reached = None;
    }

    pub(super) fn bytes(&self) -> usize {
        let cells = self.cells.iter().map(|(_, cells)| cells.bytes()).sum::<usize>();
        size_of::<Self>() + cells + self.reached.iter().flatten().map(ReachableLeaves::bytes).sum::<usize>()
    }
}

/// The effect of a note.
pub(super) struct Effect {
    /// The bound on everything that it pruned.
    pub(super) pruned: i64,
    /// The parts that it opened.
    pub(super) parts: Vec<OpenPart>,
}

impl Effect {
    fn pruned(pruned: i64) -> Self {
        Self { pruned, parts: vec![] }
    }
}

impl<'a> CurrentRegion<'a> {
    pub(super) fn new(problem: &'a Problem, excludes: &'a dyn Exclusion) -> Self {
        let (region, trail) = (problem.everything.clone(), vec![]);
        Self { problem, excludes, region, trail, trail_bytes: 0, bound: 0, case: 0, states: vec![], refutation: None }
    }

    /// Turns to an open part.
    pub(super) fn enter(&mut self, part: OpenPart) {
        while self.trail.len() > part.trail {
            let (axis, cells) = self.trail.pop().expect("the trail is longer");
            self.trail_bytes -= cells.bytes();
            self.region.axes[axis as usize] = cells;
        }
        (self.bound, self.case) = (part.bound, part.case);
        self.refutation = None;
        let channels = &self.problem.cases[self.case];
        self.states.resize_with(channels.len(), ChannelState::default);
        self.states.iter_mut().for_each(|state| state.is_evaluated = false);
        match part.reached {
            Some(reached) => self.states.iter_mut().zip(reached).for_each(|(state, reached)| state.reached = reached),
            None => {
                for (state, channel) in self.states.iter_mut().zip(channels) {
                    state.reached.begin(channel, self.region.num_axes());
                    self.trail.iter().for_each(|(axis, _)| state.reached.lose(*axis));
                }
            }
        }
        if let Some((axis, cells)) = part.cells {
            self.narrow(axis, cells);
        }
    }

    /// Sets the cells of an axis to some of them.
    fn narrow(&mut self, axis: u32, cells: CellSet) {
        let before = std::mem::replace(&mut self.region.axes[axis as usize], cells);
        self.trail_bytes += before.bytes();
        self.trail.push((axis, before));
        self.states.iter_mut().for_each(|state| state.reached.lose(axis));
    }

    /// Memory of the trail.
    pub(super) fn bytes(&self) -> usize {
        self.trail_bytes
    }

    /// A part of the region.
    pub(super) fn part(&self, bound: i64, axis: u32, cells: CellSet) -> OpenPart {
        let reached = Some(self.states.iter().map(|state| state.reached.clone()).collect());
        OpenPart { case: self.case, bound, trail: self.trail.len(), cells: Some((axis, cells)), reached }
    }

    /// Applies a note; `later` are the notes behind it.
    pub(super) fn apply(&mut self, note: &Note, later: &[Note]) -> Result<Effect, &'static str> {
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
                self.narrow(*axis, kept);
                return Ok(Effect::pruned(pruned));
            }
            Note::Refuted(refutation) => self.refutation = Some(refutation.clone()),
            Note::Closed(reason) => return Ok(Effect::pruned(self.close(*reason)?)),
            Note::Cut { axis, place, is_open, channel } => return self.cut(*axis, place, *is_open, *channel),
        }
        Ok(Effect::pruned(EMPTY))
    }
}
