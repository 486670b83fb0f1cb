//! `treeproof check`: whether a proof is right.

use std::fs::File;
use std::io::{BufReader, Write};
use std::path::Path;

use treeproof::replace::{ProofFile, Replacement};
use treeproof::sources::InputFiles;
use treeproof::task::Reading;
use treeproof_checker::verify::{Section, verify};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{self, LoadOptions};
use treeproof_proof::model_file::{ModelFile, Preamble};

use crate::args::CheckArgs;
use crate::ask::Done;
use crate::progress::counted;
use crate::{files, output, style};

/// A proof is wrong.
const INVALID: u8 = 1;
/// It is right, but claims nothing of something that it is about.
const UNDECIDED: u8 = 3;

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

/// The proved claim, followed by the proof's own name for it, which is unchecked text.
fn told(section: &Section) -> String {
    let Some((claim, details)) = section.lines.split_first() else { return String::new() };
    let details: String = details.iter().map(|detail| format!("      {detail}\n")).collect();
    if section.name.is_empty() {
        return format!("  {claim}\n{details}");
    }
    format!("  {claim}\n{details}      the proof calls this {}\n", section.own_word)
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
    let text = match (&answer.wrong, args.json) {
        (_, true) => output::json(&answer)? + "\n",
        (Some(wrong), false) => format!("invalid: {wrong}\n"),
        (None, false) => {
            let verdict = match (answer.num_vacuous(), answer.proved.len()) {
                (0, _) => "valid: every step follows from the model".to_owned(),
                (_, 1) => "undecided: every step follows from the model, but the proof claims nothing".to_owned(),
                (none, of) => {
                    let (claim, of) =
                        (if none == 1 { "claims" } else { "claim" }, counted(of as u64, "statement", "statements"));
                    format!("undecided: every step follows from the model, but {none} of {of} {claim} nothing")
                }
            };
            let sections = answer.proved.iter().map(told);
            let readings = answer.readings.iter().map(|reading| format!("  {reading}\n"));
            format!("{verdict}\n{}", sections.chain(readings).collect::<String>())
        }
    };
    let code = match answer.verdict {
        "valid" => 0,
        "undecided" => UNDECIDED,
        _ => INVALID,
    };
    let outcome = match (text.split_once('\n'), args.json) {
        (Some((verdict, rest)), false) => {
            write!(anstream::stdout(), "{}\n{rest}", style::paint(style::of_code(code), verdict))
        }
        _ => std::io::stdout().write_all(text.as_bytes()),
    };
    output::written(outcome)?;
    Ok(Done::new(code))
}
