//! Anytime bounds on sums of trees over cells.

mod climb;
mod evaluate;
mod extent;
mod frontier;
mod masks;
pub mod merge;
pub mod problem;
mod region;
pub mod search;
pub mod veritas;

pub use merge::Merge;
pub use problem::{Axis, Case, Channel, Node, Problem, Split, Tree, Value};
pub use search::{Incumbent, Reason, Search};
pub use veritas::{Strategy, Veritas};
