//! The files that a task names.

use std::path::Path;
use std::sync::Arc;

use treeproof::rows::RowOptions;
use treeproof::sources::{AskError, Labelled, Sources};
use treeproof_ensemble::ensemble::Ensemble;

use crate::args::ReadingArgs;
use crate::ask::Source;
use crate::rows;

/// Reads the files that a task names.
pub(crate) struct Files<'a> {
    pub(crate) reading: &'a ReadingArgs,
    /// Where the task comes from.
    pub(crate) source: Source<'a>,
}

impl Sources for Files<'_> {
    fn model(&self, name: &Path) -> Result<Arc<Ensemble>, AskError> {
        self.reading.load(name).map(Arc::new).map_err(AskError::Model)
    }

    fn data(&self, name: &Path, model: &Ensemble, label: Option<&str>) -> Result<Labelled, AskError> {
        let table = treeproof_data::read(name)?;
        let mut options = RowOptions::default();
        options.label = label.map(str::to_owned);
        let labelled = Labelled::of_table(&table, model, &options).map_err(|error| AskError::data(name, error))?;
        rows::tell_notes(name, &labelled.rows);
        Ok(labelled)
    }

    fn domain_label(&self, name: &Path) -> String {
        match self.source {
            Source::Flags => format!("--domain {}", name.display()),
            Source::File(_) | Source::Check(..) => format!("domain {}", name.display()),
        }
    }
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
