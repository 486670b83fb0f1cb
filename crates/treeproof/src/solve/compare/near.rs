//! Tasks about inputs that are near each other, or near a starting point.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Groups, Inputs, Vocabulary};

use super::pair::{Told, pair_answer};
use super::start::{named_values, start_row};
use super::{Asked, finding};
use crate::attributes::{Attribute, attributes, tested};
use crate::compare::{self, Comparison, Direction, Near, Setting};
use crate::problem::{InputRows, Metric, StartingRow};
use crate::report::{
    DominantAnswer, FeatureChange, Finding, Infeasible, RankedFeature, RankingAnswer, Report, Verdict, witness_of_row,
};
use crate::rows::Rows;
use crate::solve::class;
use crate::task::{Dominant, Span, Stable, TaskError, items};
use crate::watch::Named;

impl Asked<'_> {
    pub(in crate::solve) fn stable(&self, stable: &Stable, metric: Metric) -> Result<Report, TaskError> {
        let Self { task, ensemble, watcher, .. } = *self;
        let output = class::output(ensemble, task.class.as_deref())?;
        let near = Near { metric, radius: stable.radius, varied: None, direction: None };
        let comparison = self.within_conditions(&task.conditions, Inputs::Two, |allowed| {
            let setting = Setting { allowed, limits: &task.limits, watcher };
            compare::stable(ensemble, &near, (output, stable.within), &setting)
        })?;
        let answer = pair_answer(comparison, &Told::Margin { ensemble, output }, &self.groups)?;
        Ok(self.report(self.class(output), finding(answer, Finding::Stable)))
    }

    pub(in crate::solve) fn dominant(&self, dominant: &Dominant, rows: Option<&Rows>) -> Result<Report, TaskError> {
        let Self { task, ensemble, watcher, .. } = *self;
        let output = class::output(ensemble, task.class.as_deref())?;
        let given = named_values("given", &dominant.given, ensemble, &self.groups)?;
        let varied = varied(dominant, ensemble, &self.groups, &given)?;
        let at_most = dominant.at_most.unwrap_or(1);
        let direction = if dominant.decrease { Direction::Down } else { Direction::Up };
        if !dominant.has_start() {
            #[expect(clippy::cast_precision_loss, reason = "features are far fewer than 2⁵³")]
            let radius = at_most as f64;
            let near = Near {
                metric: Metric::new(Norm::L0, ensemble, &self.groups),
                radius,
                varied: Some(varied),
                direction: Some(direction),
            };
            let comparison = self.within_conditions(&task.conditions, Inputs::Two, |allowed| {
                compare::stable(ensemble, &near, (output, None), &Setting { allowed, limits: &task.limits, watcher })
            })?;
            return self.changes(comparison, output);
        }
        let start = StartingRow { row: start_row(dominant, ensemble, &self.groups, &given, rows)?, at_most };
        if dominant.each {
            return self.ranking(&start, &varied, (output, direction));
        }
        let comparison = self.within_conditions(&task.conditions, Inputs::One, |allowed| {
            let setting = Setting { allowed, limits: &task.limits, watcher };
            compare::dominant(ensemble, (&start, &varied), (output, direction), &setting)
        })?;
        self.changes(comparison, output)
    }

    /// What changes between the two inputs of a comparison.
    fn changes(&self, comparison: Comparison, output: usize) -> Result<Report, TaskError> {
        let Self { ensemble, groups, .. } = self;
        let between = |rows: &InputRows| changes(ensemble, groups, [&rows[0][0], &rows[1][0]], output);
        let mut changes = comparison.found.as_ref().map_or(vec![], |found| between(&found.rows));
        changes.sort_by(|one, other| other.effect.abs().total_cmp(&one.effect.abs()));
        let answer = pair_answer(comparison, &Told::Margin { ensemble, output }, &self.groups)?;
        let finding = match answer.verdict {
            Verdict::Infeasible => Finding::Infeasible(Infeasible::new(answer.conflict)),
            _ => Finding::Dominant(Box::new(DominantAnswer { answer, changes })),
        };
        Ok(self.report(self.class(output), finding))
    }

    /// Each feature by itself.
    fn ranking(
        &self,
        start: &StartingRow,
        varied: &[usize],
        (output, direction): (usize, Direction),
    ) -> Result<Report, TaskError> {
        let began = Instant::now();
        let Self { task, ensemble, watcher, .. } = *self;
        let tested = tested(ensemble);
        let attributes = attributes(ensemble, &self.groups).into_iter().map(|attribute| attribute.columns).enumerate();
        let attributes = attributes.filter(|(_, columns)| varied.contains(&columns[0]));
        let is_tested = |columns: &[usize]| columns.iter().any(|column| tested[*column]);
        let (asked, untested): (Vec<_>, Vec<_>) = attributes.partition(|(_, columns)| is_tested(columns));
        let before = witness_of_row(ensemble, &self.groups, &start.row).0;
        let mut ranked = vec![];
        for (place, (entry, columns)) in asked.iter().enumerate() {
            // What one does not need, the others have.
            let left = u32::try_from(asked.len() - place).unwrap_or(u32::MAX);
            let mut limits = task.limits.clone();
            limits.time = Some(Span(task.time().saturating_sub(began.elapsed()) / left));
            let (attribute, from) = before[*entry].clone();
            // To begin takes time as well.
            if place > 0 && (began.elapsed() >= task.time() || watcher.is_interrupted()) {
                let (verdict, to) = (Verdict::Undecided, None);
                ranked.push(RankedFeature { attribute, to, from, verdict, lower: None, upper: None });
                continue;
            }
            let watcher = &Named::new(watcher, &attribute, place);
            let comparison = self.within_conditions(&task.conditions, Inputs::One, |allowed| {
                let setting = Setting { allowed, limits: &limits, watcher };
                compare::dominant(ensemble, (start, columns), (output, direction), &setting)
            })?;
            if comparison.verdict == Verdict::Infeasible && !comparison.conflict.is_empty() {
                return Ok(self.report(None, Finding::Infeasible(Infeasible::new(comparison.conflict))));
            }
            let after = |row: &[f64]| witness_of_row(ensemble, &self.groups, row).0.swap_remove(*entry).1;
            let to = comparison.found.as_ref().map(|found| after(&found.rows[1][0]));
            let Comparison { verdict, lower, upper, .. } = comparison;
            ranked.push(RankedFeature { attribute, to: to.filter(|to| *to != from), from, verdict, lower, upper });
        }
        if !ranked.is_empty() && ranked.iter().all(|ranked| ranked.verdict == Verdict::Infeasible) {
            return Ok(self.report(None, Finding::Infeasible(Infeasible::new(vec![]))));
        }
        // What the conditions do not allow, alone, is none of the answers.
        ranked.retain(|ranked| ranked.verdict != Verdict::Infeasible);
        let answer = RankingAnswer::new(ranked, untested.len(), began.elapsed().as_secs_f64());
        Ok(self.report(self.class(output), Finding::DominantEach(answer)))
    }
}

/// What changes between two rows, and what each change does by itself.
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
