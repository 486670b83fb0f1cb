//! `treeproof check`: whether a proof is right.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use treeproof::replace::ProofFile;
use treeproof::task::Reading;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{self, LoadOptions};
use treeproof_proof::file::{ModelFile, Preamble};
use treeproof_proof::verify::verify;

use crate::args::CheckArgs;
use crate::ask::Done;
use crate::{files, output, style};

/// A proof is wrong.
const INVALID: u8 = 1;

/// Begins to write a proof of what a question asks about models. It takes the place of another file when it is whole.
pub(crate) fn begin<'p>(
    path: &Path,
    question: &str,
    models: impl Iterator<Item = &'p Path>,
    reading: &Reading,
) -> anyhow::Result<ProofFile> {
    let own = path.canonicalize().ok();
    let mut stated = vec![];
    for model in models {
        let is_same = own.is_some() && model.canonicalize().ok() == own;
        anyhow::ensure!(!is_same, "--proof: {} is the model that is asked about; name another file", path.display());
        let name = model.file_name().map_or_else(|| named(model), |name| name.to_string_lossy().into_owned());
        stated.push(ModelFile::new(name, &load::read_path(model)?, &reading.options()));
    }
    let preamble = Preamble { question: question.to_owned(), models: stated };
    ProofFile::create(path, &preamble).map_err(|error| files::unwritten(path, error))
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Done> {
    anyhow::ensure!(!args.proof.is_dir(), "{}: is a directory, not a proof", named(&args.proof));
    let file = File::open(&args.proof).map_err(|error| files::unread(&args.proof, error))?;
    // A model that cannot be read is no fault of the proof.
    let file_of = |path: &Path| Ok(ModelFile::new(named(path), &load::read_path(path)?, &LoadOptions::default()));
    let own = args.models.iter().map(|path| file_of(path)).collect::<anyhow::Result<Vec<_>>>()?;
    let load = |place: usize, options: &LoadOptions| -> anyhow::Result<Ensemble> {
        let path = &args.models[place];
        let other = args.reading.contradiction(options);
        let flag = other.unwrap_or_default();
        anyhow::ensure!(
            other.is_none(),
            "{flag}: the proof is about another reading of {}; leave it out",
            path.display()
        );
        Ok(load::load_path(path, options)?)
    };
    let answer = verify(BufReader::with_capacity(1 << 16, file), &own, load)?;
    // Names in files may have anything in them.
    let line = |text: &str| text.replace(|c: char| c.is_control(), "?");
    let text = match (&answer.wrong, args.json) {
        (_, true) => serde_json::to_string(&answer)? + "\n",
        (Some(wrong), false) => format!("invalid: {}\n", line(wrong)),
        (None, false) => {
            let said = answer.statements.iter().chain(&answer.readings);
            let statements = said.map(|statement| format!("  {}\n", line(statement)));
            format!("valid: every step follows from the model\n{}", statements.collect::<String>())
        }
    };
    let code = if answer.is_valid() { 0 } else { INVALID };
    let outcome = match (text.split_once('\n'), args.json) {
        (Some((verdict, rest)), false) => {
            write!(anstream::stdout(), "{}\n{rest}", style::paint(style::of_code(code), verdict))
        }
        _ => std::io::stdout().write_all(text.as_bytes()),
    };
    output::written(outcome)?;
    Ok(Done::new(code))
}
