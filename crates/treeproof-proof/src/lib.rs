//! Certificates of facts about tree ensembles, and a checker for them that knows nothing of the search that wrote them.
//!
//! A proof cuts all inputs that a statement is about into boxes of cells and gives a reason for each box why it need not be
//! looked at further. The checker computes every reason again, from the statement and the models alone, in exact numbers.
//! [`check`] is where to begin to read.
//!
//! | module | what it defines |
//! |---|---|
//! | [`mod@file`], [`section`], [`log`] | a proof as a file: its parts, and the log of what was done to boxes |
//! | [`reading`] | how a model's file is read |
//! | [`statement`], [`condition`], [`near`] | what is said |
//! | [`check`], [`proved`] | one statement after the other: the grid, the log, the claim, the witness; what is proved, in words |
//! | `effort` | what takes too long to be looked at |
//! | `replay` | follows a log: which boxes are open, and what nothing outside of them exceeds |
//! | `evaluate`, `losses`, `toll` | what a box can be worth: by the leaves that it reaches, and the weights that a proof gives |
//! | `trees`, `bundle` | trees over cells, the leaves that can be reached together, and these as bits |
//! | `ledger` | what cells cost |
//! | `ball` | cells of two inputs that must not be far apart |
//! | `alike` | trees that always reach the same leaf |
//! | `problem` | leaves and costs as whole numbers, rounded to the safe side |
//! | `listed` | regions of which only their own output is claimed |
//! | `excluded`, `narrow` | why a box holds no input of the statement |
//! | [`refute`], [`situation`], [`reach`] | why conditions leave none together: case by case, by sums that cannot be |
//! | [`space`] | a statement that is sound, with its models |
//! | [`numbers`], [`values`], [`held`] | sets of doubles, the values of a feature, those in a cell and where splits send them |
//! | [`axis`], [`grid`], [`region`] | axes in files, axes that leave no value out, boxes of cells |
//! | [`goal`] | what exact margins must be for what is asked |
//! | [`verify`] | a whole proof, against the models that it is about |
//! | [`holds`], [`witness`] | whether conditions hold for rows, and what rows show |
//!
//! # What must be believed
//!
//! That a proof is accepted means that its statement is so, if these parts are right:
//!
//! - this crate, but for what only writes proofs ([`file::ProofWriter`], [`log::Encoder`]) and says in words what is proved;
//! - of `treeproof-ensemble`: that a model's file is read as its library reads it (`load`), that values are read and sent down trees as
//!   the library does (`input`, `tree`, `evaluate`), exact numbers (`exact`), and how far the library's own rounded sums and labels may
//!   be from them (`decision`, `sum`, `link`, `label`);
//! - serde and `serde_json`, flate2, sha2, and num-bigint below the exact numbers.
//!
//! Nothing of the search, and nothing of how questions become statements, is used: `tests/alone.rs` keeps it so. All that is in a file
//! beside its statement and its claim, such as cells, weights, prices, cuts and refutations, is a hint that is verified.

mod alike;
mod apart;
pub mod axis;
mod ball;
mod bundle;
mod category;
pub mod check;
pub mod condition;
mod effort;
pub mod error;
mod evaluate;
mod excluded;
pub mod file;
pub mod goal;
pub mod grid;
pub mod held;
pub mod holds;
mod ledger;
pub mod linear;
mod listed;
pub mod log;
mod losses;
mod narrow;
pub mod near;
mod number;
pub mod numbers;
mod problem;
pub mod proved;
pub mod reach;
pub mod reading;
pub mod refute;
pub mod region;
mod replay;
pub mod section;
pub mod situation;
pub mod space;
pub mod statement;
mod symmetry;
mod toll;
mod trees;
pub mod values;
pub mod verify;
pub mod witness;

#[cfg(test)]
mod tests;
