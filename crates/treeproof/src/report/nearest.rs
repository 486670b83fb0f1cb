//! How far witnesses are from real rows.

use serde::Serialize;

use super::Pair;

/// The row of the data that is nearest to an input.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct NearestRow {
    /// Its number, from 0.
    pub row: usize,
    /// In how many features the two differ; groups count once, and what no tree tests does not.
    pub changed: usize,
    /// Gower's distance: the mean over these features of the difference, from 0 to 1 as a part of the data's range.
    pub distance: f64,
}

/// Of one input, or of each of two.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum NearestRows {
    /// Of one.
    One(NearestRow),
    /// Of two.
    Two(Pair<NearestRow>),
}
