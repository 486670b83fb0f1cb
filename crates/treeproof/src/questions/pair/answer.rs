//! The answer of a comparison: rows become witnesses, evaluations the margins and labels of the libraries.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_language::Groups;

use super::Comparison;
use crate::error::TaskError;
use crate::problem::Features;
use crate::report::{
    Finding, Infeasible, Numbers, Pair, PairAnswer, PairWitness, Verdict, Witness, prediction, witness_of_row,
};
use crate::run::Found;

/// The two sides of a comparison.
pub(in crate::questions) enum Compared<'a> {
    /// A margin of two models at one input.
    Models { models: [&'a Ensemble; 2], output: usize },
    /// A margin of one model at two inputs; without a margin the labels, and all margins that they are chosen by.
    Inputs { ensemble: &'a Ensemble, output: Option<usize> },
}

/// The margin by which the evaluations of two models differ most.
pub(in crate::questions) fn widest(evaluations: &[Evaluation]) -> usize {
    let [a, b] = [0, 1].map(|model: usize| &evaluations[model].margins);
    let apart = |output: &usize| -> Option<Exact> {
        Some(a[*output].exact.as_ref()?.minus(b[*output].exact.as_ref()?).magnitude())
    };
    // Of equal ones the first.
    (0..a.len()).rev().max_by_key(apart).unwrap_or(0)
}

/// The answer that a comparison gives.
pub(in crate::questions) fn pair_answer(
    comparison: Comparison,
    compared: &Compared<'_>,
    groups: &Groups,
) -> Result<PairAnswer, TaskError> {
    let mut answer = PairAnswer {
        verdict: comparison.verdict,
        lower: comparison.lower,
        upper: comparison.upper,
        gap: comparison.gap,
        rounding: comparison.rounding,
        conflict: comparison.conflict,
        stopped: comparison.stopped,
        seconds: comparison.seconds,
        stats: comparison.stats,
        ..PairAnswer::default()
    };
    // Beside a proof that no pair differs, a pair that does not would only puzzle.
    let is_shown = match compared {
        Compared::Models { .. } => true,
        Compared::Inputs { output: Some(_), .. } => comparison.verdict != Verdict::Holds,
        Compared::Inputs { output: None, .. } => comparison.classes.is_some_and(|[a, b]| a != b),
    };
    if let Some(found) = comparison.found.as_ref().filter(|_| is_shown) {
        add_witness(&mut answer, found, (compared, groups), comparison.classes)?;
    }
    Ok(answer)
}

/// The finding of a comparison: its answer, or that no input is admissible.
pub(in crate::questions) fn pair_finding(answer: PairAnswer, of: fn(Box<PairAnswer>) -> Finding) -> Finding {
    match answer.verdict {
        Verdict::Infeasible => Finding::Infeasible(Infeasible::new(answer.conflict)),
        _ => of(Box::new(answer)),
    }
}

/// Adds the inputs that were found, and what the libraries compute for them.
fn add_witness(
    answer: &mut PairAnswer,
    found: &Found,
    (compared, groups): (&Compared<'_>, &Groups),
    classes: Option<[usize; 2]>,
) -> Result<(), TaskError> {
    let rows = &found.rows;
    let (models, evaluations, output) = match compared {
        Compared::Models { models, output } => {
            answer.witness = Some(PairWitness::One(witness_of_all(models, groups, &rows[0])?));
            (*models, [0, 1].map(|model: usize| &found.evaluations[0][model]), Some(*output))
        }
        Compared::Inputs { ensemble, output } => {
            let witness = |input: usize| witness_of_row(ensemble, groups, &rows[input][0]);
            answer.witness = Some(PairWitness::Two(Pair::new([0, 1].map(witness))));
            ([*ensemble; 2], [0, 1].map(|input: usize| &found.evaluations[input][0]), *output)
        }
    };
    let margins = |evaluation: &Evaluation| {
        let all = evaluation.library_margins();
        Numbers::from(output.map_or(all.clone(), |output| vec![all[output]]))
    };
    answer.output = Some(Pair::new(evaluations.map(margins)));
    let predicted = [0, 1].map(|which: usize| {
        let outputs = output.map_or_else(|| 0..models[which].num_margins(), |output| output..output + 1);
        let of_margin = |margin| prediction(models[which], margin, &evaluations[which].outputs);
        outputs.map(of_margin).collect::<Option<Vec<(f64, bool)>>>()
    });
    if let [Some(a), Some(b)] = predicted {
        let is_probability = a.iter().chain(&b).all(|(_, is_probability)| *is_probability);
        let numbers =
            |of: Vec<(f64, bool)>| Numbers::from(of.into_iter().map(|(number, _)| number).collect::<Vec<_>>());
        let pair = Some(Pair::new([a, b].map(numbers)));
        *(if is_probability { &mut answer.probability } else { &mut answer.prediction }) = pair;
    }
    let [a, b] = evaluations.map(|evaluation| evaluation.class);
    if let Some([a, b]) = classes.or_else(|| Some([a?, b?])) {
        answer.label = Some(Pair::new([models[0].class_name(a), models[1].class_name(b)]));
    }
    Ok(())
}

/// The features of the first model, with its groups, and those of the second alone if there are two.
pub(in crate::questions) fn witness_of_all(
    models: &[&Ensemble],
    groups: &Groups,
    rows: &[Vec<f64>],
) -> Result<Witness, TaskError> {
    let mut witness = witness_of_row(models[0], groups, &rows[0]);
    if let [first, second] = models {
        let features = Features::matched(first, second)?;
        let alone = features.iter().map(|feature| feature.first()).filter(|first| first.model == 1);
        let of_second = witness_of_row(second, &Groups::NONE, &rows[1]);
        witness.0.extend(alone.map(|first| of_second.0[first.feature].clone()));
    }
    Ok(witness)
}
