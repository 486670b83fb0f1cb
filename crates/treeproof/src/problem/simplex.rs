//! Feasibility of linear constraints over bounded variables: the simplex method of Dutertre and de Moura ("A Fast
//! Linear-Arithmetic Solver for DPLL(T)", 2006) in exact arithmetic, so that "no" is a proof.
//!
//! Variables start where the caller wants them and move only as far as a sum needs. "Below" is "at most a number less an
//! infinitesimal": numbers have a second part that counts infinitesimals, and in the end the infinitesimal becomes a
//! number.

use std::borrow::Borrow;

use treeproof_ensemble::exact::Exact;
use treeproof_language::Relation;

/// Limit on the steps, beyond which the problem is given up.
const MOST_STEPS: usize = 2_000;

/// `Σ coefficient · variable` compared with a constant. Variables are numbered, or are axes.
#[derive(Clone, Debug)]
pub(crate) struct LinearConstraint<C = Exact> {
    pub(crate) terms: Vec<(usize, C)>,
    pub(crate) relation: Relation,
    pub(crate) constant: Exact,
}

impl LinearConstraint {
    /// A sum that is at most a number.
    pub(crate) fn at_most(terms: Vec<(usize, Exact)>, constant: Exact) -> Self {
        Self { terms, relation: Relation::AtMost, constant }
    }

    /// The constraint over other variables, given the place of each.
    pub(super) fn over(&self, place: impl Fn(usize) -> usize) -> LinearConstraint<&Exact> {
        let terms = self.terms.iter().map(|(variable, coefficient)| (place(*variable), coefficient)).collect();
        LinearConstraint { terms, relation: self.relation, constant: self.constant.clone() }
    }
}

impl<C: Borrow<Exact>> LinearConstraint<C> {
    /// True if values, one for each variable, meet it.
    pub(super) fn holds(&self, values: &[Exact]) -> bool {
        let add = |sum: Exact, (variable, coefficient): &(usize, C)| {
            sum.plus(&coefficient.borrow().times(&values[*variable]))
        };
        self.relation.holds(&self.terms.iter().fold(Exact::zero(), add), &self.constant)
    }
}

/// A number with an infinitesimal part.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct DeltaNumber {
    real: Exact,
    tiny: Exact,
}

impl DeltaNumber {
    fn real(real: Exact) -> Self {
        Self { real, tiny: Exact::zero() }
    }

    fn plus(&self, other: &Self, times: &Exact) -> Self {
        Self { real: plus(&self.real, &other.real.times(times)), tiny: plus(&self.tiny, &other.tiny.times(times)) }
    }
}

/// The tableau: basic variables as sums of the others.
#[derive(Clone, Debug)]
pub(crate) struct Simplex {
    rows: Vec<TableauRow>,
    /// The variables that are not basic: per column of all rows.
    columns: Vec<usize>,
    lows: Vec<Option<DeltaNumber>>,
    highs: Vec<Option<DeltaNumber>>,
    values: Vec<DeltaNumber>,
    /// The certificate of infeasibility: multipliers of sums whose total is above its bound even at its least.
    conflict: Vec<(usize, Exact)>,
}

/// The row of a basic variable.
#[derive(Clone, Debug)]
struct TableauRow {
    basic: usize,
    factors: Vec<Exact>,
}

/// The outcome of the simplex method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Feasible {
    Yes,
    No,
    /// Undecided within the limit on steps.
    Unknown,
}

