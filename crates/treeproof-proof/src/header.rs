//! Headers of sections: the statement, and everything that the log refers to.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::axis::Axis;
use crate::statement::Statement;

/// A header. Only the statement is proved; the rest is a hint that a checker verifies.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name of the section, for people: unchecked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Place among the sections, compared number by number; for people, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub place: Vec<u64>,
    /// The models that it is about, by their places in the file; empty for all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<u32>,
    /// The statement.
    pub statement: Statement,
    /// The axes of the grid.
    pub axes: Vec<Axis>,
    /// The unit of whole numbers in the log.
    #[serde(with = "crate::exact_text")]
    pub unit: Exact,
    /// The value for which 0 stands in the log.
    #[serde(with = "crate::exact_text")]
    pub offset: Exact,
    /// Bundles, by case and sum: trees that are evaluated as one, and that the log names by their places here. Trees of no bundle
    /// follow one by one, or at both inputs together where one adds and the other subtracts.
    pub bundles: Vec<Vec<Vec<Bundled>>>,
    /// Ledgers, by which costs of cells are counted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledgers: Vec<LedgerKind>,
}

/// A bundle, evaluated as one tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bundled {
    /// Trees of the models.
    Trees(Vec<TreeSource>),
    /// A penalty where a feature of the second input is below the first.
    InOrder(u32),
    /// A penalty in a box of cells where the goal is missed, by the library's own sums at the leaves that all of it reaches.
    Missed(Vec<BoxSide>),
}

/// The cells of one axis of a box.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BoxSide {
    /// The axis.
    pub axis: u32,
    /// The first ordered cell.
    pub low: u32,
    /// The end of the ordered cells.
    pub high: u32,
    /// The special cells, counted from 0.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub special: Vec<u32>,
}

/// A tree of a model at an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TreeSource {
    /// The model.
    pub model: u32,
    /// The tree.
    pub tree: u32,
    /// The input.
    pub input: u32,
}

/// A source of costs.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LedgerKind {
    /// The upper limit of a counting condition, by its place.
    AtMost(u32),
    /// The lower limit of a counting condition, by its place.
    AtLeast(u32),
    /// A bounded distance beside the one that is asked about, by its place, in units of this power of two, rounded down, if it is
    /// a sum; else cells that are too far away cost 1.
    Within(u32, i64),
    /// The number of features that change between two near inputs, by their selectors.
    Changes,
    /// The distance that is asked for: in units of this power of two, rounded down, if it is a sum; else by its place among all
    /// distances of cells.
    Distance(i64),
}
