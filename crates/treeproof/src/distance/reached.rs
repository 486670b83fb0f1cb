//! Whether points reach the goal, as the library computes it.

use std::sync::{Arc, Mutex};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_search::{Constraint, Distance, Points, Problem, Value};

use super::goal::Aim;
use super::metric::Metric;
use super::refuted::Refuted;
use crate::compile::Nearby;

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
    pub(super) is_order_fixed: bool,
    /// What the cheapest input costs of which nothing is known, as the library adds in no fixed order.
    pub(super) unsure: Mutex<Option<Exact>>,
}

impl std::fmt::Debug for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reached").finish_non_exhaustive()
    }
}

impl Constraint for Reached {
    fn narrow(&self, points: &mut Points<'_>) {
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
        if is_sure && self.distance.of(point) <= self.surely_within {
            return true;
        }
        let possible = || (0..values.len()).filter(|case| values[*case] >= 0);
        if possible().next().is_some() && possible().all(|case| self.refuted.is_known(case, point)) {
            return false;
        }
        let row = self.nearby.row(point);
        let Ok(evaluation) = self.ensemble.evaluate(&row) else { return false };
        let is_reached = self.aim.is_reached(&self.ensemble, &evaluation);
        if self.is_order_fixed && !is_reached {
            for case in possible() {
                if let Some(sums) = self.aim.refuting(&self.ensemble, case, &evaluation) {
                    self.refuted.learn(case, &self.ensemble, &self.nearby, point, &sums);
                }
            }
        }
        let cost = || self.metric.between(&self.ensemble, &self.from, &row);
        if self.most.as_ref().is_some_and(|most| cost() > *most) {
            return false;
        }
        if self.is_order_fixed {
            return is_reached;
        }
        let clearance = self.aim.clearance(&evaluation);
        let is_sure = is_reached && clearance.as_ref().is_some_and(|clearance| *clearance > self.aim.certain);
        let is_possible = clearance.is_none_or(|clearance| clearance >= Exact::zero());
        if is_possible && !is_sure {
            let cost = cost();
            let mut unsure = self.unsure.lock().expect("no thread panics while it holds this");
            if unsure.as_ref().is_none_or(|known| cost < *known) {
                *unsure = Some(cost);
            }
        }
        is_sure
    }
}
