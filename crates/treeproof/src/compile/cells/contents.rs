//! What is in a cell, for whoever compares cells of two coordinates.

use treeproof_ensemble::input::Reading;

use super::AxisCells;
use super::line::Stretch;

/// What is in a cell, as the first reader has it.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::compile) enum Contents {
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
    pub(in crate::compile) fn contents(&self, cell: u32) -> Contents {
        let place = cell as usize;
        let Some(line) = &self.line else { return self.special_contents(place) };
        match self.spans.get(place) {
            Some(span) => Contents::Numbers(line.ranges(&span.stretch)),
            None => match self.special_contents(place - self.spans.len()) {
                Contents::Numbers(ends) => {
                    let missing = self.input.missing_value.and_then(|value| Stretch::read_as(&self.input, value));
                    Contents::Numbers(line.ranges_between(ends[0], missing.as_slice()))
                }
                other => other,
            },
        }
    }

    fn special_contents(&self, special: usize) -> Contents {
        let special = &self.special[special];
        if self.is_group {
            return Contents::Columns(special.codes.clone());
        }
        match (special.readings[0], special.ends) {
            (Reading::Missing, _) => Contents::Missing,
            (Reading::NoCategory, _) => Contents::Unknown,
            (Reading::Category(_), _) => Contents::Categories(special.codes.clone()),
            (Reading::Number(number), ends) => Contents::Numbers(vec![ends.unwrap_or((number, number))]),
        }
    }
}
