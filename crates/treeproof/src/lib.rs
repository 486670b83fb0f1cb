//! Questions about tree ensembles, answered with proof: the place where models and data meet.

pub mod compile;
pub mod inspect;
pub mod rows;

pub use rows::{DataError, Rows};
