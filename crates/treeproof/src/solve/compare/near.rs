//! Tasks about inputs that are near each other, or near a starting point.

use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::FeatureKind;

use super::pair::Told;
use super::{Asked, finding};
use crate::attributes::{Attribute, attributes, tested};
use crate::compare::{self, Comparison, Direction, Near, Setting};
use crate::compile::{InputRows, Start, raw_category};
use crate::distance::{Metric, Norm};
use crate::language::{CategorySet, Condition, Constraint, Groups, Inputs, Present, Resolved, Vocabulary};
use crate::report::{
    DominantAnswer, FeatureChange, Finding, Infeasible, PairAnswer, RankedFeature, RankingAnswer, Report, Verdict,
    Witness,
};
use crate::rows::Rows;
use crate::solve::class;
use crate::task::{Dominant, Span, Stable, TaskError, items};

impl Asked<'_> {
    pub(in crate::solve) fn stable(&self, stable: &Stable, metric: Metric) -> Result<Report, TaskError> {
        let Self { task, ensemble, watcher, .. } = *self;
        let output = class::output(ensemble, task.class.as_deref())?;
        let near = Near { metric, radius: stable.radius, varied: None, direction: None };
        let comparison = self.within_conditions(&task.conditions, Inputs::Two, |allowed| {
            let setting = Setting { allowed, limits: &task.limits, watcher };
            compare::stable(ensemble, &near, (output, stable.within), &setting)
        })?;
        let answer = PairAnswer::new(comparison, &Told::Margin { ensemble, output }, &self.groups)?;
        Ok(self.report(self.class(output), finding(answer)))
    }

    pub(in crate::solve) fn dominant(&self, dominant: &Dominant, rows: Option<&Rows>) -> Result<Report, TaskError> {
        let Self { task, ensemble, watcher, .. } = *self;
        let output = class::output(ensemble, task.class.as_deref())?;
        let given = given(dominant, ensemble, &self.groups)?;
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
        let start = Start { row: start_row(dominant, ensemble, &self.groups, &given, rows)?, at_most };
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
        let answer = PairAnswer::new(comparison, &Told::Margin { ensemble, output }, &self.groups)?;
        let finding = match answer.verdict {
            Verdict::Infeasible => Finding::Infeasible(Infeasible::new(answer.conflict)),
            _ => Finding::Dominant(Box::new(DominantAnswer { answer, changes })),
        };
        Ok(self.report(self.class(output), finding))
    }

    /// Each feature by itself.
    fn ranking(
        &self,
        start: &Start,
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
        let mut ranked = vec![];
        for (place, (entry, columns)) in asked.iter().enumerate() {
            // What one does not need, the others have.
            let left = u32::try_from(asked.len() - place).unwrap_or(u32::MAX);
            let mut limits = task.limits.clone();
            limits.time = Some(Span(task.time().saturating_sub(began.elapsed()) / left));
            let comparison = self.within_conditions(&task.conditions, Inputs::One, |allowed| {
                let setting = Setting { allowed, limits: &limits, watcher };
                compare::dominant(ensemble, (start, columns), (output, direction), &setting)
            })?;
            if comparison.verdict == Verdict::Infeasible && !comparison.conflict.is_empty() {
                return Ok(self.report(None, Finding::Infeasible(Infeasible::new(comparison.conflict))));
            }
            let values = |row: &[f64]| Witness::new(ensemble, &self.groups, row).0.swap_remove(*entry);
            let (attribute, from) = values(&start.row);
            let to = comparison.found.as_ref().map(|found| values(&found.rows[1][0]).1);
            let Comparison { verdict, lower, upper, .. } = comparison;
            ranked.push(RankedFeature { attribute, to: to.filter(|to| *to != from), from, verdict, lower, upper });
        }
        if !ranked.is_empty() && ranked.iter().all(|ranked| ranked.verdict == Verdict::Infeasible) {
            return Ok(self.report(None, Finding::Infeasible(Infeasible::new(vec![]))));
        }
        // What the conditions do not allow, alone, is none of the answers.
        ranked.retain(|ranked| ranked.verdict != Verdict::Infeasible);
        let answer = RankingAnswer::new(ranked, untested.len(), began.elapsed().as_secs_f64());
        Ok(self.report(self.class(output), Finding::Ranking(answer)))
    }
}

