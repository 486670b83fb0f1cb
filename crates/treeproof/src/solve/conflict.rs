//! Which conditions contradict each other, where only a search can see it.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;

use crate::allowed::Allowed;
use crate::compile::{Domain, Features, Form, Space, Sum};
use crate::confine::confine;
use crate::language::{Condition, Groups, Inputs, Resolved, Side, Vocabulary};
use crate::observed::Observed;
use crate::run;
use crate::task::{Method, Task, TaskError};
use crate::watch::Unwatched;

/// Conditions and data that leave nothing together, and of which none can be left out as far as time allows to see.
pub(super) fn conflict(
    task: &Task,
    ensemble: &Ensemble,
    conditions: &[Condition],
    observed: Option<&Observed>,
    start: Instant,
) -> Result<Vec<String>, TaskError> {
    let question = Feasibility { task, ensemble, start };
    let (mut needed, mut data) = (conditions.to_vec(), observed);
    if data.is_some() && question.is_impossible(&needed, None)? {
        data = None;
    }
    let mut index = needed.len();
    while index > 0 {
        index -= 1;
        let condition = needed.remove(index);
        if !question.is_impossible(&needed, data)? {
            needed.insert(index, condition);
        }
    }
    let texts = needed.into_iter().map(|condition| condition.text);
    Ok(texts.chain(data.map(|data| data.label.clone())).collect())
}

/// The question whether there is any input.
struct Feasibility<'a> {
    task: &'a Task,
    ensemble: &'a Ensemble,
    start: Instant,
}

impl Feasibility<'_> {
    /// Whether it is certain that no input meets these.
    fn is_impossible(&self, conditions: &[Condition], observed: Option<&Observed>) -> Result<bool, TaskError> {
        let groups = Groups::default();
        let resolved = Resolved::new(conditions, &Vocabulary::new(self.ensemble, &groups, Inputs::One))?;
        let allowed = Allowed { conditions, resolved: &resolved, observed };
        let Ok(domains) = confine(self.ensemble, Side::Only, Domain::everything(self.ensemble), &allowed)? else {
            return Ok(true);
        };
        let space = Space::one(Features::of(self.ensemble), domains);
        let form = Form { models: vec![self.ensemble], space, cases: vec![vec![Sum::of([])]] };
        let asked = run::Asked {
            form: &form,
            allowed,
            question: "conflict",
            negated: false,
            method: Method::Auto,
            epsilon: None,
            start: self.start,
            time: self.task.time(),
            limits: &self.task.limits,
            at_least: None,
            settles: Some(&|_| true),
            goes_past: false,
            watcher: &Unwatched,
        };
        Ok(asked.search()?.is_none())
    }
}
