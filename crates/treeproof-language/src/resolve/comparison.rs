//! Comparisons and sets: of categories, of numbers, of the number of changes.

use std::collections::BTreeSet;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{CategorySet, Present, Range, ValueSet};

use super::Resolver;
use crate::constraint::{Constraint, CountRange};
use crate::error::LanguageError;
use crate::expression::{Arithmetic, FeatureName, NamePattern, Operator, Position, Sign, WrittenValue};
use crate::linear::PiecewiseLinear;
use crate::suggest::quote;
use crate::vocabulary::Inputs;

/// Each magnitude doubles the number of cases.
const MAX_MAGNITUDES: usize = 8;

impl Resolver<'_, '_> {
    pub(super) fn comparison(
        &mut self,
        left: &Arithmetic,
        sign: Sign,
        right: &Arithmetic,
    ) -> Result<Constraint, LanguageError> {
        for (one, sign, other) in [(left, sign, right), (right, sign.mirrored(), left)] {
            match one {
                Arithmetic::Changed { names, at } => return self.changed(names, *at, sign, other),
                Arithmetic::Distance { at, .. } => return Err(self.distance_within(*at)),
                Arithmetic::Name(name) if self.has_categories(name) => return self.category(name, sign, other),
                Arithmetic::Name(name) => {
                    if let Some(group) = self.vocabulary.group(name) {
                        return self.group(group, name.at, sign, other);
                    }
                }
                _ => {}
            }
        }
        let form = self.form(left)?.plus(self.form(right)?.negated());
        let variables = form.variables();
        if variables.is_empty() {
            return Err(self.error(left.at(), "the comparison names no feature"));
        }
        if form.magnitudes.len() > MAX_MAGNITUDES {
            let what = format!("more than {MAX_MAGNITUDES} times `abs` in one comparison");
            return Err(self.error(left.at(), what));
        }
        Ok(self.unless_excused(form.compared(sign), &variables))
    }

    pub(super) fn membership(
        &mut self,
        name: &FeatureName,
        is_negated: bool,
        values: &[WrittenValue],
    ) -> Result<Constraint, LanguageError> {
        if let Some((side, group)) = self.vocabulary.group(name) {
            return self.group_membership(side, group, (is_negated, name.at), values);
        }
        let variable = self.named_variable(name)?;
        let code = |value: &WrittenValue| self.place(value.at, self.vocabulary.category(variable.feature, value));
        let present = match self.vocabulary.feature(variable.feature).is_category() {
            true => {
                let codes: BTreeSet<u32> = values.iter().map(code).collect::<Result<_, _>>()?;
                Present::Categories(CategorySet::Only(codes))
            }
            false => {
                let mut points = vec![];
                for value in values {
                    let Some(number) = value.number else {
                        code(value)?;
                        continue;
                    };
                    // Adding zero makes +0 of −0.
                    points.push(Range { low: number + 0.0, high: number + 0.0 });
                }
                Present::numbers(points)
            }
        };
        let present = if is_negated { present.complement() } else { present };
        Ok(self.unless_excused(Constraint::Values(variable, ValueSet::of(present)), &[variable]))
    }

    fn has_categories(&self, name: &FeatureName) -> bool {
        self.vocabulary.find(name).is_some_and(|(_, feature)| self.vocabulary.feature(feature).is_category())
    }

    /// `colour == red`, `a.colour != b.colour`.
    fn category(&mut self, name: &FeatureName, sign: Sign, other: &Arithmetic) -> Result<Constraint, LanguageError> {
        let is_negated = sign == Sign::NotEqual;
        let Some(value) = value(other).filter(|_| is_negated || sign == Sign::Equal) else {
            return Err(self.no_number(name));
        };
        let feature_of = |name: &FeatureName| self.place(name.at, self.vocabulary.variable(&self.condition.text, name));
        let (side, feature) = feature_of(name)?;
        if let Arithmetic::Name(second) = other
            && self.vocabulary.category(feature, &value).is_err()
            && self.has_categories(second)
        {
            let (second_side, second_feature) = feature_of(second)?;
            if side.is_none() || second_side.is_none() || side == second_side || feature != second_feature {
                let what = "categories can be compared with the same feature of the other input only";
                return Err(self.error(second.at, what));
            }
            let variables =
                [(side, name), (second_side, second)].map(|(side, name)| self.variable(side, feature, name.at));
            let there = variables.map(|variable| self.is_there(variable));
            let same = Constraint::all(there.into_iter().chain([Constraint::Same { feature, is_negated }]));
            return Ok(self.unless_excused(same, &variables));
        }
        self.membership(name, is_negated, &[value])
    }

