//! Whether points reach the goal, as the library computes it.

use std::sync::{Arc, Mutex};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_search::{Constraint, Distance, Points, Problem, Value};

use super::goal::{Aim, is_order_fixed};
use super::metric::{Metric, Norm};
use super::refuted::Refuted;
use crate::compile::{Limit, Nearby, Placed};

/// The margins of a question, in values of the search.
#[derive(Clone)]
pub(super) struct Plain {
    pub(super) problem: Arc<Problem>,
    /// From this value on the goal is reached, however the library rounds.
    pub(super) sure: Value,
}

/// The condition that the nearest input of a point reaches the goal, as the library computes it.
pub(super) struct Reached {
    pub(super) ensemble: Arc<Ensemble>,
    pub(super) metric: Metric,
    pub(super) from: Vec<f64>,
    pub(super) nearby: Arc<Nearby>,
    pub(super) aim: Arc<Aim>,
    /// Nothing may cost more.
    pub(super) most: Option<Exact>,
    pub(super) plain: Plain,
    /// Points of at most this distance cost no more, however costs were rounded.
    pub(super) surely_within: Value,
    pub(super) distance: Distance,
    pub(super) refuted: Refuted,
    /// What the cheapest input costs of which nothing is known, as the library adds in no fixed order, or as it was not found
    /// out whether it meets the conditions.
    pub(super) unsure: Mutex<Option<Exact>>,
}

impl std::fmt::Debug for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reached").finish_non_exhaustive()
    }
}

impl Reached {
    /// An input in the cells of a point that meets all conditions and costs no more than it may.
    pub(super) fn place(&self, point: &[u32]) -> Placed {
        let limits = self.most.as_ref().map_or(vec![], |most| self.limits(point, most));
        self.nearby.place(point, &limits)
    }

    /// What values in the cells of a point must meet in order not to cost more than this, where that is linear. A cell lies on
    /// one side of the row's own value.
    fn limits(&self, point: &[u32], most: &Exact) -> Vec<Limit> {
        let exact = |number: f64| Exact::from_f64(number).expect("values and factors are finite");
        let (mut limits, mut terms) = (vec![], vec![]);
        let mut rest = most.clone();
        let valued = self.nearby.valued(point);
        let costs = point.iter().enumerate().map(|(axis, cell)| (axis, &self.nearby.costs[axis][*cell as usize]));
        let others = costs.filter(|(axis, _)| valued.iter().all(|(of, ..)| of != axis)).map(|(_, cost)| cost);
        for cost in others.chain(&self.nearby.fixed_costs) {
            rest = rest.minus(cost);
        }
        for (axis, feature, nearest) in valued {
            let own = self.from[feature];
            let is_number = own.is_finite() && nearest.is_finite() && !self.ensemble.features()[feature].is_category();
            if !is_number || nearest == own {
                rest = rest.minus(&self.nearby.costs[axis][point[axis] as usize]);
                continue;
            }
            let factor = exact(self.metric.factors[feature]);
            let factor = if nearest > own { factor } else { factor.negated() };
            let offset = factor.times(&exact(own));
            match self.metric.norm {
                Norm::Linf => limits.push(Limit { terms: vec![(axis, factor)], most: most.plus(&offset) }),
                Norm::L1 => {
                    rest = rest.plus(&offset);
                    terms.push((axis, factor));
                }
                Norm::L0 | Norm::L2 => {}
            }
        }
        if !terms.is_empty() {
            limits.push(Limit { terms, most: rest });
        }
        limits
    }

    /// Takes in that nothing is known of an input that costs so much.
    fn doubt(&self, cost: Exact) {
        let mut unsure = self.unsure.lock().expect("no thread panics while it holds this");
        if unsure.as_ref().is_none_or(|known| cost < *known) {
            *unsure = Some(cost);
        }
    }
}

impl Constraint for Reached {
    fn narrow(&self, points: &mut Points<'_>) {
        if let Some(joint) = self.nearby.joint() {
            joint.narrow(points);
        }
        self.refuted.narrow(points);
    }

    fn parting(&self, points: &Points<'_>, point: &[u32]) -> Option<(usize, u32)> {
        self.refuted.parting(points, point)
    }

    fn is_about_solutions(&self) -> bool {
        true
    }

    fn holds(&self, point: &[u32]) -> bool {
        let Problem { axes, cases, .. } = &*self.plain.problem;
        let values: Vec<Value> = cases.iter().map(|case| case.value(axes, point)).collect();
        let value = values.iter().copied().max().expect("a problem has cases");
        // Below 0 the search itself knows that the goal is not reached: nothing more need be said about the point.
        let is_sure = value < 0 || value >= self.plain.sure;
        if is_sure && (value < 0 || self.nearby.joint().is_none()) && self.distance.of(point) <= self.surely_within {
            return true;
        }
        let possible = || (0..values.len()).filter(|case| values[*case] >= 0);
        if possible().next().is_some() && possible().all(|case| self.refuted.is_known(case, point)) {
            return false;
        }
        // All inputs of a point reach the same leaves.
        let nearest = self.nearby.row(point);
        let Ok(evaluation) = self.ensemble.evaluate(&nearest) else { return false };
        let is_reached = self.aim.is_reached(&self.ensemble, &evaluation);
        if !is_reached && is_order_fixed(&self.ensemble) {
            for case in possible() {
                if let Some(sums) = self.aim.refuting(&self.ensemble, case, &evaluation) {
                    self.refuted.learn(case, &self.ensemble, &self.nearby, point, &sums);
                }
            }
        }
        let cost = |row: &[f64]| self.metric.between(&self.ensemble, &self.from, row);
        let is_near = |row: &[f64]| self.most.as_ref().is_none_or(|most| cost(row) <= *most);
        if !self.aim.may_be_reached(&self.ensemble, &evaluation) || !is_near(&nearest) {
            return false;
        }
        let is_placed = match self.place(point) {
            Placed::Nowhere => return false,
            Placed::Row(row) => is_near(&row),
            Placed::Unknown => false,
        };
        let is_sure = self.aim.is_surely_reached(&self.ensemble, &evaluation);
        if !is_placed || !is_sure {
            self.doubt(cost(&nearest));
        }
        is_placed && is_sure
    }
}
