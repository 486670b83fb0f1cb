//! The files that a task names: models, rows, and what is read with them.

use std::path::Path;
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
    pub(crate) fn read(task: &Task, reading: &ReadingArgs) -> anyhow::Result<Self> {
        let model = task.model.as_deref().context("model is missing: name its file")?;
        let ensemble = reading.load(Path::new(model))?;
        let mut other = None;
        if let Question::Diff(diff) = &task.question {
            let file = diff.other_model.as_deref().context("other_model is missing: name its file")?;
            other = Some(reading.load(Path::new(file))?);
        }
        let (mut label, mut scale) = (None, None);
        if let Question::Robust(robust) = &task.question {
            (label, scale) = (robust.label.as_deref(), robust.measure.scale_file());
        }
        if let Question::Closest(closest) = &task.question {
            scale = closest.measure.scale_file();
        }
        anyhow::ensure!(
            task.data.is_some() || !task.question.needs_rows(),
            "data is missing: `{}` is asked about rows",
            task.question.name()
        );
        let (mut rows, mut labels) = (None, None);
        if let Some(data) = &task.data {
            let read = Labelled::read(Path::new(data), &ensemble, label)?;
            rows = Some(read.rows.first(task.rows.unwrap_or(usize::MAX)));
            labels = read.labels;
        }
        let scale = scale.map(|file| rows::read(Path::new(file), &ensemble, &RowOptions::default())).transpose()?;
        let observed = task.domain.as_deref().map(|path| observe(Path::new(path), &ensemble)).transpose()?;
        Ok(Self { ensemble: Arc::new(ensemble), other, rows, labels, scale, observed })
    }

    /// The models, in order.
    pub(crate) fn models(&self) -> Vec<&Ensemble> {
        std::iter::once(&*self.ensemble).chain(&self.other).collect()
    }

    /// Answers the task for which this was read.
    pub(crate) fn answer(&self, task: &Task, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        let observed = self.observed.as_ref();
        match (&self.other, &self.rows) {
            (Some(other), _) => solve_two(task, [&self.ensemble, other], observed, watcher),
            (None, Some(rows)) => {
                let data = RowData { rows, labels: self.labels.as_deref(), scale: self.scale.as_ref() };
                solve_rows(task, &self.ensemble, data, observed, watcher)
            }
            (None, None) => solve(task, &self.ensemble, observed, watcher),
        }
    }
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

fn observe(path: &Path, ensemble: &Ensemble) -> anyhow::Result<Observed> {
    let rows = rows::read(path, ensemble, &RowOptions::default())?;
    let named = || path.display().to_string();
    anyhow::ensure!(!rows.is_empty(), "{}: there are no rows to take a domain from", named());
    Observed::new(format!("--domain {}", named()), &rows, ensemble)
        .map_err(|(row, error)| anyhow::anyhow!("row {row}: {error}"))
        .with_context(named)
}
