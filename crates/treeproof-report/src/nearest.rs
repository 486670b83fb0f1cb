//! How far witnesses are from real rows.

use serde::{Deserialize, Serialize};

use crate::pair::Pair;

/// The row of the data that is nearest to an input.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct NearestRow {
    /// Its number, from 0.
    pub row: usize,
    /// The number of features in which the two differ; groups count once, and features that no tree tests do not.
    #[serde(default)]
    pub changed: usize,
    /// Gower's distance: the mean over these features of the difference, from 0 to 1 as a part of the data's range.
    #[serde(default)]
    pub distance: f64,
}

/// The row nearest to one input, or to each of two.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum NearestRows {
    /// One row.
    One(NearestRow),
    /// Two rows.
    Two(Pair<NearestRow>),
}
