// NOTE TO YOU (from the integrator, 08:45): Region/Side/Shape are in region.rs, which I wrote and copied here; use them, add
// `mod region;` (pub) to lib.rs, and do not make another Region. Delete this note.
//! The grid of a proof: every axis is a feature, or a group of them, of one input or of two that agree there, cut into cells.

use serde::{Deserialize, Serialize};

use crate::statement::Number;

/// One axis.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Axis {
    /// The inputs whose axis it is: one, or both where they are the same.
    pub inputs: Vec<u32>,
    /// The feature, or all features of a group.
    pub features: Vec<u32>,
    /// The first so many cells are ordered: their numbers ascend from cell to cell.
    pub ordered: u32,
    /// What is in each cell: all of these.
    pub cells: Vec<Vec<Piece>>,
}

/// Some values of an axis.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// All numbers from one to another, both included, that may be values.
    Numbers(Number, Number),
    /// A category, by the first reader's code.
    Category(u32),
    /// What is no category.
    Unknown,
    /// What is missing to all readers.
    Missing,
    /// Of a group: this one of the axis's features is 1, the others are 0.
    Column(u32),
}
