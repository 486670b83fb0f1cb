//! The part of the answer about a row that counts in a summary of many rows.

use serde::Deserialize;

use crate::verdict::Verdict;

/// The facts about a row that are summed up; they are read from the JSON of its answer.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct RowFacts {
    /// The verdict.
    pub verdict: Verdict,
    /// Of distances: true if the label is that of the data, where the data has labels.
    #[serde(default)]
    pub is_correct: Option<bool>,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
}
