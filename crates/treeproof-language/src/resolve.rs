//! Resolution of conditions to constraints on a model's inputs.
//!
//! Negations are pushed to the comparisons, so `not (age > 30)` means `age <= 30`: a missing age meets neither. Where
//! `maybemissing(age)` permits it, a missing age meets both.

mod comparison;
mod distance;
mod group;
mod statement;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use treeproof_ensemble::values::{Present, ValueSet};

use super::conjunct::Conjunct;
use super::constraint::{Constraint, DistanceLimit, Variable};
use super::error::LanguageError;
use super::expression::{Condition, FeatureName, Formula, NamePattern, Position, Property, Side};
use super::vocabulary::{Inputs, NamedColumns, Vocabulary};

/// Conditions resolved for a model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Resolved {
    /// All of these must hold.
    pub conjuncts: Vec<Conjunct>,
    /// Variables that may be missing because `maybemissing` or `missing` names them.
    pub may_be_missing: BTreeSet<Variable>,
    /// Bounds on the distance from the reference, which only the question can measure.
    pub bounds: Vec<DistanceLimit>,
}

impl Resolved {
    /// Finds the features and categories that conditions name.
    ///
    /// In a question about two inputs, a part without sides holds for each of them.
    pub fn new(conditions: &[Condition], vocabulary: &Vocabulary<'_>) -> Result<Self, LanguageError> {
        let mut resolved = Self::default();
        let mut parts: Vec<(usize, &Formula)> = vec![];
        for (index, condition) in conditions.iter().enumerate() {
            for part in conjuncts(&condition.formula) {
                match part {
                    Formula::Statement { property: Property::MaybeMissing, names, .. } => {
                        resolved.may_be_missing.extend(permitted(vocabulary, condition, names)?);
                    }
                    _ => parts.push((index, part)),
                }
            }
        }
        let excused = resolved.may_be_missing.clone();
        for (index, part) in parts {
            let mut resolver = Resolver {
                vocabulary,
                condition: &conditions[index],
                excused: &excused,
                side: vocabulary.inputs().sides()[0],
                without_side: None,
                has_side: false,
                may_be_missing: &mut resolved.may_be_missing,
            };
            if let Some(bound) = resolver.bound(part)? {
                resolved.bounds.push(bound);
                continue;
            }
            let constraint = resolver.part(part)?;
            resolved.conjuncts.push(Conjunct { constraint, condition: index });
        }
        Ok(resolved)
    }

    /// The conjunction of all parts.
    pub fn constraint(&self) -> Constraint {
        Constraint::all(self.conjuncts.iter().map(|conjunct| conjunct.constraint.clone()))
    }
}

/// The parts of a top-level conjunction.
fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::And(parts) => parts.iter().flat_map(conjuncts).collect(),
        part => vec![part],
    }
}

/// The variables that `maybemissing` names.
fn permitted(
    vocabulary: &Vocabulary<'_>,
    condition: &Condition,
    names: &[NamePattern],
) -> Result<Vec<Variable>, LanguageError> {
    let mut variables = vec![];
    for names in names {
        let all = vocabulary.named(&condition.text, names).map_err(|what| condition.error(names.at(), what))?;
        for NamedColumns { side, columns, at } in all {
            let sides = side.as_ref().map_or(vocabulary.inputs().sides(), std::slice::from_ref);
            for feature in columns {
                vocabulary.can_be_missing(feature).map_err(|what| condition.error(at, what))?;
                variables.extend(sides.iter().map(|side| Variable { side: *side, feature }));
            }
        }
    }
    Ok(variables)
}

/// The resolution of one part of a condition.
struct Resolver<'a, 'm> {
    vocabulary: &'a Vocabulary<'m>,
    condition: &'a Condition,
    /// Variables under `maybemissing`: comparisons hold where they are missing.
    excused: &'a BTreeSet<Variable>,
    /// The input of names without a side.
    side: Side,
    /// The position of a name without a side.
    without_side: Option<Position>,
    /// True if some name has a side.
    has_side: bool,
    may_be_missing: &'a mut BTreeSet<Variable>,
}

