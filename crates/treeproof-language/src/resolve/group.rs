//! Resolution of comparisons with groups.

use std::collections::BTreeSet;

use treeproof_ensemble::values::{Present, Range, ValueSet};

use super::{Resolver, joined};
use crate::constraint::Constraint;
use crate::error::LanguageError;
use crate::expression::{Arithmetic, Position, Side, Sign, WrittenValue};
use crate::groups::Group;
use crate::vocabulary::no_number;

impl Resolver<'_, '_> {
    /// `sex == male`, `a.sex != b.sex`.
    pub(super) fn group(
        &mut self,
        (side, group): (Option<Side>, &Group),
        at: Position,
        sign: Sign,
        other: &Arithmetic,
    ) -> Result<Constraint, LanguageError> {
        let is_negated = sign == Sign::NotEqual;
        let Some(value) = super::comparison::value(other).filter(|_| is_negated || sign == Sign::Equal) else {
            return Err(self.error(at, no_number(group)));
        };
        if let Arithmetic::Name(second) = other
            && self.vocabulary.group_value(group, &value).is_err()
            && let Some((second_side, second_group)) = self.vocabulary.group(second)
        {
            if side.is_none() || second_side.is_none() || side == second_side || group != second_group {
                let what = "a group can be compared with the same group of the other input only";
                return Err(self.error(second.at, what));
            }
            self.has_side = true;
            let columns = group.columns.iter();
            return Ok(joined(columns.map(|column| Constraint::Same { feature: *column, is_negated }), !is_negated));
        }
        self.group_membership(side, group, (is_negated, at), &[value])
    }

    /// Membership in a set of values, as a conjunction of statements about one column each: exactly one column is 1, so the
    /// columns of all other values must be 0.
    pub(super) fn group_membership(
        &mut self,
        side: Option<Side>,
        group: &Group,
        (is_negated, at): (bool, Position),
        values: &[WrittenValue],
    ) -> Result<Constraint, LanguageError> {
        let place = |value: &WrittenValue| self.place(value.at, self.vocabulary.group_value(group, value));
        let named: BTreeSet<usize> = values.iter().map(place).collect::<Result<_, _>>()?;
        let (allowed, others): (Vec<usize>, Vec<usize>) =
            (0..group.columns.len()).partition(|place| named.contains(place) != is_negated);
        let (places, number) = if allowed.len() == 1 { (allowed, 1.0) } else { (others, 0.0) };
        let values = ValueSet::of(Present::numbers([Range { low: number, high: number }]));
        let columns = places.into_iter().map(|place| self.variable(side, group.columns[place], at));
        let is_number = |variable| Constraint::Values(variable, values.clone());
        Ok(Constraint::all(columns.map(is_number).collect::<Vec<_>>()))
    }
}
