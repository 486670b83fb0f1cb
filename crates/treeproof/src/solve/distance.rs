//! Tasks about distances: from names to features and classes, from the nearest inputs to reports.

mod row;

use std::sync::Arc;
use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, Reading};
use treeproof_ensemble::label::LabelRule;
use treeproof_language::suggest;
use treeproof_language::{Groups, Inputs, Vocabulary};

use super::RowData;
use crate::attributes::{tested, untested};
use crate::distance::{Closest, Conditions, Goal};
use crate::each::{EachRow, Told, limits_of_one};
use crate::problem::{Metric, Observed};
use crate::report::{DistanceRow, DistancesAnswer, Finding, Infeasible, Report, Unit};
use crate::rows::Rows;
use crate::run::strategy;
use crate::task::{self, Measure, Method, Task, TaskError};
use crate::watch::Watcher;

/// Answers `robust`.
pub(super) fn robust(
    task: &Task,
    robust: &task::Robust,
    ensemble: &Arc<Ensemble>,
    data: &RowData<'_>,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    let goal = match robust.within {
        Some(within) => Goal::Moved(within),
        None => label(task, ensemble, robust.target.as_deref(), "--within EPS")?,
    };
    Asked { task, ensemble, measure: &robust.measure, goal, radius: Some(robust.radius), count: None }
        .answer(data, observed, watcher)
}

/// Answers `closest`.
pub(super) fn closest(
    task: &Task,
    closest: &task::Closest,
    ensemble: &Arc<Ensemble>,
    data: &RowData<'_>,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    let goal = match (closest.output_above, closest.output_below) {
        (Some(number), _) => Goal::Above(number),
        (None, Some(number)) => Goal::Below(number),
        (None, None) => label(task, ensemble, closest.target.as_deref(), "--output-above V or --output-below V")?,
    };
    Asked { task, ensemble, measure: &closest.measure, goal, radius: None, count: closest.count }
        .answer(data, observed, watcher)
}

/// What both ask.
struct Asked<'a> {
    task: &'a Task,
    ensemble: &'a Arc<Ensemble>,
    measure: &'a Measure,
    goal: Goal,
    radius: Option<f64>,
    count: Option<usize>,
}

impl Asked<'_> {
    fn answer(
        &self,
        data: &RowData<'_>,
        observed: Option<&Observed>,
        watcher: &dyn Watcher,
    ) -> Result<Report, TaskError> {
        let start = Instant::now();
        let Self { task, ensemble, measure, goal, radius, count } = *self;
        let report = |finding, not_tested| Report {
            question: task.question.kind(),
            class: None,
            unit: Unit::Distance,
            not_tested,
            finding,
        };
        let groups = task.groups_in(ensemble)?;
        let conditions = match Conditions::new_proving(ensemble, &groups, &task.conditions, observed, watcher.proof())?
        {
            Ok(conditions) => conditions,
            Err(conflict) => return Ok(report(Finding::Infeasible(Infeasible::new(conflict)), vec![])),
        };
        let num_rows = data.rows.len();
        let question = Closest {
            ensemble: Arc::clone(ensemble),
            metric: metric(measure, ensemble, &groups, data.scale)?,
            goal,
            threshold: task.threshold,
            conditions,
            within: radius,
            count: count.unwrap_or(1),
            bisection: (task.method == Method::Veritas).then(|| strategy(task.epsilon)),
            limits: limits_of_one(task, num_rows),
        };
        let each = EachRow {
            question: task.question.name(),
            start: data.rows.start(),
            num_rows,
            threads: task.limits.threads(),
            watcher,
        };
        let ask = |place: usize, watcher: &dyn Watcher| {
            let (number, row) = (data.rows.start() + place, data.rows.row(place));
            let pulse = crate::watch::Event::new(task.question.name());
            let nearest = question.ask_proving(row, &|| watcher.watch(&pulse), watcher.proof())?;
            let label = data.labels.map(|labels| &labels[place]);
            Ok(row::answer(&question, number, row, label, nearest, count.is_some()))
        };
        let told = |answer: &DistanceRow| Told { verdict: answer.verdict, lower: answer.lower, upper: answer.upper };
        let rows = each.ask(ask, told)?.into_iter().map(|(_, answer)| answer).collect();
        let is_about_labels = matches!(goal, Goal::Other | Goal::Class(_));
        let seconds = start.elapsed().as_secs_f64();
        let answer = DistancesAnswer::new(measure.norm, radius, rows, num_rows, is_about_labels, seconds);
        let free = question.conditions.free(ensemble, &question.metric);
        let idle = untested(ensemble, &groups, free.iter().copied());
        // Where some tree tests one of them, robustness is no matter of course.
        let is_idle = radius.is_some() && !idle.is_empty() && free.iter().all(|feature| !tested(ensemble)[*feature]);
        let finding = if radius.is_some() { Finding::Robust(answer) } else { Finding::Closest(answer) };
        Ok(report(finding, if is_idle { idle } else { vec![] }))
    }
}

