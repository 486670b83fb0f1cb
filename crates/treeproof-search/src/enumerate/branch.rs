//! The choice of the split at which a region is branched: the first of some tree at which its points part.

use super::queue::Next;
use crate::bound::Evaluation;
use crate::compiled::FlatTrees;
use crate::grid::{Axes, Region, Value, index};

/// Finds such splits; holds the memory that this takes.
#[derive(Debug, Default)]
pub(super) struct SplitChooser {
    mixed: Vec<SplitFalls>,
    stack: Vec<u32>,
}

/// A split that is the first of some tree, and how far the bound falls on either side.
#[derive(Clone, Copy, Debug)]
struct SplitFalls {
    node: u32,
    left: Value,
    right: Value,
}

impl SplitChooser {
    /// The split whose two sides fall most, by the product of the falls; the value of the region, if there is none.
    ///
    /// The evaluation of the region knows the falls at every boundary. Where special cells are left on the axis, a split is
    /// no boundary: then only the trees that have this split as their first are asked, which is quick and less than the
    /// truth.
    pub(super) fn of(&mut self, space: &Axes, flat: &FlatTrees, region: &Region, evaluation: &Evaluation) -> Next {
        // A small term that ranks splits with a side that does not fall.
        let epsilon = evaluation.plain.saturating_abs() as f64 * 1e-3 + 1e-9;
        let mut chosen: Option<(f64, u32)> = None;
        let mut offer = |node: u32, left: Value, right: Value| {
            let score = (left as f64 + epsilon) * (right as f64 + epsilon);
            if chosen.is_none_or(|(best, _)| score > best) {
                chosen = Some((score, node));
            }
        };
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
                self.mixed.push(SplitFalls { node, left: most - left, right: most - right });
            } else {
                let (left, right) = evaluation.falls(split.axis, split.cut);
                offer(node, left, right);
            }
        }
        // Stable: of equal splits that of the earliest tree comes first.
        self.mixed.sort_by(|a, b| flat.compare_splits(a.node, b.node));
        for same in self.mixed.chunk_by(|a, b| flat.compare_splits(a.node, b.node).is_eq()) {
            let left = same.iter().map(|candidate| candidate.left).sum();
            let right = same.iter().map(|candidate| candidate.right).sum();
            offer(same[0].node, left, right);
        }
        chosen.map_or(Next::Certain(value), |(_, node)| Next::Part(node))
    }
}
