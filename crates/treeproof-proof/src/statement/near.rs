//! How far an input is from the reference, or the second input from the first: `‖factor · (x − x₀)‖` in exact reals.

//!
//! Numbers are as far apart as they are; what is missing, and another category, are so far as the statement says, or cannot
//! change. No number is at a finite distance from an infinite one, unless nothing along the feature counts. The columns of a
//! group count once: another one being 1 is a distance of 1. Costs are distances; for L2 they are squares, so that all is exact.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::error::{Refused, must};
use crate::problem::apart::{Apart, apart};
use crate::space::Space;
use crate::space::grid::Grid;
use crate::space::held::Held;
use crate::space::numbers::{Numbers, Range};
use crate::statement::Number;
use crate::witness::holds::Input;

/// A distance, and how large it may be.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Near {
    /// How distances along features make one.
    pub norm: Norm,
    /// Per feature what its distance is multiplied by: finite, not negative, and the same for all columns of a group.
    pub factors: Vec<Number>,
    /// Per feature what the distance between two numbers is multiplied by instead; as above, and not for L0. None if the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub number_factors: Option<Vec<Number>>,
    /// The distance between a value and missing, per feature; none where neither can become the other. For L0 any distance is 1.
    pub missing_costs: Vec<Option<Number>>,
    /// The distance between two categories; none where they cannot change. For L0 any distance is 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_cost: Option<Number>,
    /// The largest distance that is asked about; none if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub radius: Option<Number>,
}

/// A distance that is not asked about, but bounded.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Within {
    /// The distance, which has no radius of its own.
    pub distance: Near,
    /// The largest that it may be.
    #[serde(with = "crate::file::number")]
    pub at_most: Exact,
}

impl Within {
    /// The largest cost; below 0 there is nothing.
    pub fn limit(&self) -> Exact {
        let most = &self.at_most;
        if self.distance.norm == Norm::L2 { most.times(&most.magnitude()) } else { most.clone() }
    }
}

/// How distances along features make one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// The largest.
    Linf,
    /// The root of the sum of squares.
    L2,
    /// The sum.
    L1,
    /// The sum of the factors of the features that change.
    L0,
}

impl Norm {
    /// What it is called.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linf => "linf",
            Self::L2 => "l2",
            Self::L1 => "l1",
            Self::L0 => "l0",
        }
    }
}

/// What cells cost, of one input against the reference.
#[derive(Clone, Debug)]
pub struct Costs {
    /// Per axis and cell the least that any of its values costs; none if none can be reached.
    pub cells: Vec<Vec<Option<Exact>>>,
    /// The least that each feature, or group, without an axis costs; none if none of its values can be reached.
    pub free: Vec<Option<Exact>>,
}

impl Near {
    /// Looks at the numbers of a distance between inputs of a space.
    pub(crate) fn check(&self, space: &Space<'_>) -> Result<(), Refused> {
        let num_features = space.statement.features.len();
        must(self.factors.len() == num_features && self.missing_costs.len() == num_features, || {
            format!("a distance needs factors and costs for {num_features} features")
        })?;
        let costs = self.missing_costs.iter().flatten().chain(&self.category_cost).chain(&self.radius);
        let is_sound = |number: &Number| number.0.is_finite() && number.0 >= 0.0;
        let factors = self.factors.iter().chain(self.number_factors.iter().flatten());
        must(factors.chain(costs).all(is_sound), || "a distance has a number that is none".to_owned())?;
        must(
            self.number_factors.as_ref().is_none_or(|own| own.len() == num_features && self.norm != Norm::L0),
            || format!("a distance needs factors of numbers for {num_features} features, and for l0 none"),
        )?;
        for columns in &space.statement.groups {
            let factor = |column: &u32| (self.factors[*column as usize], self.number_factor(*column as usize));
            must(columns.iter().all(|column| factor(column) == factor(&columns[0])), || {
                "the columns of a group have different factors".to_owned()
            })?;
            let bits = |column: &u32| space.reference(*column as usize).map(|held| held.ends());
            let bits: Option<Vec<_>> = columns.iter().map(bits).collect();
            let is_bit = |bit: &Option<Range>| matches!(bit, Some((0.0, 0.0) | (1.0, 1.0)));
            let num_ones = |bits: &[Option<Range>]| bits.iter().filter(|bit| **bit == Some((1.0, 1.0))).count();
            must(bits.is_none_or(|bits| bits.iter().all(is_bit) && num_ones(&bits) == 1), || {
                "of a group exactly one column of the reference must be 1, and the others 0".to_owned()
            })?;
        }
        Ok(())
    }

