//! The nearest input to a row as an answer: rows become witnesses, evaluations what the library says.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::label::{ClassName, LabelRule};

use crate::distance::{Closest, Nearest};
use crate::label::Labels;
use crate::report::{Change, DistanceRow, Witness, prediction};

/// What is told of a row. `label` is that of the data, where the data has labels.
pub(super) fn answer(
    question: &Closest,
    row: usize,
    from: &[f64],
    label: Option<Option<&ClassName>>,
    nearest: Nearest,
) -> DistanceRow {
    let ensemble: &Ensemble = &question.ensemble;
    let has_labels = *ensemble.label_rule() != LabelRule::None;
    let class = |evaluation: &Evaluation| {
        let class = Labels::class_by(ensemble, question.threshold, evaluation).filter(|_| has_labels)?;
        Some(ensemble.class_name(class))
    };
    let own = class(&nearest.asked);
    let found = nearest.evaluation.as_ref();
    let is_plain = ensemble.num_margins() == 1;
    let outcome = found.filter(|_| is_plain).and_then(|found| prediction(ensemble, 0, &found.outputs));
    let groups = question.conditions.groups();
    let witness = nearest.row.as_ref().map(|row| Witness::new(ensemble, groups, row));
    let before = Witness::new(ensemble, groups, from);
    let changed = witness.iter().flat_map(|witness| {
        let pairs = before.0.iter().zip(&witness.0).filter(|(before, after)| before.1 != after.1);
        pairs.map(|((feature, from), (_, to))| Change { feature: feature.clone(), from: from.clone(), to: to.clone() })
    });
    DistanceRow {
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
        nearest_row: None,
        stopped: nearest.stopped,
        seconds: nearest.seconds,
        stats: nearest.stats,
    }
}
