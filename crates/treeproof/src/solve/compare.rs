//! Tasks about two models or two inputs: from names to features, from comparisons to reports.

mod near;
mod pair;
mod protected;
mod start;

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Instant;

use treeproof_ensemble::ensemble::{Ensemble, Trend};
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::label::ClassName;
use treeproof_language::{Condition, Groups, Inputs, Resolved, Side, Variable, Vocabulary};

pub(super) use self::pair::witness_of_all;
use self::pair::{Told, pair_answer};
use self::protected::Protected;
use super::{class, distance, refuse_other_than_sums};
use crate::attributes::untested;
use crate::compare::{self, Setting};
use crate::each::{self, EachRow, limits_of_one};
use crate::problem::{AdmissibleInputs, Observed, Predicate};
use crate::report::{
    Finding, Infeasible, PairAnswer, PairRow, PairRowsAnswer, PairsAnswer, Report, Stopped, Unit, Verdict,
};
use crate::rows::Rows;
use crate::task::{Diff, Dominant, Fair, Monotone, Span, Stable, Task, TaskError, TaskLimits};
use crate::watch::{Named, Watcher};

/// What is asked about one model, and within what.
struct Asked<'a> {
    task: &'a Task,
    ensemble: &'a Ensemble,
    /// The model it is compared with.
    second: Option<&'a Ensemble>,
    groups: Groups,
    observed: Option<&'a Observed>,
    watcher: &'a dyn Watcher,
}

/// Answers `monotone`.
pub(super) fn monotone(
    task: &Task,
    monotone: &Monotone,
    ensemble: &Ensemble,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    Asked::new(task, ensemble, observed, watcher)?.monotone(monotone)
}

/// Answers `fair` for any two inputs.
pub(super) fn fair(
    task: &Task,
    fair: &Fair,
    ensemble: &Ensemble,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    Asked::new(task, ensemble, observed, watcher)?.fair(fair)
}

/// Answers `fair` for each of some rows.
pub(super) fn fair_rows(
    task: &Task,
    fair: &Fair,
    ensemble: &Ensemble,
    rows: &Rows,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    Asked::new(task, ensemble, observed, watcher)?.fair_rows(fair, rows)
}

/// Answers `diff`.
pub(super) fn diff(
    task: &Task,
    diff: &Diff,
    models: [&Ensemble; 2],
    observed: Option<&Observed>,
    predicate: Option<&Arc<dyn Predicate>>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    let ensemble = models[0];
    models.into_iter().try_for_each(refuse_other_than_sums)?;
    if models[0].num_margins() == models[1].num_margins() {
        compare::are_comparable(models)?;
    }
    let asked = Asked { second: Some(models[1]), ..Asked::new(task, ensemble, observed, watcher)? };
    let comparison = asked.within_conditions(&task.conditions, Inputs::One, |allowed| {
        let allowed = AdmissibleInputs { predicate, ..allowed };
        compare::diff(models, diff.within, &Setting { allowed, limits: &task.limits, watcher })
    })?;
    let output = comparison.found.as_ref().map_or(0, |found| pair::widest(&found.evaluations[0]));
    let class = asked.class(output).filter(|_| comparison.found.is_some());
    let answer = pair_answer(comparison, &Told::Models { models, output }, &asked.groups)?;
    Ok(asked.report(class, finding(answer, Finding::Diff)))
}

/// Answers `stable`. `scale` has the rows by whose standard deviations distances are divided.
pub(super) fn stable(
    task: &Task,
    stable: &Stable,
    ensemble: &Ensemble,
    scale: Option<&Rows>,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    let asked = Asked::new(task, ensemble, observed, watcher)?;
    let metric = distance::metric(&stable.measure, ensemble, &asked.groups, scale)?;
    asked.stable(stable, metric)
}

/// Answers `dominant`. The rows are those from which a baseline is taken.
pub(super) fn dominant(
    task: &Task,
    dominant: &Dominant,
    ensemble: &Ensemble,
    rows: Option<&Rows>,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    Asked::new(task, ensemble, observed, watcher)?.dominant(dominant, rows)
}

impl<'a> Asked<'a> {
    fn new(
        task: &'a Task,
        ensemble: &'a Ensemble,
        observed: Option<&'a Observed>,
        watcher: &'a dyn Watcher,
    ) -> Result<Self, TaskError> {
        Ok(Self { task, ensemble, second: None, groups: task.groups_in(ensemble)?, observed, watcher })
    }

