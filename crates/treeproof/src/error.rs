//! Errors of tasks. Each message is one line: what, where, what to do.

use thiserror::Error;
use treeproof_language::{GroupError, LanguageError};

/// A task that cannot be answered.
#[derive(Clone, Debug, Error, PartialEq)]
#[non_exhaustive]
pub enum TaskError {
    /// A field of the task is wrong.
    #[error("{field} {what}")]
    Field {
        /// The path of the field.
        field: &'static str,
        /// What is wrong with it.
        what: String,
    },
    /// A name or value in a field is none that the model has.
    #[error("{field}: {what}")]
    Value {
        /// The path of the field.
        field: &'static str,
        /// What is wrong, and what may be meant.
        what: String,
    },
    /// Columns are no group.
    #[error(transparent)]
    Group(#[from] GroupError),
    /// A condition cannot be understood.
    #[error("where: {0}")]
    Condition(#[from] LanguageError),
    /// The question cannot be asked about these models.
    #[error("{0}")]
    Unsuitable(String),
    /// Nothing can be proved about the labels of this model.
    #[error("questions about the model's labels cannot be asked: {what}")]
    NoLabel {
        /// Why.
        what: &'static str,
    },
    /// A row that the model's library refuses.
    #[error("row {row}: {what}")]
    Row {
        /// Its number, from 0.
        row: usize,
        /// Why.
        what: String,
    },
    /// Two models that cannot be compared.
    #[error(transparent)]
    Mismatch(#[from] crate::problem::MismatchError),
    /// Two models with different numbers of margins.
    #[error("the models have {} and {} margins: there is nothing to compare them by", .margins[0], .margins[1])]
    Margins {
        /// The numbers of margins.
        margins: [usize; 2],
    },
    /// A witness did not pass its check: a defect of treeproof.
    #[error("internal error: a witness failed its check: {what}; please report it with the command and the files")]
    WitnessRefused {
        /// What the check said.
        what: String,
    },
}

/// The error that something is wrong with a field.
pub(crate) fn refuse<T>(field: &'static str, what: impl Into<String>) -> Result<T, TaskError> {
    Err(TaskError::Field { field, what: what.into() })
}

impl From<crate::elaborate::ProofError> for TaskError {
    fn from(error: crate::elaborate::ProofError) -> Self {
        Self::Field { field: "proof", what: error.to_string() }
    }
}

impl TaskError {
    /// A condition that only the best method can use.
    pub(crate) fn several_features() -> Self {
        let what = "must be `auto` where a condition is about several features together";
        Self::Field { field: "method", what: what.to_owned() }
    }
}
