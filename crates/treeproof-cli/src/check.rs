//! `treeproof check`: whether a proof is right.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Seek, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load;
use treeproof_proof::check::check_section;
use treeproof_proof::file::{ModelFile, Preamble, ProofReader, ProofWriter, digest};
use treeproof_proof::reading::Reading;

use crate::args::{CheckArgs, ReadingArgs};
use crate::replace::Replacement;
use crate::{files, output};

/// A proof is wrong.
const INVALID: u8 = 1;

/// Begins to write a proof of what a question asks about models. It takes the place of another file when it is whole.
pub(crate) fn begin<'p>(
    path: &Path,
    question: &str,
    models: impl Iterator<Item = &'p Path>,
    reading: &ReadingArgs,
) -> anyhow::Result<(Replacement, ProofWriter)> {
    let own = path.canonicalize().ok();
    let mut stated = vec![];
    for model in models {
        let is_same = own.is_some() && model.canonicalize().ok() == own;
        anyhow::ensure!(!is_same, "--proof: {} is the model that is asked about; name another file", path.display());
        stated.push(ModelFile { options: (&reading.options()).into(), ..model_file(model)? });
    }
    let preamble = Preamble { question: question.to_owned(), models: stated };
    let file = Replacement::create(path)?;
    let writer = ProofWriter::new(Box::new(BufWriter::new(file.writer()?)), &preamble);
    Ok((file, writer.with_context(|| path.display().to_string())?))
}

fn model_file(path: &Path) -> anyhow::Result<ModelFile> {
    let named = || path.display().to_string();
    let bytes = files::read_bytes(path)?;
    let name = path.file_name().map_or_else(named, |name| name.to_string_lossy().into_owned());
    Ok(ModelFile { name, sha256: digest(&bytes), options: Reading::default() })
}

#[derive(Serialize)]
struct Answer {
    question: &'static str,
    verdict: &'static str,
    /// What is proved, in words.
    statements: Vec<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    wrong: Option<String>,
}

pub(crate) fn run(args: &CheckArgs) -> anyhow::Result<ExitCode> {
    let named = || args.proof.display().to_string();
    anyhow::ensure!(!args.proof.is_dir(), "{}: is a directory, not a proof", named());
    let file = File::open(&args.proof).map_err(|error| files::unread(&args.proof, error))?;
    // A model that cannot be read is no fault of the proof.
    let own = args.models.iter().map(|path| model_file(path)).collect::<Result<Vec<_>, _>>()?;
    let (answer, code) = match examine(BufReader::with_capacity(1 << 16, file), args, &own)? {
        Ok(statements) if statements.is_empty() => (Answer::invalid("it proves nothing".to_owned()), INVALID),
        Ok(statements) => (Answer { question: "check", verdict: "valid", statements, wrong: None }, 0),
        Err(wrong) => (Answer::invalid(wrong), INVALID),
    };
    let text = if args.json { serde_json::to_string(&answer)? + "\n" } else { answer.words() };
    output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    Ok(ExitCode::from(code))
}

/// What a proof proves about models, or what is wrong with it.
///
/// # Errors
/// If flags say otherwise than the proof how the models are read, or one of them is none.
fn examine(file: impl Read + Seek, args: &CheckArgs, own: &[ModelFile]) -> anyhow::Result<Result<Vec<String>, String>> {
    let opened = ProofReader::new(file).and_then(|mut proof| Ok((proof.preamble()?, proof)));
    let (preamble, mut proof) = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(Err(error.to_string())),
    };
    let stated = &preamble.models;
    if stated.len() != own.len() {
        return Ok(Err(format!("it is about {}, not {}", models(stated.len()), models(own.len()))));
    }
    if let Some(place) = (0..own.len()).find(|place| own[*place].sha256 != stated[*place].sha256) {
        let path = args.models[place].display();
        return Ok(Err(format!("it is about another model: {path} is not the file that was asked about")));
    }
    let mut models: Vec<Ensemble> = vec![];
    for (model, path) in stated.iter().zip(&args.models) {
        let options = model.options.options();
        let other = args.reading.contradiction(&options);
        anyhow::ensure!(
            other.is_none(),
            "{}: the proof is about another reading of {}; leave it out",
            other.unwrap_or_default(),
            path.display()
        );
        models.push(load::load_path(path, &options)?);
    }
    let mut statements = vec![];
    for section in proof.sections() {
        match check_section(&mut proof, section, &models) {
            Ok(proved) => statements.push(proved.to_string()),
            Err(error) => return Ok(Err(format!("statement {section}: {error}"))),
        }
    }
    Ok(Ok(statements))
}

fn models(count: usize) -> String {
    if count == 1 { "1 model".to_owned() } else { format!("{count} models") }
}

impl Answer {
    fn invalid(wrong: String) -> Self {
        Self { question: "check", verdict: "invalid", statements: vec![], wrong: Some(wrong) }
    }

    /// For people, a line for each statement: names in files may have anything in them.
    fn words(&self) -> String {
        let line = |text: &str| text.replace(|c: char| c.is_control(), "?");
        match &self.wrong {
            Some(wrong) => format!("invalid: {}\n", line(wrong)),
            None => {
                let statements = self.statements.iter().map(|statement| format!("  {}\n", line(statement)));
                format!("valid: every step follows from the model\n{}", statements.collect::<String>())
            }
        }
    }
}
