//! Certificates of facts about tree ensembles, and a checker for them that knows nothing of the search that wrote them.

mod apart;
pub mod axis;
mod category;
pub mod condition;
pub mod error;
pub mod exclude;
pub mod goal;
pub mod grid;
pub mod held;
pub mod holds;
mod linear;
mod narrow;
pub mod near;
mod number;
pub mod numbers;
pub mod region;
pub mod space;
pub mod statement;
mod symmetry;
pub mod values;
pub mod witness;

#[cfg(test)]
mod tests;
