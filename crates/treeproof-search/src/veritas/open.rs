//! OPEN: the states to expand, by relaxed value, and their largest unrelaxed value.
//!
//! States are kept as (predecessor, leaf), never freed. Two heaps refer to them: one in the order of `g + ε·h`, which
//! chooses; one in the order of `g + h`, which bounds. A state taken from the first stays in the second until it comes up.

use std::collections::BinaryHeap;

use super::expand::{Score, Sequence};
use crate::problem::Value;

#[derive(Clone, Copy, Debug)]
struct State {
    /// The predecessor, or [`ROOT`].
    before: u32,
    /// The leaf added to it, or the case of a root.
    leaf: u32,
    first_score: u32,
    num_scores: u32,
    bound: Value,
    is_open: bool,
}

const ROOT: u32 = u32::MAX;

/// The open states, and all that led to them.
#[derive(Debug, Default)]
pub(super) struct Open {
    states: Vec<State>,
    scores: Vec<Score>,
    /// Among equal relaxed values the larger bound first, then the later state, so that ties are searched in depth.
    chosen: BinaryHeap<(i128, Value, u32)>,
    bounds: BinaryHeap<(Value, u32)>,
}

impl Open {
    pub(super) fn push_root(&mut self, case: u32, score: &[Score], epsilon: u32) {
        self.push(ROOT, case, score, epsilon);
    }

    /// Opens a state that adds a leaf to another.
    pub(super) fn push(&mut self, before: u32, leaf: u32, score: &[Score], epsilon: u32) {
        let index = |length: usize| u32::try_from(length).expect("states are numbered by u32");
        let state = index(self.states.len());
        let bound = Score::bound(score);
        self.states.push(State {
            before,
            leaf,
            first_score: index(self.scores.len()),
            num_scores: index(score.len()),
            bound,
            is_open: true,
        });
        self.scores.extend_from_slice(score);
        self.chosen.push((Score::relaxed(score, epsilon), bound, state));
        self.bounds.push((bound, state));
    }

    /// Takes the first state; until [`forget_closed`](Self::forget_closed) the bound still counts it.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let (_, _, state) = self.chosen.pop()?;
        self.states[state as usize].is_open = false;
        Some(state)
    }

    /// Makes the bound that of the states still open.
    pub(super) fn forget_closed(&mut self) {
        while self.bounds.peek().is_some_and(|(_, state)| !self.states[*state as usize].is_open) {
            self.bounds.pop();
        }
    }

    /// The largest `g + h` of the open states.
    pub(super) fn bound(&self) -> Option<Value> {
        self.bounds.peek().map(|(bound, _)| *bound)
    }

    pub(super) fn bound_of(&self, state: u32) -> Value {
        self.states[state as usize].bound
    }

    /// The case and the leaves of a state.
    pub(super) fn sequence(&self, mut state: u32) -> Sequence {
        let mut leaves = vec![];
        loop {
            let State { before, leaf, .. } = self.states[state as usize];
            if before == ROOT {
                leaves.reverse();
                return Sequence { case: leaf, leaves };
            }
            leaves.push(leaf);
            state = before;
        }
    }

    /// Orders the states by another ε, and drops those whose bound is not worth keeping.
    pub(super) fn reorder(&mut self, epsilon: u32, is_kept: impl Fn(Value) -> bool) {
        let mut chosen = std::mem::take(&mut self.chosen).into_vec();
        chosen.retain_mut(|(relaxed, bound, state)| {
            let state = &mut self.states[*state as usize];
            let first = state.first_score as usize;
            *relaxed = Score::relaxed(&self.scores[first..first + state.num_scores as usize], epsilon);
            state.is_open = is_kept(*bound);
            state.is_open
        });
        self.chosen = chosen.into();
        let mut bounds = std::mem::take(&mut self.bounds).into_vec();
        bounds.retain(|(_, state)| self.states[*state as usize].is_open);
        self.bounds = bounds.into();
    }

    pub(super) fn len(&self) -> usize {
        self.chosen.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<State>()
            + self.scores.capacity() * size_of::<Score>()
            + self.chosen.capacity() * size_of::<(i128, Value, u32)>()
            + self.bounds.capacity() * size_of::<(Value, u32)>()
    }
}
