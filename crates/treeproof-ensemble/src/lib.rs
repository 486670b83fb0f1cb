//! Tree ensembles, exactly as the libraries that trained them compute.
pub mod builder;
pub mod ensemble;
pub mod error;
pub mod evaluate;
pub mod exact;
pub mod float;
pub mod input;
pub mod label;
pub mod link;
mod literal;
pub mod load;
pub mod predict;
pub mod sum;
pub mod tree;
