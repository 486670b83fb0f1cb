//! The margins at an input for which the library chooses a class: the model's own decision, as sums of a form.

use treeproof_ensemble::decision::{Labels, MarginSum, NoDecision};

use crate::error::TaskError;
use crate::problem::{Sum, Term};

/// Sums none of which is negative where the library may choose a class at an input.
pub(super) fn possible(labels: &Labels<'_>, class: usize, input: usize) -> Vec<Sum> {
    at(labels.possible(class), input)
}

/// Cases of sums: for every input with another class than this, no sum of one of these is negative.
pub(super) fn beating(labels: &Labels<'_>, class: Option<usize>, input: usize) -> Vec<Vec<Sum>> {
    labels.beating(class).into_iter().map(|sums| at(sums, input)).collect()
}

fn at(sums: Vec<MarginSum>, input: usize) -> Vec<Sum> {
    let term = |(output, negated)| Term { model: 0, input, output, negated };
    let sum = |sum: MarginSum| Sum { terms: sum.terms.into_iter().map(term).collect(), constant: sum.constant };
    sums.into_iter().map(sum).collect()
}

impl From<NoDecision> for TaskError {
    fn from(NoDecision { what }: NoDecision) -> Self {
        Self::NoLabel { what }
    }
}
