//! A word to people on standard error, beside an answer: what they may have left unsaid.

use std::io::Write;

use treeproof::rows::Rows;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_language::Groups;
use treeproof_language::families::{self, Family};

/// Hints at columns that look like one feature and are in no group.
pub(crate) fn tell(ensemble: &Ensemble, groups: &Groups, rows: &[&Rows]) {
    if let Some(hint) = families::hint(
        &families::families(ensemble, groups, || rows.iter().flat_map(|rows| rows.iter())),
        Family::flags,
    ) {
        // Names come from the file: nothing in them may steer the terminal.
        let hint = hint.replace(|c: char| c.is_control(), "?");
        // A hint that cannot be written is no reason to stop.
        let _ = writeln!(std::io::stderr(), "treeproof: hint: {hint}");
    }
}
