//! The nearest input to a row as an answer: rows become witnesses, evaluations what the library says.

use treeproof_ensemble::decision::Labels;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::label::LabelRule;

use super::outcome::Nearest;
use super::request::NearestRequest;
use crate::report::{Change, DistanceRow, NearWitness, Witness, prediction, witness_of_row};
use crate::rows::TrueLabel;

/// The answer about a row. `label` is that of the data, where the data has labels; `lists_all` says whether several inputs
/// were asked for.
pub(super) fn of_row(
    question: &NearestRequest,
    row: usize,
    from: &[f64],
    label: Option<&TrueLabel>,
    nearest: Nearest,
    lists_all: bool,
) -> DistanceRow {
    let ensemble: &Ensemble = &question.ensemble;
    let has_labels = *ensemble.label_rule() != LabelRule::None || question.threshold.is_some();
    let class = |evaluation: &Evaluation| {
        let class = Labels::class_by(ensemble, question.threshold, evaluation).filter(|_| has_labels)?;
        Some(ensemble.class_name(class))
    };
    let own = class(&nearest.asked);
    let found = nearest.evaluation.as_ref();
    let is_plain = ensemble.num_margins() == 1;
    let outcome = found.filter(|_| is_plain).and_then(|found| prediction(ensemble, 0, &found.outputs));
    let groups = &question.conditions.groups;
    let witness = nearest.row.as_ref().map(|row| witness_of_row(ensemble, groups, row));
    let before = witness_of_row(ensemble, groups, from);
    let changed = |witness: &Witness| -> Vec<Change> {
        let pairs = before.0.iter().zip(&witness.0).filter(|(before, after)| before.1 != after.1);
        pairs
            .map(|((feature, from), (_, to))| Change { feature: feature.clone(), from: from.clone(), to: to.clone() })
            .collect()
    };
    let near = |row: &[f64], evaluation: &Evaluation, lower: Option<f64>, distance: Option<f64>| {
        let witness = witness_of_row(ensemble, groups, row);
        NearWitness { lower, distance, changed: changed(&witness), witness, witness_label: class(evaluation) }
    };
    let first = nearest.row.iter().zip(found).map(|(row, found)| near(row, found, nearest.lower, nearest.upper));
    let others = nearest.others.iter().map(|other| near(&other.row, &other.evaluation, other.lower, other.upper));
    let witnesses = if lists_all { first.chain(others).collect() } else { vec![] };
    DistanceRow {
        row,
        verdict: nearest.verdict,
        is_correct: label.and_then(|label| label.agrees(own.as_ref())),
        label: own,
        lower: nearest.lower,
        upper: nearest.upper,
        changed: witness.as_ref().map(changed).unwrap_or_default(),
        witnesses,
        witness_label: found.and_then(class),
        output: found.filter(|_| is_plain).map(|found| found.margins[0].library),
        probability: outcome.filter(|(_, is_probability)| *is_probability).map(|(number, _)| number),
        witness,
        nearest_row: None,
        stopped: nearest.stopped,
        seconds: nearest.seconds,
        stats: nearest.stats,
    }
}
