//! Evaluation of constraints at given rows, exact and independent of the search. Witnesses are checked with it.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::RowError;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;

use super::constraint::{Constraint, Linear, Movement, Variable};
use super::expression::Side;

/// A row with its values as the model's library reads them.
#[derive(Clone, Debug)]
pub struct ReadRow<'r> {
    raw: &'r [f64],
    readings: Vec<Reading>,
}

/// The inputs at which constraints are evaluated.
#[derive(Clone, Copy, Debug)]
pub enum Assignment<'p> {
    /// One input, and the reference row, if the question has one.
    One {
        /// The input.
        input: &'p ReadRow<'p>,
        /// The reference row.
        reference: Option<&'p ReadRow<'p>>,
    },
    /// Two inputs; the first is the reference of the second.
    Two {
        /// The first.
        a: &'p ReadRow<'p>,
        /// The second.
        b: &'p ReadRow<'p>,
    },
}

/// A value that is not missing: raw, and as the library reads it.
type PresentValue = (f64, Reading);

impl<'r> ReadRow<'r> {
    /// Reads a row; an error if the model's library would refuse it.
    pub fn new(ensemble: &Ensemble, raw: &'r [f64]) -> Result<Self, RowError> {
        Ok(Self { raw, readings: ensemble.read(raw)? })
    }

    /// Each value as the model's library reads it.
    pub fn readings(&self) -> &[Reading] {
        &self.readings
    }

    /// A value, unless it is missing.
    fn value(&self, feature: usize) -> Option<PresentValue> {
        let reading = *self.readings.get(feature)?;
        (reading != Reading::Missing).then_some((self.raw[feature], reading))
    }
}

impl<'p> Assignment<'p> {
    fn input(self, side: Side) -> Option<&'p ReadRow<'p>> {
        match (self, side) {
            (Self::One { input, .. }, Side::Only) => Some(input),
            (Self::Two { a, .. }, Side::A) => Some(a),
            (Self::Two { b, .. }, Side::B) => Some(b),
            _ => None,
        }
    }

    fn value(self, variable: Variable) -> Option<PresentValue> {
        self.input(variable.side)?.value(variable.feature)
    }

    /// The reference and the input compared with it, if there is a reference.
    fn compared(self) -> Option<(&'p ReadRow<'p>, &'p ReadRow<'p>)> {
        match self {
            Self::One { input, reference } => Some((reference?, input)),
            Self::Two { a, b } => Some((a, b)),
        }
    }

    /// A feature's value in the reference and in the other input, if there is a reference.
    fn pair(self, feature: usize) -> Option<(Option<PresentValue>, Option<PresentValue>)> {
        let (before, after) = self.compared()?;
        Some((before.value(feature), after.value(feature)))
    }
}

impl Constraint {
    /// True if the constraint holds. A statement about an absent input or reference is false.
    pub fn holds(&self, assignment: Assignment<'_>) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(assignment)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(assignment)),
            Self::Values(variable, values) => assignment.input(variable.side).is_some_and(|input| {
                let reading = input.readings.get(variable.feature);
                reading.is_some_and(|reading| values.contains(input.raw[variable.feature], *reading))
            }),
            Self::Multiple { variable, step, is_negated } => {
                assignment.value(*variable).is_some_and(|(raw, _)| is_multiple(raw, step) != *is_negated)
            }
            Self::Linear(linear) => linear.holds(assignment),
            Self::Count { columns, number } => {
                let is_counted = |column: &&Variable| assignment.value(**column).is_some_and(|(raw, _)| raw != 0.0);
                number.contains(columns.iter().filter(is_counted).count())
            }
            Self::Same { feature, is_negated } => {
                assignment.pair(*feature).is_some_and(|(before, after)| is_same(before, after) != *is_negated)
            }
            Self::Moved { feature, direction } => match assignment.pair(*feature) {
                Some((Some((before, _)), Some((after, _)))) => match direction {
                    Movement::AtLeast => after >= before,
                    Movement::AtMost => after <= before,
                    Movement::Above => after > before,
                    Movement::Below => after < before,
                },
                Some((None, None)) => matches!(direction, Movement::AtLeast | Movement::AtMost),
                _ => false,
            },
            Self::Changed { units, number } => assignment.compared().is_some_and(|(before, after)| {
                let differs = |feature: &usize| !is_same(before.value(*feature), after.value(*feature));
                number.contains(units.iter().filter(|unit| unit.iter().any(differs)).count())
            }),
        }
    }
}

impl Linear {
    fn holds(&self, assignment: Assignment<'_>) -> bool {
        let mut sum = Exact::zero();
        for (coefficient, variable) in &self.terms {
            let number = assignment.value(*variable).and_then(|(raw, _)| Exact::from_f64(raw));
            let Some(number) = number else { return false };
            sum = sum.plus(&coefficient.times(&number));
        }
        self.relation.holds(&sum, &self.constant)
    }
}

/// True for equal numbers or categories, for two missing values, and for two values outside all categories.
fn is_same(before: Option<PresentValue>, after: Option<PresentValue>) -> bool {
    match (before, after) {
        (Some((_, Reading::Category(before))), Some((_, Reading::Category(after)))) => before == after,
        (Some((_, Reading::NoCategory)), Some((_, Reading::NoCategory))) => true,
        (Some((before, _)), Some((after, _))) => before == after,
        (None, None) => true,
        _ => false,
    }
}

/// True if a number is the double nearest to some multiple of a step.
fn is_multiple(raw: f64, step: &Exact) -> bool {
    let Some(number) = Exact::from_f64(raw) else { return false };
    let floor = number.divided_by(step).floor();
    // If any multiple rounds to the number, so does the one next to it on the same side.
    [floor.clone(), floor.plus(&Exact::one())].iter().any(|count| count.times(step).to_f64() == raw)
}
