//! Why a box of cells holds no input of a statement.

use treeproof_ensemble::exact::Exact;

use crate::condition::{Condition, Relation, Scaled};
use crate::grid::Grid;
use crate::linear::Sum;
use crate::narrow::Narrowed;
use crate::region::Region;
use crate::statement::Tie;

/// Why a box holds no input of the statement.
#[derive(Clone, Debug)]
pub enum Reason<'r> {
    /// A condition, by its place in the statement.
    Condition(usize),
    /// How the second input is tied to the first in a feature.
    Tie(usize),
    /// Several conditions on sums, times these numbers: each by its place among all that the statement demands, alone or in a
    /// list of which all must hold.
    Sums(&'r [(usize, Exact)]),
}

/// Whether it is certain that no input of a box is one of the statement's.
pub fn excludes(grid: &Grid<'_>, region: &Region, reason: &Reason<'_>) -> bool {
    let statement = grid.space.statement;
    let mut narrowed = Narrowed::new(grid, region);
    match reason {
        Reason::Condition(place) => {
            let Some(condition) = statement.conditions.get(*place) else { return false };
            narrowed.apply(condition);
        }
        Reason::Tie(feature) => {
            if statement.ties.get(*feature) == Some(&Tie::NotBelow) {
                narrowed.keep_in_order(*feature);
            }
        }
        Reason::Sums(multipliers) => return narrowed.is_empty || refutes(grid, region, multipliers),
    }
    narrowed.is_empty
}

/// Whether no input of a box meets several conditions on sums: each, times its number, is added up, and even the least that the
/// result can be is too large.
fn refutes(grid: &Grid<'_>, region: &Region, multipliers: &[(usize, Exact)]) -> bool {
    let (mut terms, mut constant, mut is_strict) = (vec![], Exact::zero(), false);
    let mut sums = vec![];
    grid.space.statement.conditions.iter().for_each(|condition| collect(condition, &mut sums));
    for (place, multiplier) in multipliers {
        let Some((own, relation, of)) = sums.get(*place) else { return false };
        if *multiplier < Exact::zero() && **relation != Relation::Equal {
            return false;
        }
        is_strict |= **relation == Relation::Below && *multiplier > Exact::zero();
        constant = constant.plus(&of.times(multiplier));
        terms.extend(own.iter().map(|term| (term.coefficient.times(multiplier), &term.variable)));
    }
    // Where there is no finite number at all, none of these conditions is met.
    let ends = Sum::new(grid, terms.into_iter()).ends(|axis| region.axis(axis));
    let relation = if is_strict { Relation::Below } else { Relation::AtMost };
    !multipliers.is_empty() && ends.is_none_or(|ends| !relation.may_hold(&ends, &constant))
}

/// A condition on a sum.
type Demand<'c> = (&'c [Scaled], &'c Relation, &'c Exact);

/// Adds the conditions on sums that must hold where a condition does.
fn collect<'c>(condition: &'c Condition, sums: &mut Vec<Demand<'c>>) {
    match condition {
        Condition::All(parts) => parts.iter().for_each(|part| collect(part, sums)),
        Condition::Linear { terms, relation, constant } => sums.push((terms, relation, constant)),
        _ => {}
    }
}