impl Simplex {
    /// A tableau of variables between two numbers, each with a start between them.
    pub(crate) fn new<C: Borrow<Exact>>(
        variables: impl IntoIterator<Item = ([Exact; 2], Exact)>,
        sums: &[LinearConstraint<C>],
    ) -> Self {
        let (mut lows, mut highs, mut values) = (vec![], vec![], vec![]);
        for ([low, high], start) in variables {
            lows.push(Some(DeltaNumber::real(low)));
            highs.push(Some(DeltaNumber::real(high)));
            values.push(DeltaNumber::real(start));
        }
        let num_variables = values.len();
        let mut rows = vec![];
        for sum in sums {
            let mut factors = vec![Exact::zero(); num_variables];
            let mut value = DeltaNumber::real(Exact::zero());
            for (variable, coefficient) in &sum.terms {
                factors[*variable] = plus(&factors[*variable], coefficient.borrow());
                value = value.plus(&values[*variable], coefficient.borrow());
            }
            let tiny = if sum.relation == Relation::Below { Exact::one().negated() } else { Exact::zero() };
            let end = DeltaNumber { real: sum.constant.clone(), tiny };
            lows.push((sum.relation == Relation::Equal).then(|| end.clone()));
            highs.push(Some(end));
            rows.push(TableauRow { basic: values.len(), factors });
            values.push(value);
        }
        Self { rows, columns: (0..num_variables).collect(), lows, highs, values, conflict: vec![] }
    }

    /// Raises the lower bound of a variable.
    pub(super) fn raise(&mut self, variable: usize, low: Exact) {
        self.confine(variable, DeltaNumber::real(low), true);
    }

    /// Lowers the upper bound of a variable.
    pub(super) fn lower(&mut self, variable: usize, high: Exact) {
        self.confine(variable, DeltaNumber::real(high), false);
    }

    fn confine(&mut self, variable: usize, end: DeltaNumber, is_low: bool) {
        let is_outside = if is_low { self.values[variable] < end } else { self.values[variable] > end };
        if is_outside && let Some(column) = self.columns.iter().position(|other| *other == variable) {
            self.shift(column, &end);
        }
        *(if is_low { &mut self.lows[variable] } else { &mut self.highs[variable] }) = Some(end);
    }

    /// Moves variables until all are within their bounds, if they can be.
    pub(crate) fn solve(&mut self) -> Feasible {
        let is_crossed = |(low, high): (&Option<DeltaNumber>, &Option<DeltaNumber>)| {
            low.as_ref().zip(high.as_ref()).is_some_and(|(low, high)| low > high)
        };
        if self.lows.iter().zip(&self.highs).any(is_crossed) {
            return Feasible::No;
        }
        for _ in 0..MOST_STEPS {
            // Always the first candidate (Bland's rule), so that no state comes twice.
            let outside = |row: &usize| {
                let basic = self.rows[*row].basic;
                self.is_below(basic) || self.is_above(basic)
            };
            let Some(row) = (0..self.rows.len()).filter(outside).min_by_key(|row| self.rows[*row].basic) else {
                return Feasible::Yes;
            };
            let basic = self.rows[row].basic;
            let rises = self.is_below(basic);
            let helps = |column: &usize| {
                let factor = &self.rows[row].factors[*column];
                let other = self.columns[*column];
                let can_rise = self.highs[other].as_ref().is_none_or(|high| self.values[other] < *high);
                let can_fall = self.lows[other].as_ref().is_none_or(|low| self.values[other] > *low);
                match factor.cmp(&Exact::zero()) {
                    std::cmp::Ordering::Equal => false,
                    order => {
                        if (order == std::cmp::Ordering::Greater) == rises {
                            can_rise
                        } else {
                            can_fall
                        }
                    }
                }
            };
            let column = (0..self.columns.len()).filter(helps).min_by_key(|column| self.columns[*column]);
            let Some(column) = column else {
                self.conflict = self.multipliers(row, rises);
                return Feasible::No;
            };
            let end = if rises { self.lows[basic].clone() } else { self.highs[basic].clone() };
            self.pivot(row, column);
            self.shift(column, &end.expect("it is beyond this end"));
        }
        Feasible::Unknown
    }

