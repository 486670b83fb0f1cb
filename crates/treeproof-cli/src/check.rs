//! `treeproof check`: whether a proof is right.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use treeproof::replace::{ProofFile, Replacement};
use treeproof::sources::InputFiles;
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
    file: Replacement,
    question: &str,
    models: impl Iterator<Item = &'p Path>,
    reading: &Reading,
    inputs: &InputFiles,
) -> anyhow::Result<ProofFile> {
    let path = file.path().to_owned();
    let mut stated = vec![];
    for model in models {
        let name = model.file_name().map_or_else(|| named(model), |name| name.to_string_lossy().into_owned());
        stated.push(inputs.stated(model, name, reading)?);
    }
    let preamble = Preamble { question: question.to_owned(), models: stated };
    ProofFile::begin(file, &preamble).map_err(|error| files::unwritten(&path, error))
}

fn named(path: &Path) -> String {
    path.display().to_string()
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<Done> {
    anyhow::ensure!(!args.proof.is_dir(), "{}: is a directory, not a proof", named(&args.proof));
    let file = File::open(&args.proof).map_err(|error| files::unread(&args.proof, error))?;
    // A model that cannot be read is no fault of the proof.
    // Read once: what is compared with the proof's digests is what is loaded.
    let contents = args.models.iter().map(|path| load::read_path(path)).collect::<Result<Vec<_>, _>>()?;
    let files = args.models.iter().zip(&contents);
    let own: Vec<ModelFile> =
        files.map(|(path, content)| ModelFile::new(named(path), content, &LoadOptions::default())).collect();
    let load = |place: usize, options: &LoadOptions| -> anyhow::Result<Ensemble> {
        let path = &args.models[place];
        let other = args.reading.contradiction(options);
        let flag = other.unwrap_or_default();
        anyhow::ensure!(
            other.is_none(),
            "{flag}: the proof is about another reading of {}; leave it out",
            path.display()
        );
        Ok(load::load_bytes(&contents[place], options).map_err(|mut error| {
            error.file = Some(path.clone());
            error
        })?)
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
