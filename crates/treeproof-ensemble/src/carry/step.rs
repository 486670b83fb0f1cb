//! The steps of a pipeline as data: what was fitted, and nothing that depends on rows.

use serde::Deserialize;

use super::value::Constant;
use crate::literal::Literal;

/// The columns that a pipeline takes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "columns are a list of names or a number of columns")]
pub enum InputColumns {
    /// By name: those that no step hands on are left out of the model.
    Named(Vec<String>),
    /// By place: all stay, as `f0`, `f1`, …
    Counted(usize),
}

/// One step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What messages call it.
    pub name: String,
    /// What it does.
    #[serde(rename = "do")]
    pub action: Action,
}

/// What a step does to a row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Subtracts a number from each column, then divides it by one.
    Scale(Scale),
    /// Multiplies each column by a number, then adds one, then cuts off what is outside a range.
    Stretch(Stretch),
    /// Puts a value in the place of what is missing.
    Impute(Impute),
    /// Makes of each column one for each of its categories, which is 1 where the row has it.
    OneHot(OneHot),
    /// Makes of each category a number.
    Ordinal(Ordinal),
    /// Hands on some columns only.
    Select(Select),
    /// Several lists of steps side by side, each on its own columns.
    Union(Union),
}

/// See [`Action::Scale`]. Numbers are one per column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scale {
    /// What is subtracted first.
    #[serde(default)]
    pub subtract: Option<Vec<f64>>,
    /// What is divided by then.
    #[serde(default)]
    pub divide: Option<Vec<f64>>,
    /// The range to which results are confined.
    #[serde(default)]
    pub clip: Option<(f64, f64)>,
}

/// See [`Action::Stretch`]. Numbers are one per column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Stretch {
    /// What is multiplied by first.
    pub multiply: Vec<f64>,
    /// What is added then.
    pub add: Vec<f64>,
    /// The range to which results are confined.
    #[serde(default)]
    pub clip: Option<(f64, f64)>,
}

/// See [`Action::Impute`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impute {
    /// What is missing.
    pub missing: Constant,
    /// What is put in its place, one per column; a column without is dropped.
    pub fill: Vec<Option<Constant>>,
    /// The columns of which one more says whether they were missing; these come after all others.
    #[serde(default)]
    pub indicators: Vec<usize>,
}

/// See [`Action::OneHot`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneHot {
    /// Each column's categories.
    pub columns: Vec<OneHotColumn>,
    /// Whether zeros are left out of what it hands on.
    #[serde(default)]
    pub sparse: bool,
    /// Whether it hands on `f32`.
    #[serde(default)]
    pub single: bool,
}

/// The categories of a column, and where each becomes 1.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OneHotColumn {
    /// The categories.
    pub categories: Vec<Constant>,
    /// For each category the output that is 1, or none.
    pub outputs: Vec<Option<usize>>,
    /// The number of outputs of this column.
    pub num_outputs: usize,
    /// Whether any other value is refused.
    pub refuse_unknown: bool,
    /// The output that is 1 for any other value that is not refused, or none.
    #[serde(default)]
    pub unknown_output: Option<usize>,
}

/// See [`Action::Ordinal`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ordinal {
    /// Each column's categories.
    pub columns: Vec<OrdinalColumn>,
    /// Whether it hands on `f32`.
    #[serde(default)]
    pub single: bool,
}

/// The categories of a column, and their numbers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OrdinalColumn {
    /// The categories.
    pub categories: Vec<Constant>,
    /// For each category its number; `"nan"` is missing.
    pub codes: Vec<Literal>,
    /// The number of any other value, which is refused if there is none.
    #[serde(default)]
    pub unknown: Option<Literal>,
}

/// See [`Action::Select`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Select {
    /// The columns that are handed on.
    pub columns: Vec<usize>,
    /// Whether rows are refused in which any column is NaN or infinite.
    #[serde(default)]
    pub finite: bool,
}

/// See [`Action::Union`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Union {
    /// The lists of steps, whose columns come one after the other.
    pub parts: Vec<Part>,
    /// Whether zeros are left out of what it hands on; if it does not say, they are where some part leaves them out.
    #[serde(default)]
    pub sparse: Option<bool>,
}

/// Steps on some columns.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// The columns.
    pub columns: Vec<usize>,
    /// The steps.
    pub steps: Vec<Step>,
}
