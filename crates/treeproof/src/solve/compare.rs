//! Tasks about two models or two inputs: from names to features, from comparisons to reports.

mod pair;
mod protected;

use std::collections::BTreeSet;
use std::time::Instant;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::label::ClassName;

use self::pair::Told;
use self::protected::Protected;
use super::{class, refuse_other_than_sums};
use crate::allowed::Allowed;
use crate::compare::{self, Setting, Trend};
use crate::language::{Condition, Groups, Inputs, Resolved, Side, Variable, Vocabulary};
use crate::observed::Observed;
use crate::report::{Finding, Infeasible, PairAnswer, PairRow, PairRowsAnswer, PairsAnswer, Report, Unit, Verdict};
use crate::rows::Rows;
use crate::task::{Question, Span, Task, TaskError};
use crate::watch::Watcher;

/// What is asked about one model, and within what.
struct Asked<'a> {
    task: &'a Task,
    ensemble: &'a Ensemble,
    observed: Option<&'a Observed>,
    watcher: &'a dyn Watcher,
}

/// Answers `monotone` and `fair`.
pub(super) fn answer(
    task: &Task,
    ensemble: &Ensemble,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    if task.data.is_some() {
        return Err(TaskError::Field {
            field: "data",
            what: "was not read: rows are asked about by `solve_rows`".to_owned(),
        });
    }
    let asked = Asked { task, ensemble, observed, watcher };
    match task.question {
        Question::Monotone => asked.monotone(),
        Question::Fair => asked.fair(),
        _ => Err(TaskError::Field { field: "other_model", what: "is missing: two models are compared".to_owned() }),
    }
}

/// Answers `fair` for each of some rows.
pub(super) fn fair_rows(
    task: &Task,
    ensemble: &Ensemble,
    rows: &Rows,
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    refuse_other_than_sums(ensemble)?;
    Asked { task, ensemble, observed, watcher }.fair_rows(rows)
}

/// Answers `diff`.
pub(super) fn diff(
    task: &Task,
    models: [&Ensemble; 2],
    observed: Option<&Observed>,
    watcher: &dyn Watcher,
) -> Result<Report, TaskError> {
    let ensemble = models[0];
    let asked = Asked { task, ensemble, observed, watcher };
    let comparison = asked.within_conditions(&task.conditions, Inputs::One, |allowed| {
        compare::diff(models, task.within, &Setting { allowed, limits: &task.limits, watcher })
    })?;
    let output = comparison.found.as_ref().map_or(0, |found| pair::widest(&found.evaluations[0]));
    let class = asked.class(output).filter(|_| comparison.found.is_some());
    let answer = PairAnswer::new(comparison, &Told::Models { models, output }, &Groups::NONE)?;
    Ok(asked.report(class, finding(answer)))
}

