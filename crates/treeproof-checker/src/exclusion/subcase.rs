//! Subcases of a refutation: a box with demanded conditions and assumptions, and the consequences of both.
//!
//! The first subcase demands all conditions of the statement. Others demand an alternative as well, or assume a side of a
//! threshold or the order of two numbers.

use std::cmp::Ordering;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::Tie;
use treeproof_proof::statement::condition::{Condition, Direction, Relation, Variable};

use crate::exclusion::distance_limit::DistanceLimit;
use crate::exclusion::propagate::{Assumptions, Propagation};
use crate::linear::{Ends, LinearForm};
use crate::numbers::{Numbers, Range, is_multiple, past_multiple};
use crate::region::Region;
use crate::space::cell_values::CellValues;
use crate::space::grid::Grid;

/// Limit on the rounds of propagation.
const MOST_ROUNDS: usize = 16;

/// Limit on the multiples that are passed over for a number that is none.
const MOST_PASSED: usize = 64;

/// A subcase.
#[derive(Clone, Debug)]
pub struct Subcase<'a> {
    /// The grid.
    pub grid: &'a Grid<'a>,
    /// The limits on distances.
    pub limits: &'a [DistanceLimit<'a>],
    /// The box.
    pub region: &'a Region,
    /// The demanded conditions, none of which is a conjunction.
    demands: Vec<&'a Condition>,
    assumed: Assumptions,
}

/// A linear constraint on finite numbers.
#[derive(Clone, Debug)]
pub struct Row {
    /// Coefficients and features.
    pub terms: Vec<(Exact, Variable)>,
    /// The comparison.
    pub relation: Relation,
    /// The constant.
    pub constant: Exact,
}

