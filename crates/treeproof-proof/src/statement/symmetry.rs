//! Statements about two inputs that say the same with the inputs exchanged.

use crate::statement::condition::{Condition, Direction, Scaled, Variable};
use crate::statement::{Statement, Tie};

impl Statement {
    /// Whether two inputs can be exchanged in everything that is demanded of them.
    pub(crate) fn is_symmetric(&self) -> bool {
        let is_ordered = self.ties.contains(&Tie::NotBelow);
        let are_exchanged = |condition: &Condition| self.conditions.contains(&condition.exchanged());
        let [first, second] = &self.inputs[..] else { return false };
        !is_ordered && first == second && self.conditions.iter().all(are_exchanged)
    }
}

impl Condition {
    /// The same with the two inputs exchanged.
    fn exchanged(&self) -> Self {
        let all = |parts: &[Self]| parts.iter().map(Self::exchanged).collect();
        match self.clone() {
            Self::All(parts) => Self::All(all(&parts)),
            Self::Any(parts) => Self::Any(all(&parts)),
            Self::Values(variable, domain) => Self::Values(variable.exchanged(), domain),
            Self::Multiple { variable, step, negated } => {
                Self::Multiple { variable: variable.exchanged(), step, negated }
            }
            Self::Linear { terms, relation, constant } => {
                let exchanged = |term: Scaled| Scaled { variable: term.variable.exchanged(), ..term };
                let mut terms: Vec<Scaled> = terms.into_iter().map(exchanged).collect();
                // Terms are listed input by input.
                terms.sort_by_key(|term| term.variable);
                Self::Linear { terms, relation, constant }
            }
            Self::Count { columns, at_least, at_most } => {
                let columns = columns.into_iter().map(Variable::exchanged).collect();
                Self::Count { columns, at_least, at_most }
            }
            Self::Moved { feature, direction } => {
                let direction = match direction {
                    Direction::AtLeast => Direction::AtMost,
                    Direction::AtMost => Direction::AtLeast,
                    Direction::Above => Direction::Below,
                    Direction::Below => Direction::Above,
                };
                Self::Moved { feature, direction }
            }
            same => same,
        }
    }
}

impl Variable {
    fn exchanged(self) -> Self {
        Self { input: 1 - self.input.min(1), ..self }
    }
}
