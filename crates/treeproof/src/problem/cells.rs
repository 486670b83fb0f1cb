//! Cells: the values of a coordinate that no split of the models tells apart.
//!
//! The law kept here: every raw value of the domain is in one cell, every cell has such a value, and a split sends all of a
//! cell to one side.

mod build;
mod cell_values;
mod columns;
mod number_line;
mod representative;

use std::ops::Range;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{InputRules, Reading};
use treeproof_ensemble::tree::Test;
use treeproof_ensemble::values::ValueSet;
use treeproof_search::Axis;

pub(super) use self::cell_values::CellValues;
pub(super) use self::number_line::cut as raw_cut;
use self::number_line::{NumberLine, OrderedCell};
use super::one_or_two::OneOrTwo;

/// The cells of one coordinate.
#[derive(Debug)]
pub(super) struct AxisPartition {
    /// The place of the feature among all, or of the first column of a group.
    pub(super) place: usize,
    /// The inputs whose coordinate it is.
    pub(super) inputs: Range<usize>,
    /// The models that read it, column by column.
    pub(super) readers: OneOrTwo<AxisReader>,
    /// The input rules of the first reader.
    input: InputRules,
    is_category: bool,
    /// True for a group of columns, whose cells are special: each says which column is 1.
    is_group: bool,
    /// The ordered cells, ascending, and the line on which they lie.
    line: Option<NumberLine>,
    spans: Vec<OrderedCell>,
    special: Vec<SpecialCell>,
}

/// A model that reads a coordinate.
#[derive(Debug)]
pub(super) struct AxisReader {
    pub(super) model: usize,
    pub(super) feature: usize,
    /// The column of a group.
    pub(super) column: usize,
    /// Readings of the ordered cells, if it compares them: the least number of each.
    seen: Vec<f64>,
}

/// A cell outside the order.
#[derive(Debug)]
struct SpecialCell {
    /// The reading of each reader, and a raw value with that reading.
    readings: OneOrTwo<Reading>,
    raws: OneOrTwo<f64>,
    /// Categories of the cell in the first reader's codes, or the columns of a group any of which is 1; the first is the
    /// one in `readings`.
    codes: Vec<u32>,
    /// The least and the greatest number of the cell, where it has numbers.
    ends: Option<(f64, f64)>,
}

/// The cuts that the reachable splits of one model and conditions make in a coordinate.
#[derive(Clone, Debug, Default)]
pub(super) struct CutPoints {
    pub(super) has_zero_rule: bool,
    pub(super) cuts: Vec<f64>,
    pub(super) values: Vec<f64>,
    /// Cuts by conditions: the first raw value of each part.
    pub(super) marks: Vec<f64>,
    pub(super) sets: Vec<Vec<u32>>,
}

impl AxisPartition {
    /// The feature, for questions about one model.
    pub(super) fn feature(&self) -> usize {
        self.readers[0].feature
    }

    /// True for a group of columns, each cell of which says what every column is.
    pub(super) fn is_group(&self) -> bool {
        self.is_group
    }

    /// The feature, or the columns of a group, for questions about one model.
    pub(super) fn features(&self) -> OneOrTwo<usize> {
        self.readers.map(|reader| reader.feature)
    }

    pub(super) fn shape(&self) -> Axis {
        Axis { ordered: super::position(self.spans.len()), special: super::position(self.special.len()) }
    }

    /// Number of ordered cells left of a reader's threshold. A cell lies on one side of it, so any member tells which.
    pub(super) fn cut(&self, reader: usize, test: Test) -> u32 {
        let left = match test {
            Test::Below(threshold) => self.readers[reader].seen.partition_point(|seen| *seen < threshold),
            Test::Present => self.spans.len(),
            // Members of the set are special cells; the ordered ones hold only others.
            Test::OneOf(_) | Test::InSet(_) => 0,
        };
        super::position(left)
    }