impl Asked<'_> {
    fn monotone(&self) -> Result<Report, TaskError> {
        let start = Instant::now();
        let Self { task, ensemble, watcher, .. } = *self;
        let output = class::output(ensemble, task.class.as_deref())?;
        let features = self.rising_features()?;
        let trend = if task.decreasing { Trend::Decreasing } else { Trend::Increasing };
        let mut answers = vec![];
        for (place, feature) in features.iter().enumerate() {
            // What one does not need, the others have.
            let left = u32::try_from(features.len() - place).unwrap_or(u32::MAX);
            let mut limits = task.limits.clone();
            limits.time = Span(task.limits.time.0.saturating_sub(start.elapsed()) / left);
            let comparison = self.within_conditions(&task.conditions, Inputs::Two, |allowed| {
                compare::monotone(ensemble, (*feature, trend), output, &Setting { allowed, limits: &limits, watcher })
            })?;
            let mut answer = PairAnswer::new(comparison, &Told::Margin { ensemble, output }, &Groups::NONE)?;
            answer.feature = Some(ensemble.features()[*feature].name.clone());
            answers.push(answer);
        }
        let is_infeasible = answers.iter().all(|answer| answer.verdict == Verdict::Infeasible);
        let finding = match answers.len() {
            1 => finding(answers.remove(0)),
            _ if is_infeasible => finding(answers.swap_remove(0)),
            _ => Finding::Pairs(PairsAnswer::new(answers, start.elapsed().as_secs_f64())),
        };
        Ok(self.report(self.class(output), finding))
    }

    /// The features that `monotone` is about.
    fn rising_features(&self) -> Result<Vec<usize>, TaskError> {
        let ensemble = self.ensemble;
        let refuse = |what: String| TaskError::Value { field: "features", what };
        if !self.task.features.is_empty() {
            let groups = Groups::default();
            let vocabulary = Vocabulary::new(ensemble, &groups, Inputs::One);
            let called = |name: &String| match vocabulary.feature_called(name) {
                Ok(feature) if ensemble.features()[feature].is_category() => {
                    Err(refuse(format!("`{name}` is a category, which has no order; `fair` compares categories")))
                }
                Ok(feature) => Ok(feature),
                Err(what) => Err(refuse(what)),
            };
            return self.task.features.iter().map(called).collect();
        }
        let is_number = |feature: &usize| !ensemble.features()[*feature].is_category();
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
        Ok(features)
    }

    fn fair(&self) -> Result<Report, TaskError> {
        let protected = Protected::new(&self.task.protected, self.ensemble)?;
        let (class, answer) = self.fair_pair(&protected, None)?;
        Ok(self.report(class, finding(answer)))
    }

    fn fair_rows(&self, rows: &Rows) -> Result<Report, TaskError> {
        let start = Instant::now();
        let protected = Protected::new(&self.task.protected, self.ensemble)?;
        let mut class = None;
        let mut answers = vec![];
        for (number, row) in rows.iter().enumerate() {
            self.ensemble.read(row).map_err(|error| TaskError::Row { row: number, what: error.to_string() })?;
            let mut told = self.fair_pair(&protected, Some(row))?;
            // Of two sets of values, a row may have one of either.
            if told.1.verdict == Verdict::Infeasible && !protected.conditions.is_empty() {
                told = self.fair_pair(&protected.exchanged(), Some(row))?;
            }
            class = told.0;
            answers.push(PairRow { row: number, answer: told.1 });
        }
        let answer =
            PairRowsAnswer::new(answers, self.task.is_about_labels(self.ensemble), start.elapsed().as_secs_f64());
        Ok(self.report(class, Finding::PairRows(answer)))
    }

    /// Whether two inputs are treated differently, of which the first may be a row; and the class asked about.
    fn fair_pair(
        &self,
        protected: &Protected,
        row: Option<&[f64]>,
    ) -> Result<(Option<ClassName>, PairAnswer), TaskError> {
        let Self { task, ensemble, watcher, .. } = *self;
        let (features, limits) = (&protected.features[..], &task.limits);
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
            let answer = PairAnswer::new(comparison, &Told::Margin { ensemble, output }, &Groups::NONE)?;
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
        Ok((None, PairAnswer::new(comparison, &Told::Labels { ensemble }, &Groups::NONE)?))
    }

    /// Asks about what conditions and data leave.
    fn within_conditions<T>(
        &self,
        conditions: &[String],
        inputs: Inputs,
        ask: impl FnOnce(Allowed<'_>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        self.within_conditions_and(conditions, inputs, vec![], ask)
    }

    /// The same, where more may be missing.
    fn within_conditions_and<T>(
        &self,
        conditions: &[String],
        inputs: Inputs,
        missing: Vec<Variable>,
        ask: impl FnOnce(Allowed<'_>) -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        let conditions: Vec<Condition> =
            conditions.iter().map(|text| Condition::parse(text)).collect::<Result<_, _>>()?;
        let groups = Groups::default();
        let mut resolved = Resolved::new(&conditions, &Vocabulary::new(self.ensemble, &groups, inputs))?;
        resolved.may_be_missing.extend(missing);
        ask(Allowed { conditions: &conditions, resolved: &resolved, groups: &groups, observed: self.observed })
    }

    /// The name of the class whose margin this is, in models with several.
    fn class(&self, output: usize) -> Option<ClassName> {
        let has_classes = self.ensemble.num_margins() > 1 && !self.ensemble.classes().is_empty();
        has_classes.then(|| self.ensemble.class_name(output))
    }

    fn report(&self, class: Option<ClassName>, finding: Finding) -> Report {
        Report { question: self.task.question, class, unit: Unit::Margin, finding }
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

fn finding(answer: PairAnswer) -> Finding {
    match answer.verdict {
        Verdict::Infeasible => Finding::Infeasible(Infeasible::new(answer.conflict)),
        _ => Finding::Pair(Box::new(answer)),
    }
}
