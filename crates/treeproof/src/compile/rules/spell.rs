//! Conditions in terms of coordinates: what compares inputs is spelt out, so that sums, values, multiples and counts are
//! all that is left.

use std::collections::{BTreeMap, BTreeSet};

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;
use treeproof_ensemble::values::{CategorySet, Present, Range, ValueSet};
use treeproof_language::{Constraint, CountRange, Direction, Linear, Relation, Side, Variable};

use crate::compile::domain::Domain;
use crate::compile::numbers::Numbers;
use crate::compile::rename::{Place, Renamed};

/// What a column of a group may be.
const BITS: [f64; 2] = [0.0, 1.0];

/// A condition on coordinates.
#[derive(Clone, Debug)]
pub(in crate::compile) enum Spelt {
    /// All of these hold.
    All(Vec<Spelt>),
    /// One of these holds at least.
    Any(Vec<Spelt>),
    /// A coordinate, as a reader has it, is among these values.
    Values(Place, ValueSet),
    /// A coordinate is, or is not, a multiple of a step.
    Multiple { place: Place, step: Exact, is_negated: bool },
    /// A sum of coordinates, each once but for the columns of a group, compares with a number.
    Sum { terms: Vec<(Exact, Place)>, relation: Relation, constant: Exact },
    /// For so many choices "yes" holds; for the others "no".
    Count { choices: Vec<Choice>, number: CountRange },
}

/// A condition, and what holds where it does not.
#[derive(Clone, Debug)]
pub(in crate::compile) struct Choice {
    pub(super) yes: Spelt,
    pub(super) no: Spelt,
}

/// A row with which conditions compare an input.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Reference<'a> {
    pub(crate) row: &'a [f64],
    /// How the model's library reads it.
    pub(crate) readings: &'a [Reading],
}

