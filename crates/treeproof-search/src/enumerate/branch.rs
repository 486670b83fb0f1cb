//! The choice of the split at which a region is branched: the first of some tree at which its points part.

use super::queue::Next;
use crate::bound::Evaluation;
use crate::compiled::FlatTrees;
use crate::grid::{Region, Space, Value, index};

/// Finds such splits; holds the memory that this takes.
#[derive(Debug, Default)]
pub(super) struct SplitChooser {
    mixed: Vec<Candidate>,
    stack: Vec<u32>,
}

/// A split that is the first of some tree, and how far the bound falls on either side.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    node: u32,
    left: Value,
    right: Value,
}

/// The best candidate so far.
struct Choice {
    /// A small term that ranks candidates with a side that does not fall.
    epsilon: f64,
    best: Option<(f64, u32)>,
}

impl Choice {
    fn offer(&mut self, Candidate { node, left, right }: Candidate) {
        let score = (left as f64 + self.epsilon) * (right as f64 + self.epsilon);
        if self.best.is_none_or(|(best, _)| score > best) {
            self.best = Some((score, node));
        }
    }
}

impl SplitChooser {
    /// The split whose two sides fall most, by the product of the falls; the value of the region, if there is none.
    ///
    /// The evaluation of the region knows the falls at every boundary. Where special cells are left on the axis, a split is
    /// no boundary: then only the trees that have this split as their first are asked, which is quick and less than the
    /// truth.
    pub(super) fn of(&mut self, space: &Space, flat: &FlatTrees, region: &Region, evaluation: &Evaluation) -> Next {
        let mut choice = Choice { epsilon: evaluation.plain.saturating_abs() as f64 * 1e-3 + 1e-9, best: None };
        let mut value = flat.base;
        self.mixed.clear();
        for tree in 0..index(flat.num_trees()) {
            let node = flat.first_parting(space, region, flat.root(tree));
            let Some(split) = flat.split(node) else {
                value += flat.value(node);
                continue;
            };
            if space.is_mixed(region, split.axis as usize) {
                let mut best = |child| flat.value(flat.best_below(space, region, child, &mut self.stack, |_| ()).0);
                let (left, right) = (best(split.left), best(split.right));
                let most = left.max(right);
                self.mixed.push(Candidate { node, left: most - left, right: most - right });
            } else {
                let (left, right) = evaluation.falls(split.axis, split.cut);
                choice.offer(Candidate { node, left, right });
            }
        }
        // Stable: of equal splits that of the earliest tree comes first.
        self.mixed.sort_by(|a, b| flat.compare_splits(a.node, b.node));
        for same in self.mixed.chunk_by(|a, b| flat.compare_splits(a.node, b.node).is_eq()) {
            let left = same.iter().map(|candidate| candidate.left).sum();
            let right = same.iter().map(|candidate| candidate.right).sum();
            choice.offer(Candidate { node: same[0].node, left, right });
        }
        choice.best.map_or(Next::Certain(value), |(_, node)| Next::Part(node))
    }
}
