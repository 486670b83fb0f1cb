//! From a task and a model to a report: confine, compile, search, check.

mod class;
mod compare;
mod distance;
mod enumerate;
mod general;

use std::sync::Arc;
use std::time::{Duration, Instant};

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::sum::Aggregate;
use treeproof_language::{Condition, Inputs, Resolved, Side, Vocabulary};

use crate::conflict::Feasibility;
use crate::plausible::tell_nearest;
use crate::problem::{
    AdmissibleInputs, Domain, EmptyDomain, Features, Form, Nearness, Observed, Predicate, Space, Sum, Term,
    feature_domains,
};
use crate::proof::{Stated, unstated, unstated_method};
use crate::report::{Answer, Finding, Infeasible, RangeAnswer, Report, Unit, Verdict, prediction, witness_of_row};
use crate::rows::Rows;
use crate::run::{self, Bounds};
use crate::sources::TrueLabel;
use crate::task::{Method, Question, Task, TaskError};
use crate::watch::Watcher;

pub use self::general::solve_general;

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
    solve_told(task, ensemble, observed, None, watcher)
}

/// The same of those inputs alone that a condition allows which is code: `max`, `min` and `range`; of `diff` see [`solve_two_told`].
///
/// # Errors
/// As [`solve()`]; and if something else is asked.
pub fn solve_told(
    task: &Task,
    ensemble: &Ensemble,
    observed: Option<&Observed>,
    predicate: Option<&Arc<dyn Predicate>>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    task.validate()?;
    refuse_unproved(task, watcher)?;
    if predicate.is_some() {
        refuse_code(task, watcher)?;
    }
    finished(answer(task, ensemble, observed, predicate, watcher)?, task, &[ensemble], observed)
}

/// Refuses conditions that are code where they are not asked, and where what they say would have to be proved.
pub(crate) fn refuse_code(task: &Task, watcher: &dyn Watcher) -> Result<(), TaskError> {
    if watcher.proof().is_some() {
        return Err(unstated("conditions that are code have no proofs"));
    }
    let is_asked = matches!(task.question, Question::Max | Question::Min | Question::Range | Question::Diff(_));
    if is_asked && task.method == Method::Auto {
        return Ok(());
    }
    let what = "can be code only for `max`, `min`, `range` and `diff`, with the method `auto`: write it as a text";
    Err(TaskError::Field { field: "where", what: what.to_owned() })
}

/// Other methods write no proofs.
fn refuse_unproved(task: &Task, watcher: &dyn Watcher) -> Result<(), TaskError> {
    let is_unproved = watcher.proof().is_some() && task.method != Method::Auto;
    if is_unproved { Err(unstated_method()) } else { Ok(()) }
}

/// What every report ends with.
fn finished(
    mut report: Report,
    task: &Task,
    models: &[&Ensemble],
    observed: Option<&Observed>,
) -> Result<Report, TaskError> {
    if let Some(observed) = observed {
        tell_nearest(&mut report, models, &task.groups_in(models[0])?, observed);
    }
    Ok(report)
}

fn answer(
    task: &Task,
    ensemble: &Ensemble,
    observed: Option<&Observed>,
    predicate: Option<&Arc<dyn Predicate>>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    let start = Instant::now();
    match &task.question {
        Question::Max | Question::Min | Question::Range | Question::Enumerate(_) => {}
        Question::Monotone(monotone) => return compare::monotone(task, monotone, ensemble, observed, watcher),
        Question::Fair(fair) if task.data.is_none() => return compare::fair(task, fair, ensemble, observed, watcher),
        Question::Stable(stable) => return compare::stable(task, stable, ensemble, None, observed, watcher),
        Question::Dominant(dominant) if task.data.is_none() => {
            return compare::dominant(task, dominant, ensemble, None, observed, watcher);
        }
        Question::Diff(_) => {
            return Err(TaskError::Field {
                field: "other_model",
                what: "is missing: two models are compared".to_owned(),
            });
        }
        Question::Fair(_) | Question::Robust(_) | Question::Closest(_) | Question::Dominant(_) => {
            return Err(TaskError::Field {
                field: "data",
                what: "was not read: rows are asked about by `solve_rows`".to_owned(),
            });
        }
    }
    refuse_other_than_sums(ensemble)?;
    let output = class::output(ensemble, task.class.as_deref())?;
    let class = (ensemble.num_margins() > 1 && !ensemble.classes().is_empty()).then(|| ensemble.class_name(output));
    let conditions: Vec<Condition> =
        task.conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
    let report =
        |finding| Report { question: task.question.kind(), class, unit: Unit::Margin, not_tested: vec![], finding };
    let groups = task.groups_in(ensemble)?;
    let resolved = Resolved::new(&conditions, &Vocabulary::new(ensemble, &groups, Inputs::One))?;
    let allowed = AdmissibleInputs {
        conditions: &conditions,
        resolved: &resolved,
        groups: &groups,
        observed: observed.into(),
        own: None,
        predicate,
    };
    let domains = match feature_domains(ensemble, Side::Only, Domain::everything(ensemble), &allowed) {
        Ok(domains) => domains,
        Err(EmptyDomain { texts, domains }) => {
            let space = Space::one(Features::of(ensemble).grouped(&groups), domains);
            let form = Form { models: vec![ensemble], space, cases: vec![] };
            Stated::anything(&form, &allowed, Nearness::Any).prove_empty(watcher.proof())?;
            return Ok(report(Finding::Infeasible(Infeasible::new(texts))));
        }
    };
    let asked = Asked { task, ensemble, allowed, domains: &domains, output, watcher };
    asked.refuse_unsupported()?;
    let found = asked.finding(start)?;
    let finding = match found {
        Some(finding) => finding,
        None => Finding::Infeasible(Infeasible::new(asked.conflict(start)?)),
    };
    Ok(report(finding))
}

