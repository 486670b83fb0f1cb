//! The command line, as `pip install` provides it.

use std::ffi::OsString;

use pyo3::{Python, pyfunction};

/// Runs what was typed, the name of the program first, and returns the exit code.
#[pyfunction]
pub(crate) fn command_line(py: Python<'_>, typed: Vec<OsString>) -> u8 {
    py.detach(|| treeproof_cli::command_line(typed))
}