/// What changes between two rows, and what each change does by itself.
fn changes(ensemble: &Ensemble, groups: &Groups, [from, to]: [&[f64]; 2], output: usize) -> Vec<FeatureChange> {
    let margin = |row: &[f64]| ensemble.evaluate(row).ok()?.margins[output].exact.clone();
    let [before, after] = [from, to].map(|row| Witness::new(ensemble, groups, row).0);
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

/// The values that are given, as the model has them.
fn given(dominant: &Dominant, ensemble: &Ensemble, groups: &Groups) -> Result<Vec<(usize, f64)>, TaskError> {
    let refuse = |what: String| TaskError::Value { field: "given", what };
    let vocabulary = Vocabulary::new(ensemble, groups, Inputs::One);
    let mut given: Vec<(usize, f64)> = vec![];
    for text in dominant.given.iter().flat_map(|text| items(text)) {
        let is_whole = |(name, value): &(&str, &str)| !name.trim().is_empty() && !value.trim().is_empty();
        let Some((name, value)) = text.split_once('=').filter(is_whole) else {
            return Err(refuse(format!("`{text}` is not of the form `name=value`, as in `live=1`")));
        };
        if let Some(group) = groups.named(name.trim()) {
            let Some(place) = group.place(value.trim(), ensemble) else {
                let values = group.values.join(", ");
                return Err(refuse(format!("`{text}`: group `{}` has the values {values}", group.name)));
            };
            let columns = group.columns.iter().enumerate();
            given.extend(columns.map(|(other, column)| (*column, f64::from(u8::from(other == place)))));
            continue;
        }
        let feature = vocabulary.feature_called(name.trim()).map_err(refuse)?;
        let known = &ensemble.features()[feature];
        if given.iter().any(|(given, _)| *given == feature) {
            return Err(refuse(format!("`{}` is given twice", known.name)));
        }
        let value = value.trim();
        if known.kind == FeatureKind::Numeric && value.parse::<f64>().is_err() {
            return Err(refuse(format!("`{text}`: `{value}` is not a number")));
        }
        // What a value means is what it means in a condition.
        let condition = Condition::parse(&format!("`{}` == {value}", known.name));
        let resolved = condition.and_then(|condition| Resolved::new(&[condition], &vocabulary));
        let is_finite = |number: &f64| number.is_finite();
        let raw = match resolved.map_err(|error| refuse(format!("`{text}`: {}", error.what)))?.conjuncts.first() {
            Some(conjunct) => match &conjunct.constraint {
                Constraint::Values(_, values) => match &values.present {
                    Present::Numbers(_) => value.parse().ok().filter(is_finite),
                    Present::Categories(CategorySet::Only(codes)) => {
                        codes.first().and_then(|code| raw_category(known, ensemble.input(), *code))
                    }
                    Present::Categories(_) => None,
                },
                _ => None,
            },
            None => None,
        };
        let raw = raw.ok_or_else(|| refuse(format!("`{text}`: `{value}` is no value of `{}`", known.name)))?;
        given.push((feature, raw));
    }
    Ok(given)
}

/// The starting point: what is given, and the rest from the baseline.
fn start_row(
    dominant: &Dominant,
    ensemble: &Ensemble,
    groups: &Groups,
    given: &[(usize, f64)],
    rows: Option<&Rows>,
) -> Result<Vec<f64>, TaskError> {
    let refuse = |what: String| TaskError::Value { field: "baseline", what };
    let mut row = match (dominant.baseline, rows) {
        (Some(number), Some(rows)) if number < rows.len() => rows.row(number).to_vec(),
        (Some(number), Some(rows)) => {
            return Err(refuse(format!("there is no row {number}: the data has {}, counted from 0", rows.len())));
        }
        (Some(_), None) => return Err(refuse("the row was not read".to_owned())),
        (None, _) => vec![0.0; ensemble.features().len()],
    };
    given.iter().for_each(|(feature, raw)| row[*feature] = *raw);
    groups.check(&row, ensemble).map_err(|what| TaskError::Value { field: "given", what })?;
    match ensemble.read(&row) {
        Ok(_) => Ok(row),
        Err(error) => Err(refuse(format!("{error}; give a row of your data, as in --baseline data.csv:0"))),
    }
}