/// Answers a task about two models: `diff`. Conditions and data are about the features of the first.
///
/// # Errors
/// As [`solve()`]; and if the models cannot be compared.
pub fn solve_two(
    task: &Task,
    models: [&Ensemble; 2],
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    solve_two_told(task, models, observed, None, watcher)
}

/// The same of those inputs alone that a condition allows which is code. It is told of the features of the first model.
///
/// # Errors
/// As [`solve_two()`].
pub fn solve_two_told(
    task: &Task,
    models: [&Ensemble; 2],
    observed: Option<&Observed>,
    predicate: Option<&Arc<dyn Predicate>>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    task.validate()?;
    if predicate.is_some() {
        refuse_code(task, watcher)?;
    }
    let report = match &task.question {
        Question::Diff(diff) => compare::diff(task, diff, models, observed, predicate, watcher)?,
        _ => {
            return Err(TaskError::Field { field: "question", what: "is about one model, not two".to_owned() });
        }
    };
    finished(report, task, &models, observed)
}

/// The rows that a task is about, with what else was read for it.
#[derive(Clone, Copy, Debug)]
pub struct RowData<'a> {
    /// The rows of the task's `data`; of `stable`, which has none, those of its `scale`.
    pub rows: &'a Rows,
    /// Of `robust` with a `label`: the class of each row, none where it is no class of the model.
    pub labels: Option<&'a [TrueLabel]>,
    /// Of questions with a `scale`: the rows by whose standard deviations distances are divided.
    pub scale: Option<&'a Rows>,
}

impl<'a> From<&'a Rows> for RowData<'a> {
    fn from(rows: &'a Rows) -> Self {
        Self { rows, labels: None, scale: None }
    }
}

/// Answers a task about each of some rows: `robust`, `closest`, `fair`. The limit of time is that of each row; rows are
/// asked about on all threads.
///
/// # Errors
/// As [`solve()`]; and if the model's library refuses a row.
pub fn solve_rows<'a>(
    task: &Task,
    ensemble: &Arc<Ensemble>,
    data: impl Into<RowData<'a>>,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    task.validate()?;
    refuse_unproved(task, watcher)?;
    let data = data.into();
    let report = match &task.question {
        Question::Fair(fair) => compare::fair_rows(task, fair, ensemble, data.rows, observed, watcher),
        Question::Robust(robust) => distance::robust(task, robust, ensemble, &data, observed, watcher),
        Question::Dominant(dominant) => compare::dominant(task, dominant, ensemble, Some(data.rows), observed, watcher),
        Question::Stable(stable) => compare::stable(task, stable, ensemble, data.scale, observed, watcher),
        Question::Closest(closest) => distance::closest(task, closest, ensemble, &data, observed, watcher),
        _ => Err(TaskError::Field { field: "question", what: "is not about rows".to_owned() }),
    }?;
    finished(report, task, &[ensemble], observed)
}

/// What both directions of a question share.
struct Asked<'a> {
    task: &'a Task,
    ensemble: &'a Ensemble,
    allowed: AdmissibleInputs<'a>,
    domains: &'a [Domain],
    output: usize,
    watcher: &'a dyn Watcher,
}