    /// Factor on the distance between two numbers of a feature.
    pub(crate) fn number_factor(&self, feature: usize) -> Number {
        self.number_factors.as_ref().unwrap_or(&self.factors)[feature]
    }

    /// The cost of a distance; none if it is not finite.
    pub fn cost(&self, distance: f64) -> Option<Exact> {
        let exact = Exact::from_f64(distance)?;
        Some(if self.norm == Norm::L2 { exact.times(&exact) } else { exact })
    }

    /// The largest cost that is asked about.
    pub fn limit(&self) -> Option<Exact> {
        self.cost(self.radius?.0)
    }

    /// The costs of all features together.
    pub fn together(&self, costs: impl IntoIterator<Item = Exact>) -> Exact {
        let costs = costs.into_iter();
        match self.norm {
            Norm::Linf => costs.max().filter(|most| *most > Exact::zero()).unwrap_or_else(Exact::zero),
            _ => costs.fold(Exact::zero(), |sum, cost| sum.plus(&cost)),
        }
    }

    /// What the second of two inputs, or an input seen from the reference, costs; none if one cannot become the other.
    pub fn between(&self, space: &Space<'_>, before: &Input, after: &Input) -> Option<Exact> {
        let held = |input: &Input, feature: usize| Held::one(input.raws[feature], input.readings[feature]);
        let along = |feature: usize| self.least(feature, &held(before, feature), &held(after, feature), None);
        let features = 0..space.statement.features.len();
        let mut costs = vec![];
        for feature in features.filter(|feature| space.group_of(*feature).is_none()) {
            costs.push(along(feature)?);
        }
        for columns in &space.statement.groups {
            let of_columns: Option<Vec<Exact>> = columns.iter().map(|column| along(*column as usize)).collect();
            costs.extend(of_columns?.into_iter().max());
        }
        Some(self.together(costs))
    }

    /// What cells cost, seen from the reference.
    ///
    /// # Errors
    /// If there is no reference.
    pub fn costs(&self, grid: &Grid<'_>) -> Result<Costs, Refused> {
        let space = grid.space;
        must(space.statement.reference.is_some(), || "there is no row to be near to".to_owned())?;
        let mut costs = Costs { cells: vec![vec![]; grid.everything().num_axes()], free: vec![] };
        for feature in 0..space.statement.features.len() {
            let Some(own) = space.reference(feature) else { continue };
            let group = space.group_of(feature).map(|group| &space.statement.groups[group]);
            if group.is_some_and(|columns| columns[0] as usize != feature) {
                continue;
            }
            match (grid.axis_of(0, feature), group) {
                (Some(axis), Some(columns)) => {
                    let is_own = |column: &u32| {
                        space.reference(*column as usize).is_some_and(|held| held.ends() == Some((1.0, 1.0)))
                    };
                    let own = columns.iter().find(|column| is_own(column)).map(|column| *column as usize);
                    let cost = |cell: u32| self.of_columns(feature, own.as_slice(), grid.columns(axis, cell)?);
                    costs.cells[axis] = (0..grid.num_cells(axis)).map(cost).collect();
                }
                (Some(axis), None) => {
                    let numbers = grid.values(axis).map(|values| values.numbers.everywhere());
                    let cost = |cell: u32| self.least(feature, own, grid.held(axis, cell, feature), numbers.as_ref());
                    costs.cells[axis] = (0..grid.num_cells(axis)).map(cost).collect();
                }
                // Any column may be 1.
                (None, Some(_)) => costs.free.push(Some(Exact::zero())),
                (None, None) => {
                    let numbers = space.values(&[0], feature).numbers.everywhere();
                    costs.free.push(self.least(feature, own, grid.free(0, feature), Some(&numbers)));
                }
            }
        }
        Ok(costs)
    }

