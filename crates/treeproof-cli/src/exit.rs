//! Exit codes, and the outcome of a command.

use treeproof_report::{Report, SavedAnswer, Verdict};

/// The outcome of a command.
pub(crate) struct Done {
    /// The exit code.
    pub(crate) code: u8,
    /// The answer, if a question was asked.
    pub(crate) saved: Option<SavedAnswer>,
}

impl Done {
    pub(crate) fn new(code: u8) -> Self {
        Self { code, saved: None }
    }
}

/// The exit code of a report: 0 done or holds, 1 violated, 3 undecided, 4 infeasible.
pub(crate) fn exit_code(report: &Report) -> u8 {
    match report.verdict() {
        Verdict::Infeasible => 4,
        Verdict::Violated => 1,
        _ if report.is_done() => 0,
        _ => 3,
    }
}
