//! Checks a whole proof: that it is about these models, and every section of it.

use std::io::{Read, Seek};

use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::LoadOptions;

use crate::check::check_section;
use crate::file::section::Conclusion;
use crate::file::{ModelFile, ProofReader};
use crate::proved::Proved;
use crate::statement::Statement;

/// What one section of a valid proof says, as it was checked: words leave some of it out.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Section {
    /// The part of the question that it is about, if there are several.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// What is asked about which inputs.
    pub statement: Statement,
    /// What is so, and the input that shows what can be reached.
    #[serde(flatten)]
    pub conclusion: Conclusion,
    /// The number of records of its log.
    pub steps: u64,
}

/// Whether a proof is right.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Verification {
    /// Always `check`.
    pub question: &'static str,
    /// `valid` or `invalid`.
    pub verdict: &'static str,
    /// What is proved, in words.
    pub statements: Vec<String>,
    /// The same, exactly.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<Section>,
    /// Of a valid proof: how models are read of which it says so, which is its word alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// Of an invalid proof, what is wrong first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

impl Section {
    fn new(proved: Proved) -> Self {
        let Proved { header, conclusion, records, .. } = proved;
        Self { name: header.name, statement: header.statement, conclusion, steps: records }
    }
}

impl Verification {
    /// Whether the proof is right.
    pub fn is_valid(&self) -> bool {
        self.wrong.is_none()
    }

    fn new(outcome: Result<Vec<(String, Section)>, String>) -> Self {
        let (all, wrong) = match outcome {
            Ok(all) if all.is_empty() => (all, Some("it proves nothing".to_owned())),
            Ok(all) => (all, None),
            Err(wrong) => (vec![], Some(wrong)),
        };
        let verdict = if wrong.is_none() { "valid" } else { "invalid" };
        let (statements, proved) = all.into_iter().unzip();
        Self { question: "check", verdict, statements, proved, readings: vec![], wrong }
    }
}

/// Checks a proof about the models of these files. A model is loaded as the proof says that it was read.
///
/// # Errors
/// If a model cannot be loaded so.
pub fn verify<R: Read + Seek, E>(
    proof: R,
    files: &[ModelFile],
    load: impl FnMut(usize, &LoadOptions) -> Result<Ensemble, E>,
) -> Result<Verification, E> {
    let opened = ProofReader::new(proof).and_then(|mut proof| Ok((proof.preamble()?, proof)));
    let (preamble, mut proof) = match opened {
        Ok(opened) => opened,
        Err(error) => return Ok(Verification::new(Err(error.to_string()))),
    };
    if let Err(wrong) = are_stated(files, &preamble.models) {
        return Ok(Verification::new(Err(wrong)));
    }
    let options = preamble.models.iter().map(|model| model.options.options());
    let mut load = load;
    let models = options.enumerate().map(|(place, options)| load(place, &options)).collect::<Result<Vec<_>, E>>()?;
    let mut all = vec![];
    for section in proof.sections() {
        match check_section(&mut proof, section, &models) {
            Ok(proved) => all.push((proved.to_string(), Section::new(proved))),
            Err(error) => return Ok(Verification::new(Err(format!("statement {section}: {error}")))),
        }
    }
    let said = files.iter().zip(&preamble.models).filter(|(_, stated)| !stated.options.is_plain());
    let readings = said.map(|(own, stated)| format!("{} is read with {}", own.name, stated.options.said()));
    Ok(Verification { readings: readings.collect(), ..Verification::new(Ok(all)) })
}

/// Whether files are those that a proof is about.
fn are_stated(files: &[ModelFile], stated: &[ModelFile]) -> Result<(), String> {
    let models = |count: usize| if count == 1 { "1 model".to_owned() } else { format!("{count} models") };
    if stated.len() != files.len() {
        return Err(format!("it is about {}, not {}", models(stated.len()), models(files.len())));
    }
    match files.iter().zip(stated).find(|(own, stated)| own.sha256 != stated.sha256) {
        Some((own, _)) => Err(format!("it is about another model: {} is not the file that was asked about", own.name)),
        None => Ok(()),
    }
}
