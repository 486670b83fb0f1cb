//! The files that a task names: models, rows, and what is read with them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use treeproof::observed::Observed;
use treeproof::rows::{RowOptions, Rows, label_column};
use treeproof::task::{Question, Task, TaskError};
use treeproof::watch::Watcher;
use treeproof::{Report, RowData, solve, solve_rows, solve_two};
use treeproof_data::Column;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::ClassName;

use crate::args::ReadingArgs;
use crate::ask::Source;
use crate::{output, rows};

/// Everything that a task names, read.
pub(crate) struct Files {
    ensemble: Arc<Ensemble>,
    /// Of `diff`.
    other: Option<Ensemble>,
    rows: Option<Rows>,
    labels: Option<Vec<Option<ClassName>>>,
    scale: Option<Rows>,
    observed: Option<Observed>,
}

impl Files {
    pub(crate) fn read(task: &Task, reading: &ReadingArgs, source: Source<'_>) -> anyhow::Result<Self> {
        let model = task.model.as_deref().ok_or_else(|| missing(source, "model", "is missing: name its file"))?;
        let ensemble = reading.load(model)?;
        Self::read_for(Arc::new(ensemble), task, reading, source)
    }

    /// The same, with the model that the task names.
    pub(crate) fn read_for(
        ensemble: Arc<Ensemble>,
        task: &Task,
        reading: &ReadingArgs,
        source: Source<'_>,
    ) -> anyhow::Result<Self> {
        let mut other = None;
        if let Question::Diff(diff) = &task.question {
            let file = diff.other_model.as_deref();
            let file = file.ok_or_else(|| missing(source, "other_model", "is missing: name its file"))?;
            other = Some(reading.load(file)?);
        }
        let (mut label, mut scale) = (None, None);
        if let Question::Robust(robust) = &task.question {
            (label, scale) = (robust.label.as_deref(), robust.measure.scale_file());
        }
        if let Question::Closest(closest) = &task.question {
            scale = closest.measure.scale_file();
        }
        if let Question::Stable(stable) = &task.question {
            scale = stable.measure.scale_file();
        }
        if task.data.is_none() && task.question.needs_rows() {
            let what = format!("is missing: `{}` is asked about rows", task.question.name());
            return Err(missing(source, "data", &what));
        }
        let (mut rows, mut labels) = (None, None);
        if let Some(data) = &task.data {
            let read = Labelled::read(data, &ensemble, label)?;
            rows = Some(read.rows.first(task.rows.unwrap_or(usize::MAX)));
            labels = read.labels;
        }
        let scale = scale.map(|file| rows::read(Path::new(file), &ensemble, &RowOptions::default())).transpose()?;
        let observed = task.domain.as_deref().map(|path| observe(path, &ensemble, source)).transpose()?;
        Ok(Self { ensemble, other, rows, labels, scale, observed })
    }

    /// The models, in order.
    pub(crate) fn models(&self) -> Vec<&Ensemble> {
        std::iter::once(&*self.ensemble).chain(&self.other).collect()
    }

    /// Answers the task for which this was read.
    pub(crate) fn answer(&self, task: &Task, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        let observed = self.observed.as_ref();
        match (&self.other, self.rows.as_ref().or(self.scale.as_ref())) {
            (Some(other), _) => solve_two(task, [&self.ensemble, other], observed, watcher),
            (None, Some(rows)) => {
                let data = RowData { rows, labels: self.labels.as_deref(), scale: self.scale.as_ref() };
                solve_rows(task, &self.ensemble, data, observed, watcher)
            }
            (None, None) => solve(task, &self.ensemble, observed, watcher),
        }
    }
}

fn missing(source: Source<'_>, field: &'static str, what: &str) -> anyhow::Error {
    source.locate(TaskError::Field { field, what: what.to_owned() })
}

/// Rows, and their labels if they have any.
struct Labelled {
    rows: Rows,
    labels: Option<Vec<Option<ClassName>>>,
}

