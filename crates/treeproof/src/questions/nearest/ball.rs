//! Balls around a row: by the distance that a question is about, and by those that conditions bound.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_language::DistanceLimit;
use treeproof_search::{Budget, Distance, Norm as Together, Value};

use super::units::Units;
use crate::problem::{Domain, LinearConstraint, Metric, NearestCosts, NearestValues, NumberSet};

/// The inputs within a radius of a row, or all.
#[derive(Clone, Debug)]
pub(super) struct RowBall {
    pub(super) metric: Metric,
    pub(super) radius: Option<Exact>,
}

/// A ball as points of a search.
#[derive(Clone, Debug)]
pub(super) struct PointBall {
    metric: Metric,
    /// The largest cost, if there is one.
    most: Option<Exact>,
    /// Which of the costs of the cells are its own.
    measure: usize,
    /// The power of two that costs are counted in, where they are added up.
    pub(super) exponent: i64,
    /// How far away points are, rounded down.
    pub(super) distance: Distance,
    /// The largest distance of points within it; some others may have it too.
    pub(super) limit: Value,
    /// Points of at most this distance are within it, however costs were rounded.
    surely_within: Value,
}

impl RowBall {
    /// The ball of a condition.
    pub(super) fn bounded(metric: &Metric, bound: &DistanceLimit) -> Self {
        Self { metric: metric.measured(bound.norm), radius: Some(bound.limit.clone()) }
    }

    /// The largest cost, if there is one.
    pub(super) fn most(&self) -> Option<Exact> {
        let radius = self.radius.as_ref()?;
        // What is below 0 stays so.
        Some(if self.metric.rule().squares { radius.times(&radius.magnitude()) } else { radius.clone() })
    }

    /// True if it has an input, by plain code over the rows alone.
    pub(super) fn has(&self, ensemble: &Ensemble, from: &[f64], row: &[f64]) -> bool {
        self.most().is_none_or(|most| self.metric.is_within(ensemble, from, row, &most))
    }

    /// The values that a feature may be moved to within it, and perhaps a little further: the search decides.
    pub(super) fn feature_domains(
        &self,
        feature: usize,
        domain: &Domain,
        raw: f64,
        from: Reading,
        may_be_missing: bool,
    ) -> Domain {
        let reachable = self.metric.reachable(feature, domain, raw, from, may_be_missing);
        match &self.radius {
            Some(radius) if !self.metric.rule().counts_changes && self.metric.factors[feature] > 0.0 => {
                self.near(feature, reachable, raw, from, radius)
            }
            _ => reachable,
        }
    }

    /// The reachable values within a radius, and of numbers a little more.
    fn near(&self, feature: usize, domain: Domain, raw: f64, from: Reading, radius: &Exact) -> Domain {
        let Metric { factors, missing_cost, category_cost, .. } = &self.metric;
        let (factor, number_factor) = (factors[feature], self.metric.number_factor(feature));
        // Where a change has no cost, it is not reachable.
        let is_near = |cost: &Option<f64>| {
            let [cost, factor] = [cost.unwrap_or(0.0), factor].map(Exact::from_f64);
            cost.zip(factor).is_some_and(|(cost, factor)| cost.times(&factor) <= *radius)
        };
        let keep_numbers = |numbers: &NumberSet| match from {
            Reading::Missing if !is_near(missing_cost) => NumberSet::none(),
            Reading::Number(_) if raw.is_finite() && number_factor > 0.0 => {
                let reach = (radius.ceil_f64() / number_factor).next_up();
                numbers.within((raw - reach).next_down(), (raw + reach).next_up())
            }
            _ => numbers.clone(),
        };
        domain.filtered(keep_numbers, |to| match (from, to) {
            (Reading::Missing, Reading::Missing) => true,
            (Reading::Missing, _) | (_, Reading::Missing) => is_near(missing_cost),
            (from, to) => from == to || is_near(category_cost),
        })
    }
}

impl PointBall {
    /// The points up to a cost, by one of the measures that cells have costs in, and the unit of their distances;
    /// none if there are no points.
    pub(super) fn new(
        metric: &Metric,
        most: Option<&Exact>,
        nearby: &NearestValues,
        measure: usize,
    ) -> Option<(Self, Units)> {
        let costs = &nearby.costs[measure];
        let units = Units::new(metric, costs, most);
        let distance = units.distance(costs, most);
        let limit = most.map_or(Some(Value::MAX), |most| units.limit(most))?;
        let surely_within = limit.saturating_sub(units.slack(distance.costs.axes.len()));
        let (metric, most) = (metric.clone(), most.cloned());
        let exponent = units.exponent();
        Some((Self { metric, most, measure, exponent, distance, limit, surely_within }, units))
    }

    /// That points are within it, as far as whole numbers can say it.
    pub(super) fn budget(&self) -> Budget {
        let mut costs = self.distance.costs.clone();
        match self.distance.norm {
            Together::Sum => Budget { costs, limit: self.limit },
            Together::Max => {
                costs.axes.iter_mut().flatten().for_each(|cost| *cost = Value::from(*cost > self.limit));
                Budget { costs, limit: 0 }
            }
        }
    }

    /// True if the nearest input of a point is in it, however costs were rounded.
    pub(super) fn surely_has(&self, point: &[u32]) -> bool {
        self.distance.of(point) <= self.surely_within
    }

    /// True if it has an input.
    pub(super) fn has(&self, ensemble: &Ensemble, from: &[f64], row: &[f64]) -> bool {
        self.most.as_ref().is_none_or(|most| self.metric.is_within(ensemble, from, row, most))
    }

    /// The limits on values in the cells of a point that lie in it, where these are linear. A cell lies on one side of
    /// the row's own value.
    pub(super) fn limits(
        &self,
        ensemble: &Ensemble,
        from: &[f64],
        nearby: &NearestValues,
        point: &[u32],
    ) -> Vec<LinearConstraint> {
        let Self { metric, most: Some(most), .. } = self else { return vec![] };
        let exact = |number: f64| Exact::from_f64(number).expect("values and factors are finite");
        let (mut limits, mut terms) = (vec![], vec![]);
        let mut rest = most.clone();
        let valued = nearby.valued(point);
        let NearestCosts { axes, always } = &nearby.costs[self.measure];
        let costs = point.iter().enumerate().map(|(axis, cell)| (axis, &axes[axis][*cell as usize]));
        let others = costs.filter(|(axis, _)| valued.iter().all(|(of, ..)| of != axis)).map(|(_, cost)| cost);
        for cost in others.chain(always) {
            rest = rest.minus(cost);
        }
        for (axis, feature, nearest) in valued {
            let own = from[feature];
            // A number that is read as missing is none that others are measured from.
            let own_reading = ensemble.input().read(&ensemble.features()[feature], own);
            let is_number = own.is_finite() && matches!(own_reading, Ok(Reading::Number(_)));
            if !is_number || !nearest.is_finite() || nearest == own {
                rest = rest.minus(&axes[axis][point[axis] as usize]);
                continue;
            }
            let factor = exact(metric.number_factor(feature));
            let factor = if nearest > own { factor } else { factor.negated() };
            let offset = factor.times(&exact(own));
            let rule = metric.rule();
            match () {
                () if rule.takes_largest => {
                    limits.push(LinearConstraint::at_most(vec![(axis, factor)], most.plus(&offset)))
                }
                () if rule.squares || rule.counts_changes => {}
                () => {
                    rest = rest.plus(&offset);
                    terms.push((axis, factor));
                }
            }
        }
        if !terms.is_empty() {
            limits.push(LinearConstraint::at_most(terms, rest));
        }
        limits
    }
}
