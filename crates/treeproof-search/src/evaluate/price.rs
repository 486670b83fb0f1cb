//! What the share bound gains from costs.
//!
//! By shares a point loses `Σ share(axis)` and costs `Σ cost(axis)`, and each axis chooses its segment for itself. To lose
//! least within a limit on the cost, or to cost least within a limit on the loss, is a knapsack with one choice per axis. Its
//! linear relaxation is solved by a price: where losing a unit less is worth `1/price` units of cost, every axis takes the
//! segment with the least `share + price · cost`, and
//!
//! ```text
//! loss ≥ Σ least (share + price · cost) − price · limit        cost ≥ (Σ least (share + price · cost) − loss allowed) / price
//! ```
//!
//! Any price is valid; the best one is the slope at which a greedy walk along the axes' convex hulls ends. Prices become
//! part of the shares, so that all that follows from shares follows from costs as well.

use super::falls::Falls;
use super::{Aim, Evaluation, Question};
use crate::ledger::Ledger;
use crate::problem::{Norm, Value};
use crate::region::{Region, Space};

/// Prices of single segments stay below this, so that sums with shares fit.
const MOST: u128 = 1 << 61;

/// Shares per unit of cost, as `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Price {
    mantissa: u64,
    exponent: i32,
}

/// What is known about costs, and the memory to find it out.
#[derive(Debug, Default)]
pub(super) struct Prices {
    /// Per ledger and segment: the least cost of its cells; for sums, beyond the least cost of the axis.
    costs: Vec<Value>,
    /// The ledger that says most, and the costs of its segments.
    ledger: usize,
    /// Per ledger: what every point costs.
    least: Vec<Value>,
    price: Price,
    /// What stays of the limit beyond the least cost, in shares, rounded up.
    room: i64,
    /// Whether there is a price but no limit, or none that says anything.
    is_unlimited: bool,
    /// What every point costs that loses no more than is allowed, as far as whole segments tell.
    at_least: Value,
    /// The loss that is allowed, in shares.
    slack: i64,
    steps: Vec<Step>,
    hull: Vec<Corner>,
    /// The axis that a relaxed solution has between two segments, and the cheaper of these.
    between: Option<(u32, u32)>,
}

/// An axis moves to a segment that costs more and loses less.
#[derive(Clone, Copy, Debug)]
struct Step {
    /// What it saves per cost, or for the norm that is a maximum, minus the cost: the largest first.
    rank: f64,
    order: u32,
    axis: u32,
    segment: u32,
    cost: Value,
    saves: i64,
}

#[derive(Clone, Copy, Debug)]
struct Corner {
    cost: Value,
    share: i64,
    segment: u32,
}

impl Price {
    fn new(slope: f64) -> Self {
        if slope.partial_cmp(&0.0) != Some(std::cmp::Ordering::Greater) || !slope.is_normal() {
            return Self::default();
        }
        let bits = slope.to_bits();
        let exponent = i32::try_from(bits >> 52).expect("11 bits") - 1075;
        Self { mantissa: bits & ((1 << 52) - 1) | 1 << 52, exponent }
    }

    fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    fn slope(self) -> f64 {
        self.mantissa as f64 * 2.0_f64.powi(self.exponent)
    }

    /// What a cost is worth in shares, rounded down; large numbers are cut off.
    #[inline]
    fn of(self, cost: Value) -> u128 {
        let product = u128::from(self.mantissa) * u128::from(cost.unsigned_abs());
        match self.exponent {
            0.. => product.saturating_mul(1 << self.exponent.min(100)),
            -127..0 => product >> -self.exponent,
            _ => 0,
        }
    }

    /// The least cost that is worth at least so many shares.
    fn cost_of(self, shares: i64) -> Value {
        let (mut too_little, mut enough) = (-1, 1 << 61);
        while enough - too_little > 1 {
            let middle = too_little + (enough - too_little) / 2;
            if self.of(middle) >= u128::from(shares.max(0).unsigned_abs()) {
                enough = middle;
            } else {
                too_little = middle;
            }
        }
        enough
    }
}

