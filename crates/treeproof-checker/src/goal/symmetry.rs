//! Symmetry of statements about two inputs under their exchange.

use treeproof_proof::statement::condition::{Condition, Direction, LinearTerm, Variable};
use treeproof_proof::statement::{Statement, Tie};

/// True if two inputs can be exchanged in everything that is demanded of them.
pub(super) fn is_symmetric(statement: &Statement) -> bool {
    let is_ordered = statement.ties.contains(&Tie::NotBelow);
    let are_exchanged = |condition: &Condition| statement.conditions.contains(&exchanged(condition));
    let [first, second] = &statement.inputs[..] else { return false };
    !is_ordered && first == second && statement.conditions.iter().all(are_exchanged)
}

/// A condition with the two inputs exchanged.
fn exchanged(condition: &Condition) -> Condition {
    let all = |parts: &[Condition]| parts.iter().map(exchanged).collect();
    let other = |variable: Variable| Variable { input: 1 - variable.input.min(1), ..variable };
    match condition.clone() {
        Condition::All(parts) => Condition::All(all(&parts)),
        Condition::Any(parts) => Condition::Any(all(&parts)),
        Condition::Values(variable, domain) => Condition::Values(other(variable), domain),
        Condition::Multiple { variable, step, negated } => {
            Condition::Multiple { variable: other(variable), step, negated }
        }
        Condition::Linear { terms, relation, constant } => {
            let exchanged = |term: LinearTerm| LinearTerm { variable: other(term.variable), ..term };
            let mut terms: Vec<LinearTerm> = terms.into_iter().map(exchanged).collect();
            // Terms are listed input by input.
            terms.sort_by_key(|term| term.variable);
            Condition::Linear { terms, relation, constant }
        }
        Condition::Count { columns, at_least, at_most } => {
            Condition::Count { columns: columns.into_iter().map(other).collect(), at_least, at_most }
        }
        Condition::Moved { feature, direction } => {
            let direction = match direction {
                Direction::AtLeast => Direction::AtMost,
                Direction::AtMost => Direction::AtLeast,
                Direction::Above => Direction::Below,
                Direction::Below => Direction::Above,
            };
            Condition::Moved { feature, direction }
        }
        same => same,
    }
}
