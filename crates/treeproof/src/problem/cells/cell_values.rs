//! What is in a cell, for whoever compares cells of two coordinates.

use treeproof_ensemble::input::Reading;

use super::AxisCells;
use super::number_line::NumberStretch;

/// What is in a cell, as the first reader has it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::problem) enum CellValues {
    /// Numbers: ranges, ascending, whose ends are in the cell. Of grids only the multiples between them are.
    Numbers(Vec<(f64, f64)>),
    /// Categories, by code.
    Categories(Vec<u32>),
    /// Of a group: the columns that may be the one that is 1.
    Columns(Vec<u32>),
    /// What is no category.
    Unknown,
    /// Nothing.
    Missing,
}

impl AxisCells {
    /// What is in a cell.
    pub(in crate::problem) fn contents(&self, cell: u32) -> CellValues {
        let place = cell as usize;
        let Some(line) = &self.line else { return self.special_contents(place) };
        match self.spans.get(place) {
            Some(span) => CellValues::Numbers(line.ranges(&span.stretch)),
            None => match self.special_contents(place - self.spans.len()) {
                CellValues::Numbers(ends) => {
                    let missing = self.input.missing_value.and_then(|value| NumberStretch::read_as(&self.input, value));
                    CellValues::Numbers(line.ranges_between(ends[0], missing.as_slice()))
                }
                other => other,
            },
        }
    }

    fn special_contents(&self, special: usize) -> CellValues {
        let special = &self.special[special];
        if self.is_group {
            return CellValues::Columns(special.codes.clone());
        }
        match (special.readings[0], special.ends) {
            (Reading::Missing, _) => CellValues::Missing,
            (Reading::NoCategory, _) => CellValues::Unknown,
            (Reading::Category(_), _) => CellValues::Categories(special.codes.clone()),
            (Reading::Number(number), ends) => CellValues::Numbers(vec![ends.unwrap_or((number, number))]),
        }
    }
}
