//! Prices: the gain of the share bound from costs.
//!
//! By shares a point loses `Σ share(axis)` and costs `Σ cost(axis)`, and each axis chooses its segment for itself: a
//! [knapsack](super::knapsack). Its price makes costs part of the shares, so every consequence of shares is one of
//! costs as well.

use super::falls::Falls;
use super::knapsack::{Knapsack, KnapsackOption, Multiplier};
use super::{BoundAim, BoundObjective};
use crate::compiled::CostTable;
use crate::grid::{Axes, Region, Value, index};
use crate::problem::Norm;

/// Costs of segments, their price, and the memory to find it.
#[derive(Debug, Default)]
pub(super) struct Prices {
    /// Per cost table and segment: the least cost of its cells; for sums, beyond the least cost of the axis.
    costs: Vec<Value>,
    /// The cost table whose bound is tightest.
    pub(super) table: usize,
    /// Per cost table: the cost of every point at least.
    least: Vec<Value>,
    pub(super) price: Multiplier,
    /// The rest of the limit beyond the least cost, in shares, rounded up.
    room: i64,
    /// True if there is a price but no limit, or none of use.
    is_unlimited: bool,
    /// A lower bound on the cost of points that lose no more than is allowed, by whole segments.
    at_least: Value,
    /// True if only the last weights count, as a journal records no others.
    pub(super) is_recorded: bool,
    /// The loss that is allowed, in shares.
    slack: i64,
    knapsack: Knapsack,
}

impl Prices {
    /// Finds what segments cost, and which axes need no shares: those that have a segment that neither loses nor costs. An axis
    /// stands at its cheapest segment to begin with.
    pub(super) fn begin(&mut self, aim: BoundAim<'_>, space: &Axes, region: &Region, falls: &mut Falls, slack: i64) {
        let tables = aim.tables;
        self.table = 0;
        self.at_least = 0;
        self.slack = slack;
        self.least.clear();
        self.costs.clear();
        for table in tables {
            self.least.push(table.least(space, region));
            let start = self.costs.len();
            self.costs.resize(start + falls.place.len(), 0);
            for axis in &falls.touched {
                let costs = &mut self.costs[start..];
                let mut least = Value::MAX;
                for segment in falls.axes[*axis as usize].segments() {
                    let cost = cost_of_segment(table, space, region, falls, *axis, segment);
                    costs[segment] = cost;
                    least = least.min(cost);
                }
                if table.norm == Norm::Sum {
                    costs[falls.axes[*axis as usize].segments()].iter_mut().for_each(|cost| *cost -= least);
                }
            }
        }
        for axis in &falls.touched {
            let of_axis = falls.axes[*axis as usize];
            let key = |segment: &usize| (self.costs[*segment], falls.fall(&of_axis, *segment));
            let stand = of_axis.segments().min_by_key(key).expect("an axis has segments");
            let is_least = |(place, table): (usize, &CostTable)| {
                let cost = self.costs[place * falls.place.len() + stand];
                cost <= if table.norm == Norm::Sum { 0 } else { self.least[place] }
            };
            let at_stand = falls.fall(&of_axis, stand);
            let of_axis = &mut falls.axes[*axis as usize];
            of_axis.is_idle = at_stand == 0 && tables.iter().enumerate().all(is_least);
            (of_axis.stand, of_axis.at_stand) = (index(stand), at_stand);
        }
    }

    /// Solves the relaxed problem for the shares as they are, and lets the axes stand where its solution has them.
    /// Returns whether it shows that nothing is left to be found.
    pub(super) fn relax(&mut self, aim: BoundAim<'_>, falls: &mut Falls, enough: i64) -> bool {
        let tables = aim.tables;
        let mut most = f64::MIN;
        for (place, table) in tables.iter().enumerate() {
            let bound = self.relax_one(aim, table, place, falls);
            if bound > most {
                (most, self.table) = (bound, place);
            }
        }
        if tables.len() > 1 {
            most = self.relax_one(aim, &tables[self.table], self.table, falls);
        }
        match aim.objective {
            BoundObjective::Margin => most >= enough as f64,
            BoundObjective::Nearest { limit, .. } => limit.is_some_and(|limit| most > limit as f64),
        }
    }

