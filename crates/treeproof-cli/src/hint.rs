//! Hints on standard error beside an answer.

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
        // Names in the file may hold control characters.
        let hint = hint.replace(|c: char| c.is_control(), "?");
        // A hint that cannot be written does not stop the command.
        let _ = writeln!(std::io::stderr(), "treeproof: hint: {hint}");
    }
}
