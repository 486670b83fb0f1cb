//! Desugaring of comparisons between two inputs, or of one input with a row.

use std::collections::BTreeSet;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::values::{CategorySet, Present, Range, ValueSet};
use treeproof_language::{Movement, Relation, Side, Variable};

use super::{BITS, CoordinateCondition, Desugared, Desugarer, ReferenceRow, number};
use crate::problem::domain::Domain;
use crate::problem::rename::CoordinateColumn;

/// The complement of a value set.
fn others(values: &ValueSet) -> ValueSet {
    ValueSet { present: values.present.complement(), missing: !values.missing }
}

impl Desugarer<'_> {
    /// The value sets that are compared as a whole: missing, each infinity, each category, and each value of a column of a
    /// group.
    pub(super) fn apart(&self, places: [CoordinateColumn; 2]) -> Vec<ValueSet> {
        if self.is_bit(places[0]) {
            return BITS.map(number).to_vec();
        }
        let mut codes = BTreeSet::new();
        let (mut has_unknown, mut may_be_missing) = (false, false);
        let mut infinite = vec![];
        for domain in places.map(|place| self.domain(place)) {
            may_be_missing |= domain.may_be_missing();
            match domain {
                Domain::Numbers { numbers, .. } => {
                    let ends = numbers.ends().map(|(low, high)| [low, high]);
                    infinite.extend(ends.into_iter().flatten().filter(|end| end.is_infinite()));
                }
                Domain::Categories { codes: known, unknown, .. } => {
                    codes.extend(known.iter().copied());
                    has_unknown |= *unknown;
                }
            }
        }
        let is_category = self.is_category(places[0]);
        let category = |codes: CategorySet| ValueSet::of(Present::Categories(codes));
        let mut apart: Vec<ValueSet> = infinite.into_iter().map(number).collect();
        apart.extend(codes.iter().map(|code| category(CategorySet::Only(BTreeSet::from([*code])))));
        // All values that are no category are alike.
        apart.extend(has_unknown.then(|| category(CategorySet::Except(codes))));
        let every = if is_category { Present::every_category() } else { Present::every_number() };
        apart.extend(may_be_missing.then(|| ValueSet { present: every.nothing(), missing: true }));
        apart
    }

    /// True if all values but missing ones are compared as a whole.
    pub(super) fn is_whole(&self, place: CoordinateColumn) -> bool {
        self.is_category(place) || self.is_bit(place)
    }

    /// The coordinate of a feature, and the values equal to the reference's.
    pub(super) fn own(&self, feature: usize, reference: ReferenceRow<'_>) -> (CoordinateColumn, ValueSet) {
        let place = self.renamed.place(Variable { side: Side::Only, feature });
        let every = if self.is_category(place) { Present::every_category() } else { Present::every_number() };
        let category = |codes: CategorySet| ValueSet::of(Present::Categories(codes));
        let own = match reference.readings[feature] {
            Reading::Missing => ValueSet { present: every.nothing(), missing: true },
            Reading::Number(_) => number(reference.row[feature]),
            Reading::Category(code) => category(CategorySet::Only(BTreeSet::from([code]))),
            Reading::NoCategory => match self.domain(place) {
                Domain::Categories { codes, .. } => category(CategorySet::Except(codes.iter().copied().collect())),
                Domain::Numbers { .. } => ValueSet::of(every.nothing()),
            },
        };
        (place, own)
    }

    pub(super) fn same(&self, feature: usize) -> Desugared {
        if let Some(reference) = self.reference {
            let (place, own) = self.own(feature, reference);
            return Desugared::values(place, own);
        }
        let [first, second] = self.both(feature);
        if first == second {
            return Desugared::All(vec![]);
        }
        let alike = |values: ValueSet| {
            Desugared::All(vec![Desugared::values(first, values.clone()), Desugared::values(second, values)])
        };
        let mut cases: Vec<Desugared> = self.apart([first, second]).into_iter().map(alike).collect();
        if !self.is_whole(first) {
            cases.push(difference(first, second, Relation::Equal));
        }
        Desugared::Any(cases)
    }

    pub(super) fn differs(&self, feature: usize) -> Desugared {
        if let Some(reference) = self.reference {
            let (place, own) = self.own(feature, reference);
            return Desugared::values(place, others(&own));
        }
        let [first, second] = self.both(feature);
        if first == second {
            return Desugared::Any(vec![]);
        }
        let mut cases = vec![];
        for values in self.apart([first, second]) {
            for (one, other) in [(first, second), (second, first)] {
                let parts = vec![Desugared::values(one, values.clone()), Desugared::values(other, others(&values))];
                cases.push(Desugared::All(parts));
            }
            if self.is_whole(first) && !values.missing {
                // The first is in one of these sets, whatever the second is: once is enough.
                cases.pop();
            }
        }
        if !self.is_whole(first) {
            cases.extend([difference(first, second, Relation::Below), difference(second, first, Relation::Below)]);
        }
        Desugared::Any(cases)
    }

    /// The order of a number relative to the reference. Both missing is equal.
    pub(super) fn moved(&self, feature: usize, direction: Movement) -> Desugared {
        let is_strict = matches!(direction, Movement::Above | Movement::Below);
        let rises = matches!(direction, Movement::AtLeast | Movement::Above);
        if let Some(reference) = self.reference {
            let place = self.renamed.place(Variable { side: Side::Only, feature });
            let own = reference.row[feature];
            let range = match direction {
                Movement::AtLeast => Range { low: own, high: f64::INFINITY },
                Movement::Above => Range { low: own.next_up(), high: f64::INFINITY },
                Movement::AtMost => Range { low: f64::NEG_INFINITY, high: own },
                Movement::Below => Range { low: f64::NEG_INFINITY, high: own.next_down() },
            };
            let is_missing = reference.readings[feature] == Reading::Missing;
            // Nothing is beyond infinity, but its neighbour is itself.
            let is_beyond = is_missing || (is_strict && (range.low == own || range.high == own));
            let present = Present::numbers(Some(range).filter(|_| !is_beyond));
            return Desugared::values(place, ValueSet { present, missing: is_missing && !is_strict });
        }
        let [before, after] = self.both(feature);
        let [low, high] = if rises { [before, after] } else { [after, before] };
        self.in_order(low, high, is_strict)
    }

    /// The second of two coordinates of numbers is not below the first, or is above it if `is_strict`. Missing is equal to
    /// missing alone.
    pub(super) fn in_order(&self, low: CoordinateColumn, high: CoordinateColumn, is_strict: bool) -> Desugared {
        if low == high {
            return if is_strict { Desugared::Any(vec![]) } else { Desugared::All(vec![]) };
        }
        if self.is_bit(low) {
            let parts = vec![Desugared::values(low, number(0.0)), Desugared::values(high, number(1.0))];
            return if is_strict { Desugared::All(parts) } else { Desugared::Any(parts) };
        }
        let relation = if is_strict { Relation::Below } else { Relation::AtMost };
        let mut cases = vec![difference(low, high, relation)];
        for values in self.apart([low, high]) {
            let both = |values: ValueSet| {
                Desugared::All(vec![Desugared::values(low, values.clone()), Desugared::values(high, values)])
            };
            if !is_strict {
                cases.push(both(values.clone()));
            }
            if !values.missing {
                let others = ValueSet::of(values.present.complement());
                let is_top = values.contains(f64::INFINITY, Reading::Number(f64::INFINITY));
                let [of_low, of_high] = if is_top { [others, values] } else { [values, others] };
                cases.push(Desugared::All(vec![Desugared::values(low, of_low), Desugared::values(high, of_high)]));
            }
        }
        Desugared::Any(cases)
    }
}

/// The difference of two coordinates compared with zero.
fn difference(first: CoordinateColumn, second: CoordinateColumn, relation: Relation) -> Desugared {
    let terms = vec![(Exact::one(), first), (Exact::one().negated(), second)];
    Desugared::Leaf(CoordinateCondition::Sum { terms, relation, constant: Exact::zero() })
}