impl<'a> Subcase<'a> {
    /// The first subcase of a box.
    pub fn new(grid: &'a Grid<'a>, limits: &'a [DistanceLimit<'a>], region: &'a Region) -> Self {
        let mut subcase = Self { grid, limits, region, demands: vec![], assumed: Assumptions::default() };
        grid.space.statement.conditions.iter().for_each(|condition| subcase.demand(condition));
        subcase
    }

    fn demand(&mut self, condition: &'a Condition) {
        match condition {
            Condition::All(parts) => parts.iter().for_each(|part| self.demand(part)),
            condition => self.demands.push(condition),
        }
    }

    /// The demanded conditions, in order.
    pub fn demands(&self) -> &[&'a Condition] {
        &self.demands
    }

    /// A subcase for each alternative of the disjunction at a place; `None` if there is no disjunction.
    pub fn either(&self, place: usize) -> Option<Vec<Self>> {
        let Condition::Any(parts) = self.demands.get(place)? else { return None };
        let case = |part: &'a Condition| {
            let mut case = self.clone();
            case.demand(part);
            case
        };
        Some(parts.iter().map(case).collect())
    }

    /// The subcases of a feature up to a threshold, and of all its other values; `None` if it has several cells, or is a column
    /// of a group.
    pub fn parted(&self, variable: Variable, number: f64) -> Option<[Self; 2]> {
        let held = self.cell_values(variable).filter(|_| !number.is_nan())?;
        let of = self.grid.variable(variable.input as usize, variable.feature as usize);
        let case = |held: CellValues| {
            let mut case = self.clone();
            case.assumed.values.insert(of, held);
            case
        };
        Some(held.parted(number).map(case))
    }

    /// The subcases of a feature of the second input below, equal to, and above the first; `None` unless it is a number in
    /// both.
    pub fn ordered(&self, feature: u32) -> Option<[Self; 3]> {
        let [before, after] = self.pair(feature)?;
        let is_number = |held: &CellValues| !held.may_be_missing() && held.codes.is_empty() && !held.unknown;
        if !self.all(before, is_number) || !self.all(after, is_number) {
            return None;
        }
        let case = |order: Ordering| {
            let mut case = self.clone();
            // If another order is assumed already, no value is left.
            if case.assumed.orders.insert(feature, order).is_some_and(|known| known != order) {
                case.assumed.values.insert(before, CellValues::default());
            }
            case
        };
        Some([Ordering::Less, Ordering::Equal, Ordering::Greater].map(case))
    }

    /// True if the order of a feature of two inputs is assumed.
    pub fn is_ordered(&self, feature: u32) -> bool {
        self.assumed.orders.contains_key(&feature)
    }

    /// False if propagation of a condition alone leaves no cell.
    pub fn may_meet(&self, condition: &Condition) -> bool {
        let mut narrowed = Propagation::new(self.grid, self.region, &self.assumed);
        narrowed.apply(condition);
        !narrowed.is_empty
    }

    /// True if propagation of the demanded conditions leaves no cell, or no multiple.
    pub fn is_void(&self) -> bool {
        let statement = self.grid.space.statement;
        let mut narrowed = Propagation::new(self.grid, self.region, &self.assumed);
        for _ in 0..MOST_ROUNDS {
            let before = narrowed.removed();
            self.demands.iter().for_each(|demand| narrowed.apply(demand));
            let ties = statement.ties.iter().enumerate().filter(|(_, tie)| **tie == Tie::NotBelow);
            for (feature, _) in ties {
                if !narrowed.is_empty {
                    narrowed.keep_in_order(feature);
                }
            }
            if narrowed.is_empty {
                return true;
            }
            if narrowed.removed() == before {
                break;
            }
        }
        let has_none = |demand: &&Condition| match demand {
            Condition::Multiple { variable, negated: false, .. } => {
                self.cell_values(*variable).is_some_and(|held| self.members(*variable, held).is_none())
            }
            _ => false,
        };
        self.demands.iter().any(has_none)
    }

    /// True if all inputs are too far away.
    pub fn is_too_far(&self) -> bool {
        self.limits.iter().any(|limit| limit.excludes(self.grid, self.region))
    }

    /// The linear constraints: of demanded conditions, in order; of ties; of assumed orders.
    pub fn rows(&self) -> Vec<Row> {
        let statement = self.grid.space.statement;
        let mut rows = vec![];
        for demand in &self.demands {
            match demand {
                Condition::Linear { terms, relation, constant } => rows.push(Row {
                    terms: terms.iter().map(|term| (term.coefficient.clone(), term.variable)).collect(),
                    relation: *relation,
                    constant: constant.clone(),
                }),
                Condition::Same { feature, negated: false } => {
                    rows.extend(self.in_order(*feature, Ordering::Equal, false))
                }
                Condition::Moved { feature, direction } => {
                    let (order, is_strict) = match direction {
                        Direction::AtLeast => (Ordering::Greater, false),
                        Direction::Above => (Ordering::Greater, true),
                        Direction::AtMost => (Ordering::Less, false),
                        Direction::Below => (Ordering::Less, true),
                    };
                    rows.extend(self.in_order(*feature, order, is_strict));
                }
                _ => {}
            }
        }
        let ties = (0..).zip(&statement.ties).filter(|(_, tie)| **tie == Tie::NotBelow);
        rows.extend(ties.filter_map(|(feature, _)| self.in_order(feature, Ordering::Greater, false)));
        rows.extend(self.assumed.orders.iter().filter_map(|(feature, order)| self.in_order(*feature, *order, true)));
        rows
    }

    /// The constraint of an order between both inputs; `None` unless both are finite.
    fn in_order(&self, feature: u32, order: Ordering, is_strict: bool) -> Option<Row> {
        let [before, after] = self.pair(feature)?;
        if !self.is_finite(before) || !self.is_finite(after) {
            return None;
        }
        let [less, more] = if order == Ordering::Greater { [before, after] } else { [after, before] };
        let relation = match order {
            Ordering::Equal => Relation::Equal,
            _ if is_strict => Relation::Below,
            _ => Relation::AtMost,
        };
        let terms = vec![(Exact::one(), less), (Exact::one().negated(), more)];
        Some(Row { terms, relation, constant: Exact::zero() })
    }

    /// A feature at both inputs, unless they share it.
    fn pair(&self, feature: u32) -> Option<[Variable; 2]> {
        let is_there = (feature as usize) < self.grid.space.statement.features.len();
        if self.grid.space.statement.inputs.len() != 2 || !is_there {
            return None;
        }
        let pair = [0, 1].map(|input| self.grid.variable(input, feature as usize));
        (pair[0] != pair[1]).then_some(pair)
    }

    /// True if a feature is a finite number in all inputs of the case, as a demanded sum of it implies.
    pub fn is_finite(&self, variable: Variable) -> bool {
        let own = |of: Variable| self.grid.variable(of.input as usize, of.feature as usize);
        let is_summed = |demand: &&Condition| match demand {
            Condition::Linear { terms, .. } => terms.iter().any(|term| own(term.variable) == own(variable)),
            _ => false,
        };
        let is_finite = |held: &CellValues| {
            let are_finite = held.ends().is_some_and(|(low, high)| low.is_finite() && high.is_finite());
            are_finite && !held.may_be_missing() && held.codes.is_empty() && !held.unknown
        };
        self.demands.iter().any(is_summed) || self.all(variable, is_finite)
    }

    /// True if a predicate holds for all values of a feature.
    fn all(&self, variable: Variable, is_so: impl Fn(&CellValues) -> bool) -> bool {
        let (input, feature) = (variable.input as usize, variable.feature as usize);
        match (self.cell_values(variable), self.grid.axis_of(input, feature)) {
            (Some(held), _) => is_so(held),
            (None, Some(axis)) => {
                self.region.axis(axis).cells().all(|cell| is_so(self.grid.cell_values(axis, cell, feature)))
            }
            (None, None) => false,
        }
    }

    /// The values of a feature, if they are assumed, or it has one cell, or no axis.
    fn cell_values(&self, variable: Variable) -> Option<&CellValues> {
        let (input, feature) = (variable.input as usize, variable.feature as usize);
        let own = self.grid.variable(input, feature);
        match (self.assumed.values.get(&own), self.grid.axis_of(input, feature)) {
            (Some(held), _) => Some(held),
            (None, None) => Some(self.grid.free(input, feature)),
            (None, Some(axis)) => {
                let mut cells = self.region.axis(axis).cells();
                let only = cells.next().filter(|_| cells.next().is_none() && !self.grid.is_group(axis))?;
                Some(self.grid.cell_values(axis, only, feature))
            }
        }
    }

    /// The least and the greatest finite number of a feature among the demanded multiples and non-multiples.
    fn members(&self, variable: Variable, held: &CellValues) -> Option<Range> {
        let own = |of: Variable| self.grid.variable(of.input as usize, of.feature as usize);
        let (mut steps, mut others) = (vec![], vec![]);
        for demand in &self.demands {
            match demand {
                Condition::Multiple { variable: of, step, negated } if own(*of) == own(variable) => {
                    if *negated {
                        others.push(step)
                    } else {
                        steps.push(step.clone())
                    }
                }
                _ => {}
            }
        }
        let multiples = self.grid.multiples(variable).common(&Numbers::new([(-f64::MAX, f64::MAX)], steps));
        let other = |number: f64| others.iter().find(|step| is_multiple(number, step));
        let mut ends: Option<Range> = None;
        for range in held.present() {
            for (mut first, mut last) in multiples.within(range) {
                for _ in 0..MOST_PASSED {
                    if let Some(step) = other(first).filter(|_| first < f64::INFINITY) {
                        first = multiples.at_or_above(past_multiple(first, step)).unwrap_or(f64::INFINITY);
                    }
                    if let Some(step) = other(last).filter(|_| last > f64::NEG_INFINITY) {
                        last = multiples.at_or_below(-past_multiple(-last, step)).unwrap_or(f64::NEG_INFINITY);
                    }
                }
                if first <= last {
                    ends = Some(ends.map_or((first, last), |ends| (ends.0.min(first), ends.1.max(last))));
                }
            }
        }
        ends
    }

    /// The members next to a number: at most it, and at least it.
    pub fn next_to(&self, variable: Variable, number: &Exact) -> Option<[Option<f64>; 2]> {
        let held = self.cell_values(variable)?;
        let [_, above] = held.parted(number.ceil_f64().next_down());
        let [below, _] = held.parted(number.floor_f64());
        Some([
            self.members(variable, &below).map(|(_, last)| last),
            self.members(variable, &above).map(|(first, _)| first),
        ])
    }

    /// Bounds on a linear form; `None` if some feature has no finite number.
    pub fn ends(&self, terms: &[(Exact, Variable)]) -> Option<Ends> {
        let sum =
            LinearForm::new(self.grid, terms.iter().map(|(coefficient, variable)| (coefficient.clone(), variable)));
        sum.ends(|axis| self.region.axis(axis), |variable| Some(self.members(variable, self.cell_values(variable)?)))
    }
}
