//! What `enumerate` asks.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Task, TaskError, refuse};

/// The output configurations of the largest margins.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Enumerate {
    /// Only configurations whose exact sum is above this. Default: all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub above: Option<f64>,
    /// How many configurations. Default 100.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top: Option<usize>,
}

impl Enumerate {
    /// How many configurations are asked for.
    pub fn top(&self) -> usize {
        self.top.unwrap_or(100)
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        task.refuse_surplus(&["data", "threshold", "method", "limits.gap", "limits.stop_above", "limits.stop_below"])?;
        if self.above.is_some_and(|above| !above.is_finite()) {
            return refuse("above", "is not a finite number");
        }
        if self.top == Some(0) {
            return refuse("top", "must be at least 1");
        }
        Ok(())
    }
}
