//! What was typed: a process is one command. It need not be what the process was started with, as Python's interpreter may be.

use std::ffi::OsString;
use std::sync::OnceLock;

static TYPED: OnceLock<Vec<OsString>> = OnceLock::new();

/// Remembers it, the name of the program first.
pub(crate) fn remember(typed: Vec<OsString>) -> &'static [OsString] {
    TYPED.get_or_init(|| typed)
}

/// What follows the name of the program.
pub(crate) fn arguments() -> &'static [OsString] {
    TYPED.get().and_then(|typed| typed.get(1..)).unwrap_or_default()
}