impl Prices {
    /// Finds what segments cost, and which axes need no shares: those that have a segment that neither loses nor costs. An axis
    /// stands at its cheapest segment to begin with.
    pub(super) fn begin(&mut self, aim: Aim<'_>, space: &Space, region: &Region, falls: &mut Falls, slack: i64) {
        let ledgers = aim.ledgers();
        self.ledger = 0;
        self.at_least = 0;
        self.slack = slack;
        self.between = None;
        self.least.clear();
        self.costs.clear();
        for ledger in ledgers {
            self.least.push(ledger.least(space, region));
            let start = self.costs.len();
            self.costs.resize(start + falls.place.len(), 0);
            for axis in &falls.touched {
                let costs = &mut self.costs[start..];
                let mut least = Value::MAX;
                for segment in falls.axes[*axis as usize].segments() {
                    let cost = cost_of_segment(ledger, space, region, falls, *axis, segment);
                    costs[segment] = cost;
                    least = least.min(cost);
                }
                if ledger.norm == Norm::Sum {
                    costs[falls.axes[*axis as usize].segments()].iter_mut().for_each(|cost| *cost -= least);
                }
            }
        }
        for axis in &falls.touched {
            let of_axis = falls.axes[*axis as usize];
            let key = |segment: &usize| (self.costs[*segment], falls.fall(&of_axis, *segment));
            let stand = of_axis.segments().min_by_key(key).expect("an axis has segments");
            let costs_least = |(place, ledger): (usize, &Ledger)| {
                let cost = self.costs[place * falls.place.len() + stand];
                cost <= if ledger.norm == Norm::Sum { 0 } else { self.least[place] }
            };
            let at_stand = falls.fall(&of_axis, stand);
            let of_axis = &mut falls.axes[*axis as usize];
            of_axis.is_idle = at_stand == 0 && ledgers.iter().enumerate().all(costs_least);
            (of_axis.stand, of_axis.at_stand) = (crate::masks::index(stand), at_stand);
        }
    }

    /// Solves the relaxed problem for the shares as they are, and lets the axes stand where its solution has them.
    /// Returns whether it shows that nothing is left to be found.
    pub(super) fn relax(&mut self, aim: Aim<'_>, falls: &mut Falls, enough: i64) -> bool {
        let ledgers = aim.ledgers();
        let mut most = f64::MIN;
        for (place, ledger) in ledgers.iter().enumerate() {
            let bound = self.relax_one(aim, ledger, place, falls);
            if bound > most {
                (most, self.ledger) = (bound, place);
            }
        }
        if ledgers.len() > 1 {
            most = self.relax_one(aim, &ledgers[self.ledger], self.ledger, falls);
        }
        match aim.question {
            Question::Margin => most >= enough as f64,
            Question::Nearest { limit, .. } => limit.is_some_and(|limit| most > limit as f64),
        }
    }

