//! The inputs that a question admits: conditions, groups and data as stated.

use std::collections::BTreeSet;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_language::{Condition, Constraint, Groups, Resolved, Side, Variable};
use treeproof_language::{Conjunct, Requirement};

use super::observed::Observed;
use super::predicate::Predicate;

/// The inputs that a question admits, by conditions and by data.
///
/// With two models, both are about the features of the first.
#[derive(Clone, Copy, Debug)]
pub struct AdmissibleInputs<'a> {
    /// The conditions, as written.
    pub conditions: &'a [Condition],
    /// The conditions, resolved.
    pub resolved: &'a Resolved,
    /// Columns of which exactly one is 1.
    pub groups: &'a Groups,
    /// The data that bound the inputs.
    pub observed: ObservedInputs<'a>,
    /// A row whose own values are admissible even if no other input could have them, such as infinite numbers, unless
    /// conditions or data exclude them.
    pub own: Option<&'a [f64]>,
    /// A condition that is code, for questions about one input, on the features of the first model.
    pub predicate: Option<&'a Arc<dyn Predicate>>,
}

/// The data that bound each input, if any.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObservedInputs<'a> {
    /// Data of the first input, or the only one.
    pub first: Option<&'a Observed>,
    /// Data of the second input.
    pub second: Option<&'a Observed>,
}

impl<'a> ObservedInputs<'a> {
    pub(crate) fn of(self, side: Side) -> Option<&'a Observed> {
        if side == Side::B { self.second } else { self.first }
    }

    /// Names of the data, each once.
    pub(crate) fn labels(self) -> BTreeSet<&'a str> {
        [self.first, self.second].into_iter().flatten().map(|observed| observed.label.as_str()).collect()
    }
}

/// Equal data for both inputs.
impl<'a> From<Option<&'a Observed>> for ObservedInputs<'a> {
    fn from(observed: Option<&'a Observed>) -> Self {
        Self { first: observed, second: observed }
    }
}

/// No conditions.
static NOTHING: Resolved = Resolved { conjuncts: vec![], may_be_missing: BTreeSet::new(), bounds: vec![] };

static NO_GROUPS: Groups = Groups::NONE;

impl<'a> AdmissibleInputs<'a> {
    /// Every finite number and every known category; nothing missing.
    pub fn everything() -> Self {
        Self {
            conditions: &[],
            resolved: &NOTHING,
            groups: &NO_GROUPS,
            observed: None.into(),
            own: None,
            predicate: None,
        }
    }

    /// Puts the own row's values back where the library reads the same: many numbers mean one category, or none, and the
    /// user knows the one given.
    pub(crate) fn keep_own(&self, model: &Ensemble, row: &mut [f64]) {
        let Some(own) = self.own else { return };
        for ((feature, own), raw) in model.features().iter().zip(own).zip(row) {
            if feature.is_category() && model.input().read(feature, *own) == model.input().read(feature, *raw) {
                *raw = *own;
            }
        }
    }

    /// True if neither data nor conditions on one feature, nor a sum that it is part of, exclude a present value of it.
    pub(crate) fn leaves(&self, variable: Variable, raw: f64, reading: Reading) -> bool {
        let seen = self.observed.of(variable.side).and_then(|observed| observed.features.get(variable.feature));
        let mut parts = self.resolved.conjuncts.iter().flat_map(Conjunct::requirements);
        seen.is_none_or(|seen| seen.has(raw, reading))
            && parts.all(|part| match part {
                // An infinite number is a multiple of nothing, and no term of a sum.
                Requirement::PerFeature { variable: of, values, step } if of == variable => {
                    values.contains(raw, reading) && (step.is_none() || raw.is_finite())
                }
                Requirement::CrossFeature(Constraint::Linear(sum)) => {
                    raw.is_finite() || sum.terms.iter().all(|(_, of)| *of != variable)
                }
                _ => true,
            })
    }

    /// The conditions on several features together.
    pub(crate) fn across(&self) -> Vec<&'a Constraint> {
        let parts = self.resolved.conjuncts.iter().flat_map(Conjunct::requirements);
        let across = parts.filter_map(|part| match part {
            Requirement::CrossFeature(constraint) => Some(constraint),
            Requirement::PerFeature { .. } => None,
        });
        across.collect()
    }
}
