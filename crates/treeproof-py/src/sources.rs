//! What a task names: objects at hand by their names, else files.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use treeproof::rows::{Labelled, RowOptions, class_names};
use treeproof::sources::{AskError, InputFiles, Sources};
use treeproof::task::Reading;
use treeproof_data::Column;
use treeproof_ensemble::ensemble::Ensemble;

use crate::error::worded;
use crate::table::PyTable;

/// Objects by the names that a task has for them.
#[derive(Default)]
pub(crate) struct Objects<'a> {
    pub(crate) models: HashMap<PathBuf, Arc<Ensemble>>,
    pub(crate) tables: HashMap<PathBuf, &'a PyTable>,
    /// The labels of some of these rows, by the name of the rows.
    pub(crate) labels: Option<(PathBuf, Column)>,
    /// What was guessed about rows and may surprise.
    pub(crate) notes: Mutex<Vec<String>>,
    /// The files that are no objects.
    pub(crate) files: InputFiles,
}

impl Objects<'_> {
    /// True if an object at hand has this name.
    pub(crate) fn has(&self, name: &Path) -> bool {
        self.models.contains_key(name) || self.tables.contains_key(name)
    }
}

impl Sources for Objects<'_> {
    fn model(&self, name: &Path, reading: &Reading) -> Result<Arc<Ensemble>, AskError> {
        match self.models.get(name) {
            Some(model) => Ok(Arc::clone(model)),
            None => Ok(self.files.model(name, reading)?),
        }
    }

    fn data(&self, name: &Path, model: &Ensemble, options: &RowOptions) -> Result<Labelled, AskError> {
        let labelled = match self.tables.get(name) {
            Some(table) => {
                let mut labelled = table.rows(model, options).map_err(|error| AskError::data(name, error))?;
                if let Some((_, labels)) = self.labels.as_ref().filter(|(of, _)| of == name) {
                    let labels = class_names(labels, model).map_err(|error| AskError::data(name, error))?;
                    if labels.len() != labelled.rows.len() {
                        let what = format!("{} labels for {} rows", labels.len(), labelled.rows.len());
                        return Err(AskError::about(Path::new("y"), what));
                    }
                    labelled.labels = Some(labels);
                }
                labelled
            }
            None => {
                let table = self.files.table(name)?;
                Labelled::of_table(&table, model, options).map_err(|error| AskError::data(name, error))?
            }
        };
        let notes = labelled.rows.notes().iter().map(|note| format!("{}: {}", name.display(), worded(note)));
        self.notes.lock().unwrap_or_else(PoisonError::into_inner).extend(notes);
        Ok(labelled)
    }

    fn domain_label(&self, name: &Path) -> String {
        // What is at hand is called as its argument, unless it was read from a file.
        match name.as_os_str() == "domain" {
            true => "domain".to_owned(),
            false => format!("domain {}", name.display()),
        }
    }
}
