//! Verification of a whole proof against its models, with the result in words.

use std::collections::BTreeSet;
use std::io::{Read, Seek};

use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::LoadOptions;
use treeproof_proof::conclusion::Conclusion;
use treeproof_proof::header::Header;
use treeproof_proof::model_file::ModelFile;
use treeproof_proof::reader::ProofReader;
use treeproof_proof::statement::Statement;

use crate::check::{Proved, check_section};
use crate::quote::{own_word, visible};
use crate::wording;

/// A checked section of a valid proof.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Section {
    /// The proof's own name for it: unchecked text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// The name, quoted and escaped.
    #[serde(skip)]
    pub own_word: String,
    /// True if it claims nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_vacuous: bool,
    /// The models that it is about, by their places; empty for all.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<u32>,
    /// The inputs and the goal.
    pub statement: Statement,
    /// The claim and the witness.
    #[serde(flatten)]
    pub conclusion: Conclusion,
    /// The number of records of its log.
    pub steps: u64,
    /// The statement in words: the claim, then the details it rests on.
    #[serde(skip)]
    pub lines: Vec<String>,
}

/// The result of a verification.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Verification {
    /// Always `check`.
    pub question: &'static str,
    /// The verdict: `valid`, `invalid`, or `undecided` for a valid proof in which some statement claims nothing.
    pub verdict: &'static str,
    /// The proved statements in words, made of checked data alone.
    pub statements: Vec<String>,
    /// The proved statements as data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<Section>,
    /// Options with which models are read, for a valid proof: the proof's word alone.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// The first mistake of an invalid proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

impl Section {
    fn new(proved: Proved, lines: &[String]) -> Self {
        let (is_vacuous, lines) = (proved.is_vacuous(), lines.iter().map(|line| visible(line)).collect());
        let Proved { header, conclusion, records, .. } = proved;
        let Header { name, models, statement, .. } = header;
        Self {
            own_word: own_word(&name),
            name: visible(&name),
            is_vacuous,
            models,
            statement,
            conclusion,
            steps: records,
            lines,
        }
    }
}

impl Verification {
    /// Number of statements that claim nothing.
    pub fn num_vacuous(&self) -> usize {
        self.proved.iter().filter(|section| section.is_vacuous).count()
    }

    fn new(outcome: Result<Vec<Section>, String>) -> Self {
        let (proved, wrong) = match outcome {
            Ok(all) if all.is_empty() => (all, Some("it proves nothing".to_owned())),
            Ok(all) => (all, None),
            Err(wrong) => (vec![], Some(visible(&wrong))),
        };
        let verdict = match &wrong {
            Some(_) => "invalid",
            None if proved.iter().any(|section| section.is_vacuous) => "undecided",
            None => "valid",
        };
        let statements = proved.iter().map(|section| section.lines.join("; ")).collect();
        Self { question: "check", verdict, statements, proved, readings: vec![], wrong }
    }
}

/// Verifies a proof about the models of these files. `load` loads a model with the stated options.
///
/// # Errors
/// If a model cannot be loaded.
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
        let checked = check_section(&mut proof, section, &models)
            .and_then(|proved| Ok((wording::lines(&proved, &models)?, proved)));
        match checked {
            Ok((lines, proved)) => all.push((proved.header.place.clone(), Section::new(proved, &lines))),
            Err(error) => return Ok(Verification::new(Err(format!("statement {section}: {error}")))),
        }
    }
    let read = files.iter().zip(&preamble.models).filter(|(_, stated)| !stated.options.is_plain());
    let readings =
        read.map(|(own, stated)| visible(&format!("{} is read with {}", own.name, wording::options(&stated.options))));
    // Searches on several threads end in any order; those of one place are in the file's.
    all.sort_by(|(one, _), (other, _)| one.cmp(other));
    let all = all.into_iter().map(|(_, section)| section).collect();
    Ok(Verification { readings: readings.collect(), ..Verification::new(Ok(said(all))) })
}

/// All sections but vacuous ones whose statement another section of the same name proves: a search that begins anew leaves such
/// behind.
fn said(all: Vec<Section>) -> Vec<Section> {
    let stated = |section: &Section| {
        serde_json::to_string(&(&section.name, &section.models, &section.statement)).unwrap_or_default()
    };
    if all.iter().all(|section| !section.is_vacuous) {
        return all;
    }
    let known: BTreeSet<String> = all.iter().filter(|section| !section.is_vacuous).map(stated).collect();
    all.into_iter().filter(|section| !section.is_vacuous || !known.contains(&stated(section))).collect()
}

/// Checks that files are those of a proof.
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
