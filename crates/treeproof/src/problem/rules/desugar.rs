//! Desugar pass: conditions become conditions on coordinates, of which only value sets, sums, multiples, counts and all/any
//! are left.

mod comparison;

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::values::{Present, Range, ValueSet};
use treeproof_language::{Constraint, Linear, Relation, Side, Variable};

use super::formula::{CountedChoice, Formula};
use crate::problem::domain::Domain;
use crate::problem::number_set::NumberSet;
use crate::problem::rename::{CoordinateColumn, Renamed};

/// Values of a column of a group.
const BITS: [f64; 2] = [0.0, 1.0];

/// A condition on coordinates.
pub(in crate::problem) type Desugared = Formula<CoordinateCondition>;

/// A condition on coordinates by itself.
#[derive(Clone, Debug)]
pub(in crate::problem) enum CoordinateCondition {
    /// A coordinate, in a reader's codes, has one of these values.
    Values(CoordinateColumn, ValueSet),
    /// A coordinate is, or is not, a multiple of a step.
    Multiple { place: CoordinateColumn, step: Exact, is_negated: bool },
    /// A sum of coordinates compares with a number. Each occurs once, but for the columns of a group.
    Sum { terms: Vec<(Exact, CoordinateColumn)>, relation: Relation, constant: Exact },
}

/// A row with which conditions compare an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceRow<'a> {
    pub(crate) row: &'a [f64],
    /// The row as the model's library reads it.
    pub(crate) readings: &'a [Reading],
}

impl Desugared {
    /// The condition that a coordinate has one of these values.
    fn values(place: CoordinateColumn, values: ValueSet) -> Self {
        Self::Leaf(CoordinateCondition::Values(place, values))
    }

    /// Visits every coordinate of the condition, with the values that must be told apart.
    pub(in crate::problem) fn see(&self, see: &mut impl FnMut(CoordinateColumn, &ValueSet)) {
        self.visit(&mut |leaf| match leaf {
            CoordinateCondition::Values(place, values) => see(*place, values),
            // A sum with an infinite value never holds.
            CoordinateCondition::Sum { terms, .. } => terms.iter().for_each(|(_, place)| see(*place, &finite())),
            CoordinateCondition::Multiple { place, .. } => see(*place, &finite()),
        });
    }

    /// Visits every coordinate whose values matter besides their cells.
    pub(in crate::problem) fn see_valued(&self, see: &mut impl FnMut(usize)) {
        self.visit(&mut |leaf| match leaf {
            CoordinateCondition::Values(..) => {}
            CoordinateCondition::Sum { terms, .. } => terms.iter().for_each(|(_, place)| see(place.coordinate)),
            CoordinateCondition::Multiple { place, .. } => see(place.coordinate),
        });
    }

    fn is_never(&self) -> bool {
        match self {
            Self::Any(parts) => parts.iter().all(Self::is_never),
            Self::All(parts) => parts.iter().any(Self::is_never),
            _ => false,
        }
    }
}

/// The finite numbers.
pub(in crate::problem) fn finite() -> ValueSet {
    ValueSet::of(Present::numbers([Range { low: -f64::MAX, high: f64::MAX }]))
}

/// A number alone.
pub(in crate::problem) fn number(number: f64) -> ValueSet {
    ValueSet::of(Present::numbers([Range { low: number, high: number }]))
}

impl Renamed<'_> {
    /// Desugars conditions, and the order of inputs where values matter besides their cells.
    pub(in crate::problem) fn desugar(
        &self,
        constraints: &[&Constraint],
        reference: Option<ReferenceRow<'_>>,
    ) -> Vec<Desugared> {
        let desugarer = Desugarer { renamed: self, reference };
        let mut conditions: Vec<Desugared> =
            constraints.iter().map(|constraint| desugarer.desugar(constraint)).collect();
        // Values that matter besides their cells must be found in order too.
        let is_valued = self.valued(&conditions, false);
        for (first, second) in &self.ordered {
            if is_valued[*first] || is_valued[*second] {
                let [low, high] =
                    [first, second].map(|coordinate| CoordinateColumn { coordinate: *coordinate, reader: 0 });
                conditions.push(desugarer.in_order(low, high, false));
            }
        }
        conditions
    }

    /// The coordinates whose values matter besides their cells: those in sums, comparisons and grids; and of two inputs
    /// near each other, their counterparts, and features with different grids.
    pub(in crate::problem) fn valued(&self, conditions: &[Desugared], is_coupled: bool) -> Vec<bool> {
        let mut is_valued = vec![false; self.coordinates.len()];
        conditions.iter().for_each(|condition| condition.see_valued(&mut |coordinate| is_valued[coordinate] = true));
        for [first, second] in self.coupled.iter().filter(|_| is_coupled) {
            let domains = [first, second].map(|coordinate| &self.coordinates[*coordinate].readers[0].domain);
            let has_own_grids = match domains {
                [Domain::Numbers { numbers, .. }, Domain::Numbers { numbers: others, .. }] => {
                    numbers.steps() != others.steps()
                }
                _ => false,
            };
            let is_either = is_valued[*first] || is_valued[*second] || has_own_grids;
            (is_valued[*first], is_valued[*second]) = (is_either, is_either);
        }
        is_valued
    }
}

