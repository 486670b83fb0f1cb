//! Questions about tree ensembles, answered with proof.
pub mod inspect;