    fn monotone(&self, fields: &Monotone) -> Result<Report, TaskError> {
        let start = Instant::now();
        let Self { task, ensemble, watcher, .. } = *self;
        let output = class::output(ensemble, task.class.as_deref())?;
        let features = self.rising_features(fields)?;
        let mut answers: Vec<PairAnswer> = vec![];
        for (place, (feature, trend)) in features.iter().enumerate() {
            let (name, told) = (Some(ensemble.features()[*feature].name.clone()), Some(*trend));
            let is_interrupted = answers.last().is_some_and(|answer| answer.stopped == Stopped::Interrupted);
            // To begin takes time as well.
            let is_late = place > 0 && start.elapsed() >= task.time();
            if is_interrupted || is_late {
                let stopped = if is_interrupted { Stopped::Interrupted } else { Stopped::Time };
                answers.push(PairAnswer { feature: name, trend: told, ..PairAnswer::unasked(stopped) });
                continue;
            }
            // What one does not need, the others have.
            let left = u32::try_from(features.len() - place).unwrap_or(u32::MAX);
            let mut limits = task.limits.clone();
            limits.time = Some(Span(task.time().saturating_sub(start.elapsed()) / left));
            let watcher = &Named::new(watcher, &ensemble.features()[*feature].name, place);
            let comparison = self.within_conditions(&task.conditions, Inputs::Two, |allowed| {
                compare::monotone(ensemble, (*feature, *trend), output, &Setting { allowed, limits: &limits, watcher })
            })?;
            let mut answer = pair_answer(comparison, &Told::Margin { ensemble, output }, &self.groups)?;
            (answer.feature, answer.trend) = (name, told);
            answers.push(answer);
        }
        let is_infeasible = answers.iter().all(|answer| answer.verdict == Verdict::Infeasible);
        let finding = match answers.len() {
            1 => finding(answers.remove(0), Finding::Monotone),
            _ if is_infeasible => finding(answers.swap_remove(0), Finding::Monotone),
            _ => Finding::MonotoneEach(PairsAnswer::new(answers, start.elapsed().as_secs_f64())),
        };
        Ok(self.report_about(features.into_iter().map(|(feature, _)| feature), self.class(output), finding))
    }

