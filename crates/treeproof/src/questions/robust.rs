//! `robust`: no input within a radius of a row changes the answer.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::norm::Norm;

use super::common::{CommonFields, validate_radius, validate_within};
use super::context::Context;
use super::nearest::{self, Measure, RowGoal};
use crate::error::TaskError;
use crate::report::Report;

/// Robustness: no input within a radius of a row changes the answer.
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

impl Robust {
    /// Asks if the label changes within a radius.
    pub fn new(norm: Norm, radius: f64) -> Self {
        Self { measure: Measure::new(norm), radius, target: None, within: None, label: None }
    }

    pub(super) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        common.refuse_surplus(&nearest::SURPLUS)?;
        self.measure.validate()?;
        nearest::validate_method(common, self.measure.norm, 1)?;
        validate_radius(self.radius)?;
        validate_within(self.within)?;
        if self.within.is_some() {
            nearest::refuse_labels(common, self.target.as_ref(), "within")?;
        }
        Ok(())
    }

    /// Looks for an input within the radius of each row.
    pub(super) fn answer(&self, context: &Context<'_>) -> Result<Report, TaskError> {
        let goal = match self.within {
            Some(within) => RowGoal::Moved(within),
            None => nearest::label(&context.common, context.ensemble(), self.target.as_deref(), "--within EPS")?,
        };
        nearest::answer(context, &self.measure, goal, Some(self.radius), None)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::task::Task;

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
