//! The published searches, kept for comparison: over leaf sequences, and by merging trees.

mod boxes;
mod free;
mod merge;
mod veritas;

pub use self::merge::Merge;
pub use self::veritas::{Strategy, Veritas};
