//! What moves a margin, and how far.

use serde::{Deserialize, Serialize};

use crate::difference::PairAnswer;
use crate::verdict::Verdict;
use crate::witness::WitnessValue;

/// Bounds on how far a margin moves, the two inputs between which it does, and what changes between them.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DominantAnswer {
    /// How far, and the inputs: the first is where it starts.
    #[serde(flatten)]
    pub answer: PairAnswer,
    /// What changes, in the order of the largest effect.
    pub changes: Vec<FeatureChange>,
}

/// A feature that changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct FeatureChange {
    /// Its name.
    pub attribute: String,
    /// Its value at the start.
    pub from: WitnessValue,
    /// Its value in the end.
    pub to: WitnessValue,
    /// By how much the margin changes if nothing else does: the exact sums.
    #[serde(deserialize_with = "crate::number::or_nan")]
    pub effect: f64,
}

/// How far each feature moves a margin by itself, the largest first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RankingAnswer {
    /// What was proved of all: the worst of what was proved of each.
    pub verdict: Verdict,
    /// One for each feature that some tree tests.
    pub attributes: Vec<RankedFeature>,
    /// How many features no tree tests: they move nothing.
    pub untested: usize,
    /// How long all took.
    pub seconds: f64,
}

/// How far a feature moves a margin by itself.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct RankedFeature {
    /// Its name.
    pub attribute: String,
    /// Its value at the start.
    pub from: WitnessValue,
    /// Its value where the margin has moved most; none if it is not known to move at all.
    pub to: Option<WitnessValue>,
    /// What was proved.
    pub verdict: Verdict,
    /// It moves at least this far.
    pub lower: Option<f64>,
    /// It moves at most this far.
    pub upper: Option<f64>,
}

impl RankingAnswer {
    /// Sums up the answers about features.
    pub fn new(mut attributes: Vec<RankedFeature>, untested: usize, seconds: f64) -> Self {
        let by = |ranked: &RankedFeature| ranked.lower.unwrap_or(f64::NEG_INFINITY);
        attributes.sort_by(|one, other| by(other).total_cmp(&by(one)));
        let is_optimal = attributes.iter().all(|ranked| ranked.verdict == Verdict::Optimal);
        let verdict = if is_optimal { Verdict::Optimal } else { Verdict::Undecided };
        Self { verdict, attributes, untested, seconds }
    }
}
