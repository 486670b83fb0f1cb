//! What a task of the general form names, read.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;

use super::{AskError, Sources, observe};
use crate::problem::{Observed, ObservedInputs};
use crate::report::Report;
use crate::rows::RowOptions;
use crate::solve::solve_general;
use crate::task::{GeneralTask, TaskError};
use crate::watch::Watcher;

/// Everything that a task of the general form names, read.
#[derive(Debug)]
pub struct GeneralGiven {
    models: Vec<Arc<Ensemble>>,
    observed: BTreeMap<PathBuf, Observed>,
}

impl GeneralGiven {
    /// Reads what a task names.
    ///
    /// # Errors
    /// If something is not named or cannot be read, or if the task is wrong.
    pub fn read(task: &GeneralTask, sources: &dyn Sources) -> Result<Self, AskError> {
        task.validate()?;
        let mut models = vec![];
        for (name, file) in &task.models {
            let file = file.as_deref().ok_or_else(|| AskError::NoModel { name: name.clone() })?;
            models.push(sources.model(file, &task.reading)?);
        }
        let options = RowOptions::default().with_categories(task.reading.categories);
        let mut observed = BTreeMap::new();
        for name in task.domains().into_iter().flatten() {
            if !observed.contains_key(name) {
                observed.insert(name.to_owned(), observe(name, &models[0], sources, &options)?);
            }
        }
        Ok(Self { models, observed })
    }

    /// The models, in order of their names.
    pub fn models(&self) -> Vec<&Ensemble> {
        self.models.iter().map(|model| &**model).collect()
    }

    /// Answers the task for which this was read.
    ///
    /// # Errors
    /// If the task or a condition is wrong, or the models are none about which questions can be answered.
    pub fn answer(&self, task: &GeneralTask, watcher: &dyn Watcher) -> Result<Report, TaskError> {
        let domains = task.domains();
        let of_input = |input: usize| domains.get(input).copied().flatten().and_then(|name| self.observed.get(name));
        let observed = ObservedInputs { first: of_input(0), second: of_input(1) };
        solve_general(task, &self.models(), observed, watcher)
    }
}
