//! The toll bound: a relaxation in which the trees choose their leaves independently of each other, and pay for them.
//!
//! To be in a leaf a point must have cells that cost something, along all axes of the leaf's path. What a cell costs is
//! paid once, so it is divided among the trees that look at its axis, with weights that sum to at most one per axis. Then
//! each tree chooses its leaf for itself, with a value and a toll: a [knapsack](super::knapsack). The share bound divides what trees
//! lose among axes and sees one axis of a leaf at a time; this one divides what axes cost among trees and sees leaves whole.
//! Any weights are valid; good ones are found in rounds: an axis asks those trees to pay whose leaves need it most.

use std::ops::Range;

use super::knapsack::{Knapsack, KnapsackOption, Multiplier};
use super::losses::Scope;
use super::{BoundAim, BoundObjective, Evaluation};
use crate::compiled::{AxisPath, CostTable, Masks, TreeBits, WEIGHT_BITS, WEIGHT_ONE, in_weights};
use crate::grid::{Axes, Region, Value, index};
use crate::journal::{Price, Share};
use crate::problem::Norm;

/// Rounds in which weights are found.
const ROUNDS: usize = 6;
/// The rest of a weight of a tree that does not need the axis.
const INERTIA: f64 = 0.4;

/// The weights by which trees pay for the cells of their leaves; memory is kept from region to region.
#[derive(Debug, Default)]
pub(super) struct Tolls {
    /// The leaves of every tree that has several to choose from.
    trees: Vec<Range<u32>>,
    /// The leaves to choose from, tree after tree, each with its fees.
    leaves: Vec<TollLeaf>,
    fees: Vec<Fee>,
    /// Every tree along every axis on which a leaf of it costs something.
    payers: Vec<Payer>,
    axes: Vec<AxisToll>,
    /// The axes along which some tree pays.
    touched: Vec<u32>,
    /// The relaxed choice of leaves, and the price of a unit of toll in it.
    knapsack: Knapsack,
    price: Multiplier,
}

/// A leaf: `fees[first..end]`.
#[derive(Debug)]
struct TollLeaf {
    first: u32,
    end: u32,
    number: u32,
    /// The loss of the tree in it.
    loss: Value,
    toll: i64,
}

/// The cost of a leaf along one axis.
#[derive(Debug)]
struct Fee {
    payer: u32,
    cost: i64,
}

/// A tree along one axis.
#[derive(Debug)]
struct Payer {
    tree: u32,
    axis: u32,
    weight: f64,
    units: i64,
    /// The cost, along the axis, of the leaf at which the tree stands.
    needs: f64,
}

#[derive(Clone, Copy, Debug, Default)]
struct AxisToll {
    /// The payer of the tree at hand, if it is not older than that tree's first.
    payer: u32,
    is_touched: bool,
    /// The cost of every point along it, once it was looked up.
    least: Value,
    weight: f64,
    most: f64,
}

impl Evaluation {
    /// Improves the bounds by tolls.
    pub(super) fn toll(&mut self, space: &Axes, masks: &Masks, region: &Region, aim: BoundAim<'_>) {
        self.toll_notes.iter_mut().for_each(Vec::clear);
        let sums = aim.tables.iter().enumerate().filter(|(_, table)| table.norm == Norm::Sum);
        for (place, table) in sums {
            if aim.floor.prune(self.bound).is_err() {
                return;
            }
            let least = table.least(space, region);
            let room = aim.room(table, least);
            if room.is_some_and(|room| room < 0) {
                return;
            }
            let shift = table.toll_shift;
            let scope = Scope { space, masks, region, reach: &self.reach, enough: 0 };
            self.tolls.list(scope, table, &self.best);
            let room_in_tolls = room.map(|room| in_weights(room, shift));
            let slack = aim.floor.pruning_fall(self.plain).saturating_sub(1);
            let total = self.tolls.relax(aim, slack, room_in_tolls);
            let before = (self.bound, self.distance);
            match aim.objective {
                BoundObjective::Margin => {
                    if let Some(room) = self.tolls.price.of_room(room_in_tolls.unwrap_or(0)) {
                        self.bound = self.bound.min(self.plain - (total - room).max(0));
                    }
                }
                BoundObjective::Nearest { .. } => {
                    if self.tolls.price.is_zero() {
                        self.bound = self.bound.min(self.plain - total);
                    } else if total > slack {
                        let tolls = self.tolls.price.cost_of(total - slack);
                        let cost = if shift >= WEIGHT_BITS {
                            tolls << (shift - WEIGHT_BITS)
                        } else {
                            // Rounded up: costs are whole.
                            ((tolls - 1) >> (WEIGHT_BITS - shift)) + 1
                        };
                        self.distance = self.distance.max(least + cost);
                    }
                }
            }
            if (self.bound, self.distance) != before {
                let tolls = &self.tolls;
                self.toll_notes.iter_mut().for_each(|notes| notes.push(tolls.to_note(index(place), shift)));
            }
        }
    }

