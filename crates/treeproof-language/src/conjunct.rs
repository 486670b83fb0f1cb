//! The top-level conjuncts of conditions, and the demands that they make on features.

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{Present, ValueSet};

use super::constraint::{Constraint, Variable};

/// A part of a condition that must hold by itself.
#[derive(Clone, Debug, PartialEq)]
pub struct Conjunct {
    /// The constraint.
    pub constraint: Constraint,
    /// The position of the condition among all.
    pub condition: usize,
}

/// A demand on one feature by itself, or on several together.
#[derive(Clone, Debug)]
pub enum Requirement<'c> {
    /// A feature keeps only these values, and of the numbers among them only multiples of the step if there is one.
    PerFeature {
        /// The feature.
        variable: Variable,
        /// The values that it keeps.
        values: ValueSet,
        /// The step, if there is one.
        step: Option<&'c Exact>,
    },
    /// A constraint that no set of values per feature expresses.
    CrossFeature(&'c Constraint),
}

impl Conjunct {
    /// The requirements that together make up the constraint.
    pub fn requirements(&self) -> impl Iterator<Item = Requirement<'_>> {
        let parts = match &self.constraint {
            Constraint::All(parts) => parts.as_slice(),
            part => std::slice::from_ref(part),
        };
        parts.iter().map(|part| Requirement::per_feature(part).unwrap_or(Requirement::CrossFeature(part)))
    }
}

impl<'c> Requirement<'c> {
    fn per_feature(constraint: &'c Constraint) -> Option<Self> {
        match constraint {
            Constraint::Values(variable, values) => {
                Some(Self::PerFeature { variable: *variable, values: values.clone(), step: None })
            }
            Constraint::Multiple { variable, step, is_negated: false } => {
                let values = ValueSet::of(Present::every_number());
                Some(Self::PerFeature { variable: *variable, values, step: Some(step) })
            }
            // A multiple, or missing: a step beside a permission.
            Constraint::Any(parts) => match &parts[..] {
                [multiple, Constraint::Values(other, ValueSet { present: Present::Numbers(ranges), missing })]
                    if ranges.is_empty() =>
                {
                    let Self::PerFeature { variable, mut values, step } = Self::per_feature(multiple)? else {
                        return None;
                    };
                    values.missing |= *missing;
                    (variable == *other).then_some(Self::PerFeature { variable, values, step })
                }
                _ => None,
            },
            _ => None,
        }
    }
}
