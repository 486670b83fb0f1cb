//! OPEN: the states to expand, by relaxed value, and their largest unrelaxed value.
//!
//! States are kept as (predecessor, leaf), never freed. Two heaps refer to them: one in the order of `g + ε·h`, which
//! chooses; one in the order of `g + h`, which bounds. A state taken from the first stays in the second until it comes up.

use std::collections::BinaryHeap;

use super::expand::{Score, Sequence};
use crate::frontier::grow;
use crate::grid::Value;

#[derive(Clone, Copy, Debug)]
struct LeafState {
    /// The predecessor, or [`ROOT`].
    before: u32,
    /// The leaf added to it, or the case of a root.
    leaf: u32,
    first_score: u32,
    num_scores: u32,
    bound: Value,
    is_open: bool,
}

/// The predecessor of empty states.
pub(super) const ROOT: u32 = u32::MAX;

impl LeafState {
    /// Its relaxed value, given the scores of all states.
    fn relaxed(&self, scores: &[Score], epsilon: u32) -> i128 {
        Score::relaxed(&scores[self.first_score as usize..][..self.num_scores as usize], epsilon)
    }
}

/// The open states, and all that led to them.
#[derive(Debug, Default)]
pub(super) struct OpenStates {
    states: Vec<LeafState>,
    scores: Vec<Score>,
    /// Among equal relaxed values the larger bound first, then the later state, so that ties are searched in depth.
    chosen: BinaryHeap<(i128, Value, u32)>,
    bounds: BinaryHeap<(Value, u32)>,
}

impl OpenStates {
    /// Opens a state that adds a leaf to another, or with [`ROOT`] before it the empty state of a case.
    pub(super) fn push(&mut self, before: u32, leaf: u32, score: &[Score], epsilon: u32) {
        let index = |length: usize| u32::try_from(length).expect("states are numbered by u32");
        let state = index(self.states.len());
        let bound = Score::bound(score);
        let Self { states, scores, chosen, bounds } = self;
        grow(states.len() == states.capacity(), states.len(), |more| states.reserve_exact(more));
        grow(scores.len() + score.len() > scores.capacity(), scores.len(), |more| scores.reserve(more));
        grow(chosen.len() == chosen.capacity(), chosen.len(), |more| chosen.reserve_exact(more));
        grow(bounds.len() == bounds.capacity(), bounds.len(), |more| bounds.reserve_exact(more));
        self.states.push(LeafState {
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

    /// Takes the first state; [`settle`](Self::settle) when its successors are in.
    pub(super) fn pop(&mut self) -> Option<u32> {
        let (_, _, state) = self.chosen.pop()?;
        self.states[state as usize].is_open = false;
        Some(state)
    }

    /// Takes back a state that was popped, before its bound is settled.
    pub(super) fn put_back(&mut self, state: u32, epsilon: u32) {
        let own = &mut self.states[state as usize];
        own.is_open = true;
        self.chosen.push((own.relaxed(&self.scores, epsilon), own.bound, state));
    }

    /// Makes the bound that of the states still open.
    pub(super) fn settle(&mut self) {
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
            let LeafState { before, leaf, .. } = self.states[state as usize];
            if before == ROOT {
                leaves.reverse();
                return Sequence { case: leaf, leaves };
            }
            leaves.push(leaf);
            state = before;
        }
    }

    /// Orders the states by another ε.
    pub(super) fn reorder(&mut self, epsilon: u32) {
        let mut chosen = std::mem::take(&mut self.chosen).into_vec();
        for (relaxed, _, state) in &mut chosen {
            *relaxed = self.states[*state as usize].relaxed(&self.scores, epsilon);
        }
        self.chosen = chosen.into();
    }

    /// Drops the states whose bound is not above a value.
    pub(super) fn drop_up_to(&mut self, value: Value) {
        self.chosen.retain(|(_, bound, _)| *bound > value);
        self.bounds.retain(|(bound, _)| *bound > value);
    }

    pub(super) fn len(&self) -> usize {
        self.chosen.len()
    }

    pub(super) fn bytes(&self) -> usize {
        self.states.capacity() * size_of::<LeafState>()
            + self.scores.capacity() * size_of::<Score>()
            + self.chosen.capacity() * size_of::<(i128, Value, u32)>()
            + self.bounds.capacity() * size_of::<(Value, u32)>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn another_epsilon_is_another_order_and_the_same_bound() {
        let mut open = OpenStates::default();
        open.push(ROOT, 0, &[Score { g: 10, h: 0 }], 500);
        open.push(ROOT, 1, &[Score { g: 0, h: 15 }], 500);
        open.push(ROOT, 2, &[Score { g: 9, h: 3 }, Score { g: 0, h: 12 }], 500);
        assert_eq!(open.bound(), Some(15));
        // Cases, first chosen first.
        let order = |open: &OpenStates| {
            let mut chosen = open.chosen.clone();
            std::iter::from_fn(|| chosen.pop()).map(|(_, _, state)| open.sequence(state).case).collect::<Vec<_>>()
        };
        assert_eq!(order(&open), [0, 1, 2]);
        open.reorder(1000);
        assert_eq!(open.bound(), Some(15));
        assert_eq!(order(&open), [1, 2, 0]);
    }
}