    /// Leaves that are worth their tolls, the best first.
    pub(crate) fn worthwhile_leaves(&self) -> impl Iterator<Item = u32> {
        self.tolls.knapsack.moves().map(|leaf| self.tolls.leaves[leaf as usize].number)
    }
}

impl Tolls {
    /// Lists the trees, their leaves and the fees of these. Leaves that lose more than one that is free are left out.
    fn list(&mut self, scope: Scope<'_>, table: &CostTable, best: &[u32]) {
        let Scope { space, masks, region, reach, .. } = scope;
        self.trees.clear();
        self.leaves.clear();
        self.fees.clear();
        self.payers.clear();
        self.touched.clear();
        self.axes.clear();
        self.axes.resize(space.axes.len(), AxisToll { payer: 0, least: -1, ..AxisToll::default() });
        let shift = table.toll_shift;
        for (tree, (bits, best)) in masks.trees.iter().zip(best).enumerate() {
            let (first, first_payer) = (index(self.leaves.len()), index(self.payers.len()));
            let value = masks.values[*best as usize];
            for leaf in bits.leaves(reach) {
                let first_fee = index(self.fees.len());
                for step in masks.steps(leaf) {
                    let axis = step.axis as usize;
                    let cost = cost_of_step(scope, table, bits, leaf, step);
                    if cost == 0 {
                        continue;
                    }
                    let of_axis = &mut self.axes[axis];
                    if of_axis.least < 0 {
                        of_axis.least = table.least_of_axis(space, region, axis);
                    }
                    let cost = (cost - of_axis.least) >> shift;
                    if cost == 0 {
                        continue;
                    }
                    if !of_axis.is_touched {
                        of_axis.is_touched = true;
                        self.touched.push(step.axis);
                        of_axis.payer = u32::MAX;
                    }
                    if of_axis.payer == u32::MAX || of_axis.payer < first_payer {
                        of_axis.payer = index(self.payers.len());
                        self.payers.push(Payer {
                            tree: index(tree),
                            axis: step.axis,
                            weight: 1.0,
                            units: 0,
                            needs: 0.0,
                        });
                    }
                    self.fees.push(Fee { payer: of_axis.payer, cost });
                }
                let end_fee = index(self.fees.len());
                let loss = value - masks.values[leaf];
                self.leaves.push(TollLeaf { first: first_fee, end: end_fee, number: index(leaf), loss, toll: 0 });
                if end_fee == first_fee {
                    break;
                }
            }
            let end = index(self.leaves.len());
            if end - first > 1 || self.leaves[first as usize].end > self.leaves[first as usize].first {
                self.trees.push(first..end);
            } else {
                self.leaves.truncate(first as usize);
            }
        }
    }

