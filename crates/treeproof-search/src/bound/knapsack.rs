//! The relaxed knapsack: choosers that each take one of several options, with a cost and a loss each.
//!
//! To lose least within a limit on the cost, or to cost least within a limit on the loss, is solved by a price, if options may be
//! mixed: everybody takes the option with the least `loss + price · cost`, and
//!
//! ```text
//! loss ≥ Σ least (loss + price · cost) − price · limit        cost ≥ (Σ least (loss + price · cost) − loss allowed) / price
//! ```
//!
//! Any price is valid; the best one is the slope at which a greedy walk along the options' convex hulls ends.

use crate::grid::{Value, index};
use crate::journal::Price;

/// A Lagrange multiplier: loss per unit of cost, as `mantissa · 2^exponent`.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Multiplier {
    mantissa: u64,
    exponent: i32,
}

/// The memory that solving takes, and the solution.
#[derive(Debug, Default)]
pub(super) struct Knapsack {
    steps: Vec<Upgrade>,
    hull: Vec<KnapsackOption>,
    /// The option taken, per chooser.
    pub(super) stands: Vec<u32>,
    /// The one that is between two options, and the cheaper of these.
    pub(super) between: Option<(u32, u32)>,
    /// The loss with the cheapest options.
    loss: i64,
}

/// An option.
#[derive(Clone, Copy, Debug)]
pub(super) struct KnapsackOption {
    pub(super) cost: Value,
    pub(super) loss: i64,
    pub(super) number: u32,
}

/// A move of a chooser to an option that costs more and loses less.
#[derive(Clone, Copy, Debug)]
struct Upgrade {
    /// Those with the largest are taken first.
    rank: f64,
    order: u32,
    chooser: u32,
    number: u32,
    cost: Value,
    saves: i64,
}

impl Knapsack {
    pub(super) fn clear(&mut self, num_choosers: usize) {
        self.steps.clear();
        self.stands.clear();
        self.stands.resize(num_choosers, 0);
        self.between = None;
        self.loss = 0;
    }

    /// Adds a chooser. Costs of all are added up; or only the largest counts, which is `at_least` this.
    pub(super) fn add(
        &mut self,
        chooser: usize,
        at_least: Option<Value>,
        choices: impl Iterator<Item = KnapsackOption> + Clone,
    ) {
        let counted = |choice: &KnapsackOption| (choice.cost.max(at_least.unwrap_or(Value::MIN)), choice.loss);
        let start = choices.clone().min_by_key(counted).expect("there is an option");
        self.stands[chooser] = start.number;
        self.loss += start.loss;
        self.hull.clear();
        self.hull.push(start);
        self.hull.extend(choices.filter(|choice| choice.loss < start.loss));
        keep_hull(&mut self.hull, at_least.is_none());
        for pair in self.hull.windows(2) {
            let (from, to) = (pair[0], pair[1]);
            let (rank, cost) = match at_least {
                None => (slope(from, to), to.cost - from.cost),
                Some(_) => (-(to.cost as f64), to.cost),
            };
            self.steps.push(Upgrade {
                rank,
                order: index(self.steps.len()),
                chooser: index(chooser),
                number: to.number,
                cost,
                saves: from.loss - to.loss,
            });
        }
    }

    /// The options to which the choosers move, the best moves first.
    pub(super) fn moves(&self) -> impl Iterator<Item = u32> {
        self.steps.iter().map(|step| step.number)
    }

    fn sort(&mut self) {
        self.steps.sort_unstable_by(|a, b| b.rank.total_cmp(&a.rank).then(a.order.cmp(&b.order)));
    }

    /// Saves most until the room is used up. Returns the price and about what is still lost.
    pub(super) fn lose_least(&mut self, room: Value) -> (Multiplier, f64) {
        self.sort();
        let (mut loss, mut room) = (self.loss, room);
        for step in &self.steps {
            let stand = &mut self.stands[step.chooser as usize];
            if step.cost > room {
                self.between = Some((step.chooser, *stand));
                if room > step.cost / 2 {
                    *stand = step.number;
                }
                return (Multiplier::new(step.rank), loss as f64 - step.rank * room as f64);
            }
            *stand = step.number;
            loss -= step.saves;
            room -= step.cost;
        }
        (Multiplier::default(), loss as f64)
    }

