//! A task: one question about one model, as data; and the one door, [`Query`], through which tasks are answered.
//!
//! Fields of one question alone are part of that [`Question`].

mod file;
mod named;
mod query;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::{GroupError, Groups};

use crate::error::refuse;
use crate::limits;
use crate::questions::common::{CommonFields, refuse_surplus_models, validate_conditions};
use crate::questions::groups;

pub use self::file::TaskFile;
pub(crate) use self::file::spelt;
pub use self::query::Query;
pub use crate::error::TaskError;
pub use crate::limits::{Bytes, Gap, Method, Span, TaskLimits};
pub use crate::questions::{
    Baseline, Closest, Diff, Dominant, Enumerate, Fair, GeneralTask, GroupColumns, Measure, Monotone, Question, Robust,
    SignedMargin, Stable, TaskInput, VERSION,
};
pub use crate::reading::{Api, Reading};

/// A question with everything that it depends on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Task {
    /// The version of the format: 1.
    pub treeproof: u32,
    /// The question.
    pub question: Question,
    /// The model's file, for whoever reads files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub model: Option<PathBuf>,
    /// How the files of models are read, where there are several ways. Default: as their libraries do by themselves.
    #[serde(default, skip_serializing_if = "Reading::is_plain")]
    pub reading: Reading,
    /// The class, by name or number, whose margin is asked about. Default: the only one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub class: Option<String>,
    /// Conditions that must hold, in the language of `docs/constraints.md`. Default: none.
    #[serde(default, rename = "where", skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<String>,
    /// Columns that are one feature to people, by its name. Default: none.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub groups: BTreeMap<String, GroupColumns>,
    /// A file of rows whose ranges, categories and missing values confine the features. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub domain: Option<PathBuf>,
    /// A file of rows, each of which is asked about, for whoever reads files. Default of `fair`: any two inputs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub data: Option<PathBuf>,
    /// How many of the rows are asked about, from the first on. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rows: Option<usize>,
    /// Probability above which questions about labels choose the second class. Default: the library's own rule.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// How the answer is searched. Default: the best way known.
    #[serde(default)]
    pub method: Method,
    /// First ε of the method `veritas`, above 0 and at most 1, counted in thousandths. Default 0.5.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub epsilon: Option<f64>,
    /// Limits of the search.
    #[serde(default)]
    pub limits: TaskLimits,
}

impl Task {
    /// A question about everything the model accepts, with the default limits.
    pub fn new(question: impl Into<Question>) -> Self {
        Self {
            treeproof: VERSION,
            question: question.into(),
            model: None,
            reading: Reading::default(),
            class: None,
            conditions: vec![],
            groups: BTreeMap::new(),
            domain: None,
            data: None,
            rows: None,
            threshold: None,
            method: Method::default(),
            epsilon: None,
            limits: TaskLimits::default(),
        }
    }

    /// True if each of some rows is asked about.
    pub fn is_over_rows(&self) -> bool {
        self.is_over_data(self.data.is_some())
    }

    fn is_over_data(&self, has_data: bool) -> bool {
        // A row that is a starting point is no row to ask about.
        !matches!(self.question, Question::Dominant(_)) && (has_data || self.question.needs_rows())
    }

    /// Time limit of the search, or of the search about each row.
    pub fn time(&self) -> Duration {
        self.common(self.data.is_some()).time
    }

    /// Sets the limits that are not said.
    pub fn set_defaults(&mut self) {
        let time = self.time();
        self.limits.set_defaults(time);
    }

    /// Names the models, or as many as are given, instead of those that are named.
    ///
    /// # Errors
    /// If there are more than it is about.
    pub fn set_models(&mut self, given: impl IntoIterator<Item = PathBuf>) -> Result<(), TaskError> {
        let mut given = given.into_iter();
        self.model = given.next().or(self.model.take());
        let mut most = 1;
        if let Question::Diff(diff) = &mut self.question {
            diff.other_model = given.next().or(diff.other_model.take());
            most = 2;
        }
        refuse_surplus_models(given.next().is_some(), most)
    }

    /// The groups of a model that the task declares.
    ///
    /// # Errors
    /// If the model has no such columns, or they can be no group.
    pub fn groups_in(&self, ensemble: &Ensemble) -> Result<Groups, GroupError> {
        groups::declared(&self.groups, ensemble)
    }

