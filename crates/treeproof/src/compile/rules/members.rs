//! The numbers of a cell, of which some may be asked for: multiples of steps, or what is none.

use treeproof_ensemble::exact::Exact;

use crate::compile::cells::AxisCells;
use crate::compile::numbers::Numbers;
use crate::language::Range;

/// So many numbers are passed over at most.
const MOST_PASSED: usize = 64;

/// It took too long to find a member.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct GivenUp;

/// Numbers of a cell that are multiples of all of some steps, and of none of some others.
#[derive(Clone, Debug)]
pub(super) struct Members<'a> {
    cells: &'a AxisCells,
    cell: u32,
    multiples: Option<Numbers>,
    others: Vec<Numbers>,
    /// Whether what must be no multiple is one everywhere.
    is_empty: bool,
}

/// The multiples of some steps.
fn multiples_of(steps: Vec<Exact>) -> Numbers {
    Numbers::new([Range { low: -f64::MAX, high: f64::MAX }], steps)
}

impl<'a> Members<'a> {
    pub(super) fn new<'s>(cells: &'a AxisCells, cell: u32, steps: impl IntoIterator<Item = (&'s Exact, bool)>) -> Self {
        let (negated, plain): (Vec<_>, Vec<_>) = steps.into_iter().partition(|(_, is_negated)| *is_negated);
        let plain: Vec<Exact> = plain.into_iter().map(|(step, _)| step.clone()).collect();
        let multiples = (!plain.is_empty()).then(|| multiples_of(plain));
        let is_everywhere = |step: &Exact| {
            let is_grid = multiples.as_ref().is_some_and(|multiples| multiples.are_multiples_of(step));
            is_grid || cells.are_multiples_of(step)
        };
        let is_empty = negated.iter().any(|(step, _)| is_everywhere(step));
        let others = negated.into_iter().map(|(step, _)| multiples_of(vec![step.clone()])).collect();
        Self { cells, cell, multiples, others, is_empty }
    }

    /// The greatest member that is not above a number.
    pub(super) fn at_or_below(&self, number: f64) -> Result<Option<f64>, GivenUp> {
        self.next(number, |cells, number| cells.at_or_below(self.cell, number), Numbers::at_or_below, f64::next_down)
    }

    /// The least member that is not below a number.
    pub(super) fn at_or_above(&self, number: f64) -> Result<Option<f64>, GivenUp> {
        self.next(number, |cells, number| cells.at_or_above(self.cell, number), Numbers::at_or_above, f64::next_up)
    }

    fn next(
        &self,
        number: f64,
        in_cell: impl Fn(&AxisCells, f64) -> Option<f64>,
        multiple: impl Fn(&Numbers, f64) -> Option<f64>,
        past: impl Fn(f64) -> f64,
    ) -> Result<Option<f64>, GivenUp> {
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
            match found {
                None => return Ok(None),
                Some(found) if found != member => number = found,
                _ if self.others.iter().any(|others| others.contains(member)) => number = past(member),
                _ => return Ok(Some(member)),
            }
        }
        Err(GivenUp)
    }
}
