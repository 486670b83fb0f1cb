//! Conditions in terms of coordinates: what compares inputs is spelt out, so that sums, values, multiples and counts are
//! all that is left.

use std::collections::{BTreeMap, BTreeSet};

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::values::{CategorySet, Present, Range, ValueSet};
use treeproof_language::{Constraint, CountRange, Direction, Linear, Relation, Side, Variable};

use crate::problem::domain::Domain;
use crate::problem::number_set::NumberSet;
use crate::problem::rename::{CoordinateColumn, Renamed};

/// What a column of a group may be.
const BITS: [f64; 2] = [0.0, 1.0];

/// A condition on coordinates.
#[derive(Clone, Debug)]
pub(in crate::problem) enum Desugared {
    /// All of these hold.
    All(Vec<Desugared>),
    /// One of these holds at least.
    Any(Vec<Desugared>),
    /// A coordinate, as a reader has it, is among these values.
    Values(CoordinateColumn, ValueSet),
    /// A coordinate is, or is not, a multiple of a step.
    Multiple { place: CoordinateColumn, step: Exact, is_negated: bool },
    /// A sum of coordinates, each once but for the columns of a group, compares with a number.
    Sum { terms: Vec<(Exact, CoordinateColumn)>, relation: Relation, constant: Exact },
    /// For so many choices "yes" holds; for the others "no".
    Count { choices: Vec<CountedCondition>, number: CountRange },
}

/// A condition, and what holds where it does not.
#[derive(Clone, Debug)]
pub(in crate::problem) struct CountedCondition {
    pub(super) yes: Desugared,
    pub(super) no: Desugared,
}

/// A row with which conditions compare an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ReferenceRow<'a> {
    pub(crate) row: &'a [f64],
    /// How the model's library reads it.
    pub(crate) readings: &'a [Reading],
}

impl Desugared {
    /// Shows every coordinate that is spoken of, with the values that must be told apart.
    pub(in crate::problem) fn see(&self, see: &mut impl FnMut(CoordinateColumn, &ValueSet)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.see(see)),
            Self::Values(place, values) => see(*place, values),
            // A sum with an infinite value compares with nothing.
            Self::Sum { terms, .. } => terms.iter().for_each(|(_, place)| see(*place, &finite())),
            Self::Multiple { place, .. } => see(*place, &finite()),
            Self::Count { choices, .. } => {
                choices.iter().flat_map(|choice| [&choice.yes, &choice.no]).for_each(|part| part.see(see));
            }
        }
    }

    /// Shows every coordinate whose values matter beside their cells.
    pub(in crate::problem) fn see_valued(&self, see: &mut impl FnMut(usize)) {
        match self {
            Self::All(parts) | Self::Any(parts) => parts.iter().for_each(|part| part.see_valued(see)),
            Self::Values(..) => {}
            Self::Sum { terms, .. } => terms.iter().for_each(|(_, place)| see(place.coordinate)),
            Self::Multiple { place, .. } => see(place.coordinate),
            Self::Count { choices, .. } => {
                choices.iter().flat_map(|choice| [&choice.yes, &choice.no]).for_each(|part| part.see_valued(see));
            }
        }
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

/// The values that are not among these.
fn others(values: &ValueSet) -> ValueSet {
    ValueSet { present: values.present.complement(), missing: !values.missing }
}

/// Spells conditions out.
pub(in crate::problem) struct Desugarer<'a> {
    pub(in crate::problem) renamed: &'a Renamed<'a>,
    pub(in crate::problem) reference: Option<ReferenceRow<'a>>,
}