    fn relax_one(&mut self, aim: Aim<'_>, ledger: &Ledger, place: usize, falls: &mut Falls) -> f64 {
        let costs = place * falls.place.len();
        let least = self.least[place];
        self.steps.clear();
        self.between = None;
        let mut loss = 0;
        for axis in &falls.touched {
            let of_axis = falls.axes[*axis as usize];
            if of_axis.is_idle {
                continue;
            }
            let corner = |segment: usize| Corner {
                cost: self.costs[costs + segment],
                share: falls.share[segment],
                segment: crate::masks::index(segment),
            };
            let corners = of_axis.segments().map(corner);
            let start = match ledger.norm {
                Norm::Sum => corners.clone().min_by_key(|corner| (corner.cost, corner.share)),
                // Within what some axis costs anyhow, all others are free.
                Norm::Max => corners.clone().min_by_key(|corner| (corner.cost.max(least), corner.share)),
            };
            let start = start.expect("an axis has segments");
            falls.axes[*axis as usize].stand = start.segment;
            loss += start.share;
            if start.share == of_axis.share_least {
                continue;
            }
            self.hull.clear();
            self.hull.push(start);
            let better = corners.filter(|corner| corner.share < start.share);
            match ledger.norm {
                Norm::Sum => lower_hull(&mut self.hull, better),
                Norm::Max => staircase(&mut self.hull, better),
            }
            for pair in self.hull.windows(2) {
                let (cost, saves) = (pair[1].cost - pair[0].cost, pair[0].share - pair[1].share);
                let (rank, cost) = match ledger.norm {
                    Norm::Sum => (saves as f64 / cost as f64, cost),
                    Norm::Max => (-(pair[1].cost as f64), pair[1].cost),
                };
                let order = crate::masks::index(self.steps.len());
                self.steps.push(Step { rank, order, axis: *axis, segment: pair[1].segment, cost, saves });
            }
        }
        self.steps.sort_unstable_by(|a, b| b.rank.total_cmp(&a.rank).then(a.order.cmp(&b.order)));
        let (room, bound) = match aim.question {
            Question::Margin => {
                let room = ledger.limit - least;
                let (price, loss) = self.lose_least(falls, loss, room);
                self.price = price;
                (Some(room), loss)
            }
            Question::Nearest { limit, .. } => {
                let room = limit.map(|limit| limit - least);
                let bound = match ledger.norm {
                    Norm::Max => {
                        self.price = Price::default();
                        self.at_least = self.at_least.max(self.widen_least(falls, loss, least));
                        self.at_least as f64
                    }
                    Norm::Sum => {
                        let (price, cost) = self.cost_least(falls, loss, room);
                        self.price = price;
                        least as f64 + cost
                    }
                };
                (room, bound)
            }
        };
        let room = match room {
            _ if self.price.is_zero() => Some(0),
            Some(room) => i64::try_from(self.price.of(room) + 1).ok().filter(|shares| *shares < 1 << 61),
            None => None,
        };
        (self.room, self.is_unlimited) = (room.unwrap_or(0), room.is_none());
        bound
    }

    /// Takes the steps that save most until the room is used up. Returns the price and the loss that stays.
    fn lose_least(&mut self, falls: &mut Falls, loss: i64, room: Value) -> (Price, f64) {
        let (mut loss, mut room) = (loss, room);
        for step in &self.steps {
            let stand = &mut falls.axes[step.axis as usize].stand;
            if step.cost > room {
                self.between = Some((step.axis, *stand));
                if room > step.cost / 2 {
                    *stand = step.segment;
                }
                return (Price::new(step.rank), loss as f64 - step.rank * room as f64);
            }
            *stand = step.segment;
            loss -= step.saves;
            room -= step.cost;
        }
        (Price::default(), loss as f64)
    }

    /// Takes the steps that save most until the loss is allowed. Returns the price and what it costs. Where nothing has to be
    /// saved, the price is that at which the room would be used up.
    fn cost_least(&mut self, falls: &mut Falls, loss: i64, room: Option<Value>) -> (Price, f64) {
        if loss <= self.slack {
            let price = room.map_or(Price::default(), |room| {
                let mut room = room;
                let over = self.steps.iter().find(|step| {
                    room -= step.cost;
                    room < 0
                });
                over.map_or(Price::default(), |step| Price::new(step.rank))
            });
            return (price, 0.0);
        }
        let mut over = loss - self.slack;
        let mut cost = 0;
        for step in &self.steps {
            let stand = &mut falls.axes[step.axis as usize].stand;
            if step.saves >= over {
                self.between = Some((step.axis, *stand));
                if over > step.saves / 2 {
                    *stand = step.segment;
                }
                return (Price::new(step.rank), cost as f64 + over as f64 / step.rank);
            }
            *stand = step.segment;
            over -= step.saves;
            cost += step.cost;
        }
        // No cost makes up for the loss: what the unpriced shares say closes the region.
        (Price::default(), 0.0)
    }

    /// Takes steps in the order of their costs until the loss is allowed. Returns the cost of the last one.
    fn widen_least(&mut self, falls: &mut Falls, loss: i64, least: Value) -> Value {
        let (mut loss, mut cost) = (loss, least);
        for step in &self.steps {
            if loss <= self.slack {
                break;
            }
            falls.axes[step.axis as usize].stand = step.segment;
            loss -= step.saves;
            cost = step.cost;
        }
        cost
    }