impl Resolver<'_, '_> {
    fn part(&mut self, part: &Formula) -> Result<Constraint, LanguageError> {
        let constraint = self.formula(part, false)?;
        match self.without_side {
            Some(_) if self.vocabulary.inputs() != Inputs::Two => Ok(constraint),
            Some(at) if self.has_side => {
                Err(self.error(at, "say which input is meant here: `a.…` or `b.…`, as the other names do"))
            }
            Some(_) => {
                self.side = Side::B;
                Ok(Constraint::all([constraint, self.formula(part, false)?]))
            }
            None => Ok(constraint),
        }
    }

    fn formula(&mut self, formula: &Formula, is_negated: bool) -> Result<Constraint, LanguageError> {
        match formula {
            Formula::And(parts) => self.parts(parts, is_negated, !is_negated),
            Formula::Or(parts) => self.parts(parts, is_negated, is_negated),
            Formula::Not(of) => self.formula(of, !is_negated),
            Formula::Implies(left, right) => {
                let both = [self.formula(left, !is_negated)?, self.formula(right, is_negated)?];
                Ok(joined(both, is_negated))
            }
            Formula::Comparison { first, rest } => {
                let mut left = first;
                let mut parts = vec![];
                for (sign, right) in rest {
                    let sign = if is_negated { sign.negated() } else { *sign };
                    parts.push(self.comparison(left, sign, right)?);
                    left = right;
                }
                Ok(joined(parts, !is_negated))
            }
            Formula::Membership { name, is_negated: is_not_in, values } => {
                self.membership(name, *is_not_in != is_negated, values)
            }
            Formula::Statement { property, names, at } => self.statement(property, names, *at, is_negated),
        }
    }

    fn parts(&mut self, parts: &[Formula], is_negated: bool, is_all: bool) -> Result<Constraint, LanguageError> {
        let parts: Vec<Constraint> =
            parts.iter().map(|part| self.formula(part, is_negated)).collect::<Result<_, _>>()?;
        Ok(joined(parts, is_all))
    }

    /// A feature as a variable, on the written side or else the default one.
    fn variable(&mut self, side: Option<Side>, feature: usize, at: Position) -> Variable {
        match side {
            Some(_) => self.has_side = true,
            None => self.without_side = Some(at),
        }
        Variable { side: side.unwrap_or(self.side), feature }
    }

    /// A statement about values, true as well if excused variables are missing and the others are not.
    fn unless_excused(&self, constraint: Constraint, variables: &[Variable]) -> Constraint {
        let (excused, others): (Vec<Variable>, Vec<Variable>) =
            variables.iter().partition(|variable| self.excused.contains(variable));
        if excused.is_empty() {
            return constraint;
        }
        let missing = Constraint::any(excused.into_iter().map(|variable| self.is_missing(variable)));
        let there = others.into_iter().map(|variable| self.is_there(variable));
        Constraint::any([constraint, Constraint::all(std::iter::once(missing).chain(there))])
    }

    fn is_missing(&self, variable: Variable) -> Constraint {
        let present = self.every_value(variable.feature).nothing();
        Constraint::Values(variable, ValueSet { present, missing: true })
    }

    fn is_there(&self, variable: Variable) -> Constraint {
        Constraint::Values(variable, ValueSet::of(self.every_value(variable.feature)))
    }

    fn every_value(&self, feature: usize) -> Present {
        match self.vocabulary.feature(feature).is_category() {
            true => Present::every_category(),
            false => Present::every_number(),
        }
    }

    /// The feature that a name means, as a variable.
    fn named_variable(&mut self, name: &FeatureName) -> Result<Variable, LanguageError> {
        let (side, feature) = self.place(name.at, self.vocabulary.variable(&self.condition.text, name))?;
        Ok(self.variable(side, feature, name.at))
    }

    /// A result with its error, if it is one, at a place in the condition.
    fn place<T>(&self, at: Position, result: Result<T, String>) -> Result<T, LanguageError> {
        result.map_err(|what| self.error(at, what))
    }

    fn error(&self, at: Position, what: impl Into<String>) -> LanguageError {
        self.condition.error(at, what)
    }
}

fn joined(parts: impl IntoIterator<Item = Constraint>, is_all: bool) -> Constraint {
    if is_all { Constraint::all(parts) } else { Constraint::any(parts) }
}
