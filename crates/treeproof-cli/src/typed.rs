//! The command line as typed, which may differ from the arguments of the process: that may be Python's interpreter.

use std::ffi::OsString;
use std::sync::OnceLock;

static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// Stores the command line, the name of the program first.
pub(crate) fn remember(typed: Vec<OsString>) -> &'static [OsString] {
    TYPED.get_or_init(|| typed)
}

/// The arguments behind the name of the program.
pub(crate) fn arguments() -> &'static [OsString] {
    TYPED.get().and_then(|typed| typed.get(1..)).unwrap_or_default()
}