    /// A basic variable is beyond an end, and all others in its row are at theirs: so the bounds of the sums, times their
    /// multipliers, contradict those of the variables.
    fn multipliers(&self, row: usize, rises: bool) -> Vec<(usize, Exact)> {
        let num_variables = self.columns.len();
        let TableauRow { basic, factors } = &self.rows[row];
        let others = self.columns.iter().copied().zip(factors.iter().cloned());
        let all = others.chain([(*basic, Exact::one().negated())]).filter(|(_, factor)| *factor != Exact::zero());
        let signed = |factor: Exact| if rises { factor } else { factor.negated() };
        let sums = all.filter_map(|(variable, factor)| Some((variable.checked_sub(num_variables)?, signed(factor))));
        sums.collect()
    }

    /// The certificate of infeasibility, once known: sums with their multipliers.
    pub(crate) fn conflict(&self) -> &[(usize, Exact)] {
        &self.conflict
    }

    fn is_below(&self, variable: usize) -> bool {
        self.lows[variable].as_ref().is_some_and(|low| self.values[variable] < *low)
    }

    fn is_above(&self, variable: usize) -> bool {
        self.highs[variable].as_ref().is_some_and(|high| self.values[variable] > *high)
    }

    /// Moves a variable that is not basic, and the basic ones with it.
    fn shift(&mut self, column: usize, to: &DeltaNumber) {
        let variable = self.columns[column];
        let by = to.plus(&self.values[variable], &Exact::one().negated());
        for row in &self.rows {
            self.values[row.basic] = self.values[row.basic].plus(&by, &row.factors[column]);
        }
        self.values[variable] = to.clone();
    }

    /// Makes a variable basic instead of another.
    fn pivot(&mut self, row: usize, column: usize) {
        let TableauRow { basic, mut factors } = self.rows[row].clone();
        let entering = std::mem::replace(&mut self.columns[column], basic);
        let pivot = std::mem::replace(&mut factors[column], Exact::one().negated());
        // basic = pivot · entering + rest, so entering = (basic − rest) / pivot.
        factors.iter_mut().for_each(|factor| *factor = over(&factor.negated(), &pivot));
        for other in self.rows.iter_mut().enumerate().filter(|(place, _)| *place != row).map(|(_, other)| other) {
            let times = std::mem::replace(&mut other.factors[column], Exact::zero());
            if times != Exact::zero() {
                for (factor, more) in other.factors.iter_mut().zip(&factors) {
                    *factor = plus(factor, &more.times(&times));
                }
            }
        }
        self.rows[row] = TableauRow { basic: entering, factors };
    }

    /// Values of the first variables, with an infinitesimal that leaves all within their bounds.
    pub(crate) fn solution(&self, num_variables: usize) -> Vec<Exact> {
        let mut tiny = Exact::one();
        let mut keep_in_order = |less: &DeltaNumber, more: &DeltaNumber| {
            if less.tiny > more.tiny {
                let most = over(&more.real.minus(&less.real), &less.tiny.minus(&more.tiny));
                if most < tiny {
                    tiny = most;
                }
            }
        };
        for (variable, value) in self.values.iter().enumerate() {
            self.lows[variable].iter().for_each(|low| keep_in_order(low, value));
            self.highs[variable].iter().for_each(|high| keep_in_order(value, high));
        }
        self.values[..num_variables].iter().map(|value| plus(&value.real, &value.tiny.times(&tiny))).collect()
    }
}

fn plus(one: &Exact, other: &Exact) -> Exact {
    one.plus(other).reduced()
}

