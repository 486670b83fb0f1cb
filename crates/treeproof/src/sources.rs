//! What a task names, at hand: models, rows, labels, a domain. Shells say where names lead; what is asked of them, and in
//! which order, is the same for all.

mod error;
mod folder;
mod general;
mod input_files;
mod labelled;

use std::path::Path;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::LabelRule;

use crate::problem::{Observed, Predicate};
use crate::report::Report;
use crate::rows::{RowOptions, Rows};
use crate::solve::{RowData, refuse_code, solve_rows, solve_told, solve_two_told};
use crate::task::{Question, Reading, Task, TaskError};
use crate::watch::Watcher;

pub use self::error::AskError;
pub use self::folder::{Folder, files_of, files_of_general};
pub use self::general::GeneralGiven;
pub use self::input_files::InputFiles;
pub use self::labelled::{Labelled, TrueLabel, class_names};

/// Finds what tasks name.
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

/// Everything that a task names, read.
#[derive(Debug)]
pub struct Given {
    ensemble: Arc<Ensemble>,
    /// Of `diff`.
    other: Option<Arc<Ensemble>>,
    rows: Option<Rows>,
    labels: Option<Vec<TrueLabel>>,
    scale: Option<Rows>,
    observed: Option<Observed>,
    predicate: Option<Arc<dyn Predicate>>,
}

impl Given {
    /// Reads what a task names.
    ///
    /// # Errors
    /// If something is not named or cannot be read.
    pub fn read(task: &Task, sources: &dyn Sources) -> Result<Self, AskError> {
        let model = task.model.as_deref().ok_or_else(|| missing("model", "is missing: name its file"))?;
        Self::read_for(sources.model(model, &task.reading)?, task, sources)
    }

    /// The same, with the model that the task names.
    ///
    /// # Errors
    /// As [`Self::read`].
    pub fn read_for(ensemble: Arc<Ensemble>, task: &Task, sources: &dyn Sources) -> Result<Self, AskError> {
        let mut other = None;
        if let Question::Diff(diff) = &task.question {
            let file = diff.other_model.as_deref();
            let file = file.ok_or_else(|| missing("other_model", "is missing: name its file"))?;
            other = Some(sources.model(file, &task.reading)?);
        }
        let (mut label, mut scale) = (None, None);
        if let Question::Robust(robust) = &task.question {
            (label, scale) = (robust.label.as_deref(), robust.measure.scale_file());
            if label.is_some() {
                refuse_labels(task, &ensemble)?;
            }
        }
        if let Question::Closest(closest) = &task.question {
            scale = closest.measure.scale_file();
        }
        if let Question::Stable(stable) = &task.question {
            scale = stable.measure.scale_file();
        }
        if task.data.is_none() && task.question.needs_rows() {
            return Err(missing("data", &format!("is missing: `{}` is asked about rows", task.question.name())));
        }
        let options = RowOptions::default().with_categories(task.reading.categories);
        let (mut rows, mut labels) = (None, None);
        if let Some(data) = &task.data {
            let options = RowOptions::labelled(label).with_categories(task.reading.categories);
            let read = sources.data(data, &ensemble, &options)?;
            if read.rows.is_empty() {
                return Err(AskError::about(data, "there are no rows to ask about"));
            }
            if read.labels.is_some() {
                refuse_labels(task, &ensemble)?;
            }
            rows = Some(read.rows.first(task.rows.unwrap_or(usize::MAX)));
            labels = read.labels;
        }
        let scale = scale.map(|file| sources.data(Path::new(file), &ensemble, &options)).transpose()?;
        let observed = task.domain.as_deref().map(|name| observe(name, &ensemble, sources, &options)).transpose()?;
        Ok(Self { ensemble, other, rows, labels, scale: scale.map(|scale| scale.rows), observed, predicate: None })
    }

    /// With a condition that is code.
    #[must_use]
    pub fn under(self, predicate: Option<Arc<dyn Predicate>>) -> Self {
        Self { predicate, ..self }
    }

    /// The models, in order.
    pub fn models(&self) -> Vec<&Ensemble> {
        std::iter::once(&*self.ensemble).chain(self.other.as_deref()).collect()
    }

    /// All rows that were read, for whatever use.
    pub fn all_rows(&self) -> Vec<&Rows> {
        let domain = self.observed.as_ref().map(|observed| &observed.rows);
        self.rows.iter().chain(&self.scale).chain(domain).collect()
    }

    /// Answers the task for which this was read.
    ///
    /// # Errors
    /// If the task or a condition is wrong, or the model is none about which questions can be answered.
    pub fn answer(&self, task: &Task, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        let observed = self.observed.as_ref();
        if self.predicate.is_some() {
            refuse_code(task, watcher)?;
        }
        match (&self.other, self.rows.as_ref().or(self.scale.as_ref())) {
            (Some(other), _) => {
                solve_two_told(task, [&self.ensemble, other], observed, self.predicate.as_ref(), watcher)
            }
            (None, Some(rows)) => {
                let data = RowData { rows, labels: self.labels.as_deref(), scale: self.scale.as_ref() };
                solve_rows(task, &self.ensemble, data, observed, watcher)
            }
            (None, None) => solve_told(task, &self.ensemble, observed, self.predicate.as_ref(), watcher),
        }
    }
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
