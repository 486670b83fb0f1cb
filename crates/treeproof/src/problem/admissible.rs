//! Which inputs a question is about, as whoever asks says it.

use std::collections::BTreeSet;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;
use treeproof_language::{Condition, Constraint, Groups, Resolved, Side, Variable};
use treeproof_language::{Conjunct, Requirement};

use super::observed::Observed;
use super::predicate::Predicate;

/// Which inputs a question is about: what conditions leave, and what data shows.
///
/// Of two models, both are about the features of the first.
#[derive(Clone, Copy, Debug)]
pub struct AdmissibleInputs<'a> {
    /// The conditions, as written.
    pub conditions: &'a [Condition],
    /// The two meanings.
    pub resolved: &'a Resolved,
    /// Columns of which exactly one is 1.
    pub groups: &'a Groups,
    /// The data outside which nothing is looked at.
    pub observed: ObservedInputs<'a>,
    /// A row whose own values are allowed though they are none that others could have, such as infinite numbers, if neither
    /// conditions nor data exclude them.
    pub own: Option<&'a [f64]>,
    /// What is asked of code, by questions about one input: of the features of the first model.
    pub predicate: Option<&'a Arc<dyn Predicate>>,
}

/// What data shows of each input, where there is data.
#[derive(Clone, Copy, Debug, Default)]
pub struct ObservedInputs<'a> {
    /// Of the first input, or the only one.
    pub first: Option<&'a Observed>,
    /// Of the second.
    pub second: Option<&'a Observed>,
}

impl<'a> ObservedInputs<'a> {
    pub(crate) fn of(self, side: Side) -> Option<&'a Observed> {
        if side == Side::B { self.second } else { self.first }
    }

    /// What the data is called, each once.
    pub(crate) fn labels(self) -> BTreeSet<&'a str> {
        [self.first, self.second].into_iter().flatten().map(|observed| observed.label.as_str()).collect()
    }
}

/// The same of both inputs.
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

    /// Puts the own row's values where the library reads the same: many numbers mean one category, or none that is known, and people
    /// know the one that they gave.
    pub(crate) fn keep_own(&self, model: &Ensemble, row: &mut [f64]) {
        let Some(own) = self.own else { return };
        for ((feature, own), raw) in model.features().iter().zip(own).zip(row) {
            if feature.is_category() && model.input().read(feature, *own) == model.input().read(feature, *raw) {
                *raw = *own;
            }
        }
    }

    /// Whether neither data nor what conditions say of a feature alone, nor a sum that it is part of, excludes a value of it that
    /// is there.
    pub(crate) fn leaves(&self, variable: Variable, raw: f64, reading: Reading) -> bool {
        let seen = self.observed.of(variable.side).and_then(|observed| observed.features.get(variable.feature));
        let mut parts = self.resolved.conjuncts.iter().flat_map(Conjunct::requirements);
        seen.is_none_or(|seen| seen.has(raw, reading))
            && parts.all(|part| match part {
                // What is infinite is a multiple of nothing, and no sum is known of it.
                Requirement::PerFeature { variable: of, values, step } if of == variable => {
                    values.contains(raw, reading) && (step.is_none() || raw.is_finite())
                }
                Requirement::CrossFeature(Constraint::Linear(sum)) => {
                    raw.is_finite() || sum.terms.iter().all(|(_, of)| *of != variable)
                }
                _ => true,
            })
    }

    /// What conditions say of several features together.
    pub(crate) fn across(&self) -> Vec<&'a Constraint> {
        let parts = self.resolved.conjuncts.iter().flat_map(Conjunct::requirements);
        let across = parts.filter_map(|part| match part {
            Requirement::CrossFeature(constraint) => Some(constraint),
            Requirement::PerFeature { .. } => None,
        });
        across.collect()
    }
}
