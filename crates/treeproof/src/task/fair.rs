//! What `fair` asks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::LabelRule;

use super::{Question, Task, TaskError, items, refuse};

/// Whether two inputs that differ in protected features alone are treated differently.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Fair {
    /// The features in which the two inputs may differ, each `sex` or, with the values of either,
    /// `status:{A91, A93}|{A92, A95}`.
    pub protected: Vec<String>,
}

impl Fair {
    /// With these features protected.
    pub fn of<T: Into<String>>(protected: impl IntoIterator<Item = T>) -> Self {
        Self { protected: protected.into_iter().map(Into::into).collect() }
    }

    /// The protected features one by one, each as it is written.
    pub fn names(&self) -> Vec<&str> {
        self.protected.iter().flat_map(|text| items(text)).collect()
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        task.refuse_surplus(&["method"])?;
        if self.protected.is_empty() {
            return refuse("protected", "is empty: name the features in which two inputs may differ");
        }
        if task.threshold.is_some() && task.class.is_some() {
            return refuse("threshold", "is about labels, and class about the margin of a class: give one of them");
        }
        Ok(())
    }
}

impl Task {
    /// Whether `fair` is asked about the labels of a model: of classifiers, unless about the margin of a class.
    pub fn is_about_labels(&self, ensemble: &Ensemble) -> bool {
        let has_labels = *ensemble.label_rule() != LabelRule::None;
        let is_fair = matches!(self.question, Question::Fair(_));
        is_fair && (self.threshold.is_some() || (has_labels && self.class.is_none()))
    }
}
