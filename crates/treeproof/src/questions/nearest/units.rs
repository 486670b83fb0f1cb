//! Costs as whole numbers for the search.

use treeproof_ensemble::exact::Exact;
use treeproof_search::MAX_MAGNITUDE;
use treeproof_search::{Costs, Distance, Norm as Together, Value};

use crate::problem::{Metric, NearestCosts};

/// How costs become values. What a value stands for is never more than the cost.
pub(super) enum Units {
    /// The largest cost counts, and only its place among all: exact.
    Places(Vec<Exact>),
    /// Costs are added up as multiples of `2^exponent`, rounded down, beside what every point costs.
    Multiples { exponent: i64, always: Exact },
}

impl Units {
    /// The costs of all cells. Those above `most` need not be told apart.
    pub(super) fn new(metric: &Metric, costs: &NearestCosts, most: Option<&Exact>) -> Self {
        if metric.rule().takes_largest {
            return Self::Places(places(metric, costs));
        }
        let fixed = metric.rule().together(costs.always.iter().cloned());
        let of_axis = |costs: &Vec<Exact>| {
            let largest = costs.iter().max().expect("an axis has cells");
            most.map_or(largest, |most| largest.min(most)).clone()
        };
        let sum = costs.axes.iter().map(of_axis).fold(Exact::zero(), |sum, cost| sum.plus(&cost));
        let bits = i64::from(MAX_MAGNITUDE.ilog2()) - 2;
        Self::Multiples { exponent: sum.power_above().map_or(0, |power| power - bits), always: fixed }
    }

    /// The distance that the search minimises. A cell that costs more than `most` by itself is beyond the limit of that.
    pub(super) fn distance(&self, costs: &NearestCosts, most: Option<&Exact>) -> Distance {
        let beyond = most.and_then(|most| self.limit(most)).map_or(0, |limit| limit + 1);
        let value = |cost: &Exact| match most {
            Some(most) if cost > most => beyond,
            _ => self.round_down(cost),
        };
        let axes = costs.axes.iter().map(|costs| costs.iter().map(value).collect()).collect();
        let norm = if matches!(self, Self::Places(_)) { Together::Max } else { Together::Sum };
        Distance { costs: Costs { axes }, norm }
    }

    /// The value of one cell's cost.
    fn round_down(&self, cost: &Exact) -> Value {
        match self {
            Self::Places(places) => place(places, cost).max(0),
            Self::Multiples { exponent, .. } => {
                let multiples = cost.times(&Exact::power_of_two(-exponent));
                multiples.floor().ceil_i64().expect("the unit was chosen so")
            }
        }
    }

    /// The largest value that a point within a cost can have; none if there is no such point.
    pub(super) fn limit(&self, cost: &Exact) -> Option<Value> {
        let limit = match self {
            Self::Places(places) => place(places, cost),
            Self::Multiples { exponent, always } => {
                let left = cost.minus(always).times(&Exact::power_of_two(-exponent)).floor();
                if left < Exact::zero() { -1 } else { left.ceil_i64().unwrap_or(MAX_MAGNITUDE).min(MAX_MAGNITUDE) }
            }
        };
        (limit >= 0).then_some(limit)
    }

    /// The largest error of a point's value, which is never too large.
    pub(super) fn slack(&self, num_axes: usize) -> Value {
        match self {
            Self::Places(_) => 0,
            Self::Multiples { .. } => Value::try_from(num_axes).expect("models are bounded by memory far below this"),
        }
    }

    /// The power of two that is the unit, where costs are added up; else 0.
    pub(super) fn exponent(&self) -> i64 {
        match self {
            Self::Places(_) => 0,
            Self::Multiples { exponent, .. } => *exponent,
        }
    }

    /// The cost that a value stands for: a lower bound for points of this value.
    pub(super) fn cost(&self, value: Value) -> Exact {
        match self {
            Self::Places(places) => {
                let place = usize::try_from(value).unwrap_or(0).min(places.len() - 1);
                places[place].clone()
            }
            Self::Multiples { exponent, always } => {
                Exact::from_i64(value).times(&Exact::power_of_two(*exponent)).plus(always)
            }
        }
    }
}

/// All possible costs of inputs that are nearest in their cells, in order, where the largest cost of an axis counts.
pub(super) fn places(metric: &Metric, costs: &NearestCosts) -> Vec<Exact> {
    let fixed = metric.rule().together(costs.always.iter().cloned());
    let mut places: Vec<Exact> = costs.axes.iter().flatten().map(|cost| cost.max(&fixed).clone()).collect();
    places.push(fixed);
    places.sort_unstable();
    places.dedup();
    places
}

/// The place of the last that is not above a cost.
fn place(places: &[Exact], cost: &Exact) -> Value {
    let place = places.partition_point(|place| place <= cost);
    Value::try_from(place).expect("models are bounded by memory far below this") - 1
}