impl Spelt {
    /// Shows every coordinate that is spoken of, with the values that must be told apart.
    pub(in crate::compile) fn see(&self, see: &mut impl FnMut(Place, &ValueSet)) {
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
    pub(in crate::compile) fn see_valued(&self, see: &mut impl FnMut(usize)) {
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
pub(in crate::compile) fn finite() -> ValueSet {
    ValueSet::of(Present::numbers([Range { low: -f64::MAX, high: f64::MAX }]))
}

/// A number alone.
pub(in crate::compile) fn number(number: f64) -> ValueSet {
    ValueSet::of(Present::numbers([Range { low: number, high: number }]))
}

/// The values that are not among these.
fn others(values: &ValueSet) -> ValueSet {
    ValueSet { present: values.present.complement(), missing: !values.missing }
}

/// Spells conditions out.
pub(in crate::compile) struct Speller<'a> {
    pub(in crate::compile) renamed: &'a Renamed<'a>,
    pub(in crate::compile) reference: Option<Reference<'a>>,
}

impl Speller<'_> {
    pub(in crate::compile) fn spell(&self, constraint: &Constraint) -> Spelt {
        let all = |parts: &[Constraint]| parts.iter().map(|part| self.spell(part)).collect();
        match constraint {
            Constraint::All(parts) => Spelt::All(all(parts)),
            Constraint::Any(parts) => Spelt::Any(all(parts)),
            Constraint::Values(variable, values) => Spelt::Values(self.renamed.place(*variable), values.clone()),
            Constraint::Multiple { variable, step, is_negated } => {
                let place = self.renamed.place(*variable);
                if self.is_bit(place) {
                    let of_step = |bit: f64| Numbers::new([Range { low: bit, high: bit }], vec![step.clone()]);
                    let bits = BITS.into_iter().filter(|bit| of_step(*bit).is_empty() == *is_negated);
                    let bits = bits.map(|bit| Range { low: bit, high: bit });
                    return Spelt::Values(place, ValueSet::of(Present::numbers(bits)));
                }
                Spelt::Multiple { place, step: step.clone(), is_negated: *is_negated }
            }
            Constraint::Linear(linear) => self.sum(linear),
            Constraint::Count { columns, number: range } => {
                let choice = |column: &Variable| {
                    let place = self.renamed.place(*column);
                    let zero = number(0.0);
                    Choice {
                        yes: Spelt::Values(place, ValueSet::of(zero.present.complement())),
                        no: Spelt::Values(place, ValueSet { missing: true, ..zero }),
                    }
                };
                Spelt::Count { choices: columns.iter().map(choice).collect(), number: *range }
            }
            Constraint::Same { feature, is_negated: false } => self.same(*feature),
            Constraint::Same { feature, is_negated: true } => self.differs(*feature),
            Constraint::Moved { feature, direction } => self.moved(*feature, *direction),
            Constraint::Changed { units, number } => {
                let choice = |unit: &Vec<usize>| Choice {
                    yes: Spelt::Any(unit.iter().map(|feature| self.differs(*feature)).collect()),
                    no: Spelt::All(unit.iter().map(|feature| self.same(*feature)).collect()),
                };
                // What both inputs share does not change.
                let choices = units.iter().map(choice).filter(|choice| !choice.yes.is_never()).collect();
                Spelt::Count { choices, number: *number }
            }
        }
    }

    /// Where a feature is at both inputs.
    fn both(&self, feature: usize) -> [Place; 2] {
        [Side::A, Side::B].map(|side| self.renamed.place(Variable { side, feature }))
    }

    fn domain(&self, place: Place) -> &Domain {
        &self.renamed.coordinates[place.coordinate].readers[place.reader].domain
    }

    /// Whether it is a column of a group, whose cells say which it is.
    fn is_bit(&self, place: Place) -> bool {
        self.renamed.coordinates[place.coordinate].choices.is_some()
    }

    /// A sum over coordinates, of which two inputs may have one in common.
    fn sum(&self, Linear { terms, relation, constant }: &Linear) -> Spelt {
        let mut merged: BTreeMap<Place, Exact> = BTreeMap::new();
        for (coefficient, variable) in terms {
            let sum = merged.entry(self.renamed.place(*variable)).or_insert_with(Exact::zero);
            *sum = sum.plus(coefficient);
        }
        let (zeros, terms): (Vec<_>, Vec<_>) =
            merged.into_iter().partition(|(_, coefficient)| *coefficient == Exact::zero());
        let mut parts: Vec<Spelt> = zeros.into_iter().map(|(place, _)| Spelt::Values(place, finite())).collect();
        if !terms.is_empty() {
            let terms = terms.into_iter().map(|(place, coefficient)| (coefficient, place)).collect();
            parts.push(Spelt::Sum { terms, relation: *relation, constant: constant.clone() });
        } else if !relation.holds(&Exact::zero(), constant) {
            parts.push(Spelt::Any(vec![]));
        }
        Spelt::All(parts)
    }

    /// What stands for a value that is missing, each infinity, each category, and each bit of a column of a group: all that is
    /// compared as a whole.
    fn apart(&self, places: [Place; 2]) -> Vec<ValueSet> {
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

    fn is_category(&self, place: Place) -> bool {
        matches!(self.domain(place), Domain::Categories { .. })
    }

    /// Whether all values but those that are missing are compared as a whole.
    fn is_whole(&self, place: Place) -> bool {
        self.is_category(place) || self.is_bit(place)
    }

    /// The values that are the same as the reference's.
    fn own(&self, feature: usize, reference: Reference<'_>) -> (Place, ValueSet) {
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

    fn same(&self, feature: usize) -> Spelt {
        if let Some(reference) = self.reference {
            let (place, own) = self.own(feature, reference);
            return Spelt::Values(place, own);
        }
        let [first, second] = self.both(feature);
        if first == second {
            return Spelt::All(vec![]);
        }
        let alike =
            |values: ValueSet| Spelt::All(vec![Spelt::Values(first, values.clone()), Spelt::Values(second, values)]);
        let mut cases: Vec<Spelt> = self.apart([first, second]).into_iter().map(alike).collect();
        if !self.is_whole(first) {
            cases.push(difference(first, second, Relation::Equal));
        }
        Spelt::Any(cases)
    }

    fn differs(&self, feature: usize) -> Spelt {
        if let Some(reference) = self.reference {
            let (place, own) = self.own(feature, reference);
            return Spelt::Values(place, others(&own));
        }
        let [first, second] = self.both(feature);
        if first == second {
            return Spelt::Any(vec![]);
        }
        let mut cases = vec![];
        for values in self.apart([first, second]) {
            for (one, other) in [(first, second), (second, first)] {
                let parts = vec![Spelt::Values(one, values.clone()), Spelt::Values(other, others(&values))];
                cases.push(Spelt::All(parts));
            }
            if self.is_whole(first) && !values.missing {
                // Whatever the second is, the first is one of these: once is enough.
                cases.pop();
            }
        }
        if !self.is_whole(first) {
            cases.extend([difference(first, second, Relation::Below), difference(second, first, Relation::Below)]);
        }
        Spelt::Any(cases)
    }

    /// How a number lies to the reference. Both missing is as high and as low.
    fn moved(&self, feature: usize, direction: Direction) -> Spelt {
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
            return Spelt::Values(place, ValueSet { present, missing: is_missing && !is_strict });
        }
        let [before, after] = self.both(feature);
        let [low, high] = if rises { [before, after] } else { [after, before] };
        self.in_order(low, high, is_strict)
    }

    /// The second of two coordinates of numbers is not below the first, or is above it; missing goes with missing alone,
    /// where it may be equal.
    pub(in crate::compile) fn in_order(&self, low: Place, high: Place, is_strict: bool) -> Spelt {
        if low == high {
            return if is_strict { Spelt::Any(vec![]) } else { Spelt::All(vec![]) };
        }
        if self.is_bit(low) {
            let parts = vec![Spelt::Values(low, number(0.0)), Spelt::Values(high, number(1.0))];
            return if is_strict { Spelt::All(parts) } else { Spelt::Any(parts) };
        }
        let relation = if is_strict { Relation::Below } else { Relation::AtMost };
        let mut cases = vec![difference(low, high, relation)];
        for values in self.apart([low, high]) {
            let both =
                |values: ValueSet| Spelt::All(vec![Spelt::Values(low, values.clone()), Spelt::Values(high, values)]);
            if !is_strict {
                cases.push(both(values.clone()));
            }
            if !values.missing {
                let others = ValueSet::of(values.present.complement());
                let is_top = values.contains(f64::INFINITY, Reading::Number(f64::INFINITY));
                let [of_low, of_high] = if is_top { [others, values] } else { [values, others] };
                cases.push(Spelt::All(vec![Spelt::Values(low, of_low), Spelt::Values(high, of_high)]));
            }
        }
        Spelt::Any(cases)
    }
}

/// How the difference of two coordinates lies to zero.
fn difference(first: Place, second: Place, relation: Relation) -> Spelt {
    let terms = vec![(Exact::one(), first), (Exact::one().negated(), second)];
    Spelt::Sum { terms, relation, constant: Exact::zero() }
}
