//! Models of a proof: their files by digest, and how they are read.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use treeproof_ensemble::load::LoadOptions;

use crate::stated_options::StatedOptions;

/// The models and the question of all sections of a proof.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Preamble {
    /// The question, in words.
    pub question: String,
    /// The models.
    pub models: Vec<ModelFile>,
}

/// A model, by its file.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFile {
    /// The name of the file, for people.
    pub name: String,
    /// Its SHA-256 digest, in hexadecimal digits.
    pub sha256: String,
    /// The options with which it is read, if they are not the usual ones.
    #[serde(default, skip_serializing_if = "StatedOptions::is_plain")]
    pub options: StatedOptions,
}

impl ModelFile {
    /// A model file of this content, read with these options.
    pub fn new(name: impl Into<String>, content: &[u8], options: &LoadOptions) -> Self {
        Self { name: name.into(), sha256: digest(content), options: options.into() }
    }
}

/// The SHA-256 digest of bytes, in hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}
