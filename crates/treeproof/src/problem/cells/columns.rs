//! Cells of a group of columns: each says which column is 1.

use treeproof_ensemble::input::Reading;
use treeproof_search::Cells;

use super::{AxisPartition, CutPoints, SpecialCell};
use crate::problem::one_or_two::OneOrTwo;
use crate::problem::{Domain, position};

impl AxisPartition {
    /// A cell for each column that a split or condition tests, and one for all others.
    pub(super) fn class_columns(&mut self, choices: &[usize], uses: &[CutPoints]) {
        let is_used = |column: &usize| {
            let mut readers = self.readers.iter().zip(uses).filter(|(reader, _)| reader.column == *column);
            readers.any(|(_, of_reader)| of_reader.tells_numbers_apart())
        };
        let (used, others): (Vec<usize>, Vec<usize>) = choices.iter().copied().partition(is_used);
        let cells = used.into_iter().map(|column| vec![column]);
        for columns in cells.chain(Some(others).filter(|others| !others.is_empty())) {
            let raws = self.readers.map(|reader| if reader.column == columns[0] { 1.0 } else { 0.0 });
            let codes = columns.into_iter().map(position).collect();
            self.special.push(SpecialCell { codes, ..SpecialCell::new(raws.map(|raw| Reading::Number(*raw)), raws) });
        }
    }

    /// The values of each column in some cells.
    pub(super) fn values_of_columns(&self, cells: &Cells) -> OneOrTwo<Domain> {
        let chosen = cells.special.iter().flat_map(|cell| &self.special[*cell as usize].codes);
        let chosen: Vec<usize> = chosen.map(|column| *column as usize).collect();
        self.readers.map(|reader| Domain::of_column(reader.column, &chosen))
    }

    /// The feature whose being 1 is nearest to a row, in a cell of a group, and true if it is another than the row's. For
    /// questions about one model.
    pub(in crate::problem) fn nearest_column(&self, cell: u32, row: &[f64]) -> Option<(usize, bool)> {
        let special = self.is_group.then(|| &self.special[cell as usize])?;
        let features = special.codes.iter().map(|column| self.readers[*column as usize].feature);
        let own = features.clone().find(|feature| row[*feature] == 1.0);
        own.map(|feature| (feature, false)).or_else(|| features.map(|feature| (feature, true)).next())
    }
}

impl CutPoints {
    /// True if 0 and 1 may lead to different leaves.
    fn tells_numbers_apart(&self) -> bool {
        self.has_zero_rule || !(self.cuts.is_empty() && self.values.is_empty() && self.marks.is_empty())
    }
}
