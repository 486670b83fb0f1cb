//! Questions about tree ensembles, answered with proof.

pub mod rows;
