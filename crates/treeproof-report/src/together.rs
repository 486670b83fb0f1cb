//! What answers about rows say together, wherever each was found: rows that were asked about in parts are summed up as those
//! that were asked about at once.

use serde::{Deserialize, Serialize};

use crate::difference::PairRowsSummary;
use crate::distances::DistancesSummary;
use crate::row_facts::RowFacts;
use crate::verdict::Verdict;

/// A question that is asked about rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RowsQuestion {
    /// Whether labels can be changed within a radius.
    Robust,
    /// How far the nearest other label is.
    Closest,
    /// Whether protected features matter.
    Fair,
}

/// What the answers about all rows say together.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Together {
    /// What was proved of all rows.
    pub verdict: Verdict,
    /// How many there are of each kind.
    pub summary: Summary,
}

/// How many rows there are of each kind.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Summary {
    /// Of `robust` and `closest`.
    Distances(DistancesSummary),
    /// Of `fair`.
    Pairs(PairRowsSummary),
}

/// Sums up what is known of `num_rows` rows; those of which nothing is known are left.
pub fn together(
    question: RowsQuestion,
    rows: &[RowFacts],
    num_rows: usize,
    is_about_labels: bool,
    seconds: f64,
) -> Together {
    // More answers than rows would be somebody else's mistake, and no reason to count below zero.
    let num_rows = num_rows.max(rows.len());
    if question == RowsQuestion::Fair {
        let (verdict, summary) = PairRowsSummary::new(rows, num_rows, is_about_labels);
        return Together { verdict, summary: Summary::Pairs(summary) };
    }
    let is_robust = question == RowsQuestion::Robust;
    let summary = DistancesSummary::new(is_robust, rows, num_rows, is_about_labels, seconds);
    Together { verdict: summary.verdict(is_robust), summary: Summary::Distances(summary) }
}