    /// The least that two inputs cost along a feature, or a group given by its first column, of which each has an axis, in a cell
    /// of the first input's and one of the second's; none if no values of these go together.
    pub fn of_pair(&self, grid: &Grid<'_>, feature: usize, axes: [usize; 2], cells: [u32; 2]) -> Option<Exact> {
        let [first, second] = [0, 1].map(|input| (axes[input], cells[input]));
        match (grid.columns(first.0, first.1), grid.columns(second.0, second.1)) {
            (Some(before), Some(after)) => self.of_columns(feature, before, after),
            _ => {
                let held = |(axis, cell): (usize, u32)| grid.held(axis, cell, feature);
                self.least(feature, held(first), held(second), None)
            }
        }
    }

    /// What it costs that one of some columns is 1, where one of some others was.
    fn of_columns(&self, feature: usize, before: &[usize], after: &[usize]) -> Option<Exact> {
        let is_there = !before.is_empty() && !after.is_empty();
        let along = if before.iter().any(|column| after.contains(column)) { Exact::zero() } else { Exact::one() };
        self.scaled(self.factors[feature], &along).filter(|_| is_there)
    }

    /// The least that it costs to go from some values of a feature to some others, which are multiples of steps as these numbers.
    pub(crate) fn least(&self, feature: usize, before: &Held, after: &Held, steps: Option<&Numbers>) -> Option<Exact> {
        let has_category = |held: &Held| !held.codes.is_empty() || held.unknown;
        let has_value = |held: &Held| has_category(held) || held.ends().is_some();
        let is_shared = before.codes.iter().any(|code| after.codes.binary_search(code).is_ok());
        let stays_missing = before.may_be_missing() && after.may_be_missing();
        if is_shared || stays_missing || (before.unknown && after.unknown) {
            return Some(Exact::zero());
        }
        let comes_or_goes =
            (before.may_be_missing() && has_value(after)) || (has_value(before) && after.may_be_missing());
        let missing = self.missing_costs[feature].filter(|_| comes_or_goes).and_then(|cost| self.counted(cost.0));
        let changes = has_category(before) && has_category(after);
        let category = self.category_cost.filter(|_| changes).and_then(|cost| self.counted(cost.0));
        let numbers = apart(before, after, steps).and_then(|apart| match apart {
            Apart::Finite(distance) if distance == Exact::zero() => Some(distance),
            _ if self.norm == Norm::L0 => Some(Exact::one()),
            Apart::Finite(distance) => Some(distance),
            Apart::Infinite => (self.number_factor(feature).0 == 0.0).then(Exact::zero),
        });
        let other = [missing, category].into_iter().flatten().min();
        let other = other.and_then(|along| self.scaled(self.factors[feature], &along));
        let numbers = numbers.and_then(|along| self.scaled(self.number_factor(feature), &along));
        [other, numbers].into_iter().flatten().min()
    }

    /// A distance that the statement gives: where changes are counted, each is 1.
    fn counted(&self, distance: f64) -> Option<Exact> {
        if self.norm == Norm::L0 { Some(Exact::one()) } else { Exact::from_f64(distance) }
    }

    fn scaled(&self, factor: Number, along: &Exact) -> Option<Exact> {
        let cost = along.times(&Exact::from_f64(factor.0)?);
        Some(if self.norm == Norm::L2 { cost.times(&cost) } else { cost })
    }
}
