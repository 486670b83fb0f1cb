//! Certificates of facts about tree ensembles, and a checker for them that knows nothing of the search that wrote them.

pub mod check;
pub mod condition;
pub mod error;
mod evaluate;
mod excluded;
pub mod file;
pub mod goal;
pub mod grid;
pub mod held;
pub mod holds;
mod linear;
pub mod log;
pub mod narrow;
pub mod near;
mod number;
pub mod numbers;
pub mod region;
mod problem;
mod replay;
pub mod section;
pub mod space;
pub mod statement;
mod symmetry;
mod trees;
pub mod values;
pub mod witness;
