//! The share bound: a relaxation in which the axes choose their cells independently of each other.
//!
//! For weights that sum to at most one per tree, a tree loses at least the weighted sum of its losses along each axis.
//! At any point, then, every axis costs at least the shares of its cheapest segment. Any weights are valid; good ones
//! are found in rounds: a tree gives to the axes along which it loses where the others would have it lose.

use super::falls::Falls;
use super::losses::Losses;
use super::{BoundAim, Evaluation};
use crate::compiled::{WEIGHT_BITS, WEIGHT_ONE, in_weights};
use crate::grid::{Axes, Region, Value, index};

/// The rest of a weight for an axis along which a tree loses nothing where the axis stands.
const INERTIA: f64 = 0.4;
/// Weight of the loss nearest to the best leaf in the first weights.
const FIRST_LOSS: f64 = 0.1;

/// The weights of trees along axes, and the losses that they weigh; memory is kept from region to region.
#[derive(Debug, Default)]
pub(super) struct Shares {
    /// Every tree along every axis on which it loses, tree after tree.
    givers: Vec<Giver>,
    /// The losses of givers, by segments of their axes.
    spans: Vec<LostSegments>,
    /// Sums over the givers of every tree.
    trees: Vec<TreeShares>,
}

/// A tree and an axis to which it gives some of its loss.
#[derive(Debug)]
struct Giver {
    group: u32,
    tree: u32,
    axis: u32,
    /// The segment in which the axis stands, and the tree's loss there.
    segment: u32,
    lost: f64,
    /// The least of its losses.
    first: i64,
    /// Against the tree's other weights, and in units of 2⁻¹⁶.
    weight: f64,
    units: i64,
}

/// A loss of a giver at every point in the segments `from..to` of its axis.
#[derive(Debug)]
struct LostSegments {
    from: u32,
    to: u32,
    giver: u32,
    /// The loss, in the coarser unit of shares.
    amount: i64,
}

/// The largest loss of a tree where its axes stand, and the sum of its weights.
#[derive(Debug, Default)]
struct TreeShares {
    most: f64,
    weight: f64,
}

impl Evaluation {
    /// Finds the share bound; more rounds are made only as long as it does not close the region.
    pub(super) fn share(&mut self, aim: BoundAim<'_>, space: &Axes, region: &Region, rounds: usize) {
        let enough = aim.floor.pruning_fall(self.plain);
        let is_priced = !aim.tables.is_empty();
        let slack = if is_priced { in_weights(enough.saturating_sub(1).max(0), self.shift) } else { 0 };
        let Self { losses, falls, shares, prices, shift, .. } = self;
        falls.share.clear();
        falls.share.resize(falls.place.len(), 0);
        if is_priced {
            prices.begin(aim, space, region, falls, slack);
        }
        shares.take_part(losses, falls, *shift);
        shares.first_weights(falls);
        let mut total = 0;
        for round in 0..rounds {
            if round > 0 {
                shares.adjust_weights(falls);
            }
            total = shares.spread(falls);
            let closes = is_priced && prices.relax(aim, falls, slack);
            let least = unshare(total, *shift);
            if closes || least == 0 && !is_priced || least >= enough {
                break;
            }
        }
        if is_priced {
            total = prices.fold(falls);
            self.distance = prices.least_cost(total);
        }
        self.total = total;
        self.shares.keep_weights(&mut self.losses);
        self.bound = self.plain - self.lost(total).max(0);
    }

    /// A lower bound on the loss of points with these shares and prices, rounded down.
    #[inline]
    pub(super) fn lost(&self, shares: i64) -> Value {
        self.prices.beyond_room(shares).map_or(0, |shares| unshare(shares, self.shift))
    }

    /// The least shares that mean so large a loss; more than there can be if none do.
    pub(super) fn shares_that_lose(&self, loss: Value) -> i64 {
        let Some(room) = self.prices.room() else { return i64::MAX };
        let units = (i128::from(loss.max(0)) + (1 << self.shift) - 1) >> self.shift;
        i64::try_from(i128::from(room) + (units << WEIGHT_BITS)).unwrap_or(i64::MAX)
    }
}

#[inline]
fn unshare(share: i64, shift: u32) -> Value {
    (share >> WEIGHT_BITS) << shift
}

