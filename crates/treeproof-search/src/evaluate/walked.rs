//! The evaluation of trees that are walked. Losses are known at the splits on the way to each best leaf, and not at the
//! cuts between them: falls are never too large, but may be smaller than they could be.

use super::{Evaluation, Layout, ROUNDS, ROUNDS_AGAIN};
use crate::expand::Incumbent;
use crate::masks::index;
use crate::problem::Value;
use crate::region::{Region, Space};
use crate::walk::{Looked, Remains, Walk};

/// What is known about the walks through all trees.
#[derive(Debug, Default)]
pub(super) struct Walked {
    remains: Remains,
    known: Known,
    before: Known,
}

/// What walks through the trees of a region came to.
#[derive(Debug, Default)]
struct Known {
    /// Per tree the last node that all points reach.
    starts: Vec<u32>,
    /// What walks through one tree after the other have looked at, and where that of each tree ends.
    looked: Vec<Looked>,
    ends: Vec<u32>,
}

impl Known {
    fn clear(&mut self) {
        self.starts.clear();
        self.looked.clear();
        self.ends.clear();
    }

    fn push(&mut self, start: u32, looked: &[Looked]) {
        self.starts.push(start);
        self.looked.extend_from_slice(looked);
        self.ends.push(index(self.looked.len()));
    }

    /// What walks through a tree have looked at.
    fn looked(&self, tree: usize) -> &[Looked] {
        let first = if tree == 0 { 0 } else { self.ends[tree - 1] };
        &self.looked[first as usize..self.ends[tree] as usize]
    }

    /// Whether walks through a tree come to the same in a part of the region that has the same special cells.
    fn is_same_in(&self, tree: usize, part: &Region) -> bool {
        self.looked(tree).iter().all(|looked| looked.is_same_in(part))
    }
}

impl Evaluation {
    /// Evaluates a region that has points.
    pub(crate) fn evaluate_walk(
        &mut self,
        space: &Space,
        layout: &Layout,
        walk: &Walk,
        region: &Region,
        incumbent: Incumbent,
    ) {
        self.losses.clear();
        self.best.clear();
        self.walked.known.clear();
        for tree in 0..walk.num_trees() {
            self.walk_tree(space, walk, region, tree, walk.root(index(tree)));
        }
        self.finish_walk(space, layout, walk, region, incumbent, ROUNDS);
    }

    /// Evaluates the region again after it has shrunk. Returns false if that changes nothing for any tree.
    pub(crate) fn evaluate_walk_again(
        &mut self,
        space: &Space,
        layout: &Layout,
        walk: &Walk,
        region: &Region,
        incumbent: Incumbent,
    ) -> bool {
        if self.has_other_choices(space, region) {
            self.evaluate_walk(space, layout, walk, region, incumbent);
            return true;
        }
        let first = (0..walk.num_trees()).find(|tree| !self.walked.known.is_same_in(*tree, region));
        let Some(first) = first else {
            self.work = 0;
            return false;
        };
        std::mem::swap(&mut self.losses, &mut self.losses_before);
        std::mem::swap(&mut self.walked.known, &mut self.walked.before);
        let (losses_before, mut best_before) =
            (std::mem::take(&mut self.losses_before), std::mem::take(&mut self.best));
        let mut kept = losses_before.by_tree();
        self.losses.clear();
        self.walked.known.clear();
        for (tree, best) in best_before.drain(..).enumerate() {
            let before = &self.walked.before;
            let start = before.starts[tree];
            if tree < first || before.is_same_in(tree, region) {
                self.losses.copy_tree(&mut kept, tree, region);
                self.best.push(best);
                self.walked.known.push(start, before.looked(tree));
            } else {
                self.walk_tree(space, walk, region, tree, start);
            }
        }
        self.losses_before = losses_before;
        self.finish_walk(space, layout, walk, region, incumbent, ROUNDS_AGAIN);
        true
    }

    /// Walks through a tree from a node that all points of the region reach.
    fn walk_tree(&mut self, space: &Space, walk: &Walk, region: &Region, tree: usize, node: u32) {
        let Walked { remains, known, .. } = &mut self.walked;
        let (best, start) = remains.find(space, walk, region, node);
        self.losses.of_remains(space, tree, walk.value(best), &remains.ways);
        self.best.push(best);
        known.push(start, &remains.looked);
    }

    fn finish_walk(
        &mut self,
        space: &Space,
        layout: &Layout,
        walk: &Walk,
        region: &Region,
        incumbent: Incumbent,
        rounds: usize,
    ) {
        self.plain = walk.base + self.best.iter().map(|best| walk.value(*best)).sum::<Value>();
        self.work = std::mem::take(&mut self.walked.remains.visits);
        self.finish(space, layout, region, incumbent.closing_fall(self.plain), walk.share_shift(), rounds);
    }
}
