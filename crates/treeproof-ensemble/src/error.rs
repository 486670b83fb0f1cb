//! Errors of model files and input rows, each of one line: the file, the place, the reason and a remedy.

use std::path::PathBuf;

use thiserror::Error;

/// A model could not be loaded.
#[derive(Debug, Error)]
#[error("{}", one_line(file.as_deref(), place, reason))]
pub struct LoadError {
    /// The file, if the model came from one.
    pub file: Option<PathBuf>,
    /// A byte, a line, a path in a document, or a tree and node. May be empty.
    pub place: String,
    /// The reason, with a remedy.
    pub reason: LoadFailure,
}

/// The reason why a model could not be loaded.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LoadFailure {
    /// The file could not be read.
    #[error("{0}")]
    Io(String),
    /// The format is none of the supported ones.
    #[error("{0}")]
    Unrecognised(String),
    /// The file is damaged or contradicts itself.
    #[error("{0}")]
    Malformed(String),
    /// The file is sound, but its model cannot be represented exactly.
    #[error("not supported: {0}")]
    Unsupported(String),
}

impl LoadError {
    /// Damaged or contradictory content at a place.
    pub fn malformed(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: None, place: place.into(), reason: LoadFailure::Malformed(what.into()) }
    }

    /// Content that cannot be represented exactly.
    pub fn unsupported(place: impl Into<String>, what: impl Into<String>) -> Self {
        Self { file: None, place: place.into(), reason: LoadFailure::Unsupported(what.into()) }
    }

    /// Content in an unsupported format.
    pub fn unrecognised(what: impl Into<String>) -> Self {
        Self { file: None, place: String::new(), reason: LoadFailure::Unrecognised(what.into()) }
    }

    /// Puts the place inside a larger one: `node 5` becomes `tree 3, node 5`.
    #[must_use]
    pub fn within(mut self, outer: &str) -> Self {
        self.place = if self.place.is_empty() { outer.to_owned() } else { format!("{outer}, {}", self.place) };
        self
    }
}

fn one_line(file: Option<&std::path::Path>, place: &str, reason: &LoadFailure) -> String {
    let file = file.map(|file| format!("{}: ", file.display())).unwrap_or_default();
    let place = if place.is_empty() { String::new() } else { format!("{place}: ") };
    // Names in a hostile file may hold line breaks.
    format!("{file}{place}{reason}").replace(|c: char| c.is_control(), "?")
}

/// A value for which the library itself refuses to predict.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum InputError {
    /// A missing value in a model whose library raises an error for it.
    #[error("missing value, which this model's library refuses")]
    Missing,
    /// An infinite or overflowing value in a model whose library raises an error for it.
    #[error("{0:e} is infinite in the model's input precision, which this model's library refuses")]
    Infinite(f64),
    /// A category unknown to a step before the model.
    #[error("unknown category, which a step before the model refuses")]
    Unknown,
    /// A number that a step before the model, or the model after it, refuses.
    #[error("{0:e} is outside the range that the steps before the model and the model accept")]
    Outside(f64),
}

/// A row that cannot be predicted.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum RowError {
    /// The row has too few or too many values.
    #[error("the row has {found} values, the model has {expected} features")]
    Width {
        /// The number of features of the model.
        expected: usize,
        /// The number of values in the row.
        found: usize,
    },
    /// One value is refused.
    #[error("feature `{feature}`: {error}")]
    Value {
        /// The name of the feature.
        feature: String,
        /// The reason.
        error: InputError,
    },
}