impl Shares {
    /// Lists the trees and axes that take part, with their losses.
    fn take_part(&mut self, losses: &Losses, falls: &Falls, shift: u32) {
        self.givers.clear();
        self.spans.clear();
        self.trees.clear();
        let mut last = u32::MAX;
        for (number, group) in losses.groups.iter().enumerate() {
            let of_axis = &falls.axes[group.axis as usize];
            if of_axis.is_idle {
                continue;
            }
            if group.tree != last {
                last = group.tree;
                self.trees.push(TreeShares::default());
            }
            let (giver, tree) = (index(self.givers.len()), index(self.trees.len() - 1));
            let (segment, weight) = (of_axis.stand, group.weight);
            let (group_number, axis) = (index(number), group.axis);
            let mut first = i64::MAX;
            for (place, loss) in (group.first..).zip(&losses.losses[group.first as usize..group.end as usize]) {
                let (from, to) = match (group.is_mixed, place < group.middle) {
                    (true, _) => (loss.slot, loss.slot + 1),
                    (false, true) => (of_axis.first, loss.slot + 1),
                    (false, false) => (loss.slot + 1, of_axis.end),
                };
                let amount = loss.amount >> shift;
                first = first.min(amount);
                self.spans.push(LostSegments { from, to, giver, amount });
            }
            self.givers.push(Giver { group: group_number, tree, axis, segment, lost: 0.0, first, weight, units: 0 });
        }
    }

    /// A tree gives to an axis what it loses along it where the axis stands, and a little for what it loses first,
    /// times what falls there. Weights from before are kept if the tree has them for all its axes.
    fn first_weights(&mut self, falls: &Falls) {
        self.find_lost();
        let mut first = 0;
        while first < self.givers.len() {
            let tree = self.givers[first].tree;
            let end = first + self.givers[first..].iter().take_while(|giver| giver.tree == tree).count();
            if self.givers[first..end].iter().any(|giver| giver.weight <= 0.0) {
                for giver in &mut self.givers[first..end] {
                    let fall = falls.axes[giver.axis as usize].at_stand as f64;
                    // Never 0, which would be no weight at all.
                    giver.weight = fall * (giver.lost + FIRST_LOSS * giver.first as f64) + 1.0;
                }
            }
            first = end;
        }
    }

    /// A tree moves weight to axes along which it loses more, where they stand by the shares so far.
    fn adjust_weights(&mut self, falls: &Falls) {
        for giver in &mut self.givers {
            giver.segment = falls.axes[giver.axis as usize].stand;
        }
        self.find_lost();
        for giver in &mut self.givers {
            giver.weight *= INERTIA + giver.lost / self.trees[giver.tree as usize].most;
        }
    }

    /// Finds the losses of trees where their axes stand. Written without branches, which would be mispredicted.
    fn find_lost(&mut self) {
        for giver in &mut self.givers {
            giver.lost = 0.0;
        }
        for span in &self.spans {
            let giver = &mut self.givers[span.giver as usize];
            let is_in = giver.segment.wrapping_sub(span.from) < span.to - span.from;
            giver.lost += (span.amount * i64::from(is_in)) as f64;
        }
        for tree in &mut self.trees {
            tree.most = 1.0;
        }
        for giver in &self.givers {
            let most = &mut self.trees[giver.tree as usize].most;
            *most = most.max(giver.lost);
        }
    }

    /// Spreads the losses of every tree over its axes by weight. Returns what the cheapest segments cost together.
    fn spread(&mut self, falls: &mut Falls) -> i64 {
        for tree in &mut self.trees {
            tree.weight = 0.0;
        }
        for giver in &self.givers {
            self.trees[giver.tree as usize].weight += giver.weight;
        }
        for giver in &mut self.givers {
            // A little less than one, so that weights rounded down never sum to more.
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 2^16")]
            let units = (giver.weight / self.trees[giver.tree as usize].weight * (WEIGHT_ONE * (1.0 - 1e-9))) as i64;
            giver.units = units;
        }
        falls.share.fill(0);
        for span in &self.spans {
            let share = span.amount * self.givers[span.giver as usize].units;
            falls.share[span.from as usize] += share;
            falls.share[span.to as usize] -= share;
        }
        let mut total = 0;
        for axis in &falls.touched {
            let of_axis = &mut falls.axes[*axis as usize];
            if !of_axis.is_idle {
                let (cheapest, least) = accumulate(&mut falls.share[of_axis.segments()]);
                (of_axis.stand, of_axis.share_least) = (of_axis.first + cheapest, least);
                total += least;
            }
        }
        total
    }

    /// The shares as notes.
    pub(super) fn to_notes(&self, losses: &Losses) -> Vec<crate::journal::Share> {
        let to_note =
            |giver: &Giver| super::record::share(losses.groups[giver.group as usize].tree, giver.axis, giver.units);
        self.givers.iter().filter_map(to_note).collect()
    }

    /// Lets trees that do not change keep their weights.
    fn keep_weights(&self, losses: &mut Losses) {
        for giver in &self.givers {
            losses.groups[giver.group as usize].weight = giver.weight;
        }
    }
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
