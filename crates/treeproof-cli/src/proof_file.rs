//! The proof that a question writes beside its answer.

use std::path::Path;

use treeproof::outputs::{ProofFile, Replacement};
use treeproof::sources::InputFiles;
use treeproof::task::Reading;
use treeproof_proof::model_file::Preamble;

use crate::files;

/// Starts a proof about models; the file replaces an older one once it is complete.
pub(crate) fn begin<'p>(
    file: Replacement,
    question: &str,
    models: impl Iterator<Item = &'p Path>,
    reading: &Reading,
    inputs: &InputFiles,
) -> anyhow::Result<ProofFile> {
    let path = file.path().to_owned();
    let mut stated = vec![];
    for model in models {
        let name =
            model.file_name().map_or_else(|| model.display().to_string(), |name| name.to_string_lossy().into_owned());
        stated.push(inputs.stated(model, name, reading)?);
    }
    let preamble = Preamble { question: question.to_owned(), models: stated };
    ProofFile::begin(file, &preamble).map_err(|error| files::unwritten(&path, error))
}