    /// Makes prices part of the shares. Returns what all axes together lose and pay at least.
    pub(super) fn fold(&self, falls: &mut Falls) -> i64 {
        let costs = &self.costs[self.ledger * falls.place.len()..];
        let mut total = 0;
        for axis in &falls.touched {
            let of_axis = &mut falls.axes[*axis as usize];
            of_axis.share_least = i64::MAX;
            for segment in of_axis.segments() {
                let share = &mut falls.share[segment];
                if !self.price.is_zero() {
                    let price = self.price.of(costs[segment]).min(MOST);
                    *share += i64::try_from(price).expect("below 2^61");
                }
                of_axis.share_least = of_axis.share_least.min(*share);
            }
            total += of_axis.share_least;
        }
        total
    }

    /// What a point costs at least if it loses and pays so many shares.
    pub(super) fn least_cost(&self, shares: i64) -> Value {
        let least = self.least[self.ledger].max(self.at_least);
        let over = shares - self.slack;
        if over <= 0 || self.price.is_zero() { least } else { least + self.price.cost_of(over) }
    }

    /// What remains of shares when the room is used up; `None` if no limit says how much room there is.
    #[inline]
    pub(super) fn beyond_room(&self, shares: i64) -> Option<i64> {
        (!self.is_unlimited).then_some(shares - self.room)
    }

    /// Shares per unit of cost.
    pub(super) fn slope(&self) -> f64 {
        self.price.slope()
    }

    /// What a segment costs beyond its axis's least.
    pub(super) fn cost(&self, falls: &Falls, segment: usize) -> Value {
        self.costs[self.ledger * falls.place.len() + segment]
    }

    /// The ledger that says most.
    pub(super) fn ledger(&self) -> usize {
        self.ledger
    }

    /// Where an axis stands that costs no more than the relaxed solution.
    pub(super) fn cheaper_stand(&self, axis: u32) -> Option<u32> {
        self.between.filter(|(between, _)| *between == axis).map(|(_, segment)| segment)
    }
}

impl Evaluation {
    /// The loss that is allowed, in shares, rounded up.
    pub(super) fn slack_in_shares(&self, slack: Value) -> i64 {
        let shares = (i128::from(slack.max(0)) << super::share::WEIGHT_BITS >> self.shift) + 1;
        i64::try_from(shares).unwrap_or(i64::MAX)
    }
}

/// The least cost of the cells of a segment.
fn cost_of_segment(ledger: &Ledger, space: &Space, region: &Region, falls: &Falls, axis: u32, segment: usize) -> Value {
    let index = axis as usize;
    let (of_axis, shape) = (&falls.axes[index], space.axes[index]);
    let place = falls.place[segment];
    if of_axis.is_mixed && place < shape.special {
        return ledger.cost(index, shape.ordered + place);
    }
    let (low, high) = falls.ordered_cells(space, region, axis, segment);
    ledger.cost(index, ledger.cheapest_ordered(index, low, high))
}

/// Goes on from a first corner along the convex hull below some others.
fn lower_hull(hull: &mut Vec<Corner>, corners: impl Iterator<Item = Corner>) {
    hull.extend(corners);
    hull[1..].sort_unstable_by_key(|corner| (corner.cost, corner.share));
    let mut kept = 1;
    for next in 1..hull.len() {
        let corner = hull[next];
        let slope = |from: Corner| (from.share - corner.share) as f64 / (corner.cost - from.cost) as f64;
        if corner.share >= hull[kept - 1].share {
            continue;
        }
        while kept > 1 && {
            let (before, last) = (hull[kept - 2], hull[kept - 1]);
            let here = (before.share - last.share) as f64 / (last.cost - before.cost) as f64;
            last.cost == corner.cost || slope(last) >= here
        } {
            kept -= 1;
        }
        hull[kept] = corner;
        kept += 1;
    }
    hull.truncate(kept);
}

/// Goes on from a first corner to ever larger costs with ever smaller shares.
fn staircase(hull: &mut Vec<Corner>, corners: impl Iterator<Item = Corner>) {
    hull.extend(corners);
    hull[1..].sort_unstable_by_key(|corner| (corner.cost, corner.share));
    let mut kept = 1;
    for next in 1..hull.len() {
        if hull[next].share < hull[kept - 1].share {
            hull[kept] = hull[next];
            kept += 1;
        }
    }
    hull.truncate(kept);
}
