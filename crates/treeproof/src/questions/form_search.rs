//! The search for the largest value of a form over the inputs of a setting; where there is none, the conditions that
//! contradict each other.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::Goal;

use super::pair::Comparison;
use super::setting::{Confined, EmptySpace, Setting};
use crate::conflict::Feasibility;
use crate::elaborate::StatementSource;
use crate::error::TaskError;
use crate::problem::{AdmissibleInputs, Form, Nearness, Space, Sum};
use crate::report::{Stopped, Verdict};
use crate::run::{Found, SearchOutcome, SearchRequest, StoppingRule};

/// The way from a setting to a space.
type Confine<'a, 'm> = &'a dyn Fn(&Setting<'_>) -> Result<Confined<'m>, TaskError>;

/// A search for the largest value of a form.
pub(super) struct FormSearch<'a, 'm> {
    /// The name of the question in events.
    pub(super) question: &'static str,
    pub(super) models: &'a [&'m Ensemble],
    pub(super) setting: &'a Setting<'a>,
    /// The way from a setting to a space.
    pub(super) confine: Confine<'a, 'm>,
    pub(super) nearness: Nearness<'a>,
    /// The question as a proof states it, where it is not the number itself.
    pub(super) goal: Option<Goal>,
}

impl<'a, 'm> FormSearch<'a, 'm> {
    /// Inputs may be as far apart as they like, and the number itself is asked about.
    pub(super) fn new(
        question: &'static str,
        models: &'a [&'m Ensemble],
        setting: &'a Setting<'a>,
        confine: Confine<'a, 'm>,
    ) -> Self {
        Self { question, models, setting, confine, nearness: Nearness::Any, goal: None }
    }

    /// Bounds on the largest value.
    pub(super) fn largest(&self, cases: impl FnOnce(&Space<'m>) -> Vec<Vec<Sum>>) -> Result<Comparison, TaskError> {
        self.search(cases, StoppingRule::default(), |outcome, _| Ok(outcome.verdict_within(None)))
    }

    /// Bounds on the largest value, or with a limit whether it is at most that: `holds`, or `violated` by a point at which the
    /// libraries' own sums differ by more as well.
    pub(super) fn within(
        &self,
        limit: Option<f64>,
        cases: impl FnOnce(&Space<'m>) -> Vec<Vec<Sum>>,
        library_difference: impl Fn(&Found) -> f64 + Sync,
    ) -> Result<Comparison, TaskError> {
        let Some((limit, exact)) = limit.and_then(|limit| Some((limit, Exact::from_f64(limit)?))) else {
            return self.largest(cases);
        };
        let is_decisive = |found: &Found| found.exact > exact && library_difference(found) > limit;
        let stopping =
            StoppingRule { is_decisive: Some(&is_decisive), at_most: Some(exact.clone()), ..StoppingRule::default() };
        self.search(cases, stopping, |outcome, _| Ok(outcome.verdict_within(Some(&exact))))
    }

    /// Searches for the largest value, and reads a verdict from how that ended. `infeasible` is explained by conditions.
    pub(super) fn search(
        &self,
        cases: impl FnOnce(&Space<'m>) -> Vec<Vec<Sum>>,
        stopping: StoppingRule<'_>,
        verdict: impl FnOnce(&SearchOutcome, Instant) -> Result<(Verdict, Stopped), TaskError>,
    ) -> Result<Comparison, TaskError> {
        let space = match self.space()? {
            Ok(space) => space,
            Err(conflict) => return Ok(Comparison::infeasible(conflict)),
        };
        let form = Form { models: self.models.to_vec(), cases: cases(&space), space };
        let mut request =
            SearchRequest { goal: self.goal.clone(), stopping, ..self.setting.request(&form, self.question) };
        request.space.nearness = self.nearness;
        let start = request.effort.start;
        if let Some(outcome) = request.search()? {
            let (verdict, stopped) = verdict(&outcome, start)?;
            if verdict != Verdict::Infeasible {
                return Ok(Comparison::new(outcome, &form, (verdict, stopped)));
            }
        }
        self.conflict(start).map(Comparison::infeasible)
    }

    /// The space of admissible inputs; if some feature has no value, after a proof of that, the conditions that leave none.
    pub(super) fn space(&self) -> Result<Result<Space<'m>, Vec<String>>, TaskError> {
        let EmptySpace { conflict, space } = match (self.confine)(self.setting)? {
            Ok(space) => return Ok(Ok(space)),
            Err(empty) => empty,
        };
        let form = Form { models: self.models.to_vec(), space, cases: vec![] };
        let statement = StatementSource::anything(&form, &self.setting.allowed, Nearness::Any);
        statement.prove_empty(self.setting.watcher.proof())?;
        Ok(Err(conflict))
    }

    /// The conditions that together leave no input, though each feature has values. A row that conditions exclude is none that
    /// they contradict.
    pub(super) fn conflict(&self, start: Instant) -> Result<Vec<String>, TaskError> {
        let allowed = &self.setting.allowed;
        if allowed.own.is_some() { Ok(vec![]) } else { self.feasibility(start, |question| question.conflict(allowed)) }
    }

    /// True if any input is admissible; an inner error is the reason why that stays unknown.
    pub(super) fn is_possible(&self, start: Instant) -> Result<Result<bool, Stopped>, TaskError> {
        self.feasibility(start, |question| question.is_possible(&self.setting.allowed))
    }

    fn feasibility<T>(&self, start: Instant, ask: impl FnOnce(&Feasibility<'_, 'm>) -> T) -> T {
        let Self { models, setting, nearness, .. } = *self;
        let space =
            |allowed: &AdmissibleInputs<'_>| Ok((self.confine)(&Setting { allowed: *allowed, ..*setting })?.ok());
        let (limits, watcher) = (setting.limits, setting.watcher);
        ask(&Feasibility { models, limits, watcher, start, nearness, space: &space })
    }
}

impl SearchOutcome {
    /// The verdict on a number that is asked for, or must not be above a limit.
    fn verdict_within(&self, limit: Option<&Exact>) -> (Verdict, Stopped) {
        match limit {
            Some(limit) if self.is_at_most(limit) => (Verdict::Holds, self.stopped),
            Some(_) if self.is_settled => (Verdict::Violated, self.stopped),
            Some(_) if self.stopped == Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
            None if self.is_optimal => (Verdict::Optimal, self.stopped),
            _ => (Verdict::Undecided, self.stopped),
        }
    }

    /// True if no point is worth more than a number.
    pub(super) fn is_at_most(&self, number: &Exact) -> bool {
        self.upper.as_ref().is_some_and(|upper| upper <= number)
    }
}
