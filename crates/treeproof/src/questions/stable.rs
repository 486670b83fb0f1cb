//! `stable`: the largest jump of the output between two inputs that are near each other.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Constraint, Inputs, Side, Variable};

use super::common::{CommonFields, validate_radius, validate_within};
use super::context::{Context, refuse_other_than_sums};
use super::form_search::FormSearch;
use super::nearest::Measure;
use super::pair::{Compared, Comparison, pair_answer, pair_finding};
use super::setting::Setting;
use crate::attributes::tested;
use crate::error::TaskError;
use crate::problem::{Ball, Features, Metric, Nearness, Space, Sum, Term, Tie};
use crate::report::{Finding, Report};
use crate::run::Found;

/// The largest jump of the margin between two inputs that are not further apart than a radius.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Stable {
    /// How distances are measured.
    #[serde(flatten)]
    pub measure: Measure,
    /// How far apart the inputs may be.
    pub radius: f64,
    /// By how much the margin may jump. Default: by how much it does is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

impl Stable {
    /// The largest jump within a radius.
    pub fn new(norm: Norm, radius: f64) -> Self {
        Self { measure: Measure::new(norm), radius, within: None }
    }

    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&["data", "threshold", "method"])?;
        self.measure.validate()?;
        validate_radius(self.radius)?;
        validate_within(self.within)
    }

    /// Compares two inputs that are near each other.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let (ensemble, output) = (context.ensemble(), context.output()?);
        let metric = self.measure.metric(ensemble, &context.groups, context.subject.scale.as_ref())?;
        let near = Near { metric, radius: self.radius, varied: None, direction: None };
        let comparison = context
            .within_conditions(Inputs::Two, |setting| stable(ensemble, &near, (output, self.within), setting))?;
        let answer = pair_answer(comparison, &Compared::Inputs { ensemble, output: Some(output) }, &context.groups)?;
        Ok(context.report(context.class(output), pair_finding(answer, Finding::Stable)))
    }
}

/// Pairs of inputs that count as near each other.
#[derive(Clone, Debug)]
pub struct Near {
    /// The distance.
    pub metric: Metric,
    /// The largest distance.
    pub radius: f64,
    /// The features that may differ. Default: all.
    pub varied: Option<Vec<usize>>,
    /// Which way the margin goes from the first input to the second. Default: either.
    pub direction: Option<Trend>,
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
    let confine = |setting: &Setting<'_>| {
        let free = vec![Tie::Free; ensemble.features().len()];
        let space = setting.space(&[ensemble], Features::of(ensemble), Some(free))?;
        Ok(space.map(|space| tied(space, ensemble, near, &ball, &setting.allowed.across())))
    };
    let case = |negated: bool| {
        let term = |input, negated| Term { model: 0, input, output, negated };
        vec![Sum::of([term(0, !negated), term(1, negated)])]
    };
    let cases = |space: &Space<'_>| match near.direction {
        Some(direction) => vec![case(direction == Trend::Decreasing)],
        // Where the inputs can be exchanged, the other order says the same.
        None if setting.is_symmetric(space) => vec![case(false)],
        None => vec![case(false), case(true)],
    };
    let library_difference = |found: &Found| {
        let [a, b] = [0, 1].map(|input| found.evaluations[input][0].margins[output].library);
        (a - b).abs()
    };
    let models = [ensemble];
    let search = FormSearch::new("stable", &models, setting, &confine);
    FormSearch { nearness: Nearness::Ball(&ball), ..search }.within(within, cases, library_difference)
}

/// Ties what cannot differ, or need not: values that neither trees nor conditions on several look at, where both inputs may have
/// the same.
fn tied<'m>(mut space: Space<'m>, ensemble: &Ensemble, near: &Near, ball: &Ball, across: &[&Constraint]) -> Space<'m> {
    let mut is_tested = tested(ensemble);
    across.iter().for_each(|constraint| constraint.see_features(&mut |feature| is_tested[feature] = true));
    for group in near.metric.groups.iter() {
        let is_any_tested = group.columns.iter().any(|column| is_tested[*column]);
        group.columns.iter().for_each(|column| is_tested[*column] = is_any_tested);
    }
    for (feature, known) in ensemble.features().iter().enumerate() {
        let own = [feature];
        let columns = near.metric.groups.of(feature).map_or(&own[..], |group| &group.columns);
        let is_confined = columns.iter().any(|column| space.inputs[0][*column] != space.inputs[1][*column]);
        let may_vary = near.varied.as_ref().is_none_or(|varied| varied.contains(&feature));
        let may_change = !known.is_category() || ball.category_cost().is_some() || ball.missing_cost(feature).is_some();
        let may_differ = may_vary && may_change && (is_tested[feature] || is_confined);
        if !may_differ {
            space.ties[feature] = Tie::Same;
        }
    }
    space
}
