//! Distances between inputs, in exact numbers.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::float::bisect;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Group, Groups};

use super::cost_rule::CostRule;
use super::domain::Domain;
use super::exact;
use super::number_set::NumberSet;

/// A distance between inputs: `‖factor · (x − x₀) / scale‖`. Only distances between numbers are scaled: the cost of going
/// missing, of another category or of another column of a group is a fixed price.
#[derive(Clone, Debug)]
pub struct Metric {
    /// The norm of the distances along features.
    pub norm: Norm,
    /// Factor of each feature's distance; finite and not negative.
    pub factors: Vec<f64>,
    /// Scale of each feature, by which distances between its numbers are divided: above 0, and 1 for the columns of groups.
    /// L0, which counts changes, has none.
    pub scales: Option<Vec<f64>>,
    /// The distance between a number or category and missing; by default 1 for L0, and else such changes are not
    /// admissible.
    pub missing_cost: Option<f64>,
    /// The distance between two categories; by default 1 for L0, and else such changes are not admissible.
    pub category_cost: Option<f64>,
    /// Groups of columns that count once. The factors of a group's columns must be equal.
    pub groups: Groups,
}

impl Metric {
    /// The distance in which all features and groups count alike.
    pub fn new(norm: Norm, ensemble: &Ensemble, groups: &Groups) -> Self {
        Self {
            norm,
            factors: vec![1.0; ensemble.features().len()],
            scales: None,
            missing_cost: None,
            category_cost: None,
            groups: groups.clone(),
        }
    }

    /// The rule of its norm for costs.
    pub(crate) fn rule(&self) -> CostRule {
        self.norm.into()
    }

    /// Factor on the distance between two numbers of a feature.
    pub(crate) fn number_factor(&self, feature: usize) -> f64 {
        let scales = self.scales.as_ref().filter(|_| !self.rule().counts_changes);
        scales.map_or(self.factors[feature], |scales| self.factors[feature] / scales[feature])
    }

    /// The distance between a number or category and missing, before the factor; `None` if such changes are not admissible.
    pub(crate) fn missing_price(&self) -> Option<f64> {
        if self.rule().counts_changes { Some(1.0) } else { self.missing_cost }
    }

    /// The distance between two categories, before the factor; `None` if such changes are not admissible.
    pub(crate) fn category_price(&self) -> Option<f64> {
        if self.rule().counts_changes { Some(1.0) } else { self.category_cost }
    }

    /// The metric with another norm.
    pub(crate) fn measured(&self, norm: Norm) -> Self {
        Self { norm, ..self.clone() }
    }

    /// The values that a feature may move to from a raw value with this reading. An infinite number has no finite distance
    /// to others.
    pub(crate) fn reachable(
        &self,
        feature: usize,
        domain: &Domain,
        raw: f64,
        from: Reading,
        may_be_missing: bool,
    ) -> Domain {
        let is_infinite = matches!(from, Reading::Number(_)) && raw.is_infinite();
        let is_stuck = is_infinite && !self.rule().counts_changes && self.number_factor(feature) > 0.0;
        let may_go_missing = may_be_missing && self.missing_price().is_some();
        let may_change = self.category_price().is_some();
        let keep_numbers = |numbers: &NumberSet| match from {
            Reading::Missing if !may_go_missing => NumberSet::none(),
            _ if is_stuck => numbers.within(raw, raw),
            _ => numbers.clone(),
        };
        domain.filtered(keep_numbers, |to| match (from, to) {
            (Reading::Missing, Reading::Missing) => true,
            (Reading::Missing, _) | (_, Reading::Missing) => may_go_missing,
            (from, to) => may_change || from == to,
        })
    }

    /// Cost of moving a feature from one raw value to another: for L2 the square of the distance.
    pub(crate) fn cost(&self, ensemble: &Ensemble, feature: usize, from: f64, to: f64) -> Exact {
        let read = |raw: f64| ensemble.input().read(&ensemble.features()[feature], raw);
        let is_same = |a: f64, b: f64| a == b || (a.is_nan() && b.is_nan());
        let factor = self.factors[feature];
        let (along, factor) = match (read(from), read(to)) {
            (a, b) if is_same(from, to) || (a == b && !matches!(a, Ok(Reading::Number(_)))) => (Exact::zero(), factor),
            _ if factor == 0.0 => (Exact::zero(), factor),
            _ if self.rule().counts_changes => (Exact::one(), factor),
            (Ok(Reading::Missing), _) | (_, Ok(Reading::Missing)) => (exact(self.missing_cost.unwrap_or(0.0)), factor),
            (Ok(Reading::Number(_)), Ok(Reading::Number(_))) => match self.number_factor(feature) {
                0.0 => (Exact::zero(), factor),
                factor => (exact(to).minus(&exact(from)).magnitude(), factor),
            },
            _ => (exact(self.category_cost.unwrap_or(0.0)), factor),
        };
        self.rule().cost(along.times(&exact(factor)))
    }

    /// Cost of moving a whole row: plain code over the rows alone, the reference for the search.
    pub(crate) fn between(&self, ensemble: &Ensemble, from: &[f64], to: &[f64]) -> Exact {
        let along = |feature: usize| self.cost(ensemble, feature, from[feature], to[feature]);
        // In a group, the column that becomes 1 costs as much as the one that becomes 0.
        let of_group = |group: &Group| group.columns.iter().map(|column| along(*column)).max();
        let alone = (0..from.len()).filter(|feature| self.groups.of(*feature).is_none());
        self.rule().together(alone.map(along).chain(self.groups.iter().filter_map(of_group)))
    }

    /// True if an input costs at most `most`, by plain code over the rows alone. A change without a cost is too far away.
    pub(crate) fn is_within(&self, ensemble: &Ensemble, from: &[f64], to: &[f64], most: &Exact) -> bool {
        let has_cost = |feature: usize| {
            let read = |raw: f64| ensemble.input().read(&ensemble.features()[feature], raw);
            let (from, to) = (from[feature], to[feature]);
            match (read(from), read(to)) {
                _ if self.rule().counts_changes => true,
                (Ok(Reading::Number(_)), Ok(Reading::Number(_))) => {
                    from == to || self.number_factor(feature) == 0.0 || (from.is_finite() && to.is_finite())
                }
                (Ok(one), Ok(other)) if one == other => true,
                (Ok(Reading::Missing), _) | (_, Ok(Reading::Missing)) => self.missing_cost.is_some(),
                _ => self.category_cost.is_some(),
            }
        };
        (0..from.len()).all(has_cost) && self.between(ensemble, from, to) <= *most
    }

    /// The cost of a distance.
    pub(crate) fn of_distance(&self, distance: f64) -> Option<Exact> {
        Some(self.rule().cost(Exact::from_f64(distance)?))
    }

    /// The distance of a cost, rounded down and rounded up.
    pub(crate) fn distance(&self, cost: &Exact) -> [f64; 2] {
        if !self.rule().squares {
            return [cost.floor_f64(), cost.ceil_f64()];
        }
        let square = |root: f64| Exact::from_f64(root).map(|root| root.times(&root));
        let is_below = |root: f64| square(root).is_some_and(|square| square <= *cost);
        let (root, _) = bisect(0.0, f64::INFINITY, is_below);
        [root, if square(root).as_ref() == Some(cost) { root } else { root.next_up() }]
    }
}
