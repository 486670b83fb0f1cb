//! Why a question cannot be asked. Each message is one line: what, where, what to do.

use std::path::Path;

use thiserror::Error;
use treeproof_data::ReadError;
use treeproof_ensemble::error::LoadError;

use crate::rows::DataError;
use crate::task::TaskError;

/// A question cannot be asked.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AskError {
    /// A model cannot be read.
    #[error(transparent)]
    Model(#[from] LoadError),
    /// A file of rows cannot be read.
    #[error(transparent)]
    Read(#[from] ReadError),
    /// Rows are none for the model.
    #[error("{name}: {error}")]
    Data {
        /// What the rows are called.
        name: String,
        /// What is wrong with them.
        error: DataError,
    },
    /// Something else is wrong with rows.
    #[error("{name}: {what}")]
    Rows {
        /// What the rows are called.
        name: String,
        /// What is wrong with them.
        what: String,
    },
    /// The general form names a model, and nobody says which it is.
    #[error("the model `{name}` of the task is not given")]
    NoModel {
        /// The name in the task.
        name: String,
    },
    /// The task is wrong, or cannot be answered.
    #[error(transparent)]
    Task(#[from] TaskError),
}

impl AskError {
    /// What is wrong with rows of a name.
    pub fn about(name: &Path, what: impl Into<String>) -> Self {
        Self::Rows { name: name.display().to_string(), what: what.into() }
    }

    /// Why rows of a name are none for the model.
    pub fn data(name: &Path, error: DataError) -> Self {
        Self::Data { name: name.display().to_string(), error }
    }
}
