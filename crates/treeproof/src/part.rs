//! What conditions say, in parts: what leaves values to one feature, and what is about several together.

use treeproof_ensemble::exact::Exact;

use crate::language::{Constraint, Present, ValueSet, Variable};

/// A part of a condition that must hold by itself.
pub(crate) enum Part<'c> {
    /// What it leaves to one feature: values, of the numbers among them only multiples of a step if there is one.
    Own { variable: Variable, values: ValueSet, step: Option<&'c Exact> },
    /// What no domain can express.
    Across(&'c Constraint),
}

impl<'c> Part<'c> {
    /// The parts of a constraint.
    pub(crate) fn of(constraint: &'c Constraint) -> impl Iterator<Item = Self> {
        let parts = match constraint {
            Constraint::All(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        parts.iter().map(|part| Self::own(part).unwrap_or(Self::Across(part)))
    }

    fn own(constraint: &'c Constraint) -> Option<Self> {
        match constraint {
            Constraint::Values(variable, values) => {
                Some(Self::Own { variable: *variable, values: values.clone(), step: None })
            }
            Constraint::Multiple { variable, step, is_negated: false } => {
                let values = ValueSet::of(Present::every_number());
                Some(Self::Own { variable: *variable, values, step: Some(step) })
            }
            // A multiple, or missing: what a step means beside a permission.
            Constraint::Any(parts) => match &parts[..] {
                [multiple, Constraint::Values(other, ValueSet { present: Present::Numbers(ranges), missing })]
                    if ranges.is_empty() =>
                {
                    let Self::Own { variable, mut values, step } = Self::own(multiple)? else { return None };
                    values.missing |= *missing;
                    (variable == *other).then_some(Self::Own { variable, values, step })
                }
                _ => None,
            },
            _ => None,
        }
    }
}
