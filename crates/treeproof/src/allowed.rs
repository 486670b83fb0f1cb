//! Which inputs a question is about, as whoever asks says it.

use std::collections::BTreeSet;

use crate::language::{Condition, Constraint, Groups, Resolved};
use crate::observed::Observed;
use crate::part::Part;

/// Which inputs a question is about: what conditions leave, and what data shows.
///
/// Of two models, both are about the features of the first; of two inputs, data is about each.
#[derive(Clone, Copy, Debug)]
pub struct Allowed<'a> {
    /// The conditions, as written.
    pub conditions: &'a [Condition],
    /// What they mean.
    pub resolved: &'a Resolved,
    /// Columns of which exactly one is 1.
    pub groups: &'a Groups,
    /// The data outside which nothing is looked at, if there is any.
    pub observed: Option<&'a Observed>,
}

/// No conditions.
static NOTHING: Resolved = Resolved { conjuncts: vec![], may_be_missing: BTreeSet::new() };

static NO_GROUPS: Groups = Groups::NONE;

impl<'a> Allowed<'a> {
    /// Every finite number and every known category; nothing missing.
    pub fn everything() -> Self {
        Self { conditions: &[], resolved: &NOTHING, groups: &NO_GROUPS, observed: None }
    }

    /// What conditions say of several features together.
    pub(crate) fn across(&self) -> Vec<&'a Constraint> {
        let parts = self.resolved.conjuncts.iter().flat_map(|conjunct| Part::of(&conjunct.constraint));
        let across = parts.filter_map(|part| match part {
            Part::Across(constraint) => Some(constraint),
            Part::Own { .. } => None,
        });
        across.collect()
    }
}
