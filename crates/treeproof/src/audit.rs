//! An audit: many questions about one model, each with what is expected of its answer.

mod file;
mod measured;
mod outcome;

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Deserialize;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{Condition, Resolved, Vocabulary};

use crate::error::refuse;
use crate::report::{Report, Verdict};
use crate::task::{GroupColumns, Method, Question, Reading, Task, TaskError, TaskLimits};

pub use self::file::{Audit, read};
pub use self::measured::Measured;
pub use treeproof_report::{AuditReport, AuditSummary, Checked, MeasuredNumber, Outcome};

/// What all checks of an audit have in common.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Defaults {
    /// The model's file.
    pub model: PathBuf,
    /// How models are read, where there are several ways. Default: as their libraries do by themselves.
    #[serde(default)]
    pub reading: Reading,
    /// A file of rows whose ranges, categories and missing values confine the features. Default: none.
    pub domain: Option<PathBuf>,
    /// Conditions that must hold in every check, beside its own. Default: none.
    #[serde(default, rename = "where")]
    pub conditions: Vec<String>,
    /// Columns that are one feature to people, by its name. Default: none.
    #[serde(default)]
    pub groups: BTreeMap<String, GroupColumns>,
    /// What bounds each search.
    #[serde(default)]
    pub limits: TaskLimits,
    /// Whether what cannot be decided within the limits passes. Default: it does not.
    #[serde(default)]
    pub allow_undecided: bool,
}

/// A question, and what is expected of its answer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Check {
    /// What people call it.
    pub name: String,
    /// The question.
    pub question: Question,
    /// The class whose margin is asked about. Default: the only one.
    pub class: Option<String>,
    /// Conditions beside those of all checks. Default: none.
    #[serde(default, rename = "where")]
    pub conditions: Vec<String>,
    /// Instead of the domain of all checks. Default: that.
    pub domain: Option<PathBuf>,
    /// A file of rows, each of which is asked about. Default: none.
    pub data: Option<PathBuf>,
    /// How many of the rows are asked about. Default: all.
    pub rows: Option<usize>,
    /// The probability above which the second class is chosen. Default: the library's own rule.
    pub threshold: Option<f64>,
    /// How the answer is searched. Default: the best way known.
    #[serde(default)]
    pub method: Method,
    /// Instead of the limits of all checks. Default: those.
    pub limits: Option<TaskLimits>,
    /// The number asked about must not be above this. Default: it may be.
    pub at_most: Option<f64>,
    /// The number asked about must not be below this. Default: it may be.
    pub at_least: Option<f64>,
    /// Instead of what all checks say. Default: that.
    pub allow_undecided: Option<bool>,
}

impl Check {
    /// The task to be answered.
    ///
    /// # Errors
    /// If it is none, or nothing can be expected of its answer as it is written.
    pub fn task(&self, defaults: &Defaults) -> Result<Task, TaskError> {
        let mut task = Task::new(self.question.clone());
        task.model = Some(defaults.model.clone());
        task.reading = defaults.reading.clone();
        task.class.clone_from(&self.class);
        task.conditions = [&defaults.conditions[..], &self.conditions].concat();
        task.groups.clone_from(&defaults.groups);
        task.domain = self.domain.clone().or_else(|| defaults.domain.clone());
        task.data.clone_from(&self.data);
        task.rows = self.rows;
        task.threshold = self.threshold;
        task.method = self.method;
        task.limits = self.limits.clone().unwrap_or_else(|| defaults.limits.clone());
        self.validate()?;
        self.set_targets(&mut task.limits);
        task.validate()?;
        Ok(task)
    }

    fn validate(&self) -> Result<(), TaskError> {
        let limits = [("at_most", self.at_most), ("at_least", self.at_least)];
        let given = limits.into_iter().find(|(_, limit)| limit.is_some());
        if let Some((field, _)) = limits.into_iter().find(|(_, limit)| limit.is_some_and(f64::is_nan)) {
            return refuse(field, "is not a number");
        }
        match (&self.question, given) {
            (Question::Enumerate(_), _) => {
                refuse("question", "`enumerate` lists, so that nothing can be expected of it")
            }
            (Question::Dominant(dominant), _) if dominant.each => {
                refuse("question", "`dominant` with `each` lists, so that nothing can be expected of it")
            }
            (Question::Max | Question::Min | Question::Range | Question::Closest(_) | Question::Dominant(_), None) => {
                let name = self.question.name();
                refuse("at_most", format!("or at_least is missing: say what is expected of `{name}`"))
            }
            (Question::Monotone(_), Some((field, _))) => {
                refuse(field, "does not apply to `monotone`, which holds or not")
            }
            (Question::Diff(diff), Some((field, _))) if diff.within.is_some() => {
                refuse(field, "does not apply to `diff` with `within`, which holds or not")
            }
            (Question::Diff(diff), None) if diff.within.is_none() => {
                refuse("at_most", "is missing: say what is expected of `diff`, or give it `within`")
            }
            (Question::Stable(stable), Some((field, _))) if stable.within.is_some() => {
                refuse(field, "does not apply to `stable` with `within`, which holds or not")
            }
            (Question::Stable(stable), None) if stable.within.is_none() => {
                refuse("at_most", "is missing: say what is expected of `stable`, or give it `within`")
            }
            _ => Ok(()),
        }
    }

