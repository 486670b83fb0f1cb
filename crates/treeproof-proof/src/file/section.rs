//! What a proof says before its log begins, and after it ends.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::exact::Exact;

use crate::file::axis::Axis;
use crate::space::region::CellSet;
use crate::statement::{Claim, Row, Statement};

/// What a log is about. Only the statement is what is proved; all else is how, and is verified.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// Name of the section, for people: unchecked.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub name: String,
    /// Place among the sections, compared number by number, as the places of parts and of their
    /// parts. It is for people, too.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub place: Vec<u64>,
    /// The models that it is about, by their places in the file: all of them if none are named.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<u32>,
    /// What is proved.
    pub statement: Statement,
    /// How inputs are cut into cells.
    pub axes: Vec<Axis>,
    /// What sums of leaves are counted in: a value of 0 stands for the offset.
    #[serde(with = "crate::file::number")]
    pub unit: Exact,
    /// See there.
    #[serde(with = "crate::file::number")]
    pub offset: Exact,
    /// Per case and sum, which trees are looked at together; the log calls them by their places here. Trees that are not
    /// here are looked at one by one, or at both inputs together where what one adds the other takes off.
    pub bundles: Vec<Vec<Vec<Bundled>>>,
    /// What costs are counted by.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub ledgers: Vec<Counted>,
}

/// What is looked at as one tree.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Bundled {
    /// These trees.
    Trees(Vec<Source>),
    /// That a feature of the second input is not below the first: what is out of order is worth very little.
    InOrder(u32),
    /// That the goal is missed in a box of cells, as the library says at the leaves that all of it reaches: it is worth very
    /// little there.
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

impl BoxSide {
    /// The cells, of all that the axis has.
    pub(crate) fn cells(&self, all: &CellSet) -> CellSet {
        all.some((self.low, self.high), &self.special)
    }
}

/// A tree of a model at an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The model.
    pub model: u32,
    /// The tree.
    pub tree: u32,
    /// The input.
    pub input: u32,
}

/// What costs are counted by.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Counted {
    /// A condition, by its place, that allows at most so many.
    AtMost(u32),
    /// One that demands at least so many.
    AtLeast(u32),
    /// A further distance that is bounded, by its place, in units of this power of two, rounded down, where it is a sum; else cells
    /// that are too far away cost 1.
    Within(u32, i64),
    /// How many features change between two inputs that must not be far apart: by their selectors.
    Changes,
    /// The distance, which is asked for: in units of this power of two, rounded down, where it is a sum; else by its place among
    /// all distances that cells have.
    Distance(i64),
}

/// What a log proves, and an input that shows how much of it is so.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conclusion {
    /// What is said of all inputs of the statement.
    pub claim: Claim,
    /// Rows that reach what is known from the other side, for each input one per model.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub witness: Option<Vec<Vec<Row>>>,
    /// Regions to which the claim does not apply: what the number asked about is there is said here.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub listed: Vec<Listed>,
}

impl From<Claim> for Conclusion {
    /// The claim alone.
    fn from(claim: Claim) -> Self {
        Self { claim, witness: None, listed: vec![] }
    }
}

/// A region of which all inputs have the same output.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Listed {
    /// Its cells, of axes on which it has not all of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub sides: Vec<BoxSide>,
    /// The number asked about.
    #[serde(with = "crate::file::number")]
    pub output: Exact,
}
