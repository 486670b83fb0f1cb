//! `dominant`: the few features that move the output most.

mod from_start;
mod start;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Groups, Inputs, Vocabulary};

pub use self::from_start::dominant;
use self::start::{named_values, start_row};
use super::common::CommonFields;
use super::context::Context;
use super::items::items;
use super::pair::{Compared, Comparison, pair_answer};
use super::stable::{Near, stable};
use crate::attributes::{Attribute, attributes, tested};
use crate::error::{TaskError, refuse};
use crate::problem::{InputRows, Metric, StartingRow};
use crate::report::{
    DominantAnswer, FeatureChange, Finding, Infeasible, RankedFeature, RankingAnswer, Report, Verdict, witness_of_row,
};
use crate::watch::{Recording, Watcher};

/// Which few features move the margin most: from a starting point, or between any two inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Dominant {
    /// Values of the starting point, which stay as they are: lists of `name=value`. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// The rest of the starting point. Default: it is 0. Without a starting point, any two inputs are compared that the
    /// conditions allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// Names of the features that may change, in which `*` stands for any letters and `?` for one.
    pub vary: Vec<String>,
    /// How many of them may change at most. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<usize>,
    /// True if the margin is to fall. Default: it is to rise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decrease: bool,
    /// True if each feature is asked about by itself. Default: all together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub each: bool,
}

/// The starting point of changes, apart from the given values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Baseline {
    /// A row of `data`, counted from 0.
    Row(usize),
    /// Lists of `name=value`; all other features are 0.
    Values(Vec<String>),
}

impl Dominant {
    /// Which of these features moves the margin most, from a starting point at which all is 0 but what is given.
    pub fn new<T: Into<String>>(given: impl IntoIterator<Item = T>, vary: impl IntoIterator<Item = T>) -> Self {
        let texts = |of: Vec<T>| of.into_iter().map(Into::into).collect();
        Self { given: texts(given.into_iter().collect()), vary: texts(vary.into_iter().collect()), ..Self::default() }
    }

    /// True if there is a starting point.
    pub fn has_start(&self) -> bool {
        !self.given.is_empty() || self.baseline.is_some()
    }

    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&["threshold", "method"])?;
        if self.vary.is_empty() {
            return refuse("vary", "is missing: name the features that may change, as in 'word_*'");
        }
        if self.at_most == Some(0) {
            return refuse("at_most", "must be at least 1: nothing moves where nothing changes");
        }
        if self.each && self.at_most.is_some_and(|most| most != 1) {
            return refuse("at_most", "does not go with `each`, which changes one feature at a time");
        }
        match (&self.baseline, common.has_data) {
            (None, true) => return refuse("baseline", "is missing: say which row of the data it is"),
            (Some(Baseline::Row(_)), false) => return refuse("baseline", "needs data to take the row from"),
            (Some(Baseline::Values(_)), true) => {
                return refuse("baseline", "must be the number of a row where there is data to take it from");
            }
            _ => {}
        }
        if !self.has_start() && self.each {
            return refuse("each", "needs a starting point: give one with `given` or `baseline`");
        }
        Ok(())
    }

    /// Ranks the features, or finds the few that move the margin most.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let (ensemble, output) = (context.ensemble(), context.output()?);
        let given = named_values("given", &self.given, ensemble, &context.groups)?;
        let varied = varied(self, ensemble, &context.groups, &given)?;
        let at_most = self.at_most.unwrap_or(1);
        let direction = if self.decrease { Trend::Decreasing } else { Trend::Increasing };
        if !self.has_start() {
            #[expect(clippy::cast_precision_loss, reason = "features are far fewer than 2⁵³")]
            let radius = at_most as f64;
            let near = Near {
                metric: Metric::new(Norm::L0, ensemble, &context.groups),
                radius,
                varied: Some(varied),
                direction: Some(direction),
            };
            let comparison =
                context.within_conditions(Inputs::Two, |setting| stable(ensemble, &near, (output, None), setting))?;
            return report_changes(context, comparison, output);
        }
        let start = StartingRow { row: start_row(self, ensemble, &context.groups, &given, context.rows()?)?, at_most };
        if self.each {
            return rank(context, &start, &varied, (output, direction));
        }
        let comparison = context.within_conditions(Inputs::One, |setting| {
            dominant(ensemble, (&start, &varied), (output, direction), setting)
        })?;
        report_changes(context, comparison, output)
    }
}

