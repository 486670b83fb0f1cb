//! Certificates of facts about tree ensembles, and a checker for them that knows nothing of the search that wrote them.

pub mod condition;
mod evaluate;
pub mod grid;
pub mod log;
pub mod near;
mod number;
pub mod region;
mod replay;
pub mod statement;
mod trees;
