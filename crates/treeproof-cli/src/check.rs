//! `treeproof check`: whether a proof is right.

use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use treeproof_proof::check::check_section;
use treeproof_proof::file::{ModelFile, Preamble, ProofReader, ProofWriter, digest};

use crate::args::CheckArgs;
use crate::output;
use crate::replace::Replacement;

/// A proof is wrong.
const INVALID: u8 = 1;

/// Begins to write a proof of what a question asks about models. It takes the place of another file when it is whole.
pub(crate) fn begin<'p>(
    path: &Path,
    question: &str,
    models: impl Iterator<Item = &'p Path>,
) -> anyhow::Result<(Replacement, ProofWriter)> {
    let own = path.canonicalize().ok();
    let mut stated = vec![];
    for model in models {
        let is_same = own.is_some() && model.canonicalize().ok() == own;
        anyhow::ensure!(!is_same, "--proof: {} is the model that is asked about; name another file", path.display());
        stated.push(model_file(model)?);
    }
    let preamble = Preamble { question: question.to_owned(), models: stated };
    let file = Replacement::create(path)?;
    let writer = ProofWriter::new(Box::new(BufWriter::new(file.writer()?)), &preamble);
    Ok((file, writer.with_context(|| path.display().to_string())?))
}

fn model_file(path: &Path) -> anyhow::Result<ModelFile> {
    let named = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(named)?;
    let name = path.file_name().map_or_else(named, |name| name.to_string_lossy().into_owned());
    Ok(ModelFile { name, sha256: digest(&bytes), options: serde_json::Value::Null })
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
    let file = BufReader::with_capacity(1 << 16, File::open(&args.proof).with_context(named)?);
    let models: Vec<_> = args.models.iter().map(|path| args.reading.load(path)).collect::<Result<_, _>>()?;
    let outcome = ProofReader::new(file).map_err(|error| error.to_string()).and_then(|mut proof| {
        let preamble = proof.preamble().map_err(|error| error.to_string())?;
        if preamble.models.len() != args.models.len() {
            return Err(format!("it is about {} models, not {}", preamble.models.len(), args.models.len()));
        }
        for (stated, path) in preamble.models.iter().zip(&args.models) {
            let own = model_file(path).map_err(|error| format!("{error:#}"))?;
            if own.sha256 != stated.sha256 {
                return Err(format!(
                    "it is about another model: {} is not the file that was asked about",
                    path.display()
                ));
            }
        }
        let sections = proof.sections();
        let mut statements = vec![];
        for section in sections {
            let proved =
                check_section(&mut proof, section, &models).map_err(|error| format!("statement {section}: {error}"))?;
            statements.push(proved.to_string());
        }
        Ok((preamble, statements))
    });
    let mut out = std::io::stdout().lock();
    let (answer, code) = match outcome {
        Ok((_, statements)) if statements.is_empty() => (
            Answer { question: "check", verdict: "invalid", statements, wrong: Some("it proves nothing".to_owned()) },
            INVALID,
        ),
        Ok((_, statements)) => (Answer { question: "check", verdict: "valid", statements, wrong: None }, 0),
        Err(wrong) => {
            (Answer { question: "check", verdict: "invalid", statements: vec![], wrong: Some(wrong) }, INVALID)
        }
    };
    let text = match (&answer.wrong, args.json) {
        (_, true) => serde_json::to_string(&answer)? + "\n",
        (Some(wrong), false) => format!("invalid: {wrong}\n"),
        (None, false) => {
            let statements = answer.statements.iter().map(|statement| format!("  {statement}\n")).collect::<String>();
            format!("valid: every step follows from the model\n{statements}")
        }
    };
    output::written(out.write_all(text.as_bytes()))?;
    Ok(ExitCode::from(code))
}
