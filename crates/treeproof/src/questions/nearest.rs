//! The nearest input to a row that changes the answer: what `closest` and `robust` share.
//!
//! One search answers `closest` (bounds on the distance itself) and `robust` (is there one within a radius). The cells of every
//! feature cost what their value nearest to the row costs, so a point of the search stands for the one input that is nearest
//! among all that reach the same leaves. The library's own arithmetic decides if that input changes the answer.

mod answer;
mod ball;
mod bisection;
mod bounds;
mod conditions;
mod first_point;
mod goal;
mod measure;
mod outcome;
mod reached;
mod refuted;
mod request;
mod search;
mod stated;
mod units;

use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::LabelRule;
use treeproof_ensemble::norm::Norm;

pub(super) use self::bisection::refuse_other_than_boxes;
pub use self::conditions::Conditions;
pub use self::goal::RowGoal;
pub use self::measure::Measure;
pub use self::outcome::Nearest;
pub use self::request::NearestRequest;
use super::class;
use super::common::CommonFields;
use super::context::Context;
use crate::attributes::{tested, untested};
use crate::error::{TaskError, refuse};
use crate::limits::Method;
use crate::per_row::limits_of_one;
use crate::report::{Bounds, DistancesAnswer, Finding, Infeasible, Report, Unit};
use crate::run::strategy;
use crate::watch::Watcher;

/// Fields that do not apply to questions about distances.
pub(super) const SURPLUS: [&str; 4] = ["class", "limits.gap", "limits.stop_above", "limits.stop_below"];

/// Asks for the nearest inputs to each row of the task: within a radius, if there is one, any of them.
pub(super) fn answer(
    context: &Context<'_>,
    measure: &Measure,
    goal: RowGoal,
    radius: Option<f64>,
    count: Option<usize>,
) -> Result<Report, TaskError> {
    let (common, subject, groups) = (&context.common, context.subject, &context.groups);
    let (ensemble, observed) = (subject.ensemble(), subject.observed[0].as_deref());
    let Some(rows) = context.rows()? else { return refuse("data", "is missing: name the rows to ask about") };
    let report = |finding, not_tested| Report { unit: Unit::Distance, not_tested, ..context.report(None, finding) };
    let conditions = match Conditions::new(ensemble, groups, common.conditions, observed, context.watcher.proof())? {
        Ok(conditions) => conditions,
        Err(conflict) => return Ok(report(Finding::Infeasible(Infeasible::new(conflict)), vec![])),
    };
    let request = NearestRequest {
        ensemble: Arc::clone(ensemble),
        metric: measure.metric(ensemble, groups, subject.scale.as_ref())?,
        goal,
        threshold: common.threshold,
        conditions,
        within: radius,
        count: count.unwrap_or(1),
        bisection: (common.method == Method::Veritas).then(|| strategy(common.epsilon)),
        limits: limits_of_one(common.limits, common.time, rows.len()),
    };
    let ask = |place: usize, watcher: &dyn Watcher| {
        let (number, row) = (rows.start() + place, rows.row(place));
        let nearest = request.ask(row, watcher)?;
        let label = subject.labels.as_ref().map(|labels| &labels[place]);
        Ok(answer::of_row(&request, number, row, label, nearest, count.is_some()))
    };
    let answers =
        context.per_row(rows).ask(ask, |answer| Bounds::from(answer))?.into_iter().map(|(_, answer)| answer).collect();
    let is_about_labels = matches!(goal, RowGoal::Other | RowGoal::Class(_));
    let seconds = context.start.elapsed().as_secs_f64();
    let answer = DistancesAnswer::new(measure.norm, radius, answers, rows.len(), is_about_labels, seconds);
    let free = request.conditions.free(ensemble, &request.metric);
    let idle = untested(ensemble, groups, free.iter().copied());
    // Where some tree tests one of them, robustness is no matter of course.
    let is_idle = radius.is_some() && !idle.is_empty() && free.iter().all(|feature| !tested(ensemble)[*feature]);
    let finding = if radius.is_some() { Finding::Robust(answer) } else { Finding::Closest(answer) };
    Ok(report(finding, if is_idle { idle } else { vec![] }))
}

/// The goal of another label than the row's, or of the one that the task names.
pub(super) fn label(
    common: &CommonFields<'_>,
    ensemble: &Ensemble,
    target: Option<&str>,
    instead: &'static str,
) -> Result<RowGoal, TaskError> {
    if *ensemble.label_rule() == LabelRule::None && common.threshold.is_none() {
        return Err(TaskError::Unsuitable(format!("the model has no labels: ask with {instead}")));
    }
    let Some(target) = target else { return Ok(RowGoal::Other) };
    let classes = ensemble.classes();
    let by_name = classes.iter().position(|class| class.to_string() == *target);
    let by_number = || target.parse().ok().filter(|place| classes.is_empty() && *place < ensemble.num_margins().max(2));
    by_name.or_else(by_number).map(RowGoal::Class).ok_or_else(|| {
        let names: Vec<String> = classes.iter().map(ToString::to_string).collect();
        let what = format!("there is no class `{target}`; there are {}", class::listed(&names, Some(target)));
        TaskError::Value { field: "target", what }
    })
}

/// Refuses methods that know nothing of distances, or not of these.
pub(super) fn validate_method(common: &CommonFields<'_>, norm: Norm, count: usize) -> Result<(), TaskError> {
    match common.method {
        Method::Auto => Ok(()),
        Method::Veritas => refuse_other_than_boxes(norm, count),
        Method::Merge => refuse("method", format!("must be `auto` or `veritas` for `{}`", common.question.name())),
    }
}

/// Refuses what is about labels where outputs are asked about.
pub(super) fn refuse_labels(
    common: &CommonFields<'_>,
    target: Option<&String>,
    instead: &'static str,
) -> Result<(), TaskError> {
    let about_labels = [("target", target.is_some()), ("threshold", common.threshold.is_some())];
    match about_labels.into_iter().find(|(_, is_given)| *is_given) {
        Some((field, _)) => refuse(field, format!("is about labels, and {instead} about outputs: give one of them")),
        None => Ok(()),
    }
}
