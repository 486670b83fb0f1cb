//! Sums of features over boxes of cells: the least and the greatest that they can be, in exact numbers.
//!
//! A sum with a value that is missing or infinite compares with nothing, so such values meet no condition on sums.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;

use crate::condition::{Relation, Variable};
use crate::grid::Grid;
use crate::held::Held;
use crate::region::CellSet;

/// From the least to the greatest number.
type Ends = (Exact, Exact);

/// `Σ coefficient · feature`, axis by axis.
#[derive(Debug)]
pub(crate) struct Sum<'a> {
    grid: &'a Grid<'a>,
    /// Per axis the coefficients of its features: of one, or of the columns of a group.
    axes: BTreeMap<usize, BTreeMap<usize, Exact>>,
    /// Features without an axis.
    free: BTreeMap<Variable, (Exact, &'a Held)>,
}

impl<'a> Sum<'a> {
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
                scaled(coefficient, self.grid.held(axis, cell, *feature))
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

    /// What features without an axis add; none where one has no finite number.
    pub(crate) fn of_free(&self) -> Option<Ends> {
        let zero = (Exact::zero(), Exact::zero());
        self.free.values().try_fold(zero, |sum, (coefficient, held)| Some(plus(&sum, &scaled(coefficient, held)?)))
    }

    /// What all add together in some cells; none where there are no finite numbers.
    pub(crate) fn ends<'c>(&self, cells: impl Fn(usize) -> &'c CellSet) -> Option<Ends> {
        let of_axis = |sum: Ends, axis: &usize| Some(plus(&sum, &self.of_cells(*axis, cells(*axis))?));
        self.axes.keys().try_fold(self.of_free()?, of_axis)
    }
}

/// The sum of two pairs of ends.
pub(crate) fn plus(one: &Ends, other: &Ends) -> Ends {
    (one.0.plus(&other.0), one.1.plus(&other.1))
}

fn scaled(coefficient: &Exact, held: &Held) -> Option<Ends> {
    let (low, high) = held.finite?;
    let (low, high) = (coefficient.times(&Exact::from_f64(low)?), coefficient.times(&Exact::from_f64(high)?));
    Some(if low <= high { (low, high) } else { (high, low) })
}

impl Relation {
    /// Whether a sum lies so to a number.
    pub fn holds(self, sum: &Exact, constant: &Exact) -> bool {
        match self {
            Self::Below => sum < constant,
            Self::AtMost => sum <= constant,
            Self::Equal => sum == constant,
        }
    }

    /// Whether some number between two may lie so to another.
    pub(crate) fn may_hold(self, (least, most): &Ends, constant: &Exact) -> bool {
        match self {
            Self::Equal => least <= constant && constant <= most,
            relation => relation.holds(least, constant),
        }
    }
}
