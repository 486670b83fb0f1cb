//! How far away the nearest inputs are that change the answers about rows.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::label::ClassName;
use treeproof_ensemble::norm::Norm;

use crate::nearest::NearestRow;
use crate::number::is_zero;
use crate::row_facts::RowFacts;
use crate::verdict::{Stats, Stopped, Verdict};
use crate::witness::{Witness, WitnessValue};

/// An answer about distances for each of some rows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DistancesAnswer {
    /// What was proved of all rows. Of `robust` the worst of what was proved of each; of `closest`, `optimal` where every
    /// row is decided.
    pub verdict: Verdict,
    /// How distances are measured.
    pub norm: Norm,
    /// Of `robust`: the radius that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// One for every row that was asked about.
    pub rows: Vec<DistanceRow>,
    /// What they say together.
    pub summary: DistancesSummary,
}

/// What was proved about one row.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DistanceRow {
    /// Its place in the data, from 0.
    pub row: usize,
    /// What was proved.
    pub verdict: Verdict,
    /// What the library says for the row: its label, where there are labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub label: Option<ClassName>,
    /// Whether that is the label in the data, where the data has labels.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_correct: Option<bool>,
    /// No input that changes the answer is nearer.
    pub lower: Option<f64>,
    /// The distance of the witness.
    pub upper: Option<f64>,
    /// An input that changes the answer.
    pub witness: Option<Witness>,
    /// The row of the task's `domain` that is nearest to it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nearest_row: Option<NearestRow>,
    /// The features in which it differs from the row, with the row's values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Change>,
    /// Where several inputs were asked for: all that were found, the nearest first. If there are fewer than were asked for, and
    /// the row is decided, no more exist.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub witnesses: Vec<NearWitness>,
    /// The label of the witness.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_label: Option<ClassName>,
    /// The library's own margin for the witness, where there is one.
    pub output: Option<f64>,
    /// The library's own probability for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

/// One of several inputs that change the answer about a row: it leaves something unchanged that each one before it changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NearWitness {
    /// No such input is nearer.
    pub lower: Option<f64>,
    /// Its distance.
    pub distance: Option<f64>,
    /// The input.
    pub witness: Witness,
    /// The features in which it differs from the row, with the row's values.
    pub changed: Vec<Change>,
    /// Its label.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub witness_label: Option<ClassName>,
}

/// A feature that a witness changes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Change {
    /// Its name.
    pub feature: String,
    /// The row's value.
    pub from: WitnessValue,
    /// The witness's value.
    pub to: WitnessValue,
}

/// What the answers about all rows say together.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct DistancesSummary {
    /// The rows that were asked about.
    pub rows: usize,
    /// The rows that were left when the run was interrupted.
    #[serde(skip_serializing_if = "is_zero")]
    pub left: usize,
    /// How many of them hold, have an exact distance, or provably no such input at all.
    pub decided: usize,
    /// How many hold.
    pub holds: usize,
    /// How many do not.
    pub violated: usize,
    /// For how many no such input exists at any distance.
    pub infeasible: usize,
    /// How many could not be decided within the limits.
    pub undecided: usize,
    /// The rows without a label in data that has labels: they are in no accuracy.
    #[serde(skip_serializing_if = "is_zero")]
    pub unlabelled: usize,
    /// The share of rows whose label is that of the data.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub accuracy: Option<f64>,
    /// The share of rows whose label is that of the data, and cannot be changed within the radius.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certified_accuracy: Option<f64>,
    /// The median of the distances found; infinite ones count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub median_distance: Option<f64>,
    /// How long all of it took.
    pub seconds: f64,
}

impl DistancesAnswer {
    /// Sums up the answers about rows.
    pub fn new(
        norm: Norm,
        radius: Option<f64>,
        rows: Vec<DistanceRow>,
        num_rows: usize,
        is_about_labels: bool,
        seconds: f64,
    ) -> Self {
        let facts: Vec<RowFacts> = rows.iter().map(RowFacts::from).collect();
        let summary = DistancesSummary::new(radius.is_some(), &facts, num_rows, is_about_labels, seconds);
        Self { verdict: summary.verdict(radius.is_some()), norm, radius, rows, summary }
    }
}

impl From<&DistanceRow> for RowFacts {
    fn from(row: &DistanceRow) -> Self {
        Self { verdict: row.verdict, is_correct: row.is_correct, lower: row.lower, upper: row.upper }
    }
}

impl DistancesSummary {
    pub(crate) fn new(
        is_robust: bool,
        rows: &[RowFacts],
        num_rows: usize,
        is_about_labels: bool,
        seconds: f64,
    ) -> Self {
        let count = |verdict: Verdict| rows.iter().filter(|answer| answer.verdict == verdict).count();
        let num_labelled = rows.iter().filter(|answer| answer.is_correct.is_some()).count();
        #[expect(clippy::cast_precision_loss, reason = "rows are far fewer than 2^53")]
        let share = |holds: &dyn Fn(&RowFacts) -> bool| {
            (num_labelled > 0).then(|| rows.iter().filter(|answer| holds(answer)).count() as f64 / num_labelled as f64)
        };
        let is_correct = |answer: &RowFacts| answer.is_correct == Some(true);
        let undecided = count(Verdict::Undecided);
        let mut distances: Vec<f64> = rows.iter().map(|answer| answer.upper.unwrap_or(f64::INFINITY)).collect();
        distances.sort_by(f64::total_cmp);
        let median = distances.get(distances.len() / 2).copied().filter(|distance| distance.is_finite());
        Self {
            rows: rows.len(),
            left: num_rows - rows.len(),
            decided: rows.len() - undecided,
            holds: count(Verdict::Holds),
            violated: count(Verdict::Violated),
            infeasible: count(Verdict::Infeasible),
            undecided,
            // A regression has labels for nobody.
            unlabelled: if is_about_labels && num_labelled > 0 { rows.len() - num_labelled } else { 0 },
            accuracy: share(&is_correct).filter(|_| is_about_labels),
            certified_accuracy: share(&|answer| is_correct(answer) && answer.verdict == Verdict::Holds)
                .filter(|_| is_about_labels && is_robust),
            median_distance: median.filter(|_| !is_robust),
            seconds,
        }
    }

    /// What is proved of all rows.
    pub(crate) fn verdict(&self, is_robust: bool) -> Verdict {
        let is_open = self.undecided > 0 || self.left > 0;
        match is_robust {
            true if self.violated > 0 => Verdict::Violated,
            // Where no input is allowed, nothing is robust: a wrong condition must not look like a proof.
            true if self.infeasible > 0 => Verdict::Infeasible,
            _ if is_open => Verdict::Undecided,
            true => Verdict::Holds,
            false => Verdict::Optimal,
        }
    }
}
