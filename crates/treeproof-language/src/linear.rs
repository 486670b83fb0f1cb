//! Linear forms with magnitudes, and their comparison with zero.

use std::collections::BTreeMap;

use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::values::{Present, Range, ValueSet};

use super::constraint::{Constraint, Linear, Relation, Variable};
use super::expression::Sign;

/// `Σ coefficient · variable + Σ factor · |form| + constant`, in exact reals.
#[derive(Clone, Debug)]
pub(super) struct PiecewiseLinear {
    /// A coefficient may be 0: its variable must still not be missing.
    pub(super) terms: BTreeMap<Variable, Exact>,
    /// Terms `weight · |form|`, where no form has magnitudes itself.
    pub(super) magnitudes: Vec<(Exact, PiecewiseLinear)>,
    pub(super) constant: Exact,
}

impl PiecewiseLinear {
    pub(super) fn constant(constant: Exact) -> Self {
        Self { terms: BTreeMap::new(), magnitudes: vec![], constant }
    }

    pub(super) fn variable(variable: Variable) -> Self {
        Self { terms: BTreeMap::from([(variable, Exact::one())]), magnitudes: vec![], constant: Exact::zero() }
    }

    pub(super) fn magnitude(self) -> Self {
        match self.is_constant() {
            true => Self::constant(self.constant.magnitude()),
            false => Self { magnitudes: vec![(Exact::one(), self)], ..Self::constant(Exact::zero()) },
        }
    }

    pub(super) fn is_constant(&self) -> bool {
        self.terms.is_empty() && self.magnitudes.is_empty()
    }

    pub(super) fn times(mut self, factor: &Exact) -> Self {
        self.terms.values_mut().for_each(|coefficient| *coefficient = coefficient.times(factor));
        self.magnitudes.iter_mut().for_each(|(weight, _)| *weight = weight.times(factor));
        self.constant = self.constant.times(factor);
        self
    }

    pub(super) fn plus(mut self, other: Self) -> Self {
        for (variable, coefficient) in other.terms {
            let sum = self.terms.entry(variable).or_insert_with(Exact::zero);
            *sum = sum.plus(&coefficient);
        }
        self.magnitudes.extend(other.magnitudes);
        self.constant = self.constant.plus(&other.constant);
        self
    }

    pub(super) fn negated(self) -> Self {
        self.times(&Exact::one().negated())
    }

    /// All variables that occur.
    pub(super) fn variables(&self) -> Vec<Variable> {
        let within = self.magnitudes.iter().flat_map(|(_, form)| form.terms.keys());
        let mut variables: Vec<Variable> = self.terms.keys().chain(within).copied().collect();
        variables.sort();
        variables.dedup();
        variables
    }

    /// The form compared with zero.
    pub(super) fn compared(mut self, sign: Sign) -> Constraint {
        let both = |form: Self, signs: [Sign; 2]| signs.map(|sign| form.clone().compared(sign));
        let Some((weight, of)) = self.magnitudes.pop() else {
            return match sign {
                Sign::NotEqual => Constraint::any(both(self, [Sign::Below, Sign::Above])),
                Sign::Below => self.related(Relation::Below),
                Sign::AtMost => self.related(Relation::AtMost),
                Sign::Above => self.negated().related(Relation::Below),
                Sign::AtLeast => self.negated().related(Relation::AtMost),
                Sign::Equal => self.related(Relation::Equal),
            };
        };
        let is_below = matches!(sign, Sign::Below | Sign::AtMost);
        if matches!(sign, Sign::Equal | Sign::NotEqual) {
            self.magnitudes.push((weight, of));
            return match sign {
                Sign::Equal => Constraint::all(both(self, [Sign::AtMost, Sign::AtLeast])),
                _ => Constraint::any(both(self, [Sign::Below, Sign::Above])),
            };
        }
        // |f| is the larger of f and −f: it is below something if both are, and above it if one is.
        let is_all = is_below == (weight >= Exact::zero());
        let cases = [weight.clone(), weight.negated()].map(|weight| self.clone().plus(of.clone().times(&weight)));
        let cases = cases.map(|form| form.compared(sign));
        if is_all { Constraint::all(cases) } else { Constraint::any(cases) }
    }

    /// A form without magnitudes compared with zero.
    fn related(self, relation: Relation) -> Constraint {
        let (zeros, terms): (Vec<_>, Vec<_>) =
            self.terms.into_iter().partition(|(_, coefficient)| *coefficient == Exact::zero());
        let constant = self.constant.negated();
        let compared = match &terms[..] {
            [] if relation.holds(&Exact::zero(), &constant) => Constraint::ALWAYS,
            [] => Constraint::NEVER,
            [(variable, coefficient)] => {
                let range = range(coefficient, relation, &constant);
                Constraint::Values(*variable, ValueSet::of(Present::numbers(range)))
            }
            _ => {
                let terms = terms.into_iter().map(|(variable, coefficient)| (coefficient, variable)).collect();
                Constraint::Linear(Linear { terms, relation, constant })
            }
        };
        let is_there = |variable| Constraint::Values(variable, ValueSet::of(Present::every_number()));
        Constraint::all(std::iter::once(compared).chain(zeros.into_iter().map(|(variable, _)| is_there(variable))))
    }
}

/// The doubles x for which the relation of `coefficient · x` to a constant holds; the coefficient is not 0.
fn range(coefficient: &Exact, relation: Relation, constant: &Exact) -> Option<Range> {
    let is_turned = *coefficient < Exact::zero();
    let constant = if is_turned { constant.negated() } else { constant.clone() };
    let end = constant.divided_by(&coefficient.magnitude());
    let (floor, ceil) = (end.floor_f64(), end.ceil_f64());
    let is_strict_double = relation == Relation::Below && floor == ceil;
    let up_to = |high| Range { low: f64::NEG_INFINITY, high };
    let down_to = |low| Range { low, high: f64::INFINITY };
    match (relation, is_turned) {
        (Relation::Equal, _) => (floor == ceil).then_some(Range { low: floor, high: floor }),
        (_, false) => Some(up_to(if is_strict_double { floor.next_down() } else { floor })),
        (_, true) => Some(down_to(if is_strict_double { ceil.next_up() } else { ceil })),
    }
}
