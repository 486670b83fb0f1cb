//! The fitted steps of a pipeline as data.

use serde::Deserialize;

use super::value::Constant;
use crate::literal::Literal;

/// The input columns of a pipeline.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged, expecting = "columns are a list of names or a number of columns")]
pub(crate) enum InputColumns {
    /// By name; columns that no step hands on are left out of the model.
    Named(Vec<String>),
    /// By position; all stay, as `f0`, `f1`, …
    Counted(usize),
}

/// One step.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct PipelineStep {
    /// The name in messages.
    pub(crate) name: String,
    /// The action.
    #[serde(rename = "do")]
    pub(crate) action: Action,
}

/// The action of a step on a row.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Action {
    /// Subtracts a number from each column, then divides by another.
    Scale(Scale),
    /// Multiplies each column by a number, then adds another, then clips to a range.
    Stretch(Stretch),
    /// Replaces missing values.
    Impute(Impute),
    /// Replaces each column by one 0/1 column for each of its categories.
    OneHot(OneHot),
    /// Replaces each category by a number.
    Ordinal(Ordinal),
    /// Hands on some columns only.
    Select(Select),
    /// Several lists of steps side by side, each on its own columns.
    Union(Union),
}

/// See [`Action::Scale`]. Numbers are one per column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Scale {
    /// The subtracted numbers.
    pub(crate) subtract: Option<Vec<f64>>,
    /// The divisors.
    pub(crate) divide: Option<Vec<f64>>,
    /// The range to which results are confined.
    pub(crate) clip: Option<(f64, f64)>,
}

/// See [`Action::Stretch`]. Numbers are one per column.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Stretch {
    /// The factors.
    pub(crate) multiply: Vec<f64>,
    /// The added numbers.
    pub(crate) add: Vec<f64>,
    /// The range to which results are confined.
    pub(crate) clip: Option<(f64, f64)>,
}

/// See [`Action::Impute`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Impute {
    /// The missing value.
    pub(crate) missing: Constant,
    /// The replacements, one per column; a column without one is dropped.
    pub(crate) fill: Vec<Option<Constant>>,
    /// The columns with an indicator of missing values; indicators come after all other columns.
    #[serde(default)]
    pub(crate) indicators: Vec<usize>,
}

/// See [`Action::OneHot`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneHot {
    /// Each column's categories.
    pub(crate) columns: Vec<OneHotColumn>,
    /// True if its output leaves out zeros.
    #[serde(default)]
    pub(crate) sparse: bool,
    /// True if its output is `f32`.
    #[serde(default)]
    pub(crate) single: bool,
}

/// The categories of a column, with the output of each.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OneHotColumn {
    /// The categories.
    pub(crate) categories: Vec<Constant>,
    /// For each category the output that is 1, or none.
    pub(crate) outputs: Vec<Option<usize>>,
    /// The number of outputs of this column.
    pub(crate) num_outputs: usize,
    /// True if any other value is refused.
    pub(crate) refuse_unknown: bool,
    /// The output that is 1 for any other value that is not refused, or none.
    pub(crate) unknown_output: Option<usize>,
}

/// See [`Action::Ordinal`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Ordinal {
    /// Each column's categories.
    pub(crate) columns: Vec<OrdinalColumn>,
    /// True if its output is `f32`.
    #[serde(default)]
    pub(crate) single: bool,
}

/// The categories of a column, and their numbers.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct OrdinalColumn {
    /// The categories.
    pub(crate) categories: Vec<Constant>,
    /// For each category its number; `"nan"` is missing.
    pub(crate) codes: Vec<Literal>,
    /// The number of any other value, which is refused if there is none.
    pub(crate) unknown: Option<Literal>,
}

/// See [`Action::Select`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Select {
    /// The selected columns.
    pub(crate) columns: Vec<usize>,
    /// True if rows with a NaN or infinite value in any column are refused.
    #[serde(default)]
    pub(crate) finite: bool,
}

/// See [`Action::Union`].
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Union {
    /// The lists of steps, whose columns come one after the other.
    pub(crate) parts: Vec<UnionPart>,
    /// True if its output leaves out zeros; by default, if some part does.
    pub(crate) sparse: Option<bool>,
}

/// Steps on some columns.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct UnionPart {
    /// The columns.
    pub(crate) columns: Vec<usize>,
    /// The steps.
    pub(crate) steps: Vec<PipelineStep>,
}
