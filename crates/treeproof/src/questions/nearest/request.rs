//! A request for the nearest input, asked of one row after the other.

use std::sync::Arc;
use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_search::Strategy;

use super::ball::RowBall;
use super::bisection::refuse_other_than_boxes;
use super::conditions::Conditions;
use super::goal::{Aim, RowGoal};
use super::outcome::Nearest;
use super::search::RowSearch;
use crate::elaborate::ProofError;
use crate::error::TaskError;
use crate::limits::TaskLimits;
use crate::problem::{Domain, Metric};
use crate::questions::context::refuse_other_than_sums;
use crate::report::{Stats, Stopped};
use crate::watch::Watcher;

/// A question about the nearest input that changes the answer, asked of one row after the other.
#[derive(Clone, Debug)]
pub struct NearestRequest {
    /// The model, which must be a sum.
    pub ensemble: Arc<Ensemble>,
    /// The distance.
    pub metric: Metric,
    /// The answer to be reached.
    pub goal: RowGoal,
    /// The threshold of the probability, if it is not the library's own.
    pub threshold: Option<f64>,
    /// The admissible inputs.
    pub conditions: Conditions,
    /// Only inputs at most this far away matter, and any of them answers the question.
    pub within: Option<f64>,
    /// Number of inputs, the nearest first. Every further one leaves something unchanged that each one before it
    /// changes. Without a radius only; at least one.
    pub count: usize,
    /// Instead of the best search known: halve a radius as the Veritas paper does, and search leaf sequences within it in this
    /// order. For L∞ and one input only, and conditions on single features.
    pub bisection: Option<Strategy>,
    /// The limits, of which time, memory and threads count.
    pub limits: TaskLimits,
}

impl NearestRequest {
    /// Looks for the nearest input to a row.
    ///
    /// # Errors
    /// If the model is no sum, has no label about which something can be proved, or its library refuses the row; and if a proof
    /// is wanted and cannot be written.
    pub fn ask(&self, row: &[f64], watcher: &dyn Watcher) -> Result<Nearest, TaskError> {
        refuse_other_than_sums(&self.ensemble)?;
        if self.bisection.is_some() {
            refuse_other_than_boxes(self.metric.norm, self.count)?;
            self.conditions.refuse_several_features()?;
            if watcher.proof().is_some() {
                return Err(ProofError::unstated_method().into());
            }
        }
        let readings = self.ensemble.read(row).map_err(|error| TaskError::Row { row: 0, what: error.to_string() })?;
        self.conditions.groups.check(row, &self.ensemble).map_err(|what| TaskError::Row { row: 0, what })?;
        let evaluation = self.ensemble.evaluate_readings(&readings);
        let aim = Arc::new(Aim::new(&self.ensemble, self.goal, self.threshold, &evaluation)?);
        let asked = RowSearch { question: self, row, readings: &readings, aim, start: Instant::now(), watcher };
        let mut stats = Stats::default();
        self.conditions.refuse_infinite(&self.ensemble, row)?;
        let mut ended = asked.search(&mut stats)?;
        if let ([only], Some(_)) = (&mut ended[..], self.within) {
            // Nothing holds of inputs that there are not.
            let is_proved = only.found.is_none() && only.least.is_none() && only.stopped == Stopped::Optimal;
            if is_proved && !only.is_empty && !self.is_allowed(row, &readings) {
                let any = RowSearch { aim: Arc::new(Aim::anything()), ..asked }.search(&mut stats)?;
                match any.iter().all(|any| any.found.is_none()) {
                    true if any.iter().all(|any| any.stopped == Stopped::Optimal) => only.is_empty = true,
                    // Whether there are any is not known: neither is whether something holds of them.
                    true => only.stopped = any.last().map_or(only.stopped, |any| any.stopped),
                    false => {}
                }
            }
        }
        Ok(asked.answer(evaluation, ended, stats))
    }

    /// True if a row itself is admissible.
    fn is_allowed(&self, row: &[f64], readings: &[Reading]) -> bool {
        let domains = self.domains(row, readings, self.radius().as_ref());
        let mut values = domains.iter().zip(row.iter().zip(readings));
        values.all(|(domain, (raw, reading))| domain.contains(*raw, *reading))
            && self.conditions.check(&self.ensemble, &self.metric, row, row).is_ok()
    }

    /// Domains of the features for a row: where there is a radius, up to a little beyond it. What is outside of it
    /// is left to the search.
    pub(super) fn domains(&self, row: &[f64], readings: &[Reading], radius: Option<&Exact>) -> Vec<Domain> {
        let mut domains = self.conditions.domains(row, readings);
        for ball in self.balls(radius) {
            for (feature, domain) in domains.iter_mut().enumerate() {
                let may_be_missing = self.conditions.may_be_missing[feature];
                *domain = ball.feature_domains(feature, domain, row[feature], readings[feature], may_be_missing);
            }
        }
        domains
    }

    /// The balls that inputs must be in: by the distance of the question first, then those of conditions.
    pub(super) fn balls(&self, radius: Option<&Exact>) -> Vec<RowBall> {
        let own = RowBall { metric: self.metric.clone(), radius: radius.cloned() };
        let bounds = self.conditions.bounds().iter().map(|bound| RowBall::bounded(&self.metric, bound));
        std::iter::once(own).chain(bounds).collect()
    }

    pub(super) fn radius(&self) -> Option<Exact> {
        self.within.and_then(Exact::from_f64)
    }
}
