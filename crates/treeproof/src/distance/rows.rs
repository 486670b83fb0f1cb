//! A question about distances over many rows: an answer for each, and what they say together.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::{ClassName, LabelRule};

use super::goal::Goal;
use super::metric::Norm;
use super::search::{Closest, Nearest};
use crate::label::Labels;
use crate::report::{Stats, Stopped, Verdict, Witness, WitnessValue, prediction};
use crate::rows::Rows;
use crate::task::TaskError;

/// The answers about all rows.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RowsReport {
    /// `robust` with a radius, else `closest`.
    pub question: &'static str,
    /// How distances are measured.
    pub norm: Norm,
    /// The radius that was asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub radius: Option<f64>,
    /// One for every row that was asked about.
    pub rows: Vec<RowAnswer>,
    /// What they say together.
    pub summary: Summary,
}

/// What was proved about one row.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct RowAnswer {
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
    /// The features in which it differs from the row, with the row's values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub changed: Vec<Change>,
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

/// A feature that a witness changes.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct Change {
    /// Its name.
    pub feature: String,
    /// The row's value.
    pub from: WitnessValue,
    /// The witness's value.
    pub to: WitnessValue,
}

/// What the answers about all rows say together.
#[derive(Clone, Debug, Default, Serialize)]
#[non_exhaustive]
pub struct Summary {
    /// The rows that were asked about.
    pub rows: usize,
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

impl Closest {
    /// Asks about every row, on so many threads. `tell` is given each answer as it comes and says whether to go on; rows that
    /// are not asked about then are left out.
    ///
    /// # Errors
    /// If the question cannot be asked about some row.
    pub fn ask_rows(
        &self,
        rows: &Rows,
        labels: Option<&[Option<ClassName>]>,
        threads: usize,
        tell: &(dyn Fn(Option<&RowAnswer>) -> bool + Sync),
    ) -> Result<RowsReport, TaskError> {
        let start = std::time::Instant::now();
        let (next, answers) = (AtomicUsize::new(0), Mutex::new(vec![]));
        let failure: Mutex<Option<(usize, TaskError)>> = Mutex::new(None);
        let work = || {
            loop {
                let row = next.fetch_add(1, Ordering::Relaxed);
                let is_over = row >= rows.len() || failure.lock().expect("nobody panics with this").is_some();
                if is_over || !tell(None) {
                    return;
                }
                match self.ask(rows.row(row), &|| tell(None)) {
                    Ok(nearest) => {
                        let label = labels.map(|labels| labels[row].as_ref());
                        let answer = self.row_answer(row, rows.row(row), label, nearest);
                        tell(Some(&answer));
                        answers.lock().expect("nobody panics with this").push(answer);
                    }
                    Err(error) => {
                        failure.lock().expect("nobody panics with this").get_or_insert((row, error));
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..threads.min(rows.len()).max(1) {
                scope.spawn(work);
            }
            work();
        });
        if let Some((row, error)) = failure.into_inner().expect("nobody panics with this") {
            return Err(match error {
                TaskError::Row { what, .. } => TaskError::Row { row, what },
                other => other,
            });
        }
        let mut rows = answers.into_inner().expect("nobody panics with this");
        rows.sort_by_key(|answer| answer.row);
        let summary = self.summary(&rows, start.elapsed().as_secs_f64());
        let question = if self.within.is_some() { "robust" } else { "closest" };
        Ok(RowsReport { question, norm: self.metric.norm, radius: self.within, rows, summary })
    }

    fn row_answer(&self, row: usize, from: &[f64], label: Option<Option<&ClassName>>, nearest: Nearest) -> RowAnswer {
        let ensemble: &Ensemble = &self.ensemble;
        let has_labels = *ensemble.label_rule() != LabelRule::None;
        let class = |evaluation: &treeproof_ensemble::evaluate::Evaluation| {
            let class = Labels::class_by(ensemble, self.threshold, evaluation).filter(|_| has_labels)?;
            Some(ensemble.class_name(class))
        };
        let own = class(&nearest.asked);
        let found = nearest.evaluation.as_ref();
        let is_plain = ensemble.num_margins() == 1;
        let outcome = found.filter(|_| is_plain).and_then(|found| prediction(ensemble, 0, &found.outputs));
        let groups = self.conditions.groups();
        let witness = nearest.row.as_ref().map(|row| Witness::new(ensemble, groups, row));
        let before = Witness::new(ensemble, groups, from);
        let changed = witness.iter().flat_map(|witness| {
            let pairs = before.0.iter().zip(&witness.0).filter(|(before, after)| before.1 != after.1);
            pairs.map(|((feature, from), (_, to))| Change {
                feature: feature.clone(),
                from: from.clone(),
                to: to.clone(),
            })
        });
        RowAnswer {
            row,
            verdict: nearest.verdict,
            is_correct: label.map(|label| label.is_some() && label == own.as_ref()),
            label: own,
            lower: nearest.lower,
            upper: nearest.upper,
            changed: changed.collect(),
            witness_label: found.and_then(class),
            output: found.filter(|_| is_plain).map(|found| found.margins[0].library),
            probability: outcome.filter(|(_, is_probability)| *is_probability).map(|(number, _)| number),
            witness,
            stopped: nearest.stopped,
            seconds: nearest.seconds,
            stats: nearest.stats,
        }
    }

    fn summary(&self, rows: &[RowAnswer], seconds: f64) -> Summary {
        let count = |verdict: Verdict| rows.iter().filter(|answer| answer.verdict == verdict).count();
        let share = |holds: &dyn Fn(&RowAnswer) -> bool| {
            let known = rows.iter().filter(|answer| answer.is_correct.is_some()).count();
            (known > 0).then(|| rows.iter().filter(|answer| holds(answer)).count() as f64 / known as f64)
        };
        let is_correct = |answer: &RowAnswer| answer.is_correct == Some(true);
        let is_about_labels = matches!(self.goal, Goal::Other | Goal::Class(_));
        let undecided = count(Verdict::Undecided);
        let mut distances: Vec<f64> = rows.iter().map(|answer| answer.upper.unwrap_or(f64::INFINITY)).collect();
        distances.sort_by(f64::total_cmp);
        let median = distances.get(distances.len() / 2).copied().filter(|distance| distance.is_finite());
        Summary {
            rows: rows.len(),
            decided: rows.len() - undecided,
            holds: count(Verdict::Holds),
            violated: count(Verdict::Violated),
            infeasible: count(Verdict::Infeasible),
            undecided,
            accuracy: share(&is_correct).filter(|_| is_about_labels),
            certified_accuracy: share(&|answer| is_correct(answer) && answer.verdict == Verdict::Holds)
                .filter(|_| is_about_labels && self.within.is_some()),
            median_distance: median.filter(|_| self.within.is_none()),
            seconds,
        }
    }
}
