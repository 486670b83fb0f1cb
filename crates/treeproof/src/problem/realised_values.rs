//! Values in the cells of a point, and limits on them.

use treeproof_ensemble::exact::Exact;
use treeproof_language::Relation;

use super::simplex::LinearConstraint;

/// The outcome of a search for values.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum RealisedValues {
    /// Values, each of an axis.
    Found(Vec<(usize, f64)>),
    /// There are none.
    Impossible,
    /// Undecided within the limits.
    Unknown,
}

impl RealisedValues {
    /// The values, if there are any.
    pub(super) fn found(self) -> Vec<(usize, f64)> {
        if let Self::Found(values) = self { values } else { vec![] }
    }
}

/// `Σ coefficient · value` over axes is at most a number.
#[derive(Clone, Debug)]
pub(crate) struct LinearLimit {
    pub(crate) terms: Vec<(usize, Exact)>,
    pub(crate) most: Exact,
}

impl LinearLimit {
    /// The limit over variables, given the variable of each axis.
    pub(super) fn sum(&self, place: impl Fn(usize) -> usize) -> LinearConstraint<'_> {
        LinearConstraint {
            terms: self.terms.iter().map(|(axis, coefficient)| (place(*axis), coefficient)).collect(),
            relation: Relation::AtMost,
            constant: self.most.clone(),
        }
    }
}
