//! Statements: the inputs that a section of a proof is about, and the goal that is asked of them.

pub mod condition;
pub mod distance;

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::statement::condition::{Condition, Domain};
use crate::statement::distance::{Distance, DistanceBound};

/// A set of inputs and a goal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The features of an input, each with the models that read it.
    pub features: Vec<Feature>,
    /// The domain of each feature, for one input or for two.
    pub inputs: Vec<Vec<Domain>>,
    /// The relation of the second input to the first, by feature; empty for one input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<Tie>,
    /// One-hot groups: exactly one feature of a group is 1 and the others are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<u32>>,
    /// The row that conditions and distances refer to: a raw value for each feature, as its first reader has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Row>,
    /// Conditions, all of which hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// The distance that is asked about: of an input from the reference, or of the second input from the first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Distance>,
    /// Bounds on other distances.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<DistanceBound>,
    /// The goal. An input reaches it if all sums of some case are at least 0.
    pub goal: Goal,
}

/// A feature of the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Its name.
    pub name: String,
    /// The models that read it, ascending.
    pub readers: Vec<ModelFeature>,
}

/// A feature of a model, by places.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelFeature {
    /// The model.
    pub model: u32,
    /// The place of the feature in it.
    pub feature: u32,
}

/// A relation between a feature of the second input and that of the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// No relation.
    Free,
    /// Equality: one number or category in both, or missing in both.
    Same,
    /// Order: the second is a number that is not below the first, or both are missing.
    NotBelow,
}

/// A row of raw values; NaN is missing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Row(pub Vec<Number>);

/// Any double, written so that it reads back to the last bit.
pub use treeproof_ensemble::literal::Literal as Number;

/// A goal of inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// A number: the largest case's smallest sum.
    Sums(Vec<Vec<GoalSum>>),
    /// A label of the last input, by the first model's library, other than a class; with two inputs and no class, two
    /// different labels.
    OtherLabel {
        /// The class, by its place.
        class: Option<u32>,
        /// A decision threshold in place of the library's.
        threshold: Option<Number>,
    },
    /// A label of the last input.
    Label {
        /// The class, by its place.
        class: u32,
        /// A decision threshold in place of the library's.
        threshold: Option<Number>,
    },
    /// An output on one side of a number.
    Output {
        /// The number.
        number: Number,
        /// True for above, false for below.
        above: bool,
    },
    /// An output that differs by more than a number from that at the reference.
    Moved {
        /// The number.
        by: Number,
    },
    /// Existence of an input.
    Anything,
}

/// `Σ ± margin + constant`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalSum {
    /// The margins.
    pub terms: Vec<GoalTerm>,
    /// The constant.
    #[serde(default = "Exact::zero", with = "crate::exact_text", skip_serializing_if = "crate::exact_text::is_zero")]
    pub constant: Exact,
}

/// A margin of a model at an input, with its sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GoalTerm {
    /// The model.
    pub model: u32,
    /// The input.
    pub input: u32,
    /// The margin.
    pub output: u32,
    /// True if it is subtracted.
    pub negated: bool,
}
