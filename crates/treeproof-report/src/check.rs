//! The answer of the checker of proofs, as it is saved.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::named::named;

/// The result of a verification.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default, tag = "question", rename = "check")]
pub struct CheckReport {
    /// The verdict.
    pub verdict: CheckVerdict,
    /// The proved statements in words.
    pub statements: Vec<String>,
    /// The proved statements as data.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub proved: Vec<ProvedStatement>,
    /// Options with which models are read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub readings: Vec<String>,
    /// The first mistake of an invalid proof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub wrong: Option<String>,
}

named! {
    /// The verdict on a proof.
    #[derive(Default)]
    pub enum CheckVerdict {
        /// Every step follows from the model.
        Valid = "valid",
        /// Some step does not.
        #[default]
        Invalid = "invalid",
        /// Every step follows from the model, but some statement claims nothing.
        Undecided = "undecided",
    }
}

/// A proved statement.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProvedStatement {
    /// The proof's own name for it: unchecked text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// True if it claims nothing.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_vacuous: bool,
    /// The rest, in the terms of the proof format.
    #[serde(flatten)]
    pub rest: Map<String, Value>,
}
