//! The facts about a model that stand beside an answer: no lists of features.

use serde::Serialize;
use treeproof_ensemble::ensemble::Ensemble;

use super::inspect;

/// Classes that are named.
const SHOWN_CLASSES: usize = 20;

/// The facts about a model in short.
#[derive(Clone, Debug, Serialize)]
#[non_exhaustive]
pub struct ShortFacts {
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
    /// How many of them some split tests.
    pub features_used: usize,
    /// Distinct thresholds over all features.
    pub thresholds: usize,
    /// How values are read.
    pub input: String,
    /// What happens to missing values.
    pub missing: String,
    /// How leaf values are added.
    pub arithmetic: String,
    /// From margin or output to label.
    pub label_rule: String,
    /// The largest distance between the library's sum and the exact one; none if unbounded.
    pub rounding: Option<f64>,
}

impl ShortFacts {
    /// Of a model, without a file.
    pub fn of(ensemble: &Ensemble) -> Self {
        let facts = inspect(ensemble);
        let more = (facts.classes.len() > SHOWN_CLASSES).then(|| "…".to_owned());
        Self {
            file: None,
            sha256: None,
            format: facts.format,
            version: facts.version,
            objective: facts.objective,
            classes: facts.classes.iter().take(SHOWN_CLASSES).map(ToString::to_string).chain(more).collect(),
            trees: facts.trees,
            leaves: facts.leaves,
            depth: facts.depth,
            features: facts.features,
            features_used: facts.features_used.len(),
            thresholds: facts.thresholds,
            input: facts.input,
            missing: facts.missing,
            arithmetic: facts.arithmetic,
            label_rule: facts.label_rule,
            rounding: facts.rounding,
        }
    }
}
