//! Axes as proofs have them, cut into cells.

use serde::{Deserialize, Serialize};

use crate::error::{Refused, must};
use crate::statement::Number;

/// One axis, as a proof has it.
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
    /// All numbers from one to another, both included, that may be values. A number that one of two readers sees as missing, and
    /// the other does not, is only in pieces that hold nothing else.
    Numbers(Number, Number),
    /// A category, by the first reader's code.
    Category(u32),
    /// What is no category.
    Unknown,
    /// What is missing to all readers: NaN, and numbers that all of them read so.
    Missing,
    /// Of a group: this one of the axis's features, by its place there, is 1, and the others are 0.
    Column(u32),
}

/// The numbers of the ordered cells ascend, and no number is in two pieces.
pub(crate) fn ascending(cells: &[Vec<Piece>], ordered: usize) -> Result<(), Refused> {
    let (mut last, mut others) = (None::<f64>, vec![]);
    for (cell, piece) in
        cells.iter().enumerate().flat_map(|(cell, pieces)| pieces.iter().map(move |piece| (cell, piece)))
    {
        let range = match piece {
            Piece::Numbers(low, high) => Some((low.0, high.0)),
            _ => None,
        };
        must(range.is_none_or(|(low, high)| low <= high), || format!("cell {cell} ends before it begins"))?;
        others.extend(range);
        if cell < ordered {
            let ascends = range.is_some_and(|(low, _)| last.is_none_or(|last| last < low));
            must(ascends, || format!("cell {cell} is ordered, but not above those before it"))?;
            last = range.map(|(_, high)| high);
        }
    }
    others.sort_by(|one, other| one.0.total_cmp(&other.0));
    must(others.windows(2).all(|pair| pair[0].1 < pair[1].0), || "a number is in two of its cells".to_owned())
}
