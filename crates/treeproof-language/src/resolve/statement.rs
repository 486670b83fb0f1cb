//! Resolution of properties of features.

use std::collections::BTreeSet;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{Present, Range, ValueSet};

use super::{Resolver, joined};
use crate::constraint::{Constraint, CountRange, Movement, Variable};
use crate::error::LanguageError;
use crate::expression::{NamePattern, Position, Property, WrittenValue};
use crate::suggest::quote;
use crate::vocabulary::NamedColumns;

impl Resolver<'_, '_> {
    pub(super) fn statement(
        &mut self,
        property: &Property,
        names: &[NamePattern],
        at: Position,
        is_negated: bool,
    ) -> Result<Constraint, LanguageError> {
        match property {
            Property::OneHot => self.one_hot(names, is_negated),
            Property::AtMost(count) => self.count(names, CountRange { at_least: 0, at_most: *count }, is_negated),
            Property::AtLeast(count) => {
                self.count(names, CountRange { at_least: *count, at_most: usize::MAX }, is_negated)
            }
            Property::Exactly(count) => self.count(names, CountRange { at_least: *count, at_most: *count }, is_negated),
            Property::Integer => self.multiples(names, &Exact::one(), is_negated),
            Property::Step(size) => {
                let step = self.step(size)?;
                self.multiples(names, &step, is_negated)
            }
            Property::Missing => self.missing(names, is_negated),
            Property::MaybeMissing => {
                Err(self.error(at, "`maybemissing` permits: it cannot be part of `or`, `not` or `implies`"))
            }
            Property::Fixed => {
                self.needs_reference("fixed", at)?;
                self.each(names, is_negated, |this, named| {
                    this.without_sides(named)?;
                    let same = |feature: &usize| Constraint::Same { feature: *feature, is_negated };
                    Ok(joined(named.columns.iter().map(same), !is_negated))
                })
            }
            Property::OnlyIncrease => {
                self.needs_reference("onlyincrease", at)?;
                self.moved(names, if is_negated { Movement::Below } else { Movement::AtLeast }, is_negated)
            }
            Property::OnlyDecrease => {
                self.needs_reference("onlydecrease", at)?;
                self.moved(names, if is_negated { Movement::Above } else { Movement::AtMost }, is_negated)
            }
        }
    }

    fn moved(
        &mut self,
        names: &[NamePattern],
        direction: Movement,
        is_negated: bool,
    ) -> Result<Constraint, LanguageError> {
        let sides = self.vocabulary.inputs().sides();
        self.each(names, is_negated, |this, named| {
            let feature = this.one_number(named)?;
            this.without_sides(named)?;
            let variables: Vec<_> = sides.iter().map(|side| Variable { side: *side, feature }).collect();
            Ok(this.unless_excused(Constraint::Moved { feature, direction }, &variables))
        })
    }

    fn one_hot(&mut self, names: &[NamePattern], is_negated: bool) -> Result<Constraint, LanguageError> {
        let count = self.count(names, CountRange { at_least: 1, at_most: 1 }, is_negated)?;
        let bits = Present::numbers([0.0, 1.0].map(|bit| Range { low: bit, high: bit }));
        let bits = ValueSet::of(if is_negated { bits.complement() } else { bits });
        let columns = self.columns(names)?.into_iter();
        let bits = columns.map(|column| self.unless_excused(Constraint::Values(column, bits.clone()), &[column]));
        Ok(joined(std::iter::once(count).chain(bits), !is_negated))
    }

    fn count(
        &mut self,
        names: &[NamePattern],
        number: CountRange,
        is_negated: bool,
    ) -> Result<Constraint, LanguageError> {
        let columns = self.columns(names)?;
        let statement = |number| Constraint::Count { columns: columns.clone(), number };
        Ok(if is_negated { Constraint::outside(number, statement) } else { statement(number) })
    }

    fn multiples(
        &mut self,
        names: &[NamePattern],
        step: &Exact,
        is_negated: bool,
    ) -> Result<Constraint, LanguageError> {
        self.each(names, is_negated, |this, named| {
            let feature = this.one_number(named)?;
            let variable = this.variable(named.side, feature, named.at);
            let multiple = Constraint::Multiple { variable, step: step.clone(), is_negated };
            Ok(this.unless_excused(multiple, &[variable]))
        })
    }