    /// The features that `monotone` is about, and which way the margin may go along each.
    fn rising_features(&self, fields: &Monotone) -> Result<Vec<(usize, Trend)>, TaskError> {
        let ensemble = self.ensemble;
        let trend = if fields.decreasing { Trend::Decreasing } else { Trend::Increasing };
        let refuse = |what: String| TaskError::Value { field: "features", what };
        if !fields.features.is_empty() {
            let vocabulary = Vocabulary::new(ensemble, &self.groups, Inputs::One);
            let called = |name: &String| match vocabulary.feature_called(name) {
                Ok(feature) if self.groups.of(feature).is_some() => {
                    Err(refuse(format!("`{name}` is a column of a group, which has no order; `fair` compares groups")))
                }
                Ok(feature) if ensemble.features()[feature].is_category() => {
                    Err(refuse(format!("`{name}` is a category, which has no order; `fair` compares categories")))
                }
                Ok(feature) => Ok((feature, trend)),
                Err(what) => Err(refuse(what)),
            };
            return fields.features.iter().map(called).collect();
        }
        let is_number =
            |feature: &usize| !ensemble.features()[*feature].is_category() && self.groups.of(*feature).is_none();
        let trained = ensemble.source().trends.iter().map(|(feature, trend)| (*feature, *trend));
        let trained: Vec<(usize, Trend)> = trained.filter(|(feature, _)| is_number(feature)).collect();
        if !trained.is_empty() && !fields.decreasing {
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

    fn fair(&self, fields: &Fair) -> Result<Report, TaskError> {
        let protected = Protected::new(fields, self.ensemble, &self.groups)?;
        let (class, answer) = self.fair_pair(&protected, None, &self.task.limits, self.watcher)?;
        Ok(self.report_about(protected.features, class, finding(answer, Finding::Fair)))
    }

    fn fair_rows(&self, fields: &Fair, rows: &Rows) -> Result<Report, TaskError> {
        let start = Instant::now();
        let protected = Protected::new(fields, self.ensemble, &self.groups)?;
        let exchanged = protected.exchanged();
        let limits = limits_of_one(self.task, rows.len());
        let each = EachRow {
            question: self.task.question.name(),
            start: rows.start(),
            num_rows: rows.len(),
            threads: self.task.limits.threads(),
            watcher: self.watcher,
        };
        let ask = |place: usize, watcher: &dyn Watcher| {
            let row = rows.row(place);
            let refuse = |what| TaskError::Row { row: rows.start() + place, what };
            self.ensemble.read(row).map_err(|error| refuse(error.to_string()))?;
            self.groups.check(row, self.ensemble).map_err(refuse)?;
            let told = self.fair_pair(&protected, Some(row), &limits, watcher)?;
            // Of two sets of values, a row may have one of either.
            if told.1.verdict == Verdict::Infeasible && !protected.conditions.is_empty() {
                return self.fair_pair(&exchanged, Some(row), &limits, watcher);
            }
            Ok(told)
        };
        let told = |(_, answer): &(Option<ClassName>, PairAnswer)| each::Told {
            verdict: answer.verdict,
            lower: answer.lower,
            upper: answer.upper,
        };
        let answers = each.ask(ask, told)?;
        let class = answers.first().and_then(|(_, (class, _))| class.clone());
        let answers = answers.into_iter().map(|(row, (_, answer))| PairRow { row, answer }).collect();
        let is_about_labels = self.task.is_about_labels(self.ensemble);
        let answer = PairRowsAnswer::new(answers, rows.len(), is_about_labels, start.elapsed().as_secs_f64());
        Ok(self.report_about(protected.features, class, Finding::FairRows(answer)))
    }

    /// Whether two inputs are treated differently, of which the first may be a row; and the class asked about.
    fn fair_pair(
        &self,
        protected: &Protected,
        row: Option<&[f64]>,
        limits: &TaskLimits,
        watcher: &dyn Watcher,
    ) -> Result<(Option<ClassName>, PairAnswer), TaskError> {
        let Self { task, ensemble, .. } = *self;
        let features = &protected.features[..];
        let conditions = [&task.conditions[..], &protected.conditions].concat();
        let missing = row.map_or(vec![], |row| missing_in(ensemble, row, features));
        if !task.is_about_labels(ensemble) {
            let output = class::output(ensemble, task.class.as_deref())?;
            let comparison = self.within_conditions_and(&conditions, Inputs::Two, missing, |allowed| {
                let setting = Setting { allowed, limits, watcher };
                match row {
                    Some(row) => compare::fair_difference_from(ensemble, row, features, output, &setting),
                    None => compare::fair_difference(ensemble, features, output, &setting),
                }
            })?;
            let answer = pair_answer(comparison, &Told::Margin { ensemble, output }, &self.groups)?;
            return Ok((self.class(output), answer));
        }
        let targets = [
            ("limits.gap", limits.gap.is_some()),
            ("limits.stop_above", limits.stop_above.is_some()),
            ("limits.stop_below", limits.stop_below.is_some()),
        ];
        if let Some((field, _)) = targets.into_iter().find(|(_, is_given)| *is_given) {
            return Err(TaskError::Field { field, what: "does not apply to questions about labels".to_owned() });
        }
        let comparison = self.within_conditions_and(&conditions, Inputs::Two, missing, |allowed| {
            let setting = Setting { allowed, limits, watcher };
            match row {
                Some(row) => compare::fair_label_from(ensemble, row, features, task.threshold, &setting),
                None => compare::fair_label(ensemble, features, task.threshold, &setting),
            }
        })?;
        Ok((None, pair_answer(comparison, &Told::Labels { ensemble }, &self.groups)?))
    }

    /// Asks about what conditions and data leave.
    fn within_conditions<T>(
        &self,
        conditions: &[String],
        inputs: Inputs,
        ask: impl FnOnce(AdmissibleInputs<'_>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        self.within_conditions_and(conditions, inputs, vec![], ask)
    }

    /// The same, where more may be missing.
    fn within_conditions_and<T>(
        &self,
        conditions: &[String],
        inputs: Inputs,
        missing: Vec<Variable>,
        ask: impl FnOnce(AdmissibleInputs<'_>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        let conditions: Vec<Condition> =
            conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
        let groups = &self.groups;
        let vocabulary = Vocabulary::new(self.ensemble, groups, inputs);
        let vocabulary = self.second.iter().fold(vocabulary, |vocabulary, second| vocabulary.beside(second));
        let mut resolved = Resolved::new(&conditions, &vocabulary)?;
        resolved.may_be_missing.extend(missing);
        ask(AdmissibleInputs {
            conditions: &conditions,
            resolved: &resolved,
            groups,
            observed: self.observed.into(),
            own: None,
            predicate: None,
        })
    }

    /// The name of the class whose margin this is, in models with several.
    fn class(&self, output: usize) -> Option<ClassName> {
        let has_classes = self.ensemble.num_margins() > 1 && !self.ensemble.classes().is_empty();
        has_classes.then(|| self.ensemble.class_name(output))
    }

    /// A report about some features.
    fn report_about(
        &self,
        features: impl IntoIterator<Item = usize>,
        class: Option<ClassName>,
        finding: Finding,
    ) -> Report {
        let not_tested = match &finding {
            // Nothing was asked about any feature.
            Finding::Infeasible(_) => vec![],
            _ => untested(self.ensemble, &self.groups, features),
        };
        Report { not_tested, ..self.report(class, finding) }
    }

    fn report(&self, class: Option<ClassName>, finding: Finding) -> Report {
        Report { question: self.task.question.kind(), class, unit: Unit::Margin, not_tested: vec![], finding }
    }
}

/// What is missing in a row, which is the first of two inputs, and so in the second but for protected features.
fn missing_in(ensemble: &Ensemble, row: &[f64], protected: &[usize]) -> Vec<Variable> {
    let readings = ensemble.read(row).unwrap_or_default().into_iter().enumerate();
    let missing = readings.filter(|(_, reading)| *reading == Reading::Missing);
    let sides = |(feature, _)| [Side::A, Side::B].map(|side| Variable { side, feature });
    let is_fixed = |variable: &Variable| variable.side == Side::A || !protected.contains(&variable.feature);
    missing.flat_map(sides).filter(is_fixed).collect()
}

/// The finding of a question about pairs; `of` makes it of an answer that some inputs have.
fn finding(answer: PairAnswer, of: fn(Box<PairAnswer>) -> Finding) -> Finding {
    match answer.verdict {
        Verdict::Infeasible => Finding::Infeasible(Infeasible::new(answer.conflict)),
        _ => of(Box::new(answer)),
    }
}
