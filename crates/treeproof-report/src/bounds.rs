//! Bounds on the smallest and the largest margin, and what stands in their place if nothing meets the conditions.

use serde::{Deserialize, Serialize};

use crate::nearest::NearestRow;
use crate::verdict::{Bounds, Stats, Stopped, Verdict};
use crate::witness::Witness;

/// Bounds on one number, and an input that reaches one of them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Answer {
    /// The verdict.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// The distance between the bounds before they were rounded, itself rounded up.
    pub gap: Option<f64>,
    /// The library's own sum for the witness is within this of the exact one.
    pub rounding: Option<f64>,
    /// An input whose exact sum is the bound that was found (the lower one of `max`, the upper one of `min`).
    pub witness: Option<Witness>,
    /// The row of the task's `domain` that is nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_row: Option<NearestRow>,
    /// The library's own margin for the witness.
    pub output: Option<f64>,
    /// The library's own probability for the witness, if margins are turned into such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The library's own prediction for the witness, if it is neither margin nor probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<f64>,
    /// The reason why the search ended.
    pub stopped: Stopped,
    /// Its duration.
    pub seconds: f64,
    /// Its cost.
    pub stats: Stats,
}

impl From<&Answer> for Bounds {
    fn from(answer: &Answer) -> Self {
        let Answer { verdict, lower, upper, stopped, .. } = *answer;
        Self { verdict, lower, upper, stopped }
    }
}

/// The smallest and the largest number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RangeAnswer {
    /// The verdict on both.
    pub verdict: Verdict,
    /// No output is below.
    pub lower: Option<f64>,
    /// No output is above.
    pub upper: Option<f64>,
    /// The smallest.
    pub min: Answer,
    /// The largest.
    pub max: Answer,
    /// The duration of both searches.
    pub seconds: f64,
}

/// The answer if nothing meets the conditions. Bounds, gap, witness and output are absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Infeasible {
    /// Always `infeasible`.
    pub verdict: Verdict,
    /// Absent.
    pub lower: Option<f64>,
    /// Absent.
    pub upper: Option<f64>,
    /// Absent.
    pub gap: Option<f64>,
    /// Absent.
    pub witness: Option<Witness>,
    /// Absent.
    pub output: Option<f64>,
    /// Always `optimal`: nothing was left to search from the start.
    pub stopped: Stopped,
    /// The texts that contradict each other; none if it is two inputs that cannot agree.
    pub conflict: Vec<String>,
}

impl Infeasible {
    /// The answer that these texts contradict each other.
    pub fn new(conflict: Vec<String>) -> Self {
        Self { verdict: Verdict::Infeasible, conflict, ..Self::default() }
    }
}
