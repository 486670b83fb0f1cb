//! One linear inequality or equation over cells.
//!
//! The least and the greatest of a sum in some cells are sums of ends of these cells, which are values themselves. So one
//! inequality is decided exactly at a point.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_language::Relation;
use treeproof_search::{Axis, Points};

use crate::problem::cells::AxisPartition;

/// `Σ coefficient · value` compared with a constant.
#[derive(Debug)]
pub(in crate::problem) struct LinearRule {
    terms: Vec<AxisTerm>,
    pub(super) relation: Relation,
    pub(super) constant: Exact,
    /// The constant, rounded down and up.
    floor: f64,
    ceiling: f64,
}

/// The term of one axis.
#[derive(Debug)]
struct AxisTerm {
    axis: usize,
    shape: Axis,
    /// Coefficient of its value; `None` for a group, whose cells say what its columns add.
    coefficient: Option<Exact>,
    /// For each cell its contribution; `None` without finite numbers, as then the sum never holds.
    adds: Vec<Option<Contribution>>,
}

#[derive(Debug)]
struct Contribution {
    least: Exact,
    most: Exact,
    /// The two numbers, rounded down and up.
    floor: f64,
    ceiling: f64,
}

impl LinearRule {
    /// Terms are axes with the coefficients of their columns, each with its reader.
    pub(super) fn new(
        axes: &[AxisPartition],
        terms: BTreeMap<usize, Vec<(Exact, usize)>>,
        relation: Relation,
        constant: &Exact,
    ) -> Self {
        let term = |(axis, columns): (usize, Vec<(Exact, usize)>)| {
            let (cells, shape) = (&axes[axis], axes[axis].shape());
            let adds = |cell: u32| {
                let [mut least, mut most] = [Exact::zero(), Exact::zero()];
                for (coefficient, reader) in &columns {
                    let (low, high) = cells.number_ends(cell, *reader)?;
                    let (low, high) = if *coefficient > Exact::zero() { (low, high) } else { (high, low) };
                    least = least.plus(&coefficient.times(&Exact::from_f64(low)?));
                    most = most.plus(&coefficient.times(&Exact::from_f64(high)?));
                }
                Some(Contribution { floor: least.floor_f64(), ceiling: most.ceil_f64(), least, most })
            };
            let adds = (0..shape.num_cells()).map(adds).collect();
            let coefficient = columns.first().map(|(coefficient, _)| coefficient.clone());
            AxisTerm { axis, shape, coefficient: coefficient.filter(|_| !cells.is_group()), adds }
        };
        Self {
            terms: terms.into_iter().map(term).collect(),
            relation,
            constant: constant.clone(),
            floor: constant.floor_f64(),
            ceiling: constant.ceil_f64(),
        }
    }

