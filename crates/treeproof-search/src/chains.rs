//! Iterated local search: chains of points, each changed a little at random, climbed from, and kept if it is not worse.
//!
//! The first chain follows the best point known, so that all threads go on from it. The others go their own ways, and
//! start anew where they stay without success.

use crate::climb::Climber;
use crate::masks::index;
use crate::problem::Value;
use crate::random::Random;
use crate::region::Space;
use crate::trees::Trees;

/// Chains beside the one that follows the best point.
const NUM_FREE: usize = 2;
/// A free chain starts anew after this many turns without a better point.
const PATIENCE: u32 = 100;
/// At most so many times a point is changed before it is climbed from.
const MOST_CHANGES: u32 = 4;

/// The chains of one thread.
#[derive(Debug)]
pub(crate) struct Chains {
    /// The first follows the best point known.
    pub(crate) chains: Vec<Chain>,
    pub(crate) random: Random,
    /// The chain whose turn it is.
    pub(crate) turn: u32,
}

/// One chain.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    /// Where it is; nowhere before its first turn.
    pub(crate) point: Vec<u32>,
    pub(crate) case: u32,
    pub(crate) value: Value,
    /// Turns since it last found something better.
    pub(crate) failures: u32,
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
    pub(crate) fn step(&mut self, space: &Space, cases: &[Vec<Trees>], climber: &mut Climber) -> (Vec<u32>, Value) {
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
        let value = climber.climb(space, channels, &mut point);
        chain.failures = if starts || value > chain.value { 0 } else { chain.failures + 1 };
        if starts || value >= chain.value {
            chain.value = value;
            chain.point.clone_from(&point);
        }
        (point, value)
    }
}

/// Moves some coordinates to random cells, or into a good leaf of a random tree.
fn perturb(space: &Space, channels: &[Trees], random: &mut Random, point: &mut [u32]) {
    for _ in 0..=random.below(MOST_CHANGES) {
        let walk = &channels[random.below(index(channels.len())) as usize].walk;
        if walk.num_trees() == 0 || random.once_in(2) {
            let axis = random.below(index(space.axes.len())) as usize;
            point[axis] = random.below(space.axes[axis].num_cells());
        } else {
            walk.enter_leaf(space, random.below(index(walk.num_trees())), random, point);
        }
    }
}
