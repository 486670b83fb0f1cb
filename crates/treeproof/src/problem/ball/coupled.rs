//! One coupled feature: the costs of its cells at two inputs.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::Range;

use super::Ball;
use crate::problem::cells::{AxisPartition, CellValues};
use crate::problem::domain::raw_category;
use crate::problem::rename::CoordinateReader;

/// A feature that may differ between two inputs.
#[derive(Debug)]
pub(in crate::problem) struct CoupledFeature {
    /// Its axis at each input.
    pub(super) axes: [usize; 2],
    /// The axis whose second cell says that the feature changes, where changes are counted.
    pub(super) selector: Option<usize>,
    /// Factor on the distance between two numbers, or on a change where changes are counted.
    pub(super) factor: f64,
    /// Factor on any other change.
    weight: f64,
    /// True if values matter besides their cells.
    pub(super) is_valued: bool,
    /// The cells of the first input and of the second.
    pub(super) cells: [Vec<CoupledCell>; 2],
    is_counted: bool,
    /// A raw value for each category.
    raws: Vec<(u32, f64)>,
    /// Cost of a difference other than between numbers, before the factor; `None` if it is not admissible.
    missing_cost: Option<f64>,
    category_cost: Option<f64>,
}

/// A cell of a coupled feature.
#[derive(Debug)]
pub(super) struct CoupledCell {
    pub(super) contents: CellValues,
    /// The least and the greatest number, if it has numbers.
    ends: Option<(f64, f64)>,
}

/// The values of some cells of one input.
#[derive(Debug, Default)]
pub(super) struct CellSummary {
    /// From the least to the greatest number.
    numbers: Option<(f64, f64)>,
    /// The cells that hold no numbers.
    others: Vec<u32>,
}

impl CoupledFeature {
    pub(super) fn new(ball: &Ball, reader: &CoordinateReader<'_>, axes: [usize; 2], of_axes: &[AxisPartition]) -> Self {
        let feature = reader.index;
        let cell = |contents: CellValues| {
            let ends = match &contents {
                CellValues::Numbers(ranges) => {
                    ranges.first().zip(ranges.last()).map(|(first, last)| (first.low, last.high))
                }
                _ => None,
            };
            CoupledCell { contents, ends }
        };
        let cells: [Vec<CoupledCell>; 2] = axes.map(|axis| {
            let axis = &of_axes[axis];
            (0..axis.shape().num_cells()).map(|place| cell(axis.contents(place))).collect()
        });
        let codes = cells[0].iter().filter_map(|cell| match &cell.contents {
            CellValues::Categories(codes) => Some(codes),
            _ => None,
        });
        let raw = |code: &u32| Some((*code, raw_category(reader.feature(), reader.ensemble.input(), *code)?));
        let raws = codes.flatten().filter_map(raw).collect();
        Self {
            axes,
            selector: None,
            is_valued: false,
            factor: ball.metric.number_factor(feature),
            weight: ball.metric.factors[feature],
            cells,
            raws,
            is_counted: ball.metric.rule().counts_changes,
            missing_cost: ball.missing_cost(feature),
            category_cost: ball.category_cost(),
        }
    }

    /// The values of some cells of an input.
    pub(super) fn summary(
        &self,
        side: usize,
        ordered: std::ops::Range<u32>,
        special: impl Iterator<Item = u32>,
    ) -> CellSummary {
        let cells = &self.cells[side];
        let mut summary = CellSummary::default();
        let ends = |cell: u32| cells[cell as usize].ends;
        if !ordered.is_empty() {
            summary.numbers = ends(ordered.start).zip(ends(ordered.end - 1)).map(|(first, last)| (first.0, last.1));
        }
        for cell in special {
            match (ends(cell), summary.numbers) {
                (Some((first, last)), Some(known)) => summary.numbers = Some((known.0.min(first), known.1.max(last))),
                (Some(ends), None) => summary.numbers = Some(ends),
                (None, _) => summary.others.push(cell),
            }
        }
        summary
    }

    /// Least cost of a cell of the other input next to these, rounded down; infinite if they are not admissible together.
    pub(super) fn least(&self, side: usize, summary: &CellSummary, other: u32) -> f64 {
        let cell = &self.cells[1 - side][other as usize];
        let numbers = summary.numbers.map(|numbers| match cell.ends {
            Some(ends) => self.rounded(numbers, ends),
            None if cell.contents == CellValues::Missing => self.price(self.missing_cost),
            None => f64::INFINITY,
        });
        let others = summary.others.iter().map(|own| self.price(self.jump(&self.cells[side][*own as usize], cell)));
        others.chain(numbers).fold(f64::INFINITY, f64::min)
    }

    /// Least cost of some cells of both inputs, rounded down.
    pub(super) fn least_of(&self, summaries: [&CellSummary; 2]) -> f64 {
        let [first, second] = summaries;
        let numbers = first.numbers.zip(second.numbers).map(|(one, other)| self.rounded(one, other));
        let others = second.others.iter().map(|cell| self.least(0, first, *cell));
        let more = first.others.iter().map(|cell| self.least(1, second, *cell));
        others.chain(more).chain(numbers).fold(f64::INFINITY, f64::min)
    }

    /// Least cost between two ranges of numbers, rounded down.
    fn rounded(&self, one: (f64, f64), other: (f64, f64)) -> f64 {
        let apart = (other.0 - one.1).max(one.0 - other.1);
        match () {
            () if apart <= 0.0 || self.factor == 0.0 => 0.0,
            () if self.is_counted => self.factor,
            () => (apart.next_down() * self.factor).next_down().max(0.0),
        }
    }

