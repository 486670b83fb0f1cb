//! The models, rows, labels and domains that a task names, read. Shells say where names lead; the order in which they are read is
//! the same for all.

mod error;
mod folder;
mod input_files;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::LabelRule;

use crate::model::Model;
use crate::problem::Observed;
use crate::rows::{Labelled, RowOptions};
use crate::task::{GeneralTask, Measure, Query, Question, Reading, Task, TaskError, TaskFile};

pub use self::error::AskError;
pub use self::folder::{Folder, files_of, files_of_general};
pub use self::input_files::InputFiles;

/// A finder of the models and rows that tasks name.
pub trait Sources {
    /// The model of a name; a file is read so.
    ///
    /// # Errors
    /// If there is none, or none that can be read.
    fn model(&self, name: &Path, reading: &Reading) -> Result<Arc<Ensemble>, AskError>;

    /// The rows of a name, as a model reads them; with their labels, if the options name their column or they are known anyway.
    ///
    /// # Errors
    /// If there are none, or they do not fit the model.
    fn data(&self, name: &Path, model: &Ensemble, options: &RowOptions) -> Result<Labelled, AskError>;

    /// What the domain of a name is called in answers.
    fn domain_label(&self, name: &Path) -> String {
        format!("domain {}", name.display())
    }
}

/// Reads everything that a task names.
///
/// # Errors
/// If something is not named or cannot be read.
pub fn read(task: impl Into<TaskFile>, sources: &dyn Sources) -> Result<Query, AskError> {
    let task = match task.into() {
        TaskFile::Named(task) => task,
        TaskFile::General(task) => return read_general(*task, sources),
    };
    let model = task.model.as_deref().ok_or_else(|| missing("model", "is missing: name its file"))?;
    read_for(sources.model(model, &task.reading)?, *task, sources)
}

/// Reads everything that a task names but its model, which is at hand.
///
/// # Errors
/// As [`read`].
pub fn read_for(ensemble: Arc<Ensemble>, task: Task, sources: &dyn Sources) -> Result<Query, AskError> {
    let mut models = vec![Model::from(&ensemble)];
    if let Question::Diff(diff) = &task.question {
        let file = diff.other_model.as_deref();
        let file = file.ok_or_else(|| missing("other_model", "is missing: name its file"))?;
        models.push(sources.model(file, &task.reading)?.into());
    }
    let label = if let Question::Robust(robust) = &task.question { robust.label.as_deref() } else { None };
    if label.is_some() {
        refuse_labels(&task, &ensemble)?;
    }
    if task.data.is_none() && task.question.needs_rows() {
        return Err(missing("data", &format!("is missing: `{}` is asked about rows", task.question.name())));
    }
    let options = RowOptions::default().with_categories(task.reading.categories);
    let mut query = Query::new(task.clone(), models);
    if let Some(data) = &task.data {
        let options = RowOptions::labelled(label).with_categories(task.reading.categories);
        let read = sources.data(data, &ensemble, &options)?;
        if read.rows.is_empty() {
            return Err(AskError::about(data, "there are no rows to ask about"));
        }
        query = query.rows(read.rows.first(task.rows.unwrap_or(usize::MAX)));
        if let Some(labels) = read.labels {
            refuse_labels(&task, &ensemble)?;
            query = query.labels(labels);
        }
    }
    if let Some(file) = task.question.measure().and_then(Measure::scale_file) {
        query = query.scale(sources.data(Path::new(file), &ensemble, &options)?.rows);
    }
    if let Some(name) = &task.domain {
        query = query.domain(observe(name, &ensemble, sources, &options)?);
    }
    Ok(query)
}

/// Reads everything that a task of the general form names.
fn read_general(task: GeneralTask, sources: &dyn Sources) -> Result<Query, AskError> {
    task.validate()?;
    let mut models = vec![];
    for (name, file) in &task.models {
        let file = file.as_deref().ok_or_else(|| AskError::NoModel { name: name.clone() })?;
        models.push(sources.model(file, &task.reading)?);
    }
    let options = RowOptions::default().with_categories(task.reading.categories);
    let mut observed: BTreeMap<PathBuf, Arc<Observed>> = BTreeMap::new();
    for name in task.domains().into_iter().flatten() {
        if !observed.contains_key(name) {
            observed.insert(name.to_owned(), Arc::new(observe(name, &models[0], sources, &options)?));
        }
    }
    let domains = task.domains();
    let of_input = |input: usize| domains.get(input).copied().flatten().and_then(|name| observed.get(name)).cloned();
    let of_inputs = [0, 1].map(of_input);
    Ok(Query::new(task, models.into_iter().map(Model::from)).domains(of_inputs))
}

fn missing(field: &'static str, what: &str) -> AskError {
    TaskError::Field { field, what: what.to_owned() }.into()
}

/// Refuses labels of rows where the model has none.
fn refuse_labels(task: &Task, ensemble: &Ensemble) -> Result<(), AskError> {
    let has_labels = *ensemble.label_rule() != LabelRule::None || task.threshold.is_some();
    let what = "says nothing of a regression: leave it out, and ask with --within EPS";
    if has_labels { Ok(()) } else { Err(TaskError::Field { field: "label", what: what.to_owned() }.into()) }
}

/// What rows show of each feature.
fn observe(
    name: &Path,
    ensemble: &Ensemble,
    sources: &dyn Sources,
    options: &RowOptions,
) -> Result<Observed, AskError> {
    let rows = sources.data(name, ensemble, options)?.rows;
    if rows.is_empty() {
        return Err(AskError::about(name, "there are no rows to take a domain from"));
    }
    Observed::new(sources.domain_label(name), rows, ensemble)
        .map_err(|(row, error)| AskError::about(name, format!("row {row}: {error}")))
}
