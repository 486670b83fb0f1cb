//! What `diff` asks.

use std::path::PathBuf;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Task, TaskError, refuse};

/// Where two models differ most.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct Diff {
    /// The file of the model that is compared with the first, for whoever reads files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub other_model: Option<PathBuf>,
    /// By how much the models may differ. Default: by how much they do is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub within: Option<f64>,
}

impl Diff {
    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        if task.class.is_some() {
            return refuse("class", "does not apply to `diff`, which compares all margins");
        }
        task.refuse_surplus(&["data", "threshold", "method"])?;
        if self.within.is_some_and(|within| !within.is_finite() || within < 0.0) {
            return refuse("within", "must be a finite number of at least 0");
        }
        Ok(())
    }
}
