//! Reports as pages, and what is shown of them in a few lines.

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use treeproof::inspect::{about_now, model_facts, tested};
use treeproof::task::TaskFile;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_render::{Content, Curve, Spelling, html};
use treeproof_report::{About, AnyReport, ModelFacts, Recorder, SavedAnswer, TaskRecord};

use crate::error;
use crate::json::json;
use crate::model::PyModel;

/// What counts of an event.
#[derive(Deserialize)]
struct TraceEvent {
    question: String,
    seconds: f64,
    lower: Option<f64>,
    upper: Option<f64>,
    rows_done: Option<u64>,
}

/// A page about a report. The report, its task and how bounds improved come as JSON.
#[pyfunction]
pub(crate) fn page(
    py: Python<'_>,
    report: &str,
    task: Option<&str>,
    trace: &str,
    models: Vec<PyRef<'_, PyModel>>,
) -> PyResult<String> {
    let facts = models.iter().map(|model| model.short_facts(py));
    let mut about = about(about_now(env!("CARGO_PKG_VERSION")), task, &models, facts)?;
    let report = answer(report)?;
    let is_of_one_search = if let AnyReport::Question(report) = &report { report.is_of_one_search() } else { false };
    let mut recorder = Recorder::default();
    for event in read::<Vec<TraceEvent>>(trace)?.iter().filter(|event| is_of_one_search && event.rows_done.is_none()) {
        recorder.add(&event.question, event.seconds, event.lower, event.upper);
    }
    about.trace = recorder.take();
    Ok(html(&[SavedAnswer { report, about }], Spelling::Arguments))
}

/// What terminals and notebooks show of a report: words, facts and tables. All is JSON.
#[pyfunction]
pub(crate) fn describe(report: &str, task: Option<&str>, models: Vec<PyRef<'_, PyModel>>) -> PyResult<String> {
    let facts = models.iter().map(|model| model_facts(&model.ensemble));
    let about = about(About::default(), task, &models, facts)?;
    json(&Content::of(&answer(report)?, &about, Spelling::Arguments))
}

/// The robustness curve of a report, if it has one. Both are JSON.
#[pyfunction]
pub(crate) fn curve(report: &str) -> PyResult<Option<String>> {
    let curve = match &answer(report)? {
        AnyReport::Question(report) => Curve::of(report),
        AnyReport::Audit(_) | AnyReport::Check(_) => None,
    };
    curve.map(|curve| json(&curve)).transpose()
}

/// What is shown, as plain text; it comes as JSON.
#[pyfunction]
pub(crate) fn text(content: &str) -> PyResult<String> {
    Ok(read::<Content>(content)?.plain())
}

/// Adds what is known about a report.
fn about(
    mut about: About,
    task: Option<&str>,
    models: &[PyRef<'_, PyModel>],
    facts: impl Iterator<Item = ModelFacts>,
) -> PyResult<About> {
    about.models = facts.collect();
    let models: Vec<&Ensemble> = models.iter().map(|model| &*model.ensemble).collect();
    about.task = task.map(read::<TaskRecord>).transpose()?;
    if let (Some(text), Some(first)) = (task, models.first()) {
        let (groups, told) = match TaskFile::read(text) {
            Ok(TaskFile::Named(task)) => (task.groups_in(first).ok(), changed(&*task, &task.with_names(&models))),
            Ok(TaskFile::General(task)) => (task.groups_in(first).ok(), changed(&*task, &task.with_names(&models))),
            Err(_) => (None, None),
        };
        about.tested = groups.map(|groups| tested(&models, &groups));
        about.task = told.or(about.task);
    }
    Ok(about)
}

/// The answer in a report, which comes as JSON.
fn answer(report: &str) -> PyResult<AnyReport> {
    let saved = SavedAnswer::read(read(report)?);
    Ok(saved.map_err(|refused| error::of_text(&format!("the report {refused}")))?.report)
}

/// The record of a task with names, if it differs from the task as given.
fn changed<T: PartialEq + Serialize>(given: &T, named: &T) -> Option<TaskRecord> {
    (named != given).then(|| serde_json::to_value(named).ok()).flatten().map(TaskRecord::from)
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| error::internal(&error.to_string()))
}
