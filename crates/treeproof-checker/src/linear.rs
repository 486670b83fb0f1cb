//! Linear forms over boxes of cells: exact bounds.
//!
//! A sum with a missing or infinite value compares with nothing, so such values meet no linear constraint.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_proof::statement::condition::{Relation, Variable};

use crate::numbers::Range;
use crate::region::CellSet;
use crate::space::cell_values::CellValues;
use crate::space::grid::Grid;

/// The least and the greatest value.
pub(crate) type Ends = (Exact, Exact);

/// A linear form `Σ coefficient · feature`, by axes.
#[derive(Debug)]
pub(crate) struct LinearForm<'a> {
    grid: &'a Grid<'a>,
    /// The coefficients by axis: of one feature, or of the columns of a group.
    axes: BTreeMap<usize, BTreeMap<usize, Exact>>,
    /// The features without an axis.
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

    /// The contribution of a cell; `None` if it has no finite number.
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

    /// The contribution of some cells of an axis; `None` if they have no finite number.
    pub(crate) fn of_cells(&self, axis: usize, cells: &CellSet) -> Option<Ends> {
        let of_cell = |cell: u32| self.of_cell(axis, cell);
        // Ordered cells ascend, so the first, the last and the special ones have the least and the greatest.
        let first = cells.ordered().find_map(of_cell);
        let last = cells.ordered().rev().find_map(of_cell);
        let all = first.into_iter().chain(last).chain(cells.special().filter_map(of_cell));
        all.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))
    }

    /// Bounds on the form in a box; `None` if a feature has no finite number. `known` may give a narrower range of a feature.
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
