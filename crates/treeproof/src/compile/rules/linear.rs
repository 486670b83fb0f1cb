//! One sum that is compared with a constant, over cells.
//!
//! The least that a sum can be in some cells is the sum of ends of these cells, which are values themselves. So whether some
//! values of the cells of a point meet an inequality is decided exactly.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_search::{Axis, Points};

use crate::compile::cells::AxisCells;
use crate::language::Relation;

/// `Σ coefficient · value` below a constant, or at most a constant.
#[derive(Debug)]
pub(in crate::compile) struct LinearRule {
    terms: Vec<Term>,
    relation: Relation,
    constant: Exact,
    /// The constant, rounded up.
    ceiling: f64,
}

/// What one axis adds.
#[derive(Debug)]
struct Term {
    axis: usize,
    shape: Axis,
    /// What its value is multiplied by; none of a group, whose cells say what its columns add.
    coefficient: Option<Exact>,
    /// For each cell the end that adds least; none where there are no numbers, which meet no inequality.
    ends: Vec<Option<End>>,
}

#[derive(Debug)]
struct End {
    raw: f64,
    adds: Exact,
    /// The same, rounded down.
    floor: f64,
}

impl LinearRule {
    /// Terms are axes with the coefficients of their columns, each with its reader.
    pub(super) fn new(
        axes: &[AxisCells],
        terms: BTreeMap<usize, Vec<(Exact, usize)>>,
        relation: Relation,
        constant: &Exact,
    ) -> Self {
        let term = |(axis, columns): (usize, Vec<(Exact, usize)>)| {
            let (cells, shape) = (&axes[axis], axes[axis].shape());
            let end = |cell: u32| {
                let (mut raw, mut adds) = (f64::NAN, Exact::zero());
                for (coefficient, reader) in &columns {
                    let (least, greatest) = cells.number_ends(cell, *reader)?;
                    raw = if *coefficient > Exact::zero() { least } else { greatest };
                    adds = adds.plus(&coefficient.times(&Exact::from_f64(raw)?));
                }
                Some(End { raw, floor: adds.floor_f64(), adds })
            };
            let ends = (0..shape.num_cells()).map(end).collect();
            let coefficient = columns.first().map(|(coefficient, _)| coefficient.clone());
            Term { axis, shape, coefficient: coefficient.filter(|_| !cells.is_group()), ends }
        };
        Self {
            terms: terms.into_iter().map(term).collect(),
            relation,
            constant: constant.clone(),
            ceiling: constant.ceil_f64(),
        }
    }

    /// Whether it is seen that no point meets it.
    pub(super) fn is_impossible(&self, points: &Points<'_>) -> bool {
        self.rest(points, None).is_none_or(|least| least > self.ceiling)
    }

    /// Removes cells that are too large even if all others add the least they can.
    pub(super) fn demand(&self, points: &mut Points<'_>) {
        for term in &self.terms {
            let Some(rest) = self.rest(points, Some(term.axis)) else { return points.clear() };
            let is_possible = |end: &End| {
                let least = (rest + end.floor).next_down();
                // What overflows both ways says nothing.
                least.is_nan() || least <= self.ceiling
            };
            points.retain(term.axis, |cell| term.ends[cell as usize].as_ref().is_some_and(is_possible));
        }
    }

    /// What all axes but one add at least, rounded down. None if one has no numbers.
    fn rest(&self, points: &Points<'_>, without: Option<usize>) -> Option<f64> {
        let terms = self.terms.iter().filter(|term| Some(term.axis) != without);
        terms.map(|term| term.least(points)).try_fold(0.0, |sum: f64, least| Some((sum + least?).next_down()))
    }

    /// Whether some values of the cells of a point meet it.
    pub(super) fn is_met(&self, point: &[u32]) -> bool {
        let ends = self.terms.iter().map(|term| term.ends[point[term.axis] as usize].as_ref());
        let sum = ends.map(|end| end.map(|end| &end.adds)).try_fold(Exact::zero(), |sum, adds| Some(sum.plus(adds?)));
        sum.is_some_and(|sum| self.relation.holds(&sum, &self.constant))
    }

    /// Moves raw values, one for each axis, within the cells of a point that meets it until they do.
    pub(super) fn realise(&self, point: &[u32], raws: &mut [f64]) {
        for term in self.terms.iter().filter(|term| term.coefficient.is_some()) {
            if self.holds(point, raws) {
                return;
            }
            if let Some(end) = &term.ends[point[term.axis] as usize] {
                raws[term.axis] = end.raw;
            }
        }
    }

    fn holds(&self, point: &[u32], raws: &[f64]) -> bool {
        let adds = self.terms.iter().map(|term| match &term.coefficient {
            Some(coefficient) => Some(coefficient.times(&Exact::from_f64(raws[term.axis])?)),
            None => term.ends[point[term.axis] as usize].as_ref().map(|end| end.adds.clone()),
        });
        let sum = adds.into_iter().try_fold(Exact::zero(), |sum, adds| Some(sum.plus(&adds?)));
        sum.is_some_and(|sum| self.relation.holds(&sum, &self.constant))
    }
}

impl Term {
    /// The least that the cells of some points add, rounded down. None if they have no numbers.
    fn least(&self, points: &Points<'_>) -> Option<f64> {
        let floor = |cell: u32| self.ends[cell as usize].as_ref().map(|end| end.floor);
        let mut ordered = points.ordered(self.axis);
        // Ordered cells ascend; those at the ends may hold infinities.
        let ordered = match self.coefficient.as_ref().is_some_and(|coefficient| *coefficient > Exact::zero()) {
            true => ordered.find_map(floor),
            false => ordered.rev().find_map(floor),
        };
        let special = (self.shape.special > 0).then(|| points.special(self.axis).filter_map(floor));
        ordered.into_iter().chain(special.into_iter().flatten()).reduce(f64::min)
    }
}
