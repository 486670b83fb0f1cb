//! The flag for the search method.

use clap::ValueEnum;
use treeproof::task::{Method, Task};

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum MethodName {
    Auto,
    Veritas,
    Merge,
}

impl MethodName {
    /// Sets the search method of a task.
    pub(super) fn set(self, epsilon: Option<f64>, task: &mut Task) {
        task.method = match self {
            Self::Auto => Method::Auto,
            Self::Veritas => Method::Veritas,
            Self::Merge => Method::Merge,
        };
        task.epsilon = epsilon;
    }
}