    /// The special cells with a reading for which this holds.
    pub(super) fn special_where(&self, reader: usize, holds: impl Fn(Reading) -> bool) -> Vec<u32> {
        let holds = |(_, special): &(u32, &SpecialCell)| holds(special.readings[reader]);
        (0..).zip(&self.special).filter(holds).map(|(cell, _)| cell).collect()
    }

    /// A raw value in a cell for each reader, one that is easy to read where there is one.
    pub(super) fn raws(&self, cell: u32) -> OneOrTwo<f64> {
        let cell = cell as usize;
        match (self.spans.get(cell), &self.line) {
            (Some(span), Some(line)) => {
                let raw = representative::raw(line, span, self.input.precision);
                self.readers.map(|_| raw)
            }
            _ => self.special[cell - self.spans.len()].raws.clone(),
        }
    }

    /// The raw values of a cell that may be nearest to a value that the first reader reads so: at most one on either side.
    pub(super) fn next_to(&self, cell: u32, raw: f64, reading: Reading) -> Vec<f64> {
        let special = (cell as usize).checked_sub(self.spans.len()).map(|place| &self.special[place]);
        let is_number = matches!(reading, Reading::Number(_));
        if is_number && special.is_none_or(|special| special.ends.is_some()) {
            return self.around(cell, raw).into_iter().flatten().collect();
        }
        // No value is near to missing: any will do.
        let is_own = special.is_some_and(|special| match reading {
            Reading::Category(code) => special.codes.contains(&code),
            reading => reading == special.readings[0],
        });
        vec![if is_own { raw } else { self.raws(cell)[0] }]
    }

    /// True if all numbers are multiples of a step, as far as their own steps tell.
    pub(super) fn are_multiples_of(&self, step: &Exact) -> bool {
        self.line.as_ref().is_some_and(|line| line.numbers.are_multiples_of(step))
    }

    /// The numbers of a cell next to a number: the greatest at or below it, and the least at or above it.
    pub(super) fn around(&self, cell: u32, number: f64) -> [Option<f64>; 2] {
        if let (Some(span), Some(line)) = (self.spans.get(cell as usize), &self.line) {
            return line.next_to(span, number);
        }
        let (Some(line), Some((least, greatest))) = (&self.line, self.ends(cell)) else { return [None; 2] };
        let below = line.numbers.at_or_below(number.min(greatest)).filter(|found| *found >= least);
        let above = line.numbers.at_or_above(number.max(least)).filter(|found| *found <= greatest);
        [below, above]
    }

    /// True if the values of a cell, in a reader's codes, are in a set. Cells are cut so that any value tells.
    pub(super) fn is_among(&self, cell: u32, reader: usize, values: &ValueSet) -> bool {
        match self.spans.get(cell as usize) {
            Some(span) => values.contains(span.member, Reading::Number(span.member)),
            None => {
                let special = &self.special[cell as usize - self.spans.len()];
                values.contains(special.raws[reader], special.readings[reader])
            }
        }
    }

    /// The least and the greatest number of a cell, where it has numbers.
    pub(super) fn ends(&self, cell: u32) -> Option<(f64, f64)> {
        let cell = cell as usize;
        match (self.spans.get(cell), &self.line) {
            (Some(span), Some(line)) => Some((span.member, line.greatest(span))),
            _ => self.special[cell - self.spans.len()].ends,
        }
    }

    /// The least and the greatest number of a cell as a reader has them; `None` if it reads them as missing.
    pub(super) fn number_ends(&self, cell: u32, reader: usize) -> Option<(f64, f64)> {
        let special = (cell as usize).checked_sub(self.spans.len()).map(|special| &self.special[special]);
        if let Some(special) = special.filter(|_| self.is_group) {
            return Some((special.raws[reader], special.raws[reader]));
        }
        let is_missing = special.is_some_and(|special| special.readings[0] == Reading::Missing);
        self.ends(cell).filter(|_| !is_missing)
    }
}

impl SpecialCell {
    fn new(readings: OneOrTwo<Reading>, raws: OneOrTwo<f64>) -> Self {
        Self { readings, raws, codes: vec![], ends: None }
    }
}
