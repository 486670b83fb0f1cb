//! The largest jump of the output between two inputs that are near each other.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;

use super::{Comparison, Direction, Found, Setting};
use crate::compile::{Ball, Domain, Features, Form, Nearness, Space, Sum, Term, Tie};
use crate::distance::Metric;
use crate::language::{Side, Variable};
use crate::run::Asked;
use crate::solve::refuse_other_than_sums;
use crate::task::TaskError;

/// Which inputs count as near each other.
#[derive(Clone, Debug)]
pub struct Near {
    /// What a difference costs.
    pub metric: Metric,
    /// The largest distance.
    pub radius: f64,
    /// The features that may differ. Default: all.
    pub varied: Option<Vec<usize>>,
    /// Which way the margin goes from the first input to the second. Default: either.
    pub direction: Option<Direction>,
}

/// Bounds on the largest difference of a margin between two inputs that are at most a distance apart, as exact sums. What is
/// missing in one input is missing in the other, unless conditions say that it may be missing.
///
/// With `within`, whether it is at most that: `holds`, or `violated` by two inputs at which the library's own sums differ by
/// more as well.
///
/// # Errors
/// If the model is no sum, or a condition is not supported.
pub fn stable(
    ensemble: &Ensemble,
    near: &Near,
    (output, within): (usize, Option<f64>),
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    refuse_other_than_sums(ensemble)?;
    let may_be_missing = &setting.allowed.resolved.may_be_missing;
    let is_permitted =
        |feature| [Side::A, Side::B].iter().any(|side| may_be_missing.contains(&Variable { side: *side, feature }));
    let ball = Ball {
        metric: near.metric.clone(),
        radius: near.radius,
        may_go_missing: (0..ensemble.features().len()).map(is_permitted).collect(),
    };
    let free = vec![Tie::Free; ensemble.features().len()];
    let mut space = match setting.space(&[ensemble], Features::of(ensemble), Some(free))? {
        Ok(space) => space,
        Err(conflict) => return Ok(Comparison::infeasible(conflict)),
    };
    tie(&mut space, ensemble, near, &ball)?;
    let case = |negated: bool| {
        let term = |input, negated| Term { model: 0, input, output, negated };
        vec![Sum::of([term(0, !negated), term(1, negated)])]
    };
    let cases = match near.direction {
        Some(direction) => vec![case(direction == Direction::Down)],
        // Where the inputs can be exchanged, the other order says the same.
        None if space.is_symmetric() => vec![case(false)],
        None => vec![case(false), case(true)],
    };
    let form = Form { models: vec![ensemble], space, cases };
    setting.refuse_valued(&form)?;
    let limit = within.and_then(Exact::from_f64);
    let is_shown = |found: &Found| {
        let [a, b] = [0, 1].map(|input| found.evaluations[input][0].margins[output].library);
        within.is_some_and(|within| (a - b).abs() > within)
    };
    let settles = |found: &Found| limit.as_ref().is_some_and(|limit| found.exact > *limit) && is_shown(found);
    let asked = Asked { settles: Some(&settles), nearness: Nearness::Ball(&ball), ..setting.asked(&form, "stable") };
    let Some(ended) = asked.search()? else { return Ok(Comparison::infeasible(vec![])) };
    let (verdict, stopped) = ended.verdict_within(limit.as_ref());
    Ok(Comparison::new(ended, &form, verdict, stopped))
}

/// Ties what cannot differ, or need not: values that no tree looks at, where both inputs may have the same.
fn tie(space: &mut Space<'_>, ensemble: &Ensemble, near: &Near, ball: &Ball) -> Result<(), TaskError> {
    let mut is_tested = vec![false; ensemble.features().len()];
    for split in ensemble.trees().iter().flat_map(|tree| tree.splits()) {
        is_tested[split.feature as usize] = true;
    }
    for group in near.metric.groups.iter() {
        let is_any_tested = group.columns.iter().any(|column| is_tested[*column]);
        group.columns.iter().for_each(|column| is_tested[*column] = is_any_tested);
    }
    for (feature, known) in ensemble.features().iter().enumerate() {
        let own = [feature];
        let columns = near.metric.groups.of(feature).map_or(&own[..], |group| &group.columns);
        let [first, second] = [0, 1].map(|input| &space.inputs[input][feature]);
        let is_confined = columns.iter().any(|column| space.inputs[0][*column] != space.inputs[1][*column]);
        let may_vary = near.varied.as_ref().is_none_or(|varied| varied.contains(&feature));
        let may_change = !known.is_category() || ball.category_cost().is_some() || ball.missing_cost(feature).is_some();
        let may_differ = may_vary && may_change && (is_tested[feature] || is_confined);
        if !may_differ {
            space.ties[feature] = Tie::Same;
        } else if let (Domain::Numbers { numbers, .. }, Domain::Numbers { numbers: others, .. }) = (first, second)
            && !numbers.has_steps_of(others)
        {
            let what = format!("`{}` has another step in one input than in the other: not supported yet", known.name);
            return Err(TaskError::Value { field: "where", what });
        }
    }
    Ok(())
}
