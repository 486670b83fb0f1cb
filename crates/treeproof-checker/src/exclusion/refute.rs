//! Verification of refutations: trees of cases, none of which can hold.
//!
//! The log gives the tree; here it is only followed and added up.

use treeproof_ensemble::exact::Exact;
use treeproof_proof::refutation::{Plane, Refutation};
use treeproof_proof::statement::condition::Relation;

use crate::exclusion::subcase::{Row, Subcase};
use crate::linear::may_hold;

/// True if a refutation shows that a case holds no input.
pub fn refutes(refutation: &Refutation, case: &Subcase<'_>) -> bool {
    match refutation {
        Refutation::Void => case.is_void(),
        Refutation::Sums { rows, planes } => is_too_much(case, rows, planes),
        Refutation::Either { place, cases } => case.either(*place as usize).is_some_and(|of| all_refute(cases, &of)),
        Refutation::Parted { variable, number, cases } => {
            let statement = case.grid.space.statement;
            let is_there = (variable.input as usize) < statement.inputs.len()
                && (variable.feature as usize) < statement.features.len();
            is_there && case.parted(*variable, *number).is_some_and(|of| all_refute(&cases[..], &of))
        }
        Refutation::Ordered { feature, cases } => case.ordered(*feature).is_some_and(|of| all_refute(&cases[..], &of)),
    }
}

fn all_refute(refutations: &[Refutation], cases: &[Subcase<'_>]) -> bool {
    refutations.len() == cases.len()
        && refutations.iter().zip(cases).all(|(refutation, case)| refutes(refutation, case))
}

/// True if the least value of a combination of rows and planes exceeds its constant.
fn is_too_much(case: &Subcase<'_>, rows: &[(u32, Exact)], planes: &[Plane]) -> bool {
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
        let Some(limit) = case.limits.get(plane.distance as usize) else { return false };
        let Some(row) = limit.row(case, &plane.normal).filter(|_| plane.times >= Exact::zero()) else { return false };
        add(&row, &plane.times);
    }
    if terms.is_empty() {
        return false;
    }
    let relation = if is_strict { Relation::Below } else { Relation::AtMost };
    // Without any finite number none of these rows is met.
    case.ends(&terms).is_none_or(|ends| !may_hold(relation, &ends, &most))
}
