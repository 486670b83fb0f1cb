//! Anytime bounds on sums of trees over cells.

mod climb;
mod evaluate;
mod frontier;
mod masks;
pub mod problem;
mod region;
pub mod search;

pub use problem::{Axis, Case, Channel, Node, Problem, Split, Tree, Value};
pub use search::{Incumbent, Reason, Search};