/// The report of the changes between the two inputs of a comparison.
fn report_changes(context: &Context<'_>, comparison: Comparison, output: usize) -> Result<Report, TaskError> {
    let (ensemble, groups) = (context.ensemble(), &context.groups);
    let between = |rows: &InputRows| changes(ensemble, groups, [&rows[0][0], &rows[1][0]], output);
    let mut changes = comparison.found.as_ref().map_or(vec![], |found| between(&found.rows));
    changes.sort_by(|one, other| other.effect.abs().total_cmp(&one.effect.abs()));
    let answer = pair_answer(comparison, &Compared::Inputs { ensemble, output: Some(output) }, groups)?;
    let finding = match answer.verdict {
        Verdict::Infeasible => Finding::Infeasible(Infeasible::new(answer.conflict)),
        _ => Finding::Dominant(Box::new(DominantAnswer { answer, changes })),
    };
    Ok(context.report(context.class(output), finding))
}

/// Moves each feature by itself.
fn rank(
    context: &Context<'_>,
    start: &StartingRow,
    varied: &[usize],
    (output, direction): (usize, Trend),
) -> Result<Report, TaskError> {
    let (ensemble, began) = (context.ensemble(), context.start);
    let CommonFields { conditions, time, .. } = context.common;
    let tested = tested(ensemble);
    let attributes = attributes(ensemble, &context.groups).into_iter().map(|attribute| attribute.columns).enumerate();
    let attributes = attributes.filter(|(_, columns)| varied.contains(&columns[0]));
    let is_tested = |columns: &[usize]| columns.iter().any(|column| tested[*column]);
    let (asked, untested): (Vec<_>, Vec<_>) = attributes.partition(|(_, columns)| is_tested(columns));
    let before = witness_of_row(ensemble, &context.groups, &start.row).0;
    let mut ranked = vec![];
    for (place, (entry, columns)) in asked.iter().enumerate() {
        let limits = context.limits_of_part(asked.len() - place);
        let (attribute, from) = before[*entry].clone();
        // To begin takes time as well.
        if place > 0 && (began.elapsed() >= time || context.watcher.is_interrupted()) {
            let (verdict, to) = (Verdict::Undecided, None);
            ranked.push(RankedFeature { attribute, to, from, verdict, lower: None, upper: None });
            continue;
        }
        let watcher = &Recording::part(context.watcher, &attribute, place);
        let within = (&limits, watcher as &dyn Watcher);
        let comparison = context.within(conditions, (Inputs::One, vec![]), within, |setting| {
            dominant(ensemble, (start, columns), (output, direction), setting)
        })?;
        if comparison.verdict == Verdict::Infeasible && !comparison.conflict.is_empty() {
            return Ok(context.report(None, Finding::Infeasible(Infeasible::new(comparison.conflict))));
        }
        let after = |row: &[f64]| witness_of_row(ensemble, &context.groups, row).0.swap_remove(*entry).1;
        let to = comparison.found.as_ref().map(|found| after(&found.rows[1][0]));
        let Comparison { verdict, lower, upper, .. } = comparison;
        ranked.push(RankedFeature { attribute, to: to.filter(|to| *to != from), from, verdict, lower, upper });
    }
    if !ranked.is_empty() && ranked.iter().all(|ranked| ranked.verdict == Verdict::Infeasible) {
        return Ok(context.report(None, Finding::Infeasible(Infeasible::new(vec![]))));
    }
    // What the conditions do not allow, alone, is none of the answers.
    ranked.retain(|ranked| ranked.verdict != Verdict::Infeasible);
    let answer = RankingAnswer::new(ranked, untested.len(), began.elapsed().as_secs_f64());
    Ok(context.report(context.class(output), Finding::DominantEach(answer)))
}

