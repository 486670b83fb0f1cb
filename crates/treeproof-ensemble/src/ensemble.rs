//! The canonical model: everything that a library computes from an input row.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::input::{Feature, InputRules};
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::sum::{Aggregate, Summation};
use crate::tree::Tree;

/// A tree ensemble exactly as its library computes it. Built by [`crate::builder::EnsembleBuilder`] alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Ensemble {
    pub(crate) source: Source,
    pub(crate) features: Vec<Feature>,
    pub(crate) input: InputRules,
    pub(crate) trees: Vec<Tree>,
    pub(crate) num_accumulators: usize,
    pub(crate) aggregate: Aggregate,
    pub(crate) link: Link,
    pub(crate) label: LabelRule,
    pub(crate) classes: Vec<ClassName>,
}

/// The origin of a model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The file format, as in "XGBoost UBJSON".
    pub format: String,
    /// The writing library and its version, if the file names them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// The training objective, if the file names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub objective: Option<String>,
    /// Remarks on the model, one sentence each.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// The features, by index, with a monotonicity constraint in training, if the file names them.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub trends: BTreeMap<usize, Trend>,
}

/// The direction of a monotonicity constraint.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Trend {
    /// The margin must not fall as the feature rises.
    Increasing,
    /// The margin must not rise as the feature rises.
    Decreasing,
}

impl Trend {
    /// The direction of a sign as libraries store it; `None` for 0.
    pub(crate) fn of_sign(sign: i64) -> Option<Self> {
        match sign {
            0 => None,
            1.. => Some(Self::Increasing),
            _ => Some(Self::Decreasing),
        }
    }
}

impl Ensemble {
    /// The origin of the model.
    pub fn source(&self) -> &Source {
        &self.source
    }

    /// The input columns.
    pub fn features(&self) -> &[Feature] {
        &self.features
    }

    /// The rules for reading input values.
    pub fn input(&self) -> &InputRules {
        &self.input
    }

    /// The trees, in the order in which the library adds them.
    pub fn trees(&self) -> &[Tree] {
        &self.trees
    }

    /// The aggregation of leaf values.
    pub fn aggregate(&self) -> &Aggregate {
        &self.aggregate
    }

    /// The summation, if the ensemble is a sum: only sums can be verified.
    pub fn summation(&self) -> Option<&Summation> {
        match &self.aggregate {
            Aggregate::Sum(summation) => Some(summation),
            _ => None,
        }
    }

    /// The link from margins to outputs.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// The label rule.
    pub fn label_rule(&self) -> &LabelRule {
        &self.label
    }

    /// The classes in the library's order; empty for models without labels.
    pub fn classes(&self) -> &[ClassName] {
        &self.classes
    }

    /// The number of margins of a row.
    pub fn num_margins(&self) -> usize {
        match &self.aggregate {
            Aggregate::Sum(Summation { fold_pair: true, .. }) => 1,
            _ => self.num_accumulators,
        }
    }

    /// The number of outputs to which leaves add; two of them may fold into one margin.
    pub fn num_accumulators(&self) -> usize {
        self.num_accumulators
    }

    /// The reason why outputs are unknown, if they are; margins are always known.
    pub fn why_no_outputs(&self) -> Option<String> {
        let objective = self.source.objective.as_deref().unwrap_or("this objective");
        (self.link == Link::VersionDependent).then(|| {
            format!("the outputs of {objective} for several alphas depend on the version of the library that serves the model")
        })
    }

    /// The position of a feature by name.
    pub fn feature_named(&self, name: &str) -> Option<usize> {
        self.features.iter().position(|feature| feature.name == name)
    }
}
