//! What can be wrong with a condition: one line that points at the character.

use thiserror::Error;

use super::expression::Position;

/// A condition that cannot be understood.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("in `{text}`, character {}: {what}", at + 1)]
pub struct LanguageError {
    /// The condition.
    pub text: String,
    /// The character, counted from 0.
    pub at: usize,
    /// What is wrong with it, and what to write.
    pub what: String,
}

impl LanguageError {
    pub(super) fn new(text: &str, at: Position, what: impl Into<String>) -> Self {
        Self { text: text.to_owned(), at: text[..at.0].chars().count(), what: what.into() }
    }

    pub(super) fn not_yet(text: &str, at: Position, what: &str) -> Self {
        Self::new(text, at, format!("{what}: not supported yet"))
    }
}