/// Translates conditions on features to conditions on coordinates.
struct Desugarer<'a> {
    renamed: &'a Renamed<'a>,
    reference: Option<ReferenceRow<'a>>,
}

impl Desugarer<'_> {
    fn desugar(&self, constraint: &Constraint) -> Desugared {
        let all = |parts: &[Constraint]| parts.iter().map(|part| self.desugar(part)).collect();
        match constraint {
            Constraint::All(parts) => Desugared::All(all(parts)),
            Constraint::Any(parts) => Desugared::Any(all(parts)),
            Constraint::Values(variable, values) => Desugared::values(self.renamed.place(*variable), values.clone()),
            Constraint::Multiple { variable, step, is_negated } => {
                let place = self.renamed.place(*variable);
                if self.is_bit(place) {
                    let of_step = |bit: f64| NumberSet::new([Range { low: bit, high: bit }], vec![step.clone()]);
                    let bits = BITS.into_iter().filter(|bit| of_step(*bit).is_empty() == *is_negated);
                    let bits = bits.map(|bit| Range { low: bit, high: bit });
                    return Desugared::values(place, ValueSet::of(Present::numbers(bits)));
                }
                Desugared::Leaf(CoordinateCondition::Multiple { place, step: step.clone(), is_negated: *is_negated })
            }
            Constraint::Linear(linear) => self.sum(linear),
            Constraint::Count { columns, number: range } => {
                let choice = |column: &Variable| {
                    let place = self.renamed.place(*column);
                    let zero = number(0.0);
                    CountedChoice {
                        yes: Desugared::values(place, ValueSet::of(zero.present.complement())),
                        no: Desugared::values(place, ValueSet { missing: true, ..zero }),
                    }
                };
                Desugared::Count { choices: columns.iter().map(choice).collect(), number: *range }
            }
            Constraint::Same { feature, is_negated: false } => self.same(*feature),
            Constraint::Same { feature, is_negated: true } => self.differs(*feature),
            Constraint::Moved { feature, direction } => self.moved(*feature, *direction),
            Constraint::Changed { units, number } => {
                let choice = |unit: &Vec<usize>| CountedChoice {
                    yes: Desugared::Any(unit.iter().map(|feature| self.differs(*feature)).collect()),
                    no: Desugared::All(unit.iter().map(|feature| self.same(*feature)).collect()),
                };
                // A unit that both inputs share does not change.
                let choices = units.iter().map(choice).filter(|choice| !choice.yes.is_never()).collect();
                Desugared::Count { choices, number: *number }
            }
        }
    }

    /// The coordinates of a feature at both inputs.
    fn both(&self, feature: usize) -> [CoordinateColumn; 2] {
        [Side::A, Side::B].map(|side| self.renamed.place(Variable { side, feature }))
    }

    fn domain(&self, place: CoordinateColumn) -> &Domain {
        &self.renamed.coordinates[place.coordinate].readers[place.reader].domain
    }

    /// True for a column of a group, whose cells say what it is.
    fn is_bit(&self, place: CoordinateColumn) -> bool {
        self.renamed.coordinates[place.coordinate].choices.is_some()
    }

    /// A sum over coordinates; two inputs may share one.
    fn sum(&self, Linear { terms, relation, constant }: &Linear) -> Desugared {
        let mut merged: BTreeMap<CoordinateColumn, Exact> = BTreeMap::new();
        for (coefficient, variable) in terms {
            let sum = merged.entry(self.renamed.place(*variable)).or_insert_with(Exact::zero);
            *sum = sum.plus(coefficient);
        }
        let (zeros, terms): (Vec<_>, Vec<_>) =
            merged.into_iter().partition(|(_, coefficient)| *coefficient == Exact::zero());
        let mut parts: Vec<Desugared> =
            zeros.into_iter().map(|(place, _)| Desugared::values(place, finite())).collect();
        if !terms.is_empty() {
            let terms = terms.into_iter().map(|(place, coefficient)| (coefficient, place)).collect();
            let constant = constant.clone();
            parts.push(Desugared::Leaf(CoordinateCondition::Sum { terms, relation: *relation, constant }));
        } else if !relation.holds(&Exact::zero(), constant) {
            parts.push(Desugared::Any(vec![]));
        }
        Desugared::All(parts)
    }

    fn is_category(&self, place: CoordinateColumn) -> bool {
        matches!(self.domain(place), Domain::Categories { .. })
    }
}