    /// True if `fair` is asked about the labels of a model: of classifiers, unless about the margin of a class.
    pub(crate) fn is_about_labels(&self, ensemble: &Ensemble) -> bool {
        self.common(self.data.is_some()).is_about_labels(ensemble)
    }

    /// The fields that all questions share.
    fn common(&self, has_data: bool) -> CommonFields<'_> {
        let default = if self.is_over_data(has_data) { limits::TIME_PER_ROW } else { limits::TIME };
        CommonFields {
            question: self.question.kind(),
            class: self.class.as_deref(),
            conditions: &self.conditions,
            groups: &self.groups,
            has_data,
            threshold: self.threshold,
            method: self.method,
            epsilon: self.epsilon,
            limits: &self.limits,
            time: self.limits.time.map_or(default, |time| time.0),
        }
    }

    /// Checks what types cannot.
    ///
    /// # Errors
    /// If a field is wrong, or does not apply to the question.
    pub fn validate(&self) -> Result<(), TaskError> {
        self.validate_with(self.data.is_some())
    }

    fn validate_with(&self, has_data: bool) -> Result<(), TaskError> {
        if self.treeproof != VERSION {
            return refuse("treeproof", "is not 1, the only version of tasks; a newer treeproof may know it");
        }
        if self.epsilon.is_some() && self.method != Method::Veritas {
            return refuse("epsilon", "is for the method `veritas` only");
        }
        if self.epsilon.is_some_and(|epsilon| !(0.001..=1.0).contains(&epsilon)) {
            return refuse("epsilon", "must be between 0.001 and 1");
        }
        if self.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
            return refuse("threshold", "must be a probability, from 0 to 1");
        }
        if self.rows == Some(0) {
            return refuse("rows", "must be at least 1");
        }
        if self.rows.is_some() && !has_data {
            return refuse("rows", "needs data to take them from");
        }
        validate_conditions(&self.conditions)?;
        self.reading.validate()?;
        self.limits.validate()?;
        self.question.validate(&self.common(has_data))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_task_reads_back_and_refuses_what_it_does_not_know() {
        let mut task = Task::new(Question::Max);
        task.conditions = vec!["age >= 30".into()];
        task.limits.gap = Some(Gap::Relative(0.01));
        task.limits.memory = Some(Bytes(4 << 30));
        let text = serde_json::to_string(&task).unwrap();
        assert_eq!(
            text,
            r#"{"treeproof":1,"question":"max","where":["age >= 30"],"method":"auto","limits":{"memory":"4GiB","gap":"1%","seed":0}}"#
        );
        assert_eq!(serde_json::from_str::<Task>(&text).unwrap(), task);
        assert!(serde_json::from_str::<Task>(r#"{"treeproof":1,"question":"max","wehre":[]}"#).is_err());
        task.limits.threads = Some(0);
        assert_eq!(task.validate().unwrap_err().to_string(), "limits.threads must be at least 1");
    }

    #[test]
    fn fields_that_do_not_apply_are_refused() {
        let message = |question: Question, change: &dyn Fn(&mut Task)| {
            let mut task = Task::new(question);
            change(&mut task);
            task.validate().map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert_eq!(message(Question::Max, &|task| task.threshold = Some(0.2)), "threshold does not apply to `max`");
        assert_eq!(message(Question::Max, &|task| task.data = Some("x".into())), "data does not apply to `max`");
        assert_eq!(message(Question::Range, &|task| task.rows = Some(1)), "rows needs data to take them from");
        let fair = || Question::from(Fair::of(["sex"]));
        assert_eq!(message(fair(), &|task| task.method = Method::Merge), "method does not apply to `fair`");
        assert_eq!(message(fair(), &|task| task.data = Some("x".into())), "");
        let diff = || Question::from(Diff::default());
        assert_eq!(
            message(diff(), &|task| task.class = Some("x".into())),
            "class does not apply to `diff`, which compares all margins"
        );
    }

    #[test]
    fn time_is_for_each_row_where_there_are_rows() {
        let mut task = Task::new(Fair::of(["sex"]));
        assert_eq!(task.time(), Duration::from_secs(60));
        task.data = Some("people.csv".into());
        assert_eq!(task.time(), Duration::from_secs(10));
        task.limits.time = Some(Span(Duration::from_secs(3)));
        assert_eq!(task.time(), Duration::from_secs(3));
    }
}