    /// Finds weights and a price. Returns what all trees together lose and pay at least.
    fn relax(&mut self, aim: BoundAim<'_>, slack: Value, room: Option<Value>) -> i64 {
        for round in 0..ROUNDS {
            if round > 0 {
                self.adjust_weights();
            }
            self.spread();
            self.knapsack.clear(self.trees.len());
            for (number, tree) in self.trees.iter().enumerate() {
                let choice = |leaf: u32| {
                    let TollLeaf { toll, loss, .. } = self.leaves[leaf as usize];
                    KnapsackOption { cost: toll, loss, number: leaf }
                };
                self.knapsack.add(number, None, tree.clone().map(choice));
            }
            let (price, closes) = match aim.objective {
                BoundObjective::Margin => {
                    let (price, loss) = self.knapsack.lose_least(room.unwrap_or(0));
                    (price, loss > slack as f64)
                }
                BoundObjective::Nearest { .. } => {
                    let (price, cost) = self.knapsack.cost_least(slack, room);
                    (price, room.is_some_and(|room| cost > room as f64))
                }
            };
            self.price = price;
            if closes {
                break;
            }
        }
        let with_price = |leaf: &TollLeaf| leaf.loss + self.price.of(leaf.toll);
        let least =
            |tree: &Range<u32>| self.leaves[tree.start as usize..tree.end as usize].iter().map(with_price).min();
        self.trees.iter().filter_map(least).sum()
    }

    /// The shares of trees in the costs of axes, and the price of a unit of cost.
    fn to_note(&self, table: u32, shift: u32) -> (Vec<Share>, Price) {
        let to_note = |payer: &Payer| super::record::share(payer.tree, payer.axis, payer.units);
        let shares = self.payers.iter().filter_map(to_note).collect();
        (shares, self.price.to_note(table, -shift.cast_signed()))
    }

    /// Axes ask trees more whose leaves need them more.
    fn adjust_weights(&mut self) {
        for payer in &mut self.payers {
            payer.needs = 0.0;
        }
        for axis in &self.touched {
            self.axes[*axis as usize].most = 1.0;
        }
        for stand in &self.knapsack.stands {
            let leaf = &self.leaves[*stand as usize];
            for fee in &self.fees[leaf.first as usize..leaf.end as usize] {
                let payer = &mut self.payers[fee.payer as usize];
                payer.needs = fee.cost as f64;
                let most = &mut self.axes[payer.axis as usize].most;
                *most = most.max(payer.needs);
            }
        }
        for payer in &mut self.payers {
            payer.weight *= INERTIA + payer.needs / self.axes[payer.axis as usize].most;
        }
    }

    /// Divides what axes cost among trees by weight.
    fn spread(&mut self) {
        for axis in &self.touched {
            self.axes[*axis as usize].weight = 0.0;
        }
        for payer in &self.payers {
            self.axes[payer.axis as usize].weight += payer.weight;
        }
        for payer in &mut self.payers {
            // A little less than one, so that weights rounded down never sum to more.
            #[expect(clippy::cast_possible_truncation, reason = "between 0 and 2^16")]
            let units = (payer.weight / self.axes[payer.axis as usize].weight * (WEIGHT_ONE * (1.0 - 1e-9))) as i64;
            payer.units = units;
        }
        for leaf in &mut self.leaves {
            let fees = &self.fees[leaf.first as usize..leaf.end as usize];
            leaf.toll = fees.iter().map(|fee| fee.cost * self.payers[fee.payer as usize].units).sum();
        }
    }
}

/// The cost of the cheapest cell that a leaf has in a region, along one axis.
#[inline]
fn cost_of_step(scope: Scope<'_>, table: &CostTable, bits: &TreeBits, leaf: usize, step: &AxisPath) -> Value {
    let Scope { space, masks, region, .. } = scope;
    let axis = step.axis as usize;
    let (low, high) = (region.low[axis].max(step.low), region.high[axis].min(step.high));
    let ordered = (low < high).then(|| table.cost(axis, table.cheapest_ordered(axis, low, high)));
    if space.axes[axis].special == 0 {
        return ordered.expect("a leaf that is reached");
    }
    let special = space.special_cells(region, axis);
    let special = special.filter(|cell| bits.has(masks.has_special(step.axis, *cell), leaf));
    let special = special.map(|cell| table.cost(axis, space.axes[axis].ordered + cell));
    special.chain(ordered).min().expect("a leaf that is reached")
}