    /// Cost of a change between two cells of which one at least has no numbers, before the factor; `None` if they are not
    /// admissible together.
    fn jump(&self, one: &CoupledCell, other: &CoupledCell) -> Option<f64> {
        match (&one.contents, &other.contents) {
            (CellValues::Missing, CellValues::Missing) | (CellValues::Unknown, CellValues::Unknown) => Some(0.0),
            (CellValues::Categories(codes), CellValues::Categories(others))
            | (CellValues::Columns(codes), CellValues::Columns(others))
                if codes.iter().any(|code| others.contains(code)) =>
            {
                Some(0.0)
            }
            // Another column is a change of one 0/1 feature.
            (CellValues::Columns(_), _) => Some(1.0),
            (CellValues::Missing, _) | (_, CellValues::Missing) => self.missing_cost,
            _ => self.category_cost,
        }
    }

    fn price(&self, cost: Option<f64>) -> f64 {
        cost.map_or(f64::INFINITY, |cost| (cost * self.weight).next_down().max(0.0))
    }

    /// The nearest numbers of two cells, the first from the first input.
    pub(super) fn nearest_numbers(&self, cells: [u32; 2]) -> Option<[f64; 2]> {
        let [first, second] = [0, 1].map(|side| &self.cells[side][cells[side] as usize].contents);
        let (CellValues::Numbers(first), CellValues::Numbers(second)) = (first, second) else { return None };
        let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
        let nearest = |(one, other): (&Range, &Range)| match () {
            () if one.high < other.low => [one.high, other.low],
            () if other.high < one.low => [one.low, other.high],
            // On one grid both ends are multiples.
            () => [one.low.max(other.low); 2],
        };
        // No number is near to an infinite one.
        let apart = |pair: &[f64; 2]| match (Exact::from_f64(pair[0]), Exact::from_f64(pair[1])) {
            (Some(one), Some(other)) => (false, one.minus(&other).magnitude()),
            _ => (pair[0] != pair[1], Exact::zero()),
        };
        pairs.map(nearest).min_by(|one, other| apart(one).cmp(&apart(other)))
    }

    /// True if a cell of an input has numbers.
    pub(super) fn has_numbers(&self, side: usize, cell: u32) -> bool {
        self.cells[side][cell as usize].ends.is_some()
    }

    /// A category that is in both cells.
    pub(super) fn common_category(&self, cells: [u32; 2]) -> Option<u32> {
        let [first, second] = [0, 1].map(|side| &self.cells[side][cells[side] as usize].contents);
        let (CellValues::Categories(first), CellValues::Categories(second)) = (first, second) else { return None };
        first.iter().copied().find(|code| second.contains(code))
    }

    /// True if it is a group of columns.
    pub(super) fn is_group(&self) -> bool {
        matches!(self.cells[0].first(), Some(CoupledCell { contents: CellValues::Columns(_), .. }))
    }

    /// A raw value that is read as a category.
    pub(super) fn raw_of(&self, code: u32) -> Option<f64> {
        self.raws.iter().find(|(known, _)| *known == code).map(|(_, raw)| *raw)
    }

    /// True if a number of the first input's is in a cell of the other.
    pub(super) fn has_number(&self, side: usize, cell: u32, number: f64) -> bool {
        let CellValues::Numbers(ranges) = &self.cells[side][cell as usize].contents else { return false };
        ranges.iter().any(|range| (range.low..=range.high).contains(&number))
    }

    /// Least cost of two cells, for L2 before it is squared, rounded down and up; `None` if they are not admissible
    /// together.
    pub(super) fn bounds(&self, cells: [u32; 2]) -> Option<(f64, f64)> {
        let (low, high, factor) = match self.nearest_numbers(cells) {
            Some([one, other]) if one == other => return Some((0.0, 0.0)),
            Some(_) if self.is_counted => return Some((self.factor, self.factor)),
            Some([one, other]) if one.is_infinite() || other.is_infinite() => return None,
            Some(_) if self.factor == 0.0 => return Some((0.0, 0.0)),
            Some([one, other]) => ((one - other).abs().next_down(), (one - other).abs().next_up(), self.factor),
            None => {
                let [one, other] = [0, 1].map(|side| &self.cells[side][cells[side] as usize]);
                let cost = self.jump(one, other)?;
                if cost == 0.0 {
                    return Some((0.0, 0.0));
                }
                (cost, cost, self.weight)
            }
        };
        Some(((low * factor).next_down().max(0.0), (high * factor).next_up()))
    }

    /// Least cost of two cells, for L2 before it is squared; `None` if they are not admissible together.
    pub(super) fn exact(&self, cells: [u32; 2]) -> Option<Exact> {
        let (along, factor) = match self.nearest_numbers(cells) {
            Some([one, other]) if one == other => return Some(Exact::zero()),
            Some(_) if self.is_counted => (Exact::one(), self.factor),
            Some([one, other]) => (Exact::from_f64(one)?.minus(&Exact::from_f64(other)?).magnitude(), self.factor),
            None => {
                let [one, other] = [0, 1].map(|side| &self.cells[side][cells[side] as usize]);
                (Exact::from_f64(self.jump(one, other)?)?, self.weight)
            }
        };
        Some(along.times(&Exact::from_f64(factor)?))
    }
}
