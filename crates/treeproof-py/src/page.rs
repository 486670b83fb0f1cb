//! Reports as pages, and what is shown of them in a few lines.

use pyo3::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use treeproof::inspect::{ShortFacts, tested};
use treeproof::task::TaskFile;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_page::{About, Content, Curve, Recorder, Saved, Spelling, html};

use crate::error;
use crate::model::{Model, json};

/// What counts of an event.
#[derive(Deserialize)]
struct Event {
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
    models: Vec<PyRef<'_, Model>>,
) -> PyResult<String> {
    let facts = models.iter().map(|model| model.short_facts(py));
    let mut about = about(About::now(env!("CARGO_PKG_VERSION")), task, &models, facts)?;
    let answer: Value = read(report)?;
    // Many searches in one picture would say nothing.
    let is_about_bounds = answer["lower"].is_number() || answer["upper"].is_number() || answer["min"].is_object();
    let mut recorder = Recorder::default();
    for event in read::<Vec<Event>>(trace)?.iter().filter(|event| is_about_bounds && event.rows_done.is_none()) {
        recorder.add(&event.question, event.seconds, event.lower, event.upper);
    }
    about.trace = recorder.take();
    let saved = Saved::read(answer).map_err(|refused| error::of_text(&format!("the report {refused}")))?;
    Ok(html(&[Saved { answer: saved.answer, about }], Spelling::Arguments))
}

/// What terminals and notebooks show of a report: words, facts and tables. All is JSON.
#[pyfunction]
pub(crate) fn describe(report: &str, task: Option<&str>, models: Vec<PyRef<'_, Model>>) -> PyResult<String> {
    let facts = models.iter().map(|model| ShortFacts::of(&model.ensemble));
    let about = about(About::default(), task, &models, facts)?;
    json(&Content::of(&read(report)?, &about, Spelling::Arguments))
}

/// The robustness curve of a report, if it has one. Both are JSON.
#[pyfunction]
pub(crate) fn curve(report: &str) -> PyResult<Option<String>> {
    Curve::of(&read(report)?).map(|curve| json(&curve)).transpose()
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
    models: &[PyRef<'_, Model>],
    facts: impl Iterator<Item = ShortFacts>,
) -> PyResult<About> {
    let facts: Result<Vec<Value>, _> = facts.map(serde_json::to_value).collect();
    about.models = facts.map_err(|error| error::internal(&error.to_string()))?;
    let models: Vec<&Ensemble> = models.iter().map(|model| &*model.ensemble).collect();
    about.task = task.map(read).transpose()?;
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

/// What is told instead of a task as it was given, if that is anything else.
fn changed<T: PartialEq + Serialize>(given: &T, told: &T) -> Option<Value> {
    (told != given).then(|| serde_json::to_value(told).ok()).flatten()
}

fn read<T: for<'de> Deserialize<'de>>(text: &str) -> PyResult<T> {
    serde_json::from_str(text).map_err(|error| error::internal(&error.to_string()))
}
