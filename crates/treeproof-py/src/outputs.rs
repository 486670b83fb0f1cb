//! Files that are written for Python: by the rule of the command line, in its words.

use std::path::{Path, PathBuf};

use pyo3::prelude::*;
use treeproof::outputs::{FileKind, MODEL, OutputError, Outputs, PROOF, Replacement};
use treeproof_render::is_page;

use crate::error;
use crate::watch::unwritten;

/// Opens the file of a proof, if one is wanted, beside these inputs.
pub(crate) fn open_proof<'p>(
    path: Option<&Path>,
    inputs: impl Iterator<Item = &'p Path>,
    is_forced: bool,
) -> PyResult<Option<Replacement>> {
    let open = |path| Outputs::new(inputs, is_forced).open("--proof", path, PROOF);
    path.map(open).transpose().map_err(|refused| match refused {
        OutputError::Io { path, error } => unwritten(&path, &error),
        refused => error::of_text(&refused.to_string()),
    })
}

/// Writes a whole file of a kind, `model` or `page`, which does not overwrite these inputs or files of other kinds.
#[pyfunction]
pub(crate) fn write_file(path: PathBuf, content: &[u8], kind: &str, force: bool, inputs: Vec<PathBuf>) -> PyResult<()> {
    let kind = match kind {
        "model" => MODEL,
        "page" => FileKind { name: "a page of treeproof", is_kind: |ends| is_page(&ends.start) },
        other => return Err(error::internal(&format!("a file of the kind {other}"))),
    };
    let mut outputs = Outputs::new(inputs.iter().map(PathBuf::as_path), force);
    match outputs.open("path", &path, kind) {
        Ok(file) => Ok(file.write(content)?),
        Err(OutputError::Io { error, .. }) => Err(error.into()),
        Err(refused) => Err(error::of_text(&refused.to_string())),
    }
}
