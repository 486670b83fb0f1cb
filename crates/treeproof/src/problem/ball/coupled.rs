//! One feature at two inputs: what its cells cost together.

use std::ops::Range;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::norm::Norm;

use super::Ball;
use crate::problem::cells::{AxisCells, CellValues};
use crate::problem::domain::raw_category;
use crate::problem::rename::CoordinateReader;

/// A feature that may differ between two inputs.
#[derive(Debug)]
pub(in crate::problem) struct CoupledFeature {
    /// Its axis at each input.
    pub(super) axes: [usize; 2],
    /// Where changes are counted: the axis whose second cell says that it changes.
    pub(super) selector: Option<usize>,
    /// Factor on the distance between two numbers, or on a change where changes are counted.
    pub(super) factor: f64,
    /// Factor on any other change.
    weight: f64,
    /// Whether values matter beside their cells.
    pub(super) is_valued: bool,
    /// Of the first input's cells and of the second's.
    pub(super) cells: [Vec<CoupledCell>; 2],
    is_counted: bool,
    /// A raw value for each category.
    raws: Vec<(u32, f64)>,
    /// What it costs to differ in more than a number: before the factor, and none if it may not.
    missing_cost: Option<f64>,
    category_cost: Option<f64>,
}

/// A cell.
#[derive(Debug)]
pub(super) struct CoupledCell {
    pub(super) contents: CellValues,
    /// The least and the greatest number, if it has numbers.
    ends: Option<(f64, f64)>,
}

/// What some cells of one input have.
#[derive(Debug, Default)]
pub(super) struct CellSummary {
    /// From the least to the greatest number.
    numbers: Option<(f64, f64)>,
    /// The cells that hold no numbers.
    others: Vec<u32>,
}

impl CoupledFeature {
    pub(super) fn new(ball: &Ball, reader: &CoordinateReader<'_>, axes: [usize; 2], of_axes: &[AxisCells]) -> Self {
        let feature = reader.index;
        let cell = |contents: CellValues| {
            let ends = match &contents {
                CellValues::Numbers(ranges) => ranges.first().zip(ranges.last()).map(|(first, last)| (first.0, last.1)),
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
            is_counted: ball.metric.norm == Norm::L0,
            missing_cost: ball.missing_cost(feature),
            category_cost: ball.category_cost(),
        }
    }

    /// What some cells of an input have.
    pub(super) fn summary(&self, side: usize, ordered: Range<u32>, special: impl Iterator<Item = u32>) -> CellSummary {
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

    /// The least that a cell of the other input costs beside these, rounded down; infinite if they do not go together.
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

    /// The least that some cells of both inputs cost, rounded down.
    pub(super) fn least_of(&self, summaries: [&CellSummary; 2]) -> f64 {
        let [first, second] = summaries;
        let numbers = first.numbers.zip(second.numbers).map(|(one, other)| self.rounded(one, other));
        let others = second.others.iter().map(|cell| self.least(0, first, *cell));
        let more = first.others.iter().map(|cell| self.least(1, second, *cell));
        others.chain(more).chain(numbers).fold(f64::INFINITY, f64::min)
    }

    /// What it costs at least to be in one range of numbers and in another, rounded down.
    fn rounded(&self, one: (f64, f64), other: (f64, f64)) -> f64 {
        let apart = (other.0 - one.1).max(one.0 - other.1);
        match () {
            () if apart <= 0.0 || self.factor == 0.0 => 0.0,
            () if self.is_counted => self.factor,
            () => (apart.next_down() * self.factor).next_down().max(0.0),
        }
    }

    /// What it costs to change between two cells of which one at least has no numbers, before the factor; none if they
    /// do not go together.
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

    /// The numbers of two cells that are nearest to each other, of which the first is from the first input.
    pub(super) fn nearest_numbers(&self, cells: [u32; 2]) -> Option<[f64; 2]> {
        let [first, second] = [0, 1].map(|side| &self.cells[side][cells[side] as usize].contents);
        let (CellValues::Numbers(first), CellValues::Numbers(second)) = (first, second) else { return None };
        let pairs = first.iter().flat_map(|one| second.iter().map(move |other| (one, other)));
        let nearest = |(one, other): (&(f64, f64), &(f64, f64))| match () {
            () if one.1 < other.0 => [one.1, other.0],
            () if other.1 < one.0 => [one.0, other.1],
            // On one grid both ends are multiples.
            () => [one.0.max(other.0); 2],
        };
        // No number is near to an infinite one.
        let apart = |pair: &[f64; 2]| match (Exact::from_f64(pair[0]), Exact::from_f64(pair[1])) {
            (Some(one), Some(other)) => (false, one.minus(&other).magnitude()),
            _ => (pair[0] != pair[1], Exact::zero()),
        };
        pairs.map(nearest).min_by(|one, other| apart(one).cmp(&apart(other)))
    }

    /// Whether a cell of an input has numbers.
    pub(super) fn has_numbers(&self, side: usize, cell: u32) -> bool {
        self.cells[side][cell as usize].ends.is_some()
    }

    /// A category that is in both cells.
    pub(super) fn common_category(&self, cells: [u32; 2]) -> Option<u32> {
        let [first, second] = [0, 1].map(|side| &self.cells[side][cells[side] as usize].contents);
        let (CellValues::Categories(first), CellValues::Categories(second)) = (first, second) else { return None };
        first.iter().copied().find(|code| second.contains(code))
    }

    /// Whether it is a group of columns.
    pub(super) fn is_group(&self) -> bool {
        matches!(self.cells[0].first(), Some(CoupledCell { contents: CellValues::Columns(_), .. }))
    }

    /// A raw value that is read as a category.
    pub(super) fn raw_of(&self, code: u32) -> Option<f64> {
        self.raws.iter().find(|(known, _)| *known == code).map(|(_, raw)| *raw)
    }

    /// Whether a number of the first input's is in a cell of the other.
    pub(super) fn has_number(&self, side: usize, cell: u32, number: f64) -> bool {
        let CellValues::Numbers(ranges) = &self.cells[side][cell as usize].contents else { return false };
        ranges.iter().any(|(first, last)| (*first..=*last).contains(&number))
    }

    /// What two cells cost at least, for L2 before it is squared, rounded down and up; none if they do not go together.
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

    /// What two cells cost at least, for L2 before it is squared; none if they do not go together.
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
