//! Data files for a model, with what was guessed about them on standard error.

use std::io::Write;
use std::path::Path;

use anyhow::Context;
use treeproof::rows::{RowOptions, Rows};
use treeproof_ensemble::ensemble::Ensemble;

use crate::files;

/// Reads a data file as rows for a model.
pub(crate) fn read(path: &Path, ensemble: &Ensemble, options: &RowOptions) -> anyhow::Result<Rows> {
    let table = files::read_table(path)?;
    Rows::from_table(&table, ensemble, options).with_context(|| path.display().to_string())
}

/// Says what was guessed about a data file.
pub(crate) fn tell_notes(path: &Path, rows: &Rows) {
    for note in rows.notes() {
        // A note that nobody can see must not stop the answer.
        let _ = writeln!(std::io::stderr(), "treeproof: note: {}: {note}", path.display());
    }
}
