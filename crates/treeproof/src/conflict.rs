//! Which conditions contradict each other, where only a search can see it.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Resolved;
use treeproof_proof::statement::Goal;
use treeproof_proof::writer::ProofWriter;
use treeproof_search::Stop;

use crate::error::TaskError;
use crate::limits::TaskLimits;
use crate::problem::AdmissibleInputs;
use crate::problem::{Form, Nearness, Space, Sum};
use crate::report::Stopped;
use crate::run::SearchRequest;
use crate::stop::{GRACE, Grace};
use crate::watch::{Event, Watcher};

/// Is told nothing of a search, but ends it as the question that it belongs to, and lets it be proved if that is wanted.
struct Silent<'a> {
    watcher: &'a dyn Watcher,
    is_proved: bool,
    /// Until then it goes on, whoever wants it to end.
    grace: Option<Grace>,
}

impl Watcher for Silent<'_> {
    fn watch(&self, _: &Event) -> bool {
        !self.is_interrupted()
    }

    fn is_interrupted(&self) -> bool {
        self.grace.as_ref().is_none_or(Stop::is_stopped) && self.watcher.is_interrupted()
    }

    fn proof(&self) -> Option<&ProofWriter> {
        self.watcher.proof().filter(|_| self.is_proved)
    }
}

/// The question whether there is anything to ask about.
pub(crate) struct Feasibility<'a, 'm> {
    pub(crate) models: &'a [&'m Ensemble],
    pub(crate) limits: &'a TaskLimits,
    /// The watcher, which may end it.
    pub(crate) watcher: &'a dyn Watcher,
    /// When the time began to run.
    pub(crate) start: Instant,
    /// What inputs must be near to.
    pub(crate) nearness: Nearness<'a>,
    /// The space that is left by what is allowed; none if a domain is empty.
    pub(crate) space: &'a dyn Fn(&AdmissibleInputs<'_>) -> Result<Option<Space<'m>>, TaskError>,
}

impl Feasibility<'_, '_> {
    /// Conditions and data that leave nothing together, as everything allowed does, and of which none can be left out as
    /// far as time allows to see.
    pub(crate) fn conflict(&self, allowed: &AdmissibleInputs<'_>) -> Result<Vec<String>, TaskError> {
        let AdmissibleInputs { conditions, resolved, observed, .. } = *allowed;
        // What code says is not taken apart: all that is said leaves nothing together.
        if allowed.predicate.is_some() {
            let texts = conditions.iter().map(|condition| condition.text.clone());
            let data = observed.labels().into_iter().map(str::to_owned);
            return Ok(texts.chain(data).chain(["a function".to_owned()]).collect());
        }
        // What is permitted stays so: without it there would be even less.
        let among = |needed: &[usize]| {
            let is_needed = |conjunct: &&treeproof_language::Conjunct| needed.contains(&conjunct.condition);
            let conjuncts = resolved.conjuncts.iter().filter(is_needed).cloned().collect();
            Resolved { conjuncts, may_be_missing: resolved.may_be_missing.clone(), bounds: vec![] }
        };
        let mut needed: Vec<usize> = (0..conditions.len()).collect();
        let mut data = observed;
        if !data.labels().is_empty() && self.is_impossible(&AdmissibleInputs { observed: None.into(), ..*allowed })? {
            data = None.into();
        }
        let mut index = needed.len();
        while index > 0 {
            index -= 1;
            let condition = needed.remove(index);
            if !self.is_impossible(&AdmissibleInputs { resolved: &among(&needed), observed: data, ..*allowed })? {
                needed.insert(index, condition);
            }
        }
        let texts = needed.into_iter().map(|condition| conditions[condition].text.clone());
        Ok(texts.chain(data.labels().into_iter().map(str::to_owned)).collect())
    }

    /// Whether it is certain that nothing is allowed.
    fn is_impossible(&self, allowed: &AdmissibleInputs<'_>) -> Result<bool, TaskError> {
        Ok(self.is_possible_as(allowed, false)? == Ok(false))
    }

    /// True if some input is admissible; an inner error is the reason why that stays unknown. A proof that none is gets
    /// written if the watcher wants one. Even where the time is up, a little is left for this: the verdict depends on it.
    pub(crate) fn is_possible(&self, allowed: &AdmissibleInputs<'_>) -> Result<Result<bool, Stopped>, TaskError> {
        self.is_possible_as(allowed, true)
    }

    fn is_possible_as(
        &self,
        allowed: &AdmissibleInputs<'_>,
        is_last: bool,
    ) -> Result<Result<bool, Stopped>, TaskError> {
        let Some(space) = (self.space)(allowed)? else { return Ok(Ok(false)) };
        let form = Form { models: self.models.to_vec(), space, cases: vec![vec![Sum::of([])]] };
        let time = self.limits.time();
        let time = if is_last { time.max(self.start.elapsed() + GRACE) } else { time };
        let watcher = Silent { watcher: self.watcher, is_proved: is_last, grace: is_last.then(Grace::new) };
        let mut request = SearchRequest::maximum("conflict", &form, *allowed, self.limits, &watcher);
        request.goal = Some(Goal::Anything);
        request.space.nearness = self.nearness;
        (request.effort.start, request.effort.time) = (self.start, time);
        request.stopping.is_decisive = Some(&|_| true);
        Ok(match request.search()? {
            None => Ok(false),
            Some(ended) if ended.is_settled => Ok(true),
            Some(ended) => Err(ended.stopped),
        })
    }
}
