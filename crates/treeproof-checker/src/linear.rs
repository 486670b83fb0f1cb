//! Sums of features over boxes of cells: the least and the greatest that they can be, in exact numbers.
//!
//! A sum with a value that is missing or infinite compares with nothing, so such values meet no condition on sums.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::condition::{Relation, Variable};

use crate::numbers::Range;
use crate::region::CellSet;
use crate::space::cell_values::CellValues;
use crate::space::grid::Grid;

/// From the least to the greatest number.
pub(crate) type Ends = (Exact, Exact);

/// `Σ coefficient · feature`, axis by axis.
#[derive(Debug)]
pub(crate) struct LinearForm<'a> {
    grid: &'a Grid<'a>,
    /// Per axis the coefficients of its features: of one, or of the columns of a group.
    axes: BTreeMap<usize, BTreeMap<usize, Exact>>,
    /// Features without an axis.
    free: BTreeMap<Variable, (Exact, &'a CellValues)>,
}

impl<'a> LinearForm<'a> {
    pub(crate) fn new<'t>(grid: &'a Grid<'a>, terms: impl Iterator<Item = (Exact, &'t Variable)>) -> Self {
        let mut sum = Self { grid, axes: BTreeMap::new(), free: BTreeMap::new() };
        for (coefficient, variable) in terms {
            let (input, feature) = (variable.input as usize, variable.feature as usize);
            let known = match grid.axis_of(input, feature) {
                Some(axis) => sum.axes.entry(axis).or_default().entry(feature).or_insert_with(Exact::zero),
                None => &mut sum.free.entry(*variable).or_insert_with(|| (Exact::zero(), grid.free(input, feature))).0,
            };
            *known = known.plus(&coefficient).reduced();
        }
        sum
    }

    /// The axes of its features.
    pub(crate) fn axes(&self) -> Vec<usize> {
        self.axes.keys().copied().collect()
    }

    /// What a cell of an axis adds; none where it has no finite number.
    pub(crate) fn of_cell(&self, axis: usize, cell: u32) -> Option<Ends> {
        let coefficients = &self.axes[&axis];
        match self.grid.columns(axis, cell) {
            Some(columns) => {
                let adds = |feature: &usize| coefficients.get(feature).cloned().unwrap_or_else(Exact::zero);
                let adds = columns.iter().map(|feature| (adds(feature), adds(feature)));
                adds.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
            }
            None => {
                let (feature, coefficient) = coefficients.first_key_value()?;
                scaled(coefficient, self.grid.cell_values(axis, cell, *feature).finite?)
            }
        }
    }

    /// What some cells of an axis add; none where they have no finite number.
    pub(crate) fn of_cells(&self, axis: usize, cells: &CellSet) -> Option<Ends> {
        let of_cell = |cell: u32| self.of_cell(axis, cell);
        // Ordered cells ascend, so those at the ends, and the special ones, have the least and the greatest.
        let first = cells.ordered().find_map(of_cell);
        let last = cells.ordered().rev().find_map(of_cell);
        let all = first.into_iter().chain(last).chain(cells.special().filter_map(of_cell));
        all.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// What all add together in some cells; none where there are no finite numbers. Of some features it may be known between which
    /// numbers they are, if there are any.
    pub(crate) fn ends<'c>(
        &self,
        cells: impl Fn(usize) -> &'c CellSet,
        known: impl Fn(Variable) -> Option<Option<Range>>,
    ) -> Option<Ends> {
        let mut sum = (Exact::zero(), Exact::zero());
        for (variable, (coefficient, held)) in &self.free {
            sum = plus(&sum, &scaled(coefficient, known(*variable).unwrap_or(held.finite)?)?);
        }
        for (axis, coefficients) in &self.axes {
            let own = match coefficients.first_key_value() {
                Some((feature, coefficient)) if !self.grid.is_group(*axis) => {
                    let input = usize::from(self.grid.axis_of(0, *feature) != Some(*axis));
                    let known = known(self.grid.variable(input, *feature));
                    known.map(|range| scaled(coefficient, range?))
                }
                _ => None,
            };
            sum = plus(&sum, &own.unwrap_or_else(|| self.of_cells(*axis, cells(*axis)))?);
        }
        Some(sum)
    }
}

/// The sum of two pairs of ends.
pub(crate) fn plus(one: &Ends, other: &Ends) -> Ends {
    (one.0.plus(&other.0), one.1.plus(&other.1))
}

fn scaled(coefficient: &Exact, (low, high): Range) -> Option<Ends> {
    let (low, high) = (coefficient.times(&Exact::from_f64(low)?), coefficient.times(&Exact::from_f64(high)?));
    Some(if low <= high { (low, high) } else { (high, low) })
}

/// True if a sum between two ends may compare so with a constant.
pub(crate) fn may_hold(relation: Relation, (least, most): &Ends, constant: &Exact) -> bool {
    match relation {
        Relation::Equal => least <= constant && constant <= most,
        relation => relation.holds(least, constant),
    }
}
