//! What `stable` and `dominant` ask.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::norm::Norm;

use super::distance::Measure;
use super::{Task, TaskError, refuse};

/// The largest jump of the margin between two inputs that are not further apart than a radius.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Stable {
    /// How distances are measured.
    #[serde(flatten)]
    pub measure: Measure,
    /// How far apart the inputs may be.
    pub radius: f64,
    /// By how much the margin may jump. Default: by how much it does is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

/// Which few features move the margin most: from a starting point, or between any two inputs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Dominant {
    /// Values of the starting point, which stay as they are: lists of `name=value`. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub given: Vec<String>,
    /// The rest of the starting point. Default: it is 0. Without a starting point, any two inputs are compared that the
    /// conditions allow.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub baseline: Option<Baseline>,
    /// Names of the features that may change, in which `*` stands for any letters and `?` for one.
    pub vary: Vec<String>,
    /// How many of them may change at most. Default: 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_most: Option<usize>,
    /// Whether the margin is to fall. Default: it is to rise.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub decrease: bool,
    /// Whether each feature is asked about by itself. Default: all together.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub each: bool,
}

/// Where changes begin, but for what is given.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Baseline {
    /// A row of `data`, counted from 0.
    Row(usize),
    /// Lists of `name=value`; all other features are 0.
    Values(Vec<String>),
}

impl Stable {
    /// The largest jump within a radius.
    pub fn new(norm: Norm, radius: f64) -> Self {
        Self { measure: Measure::new(norm), radius, within: None }
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        task.refuse_surplus(&["data", "threshold", "method"])?;
        self.measure.validate()?;
        if !(self.radius >= 0.0 && self.radius.is_finite()) {
            return refuse("radius", "must be a number from 0 on");
        }
        if self.within.is_some_and(|within| !(within >= 0.0 && within.is_finite())) {
            return refuse("within", "must be a finite number of at least 0");
        }
        Ok(())
    }
}

impl Dominant {
    /// Which of these features moves the margin most, from a starting point at which all is 0 but what is given.
    pub fn new<T: Into<String>>(given: impl IntoIterator<Item = T>, vary: impl IntoIterator<Item = T>) -> Self {
        let texts = |of: Vec<T>| of.into_iter().map(Into::into).collect();
        Self { given: texts(given.into_iter().collect()), vary: texts(vary.into_iter().collect()), ..Self::default() }
    }

    /// Whether there is a starting point.
    pub fn has_start(&self) -> bool {
        !self.given.is_empty() || self.baseline.is_some()
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        task.refuse_surplus(&["threshold", "method"])?;
        if self.vary.is_empty() {
            return refuse("vary", "is missing: name the features that may change, as in 'word_*'");
        }
        if self.at_most == Some(0) {
            return refuse("at_most", "must be at least 1: nothing moves where nothing changes");
        }
        if self.each && self.at_most.is_some_and(|most| most != 1) {
            return refuse("at_most", "does not go with `each`, which changes one feature at a time");
        }
        match (&self.baseline, &task.data) {
            (None, Some(_)) => return refuse("baseline", "is missing: say which row of the data it is"),
            (Some(Baseline::Row(_)), None) => return refuse("baseline", "needs data to take the row from"),
            (Some(Baseline::Values(_)), Some(_)) => {
                return refuse("baseline", "must be the number of a row where there is data to take it from");
            }
            _ => {}
        }
        if !self.has_start() && self.each {
            return refuse("each", "needs a starting point: give one with `given` or `baseline`");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_asked_is_refused() {
        let refusal = |change: &dyn Fn(&mut Dominant)| {
            let mut dominant = Dominant::new(["live=1"], ["*"]);
            change(&mut dominant);
            Task::new(dominant).validate().map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert_eq!(refusal(&|_| {}), "");
        assert_eq!(
            refusal(&|dominant| dominant.at_most = Some(0)),
            "at_most must be at least 1: nothing moves where nothing changes"
        );
        let baseline = |baseline: Baseline| refusal(&|dominant| dominant.baseline = Some(baseline.clone()));
        assert_eq!(baseline(Baseline::Row(3)), "baseline needs data to take the row from");
        let values = Baseline::Values(vec!["news=2".to_owned()]);
        assert_eq!(baseline(values.clone()), "");
        let mut task = Task::new(Dominant { baseline: Some(values), ..Dominant::new(["live=1"], ["*"]) });
        task.data = Some("words.csv".into());
        let refused = task.validate().unwrap_err().to_string();
        assert_eq!(refused, "baseline must be the number of a row where there is data to take it from");
        assert!(refusal(&|dominant| dominant.vary.clear()).starts_with("vary is missing"));
        assert!(refusal(&|dominant| (dominant.each, dominant.given) = (true, vec![])).starts_with("each needs"));
        assert!(refusal(&|dominant| (dominant.each, dominant.at_most) = (true, Some(2))).starts_with("at_most does"));
        let stable =
            |radius: f64| Task::new(Stable::new(Norm::Linf, radius)).validate().map_err(|error| error.to_string());
        assert_eq!(stable(0.0), Ok(()));
        assert_eq!(stable(-1.0).unwrap_err(), "radius must be a number from 0 on");
    }
}
