//! The largest value of a sum of margins: from names to models, inputs and features, and to the answer.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{Groups, Inputs};

use super::{GeneralTask, SignedMargin};
use crate::error::TaskError;
use crate::problem::{Features, Sum, Term, Tie};
use crate::questions::class;
use crate::questions::context::{Context, vocabulary};
use crate::questions::form_search::FormSearch;
use crate::questions::pair::{Comparison, witness_of_all};
use crate::questions::setting::Setting;
use crate::report::{CombinationAnswer, Finding, Infeasible, Pair, PairWitness, Report, Verdict, nearest_rows};

/// Answers a task of the general form.
///
/// # Panics
/// If there are not as many models as the task names.
pub(super) fn answer(task: &GeneralTask, context: &Context<'_>) -> Result<Report, TaskError> {
    let (models, groups) = (&context.subject.all_models()[..], &context.groups);
    assert_eq!(models.len(), task.models.len(), "a model for each name");
    let features = match models {
        [one] => Features::of(one),
        _ => Features::matched(models[0], models[1])?,
    };
    let inputs = if task.num_inputs() == 2 { Inputs::Two } else { Inputs::One };
    let terms = terms(task, models)?;
    let ties = (inputs == Inputs::Two).then(|| ties(task, models, groups, &features)).transpose()?;
    let comparison =
        context.within_conditions(inputs, |setting| combination(models, features, ties, terms.clone(), setting))?;
    let finding = match comparison.verdict {
        Verdict::Infeasible => Finding::Infeasible(Infeasible::new(comparison.conflict)),
        _ => {
            let mut answer = combination_answer(comparison, models, groups, &terms)?;
            let observed = context.subject.observed_inputs();
            answer.nearest_row =
                answer.witness.as_ref().and_then(|witness| nearest_rows(witness, models, groups, observed));
            Finding::Maximise(Box::new(answer))
        }
    };
    Ok(context.report(None, finding))
}

/// Bounds on the largest sum of some margins of one or two models, as exact sums, at one input or at two that are tied like
/// this, feature by feature. Conditions are about the features of the first model.
fn combination<'m>(
    models: &[&'m Ensemble],
    features: Features<'m>,
    ties: Option<Vec<Tie>>,
    terms: Vec<Term>,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    if let [_, second] = models {
        let alone = features.iter().filter(|feature| feature.first().model == 1).map(|feature| feature.name());
        setting.allowed.groups.fit(second, &alone.collect::<Vec<&str>>())?;
    }
    let confine = |setting: &Setting<'_>| setting.space(models, features.clone(), ties.clone());
    let search = FormSearch::new("maximise", models, setting, &confine);
    search.largest(|_| vec![vec![Sum::of(terms)]])
}

fn terms(task: &GeneralTask, models: &[&Ensemble]) -> Result<Vec<Term>, TaskError> {
    let place = |name: &str| task.models.keys().position(|model| model == name).expect("validated");
    let term = |margin: &SignedMargin| {
        let model = place(&margin.model);
        let output = class::output(models[model], margin.class.as_deref())?;
        Ok(Term { model, input: task.input(&margin.input), output, negated: margin.sign < 0 })
    };
    task.maximise.iter().map(term).collect()
}

/// How the inputs are tied in each feature.
fn ties(
    task: &GeneralTask,
    models: &[&Ensemble],
    groups: &Groups,
    features: &Features<'_>,
) -> Result<Vec<Tie>, TaskError> {
    let num_features = features.iter().count();
    let Some(except) = task.except() else { return Ok(vec![Tie::Free; num_features]) };
    let mut ties = vec![Tie::Same; num_features];
    let vocabulary = vocabulary(models, groups, Inputs::One);
    for name in except {
        let of_second_alone = || features.iter().position(|feature| feature.name() == name).map(|place| vec![place]);
        let places = vocabulary.columns_called(name).or_else(|what| of_second_alone().ok_or(what));
        for place in places.map_err(|what| TaskError::Value { field: "except", what })? {
            ties[place] = Tie::Free;
        }
    }
    Ok(ties)
}

fn combination_answer(
    comparison: Comparison,
    models: &[&Ensemble],
    groups: &Groups,
    terms: &[Term],
) -> Result<CombinationAnswer, TaskError> {
    let mut answer = CombinationAnswer {
        verdict: comparison.verdict,
        lower: comparison.lower,
        upper: comparison.upper,
        gap: comparison.gap,
        rounding: comparison.rounding,
        stopped: comparison.stopped,
        seconds: comparison.seconds,
        stats: comparison.stats,
        ..CombinationAnswer::default()
    };
    if let Some(found) = &comparison.found {
        let library = |term: &Term| found.evaluations[term.input][term.model].margins[term.output].library;
        answer.outputs = terms.iter().map(library).collect();
        let witness = |rows: &[Vec<f64>]| witness_of_all(models, groups, rows);
        answer.witness = Some(match &found.rows[..] {
            [a, b] => PairWitness::Two(Pair::new([witness(a)?, witness(b)?])),
            rows => PairWitness::One(witness(&rows[0])?),
        });
    }
    Ok(answer)
}
