//! Checks a whole proof: that it is about these models, and every section of it.

use std::io::{Read, Seek};

use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;

use crate::check::check_section;
use crate::file::{ModelFile, ProofReader};

/// Whether a proof is right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Verification {
    /// Always `check`.
    pub question: &'static str,
    /// `valid` or `invalid`.
    pub verdict: &'static str,
    /// What is proved, in words.
    pub statements: Vec<String>,
    /// Of an invalid proof, what is wrong first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

impl Verification {
    /// Whether the proof is right.
    pub fn is_valid(&self) -> bool {
        self.wrong.is_none()
    }

    fn new(outcome: Result<Vec<String>, String>) -> Self {
        let (statements, wrong) = match outcome {
            Ok(statements) if statements.is_empty() => (statements, Some("it proves nothing".to_owned())),
            Ok(statements) => (statements, None),
            Err(wrong) => (vec![], Some(wrong)),
        };
        let verdict = if wrong.is_none() { "valid" } else { "invalid" };
        Self { question: "check", verdict, statements, wrong }
    }
}

/// Checks a proof about models, each as it was read and what is known of its file.
pub fn verify<R: Read + Seek>(proof: R, models: &[Ensemble], files: &[ModelFile]) -> Verification {
    Verification::new(statements(proof, models, files))
}

fn statements<R: Read + Seek>(proof: R, models: &[Ensemble], files: &[ModelFile]) -> Result<Vec<String>, String> {
    let mut proof = ProofReader::new(proof).map_err(|error| error.to_string())?;
    let preamble = proof.preamble().map_err(|error| error.to_string())?;
    if preamble.models.len() != files.len() {
        return Err(format!("it is about {} models, not {}", preamble.models.len(), files.len()));
    }
    for (stated, own) in preamble.models.iter().zip(files) {
        if own.sha256 != stated.sha256 {
            return Err(format!("it is about another model: {} is not the file that was asked about", own.name));
        }
    }
    let mut statements = vec![];
    for section in proof.sections() {
        let proved =
            check_section(&mut proof, section, models).map_err(|error| format!("statement {section}: {error}"))?;
        statements.push(proved.to_string());
    }
    Ok(statements)
}