fn over(one: &Exact, other: &Exact) -> Exact {
    match *other < Exact::zero() {
        true => one.negated().divided_by(&other.negated()),
        false => one.divided_by(other),
    }
    .reduced()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn exact(number: i64) -> Exact {
        Exact::from_i64(number)
    }

    fn relation() -> impl Strategy<Value = Relation> {
        prop_oneof![Just(Relation::Below), Just(Relation::AtMost), Just(Relation::Equal)]
    }

    proptest! {
        /// Vertices of small integers have small denominators: a fine grid finds any solution.
        #[test]
        fn it_finds_what_there_is(
            boxes in proptest::collection::vec((-2_i64..3, 0_i64..4), 2),
            sums in proptest::collection::vec((-2_i64..3, -2_i64..3, relation(), -4_i64..5), 1..5),
            is_raised in any::<bool>(),
        ) {
            let coefficients: Vec<[Exact; 2]> = sums.iter().map(|sum| [exact(sum.0), exact(sum.1)]).collect();
            let constants: Vec<Exact> = sums.iter().map(|sum| exact(sum.3)).collect();
            let sums: Vec<LinearConstraint<&Exact>> = sums.iter().zip(&coefficients).zip(&constants).map(|((sum, of), constant)| {
                LinearConstraint { terms: vec![(0, &of[0]), (1, &of[1])], relation: sum.2, constant: constant.clone() }
            }).collect();
            let ends = boxes.iter().map(|(low, width)| [exact(*low), exact(low + width)]);
            let mut simplex = Simplex::new(ends.clone().map(|ends| (ends.clone(), ends[0].clone())), &sums);
            let mut ends: Vec<[Exact; 2]> = ends.collect();
            if is_raised {
                prop_assume!(simplex.solve() == Feasible::Yes);
                let half = Exact::from_f64(0.5).unwrap();
                ends[0][0] = ends[0][0].plus(&half);
                simplex.raise(0, ends[0][0].clone());
                ends[1][1] = ends[1][1].minus(&half);
                simplex.lower(1, ends[1][1].clone());
            }
            // Multiples of 1/48: vertices are fractions by 2, 3, 4, 6 and 8, and between two vertices are their middles.
            let part = Exact::one().divided_by(&exact(48));
            let grid = |ends: &[Exact; 2]| -> Vec<Exact> {
                let first = ends[0].divided_by(&part).ceil_i64().unwrap();
                (first..).map(|count| part.times(&exact(count))).take_while(|x| *x <= ends[1]).collect()
            };
            let (xs, ys) = (grid(&ends[0]), grid(&ends[1]));
            let is_there = xs.iter().any(|x| {
                ys.iter().any(|y| sums.iter().all(|sum| sum.holds(&[x.clone(), y.clone()])))
            });
            match simplex.solve() {
                Feasible::No => {
                    prop_assert!(!is_there);
                    // The sums, each as often as it counts, add up to what the ends of the variables exclude.
                    let (mut factors, mut most, mut is_strict) = ([exact(0), exact(0)], exact(0), false);
                    for (sum, times) in simplex.conflict() {
                        let sum = &sums[*sum];
                        prop_assert!(*times > exact(0) || sum.relation == Relation::Equal);
                        is_strict |= sum.relation == Relation::Below;
                        most = most.plus(&sum.constant.times(times));
                        for (variable, coefficient) in &sum.terms {
                            factors[*variable] = factors[*variable].plus(&coefficient.times(times));
                        }
                    }
                    let least = factors.iter().zip(&ends).fold(exact(0), |least, (factor, ends)| {
                        least.plus(&ends[0].times(factor).min(ends[1].times(factor)))
                    });
                    // Ends that have crossed exclude all by themselves.
                    let is_crossed = ends.iter().any(|ends| ends[0] > ends[1]);
                    let is_excluded = least > most || (is_strict && least == most);
                    prop_assert!(is_crossed || is_excluded, "{:?}", simplex.conflict());
                }
                Feasible::Yes => {
                    let found = simplex.solution(2);
                    prop_assert!(sums.iter().all(|sum| sum.holds(&found)), "{found:?}");
                    prop_assert!(found.iter().zip(&ends).all(|(x, ends)| ends[0] <= *x && *x <= ends[1]), "{found:?}");
                }
                Feasible::Unknown => prop_assert!(false, "two variables need few steps"),
            }
        }
    }
}
