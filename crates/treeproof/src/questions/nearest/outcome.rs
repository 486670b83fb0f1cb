//! The answer about a row.

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;

use super::bounds::{CostBounds, NearInput};
use super::request::NearestRequest;
use super::search::RowSearch;
use crate::report::{Stats, Stopped, Verdict};

/// The proved facts about the nearest input to a row.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Nearest {
    /// With a radius whether there is none, `holds`, or one, `violated`; else whether the distance is `optimal`, or
    /// there is no such input at any distance, `infeasible`.
    pub verdict: Verdict,
    /// No such input is nearer.
    pub lower: Option<f64>,
    /// The distance of the input that was found.
    pub upper: Option<f64>,
    /// That input.
    pub row: Option<Vec<f64>>,
    /// The library's evaluation of that input.
    pub evaluation: Option<Evaluation>,
    /// Further inputs, as many as were asked for; if there are fewer and the verdict is not `undecided`, no more exist.
    pub others: Vec<Another>,
    /// The library's evaluation of the row asked about.
    pub asked: Evaluation,
    /// Why the search ended.
    pub stopped: Stopped,
    /// Duration in seconds.
    pub seconds: f64,
    /// Effort of the search.
    pub stats: Stats,
}

/// A further input that changes the answer: it leaves something unchanged that each one before it changes.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Another {
    /// No such input is nearer.
    pub lower: Option<f64>,
    /// The distance of this one.
    pub upper: Option<f64>,
    /// The input.
    pub row: Vec<f64>,
    /// The library's evaluation of it.
    pub evaluation: Evaluation,
}

impl RowSearch<'_> {
    /// The outcome of all searches together.
    pub(super) fn answer(&self, asked: Evaluation, all: Vec<CostBounds>, stats: Stats) -> Nearest {
        let NearestRequest { metric, within, .. } = self.question;
        // What is said about all holds only if every search came to its end.
        let stopped = all.iter().map(|ended| ended.stopped).find(|stopped| *stopped != Stopped::Optimal);
        let stopped = stopped.unwrap_or(Stopped::Optimal);
        let finite = |distance: f64| Some(distance).filter(|distance| distance.is_finite());
        let upper = |found: &NearInput| finite(metric.distance(&found.cost)[1]);
        let lower = |least: &Exact| finite(metric.distance(least)[0]);
        let mut all = all.into_iter();
        let first = all.next().expect("there is a search");
        let others = all.filter_map(|ended| {
            let found = ended.found?;
            let (lower, upper) = (ended.least.as_ref().and_then(lower), upper(&found));
            Some(Another { lower, upper, row: found.row, evaluation: found.evaluation })
        });
        let others = others.collect();
        let is_over = stopped == Stopped::Optimal;
        let verdict = match (&first.found, within) {
            // Nothing holds of inputs that there are not.
            _ if first.is_empty => Verdict::Infeasible,
            (Some(_), Some(_)) => Verdict::Violated,
            (None, Some(_)) if is_over && first.least.is_none() => Verdict::Holds,
            (Some(_), None) if is_over => Verdict::Optimal,
            (None, None) if is_over => Verdict::Infeasible,
            _ => Verdict::Undecided,
        };
        let lower = match (&first.least, within) {
            (Some(least), _) => lower(least),
            // Nothing within the radius.
            (None, Some(radius)) if !first.is_empty => Some(*radius),
            (None, _) => None,
        };
        let upper = first.found.as_ref().and_then(upper);
        let (row, evaluation) = first.found.map(|found| (found.row, found.evaluation)).unzip();
        let seconds = self.start.elapsed().as_secs_f64();
        Nearest { verdict, lower, upper, row, evaluation, others, asked, stopped, seconds, stats }
    }
}