    /// The step as the exact decimal: no double is a tenth.
    fn step(&self, size: &WrittenValue) -> Result<Exact, LanguageError> {
        let step = Exact::from_decimal(&size.text).filter(|step| *step > Exact::zero());
        step.ok_or_else(|| self.error(size.at, "a step must be above 0"))
    }

    fn missing(&mut self, names: &[NamePattern], is_negated: bool) -> Result<Constraint, LanguageError> {
        self.each(names, is_negated, |this, named| {
            let mut parts = vec![];
            for feature in &named.columns {
                this.place(named.at, this.vocabulary.can_be_missing(*feature))?;
                let variable = this.variable(named.side, *feature, named.at);
                if is_negated {
                    parts.push(this.is_there(variable));
                } else {
                    this.may_be_missing.insert(variable);
                    parts.push(this.is_missing(variable));
                }
            }
            Ok(joined(parts, !is_negated))
        })
    }

    /// A statement about each of the named, all of which must hold; negated, one of them.
    fn each(
        &mut self,
        names: &[NamePattern],
        is_negated: bool,
        part: impl Fn(&mut Self, &NamedColumns) -> Result<Constraint, LanguageError>,
    ) -> Result<Constraint, LanguageError> {
        let parts = self.all_named(names)?.iter().map(|named| part(self, named)).collect::<Result<Vec<_>, _>>()?;
        Ok(joined(parts, !is_negated))
    }

    /// The counted 0/1 columns, each once.
    fn columns(&mut self, names: &[NamePattern]) -> Result<Vec<Variable>, LanguageError> {
        let mut columns = vec![];
        let mut known = BTreeSet::new();
        for named in self.all_named(names)? {
            for feature in &named.columns {
                self.must_be_numeric(*feature, named.at)?;
                let variable = self.variable(named.side, *feature, named.at);
                if known.insert(variable) {
                    columns.push(variable);
                }
            }
        }
        Ok(columns)
    }

    /// The units of a count of changes: the named features and groups, or all.
    pub(super) fn units(&mut self, names: &[NamePattern]) -> Result<Vec<Vec<usize>>, LanguageError> {
        let mut features = vec![];
        for named in self.all_named(names)? {
            self.without_sides(&named)?;
            features.extend(named.columns);
        }
        if names.is_empty() {
            features.extend(0..self.vocabulary.num_features());
        }
        let groups = self.vocabulary.groups();
        let mut units: Vec<Vec<usize>> = vec![];
        let mut known = BTreeSet::new();
        for feature in features {
            let unit = groups.of(feature).map_or_else(|| vec![feature], |group| group.columns.clone());
            if known.insert(unit[0]) {
                units.push(unit);
            }
        }
        Ok(units)
    }

    fn all_named(&self, names: &[NamePattern]) -> Result<Vec<NamedColumns>, LanguageError> {
        let named =
            names.iter().map(|names| self.place(names.at(), self.vocabulary.named(&self.condition.text, names)));
        Ok(named.collect::<Result<Vec<_>, _>>()?.concat())
    }

    /// A name that must mean one numeric feature.
    fn one_number(&self, named: &NamedColumns) -> Result<usize, LanguageError> {
        let [feature] = named.columns[..] else {
            return Err(self.error(named.at, "a group of columns has no order: `fixed` and `changed` may name it"));
        };
        self.must_be_numeric(feature, named.at)?;
        Ok(feature)
    }

    fn must_be_numeric(&self, feature: usize, at: Position) -> Result<(), LanguageError> {
        let feature = self.vocabulary.feature(feature);
        match feature.is_category() {
            true => Err(self.error(at, format!("{} has categories, not numbers", quote(&feature.name)))),
            false => Ok(()),
        }
    }

    fn without_sides(&self, named: &NamedColumns) -> Result<(), LanguageError> {
        match named.side {
            Some(_) => Err(self.error(named.at, "this compares both inputs; write the name without `a.` or `b.`")),
            None => Ok(()),
        }
    }
}