    /// `changed <= 3`: the other side must be a number.
    fn changed(
        &mut self,
        names: &[NamePattern],
        at: Position,
        sign: Sign,
        other: &Arithmetic,
    ) -> Result<Constraint, LanguageError> {
        self.needs_reference("changed", at)?;
        let units = self.units(names)?;
        let limit = self.form(other)?;
        if !limit.is_constant() {
            return Err(self.error(other.at(), "`changed` can be compared with a number only"));
        }
        let limit = limit.constant;
        let statement = |number| Constraint::Changed { units: units.clone(), number };
        let range = |low: Option<usize>, high: Option<usize>| {
            let number = CountRange { at_least: low.unwrap_or(0), at_most: high.unwrap_or(usize::MAX) };
            statement(number)
        };
        let (floor, ceil) = (limit.floor(), limit.negated().floor().negated());
        let below = |limit: &Exact| whole(limit).map_or(Constraint::NEVER, |limit| range(None, Some(limit)));
        let above = |limit: &Exact| range(whole(limit), None);
        Ok(match sign {
            Sign::AtMost => below(&floor),
            Sign::Below => below(&ceil.minus(&Exact::one())),
            Sign::AtLeast => above(&ceil),
            Sign::Above => above(&floor.plus(&Exact::one())),
            Sign::Equal if floor == ceil => {
                whole(&floor).map_or(Constraint::NEVER, |limit| range(Some(limit), Some(limit)))
            }
            Sign::NotEqual if floor == ceil => whole(&floor).map_or(Constraint::ALWAYS, |limit| {
                Constraint::outside(CountRange { at_least: limit, at_most: limit }, statement)
            }),
            Sign::Equal => Constraint::NEVER,
            Sign::NotEqual => Constraint::ALWAYS,
        })
    }

    pub(super) fn form(&mut self, arithmetic: &Arithmetic) -> Result<PiecewiseLinear, LanguageError> {
        match arithmetic {
            Arithmetic::Value(value) => match value.number {
                Some(number) => Ok(PiecewiseLinear::constant(Exact::from_f64(number).unwrap_or_else(Exact::zero))),
                None => Err(self.error(value.at, format!("{} is not a number", quote(&value.text)))),
            },
            Arithmetic::Name(name) => {
                let variable = self.named_variable(name)?;
                match self.vocabulary.feature(variable.feature).is_category() {
                    true => Err(self.no_number(name)),
                    false => Ok(PiecewiseLinear::variable(variable)),
                }
            }
            Arithmetic::Changed { at, .. } => {
                Err(self.error(*at, "`changed` can only be compared with a number, not be part of a sum"))
            }
            Arithmetic::Distance { at, .. } => {
                Err(self.error(*at, "`distance` can only be compared with a number, not be part of a sum"))
            }
            Arithmetic::Abs(of, at) => {
                let form = self.form(of)?;
                match form.magnitudes.is_empty() {
                    true => Ok(form.magnitude()),
                    false => Err(self.error(*at, "`abs` within `abs`")),
                }
            }
            Arithmetic::Negative(of) => self.form(of).map(PiecewiseLinear::negated),
            Arithmetic::Operation { first, rest } => {
                let mut result = self.form(first)?;
                for (operator, next) in rest {
                    let form = self.form(next)?;
                    result = match operator {
                        Operator::Plus => result.plus(form),
                        Operator::Minus => result.plus(form.negated()),
                        Operator::Times if form.is_constant() => result.times(&form.constant),
                        Operator::Times if result.is_constant() => form.times(&result.constant),
                        Operator::Times => return Err(self.error(next.at(), "a product of features is not linear")),
                        Operator::Over if !form.is_constant() => {
                            return Err(self.error(next.at(), "only numbers can divide"));
                        }
                        Operator::Over => match inverse(&form.constant) {
                            Some(inverse) => result.times(&inverse),
                            None => return Err(self.error(next.at(), "division by zero")),
                        },
                    };
                }
                Ok(result)
            }
        }
    }

    fn no_number(&self, name: &FeatureName) -> LanguageError {
        let what = format!("{} has categories, which have no order; write `in {{…}}`", quote(&name.text));
        self.error(name.at, what)
    }

    pub(super) fn needs_reference(&self, word: &str, at: Position) -> Result<(), LanguageError> {
        match self.vocabulary.inputs() {
            Inputs::One => Err(self.error(
                at,
                format!("`{word}` compares with a row, which `robust` and `closest` have, but not this question"),
            )),
            Inputs::WithReference | Inputs::Two => Ok(()),
        }
    }
}

/// The value that may name a category.
pub(super) fn value(arithmetic: &Arithmetic) -> Option<WrittenValue> {
    match arithmetic {
        Arithmetic::Value(value) => Some(value.clone()),
        Arithmetic::Name(name) => Some(WrittenValue { text: name.text.clone(), number: None, at: name.at }),
        _ => None,
    }
}

fn inverse(number: &Exact) -> Option<Exact> {
    let inverse = (*number != Exact::zero()).then(|| Exact::one().divided_by(&number.magnitude()))?;
    Some(if *number < Exact::zero() { inverse.negated() } else { inverse })
}

/// An integer as a count, unless negative.
fn whole(number: &Exact) -> Option<usize> {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "casts saturate, and no row is so long"
    )]
    (*number >= Exact::zero()).then(|| number.to_f64() as usize)
}
