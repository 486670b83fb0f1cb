//! What the margins at an input must be for the library to choose a class: the model's own decision, as sums of a form.

use std::ops::Deref;

use treeproof_ensemble::decision::{self, MarginSum, NoDecision};
use treeproof_ensemble::ensemble::Ensemble;

use crate::error::TaskError;
use crate::problem::{Sum, Term};

/// The label rule of a model, in terms of margins.
pub(crate) struct Labels<'a>(decision::Labels<'a>);

impl<'a> Labels<'a> {
    pub(crate) fn new(ensemble: &'a Ensemble, threshold: Option<f64>) -> Result<Self, TaskError> {
        Ok(Self(decision::Labels::new(ensemble, threshold)?))
    }

    /// Two classes of a model with one output: at most a number, and above it.
    pub(crate) fn of_output(ensemble: &'a Ensemble, number: f64) -> Result<Self, TaskError> {
        Ok(Self(decision::Labels::of_output(ensemble, number)?))
    }

    /// None of these sums is negative where the library may choose a class at an input.
    pub(crate) fn possible(&self, class: usize, input: usize) -> Vec<Sum> {
        at(self.0.possible(class), input)
    }

    /// For every input with another class than this, the sum of one of these cases is not negative.
    pub(crate) fn beating(&self, class: Option<usize>, input: usize) -> Vec<Vec<Sum>> {
        self.0.beating(class).into_iter().map(|sums| at(sums, input)).collect()
    }
}

fn at(sums: Vec<MarginSum>, input: usize) -> Vec<Sum> {
    let term = |(output, negated)| Term { model: 0, input, output, negated };
    let sum = |sum: MarginSum| Sum { terms: sum.terms.into_iter().map(term).collect(), constant: sum.constant };
    sums.into_iter().map(sum).collect()
}

impl<'a> Deref for Labels<'a> {
    type Target = decision::Labels<'a>;

    fn deref(&self) -> &Self::Target {
        &self.0
    }
}

impl From<NoDecision> for TaskError {
    fn from(NoDecision { what }: NoDecision) -> Self {
        Self::NoLabel { what }
    }
}
