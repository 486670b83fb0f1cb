//! Elaboration: from a question and the journal of its search to a proof that [`treeproof_proof`] writes.
//!
//! Not trusted: [`treeproof_checker`] verifies every line. The statement is made from the question alone, and nothing of it
//! from the search.
//!
//! | file | what it makes |
//! |---|---|
//! | `statement` | the statement of a question |
//! | `section` | the section of one search |
//! | `journal` | notes of the search as notes of a proof |
//! | `refuter` | reasons why conditions leave nothing of a box |
//! | `without_search` | sections for answers that need no search |

mod journal;
mod refuter;
mod section;
mod statement;
mod without_search;

pub(crate) use self::section::{Section, follow};
pub(crate) use self::statement::{FromRow, StatementSource, goal_of_sums, metric_near, row};
pub(crate) use self::without_search::{prove_empty, prove_unreachable};

/// A proof that cannot be written, with the reason.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct ProofError(String);

impl ProofError {
    /// A question that a proof cannot state.
    pub(crate) fn unstated(what: &str) -> Self {
        Self(format!("cannot be written: {what}"))
    }

    /// A method that gives no reasons.
    pub(crate) fn unstated_method() -> Self {
        Self(
            "needs the method `auto`, as the others give no reasons that can be checked: leave out `--method`"
                .to_owned(),
        )
    }
}

impl From<std::io::Error> for ProofError {
    fn from(error: std::io::Error) -> Self {
        Self(format!("cannot be written: {error}"))
    }
}
