//! The values of one cell and of several, and their corners.

use treeproof_ensemble::input::Reading;
use treeproof_ensemble::values::Range;
use treeproof_search::{Axis, Cells};

use super::AxisPartition;
use super::number_line::NumberStretch;
use crate::problem::domain::Domain;
use crate::problem::number_set::NumberSet;
use crate::problem::one_or_two::OneOrTwo;
use crate::problem::position;

/// The values of a cell, in the first reader's codes.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::problem) enum CellValues {
    /// Numbers: ascending ranges with both ends in the cell. Of a grid, only the multiples between them are.
    Numbers(Vec<Range>),
    /// Categories, by code.
    Categories(Vec<u32>),
    /// The columns of a group that may be the one that is 1.
    Columns(Vec<u32>),
    /// A value that is no category.
    Unknown,
    /// Missing.
    Missing,
}

impl AxisPartition {
    /// The values of a cell.
    pub(in crate::problem) fn contents(&self, cell: u32) -> CellValues {
        if let (Some(line), Some(span)) = (&self.line, self.spans.get(cell as usize)) {
            return CellValues::Numbers(line.ranges(&span.stretch));
        }
        let special = &self.special[cell as usize - self.spans.len()];
        match (special.readings[0], &self.line, special.ends) {
            _ if self.is_group => CellValues::Columns(special.codes.clone()),
            (Reading::Missing, ..) => CellValues::Missing,
            (Reading::NoCategory, ..) => CellValues::Unknown,
            (Reading::Category(_), ..) => CellValues::Categories(special.codes.clone()),
            (Reading::Number(_), Some(line), Some((low, high))) => {
                let numbers = line.numbers.within(low, high).without(self.read_as_missing());
                CellValues::Numbers(numbers.ranges().to_vec())
            }
            (Reading::Number(_), ..) => unreachable!("numbers that are set apart are on a line"),
        }
    }

    /// The doubles that the first reader reads as missing.
    fn read_as_missing(&self) -> Option<Range> {
        let stretch = self.input.missing_value.and_then(|value| NumberStretch::read_as(&self.input, value));
        stretch.as_ref().map(NumberStretch::range)
    }

    /// All cells.
    pub(in crate::problem) fn all(&self) -> Cells {
        let Axis { ordered, special } = self.shape();
        Cells { ordered: 0..ordered, special: (0..special).collect() }
    }

    /// The values in some cells, in the first reader's codes; of a group, those of each reader.
    pub(in crate::problem) fn values(&self, cells: &Cells) -> OneOrTwo<Domain> {
        match self.is_group {
            true => self.values_of_columns(cells),
            false => OneOrTwo::One([self.values_of_feature(cells)]),
        }
    }

    fn values_of_feature(&self, cells: &Cells) -> Domain {
        let chosen = |special: &usize| cells.special.binary_search(&position(*special)).is_ok();
        let chosen: Vec<usize> = (0..self.special.len()).filter(chosen).collect();
        let has = |reading: Reading| chosen.iter().any(|special| self.special[*special].readings[0] == reading);
        let missing = has(Reading::Missing);
        if self.is_category {
            let mut codes: Vec<u32> = chosen.iter().flat_map(|special| self.special[*special].codes.clone()).collect();
            codes.sort_unstable();
            return Domain::Categories { codes, unknown: has(Reading::NoCategory), missing };
        }
        let Some(line) = &self.line else {
            return Domain::Numbers { numbers: NumberSet::none(), missing };
        };
        let spans = &self.spans[cells.ordered.start as usize..cells.ordered.end as usize];
        let mut ranges = match spans.first().zip(spans.last()) {
            Some((first, last)) => line.ranges(&NumberStretch { end: last.stretch.end, ..first.stretch }),
            None => vec![],
        };
        for special in &chosen {
            if let CellValues::Numbers(own) = self.contents(position(self.spans.len() + special)) {
                ranges.extend(own);
            }
        }
        if let Some(Range { low, high }) = self.read_as_missing().filter(|_| missing) {
            ranges.extend(line.numbers.within(low, high).ranges());
        }
        let ranges = line.joined(ranges);
        Domain::Numbers { numbers: line.numbers.subset(ranges), missing }
    }

    /// A raw value for each reader at an end of some cells: the first and least, or the last and greatest; special ones
    /// come last.
    pub(in crate::problem) fn corner(&self, cells: &Cells, is_last: bool) -> OneOrTwo<f64> {
        let spans = &self.spans[cells.ordered.start as usize..cells.ordered.end as usize];
        let special = |cell: &u32| self.special[*cell as usize].raws.clone();
        let of_line = self.line.as_ref().and_then(|line| match is_last {
            false => spans.first().map(|span| span.member),
            true => spans.last().map(|span| line.greatest(span)),
        });
        let of_line = of_line.map(|raw| self.readers.map(|_| raw));
        let found = match is_last {
            false => of_line.or_else(|| cells.special.first().map(special)),
            true => cells.special.last().map(special).or(of_line),
        };
        found.expect("a configuration has cells of every axis")
    }
}
