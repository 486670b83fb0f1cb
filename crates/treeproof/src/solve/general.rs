//! Tasks of the general form: from names to models, inputs and features.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{Condition, Groups, Inputs, Resolved, Vocabulary};

use super::{class, compare};
use crate::compare::{Comparison, Setting, combination};
use crate::plausible::nearest_rows;
use crate::problem::{AdmissibleInputs, Features, ObservedInputs, Term, Tie};
use crate::report::{CombinationAnswer, Finding, Infeasible, Pair, PairWitness, QuestionName, Report, Unit, Verdict};
use crate::task::{GeneralTask, TaskError};
use crate::watch::Watcher;

/// Answers a task of the general form about its models, in order of their names. Conditions and data are about the
/// features of the first. `observed` is what the [domains](GeneralTask::domains) of its inputs hold.
///
/// # Errors
/// If the task or a condition is wrong, the models cannot be matched, or one is none about which questions can be answered.
///
/// # Panics
/// If there are not as many models as the task names.
pub fn solve_general(
    task: &GeneralTask,
    models: &[&Ensemble],
    observed: ObservedInputs<'_>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    task.validate()?;
    assert_eq!(models.len(), task.models.len(), "a model for each name");
    let features = match models {
        [one] => Features::of(one),
        _ => Features::matched(models[0], models[1])?,
    };
    let groups = task.groups_in(models[0])?;
    let inputs = if task.num_inputs() == 2 { Inputs::Two } else { Inputs::One };
    let terms = terms(task, models)?;
    let ties = (inputs == Inputs::Two).then(|| ties(task, models, &groups, &features)).transpose()?;
    let conditions: Vec<Condition> =
        task.conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
    let resolved = Resolved::new(&conditions, &vocabulary(models, &groups, inputs))?;
    let allowed = AdmissibleInputs {
        conditions: &conditions,
        resolved: &resolved,
        groups: &groups,
        observed,
        own: None,
        predicate: None,
    };
    let setting = Setting { allowed, limits: &task.limits, watcher };
    let comparison = combination(models, features, ties, terms.clone(), &setting)?;
    let finding = match comparison.verdict {
        Verdict::Infeasible => Finding::Infeasible(Infeasible::new(comparison.conflict)),
        _ => {
            let mut answer = answer(comparison, models, &groups, &terms)?;
            answer.nearest_row =
                answer.witness.as_ref().and_then(|witness| nearest_rows(witness, models, &groups, observed));
            Finding::Maximise(Box::new(answer))
        }
    };
    Ok(Report { question: QuestionName::Maximise, class: None, unit: Unit::Margin, not_tested: vec![], finding })
}

fn terms(task: &GeneralTask, models: &[&Ensemble]) -> Result<Vec<Term>, TaskError> {
    let place = |name: &str| task.models.keys().position(|model| model == name).expect("validated");
    let term = |margin: &crate::task::SignedMargin| {
        let model = place(&margin.model);
        let output = class::output(models[model], margin.class.as_deref())?;
        Ok(Term { model, input: task.input(&margin.input), output, negated: margin.sign < 0 })
    };
    task.maximise.iter().map(term).collect()
}

/// The features of the first model, and what the second calls its own.
fn vocabulary<'m>(models: &[&'m Ensemble], groups: &'m Groups, inputs: Inputs) -> Vocabulary<'m> {
    let first = Vocabulary::new(models[0], groups, inputs);
    models[1..].iter().fold(first, |vocabulary, other| vocabulary.beside(other))
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

fn answer(
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
        witness: None,
        nearest_row: None,
        outputs: vec![],
        stopped: comparison.stopped,
        seconds: comparison.seconds,
        stats: comparison.stats,
    };
    if let Some(found) = &comparison.found {
        let library = |term: &Term| found.evaluations[term.input][term.model].margins[term.output].library;
        answer.outputs = terms.iter().map(library).collect();
        let witness = |rows: &[Vec<f64>]| compare::witness_of_all(models, groups, rows);
        answer.witness = Some(match &found.rows[..] {
            [a, b] => PairWitness::Two(Pair::new([witness(a)?, witness(b)?])),
            rows => PairWitness::One(witness(&rows[0])?),
        });
    }
    Ok(answer)
}
