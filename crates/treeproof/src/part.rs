//! What conditions say, in parts: what leaves values to one feature, and what is about several together.

use treeproof_ensemble::exact::Exact;

use crate::language::{Constraint, Linear, Present, Relation, Side, ValueSet, Variable};

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

/// The sums of a part, which is one or has them as alternatives.
pub(crate) fn sums(part: &Constraint) -> impl Iterator<Item = &Linear> {
    let parts = match part {
        Constraint::Any(parts) => parts.as_slice(),
        part => std::slice::from_ref(part),
    };
    parts.iter().filter_map(|part| match part {
        Constraint::Linear(linear) => Some(linear),
        _ => None,
    })
}

/// Why a part that is about several features cannot be used, in few words; none if it can.
pub(crate) fn refusal(side: Side, part: &Constraint) -> Option<&'static str> {
    let sum = |part: &Constraint| match part {
        Constraint::Linear(linear) if side == Side::Only && linear.relation != Relation::Equal => None,
        Constraint::Linear(_) if side == Side::Only => Some("`==` of sums of several features"),
        part => nested_refusal(side, part),
    };
    match part {
        Constraint::Any(parts) if side == Side::Only => parts.iter().find_map(sum),
        part => sum(part),
    }
}

fn nested_refusal(side: Side, part: &Constraint) -> Option<&'static str> {
    let is_one = side == Side::Only;
    match part {
        Constraint::Values(..) => None,
        Constraint::All(parts) | Constraint::Any(parts) if is_one => {
            parts.iter().find_map(|part| nested_refusal(side, part))
        }
        Constraint::Count { .. } if is_one => None,
        Constraint::Any(parts) if parts.is_empty() => Some("a condition that nothing meets"),
        Constraint::All(_) | Constraint::Any(_) => Some("`or` between different features"),
        Constraint::Multiple { is_negated: true, .. } => Some("`not` of `integer` and `step`"),
        Constraint::Multiple { .. } => Some("`integer` and `step` within `or`"),
        Constraint::Linear(_) if is_one => Some("a sum of several features within `and` and `or`"),
        Constraint::Linear(_) => Some("a sum of several features"),
        Constraint::Count { .. } => Some("counting columns"),
        _ => Some("comparing inputs"),
    }
}
