//! `treeproof check`: whether a proof is right.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use treeproof::replace::ProofFile;
use treeproof_proof::file::{ModelFile, Preamble};
use treeproof_proof::verify::verify;

use crate::args::CheckArgs;
use crate::output;

/// A proof is wrong.
const INVALID: u8 = 1;

/// Begins to write a proof of what a question asks about models.
pub(crate) fn begin<'p>(
    path: &Path,
    question: &str,
    models: impl Iterator<Item = &'p Path>,
) -> anyhow::Result<ProofFile> {
    let own = path.canonicalize().ok();
    let mut stated = vec![];
    for model in models {
        let is_same = own.is_some() && model.canonicalize().ok() == own;
        anyhow::ensure!(!is_same, "--proof: {} is the model that is asked about; name another file", path.display());
        let name = model.file_name().map_or_else(|| named(model), |name| name.to_string_lossy().into_owned());
        stated.push(ModelFile::new(name, &content(model)?));
    }
    let preamble = Preamble { question: question.to_owned(), models: stated };
    ProofFile::create(path, &preamble).with_context(|| named(path))
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

fn content(path: &Path) -> anyhow::Result<Vec<u8>> {
    std::fs::read(path).with_context(|| named(path))
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let file = BufReader::with_capacity(1 << 16, File::open(&args.proof).with_context(|| named(&args.proof))?);
    let models: Vec<_> = args.models.iter().map(|path| args.reading.load(path)).collect::<Result<_, _>>()?;
    let files = args.models.iter().map(|path| Ok(ModelFile::new(named(path), &content(path)?)));
    let answer = verify(file, &models, &files.collect::<anyhow::Result<Vec<_>>>()?);
    let text = match (&answer.wrong, args.json) {
        (_, true) => serde_json::to_string(&answer)? + "\n",
        (Some(wrong), false) => format!("invalid: {wrong}\n"),
        (None, false) => {
            let statements = answer.statements.iter().map(|statement| format!("  {statement}\n")).collect::<String>();
            format!("valid: every step follows from the model\n{statements}")
        }
    };
    output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    Ok(ExitCode::from(if answer.is_valid() { 0 } else { INVALID }))
}
