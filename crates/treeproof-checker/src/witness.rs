//! Witnesses: rows that are inputs of a statement, with the value and distance that they reach.

pub(crate) mod point;

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::statement::distance::Distance;
use treeproof_proof::statement::{Row, Tie};

use crate::distance::between;
use crate::error::{Refused, ensure};
use crate::goal::ResolvedGoal;
use crate::space::{Input, Space};
use crate::witness::point::Point;

/// The facts that a witness shows.
#[derive(Debug)]
pub struct WitnessFacts {
    /// The goal's number: the largest case's smallest sum; `None` if it is not finite.
    pub value: Option<Exact>,
    /// True if the goal is reached, by the library's own arithmetic.
    pub is_reached: bool,
    /// The cost of the distance, if there is one: for L2 its square.
    pub cost: Option<Exact>,
}

/// A feature of an input as each of its readers has it.
struct FeatureReading {
    raws: Vec<f64>,
    readings: Vec<Reading>,
}

/// Evaluates rows, for each input one per model. Everything that is demanded of inputs must hold, the distance included; the
/// goal may be missed.
///
/// # Errors
/// If the rows are no inputs of the statement: the message says why.
pub fn evaluate_witness(
    goal: &ResolvedGoal<'_>,
    space: &Space<'_>,
    rows: &[Vec<Row>],
) -> Result<WitnessFacts, Refused> {
    let statement = space.statement;
    ensure(rows.len() == statement.inputs.len(), || format!("a witness has {} inputs", rows.len()))?;
    let mut evaluations: Vec<Vec<Evaluation>> = vec![];
    let mut seen: Vec<Vec<FeatureReading>> = vec![];
    for of_input in rows {
        ensure(of_input.len() == space.models.len(), || "a witness has not one row for each model".to_owned())?;
        let raws: Vec<Vec<f64>> = of_input.iter().map(|row| row.0.iter().map(|raw| raw.0).collect()).collect();
        let read = |(model, row): (&&treeproof_ensemble::ensemble::Ensemble, &Vec<f64>)| {
            model.read(row).map_err(|error| Refused(format!("a witness is refused: {error}")))
        };
        let readings: Vec<Vec<Reading>> = space.models.iter().zip(&raws).map(read).collect::<Result<_, _>>()?;
        evaluations
            .push(space.models.iter().zip(&readings).map(|(model, read)| model.evaluate_readings(read)).collect());
        let of_feature = |feature: &treeproof_proof::statement::Feature| {
            let places = feature.readers.iter().map(|reader| (reader.model as usize, reader.feature as usize));
            let (raws, readings) = places.map(|(model, place)| (raws[model][place], readings[model][place])).unzip();
            FeatureReading { raws, readings }
        };
        seen.push(statement.features.iter().map(of_feature).collect());
    }
    for (input, of_input) in (0..).zip(&seen) {
        for (feature, seen) in of_input.iter().enumerate() {
            let is_allowed = space.values(&[input], feature).has(&seen.raws, &seen.readings);
            ensure(is_allowed, || format!("{} must not be {}", space.name(feature), seen.raws[0]))?;
        }
        for columns in &statement.groups {
            let raws = || columns.iter().map(|column| of_input[*column as usize].raws[0]);
            let is_one = raws().filter(|raw| *raw == 1.0).count() == 1 && raws().all(|raw| raw == 0.0 || raw == 1.0);
            ensure(is_one, || {
                format!("of the group of {} not exactly one column is 1", space.name(columns[0] as usize))
            })?;
        }
    }
    if let [first, second] = &seen[..] {
        for (feature, tie) in statement.ties.iter().enumerate() {
            let is_tied = is_tied(*tie, &first[feature], &second[feature]);
            ensure(is_tied, || format!("{} is not tied as it should be", space.name(feature)))?;
        }
    }
    let inputs = seen.iter().map(|seen| Input {
        raws: seen.iter().map(|seen| seen.raws[0]).collect(),
        readings: seen.iter().map(|seen| seen.readings[0]).collect(),
    });
    let point = Point { inputs: inputs.collect(), reference: space.reference_input() };
    let broken = statement.conditions.iter().position(|condition| !point.meets(condition));
    ensure(broken.is_none(), || format!("condition {} does not hold", broken.unwrap_or(0)))?;
    let cost_of = |near: &Distance| match (&point.inputs[..], &point.reference) {
        ([one, other], _) => between(near, space, one, other),
        ([one], Some(reference)) => between(near, space, reference, one),
        _ => None,
    };
    let asked = statement.near.iter().map(|near| (near, near.limit()));
    let mut all = asked.chain(statement.within.iter().map(|of| (&of.distance, Some(of.limit()))));
    let is_within = |(near, limit): (&Distance, Option<Exact>)| {
        cost_of(near).is_some_and(|cost| limit.is_none_or(|limit| cost <= limit))
    };
    ensure(all.all(is_within), || "a witness is too far away, or cannot be reached".to_owned())?;
    let cost = statement.near.as_ref().and_then(cost_of);
    Ok(WitnessFacts { value: goal.value(&evaluations), is_reached: goal.is_reached(&evaluations), cost })
}

fn is_tied(tie: Tie, first: &FeatureReading, second: &FeatureReading) -> bool {
    let is_missing = |seen: &FeatureReading| seen.readings.iter().all(|reading| *reading == Reading::Missing);
    let are_missing = is_missing(first) && is_missing(second);
    let is_number = !is_missing(first)
        && !is_missing(second)
        && !matches!(first.readings[0], Reading::Category(_) | Reading::NoCategory);
    match tie {
        Tie::Free => true,
        Tie::Same if is_number => first.raws[0] == second.raws[0],
        Tie::Same => first.readings == second.readings,
        Tie::NotBelow => are_missing || (is_number && first.raws[0] <= second.raws[0]),
    }
}
