//! The admissible numbers of a cell: multiples of some steps, and of none of others.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::Range;

use crate::problem::cells::AxisPartition;
use crate::problem::number_set::NumberSet;

/// Limit on the numbers that are passed over.
const MOST_PASSED: usize = 64;

/// A search for values that was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SearchGivenUp;

/// Numbers of a cell that are multiples of all of some steps, and of none of some others.
#[derive(Clone, Debug)]
pub(super) struct Members<'a> {
    cells: &'a AxisPartition,
    cell: u32,
    multiples: Option<NumberSet>,
    /// Each with a number beyond which, on both sides of 0, every double is a multiple.
    others: Vec<(NumberSet, f64)>,
    /// True if every number is a multiple that must be none.
    is_empty: bool,
}

/// The multiples of some steps.
fn multiples_of(steps: Vec<Exact>) -> NumberSet {
    NumberSet::new([Range { low: -f64::MAX, high: f64::MAX }], steps)
}

/// A power of two beyond which, on both sides of 0, every double is the nearest to a multiple of a step. Doubles above 2ᵏ that are no
/// further apart than a step that is a power of two are multiples of it; those that are further apart than a step each have a multiple
/// nearer to them than to the next double.
fn dense_beyond(step: &Exact) -> f64 {
    // Doubles from 2ᵏ on are 2ᵏ⁻⁵² apart.
    const DIGITS: i64 = 52;
    let Some(mut power) = step.power_above() else { return f64::INFINITY };
    // The least power of two above it.
    while *step < Exact::power_of_two(power - 1) {
        power -= 1;
    }
    let is_power = *step == Exact::power_of_two(power - 1);
    let dense = power + DIGITS - i64::from(is_power);
    // Below the least normal number doubles come no closer.
    let is_everything = dense < i64::from(f64::MIN_EXP);
    if is_everything { 0.0 } else { Exact::power_of_two(dense).to_f64() }
}

impl<'a> Members<'a> {
    pub(super) fn new<'s>(
        cells: &'a AxisPartition,
        cell: u32,
        steps: impl IntoIterator<Item = (&'s Exact, bool)>,
    ) -> Self {
        let (negated, plain): (Vec<_>, Vec<_>) = steps.into_iter().partition(|(_, is_negated)| *is_negated);
        let plain: Vec<Exact> = plain.into_iter().map(|(step, _)| step.clone()).collect();
        let multiples = (!plain.is_empty()).then(|| multiples_of(plain));
        let is_everywhere = |step: &Exact| {
            let is_grid = multiples.as_ref().is_some_and(|multiples| multiples.are_multiples_of(step));
            is_grid || cells.are_multiples_of(step)
        };
        let is_empty = negated.iter().any(|(step, _)| is_everywhere(step));
        let others = negated.into_iter();
        let others = others.map(|(step, _)| (multiples_of(vec![step.clone()]), dense_beyond(step))).collect();
        Self { cells, cell, multiples, others, is_empty }
    }

    /// The greatest member that is not above a number.
    pub(super) fn at_or_below(&self, number: f64) -> Result<Option<f64>, SearchGivenUp> {
        let past = |member: f64, dense: f64| match member {
            member if member > dense => dense,
            // The last double has no neighbour on its other side, and is tested by itself.
            member if member < -dense && member > -f64::MAX => -f64::MAX,
            member => member.next_down(),
        };
        self.next(number, |cells, number| cells.around(self.cell, number)[0], NumberSet::at_or_below, past)
    }

    /// The least member that is not below a number.
    pub(super) fn at_or_above(&self, number: f64) -> Result<Option<f64>, SearchGivenUp> {
        let past = |member: f64, dense: f64| match member {
            member if member < -dense => -dense,
            member if member > dense && member < f64::MAX => f64::MAX,
            member => member.next_up(),
        };
        self.next(number, |cells, number| cells.around(self.cell, number)[1], NumberSet::at_or_above, past)
    }

    fn next(
        &self,
        number: f64,
        in_cell: impl Fn(&AxisPartition, f64) -> Option<f64>,
        multiple: impl Fn(&NumberSet, f64) -> Option<f64>,
        past: impl Fn(f64, f64) -> f64,
    ) -> Result<Option<f64>, SearchGivenUp> {
        if self.is_empty {
            return Ok(None);
        }
        let mut number = number;
        for _ in 0..MOST_PASSED {
            let Some(member) = in_cell(self.cells, number) else { return Ok(None) };
            let found = match &self.multiples {
                Some(multiples) => multiple(multiples, member),
                None => Some(member),
            };
            let excluded = || self.others.iter().find(|(others, _)| others.contains(member));
            match found {
                None => return Ok(None),
                Some(found) if found != member => number = found,
                Some(_) => match excluded() {
                    Some((_, dense)) => number = past(member, *dense),
                    None => return Ok(Some(member)),
                },
            }
        }
        Err(SearchGivenUp)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        /// Far out every double is a multiple, and just within that not all are.
        #[test]
        fn doubles_are_dense_beyond_a_power_of_two(digits in 1_i64..1000, shift in -3..4_i64, size in 1.0..4.0_f64, far in 0..60_i32) {
            let step = Exact::from_i64(digits).divided_by(&Exact::from_i64(10)).times(&Exact::power_of_two(8 * shift));
            let multiples = multiples_of(vec![step.clone()]);
            let dense = dense_beyond(&step);
            let beyond = dense * size * 2.0_f64.powi(far);
            for number in [beyond, beyond.next_up(), -beyond, f64::MAX, dense.next_up(), (2.0 * dense).next_down()] {
                prop_assert!(number.abs() <= dense || multiples.contains(number), "{number} of {step}");
            }
            // Each double of the power below is next to another one, or to the middle between two multiples.
            let mut within = std::iter::successors(Some(dense.next_down()), |number| Some(number.next_down())).take(2048);
            prop_assert!(within.any(|number| !multiples.contains(number)), "{dense} of {step}");
        }
    }
}
