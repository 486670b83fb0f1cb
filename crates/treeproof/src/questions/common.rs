//! Fields that every question of a task shares.

use std::collections::BTreeMap;
use std::time::Duration;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::LabelRule;
use treeproof_language::Condition;

use super::groups::GroupColumns;
use crate::error::{TaskError, refuse};
use crate::limits::{Method, TaskLimits};
use crate::report::QuestionName;

/// The fields of a task that do not depend on its question.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommonFields<'a> {
    /// The name of the question.
    pub(crate) question: QuestionName,
    pub(crate) class: Option<&'a str>,
    pub(crate) conditions: &'a [String],
    pub(crate) groups: &'a BTreeMap<String, GroupColumns>,
    /// True if the task names data.
    pub(crate) has_data: bool,
    pub(crate) threshold: Option<f64>,
    pub(crate) method: Method,
    pub(crate) epsilon: Option<f64>,
    pub(crate) limits: &'a TaskLimits,
    /// Time limit, the default if the task names none.
    pub(crate) time: Duration,
}

impl CommonFields<'_> {
    /// Refuses fields that do not apply to the question: silence would look like consent.
    pub(crate) fn refuse_surplus(&self, fields: &[&'static str]) -> Result<(), TaskError> {
        match self.given(fields) {
            Some(field) => refuse(field, format!("does not apply to `{}`", self.question.name())),
            None => Ok(()),
        }
    }

    /// The first of these fields that the task sets.
    pub(crate) fn given(&self, fields: &[&str]) -> Option<&'static str> {
        let given = [
            ("class", self.class.is_some()),
            ("data", self.has_data),
            ("threshold", self.threshold.is_some()),
            ("method", self.method != Method::Auto),
            ("limits.gap", self.limits.gap.is_some()),
            ("limits.stop_above", self.limits.stop_above.is_some()),
            ("limits.stop_below", self.limits.stop_below.is_some()),
        ];
        given.into_iter().find(|(field, is_given)| *is_given && fields.contains(field)).map(|(field, _)| field)
    }

    /// True if `fair` is asked about the labels of a model: of classifiers, unless about the margin of a class.
    pub(crate) fn is_about_labels(&self, ensemble: &Ensemble) -> bool {
        let has_labels = *ensemble.label_rule() != LabelRule::None;
        self.threshold.is_some() || (has_labels && self.class.is_none())
    }
}

/// The version of the task format that is written, and the only one read.
pub const VERSION: u32 = 1;

/// Targets of a search for a number.
pub(crate) const TARGETS: [&str; 3] = ["limits.gap", "limits.stop_above", "limits.stop_below"];

/// Refuses a radius that is no distance.
pub(crate) fn validate_radius(radius: f64) -> Result<(), TaskError> {
    if radius >= 0.0 && radius.is_finite() { Ok(()) } else { refuse("radius", "must be a number from 0 on") }
}

/// Refuses a tolerance that is no distance.
pub(crate) fn validate_within(within: Option<f64>) -> Result<(), TaskError> {
    match within {
        Some(within) if !(within >= 0.0 && within.is_finite()) => {
            refuse("within", "must be a finite number of at least 0")
        }
        _ => Ok(()),
    }
}

/// Refuses conditions that no model could understand.
pub(crate) fn validate_conditions(texts: &[String]) -> Result<(), TaskError> {
    texts.iter().try_for_each(|text| Ok(Condition::parse(text).map(|_| ())?))
}

/// Refuses more models than a task is about.
pub(crate) fn refuse_surplus_models(is_surplus: bool, most: usize) -> Result<(), TaskError> {
    let models = if most == 1 { "one model" } else { "two models" };
    match is_surplus {
        true => Err(TaskError::Unsuitable(format!("the task is about {models}, but more are given"))),
        false => Ok(()),
    }
}
