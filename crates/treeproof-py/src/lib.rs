//! The native part of the Python package: tasks, models and rows come in, reports go out as JSON.
//!
//! What Python's users see is made in `python/treeproof`; what is computed, in the crates below. Here is only the border.

mod ask;
mod error;
mod model;
mod parts;
mod predicate;
mod sources;
mod table;
mod waiting;
mod watch;

/// The module `treeproof._native`.
#[pyo3::pymodule]
mod _native {
    #[pymodule_export]
    use super::ask::{ask, audit, check};
    #[pymodule_export]
    use super::model::Model;
    #[pymodule_export]
    use super::parts::{read_rows, sum_up};
    #[pymodule_export]
    use super::table::Table;
}