    fn relax_one(&mut self, aim: BoundAim<'_>, table: &CostTable, place: usize, falls: &mut Falls) -> f64 {
        let costs = &self.costs[place * falls.place.len()..];
        let least = self.least[place];
        self.knapsack.clear(falls.axes.len());
        for axis in &falls.touched {
            let of_axis = &falls.axes[*axis as usize];
            if of_axis.is_idle {
                continue;
            }
            let choices = of_axis.segments().map(|segment| KnapsackOption {
                cost: costs[segment],
                loss: falls.share[segment],
                number: index(segment),
            });
            // By the largest cost: within what some axis costs anyhow, all others are free.
            self.knapsack.add(*axis as usize, (table.norm == Norm::Max).then_some(least), choices);
        }
        let room = aim.room(table, least);
        let bound = match (aim.objective, table.norm) {
            (BoundObjective::Margin, _) => {
                let (price, loss) = self.knapsack.lose_least(table.limit - least);
                self.price = price;
                loss
            }
            (BoundObjective::Nearest { .. }, Norm::Sum) => {
                let (price, cost) = self.knapsack.cost_least(self.slack, room);
                self.price = price;
                least as f64 + cost
            }
            (BoundObjective::Nearest { .. }, Norm::Max) => {
                self.price = Multiplier::default();
                let known = if self.is_recorded { 0 } else { self.at_least };
                self.at_least = known.max(self.knapsack.widen_least(self.slack, least));
                self.at_least as f64
            }
        };
        let room = if self.price.is_zero() { Some(0) } else { room.and_then(|room| self.price.of_room(room)) };
        (self.room, self.is_unlimited) = (room.unwrap_or(0), room.is_none());
        for axis in &falls.touched {
            let of_axis = &mut falls.axes[*axis as usize];
            if !of_axis.is_idle {
                of_axis.stand = self.knapsack.stands[*axis as usize];
            }
        }
        bound
    }

    /// Makes prices part of the shares. Returns what all axes together lose and pay at least.
    pub(super) fn fold(&self, falls: &mut Falls) -> i64 {
        let costs = &self.costs[self.table * falls.place.len()..];
        let mut total = 0;
        for axis in &falls.touched {
            let of_axis = &mut falls.axes[*axis as usize];
            of_axis.share_least = i64::MAX;
            for segment in of_axis.segments() {
                let share = &mut falls.share[segment];
                if !self.price.is_zero() {
                    *share += self.price.of(costs[segment]);
                }
                of_axis.share_least = of_axis.share_least.min(*share);
            }
            total += of_axis.share_least;
        }
        total
    }

    /// A lower bound on the cost of points with at least these shares and prices.
    pub(super) fn least_cost(&self, shares: i64) -> Value {
        let least = self.least[self.table].max(self.at_least);
        let over = shares - self.slack;
        if over <= 0 || self.price.is_zero() { least } else { least + self.price.cost_of(over) }
    }

    /// The shares left when the room is used up; `None` if no limit gives the room.
    #[inline]
    pub(super) fn beyond_room(&self, shares: i64) -> Option<i64> {
        self.room().map(|room| shares - room)
    }

    /// The room, in shares.
    #[inline]
    pub(super) fn room(&self) -> Option<i64> {
        (!self.is_unlimited).then_some(self.room)
    }

    /// The cost of a segment beyond its axis's least.
    pub(super) fn cost(&self, falls: &Falls, segment: usize) -> Value {
        self.costs[self.table * falls.place.len() + segment]
    }

    /// A place of an axis that costs no more than the relaxed solution.
    pub(super) fn cheaper_stand(&self, axis: u32) -> Option<u32> {
        self.knapsack.between.filter(|(between, _)| *between == axis).map(|(_, segment)| segment)
    }
}

/// The least cost of the cells of a segment.
fn cost_of_segment(
    table: &CostTable,
    space: &Axes,
    region: &Region,
    falls: &Falls,
    axis: u32,
    segment: usize,
) -> Value {
    let index = axis as usize;
    let (of_axis, shape) = (&falls.axes[index], space.axes[index]);
    let place = falls.place[segment];
    if of_axis.is_mixed && place < shape.special {
        return table.cost(index, shape.ordered + place);
    }
    let (low, high) = falls.ordered_cells(space, region, axis, segment);
    table.cost(index, table.cheapest_ordered(index, low, high))
}
