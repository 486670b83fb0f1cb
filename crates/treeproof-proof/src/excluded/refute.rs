//! Why conditions, taken together, leave no input in a box: a tree of cases, each of which cannot be.
//!
//! A log gives the tree; whoever checks it only follows it, and adds up.

use treeproof_ensemble::exact::Exact;

use crate::excluded::situation::{Row, Situation};
use crate::statement::condition::{Relation, Variable};

/// The characters of all exact numbers of a sum: most have some hundred.
pub const MOST_DIGITS: usize = 1 << 12;

/// Why no input of a box is one of the statement's, in some case.
#[derive(Clone, Debug, PartialEq)]
pub enum Refutation {
    /// What is demanded, applied again and again, leaves nothing.
    Void,
    /// What sums must be adds up to what cannot be.
    Sums {
        /// Rows of the case, by their places, and what they are multiplied by: not below 0, unless the row is an equation.
        rows: Vec<(u32, Exact)>,
        /// Where distances end.
        planes: Vec<Plane>,
    },
    /// Of alternatives that are demanded one must hold, but none can.
    Either {
        /// Their place among what is demanded.
        place: u32,
        /// Why not, one after the other.
        cases: Vec<Refutation>,
    },
    /// A feature can be neither a number that is not above this one, nor anything else.
    Parted {
        /// The feature, which has one cell, or no axis.
        variable: Variable,
        /// The number.
        number: f64,
        /// Why not.
        cases: Box<[Refutation; 2]>,
    },
    /// A number of the second input can be neither below that of the first, nor the same, nor above it.
    Ordered {
        /// The feature.
        feature: u32,
        /// Why not.
        cases: Box<[Refutation; 3]>,
    },
}

/// `Σ number · factor · (x − x₀)` over features is at most what a distance allows.
#[derive(Clone, Debug, PartialEq)]
pub struct Plane {
    /// The distance: that which is asked about, if it is limited, then the others.
    pub reach: u32,
    /// What it is multiplied by, not below 0.
    pub times: Exact,
    /// Features and numbers.
    pub normal: Vec<(u32, Exact)>,
}

impl Refutation {
    /// Whether it shows that a case cannot be.
    pub fn refutes(&self, case: &Situation<'_>) -> bool {
        match self {
            Self::Void => case.is_void(),
            Self::Sums { rows, planes } => is_too_much(case, rows, planes),
            Self::Either { place, cases } => case.either(*place as usize).is_some_and(|of| all_refute(cases, &of)),
            Self::Parted { variable, number, cases } => {
                let statement = case.grid.space.statement;
                let is_there = (variable.input as usize) < statement.inputs.len()
                    && (variable.feature as usize) < statement.features.len();
                is_there && case.parted(*variable, *number).is_some_and(|of| all_refute(&cases[..], &of))
            }
            Self::Ordered { feature, cases } => case.ordered(*feature).is_some_and(|of| all_refute(&cases[..], &of)),
        }
    }
}

fn all_refute(refutations: &[Refutation], cases: &[Situation<'_>]) -> bool {
    refutations.len() == cases.len() && refutations.iter().zip(cases).all(|(refutation, case)| refutation.refutes(case))
}

/// Whether rows, times their numbers, and planes add up to a sum whose least is more than it must be.
fn is_too_much(case: &Situation<'_>, rows: &[(u32, Exact)], planes: &[Plane]) -> bool {
    let own = case.rows();
    let (mut terms, mut most, mut is_strict) = (vec![], Exact::zero(), false);
    let mut add = |row: &Row, times: &Exact| {
        most = most.plus(&row.constant.times(times)).reduced();
        terms.extend(row.terms.iter().map(|(coefficient, variable)| (coefficient.times(times), *variable)));
    };
    for (place, times) in rows {
        let Some(row) = own.get(*place as usize) else { return false };
        if *times < Exact::zero() && row.relation != Relation::Equal {
            return false;
        }
        is_strict |= row.relation == Relation::Below && *times > Exact::zero();
        add(row, times);
    }
    for plane in planes {
        let Some(reach) = case.reaches.get(plane.reach as usize) else { return false };
        let Some(row) = reach.row(case, &plane.normal).filter(|_| plane.times >= Exact::zero()) else { return false };
        add(&row, &plane.times);
    }
    if terms.is_empty() {
        return false;
    }
    let relation = if is_strict { Relation::Below } else { Relation::AtMost };
    // Where there is no finite number at all, none of these rows is met.
    case.ends(&terms).is_none_or(|ends| !relation.may_hold(&ends, &most))
}
