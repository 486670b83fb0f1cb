//! The region at hand: what a record takes, and does to it.

use treeproof_proof::record::Note;
use treeproof_proof::refutation::Refutation;

use super::parents::Parent;
use super::reachable::ReachableLeaves;
use super::{Exclusion, NOTHING, Problem};
use crate::region::{CellSet, Region};
use crate::replay::evaluate::ChannelEvaluation;

/// The region at hand.
pub(super) struct CurrentRegion<'a> {
    pub(super) problem: &'a Problem,
    pub(super) excludes: &'a dyn Exclusion,
    pub(super) region: Region,
    /// Nothing in the region exceeds this.
    pub(super) bound: i64,
    pub(super) case: usize,
    /// What is known of it, per channel.
    pub(super) known: Vec<ChannelState>,
    /// Reason conditions leave nothing, if the record says it.
    pub(super) refutation: Option<Refutation>,
}

/// What is known of the region at hand by a channel.
#[derive(Default)]
pub(super) struct ChannelState {
    /// The leaves that it reaches.
    pub(super) reached: ReachableLeaves,
    /// The evaluation, if there was one.
    pub(super) weighed: ChannelEvaluation,
    pub(super) is_weighed: bool,
}

/// What came of a note.
#[derive(Debug)]
pub(super) struct Effect {
    /// Nothing that was given up exceeds this.
    pub(super) pruned: i64,
    /// The parts that are open from then on: what nothing in them exceeds, and the cells of an axis that they have.
    pub(super) parts: Vec<(i64, u32, CellSet)>,
}

impl Effect {
    fn gave_up(pruned: i64) -> Self {
        Self { pruned, parts: vec![] }
    }
}

impl<'a> CurrentRegion<'a> {
    pub(super) fn new(problem: &'a Problem, excludes: &'a dyn Exclusion) -> Self {
        let region = problem.everything.clone();
        Self { problem, excludes, region, bound: 0, case: 0, known: vec![], refutation: None }
    }

    /// Takes a region, or the part of it that has these cells of an axis, of which nothing exceeds a bound.
    pub(super) fn take(&mut self, of: &Parent, part: Option<&(u32, CellSet)>, bound: i64) {
        let axes = &mut self.region.axes;
        axes.iter_mut().zip(&self.problem.everything.axes).for_each(|(own, all)| own.set(all));
        of.narrowed.iter().chain(part).for_each(|(axis, cells)| axes[*axis as usize].set(cells));
        (self.bound, self.case) = (bound, of.case);
        self.refutation = None;
        let channels = &self.problem.cases[self.case];
        self.known.resize_with(channels.len(), ChannelState::default);
        for (number, (known, channel)) in self.known.iter_mut().zip(channels).enumerate() {
            known.is_weighed = false;
            match &of.reached {
                Some(reached) => known.reached.clone_from(&reached[number]),
                None => {
                    known.reached.begin(channel, self.region.num_axes());
                    of.narrowed.iter().for_each(|(axis, _)| known.reached.lose(*axis));
                }
            }
            part.iter().for_each(|(axis, _)| known.reached.lose(*axis));
        }
    }

    /// The leaves that it reaches, per channel.
    pub(super) fn reached(&self) -> Box<[ReachableLeaves]> {
        self.known.iter().map(|known| known.reached.clone()).collect()
    }

    /// The axes that have lost cells.
    pub(super) fn narrowed(&self) -> Box<[(u32, CellSet)]> {
        let axes = self.region.axes.iter().zip(&self.problem.everything.axes);
        let narrowed = (0..).zip(axes).filter(|(_, (own, all))| !own.is_same(all));
        narrowed.map(|(axis, (own, _))| (axis, own.clone())).collect()
    }

    /// Does what a note says, of which others follow.
    pub(super) fn follow(&mut self, note: &Note, later: &[Note]) -> Result<Effect, &'static str> {
        self.check_note(note)?;
        match note {
            Note::Weighed { channel, shares, price, widened } => {
                self.weigh(*channel, shares, *price, *widened, later)?;
            }
            Note::Tolled { channel, shares, price } => self.toll(*channel, shares, *price)?,
            Note::Kept { axis, low, high, special, reason } => {
                let own = self.region.axes.get(*axis as usize).ok_or("there is no such axis")?;
                let mut kept = own.clone();
                (kept.low, kept.high, kept.special) = (*low, *high, special.clone());
                let kept = kept.common(own);
                let mut pruned = NOTHING;
                for removed in own.without(&kept) {
                    pruned = pruned.max(self.prune(*axis, &removed, *reason)?);
                }
                self.region.axes[*axis as usize] = kept;
                self.known.iter_mut().for_each(|known| known.reached.lose(*axis));
                return Ok(Effect::gave_up(pruned));
            }
            Note::Refuted(refutation) => self.refutation = Some(refutation.clone()),
            Note::Closed(why) => return Ok(Effect::gave_up(self.close(*why)?)),
            Note::Cut { is_open, channel, .. } => return self.cut(self.sides(note)?, *is_open, *channel),
            Note::Parted { .. } => return self.cut(self.sides(note)?, [true; 2], None),
        }
        Ok(Effect::gave_up(NOTHING))
    }
}
