//! From a task and a model to a report: confine, compile, search, check.

mod class;
mod enumerate;
mod run;

use std::time::{Duration, Instant};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::sum::Aggregate;

use self::run::Run;
use crate::compile::{Domain, Objective};
use crate::confine::confine;
use crate::language::{Condition, Groups, Inputs, Resolved, Vocabulary};
use crate::observed::Observed;
use crate::report::{Answer, Finding, Infeasible, RangeAnswer, Report, Unit, Verdict};
use crate::task::{Question, Task, TaskError};
use crate::watch::Watcher;

/// Answers a task about a model. `observed` is what the task's `domain` holds.
///
/// # Errors
/// If the task or a condition is wrong, or the model is none about which questions can be answered.
pub fn solve(
    task: &Task,
    ensemble: &Ensemble,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    let start = Instant::now();
    task.validate()?;
    refuse_other_than_sums(ensemble)?;
    let output = class::output(ensemble, task.class.as_deref())?;
    let class = (ensemble.num_margins() > 1 && !ensemble.classes().is_empty()).then(|| ensemble.class_name(output));
    let conditions: Vec<Condition> =
        task.conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
    let report = |finding| Report { question: task.question, class, unit: Unit::Margin, finding };
    let groups = Groups::default();
    let resolved = Resolved::new(&conditions, &Vocabulary::new(ensemble, &groups, Inputs::One))?;
    let domains = match confine(ensemble, &conditions, &resolved, observed)? {
        Ok(domains) => domains,
        Err(conflict) => return Ok(report(Finding::Infeasible(Infeasible::new(conflict)))),
    };
    let asked = Asked {
        task,
        ensemble,
        observed,
        conditions: &conditions,
        resolved: &resolved,
        domains: &domains,
        output,
        watcher,
    };
    let time = task.limits.time.0;
    let finding = match task.question {
        Question::Max => Finding::One(asked.answer(false, start, time)?),
        Question::Min => Finding::One(asked.answer(true, start, time)?),
        Question::Range => {
            // What the first does not need, the second has.
            let min = asked.answer(true, start, time / 2)?;
            let max = asked.answer(false, Instant::now(), time.saturating_sub(start.elapsed()))?;
            let is_optimal = [&min, &max].iter().all(|answer| answer.verdict == Verdict::Optimal);
            let verdict = if is_optimal { Verdict::Optimal } else { Verdict::Undecided };
            let seconds = start.elapsed().as_secs_f64();
            let answer = RangeAnswer { verdict, lower: min.lower, upper: max.upper, min, max, seconds };
            Finding::Range(Box::new(answer))
        }
        Question::Enumerate => Finding::Configurations(enumerate::enumerate(&asked, start, time)?),
    };
    Ok(report(finding))
}

/// What both directions of a question share.
struct Asked<'a> {
    task: &'a Task,
    ensemble: &'a Ensemble,
    observed: Option<&'a Observed>,
    conditions: &'a [Condition],
    resolved: &'a Resolved,
    domains: &'a [Domain],
    output: usize,
    watcher: &'a dyn Watcher,
}

impl Asked<'_> {
    fn answer(&self, negated: bool, start: Instant, time: Duration) -> Result<Answer, TaskError> {
        Run::new(self, Objective { output: self.output, negated }, start, time).finish()
    }
}

pub(crate) fn refuse_other_than_sums(ensemble: &Ensemble) -> Result<(), TaskError> {
    let what = match ensemble.aggregate() {
        Aggregate::Sum(_) => return Ok(()),
        Aggregate::WeightedMedian { .. } => "it is not a sum but a weighted median of its trees",
        Aggregate::Min(_) => "it is not a sum but the minimum of its trees",
        Aggregate::Max(_) => "it is not a sum but the maximum of its trees",
    };
    Err(TaskError::NotASum { what })
}
