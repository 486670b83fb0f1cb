//! Anytime bounds on sums of trees over cells.

mod climb;
mod evaluate;
mod expand;
mod frontier;
pub mod limits;
mod masks;
pub mod problem;
mod region;
mod saved;
pub mod search;

pub use expand::{Incumbent, Reason};
pub use limits::{Limits, Observer, Status, StopReason, Unobserved};
pub use problem::{Axis, Case, Channel, Node, Problem, Split, Tree, Value};
pub use search::Search;
