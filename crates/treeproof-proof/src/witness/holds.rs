//! Whether conditions hold for given rows: what they mean, in plain code.

use std::cmp::Ordering;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;

use crate::space::numbers::{Numbers, is_multiple};
use crate::statement::condition::{Condition, Direction, Domain, Variable};

/// The values of one input, or of the reference: per feature of the statement the raw value, and how its first reader sees it.
#[derive(Clone, Debug)]
pub struct Input {
    /// The raw values.
    pub raws: Vec<f64>,
    /// What they are to the first reader.
    pub readings: Vec<Reading>,
}

/// What conditions are about: one input with or without a reference, or two, of which the first is the reference.
#[derive(Clone, Debug)]
pub struct Point {
    /// The inputs.
    pub inputs: Vec<Input>,
    /// The reference of one input.
    pub reference: Option<Input>,
}

/// A value that is there.
type Value = (f64, Reading);

impl Input {
    /// A value, unless it is missing.
    fn value(&self, feature: u32) -> Option<Value> {
        let (raw, reading) = (*self.raws.get(feature as usize)?, *self.readings.get(feature as usize)?);
        (reading != Reading::Missing).then_some((raw, reading))
    }
}

impl Point {
    fn value(&self, variable: Variable) -> Option<Value> {
        self.inputs.get(variable.input as usize)?.value(variable.feature)
    }

    /// A feature's value in the reference and in the other input, if there is a reference.
    fn pair(&self, feature: u32) -> Option<(Option<Value>, Option<Value>)> {
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
}

impl Condition {
    /// Whether the condition holds. What it says of a reference that is not there is false.
    pub fn holds(&self, point: &Point) -> bool {
        match self {
            Self::All(parts) => parts.iter().all(|part| part.holds(point)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(point)),
            Self::Values(variable, domain) => domain.has(point.value(*variable)),
            Self::Multiple { variable, step, negated } => {
                point.value(*variable).is_some_and(|(raw, _)| is_multiple(raw, step) != *negated)
            }
            Self::Linear { terms, relation, constant } => {
                let sum = terms.iter().try_fold(Exact::zero(), |sum, term| {
                    let (raw, _) = point.value(term.variable)?;
                    Some(sum.plus(&term.coefficient.times(&Exact::from_f64(raw)?)))
                });
                sum.is_some_and(|sum| relation.holds(&sum, constant))
            }
            Self::Count { columns, at_least, at_most } => {
                let is_counted = |column: &&Variable| point.value(**column).is_some_and(|(raw, _)| raw != 0.0);
                let count = columns.iter().filter(is_counted).count() as u64;
                (*at_least..=*at_most).contains(&count)
            }
            Self::Same { feature, negated } => point.differs(*feature).is_some_and(|differs| differs == *negated),
            Self::Moved { feature, direction } => match point.pair(*feature) {
                Some((Some((before, _)), Some((after, _)))) => {
                    after.partial_cmp(&before).is_some_and(|order| direction.orders().contains(&order))
                }
                Some((None, None)) => direction.orders().contains(&Ordering::Equal),
                _ => false,
            },
            Self::Changed { units, at_least, at_most } => {
                let differs = |unit: &Vec<u32>| {
                    let differs: Option<Vec<bool>> = unit.iter().map(|feature| point.differs(*feature)).collect();
                    differs.map(|differs| differs.contains(&true))
                };
                let changed: Option<Vec<bool>> = units.iter().map(differs).collect();
                let count = changed.map(|changed| changed.into_iter().filter(|changed| *changed).count() as u64);
                count.is_some_and(|count| (*at_least..=*at_most).contains(&count))
            }
        }
    }
}

impl Domain {
    /// Whether a value, or that there is none, is among these.
    pub fn has(&self, value: Option<Value>) -> bool {
        match (self, value) {
            (Self::Numbers { missing, .. } | Self::Categories { missing, .. }, None) => *missing,
            (Self::Numbers { .. }, Some((raw, Reading::Number(_)))) => self.numbers().contains(raw),
            (Self::Categories { codes, .. }, Some((_, Reading::Category(code)))) => codes.contains(&code),
            (Self::Categories { unknown, .. }, Some((_, Reading::NoCategory))) => *unknown,
            _ => false,
        }
    }

    /// Its numbers.
    pub fn numbers(&self) -> Numbers {
        match self {
            Self::Numbers { ranges, steps, .. } => {
                Numbers::new(ranges.iter().map(|(low, high)| (low.0, high.0)), steps.clone())
            }
            Self::Categories { .. } => Numbers::default(),
        }
    }
}

impl Direction {
    /// How what is moved so lies to what it was.
    pub fn orders(self) -> &'static [Ordering] {
        match self {
            Self::AtLeast => &[Ordering::Greater, Ordering::Equal],
            Self::AtMost => &[Ordering::Less, Ordering::Equal],
            Self::Above => &[Ordering::Greater],
            Self::Below => &[Ordering::Less],
        }
    }
}

/// The same number or category; missing is like missing, and a value that is no category like any other.
fn is_same(before: Option<Value>, after: Option<Value>) -> bool {
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
