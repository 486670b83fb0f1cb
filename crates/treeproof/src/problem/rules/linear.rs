//! One sum that is compared with a constant, over cells.
//!
//! The least and the greatest that a sum can be in some cells are sums of ends of these cells, which are values
//! themselves. So whether some values of the cells of a point meet one inequality is decided exactly.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_language::Relation;
use treeproof_search::{Axis, Points};

use crate::problem::cells::AxisCells;

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

/// What one axis adds.
#[derive(Debug)]
struct AxisTerm {
    axis: usize,
    shape: Axis,
    /// What its value is multiplied by; none of a group, whose cells say what its columns add.
    coefficient: Option<Exact>,
    /// For each cell what it adds at least and at most; none where there are no finite numbers, which meet nothing.
    adds: Vec<Option<Contribution>>,
}

#[derive(Debug)]
struct Contribution {
    least: Exact,
    most: Exact,
    /// The same, rounded down and up.
    floor: f64,
    ceiling: f64,
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

    /// The axes whose values matter beside their cells, and what these are multiplied by.
    pub(super) fn terms(&self) -> impl Iterator<Item = (usize, &Exact)> {
        self.terms.iter().filter_map(|term| Some((term.axis, term.coefficient.as_ref()?)))
    }

    /// What the values of these axes compare with at a point: the constant without what groups add there.
    pub(super) fn constant_at(&self, point: &[u32]) -> Exact {
        let groups = self.terms.iter().filter(|term| term.coefficient.is_none());
        let adds = groups.filter_map(|term| term.adds[point[term.axis] as usize].as_ref());
        adds.fold(self.constant.clone(), |constant, adds| constant.minus(&adds.least))
    }

    /// What groups add in some points, the least and the most of each.
    pub(super) fn groups_in(&self, points: &Points<'_>) -> Vec<[Exact; 2]> {
        let of_term = |term: &AxisTerm| {
            let adds = points.special(term.axis).filter_map(|cell| term.adds[cell as usize].as_ref());
            let ends = adds.map(|adds| (adds.least.clone(), adds.most.clone()));
            let (least, most) = ends.reduce(|one, other| (one.0.min(other.0), one.1.max(other.1)))?;
            Some([least, most])
        };
        self.terms.iter().filter(|term| term.coefficient.is_none()).filter_map(of_term).collect()
    }

    /// Whether it is seen that no point meets it.
    pub(super) fn is_impossible(&self, points: &Points<'_>) -> bool {
        let is_too_large = self.least(points, None).is_none_or(|least| least > self.ceiling);
        is_too_large || self.relation == Relation::Equal && self.most(points, None).is_none_or(|most| most < self.floor)
    }

    /// Removes cells that are too large even if all others add the least they can, or too small for an equation.
    pub(super) fn demand(&self, points: &mut Points<'_>) {
        for term in &self.terms {
            let Some(rest) = self.least(points, Some(term.axis)) else { return points.clear() };
            // What overflows both ways says nothing.
            let is_small = |adds: &Contribution| {
                let least = (rest + adds.floor).next_down();
                least.is_nan() || least <= self.ceiling
            };
            points.retain(term.axis, |cell| term.adds[cell as usize].as_ref().is_some_and(is_small));
            if self.relation == Relation::Equal {
                let Some(rest) = self.most(points, Some(term.axis)) else { return points.clear() };
                let is_large = |adds: &Contribution| {
                    let most = (rest + adds.ceiling).next_up();
                    most.is_nan() || most >= self.floor
                };
                points.retain(term.axis, |cell| term.adds[cell as usize].as_ref().is_some_and(is_large));
            }
        }
    }

    /// What all axes but one add at least, rounded down. None if one has no numbers.
    fn least(&self, points: &Points<'_>, without: Option<usize>) -> Option<f64> {
        let terms = self.terms.iter().filter(|term| Some(term.axis) != without);
        terms.map(|term| term.least(points)).try_fold(0.0, |sum: f64, least| Some((sum + least?).next_down()))
    }

    /// What all axes but one add at most, rounded up. None if one has no numbers.
    fn most(&self, points: &Points<'_>, without: Option<usize>) -> Option<f64> {
        let terms = self.terms.iter().filter(|term| Some(term.axis) != without);
        terms.map(|term| term.most(points)).try_fold(0.0, |sum: f64, most| Some((sum + most?).next_up()))
    }

    /// Whether all values of the cells of a point meet it, or none; nothing if some do, or some may.
    pub(super) fn at(&self, point: &[u32]) -> Option<bool> {
        let adds = || self.terms.iter().map(|term| term.adds[point[term.axis] as usize].as_ref());
        if adds().any(|adds| adds.is_none()) {
            return Some(false);
        }
        let adds = || adds().flatten();
        // Mostly rounded sums tell.
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
    /// The least that the cells of some points add, rounded down. None if they have no numbers.
    fn least(&self, points: &Points<'_>) -> Option<f64> {
        let rises = self.coefficient.as_ref().is_some_and(|coefficient| *coefficient > Exact::zero());
        self.end(points, rises, |adds| adds.floor).reduce(f64::min)
    }

    /// The most, rounded up.
    fn most(&self, points: &Points<'_>) -> Option<f64> {
        let rises = self.coefficient.as_ref().is_some_and(|coefficient| *coefficient > Exact::zero());
        self.end(points, !rises, |adds| adds.ceiling).reduce(f64::max)
    }

    /// What the first or the last ordered cell adds, and each special one.
    fn end<'p>(
        &'p self,
        points: &'p Points<'_>,
        is_first: bool,
        of: impl Fn(&Contribution) -> f64 + Copy + 'p,
    ) -> impl Iterator<Item = f64> + 'p {
        let adds = move |cell: u32| self.adds[cell as usize].as_ref().map(of);
        let mut ordered = points.ordered(self.axis);
        // Ordered cells ascend; those at the ends may hold infinities.
        let ordered = if is_first { ordered.find_map(adds) } else { ordered.rev().find_map(adds) };
        let special = (self.shape.special > 0).then(move || points.special(self.axis).filter_map(adds));
        ordered.into_iter().chain(special.into_iter().flatten())
    }
}
