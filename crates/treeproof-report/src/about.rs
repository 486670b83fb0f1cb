//! The origin of an answer: who gave it, when, to what, and how it was found.

use serde::{Deserialize, Serialize};

use crate::model::ModelFacts;
use crate::task::TaskRecord;
use crate::trace::SearchTrace;

/// The origin of an answer. All of it may be absent.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct About {
    /// The version of treeproof.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub treeproof: Option<String>,
    /// The date of the question, for people.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub date: Option<String>,
    /// The command that asks it again, as a shell takes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub command: Option<String>,
    /// The task.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub task: Option<TaskRecord>,
    /// The facts about each model.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelFacts>,
    /// The features that some tree tests, the most tested first, as inputs name them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tested: Option<Vec<String>>,
    /// The improvement of the bounds.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub trace: Vec<SearchTrace>,
    /// The origins of the checks of an audit, in order.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<About>,
}

impl About {
    /// True if nothing is known.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }
}