/// The changes between two rows, each with its effect by itself.
fn changes(ensemble: &Ensemble, groups: &Groups, [from, to]: [&[f64]; 2], output: usize) -> Vec<FeatureChange> {
    let margin = |row: &[f64]| ensemble.evaluate(row).ok()?.margins[output].exact.clone();
    let [before, after] = [from, to].map(|row| witness_of_row(ensemble, groups, row).0);
    let is_same = |column: &usize| from[*column] == to[*column] || (from[*column].is_nan() && to[*column].is_nan());
    let mut changes = vec![];
    let attributes = attributes(ensemble, groups).into_iter().zip(before.into_iter().zip(after));
    for (Attribute { columns, .. }, ((attribute, from_value), (_, to_value))) in attributes {
        if columns.iter().all(is_same) {
            continue;
        }
        let mut alone = from.to_vec();
        columns.iter().for_each(|column| alone[*column] = to[*column]);
        let effect = margin(&alone).zip(margin(from)).map_or(Exact::zero(), |(alone, own)| alone.minus(&own));
        changes.push(FeatureChange { attribute, from: from_value, to: to_value, effect: effect.to_f64() });
    }
    changes
}

/// The features that may change: those that are like a pattern, but for those that are given. Of a group all columns, if any.
fn varied(
    dominant: &Dominant,
    ensemble: &Ensemble,
    groups: &Groups,
    given: &[(usize, f64)],
) -> Result<Vec<usize>, TaskError> {
    let refuse = |what: String| TaskError::Value { field: "vary", what };
    let vocabulary = Vocabulary::new(ensemble, groups, Inputs::One);
    let mut varied = vec![];
    for pattern in dominant.vary.iter().flat_map(|text| items(text)) {
        let like = match groups.named(pattern) {
            Some(group) => group.columns.clone(),
            None => vocabulary.features_like(pattern).map_err(refuse)?,
        };
        for feature in like {
            varied.extend(groups.of(feature).map_or(vec![feature], |group| group.columns.clone()));
        }
    }
    varied.retain(|feature| given.iter().all(|(known, _)| known != feature));
    varied.sort_unstable();
    varied.dedup();
    match varied.is_empty() {
        true => Err(refuse("all of these are given, so that none can change".to_owned())),
        false => Ok(varied),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::Task;

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refusal = |change: &dyn Fn(&mut Dominant)| {
            let mut dominant = Dominant::new(["live=1"], ["*"]);
            change(&mut dominant);
            Task::new(dominant).validate().map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert_eq!(refusal(&|_| {}), "");
        assert_eq!(
            refusal(&|dominant| dominant.at_most = Some(0)),
            "at_most must be at least 1: nothing moves where nothing changes"
        );
        let baseline = |baseline: Baseline| refusal(&|dominant| dominant.baseline = Some(baseline.clone()));
        assert_eq!(baseline(Baseline::Row(3)), "baseline needs data to take the row from");
        let values = Baseline::Values(vec!["news=2".to_owned()]);
        assert_eq!(baseline(values.clone()), "");
        let mut task = Task::new(Dominant { baseline: Some(values), ..Dominant::new(["live=1"], ["*"]) });
        task.data = Some("words.csv".into());
        let refused = task.validate().unwrap_err().to_string();
        assert_eq!(refused, "baseline must be the number of a row where there is data to take it from");
        assert!(refusal(&|dominant| dominant.vary.clear()).starts_with("vary is missing"));
        assert!(refusal(&|dominant| (dominant.each, dominant.given) = (true, vec![])).starts_with("each needs"));
        assert!(refusal(&|dominant| (dominant.each, dominant.at_most) = (true, Some(2))).starts_with("at_most does"));
        let stable = |radius: f64| {
            Task::new(crate::questions::Stable::new(Norm::Linf, radius)).validate().map_err(|error| error.to_string())
        };
        assert_eq!(stable(0.0), Ok(()));
        assert_eq!(stable(-1.0).unwrap_err(), "radius must be a number from 0 on");
    }
}
