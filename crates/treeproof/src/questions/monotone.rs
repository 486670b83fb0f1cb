//! `monotone`: the output never falls, or never rises, as a feature rises.

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_data::error::quote;
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_language::{Inputs, Vocabulary};

use super::common::CommonFields;
use super::context::{Context, refuse_other_than_sums};
use super::form_search::FormSearch;
use super::pair::{Compared, Comparison, pair_answer, pair_finding};
use super::setting::Setting;
use crate::error::{TaskError, refuse};
use crate::problem::{Features, Sum, Term, Tie};
use crate::report::{Finding, PairAnswer, PairsAnswer, Report, Stopped, Verdict};
use crate::run::StoppingRule;
use crate::watch::{Recording, Watcher};

/// Monotonicity: the margin never falls, or never rises, as a feature rises.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Monotone {
    /// The features, by name. Default: those that the model was trained to constrain, the way it was trained to; else every
    /// number that some tree tests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub features: Vec<String>,
    /// True if the output must never rise. Default: it must never fall, but for what the model was trained to do.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decreasing: bool,
}

impl Monotone {
    /// Refuses fields that do not apply.
    pub(super) fn validate(common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&["data", "threshold", "method"])
    }

    /// Asks about one feature after the other.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let (ensemble, output) = (context.ensemble(), context.output()?);
        let (start, CommonFields { time, conditions, .. }) = (context.start, context.common);
        let features = self.rising_features(context)?;
        let mut answers: Vec<PairAnswer> = vec![];
        for (place, (feature, trend)) in features.iter().enumerate() {
            let (name, told) = (Some(ensemble.features()[*feature].name.clone()), Some(*trend));
            let is_interrupted = answers.last().is_some_and(|answer| answer.stopped == Stopped::Interrupted);
            // To begin takes time as well.
            let is_late = place > 0 && start.elapsed() >= time;
            if is_interrupted || is_late {
                let stopped = if is_interrupted { Stopped::Interrupted } else { Stopped::Time };
                answers.push(PairAnswer { feature: name, trend: told, ..PairAnswer::unasked(stopped) });
                continue;
            }
            let limits = context.limits_of_part(features.len() - place);
            let watcher = &Recording::part(context.watcher, &ensemble.features()[*feature].name, place);
            let within = (&limits, watcher as &dyn Watcher);
            let comparison = context.within(conditions, (Inputs::Two, vec![]), within, |setting| {
                monotone(ensemble, (*feature, *trend), output, setting)
            })?;
            let mut answer =
                pair_answer(comparison, &Compared::Inputs { ensemble, output: Some(output) }, &context.groups)?;
            (answer.feature, answer.trend) = (name, told);
            answers.push(answer);
        }
        let is_infeasible = answers.iter().all(|answer| answer.verdict == Verdict::Infeasible);
        let finding = match answers.len() {
            1 => pair_finding(answers.remove(0), Finding::Monotone),
            _ if is_infeasible => pair_finding(answers.swap_remove(0), Finding::Monotone),
            _ => Finding::MonotoneEach(PairsAnswer::new(answers, start.elapsed().as_secs_f64())),
        };
        Ok(context.report_about(features.into_iter().map(|(feature, _)| feature), context.class(output), finding))
    }

    /// The features that `monotone` is about, and which way the margin may go along each.
    fn rising_features(&self, context: &Context<'_>) -> Result<Vec<(usize, Trend)>, TaskError> {
        let (ensemble, groups) = (context.ensemble(), &context.groups);
        let trend = if self.decreasing { Trend::Decreasing } else { Trend::Increasing };
        let refuse = |what: String| TaskError::Value { field: "features", what };
        if !self.features.is_empty() {
            let vocabulary = Vocabulary::new(ensemble, groups, Inputs::One);
            let called = |name: &String| match vocabulary.feature_called(name) {
                Ok(feature) if groups.of(feature).is_some() => {
                    Err(refuse(format!("`{name}` is a column of a group, which has no order; `fair` compares groups")))
                }
                Ok(feature) if ensemble.features()[feature].is_category() => {
                    Err(refuse(format!("`{name}` is a category, which has no order; `fair` compares categories")))
                }
                Ok(feature) => Ok((feature, trend)),
                Err(what) => Err(refuse(what)),
            };
            return self.features.iter().map(called).collect();
        }
        let is_number = |feature: &usize| !ensemble.features()[*feature].is_category() && groups.of(*feature).is_none();
        let trained = ensemble.source().trends.iter().map(|(feature, trend)| (*feature, *trend));
        let trained: Vec<(usize, Trend)> = trained.filter(|(feature, _)| is_number(feature)).collect();
        if !trained.is_empty() && !self.decreasing {
            return Ok(trained);
        }
        // By position: names may be repeated.
        let splits = ensemble.trees().iter().flat_map(|tree| tree.splits());
        let tested: BTreeSet<usize> = splits.map(|split| split.feature as usize).collect();
        let tested: Vec<usize> = tested.into_iter().filter(is_number).collect();
        // What no tree tests does not matter; but some answer must be given.
        let all = || (0..ensemble.features().len()).filter(is_number).take(1).collect();
        let features: Vec<usize> = if tested.is_empty() { all() } else { tested };
        if features.is_empty() {
            return Err(refuse("the model has no feature that is a number, and categories have no order".to_owned()));
        }
        Ok(features.into_iter().map(|feature| (feature, trend)).collect())
    }
}

/// Bounds on the largest step of a margin in the wrong direction between two inputs that differ in one feature, a number:
/// `holds` if there is none, `violated` if there is one that the library's own sums show as well.
///
/// # Errors
/// If the model is no sum, the feature a category or a column of a group, or a condition not supported.
pub fn monotone(
    ensemble: &Ensemble,
    (feature, trend): (usize, Trend),
    output: usize,
    setting: &Setting<'_>,
) -> Result<Comparison, TaskError> {
    refuse_other_than_sums(ensemble)?;
    if ensemble.features()[feature].is_category() {
        return refuse("feature", "is a category, which has no order");
    }
    if let Some(group) = setting.allowed.groups.of(feature) {
        return refuse("feature", format!("is a column of group {}, which has no order", quote(&group.name)));
    }
    let mut ties = vec![Tie::Same; ensemble.features().len()];
    ties[feature] = Tie::NotBelow;
    let is_increasing = trend == Trend::Increasing;
    // The second input is the larger one: an increasing output must not be larger at the first.
    let term = |input, negated| Term { model: 0, input, output, negated };
    let sum = Sum::of([term(0, !is_increasing), term(1, is_increasing)]);
    let confine = |setting: &Setting<'_>| setting.space(&[ensemble], Features::of(ensemble), Some(ties.clone()));
    FormSearch::new("monotone", &[ensemble], setting, &confine).search(
        |_| vec![vec![sum]],
        StoppingRule::default(),
        |outcome, _| {
            let is_shown = outcome.found.as_ref().is_some_and(|found| {
                let [first, second] = [0, 1].map(|input| found.evaluations[input][0].margins[output].library);
                found.exact > Exact::zero() && if is_increasing { first > second } else { first < second }
            });
            Ok(match outcome.stopped {
                stopped if outcome.is_at_most(&Exact::zero()) => (Verdict::Holds, stopped),
                stopped if is_shown => (Verdict::Violated, stopped),
                Stopped::Optimal => (Verdict::Undecided, Stopped::Rounding),
                stopped => (Verdict::Undecided, stopped),
            })
        },
    )
}
