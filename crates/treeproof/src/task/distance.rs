//! What `robust` and `closest` ask, and how distances are measured.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::norm::Norm;

use super::{Method, Task, TaskError, refuse};
use crate::distance::refuse_other_than_boxes;

/// How distances between inputs are measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Measure {
    /// How distances along features make one.
    pub norm: Norm,
    /// What distances along features are multiplied by. Default: 1 for each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// `std:DATA`: distances between numbers are divided by the standard deviation of the feature in this file, for whoever reads
    /// files; costs of categories, groups and missing values are not. Default: they are not either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<String>,
    /// The distance to and from missing, where `maybemissing` allows it. Default: 1 in `l0`, else none is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_cost: Option<f64>,
    /// The distance between two categories. Default: 1 in `l0`, else they are fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_cost: Option<f64>,
}

/// Whether no input within a radius of a row changes the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Robust {
    /// How distances are measured.
    #[serde(flatten)]
    pub measure: Measure,
    /// How far away an input may be.
    pub radius: f64,
    /// The class, by name or number, that is to be reached. Default: any other than the row's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Instead of another label: an output that differs by more than this. Default: labels are asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
    /// The column of the data that holds the true labels. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub label: Option<String>,
}

/// How far away the nearest input is that changes the answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Closest {
    /// How distances are measured.
    #[serde(flatten)]
    pub measure: Measure,
    /// The class, by name or number, that is to be reached. Default: any other than the row's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Instead of another label: an output above this. Default: labels are asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_above: Option<f64>,
    /// Instead of another label: an output below this. Default: labels are asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output_below: Option<f64>,
    /// So many inputs for each row, the nearest first; every further one leaves something unchanged that each one before it
    /// changes. Default: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

/// What does not apply to questions about distances.
const SURPLUS: [&str; 4] = ["class", "limits.gap", "limits.stop_above", "limits.stop_below"];

impl Measure {
    /// All features count alike.
    pub fn new(norm: Norm) -> Self {
        Self { norm, weights: BTreeMap::new(), scale: None, missing_cost: None, category_cost: None }
    }

    /// The file by whose standard deviations distances are divided.
    pub fn scale_file(&self) -> Option<&str> {
        self.scale.as_deref().and_then(|scale| scale.strip_prefix("std:"))
    }

    pub(super) fn validate(&self) -> Result<(), TaskError> {
        let is_length = |number: f64| number >= 0.0 && number.is_finite();
        for (field, cost) in [("missing_cost", self.missing_cost), ("category_cost", self.category_cost)] {
            if cost.is_some_and(|cost| !is_length(cost)) {
                return refuse(field, "must be a number from 0 on");
            }
        }
        if let Some((name, weight)) = self.weights.iter().find(|(_, weight)| !is_length(**weight)) {
            let what = format!("the weight of `{name}` must be a number from 0 on, not `{weight}`");
            return Err(TaskError::Value { field: "weights", what });
        }
        if self.scale.is_some() && self.scale_file().is_none() {
            return Err(TaskError::Value { field: "scale", what: "write std:DATA, as in std:train.csv".to_owned() });
        }
        if self.scale.is_some() && self.norm == Norm::L0 {
            return refuse("scale", "does not apply to `l0`, which counts features");
        }
        Ok(())
    }
}

impl Robust {
    /// Whether the label changes within a radius.
    pub fn new(norm: Norm, radius: f64) -> Self {
        Self { measure: Measure::new(norm), radius, target: None, within: None, label: None }
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        task.refuse_surplus(&SURPLUS)?;
        self.measure.validate()?;
        validate_method(task, self.measure.norm, 1)?;
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return refuse("radius", "must be a number from 0 on");
        }
        if self.within.is_some_and(|within| !(within >= 0.0 && within.is_finite())) {
            return refuse("within", "must be a finite number of at least 0");
        }
        if self.within.is_some() {
            refuse_labels(task, self.target.as_ref(), "within")?;
        }
        Ok(())
    }
}

impl Closest {
    /// How far the nearest input with another label is.
    pub fn new(norm: Norm) -> Self {
        Self { measure: Measure::new(norm), target: None, output_above: None, output_below: None, count: None }
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        task.refuse_surplus(&SURPLUS)?;
        self.measure.validate()?;
        if self.count == Some(0) {
            return refuse("count", "must be at least 1");
        }
        validate_method(task, self.measure.norm, self.count.unwrap_or(1))?;
        if self.output_above.is_some() && self.output_below.is_some() {
            return refuse("output_below", "cannot be asked together with output_above");
        }
        for (field, number) in [("output_above", self.output_above), ("output_below", self.output_below)] {
            if number.is_some_and(|number| !number.is_finite()) {
                return refuse(field, "must be a finite number");
            }
            if number.is_some() {
                refuse_labels(task, self.target.as_ref(), field)?;
            }
        }
        Ok(())
    }
}

/// Refuses methods that know nothing of distances, or not of these.
fn validate_method(task: &Task, norm: Norm, count: usize) -> Result<(), TaskError> {
    match task.method {
        Method::Auto => Ok(()),
        Method::Veritas => refuse_other_than_boxes(norm, count),
        Method::Merge => refuse("method", &format!("must be `auto` or `veritas` for `{}`", task.question.name())),
    }
}

/// Refuses what is about labels where outputs are asked about.
fn refuse_labels(task: &Task, target: Option<&String>, instead: &'static str) -> Result<(), TaskError> {
    let about_labels = [("target", target.is_some()), ("threshold", task.threshold.is_some())];
    match about_labels.into_iter().find(|(_, is_given)| *is_given) {
        Some((field, _)) => refuse(field, &format!("is about labels, and {instead} about outputs: give one of them")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_measured_is_refused() {
        let refusal = |change: &dyn Fn(&mut Robust)| {
            let mut robust = Robust::new(Norm::L1, 0.5);
            change(&mut robust);
            Task::new(robust).validate().map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert_eq!(refusal(&|_| {}), "");
        assert_eq!(refusal(&|robust| robust.radius = -1.0), "radius must be a number from 0 on");
        assert_eq!(
            refusal(&|robust| robust.measure.missing_cost = Some(f64::NAN)),
            "missing_cost must be a number from 0 on"
        );
        assert_eq!(
            refusal(&|robust| robust.measure.scale = Some("train.csv".into())),
            "scale: write std:DATA, as in std:train.csv"
        );
        let both = |robust: &mut Robust| (robust.within, robust.target) = (Some(0.1), Some("yes".into()));
        assert_eq!(refusal(&both), "target is about labels, and within about outputs: give one of them");
        let weighted = |robust: &mut Robust| robust.measure.weights = BTreeMap::from([("age".into(), -1.0)]);
        assert_eq!(refusal(&weighted), "weights: the weight of `age` must be a number from 0 on, not `-1`");
    }
}
