//! `closest`: the nearest input to a row that changes the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::norm::Norm;

use super::common::CommonFields;
use super::context::Context;
use super::nearest::{self, Measure, RowGoal};
use crate::error::{TaskError, refuse};
use crate::report::Report;

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
    /// Number of inputs for each row, the nearest first; every further one leaves something unchanged that each one before it
    /// changes. Default: one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub count: Option<usize>,
}

impl Closest {
    /// How far the nearest input with another label is.
    pub fn new(norm: Norm) -> Self {
        Self { measure: Measure::new(norm), target: None, output_above: None, output_below: None, count: None }
    }

    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&nearest::SURPLUS)?;
        self.measure.validate()?;
        if self.count == Some(0) {
            return refuse("count", "must be at least 1");
        }
        nearest::validate_method(common, self.measure.norm, self.count.unwrap_or(1))?;
        if self.output_above.is_some() && self.output_below.is_some() {
            return refuse("output_below", "cannot be asked together with output_above");
        }
        for (field, number) in [("output_above", self.output_above), ("output_below", self.output_below)] {
            if number.is_some_and(|number| !number.is_finite()) {
                return refuse(field, "must be a finite number");
            }
            if number.is_some() {
                nearest::refuse_labels(common, self.target.as_ref(), field)?;
            }
        }
        Ok(())
    }

    /// Looks for the nearest input to each row.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let instead = "--output-above V or --output-below V";
        let goal = match (self.output_above, self.output_below) {
            (Some(number), _) => RowGoal::Above(number),
            (None, Some(number)) => RowGoal::Below(number),
            (None, None) => nearest::label(&context.common, context.ensemble(), self.target.as_deref(), instead)?,
        };
        nearest::answer(context, &self.measure, goal, None, self.count)
    }
}