impl Asked<'_> {
    /// What some questions and methods cannot do with conditions.
    fn refuse_unsupported(&self) -> Result<(), TaskError> {
        let is_across = !self.allowed.across().is_empty();
        let refuse = |field: &'static str, what: &str| Err(TaskError::Field { field, what: what.to_owned() });
        if matches!(self.task.question, Question::Enumerate(_)) && is_across {
            return refuse("where", "must be about single features for `enumerate`, as no region is bounded by sums");
        }
        if self.task.method != Method::Auto && is_across {
            return Err(TaskError::several_features());
        }
        Ok(())
    }

    /// The answer. None if no input meets the conditions.
    fn finding(&self, start: Instant) -> Result<Option<Finding>, TaskError> {
        let time = self.task.time();
        Ok(match &self.task.question {
            Question::Max => self.answer(false, start, time)?.map(Finding::Max),
            Question::Min => self.answer(true, start, time)?.map(Finding::Min),
            Question::Range => {
                // What the first does not need, the second has.
                let Some(min) = self.answer(true, start, time / 2)? else { return Ok(None) };
                let left = time.saturating_sub(start.elapsed());
                let Some(max) = self.answer(false, Instant::now(), left)? else { return Ok(None) };
                let is_optimal = [&min, &max].iter().all(|answer| answer.verdict == Verdict::Optimal);
                let verdict = if is_optimal { Verdict::Optimal } else { Verdict::Undecided };
                let seconds = start.elapsed().as_secs_f64();
                let answer = RangeAnswer { verdict, lower: min.lower, upper: max.upper, min, max, seconds };
                Some(Finding::Range(Box::new(answer)))
            }
            Question::Enumerate(fields) => enumerate::enumerate(self, fields, start, time)?.map(Finding::Enumerate),
            _ => unreachable!("answered elsewhere"),
        })
    }

    /// What leaves nothing.
    fn conflict(&self, start: Instant) -> Result<Vec<String>, TaskError> {
        let space = |allowed: &AdmissibleInputs<'_>| {
            let domains = feature_domains(self.ensemble, Side::Only, Domain::everything(self.ensemble), allowed);
            let features = Features::of(self.ensemble).grouped(allowed.groups);
            Ok(domains.ok().map(|domains| Space::one(features, domains)))
        };
        let question = Feasibility {
            models: &[self.ensemble],
            limits: &self.task.limits,
            watcher: self.watcher,
            start,
            nearness: Nearness::Any,
            space: &space,
        };
        question.conflict(&self.allowed)
    }

    /// The margin, or its negative, as a form.
    fn form(&self, negated: bool) -> Form<'_> {
        let term = Term { model: 0, input: 0, output: self.output, negated };
        let features = Features::of(self.ensemble).grouped(self.allowed.groups);
        let space = Space::one(features, self.domains.to_vec());
        Form { models: vec![self.ensemble], space, cases: vec![vec![Sum::of([term])]] }
    }

    /// Bounds on one number. None if no input meets the conditions.
    fn answer(&self, negated: bool, start: Instant, time: Duration) -> Result<Option<Answer>, TaskError> {
        let Task { method, epsilon, limits, .. } = self.task;
        let asked = run::Asked {
            form: &self.form(negated),
            allowed: self.allowed,
            question: if negated { "min" } else { "max" },
            negated,
            method: *method,
            epsilon: *epsilon,
            start,
            time,
            limits,
            at_least: None,
            at_most: None,
            settles: None,
            goes_past: false,
            goal: None,
            nearness: Nearness::Any,
            watcher: self.watcher,
        };
        let Some(ended) = asked.search()? else { return Ok(None) };
        let Bounds { lower, upper, gap } = ended.bounds;
        let mut answer = Answer {
            verdict: if ended.is_optimal { Verdict::Optimal } else { Verdict::Undecided },
            lower,
            upper,
            gap,
            rounding: None,
            witness: None,
            nearest_row: None,
            output: None,
            probability: None,
            prediction: None,
            stopped: ended.stopped,
            seconds: ended.seconds,
            stats: ended.stats,
        };
        if let Some(found) = &ended.found {
            let evaluation = &found.evaluations[0][0];
            let margin = &evaluation.margins[self.output];
            answer.witness = Some(witness_of_row(self.ensemble, self.allowed.groups, &found.rows[0][0]));
            (answer.output, answer.rounding) = (Some(margin.library), Some(margin.error));
            match prediction(self.ensemble, self.output, &evaluation.outputs) {
                Some((probability, true)) => answer.probability = Some(probability),
                Some((prediction, false)) => answer.prediction = Some(prediction),
                None => {}
            }
        }
        Ok(Some(answer))
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
