//! Errors of data files, each of one line: the file, the place, the reason and a remedy.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// A data file could not be read.
#[derive(Debug, Error)]
#[error("{}", one_line(file.as_deref(), place, reason))]
pub struct ReadError {
    /// The file, if the data came from one.
    pub file: Option<PathBuf>,
    /// A line, column or array of the file. May be empty.
    pub place: String,
    /// The reason, with a remedy.
    pub reason: ReadFailure,
}

/// The reason why a data file could not be read.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum ReadFailure {
    /// The file could not be read from disk.
    #[error("{0}")]
    Io(String),
    /// The format is none of the supported ones.
    #[error("{0}")]
    Unrecognised(String),
    /// The file is damaged or contradicts itself.
    #[error("{0}")]
    Malformed(String),
    /// The file is sound but holds something unsupported.
    #[error("not supported: {0}")]
    Unsupported(String),
}

impl ReadError {
    pub(crate) fn new(place: impl Into<String>, reason: ReadFailure) -> Self {
        Self { file: None, place: place.into(), reason }
    }

    pub(crate) fn io(what: impl Into<String>) -> Self {
        Self::new("", ReadFailure::Io(what.into()))
    }

    pub(crate) fn unrecognised(what: impl Into<String>) -> Self {
        Self::new("", ReadFailure::Unrecognised(what.into()))
    }

    pub(crate) fn malformed(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::new(place, ReadFailure::Malformed(what.into()))
    }

    pub(crate) fn unsupported(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self::new(place, ReadFailure::Unsupported(what.into()))
    }

    pub(crate) fn line(line: u64, what: impl Into<String>) -> Self {
        Self::malformed(format!("line {line}"), what)
    }

    /// Puts the place inside a larger one: `header` becomes `array X, header`.
    #[must_use]
    pub(crate) fn within(mut self, outer: &str) -> Self {
        self.place = if self.place.is_empty() { outer.to_owned() } else { format!("{outer}, {}", self.place) };
        self
    }
}

fn one_line(file: Option<&Path>, place: &str, reason: &ReadFailure) -> String {
    let file = file.map(|file| format!("{}: ", file.display())).unwrap_or_default();
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    // Names in a hostile file may hold line breaks.
    format!("{file}{place}{reason}").replace(|c: char| c.is_control(), "?")
}

/// A text from a file in backquotes, on one line and shortened, for a message.
pub fn quote(text: &str) -> String {
    const SHOWN: usize = 40;
    let shown = match text.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("`{}…`", &text[..end]),
        None => format!("`{text}`"),
    };
    shown.replace(|c: char| c.is_control(), "?")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_is_one_line_with_file_and_place() {
        let mut error = ReadError::line(3, format!("{} is odd", quote("a\nb"))).within("array X");
        error.file = Some("d.csv".into());
        assert_eq!(error.to_string(), "d.csv: array X, line 3: `a?b` is odd");
    }

    #[test]
    fn long_texts_are_cut_between_characters() {
        assert_eq!(quote(&"é".repeat(50)), format!("`{}…`", "é".repeat(40)));
    }
}
