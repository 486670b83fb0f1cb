//! What a proof proves: a statement about models alone, in words that need no task, file of data or search.

pub mod condition;
pub mod linear;
pub mod near;
pub(crate) mod symmetry;

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::statement::condition::{Condition, Domain};
use crate::statement::near::{Near, Within};

/// All inputs that are asked about, and what is said of them.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Statement {
    /// The features of an input, each with its readers: one per model that has it.
    pub features: Vec<Feature>,
    /// For each input (one or two) the values that each feature may have.
    pub inputs: Vec<Vec<Domain>>,
    /// How each feature of the second input lies to the first; empty where there is one input.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ties: Vec<Tie>,
    /// Features that together are one: in every input exactly one of them is 1, and the others are 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub groups: Vec<Vec<u32>>,
    /// The row from which an input may differ: a raw value for each feature, as its first reader has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reference: Option<Row>,
    /// All must hold.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conditions: Vec<Condition>,
    /// How far an input is from the reference, or the second from the first, where that is asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub near: Option<Near>,
    /// Other distances that are bounded.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub within: Vec<Within>,
    /// Of which inputs something is said: those at which all sums of some case are at least 0, or what the largest case's
    /// smallest sum can be.
    pub goal: Goal,
}

/// A feature of the inputs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Feature {
    /// Its name.
    pub name: String,
    /// The models that have it, and its place among their features.
    pub readers: Vec<Reader>,
}

/// A model that reads a feature.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reader {
    /// The model.
    pub model: u32,
    /// The place of the feature in it.
    pub feature: u32,
}

/// How a feature of the second of two inputs lies to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tie {
    /// Anyhow.
    Free,
    /// It is the same: the same number or category, or missing in both.
    Same,
    /// It is a number that is not below, or missing in both.
    NotBelow,
}

/// A row of raw values; NaN is missing.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Row(pub Vec<Number>);

/// Any double, written so that it reads back to the last bit.
pub use treeproof_ensemble::literal::Literal as Number;

/// What is asked about inputs.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Goal {
    /// The largest case of the smallest sum.
    Sums(Vec<Vec<Sum>>),
    /// Whether the first model's library gives the (last) input another label than this class; with two inputs: whether it gives
    /// them two different labels, and `class` is none.
    OtherLabel {
        /// The class, by its place.
        class: Option<u32>,
        /// Where the probability decides, if not where the library has it.
        threshold: Option<Number>,
    },
    /// Whether it gives the input this label.
    Label {
        /// The class, by its place.
        class: u32,
        /// Where the probability decides, if not where the library has it.
        threshold: Option<Number>,
    },
    /// Whether its output is above or below a number.
    Output {
        /// The number.
        number: Number,
        /// Above it, or below it.
        above: bool,
    },
    /// Whether its output differs by more than a number from what it is at the reference.
    Moved {
        /// The number.
        by: Number,
    },
    /// Whether there is an input at all.
    Anything,
}

/// `Σ ± margin + constant`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sum {
    /// The margins.
    pub terms: Vec<Term>,
    /// What is added.
    #[serde(
        default = "Exact::zero",
        with = "crate::file::number",
        skip_serializing_if = "crate::file::number::is_zero"
    )]
    pub constant: Exact,
}

/// A margin of a model at an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Term {
    /// The model.
    pub model: u32,
    /// The input.
    pub input: u32,
    /// The margin.
    pub output: u32,
    /// Whether it is subtracted.
    pub negated: bool,
}

/// What is said of all inputs that meet the conditions.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// The goal, a number, is at most this.
    AtMost(Number),
    /// None reaches the goal.
    Never,
    /// None that reaches the goal is nearer than this.
    NotNearer(Number),
    /// There is none.
    Infeasible,
    /// The witness reaches the goal.
    Reached,
    /// Nothing: the search was stopped too early.
    Nothing,
}
