//! Sums and grids over the cells of a point: doubles that meet them all.
//!
//! The simplex method finds real numbers; where one of them is no member of its cell, the members next to it branch the
//! problem in two, as in integer programming.

use treeproof_ensemble::exact::Exact;

use super::linear::LinearRule;
use super::members::{Members, SearchGivenUp};
use crate::problem::cells::AxisPartition;
use crate::problem::exact;
use crate::problem::simplex::{Feasible, LinearConstraint, Simplex};

/// Limit on the branches of a problem.
const MOST_PARTS: usize = 100;

/// Limit on the values between two members up to which all combinations of their neighbours are tried.
const MOST_ROUNDED: usize = 3;

/// The outcome of a search for values: each of an axis, or a whole row.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum RealisedValues<V = Vec<(usize, f64)>> {
    /// Values.
    Found(V),
    /// There are none.
    Impossible,
    /// Undecided within the limits.
    Unknown,
}

impl RealisedValues {
    /// The values, if there are any.
    pub(in crate::problem) fn found(self) -> Vec<(usize, f64)> {
        if let Self::Found(values) = self { values } else { vec![] }
    }
}

/// Sums over variables, each with the values of a cell.
pub(super) struct LinearSystem<'a> {
    axes: Vec<usize>,
    variables: Vec<Members<'a>>,
    sums: Vec<LinearConstraint<&'a Exact>>,
}

impl<'a> LinearSystem<'a> {
    /// Builds the system; `steps` has axes, steps, and true where values must be no multiples.
    pub(super) fn new(
        all: &'a [AxisPartition],
        point: &[u32],
        sums: &[&'a LinearRule],
        limits: &'a [LinearConstraint],
        steps: &[(usize, &'a Exact, bool)],
    ) -> Self {
        let of_limits = limits.iter().flat_map(|limit| limit.terms.iter().map(|(axis, _)| *axis));
        let of_sums = sums.iter().flat_map(|sum| sum.terms().map(|(axis, _)| axis)).chain(of_limits);
        let mut axes: Vec<usize> = of_sums.chain(steps.iter().map(|(axis, ..)| *axis)).collect();
        axes.sort_unstable();
        axes.dedup();
        let members = |axis: &usize| {
            let own = steps.iter().filter(|(of, ..)| of == axis).map(|(_, step, is_negated)| (*step, *is_negated));
            Members::new(&all[*axis], point[*axis], own)
        };
        let place = |axis: usize| axes.binary_search(&axis).expect("all axes of the sums are here");
        let sum = |sum: &&'a LinearRule| LinearConstraint {
            terms: sum.terms().map(|(axis, coefficient)| (place(axis), coefficient)).collect(),
            relation: sum.relation,
            constant: sum.constant_at(point),
        };
        let sums = sums.iter().map(sum).chain(limits.iter().map(|limit| limit.over(place))).collect();
        Self { variables: axes.iter().map(members).collect(), sums, axes }
    }

    pub(super) fn solve(&self, start: &dyn Fn(usize) -> f64) -> RealisedValues {
        match self.search(start) {
            Ok(Some(values)) => RealisedValues::Found(self.axes.iter().copied().zip(values).collect()),
            Ok(None) => RealisedValues::Impossible,
            Err(SearchGivenUp) => RealisedValues::Unknown,
        }
    }

    fn search(&self, start: &dyn Fn(usize) -> f64) -> Result<Option<Vec<f64>>, SearchGivenUp> {
        let mut starts = vec![];
        for (axis, members) in self.axes.iter().zip(&self.variables) {
            let ends = (members.at_or_above(f64::NEG_INFINITY)?, members.at_or_below(f64::INFINITY)?);
            let (Some(low), Some(high)) = ends else { return Ok(None) };
            let (low, high) = (low.max(-f64::MAX), high.min(f64::MAX));
            let start = start(*axis).clamp(low, high);
            starts.push(([exact(low), exact(high)], exact(start)));
        }
        let mut parts = vec![Simplex::new(starts, &self.sums)];
        let (mut num_parts, mut is_given_up) = (0, false);
        while let Some(mut part) = parts.pop() {
            num_parts += 1;
            match part.solve() {
                _ if num_parts > MOST_PARTS => return Err(SearchGivenUp),
                Feasible::No => continue,
                Feasible::Unknown => {
                    is_given_up = true;
                    continue;
                }
                Feasible::Yes => {}
            }
            let solution = part.solution(self.variables.len());
            let mut sides = vec![];
            for (number, members) in solution.iter().zip(&self.variables) {
                let (below, above) = (number.floor_f64(), number.ceil_f64());
                let below = members.at_or_below(below)?;
                let above = if below == Some(above) { below } else { members.at_or_above(above)? };
                // An infinite value is outside this method.
                if [below, above].into_iter().flatten().any(f64::is_infinite) {
                    return Err(SearchGivenUp);
                }
                sides.push((below, above));
            }
            if let Some(values) = self.rounded(&sides) {
                return Ok(Some(values));
            }
            // The last one between two members: those before it are freer to follow.
            let Some(variable) = sides.iter().rposition(|(below, above)| below != above) else { continue };
            let (below, above) = sides[variable];
            if let Some(above) = above {
                let mut right = part.clone();
                right.raise(variable, exact(above));
                parts.push(right);
            }
            if let Some(below) = below {
                part.lower(variable, exact(below));
                parts.push(part);
            }
        }
        if is_given_up { Err(SearchGivenUp) } else { Ok(None) }
    }

    /// Members next to the solution that meet all sums, on one side or the other.
    fn rounded(&self, sides: &[(Option<f64>, Option<f64>)]) -> Option<Vec<f64>> {
        let open: Vec<usize> = (0..sides.len()).filter(|place| sides[*place].0 != sides[*place].1).collect();
        if open.len() > MOST_ROUNDED {
            return None;
        }
        (0..1_usize << open.len()).find_map(|choice| {
            let value = |(place, (below, above)): (usize, &(Option<f64>, Option<f64>))| {
                let bit = open.iter().position(|other| *other == place);
                if bit.is_some_and(|bit| choice >> bit & 1 == 1) { *above } else { *below }
            };
            let values: Vec<f64> = sides.iter().enumerate().map(value).collect::<Option<_>>()?;
            let exacts: Vec<Exact> = values.iter().map(|value| exact(*value)).collect();
            self.sums.iter().all(|sum| sum.holds(&exacts)).then_some(values)
        })
    }
}
