//! The facts about a model that stand beside an answer: no lists of features.

use serde::{Deserialize, Serialize};

/// The facts about a model in short.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModelFacts {
    /// The file, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The SHA-256 digest of its bytes, in hexadecimal digits.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sha256: Option<String>,
    /// The file format.
    pub format: String,
    /// The writing library and its version.
    pub version: Option<String>,
    /// The training objective.
    pub objective: Option<String>,
    /// The classes in the library's order, or the first of many.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub classes: Vec<String>,
    /// The number of trees.
    pub trees: usize,
    /// The number of leaves of all trees.
    pub leaves: usize,
    /// The depth of the deepest tree.
    pub depth: usize,
    /// The number of input columns.
    pub features: usize,
    /// The number of columns that some split tests.
    pub features_used: usize,
    /// The number of distinct thresholds over all features.
    pub thresholds: usize,
    /// The rule by which values are read.
    pub input: String,
    /// The treatment of missing values.
    pub missing: String,
    /// The rule by which leaf values are added.
    pub arithmetic: String,
    /// The rule from margin or output to label; `none` if there are no labels.
    pub label_rule: String,
    /// The largest distance between the library's sum and the exact one; none if unbounded.
    pub rounding: Option<f64>,
}

impl ModelFacts {
    /// True if the model chooses labels.
    pub fn has_labels(&self) -> bool {
        self.label_rule != "none"
    }
}