impl Desugarer<'_> {
    pub(in crate::problem) fn desugar(&self, constraint: &Constraint) -> Desugared {
        let all = |parts: &[Constraint]| parts.iter().map(|part| self.desugar(part)).collect();
        match constraint {
            Constraint::All(parts) => Desugared::All(all(parts)),
            Constraint::Any(parts) => Desugared::Any(all(parts)),
            Constraint::Values(variable, values) => Desugared::Values(self.renamed.place(*variable), values.clone()),
            Constraint::Multiple { variable, step, is_negated } => {
                let place = self.renamed.place(*variable);
                if self.is_bit(place) {
                    let of_step = |bit: f64| NumberSet::new([Range { low: bit, high: bit }], vec![step.clone()]);
                    let bits = BITS.into_iter().filter(|bit| of_step(*bit).is_empty() == *is_negated);
                    let bits = bits.map(|bit| Range { low: bit, high: bit });
                    return Desugared::Values(place, ValueSet::of(Present::numbers(bits)));
                }
                Desugared::Multiple { place, step: step.clone(), is_negated: *is_negated }
            }
            Constraint::Linear(linear) => self.sum(linear),
            Constraint::Count { columns, number: range } => {
                let choice = |column: &Variable| {
                    let place = self.renamed.place(*column);
                    let zero = number(0.0);
                    CountedCondition {
                        yes: Desugared::Values(place, ValueSet::of(zero.present.complement())),
                        no: Desugared::Values(place, ValueSet { missing: true, ..zero }),
                    }
                };
                Desugared::Count { choices: columns.iter().map(choice).collect(), number: *range }
            }
            Constraint::Same { feature, is_negated: false } => self.same(*feature),
            Constraint::Same { feature, is_negated: true } => self.differs(*feature),
            Constraint::Moved { feature, direction } => self.moved(*feature, *direction),
            Constraint::Changed { units, number } => {
                let choice = |unit: &Vec<usize>| CountedCondition {
                    yes: Desugared::Any(unit.iter().map(|feature| self.differs(*feature)).collect()),
                    no: Desugared::All(unit.iter().map(|feature| self.same(*feature)).collect()),
                };
                // What both inputs share does not change.
                let choices = units.iter().map(choice).filter(|choice| !choice.yes.is_never()).collect();
                Desugared::Count { choices, number: *number }
            }
        }
    }

    /// Where a feature is at both inputs.
    fn both(&self, feature: usize) -> [CoordinateColumn; 2] {
        [Side::A, Side::B].map(|side| self.renamed.place(Variable { side, feature }))
    }

    fn domain(&self, place: CoordinateColumn) -> &Domain {
        &self.renamed.coordinates[place.coordinate].readers[place.reader].domain
    }

    /// Whether it is a column of a group, whose cells say which it is.
    fn is_bit(&self, place: CoordinateColumn) -> bool {
        self.renamed.coordinates[place.coordinate].choices.is_some()
    }

    /// A sum over coordinates, of which two inputs may have one in common.
    fn sum(&self, Linear { terms, relation, constant }: &Linear) -> Desugared {
        let mut merged: BTreeMap<CoordinateColumn, Exact> = BTreeMap::new();
        for (coefficient, variable) in terms {
            let sum = merged.entry(self.renamed.place(*variable)).or_insert_with(Exact::zero);
            *sum = sum.plus(coefficient);
        }
        let (zeros, terms): (Vec<_>, Vec<_>) =
            merged.into_iter().partition(|(_, coefficient)| *coefficient == Exact::zero());
        let mut parts: Vec<Desugared> =
            zeros.into_iter().map(|(place, _)| Desugared::Values(place, finite())).collect();
        if !terms.is_empty() {
            let terms = terms.into_iter().map(|(place, coefficient)| (coefficient, place)).collect();
            parts.push(Desugared::Sum { terms, relation: *relation, constant: constant.clone() });
        } else if !relation.holds(&Exact::zero(), constant) {
            parts.push(Desugared::Any(vec![]));
        }
        Desugared::All(parts)
    }

    /// What stands for a value that is missing, each infinity, each category, and each bit of a column of a group: all that is
    /// compared as a whole.
    fn apart(&self, places: [CoordinateColumn; 2]) -> Vec<ValueSet> {
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

    fn is_category(&self, place: CoordinateColumn) -> bool {
        matches!(self.domain(place), Domain::Categories { .. })
    }

    /// Whether all values but those that are missing are compared as a whole.
    fn is_whole(&self, place: CoordinateColumn) -> bool {
        self.is_category(place) || self.is_bit(place)
    }

    /// The values that are the same as the reference's.
    fn own(&self, feature: usize, reference: ReferenceRow<'_>) -> (CoordinateColumn, ValueSet) {
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

    fn same(&self, feature: usize) -> Desugared {
        if let Some(reference) = self.reference {
            let (place, own) = self.own(feature, reference);
            return Desugared::Values(place, own);
        }
        let [first, second] = self.both(feature);
        if first == second {
            return Desugared::All(vec![]);
        }
        let alike = |values: ValueSet| {
            Desugared::All(vec![Desugared::Values(first, values.clone()), Desugared::Values(second, values)])
        };
        let mut cases: Vec<Desugared> = self.apart([first, second]).into_iter().map(alike).collect();
        if !self.is_whole(first) {
            cases.push(difference(first, second, Relation::Equal));
        }
        Desugared::Any(cases)
    }

    fn differs(&self, feature: usize) -> Desugared {
        if let Some(reference) = self.reference {
            let (place, own) = self.own(feature, reference);
            return Desugared::Values(place, others(&own));
        }
        let [first, second] = self.both(feature);
        if first == second {
            return Desugared::Any(vec![]);
        }
        let mut cases = vec![];
        for values in self.apart([first, second]) {
            for (one, other) in [(first, second), (second, first)] {
                let parts = vec![Desugared::Values(one, values.clone()), Desugared::Values(other, others(&values))];
                cases.push(Desugared::All(parts));
            }
            if self.is_whole(first) && !values.missing {
                // Whatever the second is, the first is one of these: once is enough.
                cases.pop();
            }
        }
        if !self.is_whole(first) {
            cases.extend([difference(first, second, Relation::Below), difference(second, first, Relation::Below)]);
        }
        Desugared::Any(cases)
    }

    /// How a number lies to the reference. Both missing is as high and as low.
    fn moved(&self, feature: usize, direction: Direction) -> Desugared {
        let is_strict = matches!(direction, Direction::Above | Direction::Below);
        let rises = matches!(direction, Direction::AtLeast | Direction::Above);
        if let Some(reference) = self.reference {
            let place = self.renamed.place(Variable { side: Side::Only, feature });
            let own = reference.row[feature];
            let range = match direction {
                Direction::AtLeast => Range { low: own, high: f64::INFINITY },
                Direction::Above => Range { low: own.next_up(), high: f64::INFINITY },
                Direction::AtMost => Range { low: f64::NEG_INFINITY, high: own },
                Direction::Below => Range { low: f64::NEG_INFINITY, high: own.next_down() },
            };
            let is_missing = reference.readings[feature] == Reading::Missing;
            // Nothing is beyond infinity, but its neighbour is itself.
            let is_beyond = is_missing || (is_strict && (range.low == own || range.high == own));
            let present = Present::numbers(Some(range).filter(|_| !is_beyond));
            return Desugared::Values(place, ValueSet { present, missing: is_missing && !is_strict });
        }
        let [before, after] = self.both(feature);
        let [low, high] = if rises { [before, after] } else { [after, before] };
        self.in_order(low, high, is_strict)
    }

    /// The second of two coordinates of numbers is not below the first, or is above it; missing goes with missing alone,
    /// where it may be equal.
    pub(in crate::problem) fn in_order(
        &self,
        low: CoordinateColumn,
        high: CoordinateColumn,
        is_strict: bool,
    ) -> Desugared {
        if low == high {
            return if is_strict { Desugared::Any(vec![]) } else { Desugared::All(vec![]) };
        }
        if self.is_bit(low) {
            let parts = vec![Desugared::Values(low, number(0.0)), Desugared::Values(high, number(1.0))];
            return if is_strict { Desugared::All(parts) } else { Desugared::Any(parts) };
        }
        let relation = if is_strict { Relation::Below } else { Relation::AtMost };
        let mut cases = vec![difference(low, high, relation)];
        for values in self.apart([low, high]) {
            let both = |values: ValueSet| {
                Desugared::All(vec![Desugared::Values(low, values.clone()), Desugared::Values(high, values)])
            };
            if !is_strict {
                cases.push(both(values.clone()));
            }
            if !values.missing {
                let others = ValueSet::of(values.present.complement());
                let is_top = values.contains(f64::INFINITY, Reading::Number(f64::INFINITY));
                let [of_low, of_high] = if is_top { [others, values] } else { [values, others] };
                cases.push(Desugared::All(vec![Desugared::Values(low, of_low), Desugared::Values(high, of_high)]));
            }
        }
        Desugared::Any(cases)
    }
}

/// How the difference of two coordinates lies to zero.
fn difference(first: CoordinateColumn, second: CoordinateColumn, relation: Relation) -> Desugared {
    let terms = vec![(Exact::one(), first), (Exact::one().negated(), second)];
    Desugared::Sum { terms, relation, constant: Exact::zero() }
}