    /// Saves most until the loss is allowed. Returns the price and about what that costs. Where nothing has to be saved, the
    /// price is that at which the room would be used up; where not enough can be saved, there is none.
    pub(super) fn cost_least(&mut self, slack: i64, room: Option<Value>) -> (Multiplier, f64) {
        self.sort();
        let mut over = self.loss - slack;
        if over <= 0 {
            let mut room = room.unwrap_or(Value::MAX);
            let last = self.steps.iter().find(|step| {
                room -= step.cost;
                room < 0
            });
            return (last.map_or(Multiplier::default(), |step| Multiplier::new(step.rank)), 0.0);
        }
        let mut cost = 0;
        for step in &self.steps {
            let stand = &mut self.stands[step.chooser as usize];
            if step.saves >= over {
                self.between = Some((step.chooser, *stand));
                if over > step.saves / 2 {
                    *stand = step.number;
                }
                return (Multiplier::new(step.rank), cost as f64 + over as f64 / step.rank);
            }
            *stand = step.number;
            over -= step.saves;
            cost += step.cost;
        }
        (Multiplier::default(), 0.0)
    }

    /// Takes options in the order of their costs until the loss is allowed. Returns the largest cost then.
    pub(super) fn widen_least(&mut self, slack: i64, least: Value) -> Value {
        self.sort();
        let (mut loss, mut cost) = (self.loss, least);
        for step in &self.steps {
            if loss <= slack {
                break;
            }
            self.stands[step.chooser as usize] = step.number;
            loss -= step.saves;
            cost = cost.max(step.cost);
        }
        cost
    }
}

impl Multiplier {
    fn new(slope: f64) -> Self {
        if !slope.is_normal() || slope < 0.0 {
            return Self::default();
        }
        let bits = slope.to_bits();
        let exponent = i32::try_from(bits >> 52).expect("11 bits") - 1075;
        Self { mantissa: bits & ((1 << 52) - 1) | 1 << 52, exponent }
    }

    pub(super) fn is_zero(self) -> bool {
        self.mantissa == 0
    }

    /// The price of a unit of cost in a table, in units of `2^shift` of these.
    pub(super) fn to_note(self, table: u32, shift: i32) -> Price {
        Price { table, mantissa: self.mantissa, exponent: self.exponent + shift }
    }

    pub(super) fn slope(self) -> f64 {
        self.mantissa as f64 * 2.0_f64.powi(self.exponent)
    }

    /// The worth of a cost, rounded down; large numbers are cut off.
    #[inline]
    pub(super) fn of(self, cost: Value) -> i64 {
        let product = u128::from(self.mantissa) * u128::from(cost.unsigned_abs());
        let worth = match self.exponent {
            0.. => product.saturating_mul(1 << self.exponent.min(100)),
            -127..0 => product >> -self.exponent,
            _ => 0,
        };
        worth.min(1 << 61) as i64
    }

    /// The worth of a room, rounded up; `None` if it is too large to be of use.
    pub(super) fn of_room(self, room: Value) -> Option<i64> {
        if self.is_zero() { Some(0) } else { Some(self.of(room) + 1).filter(|worth| *worth <= 1 << 61) }
    }

    /// The least cost of at least this worth.
    pub(super) fn cost_of(self, worth: i64) -> Value {
        let (mut too_little, mut enough) = (-1, 1 << 62);
        while enough - too_little > 1 {
            let middle = too_little + (enough - too_little) / 2;
            if self.of(middle) >= worth.min(1 << 61) {
                enough = middle;
            } else {
                too_little = middle;
            }
        }
        enough
    }
}

/// The loss saved per unit of cost between two options.
fn slope(from: KnapsackOption, to: KnapsackOption) -> f64 {
    (from.loss - to.loss) as f64 / (to.cost - from.cost) as f64
}

/// Keeps the first option and those that cost ever more and lose ever less; of these the lower convex hull alone.
fn keep_hull(hull: &mut Vec<KnapsackOption>, is_convex: bool) {
    hull[1..].sort_unstable_by_key(|choice| (choice.cost, choice.loss));
    let mut kept = 1;
    for next in 1..hull.len() {
        let choice = hull[next];
        if choice.loss >= hull[kept - 1].loss {
            continue;
        }
        while is_convex && kept > 1 && slope(hull[kept - 1], choice) >= slope(hull[kept - 2], hull[kept - 1]) {
            kept -= 1;
        }
        hull[kept] = choice;
        kept += 1;
    }
    hull.truncate(kept);
}
