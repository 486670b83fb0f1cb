//! Certificates of facts about tree ensembles, and a checker for them that knows nothing of the search that wrote them.
//!
//! A proof cuts all inputs that a statement is about into boxes of cells and gives a reason for each. What is here decides about
//! values: which inputs a statement is about, whether cells hold all of them, what a condition leaves of a box. All of it is
//! computed from the statement and the models, in exact numbers; of a proof only where it cut is taken, and that is looked at.
//!
//! | module | what it defines |
//! |---|---|
//! | [`statement`], [`condition`], [`near`] | what is said, in files |
//! | [`space`] | a statement that is sound, with its models |
//! | [`numbers`], [`values`], [`held`] | sets of doubles, the values of a feature, those in a cell and where splits send them |
//! | [`axis`], [`grid`], [`region`] | axes in files, axes that leave no value out, boxes of cells |
//! | [`exclude`] | why a box holds no input of the statement |
//! | [`goal`] | what exact margins must be for what is asked |
//! | [`holds`], [`witness`] | whether conditions hold for rows, and what rows show |

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
