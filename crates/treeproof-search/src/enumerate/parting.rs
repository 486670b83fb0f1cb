//! Where a region is parted: at the first split of a tree at which its points part.

use super::open::Next;
use crate::problem::{Channel, Value};
use crate::region::{Region, Space};
use crate::walk::Walk;

/// Finds such splits; holds the memory that this takes.
#[derive(Debug)]
pub(super) struct Parting {
    walk: Walk,
    candidates: Vec<Candidate>,
    stack: Vec<u32>,
}

/// A split that some trees have as their first, and how much they lose at it.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    node: u32,
    left: Value,
    right: Value,
}

impl Candidate {
    /// Large if both sides fall; the `scale` ranks those of which one does not.
    fn score(&self, scale: f64) -> f64 {
        (self.left as f64 + scale) * (self.right as f64 + scale)
    }
}

impl Parting {
    pub(super) fn new(channel: &Channel) -> Self {
        Self { walk: Walk::new(channel), candidates: vec![], stack: vec![] }
    }

    /// The split whose two sides fall most, by the trees that have it as their first; the value, if there is none.
    pub(super) fn of(&mut self, space: &Space, region: &Region) -> Next {
        let Self { walk, candidates, stack } = self;
        candidates.clear();
        let mut value = walk.base;
        let mut falls = 0;
        for tree in 0..walk.num_trees() {
            let node = walk.first_parting(space, region, tree);
            let Some((left, right)) = walk.children(node) else {
                value += walk.value(node);
                continue;
            };
            let mut best = |child: u32| {
                let (leaf, _) = walk.best_below(space, region, child, None, stack);
                walk.value(leaf)
            };
            let (left, right) = (best(left), best(right));
            let most = left.max(right);
            falls += (most - left).max(most - right);
            candidates.push(Candidate { node, left: most - left, right: most - right });
        }
        // Stable: of equal splits that of the earliest tree comes first.
        candidates.sort_by(|a, b| walk.compare_splits(a.node, b.node));
        candidates.dedup_by(|b, a| {
            let is_same = walk.compare_splits(a.node, b.node).is_eq();
            if is_same {
                a.left += b.left;
                a.right += b.right;
            }
            is_same
        });
        let scale = falls as f64 * 1e-3 + 1e-9;
        let mut best: Option<(f64, u32)> = None;
        for candidate in &*candidates {
            let score = candidate.score(scale);
            if best.is_none_or(|(best, _)| score > best) {
                best = Some((score, candidate.node));
            }
        }
        best.map_or(Next::Certain(value), |(_, node)| Next::Part(node))
    }

    /// Keeps one side of a split.
    pub(super) fn keep(&self, space: &Space, region: &mut Region, node: u32, left: bool) {
        self.walk.keep_side(space, region, node, left);
    }
}
