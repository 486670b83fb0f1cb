//! Errors of conditions: one line that points at the character.

use thiserror::Error;

use super::expression::Position;

/// Characters of a condition that a message shows.
const SHOWN: usize = 200;

/// A condition that cannot be parsed or resolved.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error("in `{}`, character {}: {what}", shown(text), at + 1)]
pub struct LanguageError {
    /// The condition.
    pub text: String,
    /// The character, counted from 0.
    pub at: usize,
    /// The problem, with a remedy.
    pub what: String,
}

impl LanguageError {
    pub(super) fn new(text: &str, at: Position, what: impl Into<String>) -> Self {
        Self { text: text.to_owned(), at: text[..at.0].chars().count(), what: what.into() }
    }
}

/// A text, shortened and without control characters.
fn shown(text: &str) -> String {
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    };
    shown.replace(char::is_control, " ")
}
