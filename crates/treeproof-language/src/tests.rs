//! Tests of the whole language: laws on random conditions, an oracle for them, and trees as text.

mod display;
pub(super) mod laws;
mod naive;
