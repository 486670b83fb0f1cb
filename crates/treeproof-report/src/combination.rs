//! The largest value of a sum of margins.

use serde::{Deserialize, Serialize};

use crate::nearest::NearestRows;
use crate::pair::PairWitness;
use crate::verdict::{Stats, Stopped, Verdict};

/// Bounds on a sum of margins, and the input or the two that reach the lower one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CombinationAnswer {
    /// What was proved.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// Between the bounds before they were rounded, itself rounded up.
    pub gap: Option<f64>,
    /// The libraries' own margins for the witness, added up exactly, are within this of the exact sum.
    pub rounding: Option<f64>,
    /// The best that was found.
    pub witness: Option<PairWitness>,
    /// The rows of the inputs' domains that are nearest to it, where all have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_row: Option<NearestRows>,
    /// The libraries' own margins for it, in the order of what is maximised; without signs.
    #[serde(deserialize_with = "crate::number::all_or_nan")]
    pub outputs: Vec<f64>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}
