//! What two models, or two inputs of one, differ by.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Trend;
use treeproof_ensemble::label::ClassName;

use crate::nearest::NearestRows;
use crate::number::is_zero;
use crate::pair::{Numbers, Pair, PairWitness};
use crate::row_facts::RowFacts;
use crate::verdict::{Stats, Stopped, Verdict};

/// Bounds on a difference, and the pair that shows it.
///
/// Of questions about labels the number is by how much two inputs clear the decision, give or take the library's errors.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PairAnswer {
    /// Of `monotone`: the feature that rises.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub feature: Option<String>,
    /// Of `monotone`: which way the margin may go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub trend: Option<Trend>,
    /// What was proved.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// Between the bounds before they were rounded, itself rounded up.
    pub gap: Option<f64>,
    /// The library's own sums for the witness, taken together, are within this of the exact ones.
    pub rounding: Option<f64>,
    /// The best pair that was found.
    pub witness: Option<PairWitness>,
    /// The rows of the task's `domain` that are nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_row: Option<NearestRows>,
    /// The library's own margins for it; all of them where labels are chosen by several.
    pub output: Option<Pair<Numbers>>,
    /// The library's own probabilities for it, where margins are turned into such.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<Pair<Numbers>>,
    /// The library's own predictions for it, where they are neither margins nor probabilities.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<Pair<Numbers>>,
    /// The labels: the library's own, or those of the threshold that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<Pair<ClassName>>,
    /// Of `infeasible`: the texts that contradict each other; none where it is the two inputs that cannot agree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflict: Vec<String>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

/// An answer for each of some features.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PairsAnswer {
    /// What was proved of all: the worst of what was proved of each.
    pub verdict: Verdict,
    /// One for each feature.
    pub features: Vec<PairAnswer>,
    /// How long all took.
    pub seconds: f64,
}

/// An answer for each of some rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PairRowsAnswer {
    /// What was proved of all rows that conditions and data allow: the worst of what was proved of each.
    pub verdict: Verdict,
    /// How many of them there are.
    pub summary: PairRowsSummary,
    /// One for each row.
    pub rows: Vec<PairRow>,
    /// How long all took.
    pub seconds: f64,
}

/// An answer for a row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PairRow {
    /// Its number, from 0.
    pub row: usize,
    /// The answer; the first of the two inputs is the row.
    #[serde(flatten)]
    pub answer: PairAnswer,
}

/// How many rows there are of each kind.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct PairRowsSummary {
    /// All that were looked at.
    pub rows: usize,
    /// Those that were left when the run was interrupted.
    #[serde(skip_serializing_if = "is_zero")]
    pub left: usize,
    /// Those that conditions and data allow.
    pub asked: usize,
    /// Those of which it was shown.
    pub violated: usize,
    /// Those that no limit ended.
    pub decided: usize,
    /// Of labels: the violated ones as a part of those asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Of differences: the largest that was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub largest: Option<f64>,
}

impl PairRowsAnswer {
    /// Sums up the answers about rows.
    pub fn new(rows: Vec<PairRow>, num_rows: usize, is_about_labels: bool, seconds: f64) -> Self {
        let facts: Vec<RowFacts> = rows.iter().map(RowFacts::from).collect();
        let (verdict, summary) = PairRowsSummary::new(&facts, num_rows, is_about_labels);
        Self { verdict, summary, rows, seconds }
    }
}

impl From<&PairRow> for RowFacts {
    fn from(PairRow { answer, .. }: &PairRow) -> Self {
        Self { verdict: answer.verdict, is_correct: None, lower: answer.lower, upper: answer.upper }
    }
}

impl PairRowsSummary {
    /// What is proved of all rows, and how many there are of each kind.
    pub(crate) fn new(rows: &[RowFacts], num_rows: usize, is_about_labels: bool) -> (Verdict, Self) {
        let count = |verdict: Verdict| rows.iter().filter(|row| row.verdict == verdict).count();
        let asked = rows.len() - count(Verdict::Infeasible);
        let violated = count(Verdict::Violated);
        let left = num_rows - rows.len();
        let is_there = |verdict: &Verdict| count(*verdict) > 0 || (*verdict == Verdict::Undecided && left > 0);
        let worst_first = [Verdict::Violated, Verdict::Undecided, Verdict::Holds, Verdict::Optimal];
        let verdict = worst_first.into_iter().find(is_there).unwrap_or(Verdict::Infeasible);
        #[expect(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
        let share = (is_about_labels && asked > 0).then(|| violated as f64 / asked as f64);
        let summary = Self {
            rows: rows.len(),
            left,
            asked,
            violated,
            decided: asked - count(Verdict::Undecided),
            share,
            largest: rows.iter().filter(|_| !is_about_labels).filter_map(|row| row.lower).max_by(f64::total_cmp),
        };
        (verdict, summary)
    }
}

impl PairsAnswer {
    /// Sums up the answers about features.
    pub fn new(features: Vec<PairAnswer>, seconds: f64) -> Self {
        // What cannot be met proves nothing, so that it must not pass for a proof about the others.
        let worst_first = [Verdict::Violated, Verdict::Undecided, Verdict::Infeasible];
        let is_there = |verdict: &Verdict| features.iter().any(|answer| answer.verdict == *verdict);
        let verdict = worst_first.into_iter().find(is_there).unwrap_or(Verdict::Holds);
        Self { verdict, features, seconds }
    }
}

impl PairAnswer {
    /// The answer to a part of a question that was not reached before its end.
    pub fn unasked(stopped: Stopped) -> Self {
        Self { stopped, ..Self::default() }
    }
}
