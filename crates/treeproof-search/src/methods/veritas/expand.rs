//! The search space: which leaves may follow a sequence of leaves, and what the sequence is worth.

use super::EPSILON_ONE;
use crate::grid::{Axis, Value};
use crate::method::{Abandoned, Stop, proceed};
use crate::methods::boxes::{DenseBox, LeafBox, leaves};
use crate::methods::free::free;
use crate::problem::{Case, Problem};

/// The worth of a state in one channel; both terms are never negative.
#[derive(Clone, Copy, Debug)]
pub(super) struct Score {
    /// The leaves that it has.
    pub(super) g: Value,
    /// At most what the leaves to come add.
    pub(super) h: Value,
}

impl Score {
    /// `g + h` of the worst channel: no full state behind is worth more.
    pub(super) fn bound(channels: &[Self]) -> Value {
        channels.iter().map(|score| score.g + score.h).min().expect("a case has channels")
    }

    /// `g + ε·h` of the worst channel, in thousandths.
    pub(super) fn relaxed(channels: &[Self], epsilon: u32) -> i128 {
        let relax =
            |score: &Self| i128::from(score.g) * i128::from(EPSILON_ONE) + i128::from(score.h) * i128::from(epsilon);
        channels.iter().map(relax).min().expect("a case has channels")
    }
}

/// A state: a leaf of each of the first trees of a case.
#[derive(Debug)]
pub(super) struct Sequence {
    pub(super) case: u32,
    pub(super) leaves: Vec<u32>,
}

/// Expands states.
#[derive(Debug)]
pub(super) struct Expander {
    axes: Vec<Axis>,
    cases: Vec<SearchSpace>,
}

/// The search space of one case.
#[derive(Debug)]
struct SearchSpace {
    /// Per channel what every point gets, counted from the floor.
    base: Vec<Value>,
    /// The trees in the order of expansion.
    trees: Vec<ShiftedTree>,
}

/// A tree whose smallest leaf is 0.
#[derive(Debug)]
struct ShiftedTree {
    channel: usize,
    /// Best first.
    leaves: Vec<LeafBox>,
}

impl SearchSpace {
    fn new(axes: &[Axis], case: &Case, stop: &dyn Stop) -> Result<Self, Abandoned> {
        let mut base: Vec<Value> = case.channels.iter().map(|channel| channel.base).collect();
        let mut trees = vec![];
        let most = case.channels.iter().map(|channel| channel.trees.len()).max().unwrap_or(0);
        for turn in 0..most {
            for (channel, of_channel) in case.channels.iter().enumerate() {
                let Some(tree) = of_channel.trees.get(turn) else { continue };
                proceed(stop)?;
                let mut leaves = leaves(axes, tree);
                let smallest = leaves.last().expect("a tree has leaves").value;
                leaves.iter_mut().for_each(|leaf| leaf.value -= smallest);
                base[channel] += smallest;
                trees.push(ShiftedTree { channel, leaves });
            }
        }
        Ok(Self { base, trees })
    }

    /// `g` of a sequence, per channel, with `h` still 0.
    fn scores(&self, sequence: &[u32]) -> Vec<Score> {
        let mut scores: Vec<Score> = self.base.iter().map(|base| Score { g: *base, h: 0 }).collect();
        for (tree, leaf) in self.trees.iter().zip(sequence) {
            scores[tree.channel].g += tree.leaves[*leaf as usize].value;
        }
        scores
    }
}

impl Drop for Expander {
    fn drop(&mut self) {
        let trees = self.cases.iter().flat_map(|space| &space.trees);
        let num_leaves = trees.map(|tree| tree.leaves.len()).sum();
        free(std::mem::take(&mut self.cases), num_leaves);
    }
}

impl Expander {
    /// Makes the search spaces of a problem; returns its floor too.
    pub(super) fn new(problem: &Problem, stop: &dyn Stop) -> Result<(Self, Value), Abandoned> {
        let axes = problem.axes.clone();
        let cases = problem.cases.iter().map(|case| SearchSpace::new(&axes, case, stop));
        let mut cases: Vec<SearchSpace> = cases.collect::<Result<_, _>>()?;
        let floor = cases.iter().flat_map(|case| &case.base).copied().min().expect("a problem has channels");
        cases.iter_mut().flat_map(|case| &mut case.base).for_each(|base| *base -= floor);
        Ok((Self { axes, cases }, floor))
    }

    /// Offers the empty state of every case with its worth.
    pub(super) fn roots(&self, mut offer: impl FnMut(u32, &[Score])) {
        for (case, space) in (0..).zip(&self.cases) {
            let mut scores = space.scores(&[]);
            space.trees.iter().for_each(|tree| scores[tree.channel].h += tree.leaves[0].value);
            offer(case, &scores);
        }
    }

    /// True if every tree has its leaf.
    pub(super) fn is_full(&self, sequence: &Sequence) -> bool {
        sequence.leaves.len() == self.cases[sequence.case as usize].trees.len()
    }

    /// Offers the leaves of the next tree that overlap a state, each with the worth of the state that it makes.
    ///
    /// # Errors
    /// If it is abandoned: then some were not offered.
    pub(super) fn expand(
        &self,
        sequence: &Sequence,
        stop: &dyn Stop,
        mut offer: impl FnMut(u32, &[Score]),
    ) -> Result<(), Abandoned> {
        let space = &self.cases[sequence.case as usize];
        let (next, later) =
            space.trees[sequence.leaves.len()..].split_first().expect("a state that is not full has a next tree");
        let here = self.extent(sequence);
        let before = space.scores(&sequence.leaves);
        // What overlaps a successor overlaps the state: the leaves of later trees are sifted once for all successors.
        let sift = |tree: &'_ ShiftedTree| -> Result<Vec<usize>, Abandoned> {
            proceed(stop)?;
            Ok((0..tree.leaves.len()).filter(|leaf| here.overlaps(&tree.leaves[*leaf].extent)).collect())
        };
        let sifted: Vec<Vec<usize>> = later.iter().map(sift).collect::<Result<_, _>>()?;
        let mut there = here.clone();
        let mut scores = before.clone();
        for (number, leaf) in (0..).zip(&next.leaves) {
            if !here.overlaps(&leaf.extent) {
                continue;
            }
            proceed(stop)?;
            there.intersect(&leaf.extent);
            scores.copy_from_slice(&before);
            scores[next.channel].g += leaf.value;
            for (tree, candidates) in later.iter().zip(&sifted) {
                let best = candidates.iter().find(|leaf| there.overlaps(&tree.leaves[**leaf].extent));
                scores[tree.channel].h += tree.leaves[*best.expect("every point reaches a leaf")].value;
            }
            offer(number, &scores);
            there.restore(&leaf.extent, &here);
        }
        Ok(())
    }

    /// A point of a state.
    pub(super) fn point(&self, sequence: &Sequence) -> Vec<u32> {
        self.extent(sequence).point(&self.axes)
    }

    fn extent(&self, sequence: &Sequence) -> DenseBox {
        let mut extent = DenseBox::everything(&self.axes);
        for (tree, leaf) in self.cases[sequence.case as usize].trees.iter().zip(&sequence.leaves) {
            extent.intersect(&tree.leaves[*leaf as usize].extent);
        }
        extent
    }
}
