//! The native part of the Python package: tasks, models and rows come in, reports go out as JSON.
//!
//! What Python's users see is made in `python/treeproof`; what is computed, in the crates below. Here is only the border.

mod ask;
mod command;
mod error;
mod json;
mod model;
mod outputs;
mod page;
mod parts;
mod predicate;
mod sources;
mod table;
mod waiting;
mod watch;

/// The module `treeproof._native`.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::ask::{ask, audit, check, files_of_task};
    #[pymodule_export]
    use super::command::command_line;
    #[pymodule_export]
    use super::model::PyModel;
    #[pymodule_export]
    use super::outputs::write_file;
    #[pymodule_export]
    use super::page::{curve, describe, page, text};
    #[pymodule_export]
    use super::parts::{PyProof, read_rows, sum_up};
    #[pymodule_export]
    use super::table::PyTable;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
