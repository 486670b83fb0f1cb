//! The share bound.
//!
//! For weights that sum to at most one per tree, a tree loses at least the weighted sum of what it loses along each axis.
//! So whatever a point is, every axis costs at least what its cheapest segment costs by shares. Any weights are valid;
//! good ones are found in rounds: a tree gives to the axes along which it loses where the others would have it lose.

use super::Evaluation;
use super::falls::least_of;
use super::losses::{Group, Loss, Losses};
use crate::masks::index;
use crate::problem::Value;

/// Weights are counted in units of 2⁻¹⁶.
const WEIGHT_BITS: u32 = 16;
const WEIGHT_ONE: f64 = (1_u32 << WEIGHT_BITS) as f64;
/// Shares of all losses together stay below this many bits.
const SHARE_BITS: u32 = 62;
/// What remains of a weight for an axis along which a tree loses nothing where the axis is cheapest.
const INERTIA: f64 = 0.4;
/// How much the loss nearest to the best leaf counts in the first weights.
const FIRST_LOSS: f64 = 0.1;

/// By how many bits losses are shifted, given the most that all trees together can lose.
pub(crate) fn shift(most: Value) -> u32 {
    (Value::BITS - most.leading_zeros() + WEIGHT_BITS).saturating_sub(SHARE_BITS)
}

impl Evaluation {
    /// The least that any point loses by shares; more rounds are made only as long as it is not `enough`.
    pub(super) fn share(&mut self, enough: Value, rounds: usize) -> Value {
        self.first_weights();
        let mut least = self.spread();
        for _ in 1..rounds {
            if least == 0 || least >= enough {
                break;
            }
            self.adjust_weights();
            least = self.spread();
        }
        least
    }

    /// A sum of shares as a value, rounded down.
    #[inline]
    pub(super) fn unshare(&self, share: i64) -> Value {
        (share >> WEIGHT_BITS) << self.shift
    }

    /// A tree gives to an axis what it loses along it where the axis is cheapest, and a little for what it loses first,
    /// times what the axis costs at least. Axes that have a free segment get nothing: it would be lost. Trees that have
    /// weights from before keep them.
    fn first_weights(&mut self) {
        let Self { losses: Losses { groups, losses, .. }, falls, .. } = self;
        for of_tree in groups.chunk_by_mut(|a, b| a.tree == b.tree) {
            let least = |group: &Group| falls.axes[group.axis as usize].least;
            if of_tree.iter().all(|group| group.weight >= 0.0 && (group.weight > 0.0) == (least(group) > 0)) {
                continue;
            }
            for group in of_tree {
                let of_axis = &falls.axes[group.axis as usize];
                group.weight = if of_axis.least == 0 {
                    0.0
                } else {
                    let (below, above) = parts(losses, group);
                    let first = |losses: &[Loss]| losses.first().map_or(Value::MAX, |loss| loss.amount);
                    let first = if group.is_mixed {
                        below.iter().map(|loss| loss.amount).min().unwrap_or(0)
                    } else {
                        first(below).min(first(above))
                    };
                    let lost = lost_in(below, above, group.is_mixed, of_axis.cheapest);
                    of_axis.least as f64 * (lost as f64 + FIRST_LOSS * first as f64)
                };
            }
        }
    }

    /// A tree moves weight to axes along which it loses more, where they are cheapest by shares.
    fn adjust_weights(&mut self) {
        let Self { losses: Losses { groups, losses, .. }, falls, lost, .. } = self;
        for of_tree in groups.chunk_by_mut(|a, b| a.tree == b.tree) {
            lost.clear();
            lost.extend(of_tree.iter().map(|group| {
                if group.weight <= 0.0 {
                    return 0.0;
                }
                let (below, above) = parts(losses, group);
                lost_in(below, above, group.is_mixed, falls.axes[group.axis as usize].share_cheapest) as f64
            }));
            let most = lost.iter().copied().fold(0.0, f64::max);
            if most > 0.0 {
                let scale = 1.0 / most;
                of_tree.iter_mut().zip(&*lost).for_each(|(group, lost)| group.weight *= INERTIA + lost * scale);
            }
        }
    }

    /// Spreads the losses of every tree over its axes by weight. Returns what the cheapest segments cost together.
    fn spread(&mut self) -> Value {
        let Self { losses: Losses { groups, losses, .. }, falls, shift, .. } = self;
        falls.share.clear();
        falls.share.resize(falls.place.len(), 0);
        for of_tree in groups.chunk_by(|a, b| a.tree == b.tree) {
            let sum: f64 = of_tree.iter().map(|group| group.weight).sum();
            if sum <= 0.0 {
                continue;
            }
            // A little less than one, so that weights rounded down never sum to more.
            let scale = WEIGHT_ONE * (1.0 - 1e-9) / sum;
            for group in of_tree {
                #[expect(clippy::cast_possible_truncation, reason = "between 0 and 2^16")]
                let weight = (group.weight * scale) as i64;
                if weight == 0 {
                    continue;
                }
                let (below, above) = parts(losses, group);
                if group.is_mixed {
                    for loss in below {
                        falls.share[loss.slot as usize] += (loss.amount >> *shift) * weight;
                    }
                    continue;
                }
                // Differences between neighbouring segments, added up below.
                let mut total = 0;
                for loss in below {
                    let share = (loss.amount >> *shift) * weight;
                    total += share;
                    falls.share[loss.slot as usize + 1] -= share;
                }
                falls.share[falls.axes[group.axis as usize].first as usize] += total;
                for loss in above {
                    falls.share[loss.slot as usize + 1] += (loss.amount >> *shift) * weight;
                }
            }
        }
        let mut total = 0;
        for axis in &falls.touched {
            let of_axis = &mut falls.axes[*axis as usize];
            if of_axis.least == 0 {
                continue;
            }
            let shares = &mut falls.share[of_axis.segments()];
            let (cheapest, least) = if of_axis.is_mixed { least_of(shares) } else { accumulate(shares) };
            (of_axis.share_cheapest, of_axis.share_least) = (of_axis.first + cheapest, least);
            total += least;
        }
        self.unshare(total)
    }
}

/// The losses of a group below and above its tree's best leaf.
#[inline]
fn parts<'l>(losses: &'l [Loss], group: &Group) -> (&'l [Loss], &'l [Loss]) {
    let (first, middle, end) = (group.first as usize, group.middle as usize, group.end as usize);
    (&losses[first..middle], &losses[middle..end])
}

/// What a tree loses along an axis in a segment.
#[inline]
fn lost_in(below: &[Loss], above: &[Loss], is_mixed: bool, segment: u32) -> Value {
    if is_mixed {
        return below.iter().filter(|loss| loss.slot == segment).map(|loss| loss.amount).sum();
    }
    // Losses go away from the best leaf, so those that count come first.
    let below = below.iter().take_while(|loss| loss.slot >= segment);
    let above = above.iter().take_while(|loss| loss.slot < segment);
    below.chain(above).map(|loss| loss.amount).sum()
}

/// Adds up differences, and finds the least sum.
fn accumulate(shares: &mut [i64]) -> (u32, i64) {
    let mut sum = 0;
    let (mut cheapest, mut least) = (0, i64::MAX);
    for (segment, share) in shares.iter_mut().enumerate() {
        sum += *share;
        *share = sum;
        if sum < least {
            (cheapest, least) = (segment, sum);
        }
    }
    (index(cheapest), least)
}