    /// The axes whose values matter besides their cells, with their coefficients.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, &Exact)> {
        self.terms.iter().filter_map(|term| Some((term.axis, term.coefficient.as_ref()?)))
    }

    /// The constant at a point, less what groups add there.
    pub(super) fn constant_at(&self, point: &[u32]) -> Exact {
        let groups = self.terms.iter().filter(|term| term.coefficient.is_none());
        let adds = groups.filter_map(|term| term.adds[point[term.axis] as usize].as_ref());
        adds.fold(self.constant.clone(), |constant, adds| constant.minus(&adds.least))
    }

    /// Contributions of groups in some points.
    pub(super) fn groups_in(&self, points: &Points<'_>) -> Vec<[Exact; 2]> {
        let of_term = |term: &AxisTerm| {
            let adds = points.special(term.axis).filter_map(|cell| term.adds[cell as usize].as_ref());
            let ends = adds.map(|adds| (adds.least.clone(), adds.most.clone()));
            let (least, most) = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
            Some([least, most])
        };
        self.terms.iter().filter(|term| term.coefficient.is_none()).filter_map(of_term).collect()
    }

    /// True if certainly no point meets it.
    pub(super) fn is_impossible(&self, points: &Points<'_>) -> bool {
        let is_too_large = self.end(points, None, false).is_none_or(|least| least > self.ceiling);
        is_too_large
            || self.relation == Relation::Equal && self.end(points, None, true).is_none_or(|most| most < self.floor)
    }

    /// Removes cells that are too large even if all others add the least, or too small for an equation.
    pub(super) fn demand(&self, points: &mut Points<'_>) {
        for term in &self.terms {
            let Some(rest) = self.end(points, Some(term.axis), false) else { return points.clear() };
            // A sum that overflows both ways says nothing.
            let is_small = |adds: &Contribution| {
                let least = (rest + adds.floor).next_down();
                least.is_nan() || least <= self.ceiling
            };
            points.retain(term.axis, |cell| term.adds[cell as usize].as_ref().is_some_and(is_small));
            if self.relation == Relation::Equal {
                let Some(rest) = self.end(points, Some(term.axis), true) else { return points.clear() };
                let is_large = |adds: &Contribution| {
                    let most = (rest + adds.ceiling).next_up();
                    most.is_nan() || most >= self.floor
                };
                points.retain(term.axis, |cell| term.adds[cell as usize].as_ref().is_some_and(is_large));
            }
        }
    }

    /// Least contribution of all axes but one, rounded down, or greatest contribution, rounded up. `None` if one has no
    /// numbers.
    fn end(&self, points: &Points<'_>, without: Option<usize>, is_most: bool) -> Option<f64> {
        let terms = self.terms.iter().filter(|term| Some(term.axis) != without);
        terms.map(|term| term.end(points, is_most)).try_fold(0.0, |sum: f64, end| {
            let sum = sum + end?;
            Some(if is_most { sum.next_up() } else { sum.next_down() })
        })
    }

    /// True if all values in the cells of a point meet it, false if none do; `None` if some do, or that is not seen.
    pub(super) fn at(&self, point: &[u32]) -> Option<bool> {
        let adds = || self.terms.iter().map(|term| term.adds[point[term.axis] as usize].as_ref());
        if adds().any(|adds| adds.is_none()) {
            return Some(false);
        }
        let adds = || adds().flatten();
        // Rounded sums mostly decide.
        let floor = adds().fold(0.0, |sum: f64, adds| (sum + adds.floor).next_down());
        let ceiling = adds().fold(0.0, |sum: f64, adds| (sum + adds.ceiling).next_up());
        let is_equation = self.relation == Relation::Equal;
        match () {
            () if floor > self.ceiling || (is_equation && ceiling < self.floor) => return Some(false),
            () if ceiling < self.floor && !is_equation => return Some(true),
            () => {}
        }
        let least = adds().fold(Exact::zero(), |sum, adds| sum.plus(&adds.least));
        let most = adds().fold(Exact::zero(), |sum, adds| sum.plus(&adds.most));
        let (is_all, is_some) = match self.relation {
            Relation::Equal => {
                (least == most && least == self.constant, least <= self.constant && self.constant <= most)
            }
            relation => (relation.holds(&most, &self.constant), relation.holds(&least, &self.constant)),
        };
        if is_all { Some(true) } else { (!is_some).then_some(false) }
    }
}

impl AxisTerm {
    /// Least contribution of the cells of some points, rounded down, or greatest contribution, rounded up. `None` if they
    /// have no numbers.
    fn end(&self, points: &Points<'_>, is_most: bool) -> Option<f64> {
        let rises = self.coefficient.as_ref().is_some_and(|coefficient| *coefficient > Exact::zero());
        let end = |adds: &Contribution| if is_most { adds.ceiling } else { adds.floor };
        let adds = |cell: u32| self.adds[cell as usize].as_ref().map(end);
        let mut ordered = points.ordered(self.axis);
        // Ordered cells ascend; those at the ends may hold infinities.
        let ordered = if rises != is_most { ordered.find_map(adds) } else { ordered.rev().find_map(adds) };
        let special = (self.shape.special > 0).then(|| points.special(self.axis).filter_map(adds));
        let all = ordered.into_iter().chain(special.into_iter().flatten());
        all.reduce(if is_most { f64::max } else { f64::min })
    }
}
