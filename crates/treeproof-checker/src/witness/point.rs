//! The meaning of conditions at given rows, in plain code.

use std::cmp::Ordering;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_proof::statement::condition::{Condition, Domain, Variable};

use crate::numbers::{Numbers, is_multiple};
use crate::space::{Input, PresentValue};

/// The rows that conditions are about: one input, perhaps with a reference, or two, of which the first is the reference.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// The inputs.
    pub(crate) inputs: Vec<Input>,
    /// The reference of one input.
    pub(crate) reference: Option<Input>,
}

impl Point {
    fn value(&self, variable: Variable) -> Option<PresentValue> {
        self.inputs.get(variable.input as usize)?.value(variable.feature)
    }

    /// A feature's value in the reference and in the other input, if there is a reference.
    fn pair(&self, feature: u32) -> Option<(Option<PresentValue>, Option<PresentValue>)> {
        let (before, after) = match &self.inputs[..] {
            [one] => (self.reference.as_ref()?, one),
            [one, other] => (one, other),
            _ => return None,
        };
        Some((before.value(feature), after.value(feature)))
    }

    fn differs(&self, feature: u32) -> Option<bool> {
        self.pair(feature).map(|(before, after)| !is_same(before, after))
    }

    /// True if a condition holds. A comparison with a reference that is not there is false.
    pub(crate) fn meets(&self, condition: &Condition) -> bool {
        match condition {
            Condition::All(parts) => parts.iter().all(|part| self.meets(part)),
            Condition::Any(parts) => parts.iter().any(|part| self.meets(part)),
            Condition::Values(variable, domain) => has(domain, self.value(*variable)),
            Condition::Multiple { variable, step, negated } => {
                self.value(*variable).is_some_and(|(raw, _)| is_multiple(raw, step) != *negated)
            }
            Condition::Linear { terms, relation, constant } => {
                let sum = terms.iter().try_fold(Exact::zero(), |sum, term| {
                    let (raw, _) = self.value(term.variable)?;
                    Some(sum.plus(&term.coefficient.times(&Exact::from_f64(raw)?)))
                });
                sum.is_some_and(|sum| relation.holds(&sum, constant))
            }
            Condition::Count { columns, at_least, at_most } => {
                let is_counted = |column: &&Variable| self.value(**column).is_some_and(|(raw, _)| raw != 0.0);
                let count = columns.iter().filter(is_counted).count() as u64;
                (*at_least..=*at_most).contains(&count)
            }
            Condition::Same { feature, negated } => self.differs(*feature).is_some_and(|differs| differs == *negated),
            Condition::Moved { feature, direction } => match self.pair(*feature) {
                Some((Some((before, _)), Some((after, _)))) => {
                    after.partial_cmp(&before).is_some_and(|order| direction.orders().contains(&order))
                }
                Some((None, None)) => direction.orders().contains(&Ordering::Equal),
                _ => false,
            },
            Condition::Changed { units, at_least, at_most } => {
                let differs = |unit: &Vec<u32>| {
                    let differs: Option<Vec<bool>> = unit.iter().map(|feature| self.differs(*feature)).collect();
                    differs.map(|differs| differs.contains(&true))
                };
                let changed: Option<Vec<bool>> = units.iter().map(differs).collect();
                let count = changed.map(|changed| changed.into_iter().filter(|changed| *changed).count() as u64);
                count.is_some_and(|count| (*at_least..=*at_most).contains(&count))
            }
        }
    }
}

/// True if a domain admits a value, or its absence.
fn has(domain: &Domain, value: Option<PresentValue>) -> bool {
    match (domain, value) {
        (Domain::Numbers { missing, .. } | Domain::Categories { missing, .. }, None) => *missing,
        (Domain::Numbers { .. }, Some((raw, Reading::Number(_)))) => Numbers::of(domain).contains(raw),
        (Domain::Categories { codes, .. }, Some((_, Reading::Category(code)))) => codes.contains(&code),
        (Domain::Categories { unknown, .. }, Some((_, Reading::NoCategory))) => *unknown,
        _ => false,
    }
}

/// True for equal numbers or categories, for two missing values, and for two values that are no category.
fn is_same(before: Option<PresentValue>, after: Option<PresentValue>) -> bool {
    match (before, after) {
        (Some((_, Reading::Category(before))), Some((_, Reading::Category(after)))) => before == after,
        (Some((_, Reading::NoCategory)), Some((_, Reading::NoCategory))) => true,
        (Some((_, Reading::Number(_))), Some((_, Reading::Number(_)))) => {
            before.zip(after).is_some_and(|(before, after)| before.0 == after.0)
        }
        (None, None) => true,
        _ => false,
    }
}
