//! Cells of a group of columns: which of them is the one that is 1.

use treeproof_ensemble::input::Reading;
use treeproof_search::Cells;

use super::{AxisCells, CutPoints, SpecialCell};
use crate::problem::one_or_two::OneOrTwo;
use crate::problem::{ConfigurationValues, Interval, position};

impl AxisCells {
    /// A cell for each column that somebody looks at, and one for all others.
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
    pub(super) fn values_of_columns(&self, cells: &Cells) -> OneOrTwo<ConfigurationValues> {
        let chosen = cells.special.iter().flat_map(|cell| &self.special[*cell as usize].codes);
        let chosen: Vec<usize> = chosen.map(|column| *column as usize).collect();
        self.readers.map(|reader| {
            let may_be_0 = chosen.iter().any(|column| *column != reader.column);
            let may_be_1 = chosen.contains(&reader.column);
            let numbers = [(may_be_0, 0.0), (may_be_1, 1.0)].into_iter().filter(|(may_be, _)| *may_be);
            let intervals = numbers.map(|(_, number)| Interval::point(number)).collect();
            ConfigurationValues::Numbers { intervals, steps: vec![], missing: false }
        })
    }

    /// Of questions about one model: the feature whose being 1 is nearest to a row, in a cell of a group, and whether that is
    /// another than the row's.
    pub(in crate::problem) fn nearest_column(&self, cell: u32, row: &[f64]) -> Option<(usize, bool)> {
        let special = self.is_group.then(|| &self.special[cell as usize])?;
        let features = special.codes.iter().map(|column| self.readers[*column as usize].feature);
        let own = features.clone().find(|feature| row[*feature] == 1.0);
        own.map(|feature| (feature, false)).or_else(|| features.map(|feature| (feature, true)).next())
    }
}

impl CutPoints {
    /// Whether 0 and 1 may lead to different ends.
    fn tells_numbers_apart(&self) -> bool {
        self.has_zero_rule || !(self.cuts.is_empty() && self.values.is_empty() && self.marks.is_empty())
    }
}
