//! The constraint that a point reaches the goal, as the library computes it.

use std::sync::{Arc, Mutex};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_search::{Constraint, Points, Problem, Value};

use super::ball::PointBall;
use super::goal::{Aim, is_order_fixed};
use super::refuted::Refuted;
use crate::problem::{Metric, NearestValues, RealisedValues};
use crate::report::Stopped;

/// A question in values of the search, but for the distance that it is about.
#[derive(Clone)]
pub(super) struct Plain {
    /// The margins.
    pub(super) problem: Arc<Problem>,
    /// Balls of the conditions that bound distances.
    pub(super) bounds: Arc<Vec<PointBall>>,
    /// From this value on the goal is reached, however the library rounds.
    pub(super) sure: Value,
}

/// The condition that the nearest input of a point reaches the goal, as the library computes it.
pub(super) struct Reached {
    pub(super) ensemble: Arc<Ensemble>,
    pub(super) metric: Metric,
    pub(super) from: Vec<f64>,
    pub(super) nearby: Arc<NearestValues>,
    pub(super) aim: Arc<Aim>,
    pub(super) plain: Plain,
    /// Nothing may be further away than this, by the distance that the question is about.
    pub(super) ball: PointBall,
    pub(super) refuted: Refuted,
    /// Cost of the cheapest undecided input, and why it is undecided: the library adds in no fixed order, or it was not found
    /// out whether it meets the conditions.
    pub(super) unsure: Mutex<Option<(Exact, Stopped)>>,
}

impl std::fmt::Debug for Reached {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reached").finish_non_exhaustive()
    }
}

impl Reached {
    /// An input in the cells of a point that meets all conditions and costs no more than it may.
    pub(super) fn place(&self, point: &[u32]) -> RealisedValues<Vec<f64>> {
        let limits = |ball: &PointBall| ball.limits(&self.ensemble, &self.from, &self.nearby, point);
        self.nearby.place(point, &self.balls().flat_map(limits).collect::<Vec<_>>())
    }

    /// All that inputs must be in.
    fn balls(&self) -> impl Iterator<Item = &PointBall> {
        std::iter::once(&self.ball).chain(self.plain.bounds.iter())
    }

    /// Records the cost of an input that stays undecided.
    fn doubt(&self, cost: Exact, why: Stopped) {
        let mut unsure = self.unsure.lock().expect("no thread panics while it holds this");
        if unsure.as_ref().is_none_or(|(known, _)| cost < *known) {
            *unsure = Some((cost, why));
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

    fn sees_values(&self) -> bool {
        self.nearby.joint().is_some()
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
        if is_sure && (value < 0 || self.nearby.joint().is_none()) && self.balls().all(|ball| ball.surely_has(point)) {
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
        let is_near = |row: &[f64]| self.balls().all(|ball| ball.has(&self.ensemble, &self.from, row));
        if !self.aim.may_be_reached(&self.ensemble, &evaluation) || !is_near(&nearest) {
            return false;
        }
        let is_placed = match self.place(point) {
            RealisedValues::Impossible => return false,
            RealisedValues::Found(row) => is_near(&row),
            RealisedValues::Unknown => false,
        };
        let is_sure = self.aim.is_surely_reached(&self.ensemble, &evaluation);
        if !is_placed || !is_sure {
            self.doubt(cost(&nearest), if is_placed { Stopped::Rounding } else { Stopped::Conditions });
        }
        is_placed && is_sure
    }
}
