//! Axes of a grid: features, or groups of them, cut into cells.

use serde::{Deserialize, Serialize};

use crate::statement::Number;

/// An axis.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The input whose axis it is, or both inputs if they are tied as `same` there.
    pub inputs: Vec<u32>,
    /// The feature, or all features of a group.
    pub features: Vec<u32>,
    /// The number of ordered cells, which come first: their numbers ascend from cell to cell.
    pub ordered: u32,
    /// The cells, each a union of pieces.
    pub cells: Vec<Vec<Piece>>,
}

/// A piece of a cell.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// All admissible numbers from one to another, both included. A number that one of two readers sees as missing, and the
    /// other does not, is only in pieces that hold nothing else.
    Numbers(Number, Number),
    /// A category, by the first reader's code.
    Category(u32),
    /// A value that is no category.
    Unknown,
    /// A value that is missing to all readers: NaN, and numbers that all of them read so.
    Missing,
    /// A column of a group, by its place in the axis's features, that is 1 while the others are 0.
    Column(u32),
}