/// Any other label, or the one that was asked for.
fn label(task: &Task, ensemble: &Ensemble, target: Option<&str>, instead: &'static str) -> Result<Goal, TaskError> {
    if *ensemble.label_rule() == LabelRule::None && task.threshold.is_none() {
        return Err(TaskError::Unlabelled { instead });
    }
    let Some(target) = target else { return Ok(Goal::Other) };
    let classes = ensemble.classes();
    let by_name = classes.iter().position(|class| class.to_string() == *target);
    let by_number = || target.parse().ok().filter(|place| classes.is_empty() && *place < ensemble.num_margins().max(2));
    by_name.or_else(by_number).map(Goal::Class).ok_or_else(|| {
        let names: Vec<String> = classes.iter().map(ToString::to_string).collect();
        let meant =
            suggest::closest_name(target, names.iter().map(String::as_str)).filter(|_| target.parse::<f64>().is_err());
        let meant = meant.map(|meant| format!("; did you mean `{meant}`?")).unwrap_or_default();
        let more = if names.len() > 8 { ", …" } else { "" };
        let known = names[..names.len().min(8)].join(", ");
        let what = format!("there is no class `{target}`; there are {known}{more}{meant}");
        TaskError::Value { field: "target", what }
    })
}

pub(super) fn metric(
    measure: &Measure,
    ensemble: &Ensemble,
    groups: &Groups,
    scale: Option<&Rows>,
) -> Result<Metric, TaskError> {
    let mut metric = Metric::new(measure.norm, ensemble, groups);
    (metric.missing_cost, metric.category_cost) = (measure.missing_cost, measure.category_cost);
    let vocabulary = Vocabulary::new(ensemble, groups, Inputs::One);
    for (name, weight) in &measure.weights {
        let columns = vocabulary.columns_called(name);
        let columns = columns.map_err(|what| TaskError::Value { field: "weights", what })?;
        columns.into_iter().for_each(|column| metric.factors[column] = *weight);
    }
    match (scale, &measure.scale) {
        (Some(rows), Some(_)) => {
            let scale = |(index, feature): (usize, &Feature)| {
                // Another category, or another value of a group, is as far away as is said; codes have no scale.
                if feature.is_category() || groups.of(index).is_some() {
                    return Ok(1.0);
                }
                let is_number = |raw: &f64| {
                    raw.is_finite() && matches!(ensemble.input().read(feature, *raw), Ok(Reading::Number(_)))
                };
                let deviation = deviation(rows.iter().map(|row| row[index]).filter(is_number));
                if !((metric.factors[index] / deviation.min(1.0)).is_finite() || deviation == 0.0)
                    || !deviation.is_finite()
                {
                    let name = &feature.name;
                    let what = format!("`{name}` cannot be scaled by its standard deviation, which is {deviation:e}");
                    return Err(TaskError::Value { field: "scale", what });
                }
                // What does not vary is not scaled.
                Ok(if deviation > 0.0 { deviation } else { 1.0 })
            };
            let scales = ensemble.features().iter().enumerate().map(scale).collect::<Result<_, _>>()?;
            metric.scales = Some(scales);
            Ok(metric)
        }
        (None, None) => Ok(metric),
        _ => {
            Err(TaskError::Field { field: "scale", what: "and the rows of its file must be given together".to_owned() })
        }
    }
}

/// The standard deviation of some numbers.
fn deviation(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        let apart = number - mean;
        mean += apart / count;
        squares += apart * (number - mean);
    }
    if count > 0.0 { (squares / count).sqrt() } else { 0.0 }
}
