//! Iterated local search: chains of points, each changed a little at random, climbed from, and kept if it is not worse.
//!
//! The first chain follows the best point known, so that all threads go on from it. The others go their own ways, and
//! start anew where they stay without success.

use super::ascent::{Ascent, ClimbGoal};
use crate::compiled::{CompiledProblem, FlatSplit, FlatTrees, Trees};
use crate::grid::{Axes, Value, index};
use crate::method::Stop;
use crate::random::Random;

/// Chains beside the one that follows the best point.
const NUM_FREE: usize = 2;
/// A free chain starts anew after this many turns without a better point.
const PATIENCE: u32 = 100;
/// Limit on the random changes to a point before it is climbed from.
const MOST_CHANGES: u32 = 4;

/// At a split, the side with the worse leaves is taken with this probability, as a divisor.
const WORSE_ONCE_IN: u32 = 4;

/// The chains of one thread.
#[derive(Debug)]
pub(crate) struct Chains {
    /// The first follows the best point known.
    chains: Vec<Chain>,
    pub(crate) random: Random,
    /// The chain whose turn it is.
    turn: u32,
}

/// One chain.
#[derive(Clone, Debug, Default)]
struct Chain {
    /// The present point; empty before the first turn.
    point: Vec<u32>,
    case: u32,
    value: Value,
    /// Turns since it last found something better.
    failures: u32,
}

impl Chains {
    pub(crate) fn new(random: Random) -> Self {
        // The free chains first: these are the random starts of a search.
        Self { chains: vec![Chain::default(); 1 + NUM_FREE], random, turn: 1 }
    }

    /// The first chain goes on from a point that is better than its own.
    pub(crate) fn follow(&mut self, point: &[u32], case: u32, value: Value) {
        let first = &mut self.chains[0];
        if first.point.is_empty() || value > first.value {
            *first = Chain { point: point.to_vec(), case, value, failures: 0 };
        }
    }

    /// One turn of the next chain; returns the point that it came to, and its value in the chain's case.
    pub(crate) fn step(
        &mut self,
        problem: &CompiledProblem,
        ascent: &mut Ascent,
        stop: &dyn Stop,
    ) -> (Vec<u32>, Value) {
        let CompiledProblem { space, cases, .. } = problem;
        let Self { chains, random, turn } = self;
        let number = *turn as usize;
        *turn = (*turn + 1) % index(chains.len());
        let chain = &mut chains[number];
        let starts = chain.point.is_empty() || number > 0 && chain.failures >= PATIENCE;
        if starts {
            chain.point = space.axes.iter().map(|axis| random.below(axis.num_cells())).collect();
            chain.case = random.below(index(cases.len()));
        }
        let channels = &cases[chain.case as usize];
        let mut point = chain.point.clone();
        if !starts {
            perturb(space, channels, random, &mut point);
        }
        let value = ascent.climb(space, channels, ClimbGoal::default(), &mut point, stop);
        chain.failures = if starts || value > chain.value { 0 } else { chain.failures + 1 };
        if starts || value >= chain.value {
            chain.value = value;
            chain.point.clone_from(&point);
        }
        (point, value)
    }
}

/// Moves some coordinates to random cells, or into a good leaf of a random tree.
fn perturb(space: &Axes, channels: &[Trees], random: &mut Random, point: &mut [u32]) {
    for _ in 0..=random.below(MOST_CHANGES) {
        let flat = &channels[random.below(index(channels.len())) as usize].flat;
        if flat.num_trees() == 0 || random.once_in(2) {
            let axis = random.below(index(space.axes.len())) as usize;
            point[axis] = random.below(space.axes[axis].num_cells());
        } else {
            enter_leaf(space, flat, random.below(index(flat.num_trees())), random, point);
        }
    }
}

/// Moves a point into a leaf of a tree, mostly a good one: a coordinate that the way there excludes goes to the
/// nearest cell that it allows.
fn enter_leaf(space: &Axes, flat: &FlatTrees, tree: u32, random: &mut Random, point: &mut [u32]) {
    let mut region = space.everything();
    let mut place = flat.root(tree);
    while let Some(FlatSplit { axis, left, right, .. }) = flat.split(place) {
        let goes_left = match flat.sides(space, &region, place) {
            (true, true) => {
                let left_is_better = flat.value(left) >= flat.value(right);
                left_is_better != random.once_in(WORSE_ONCE_IN)
            }
            (left, _) => left,
        };
        flat.keep_side(space, &mut region, place, goes_left);
        let cell = &mut point[axis as usize];
        *cell = space.nearest(&region, axis as usize, *cell);
        place = if goes_left { left } else { right };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Unobserved;
    use crate::problem::sample::problem;
    use crate::problem::{Case, Problem};

    fn run(problem: &Problem, seed: u64, turns: usize) -> Vec<(Vec<u32>, Value)> {
        let problem = CompiledProblem::new(problem, usize::MAX, &Unobserved).unwrap();
        let (mut chains, mut ascent) = (Chains::new(Random(seed)), Ascent::default());
        (0..turns).map(|_| chains.step(&problem, &mut ascent, &Unobserved)).collect()
    }

    #[test]
    fn points_have_their_values_and_no_axis_alone_improves_them() {
        for seed in 0..40 {
            let problem = problem(seed);
            for (mut point, value) in run(&problem, seed, 60) {
                let cases = problem.cases.iter().filter(|case| case.value(&problem.axes, &point) == value);
                let cases: Vec<&Case> = cases.collect();
                assert!(!cases.is_empty(), "seed {seed}: no case has {value} at {point:?}");
                let is_best_along_all_axes = cases.iter().any(|case| {
                    (0..point.len()).all(|axis| {
                        let here = point[axis];
                        let is_best = (0..problem.axes[axis].num_cells()).all(|cell| {
                            point[axis] = cell;
                            case.value(&problem.axes, &point) <= value
                        });
                        point[axis] = here;
                        is_best
                    })
                });
                assert!(is_best_along_all_axes, "seed {seed}: {point:?} is no summit");
            }
        }
    }

    #[test]
    fn a_seed_means_the_same_points() {
        let problem = problem(7);
        assert_eq!(run(&problem, 1, 100), run(&problem, 1, 100));
        assert_ne!(run(&problem, 1, 100), run(&problem, 2, 100));
    }

    #[test]
    fn the_first_chain_follows_what_is_better_only() {
        let mut chains = Chains::new(Random(0));
        chains.follow(&[1, 2], 0, 10);
        chains.follow(&[3, 4], 0, 10);
        assert_eq!(chains.chains[0].point, [1, 2]);
        chains.follow(&[3, 4], 1, 11);
        assert_eq!((&chains.chains[0].point[..], chains.chains[0].case), (&[3, 4][..], 1));
    }
}
