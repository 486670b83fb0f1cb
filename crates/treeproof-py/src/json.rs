//! Answers and facts as JSON, which is how they cross the border to Python.

use pyo3::PyResult;
use serde::Serialize;

use crate::error;

/// The JSON text of an answer.
pub(crate) fn json(answer: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(answer).map_err(|error| error::internal(&error.to_string()))
}