    /// Nobody needs closer bounds than those that decide.
    fn set_targets(&self, limits: &mut TaskLimits) {
        let is_one_number = matches!(self.question, Question::Max | Question::Min);
        if !is_one_number || limits.stop_above.is_some() || limits.stop_below.is_some() || limits.gap.is_some() {
            return;
        }
        (limits.stop_above, limits.stop_below) = match (self.at_most, self.at_least) {
            (Some(most), None) => (Some(most.next_up()), Some(most)),
            (None, Some(least)) => (Some(least), Some(least.next_down())),
            _ => (None, None),
        };
    }

    /// Whether the answer about a model is a number, and neither `holds` nor `violated`.
    fn is_number(&self, task: &Task, ensemble: &Ensemble) -> bool {
        match &self.question {
            Question::Monotone(_) | Question::Robust(_) => false,
            Question::Diff(diff) => diff.within.is_none(),
            Question::Stable(stable) => stable.within.is_none(),
            Question::Fair(_) => !task.is_about_labels(ensemble),
            _ => true,
        }
    }

    /// Checks what only the model can tell: whether the conditions are about it, and the answer is of the kind that is expected.
    ///
    /// # Errors
    /// If it is not.
    pub fn validate_for(&self, task: &Task, ensemble: &Ensemble) -> Result<(), TaskError> {
        let conditions = task.conditions.iter().map(|text| Condition::parse(text)).collect::<Result<Vec<_>, _>>()?;
        Resolved::new(&conditions, &Vocabulary::new(ensemble, &task.groups_in(ensemble)?, task.question.inputs()))?;
        let given = self.at_most.map(|_| "at_most").or(self.at_least.map(|_| "at_least"));
        let is_number = self.is_number(task, ensemble);
        match given {
            None if is_number => refuse("at_most", "or at_least is missing: the answer is a number"),
            Some(field) if !is_number && !task.is_over_rows() => {
                refuse(field, "does not apply: the answer is that it holds or not")
            }
            _ => Ok(()),
        }
    }

    /// How the check ended, by the answer to its task.
    fn outcome(&self, report: &Report) -> Outcome {
        if report.verdict() == Verdict::Infeasible || measured::has_impossible_rows(report) {
            return Outcome::Infeasible;
        }
        let measured = Measured::of(report);
        let undecided = |outcome: Option<Outcome>| outcome.unwrap_or(Outcome::Undecided);
        let at_most = self.at_most.map(|limit| undecided(measured.map(|measured| measured.at_most(limit))));
        let at_least = self.at_least.map(|limit| undecided(measured.map(|measured| measured.at_least(limit))));
        let by_verdict = match report.verdict() {
            Verdict::Holds => Outcome::Pass,
            Verdict::Violated => Outcome::Fail,
            _ => Outcome::Undecided,
        };
        let outcomes = if at_most.or(at_least).is_some() { [at_most, at_least] } else { [Some(by_verdict), None] };
        let worst_first = [Outcome::Fail, Outcome::Undecided];
        worst_first.into_iter().find(|outcome| outcomes.contains(&Some(*outcome))).unwrap_or(Outcome::Pass)
    }
}

#[cfg(test)]
mod tests {
    use treeproof_ensemble::norm::Norm;

    use super::*;
    use crate::task::{Closest, Diff, Enumerate, Monotone};

    fn check(question: impl Into<Question>) -> Check {
        Check {
            name: "a check".to_owned(),
            question: question.into(),
            class: None,
            conditions: vec!["age < 3".to_owned()],
            domain: None,
            data: None,
            rows: None,
            threshold: None,
            method: Method::Auto,
            limits: None,
            at_most: None,
            at_least: None,
            allow_undecided: None,
        }
    }

    #[test]
    fn a_check_has_what_all_have_and_its_own() {
        let defaults = Defaults {
            model: "m.json".into(),
            domain: Some("x.csv".into()),
            conditions: vec!["age > 1".to_owned()],
            ..Defaults::default()
        };
        let mut max = check(Question::Max);
        max.at_most = Some(2.0);
        let task = max.task(&defaults).unwrap();
        assert_eq!(task.conditions, ["age > 1", "age < 3"]);
        assert_eq!((task.domain, task.limits.stop_below), (Some("x.csv".into()), Some(2.0)));
        assert_eq!(task.limits.stop_above, Some(2.0_f64.next_up()));
    }

    #[test]
    fn what_cannot_be_expected_is_refused() {
        let refusal = |check: Check| check.task(&Defaults::default()).unwrap_err().to_string();
        assert_eq!(refusal(check(Question::Max)), "at_most or at_least is missing: say what is expected of `max`");
        assert!(refusal(check(Closest::new(Norm::L1))).starts_with("at_most or at_least is missing"));
        assert!(refusal(check(Enumerate::default())).starts_with("question `enumerate` lists"));
        assert!(refusal(check(Diff::default())).contains("or give it `within`"));
        let monotone = Check { at_most: Some(1.0), ..check(Monotone::default()) };
        assert_eq!(refusal(monotone), "at_most does not apply to `monotone`, which holds or not");
        assert!(check(Monotone::default()).task(&Defaults::default()).is_ok());
    }
}