impl Labelled {
    fn read(path: &Path, ensemble: &Ensemble, label: Option<&str>) -> anyhow::Result<Self> {
        let named = || path.display().to_string();
        let table = treeproof_data::read(path)?;
        let mut options = RowOptions::default();
        options.label = label.map(str::to_owned);
        let rows = Rows::from_table(&table, ensemble, &options).with_context(named)?;
        rows::tell_notes(path, &rows);
        anyhow::ensure!(!rows.is_empty(), "{}: there are no rows to ask about", named());
        let column = label.map(|name| label_column(&table, name)).transpose().with_context(named)?;
        let labels = column.map(|column| class_names(column, ensemble)).transpose().with_context(named)?;
        Ok(Self { rows, labels })
    }
}

/// The labels of a column as classes of the model; none where it is none of them.
fn class_names(column: &Column, ensemble: &Ensemble) -> anyhow::Result<Vec<Option<ClassName>>> {
    let classes: Vec<ClassName> = (0..ensemble.num_margins().max(2)).map(|class| ensemble.class_name(class)).collect();
    let find = |text: &str| classes.iter().find(|class| class.to_string() == text).cloned();
    match column {
        Column::Numbers(numbers) => Ok(numbers.iter().map(|number| find(&output::number(*number))).collect()),
        Column::Texts(texts) => Ok(texts.iter().map(|text| text.and_then(find)).collect()),
        Column::Refused(why) => anyhow::bail!("the column of labels: {why}"),
        _ => anyhow::bail!("the column of labels has neither numbers nor texts"),
    }
}

/// What a file of rows shows of each feature.
pub(crate) fn observe(path: &Path, ensemble: &Ensemble, source: Source<'_>) -> anyhow::Result<Observed> {
    let rows = rows::read(path, ensemble, &RowOptions::default())?;
    let named = || path.display().to_string();
    anyhow::ensure!(!rows.is_empty(), "{}: there are no rows to take a domain from", named());
    let called = match source {
        Source::Flags => "--domain",
        Source::File(_) | Source::Check(..) => "domain",
    };
    Observed::new(format!("{called} {}", named()), rows, ensemble)
        .map_err(|(row, error)| anyhow::anyhow!("row {row}: {error}"))
        .with_context(named)
}

/// The text of a file that people write.
pub(crate) fn read_text(path: &Path) -> anyhow::Result<String> {
    std::fs::read_to_string(path).map_err(|error| unread(path, error))
}

pub(crate) fn read_bytes(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).map_err(|error| unread(path, error))
}

/// That a file cannot be read.
pub(crate) fn unread(path: &Path, error: std::io::Error) -> anyhow::Error {
    match error.kind() {
        std::io::ErrorKind::NotFound => anyhow::anyhow!("{}: no such file", path.display()),
        std::io::ErrorKind::InvalidData => anyhow::anyhow!("{}: is not text in UTF-8", path.display()),
        _ => anyhow::Error::from(error).context(path.display().to_string()),
    }
}

/// The folder of a file that names others, to which these names are relative.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn of(file: &Path) -> Self {
        Self(file.parent().unwrap_or(Path::new("")).to_owned())
    }

    /// Makes a file name relative to where the command runs.
    pub(crate) fn locate(&self, file: Option<&mut PathBuf>) {
        if let Some(file) = file {
            *file = self.0.join(&*file);
        }
    }

    /// The same of all files that a task names.
    pub(crate) fn locate_all(&self, task: &mut Task) {
        let Task { model, domain, data, question, .. } = task;
        for file in [model, domain, data] {
            self.locate(file.as_mut());
        }
        let measure = match question {
            Question::Diff(diff) => return self.locate(diff.other_model.as_mut()),
            Question::Robust(robust) => &mut robust.measure,
            Question::Closest(closest) => &mut closest.measure,
            Question::Stable(stable) => &mut stable.measure,
            _ => return,
        };
        if let Some(mut file) = measure.scale_file().map(PathBuf::from) {
            self.locate(Some(&mut file));
            measure.scale = Some(format!("std:{}", file.display()));
        }
    }
}
