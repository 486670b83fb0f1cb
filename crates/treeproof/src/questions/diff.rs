//! `diff`: the input at which two models differ most.

mod comparable;

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Inputs;

pub(super) use self::comparable::are_comparable;
use super::common::{CommonFields, validate_within};
use super::context::{Context, refuse_other_than_sums};
use super::form_search::FormSearch;
use super::pair::{Compared, Comparison, pair_answer, pair_finding, widest};
use super::setting::Setting;
use crate::error::{TaskError, refuse};
use crate::problem::{Features, Sum, Term};
use crate::report::{Finding, Report};
use crate::run::Found;

/// The largest difference between two models.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Diff {
    /// The file of the model that is compared with the first, for whoever reads files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_model: Option<PathBuf>,
    /// By how much the models may differ. Default: by how much they do is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

impl Diff {
    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        if common.class.is_some() {
            return refuse("class", "does not apply to `diff`, which compares all margins");
        }
        common.refuse_surplus(&["data", "threshold", "method"])?;
        validate_within(self.within)
    }

    /// Compares two models.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let models = context.subject.all_models();
        let [first, second] = models[..] else { return refuse("other_model", "is missing: two models are compared") };
        let models = [first, second];
        if first.num_margins() == second.num_margins() {
            are_comparable(models)?;
        }
        let comparison = context.within_conditions(Inputs::One, |setting| diff(models, self.within, setting))?;
        let output = comparison.found.as_ref().map_or(0, |found| widest(&found.evaluations[0]));
        let class = context.class(output).filter(|_| comparison.found.is_some());
        let answer = pair_answer(comparison, &Compared::Models { models, output }, &context.groups)?;
        Ok(context.report(class, pair_finding(answer, Finding::Diff)))
    }
}

/// Bounds on the largest difference of any margin of two models, as exact sums. Conditions are about the features of the
/// first model; what both have, both accept.
///
/// With `within`, whether it is at most that: `holds`, or `violated` by an input at which the libraries' own sums differ by
/// more as well.
///
/// # Errors
/// If a model is no sum, the two cannot be compared, or a condition is not supported.
pub fn diff(models: [&Ensemble; 2], within: Option<f64>, setting: &Setting<'_>) -> Result<Comparison, TaskError> {
    models.into_iter().try_for_each(refuse_other_than_sums)?;
    let [first, second] = models;
    let margins = models.map(Ensemble::num_margins);
    if margins[0] != margins[1] {
        return Err(TaskError::Margins { margins });
    }
    let features = Features::matched(first, second)?;
    let alone = features.iter().filter(|feature| feature.first().model == 1).map(|feature| feature.name());
    setting.allowed.groups.fit(second, &alone.collect::<Vec<&str>>())?;
    let confine = |setting: &Setting<'_>| setting.space(&models, features.clone(), None);
    let case = |output: usize, negated: bool| {
        let term = |model, negated| Term { model, input: 0, output, negated };
        vec![Sum::of([term(0, negated), term(1, !negated)])]
    };
    let cases = (0..margins[0]).flat_map(|output| [case(output, false), case(output, true)]).collect();
    let library_difference = |found: &Found| {
        let [a, b] = [0, 1].map(|model| found.evaluations[0][model].library_margins());
        a.iter().zip(&b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
    };
    FormSearch::new("diff", &models, setting, &confine).within(within, |_| cases, library_difference)
}
