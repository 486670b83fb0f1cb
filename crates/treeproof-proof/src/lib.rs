//! Certificates of facts about tree ensembles, and a checker for them that knows nothing of the search that wrote them.
//!
//! A proof cuts all inputs that a statement is about into boxes of cells and gives a reason for each box why it need not be
//! looked at further. The checker computes every reason again, from the statement and the models alone, in exact numbers.
//!
//! | module | what it is about |
//! |---|---|
//! | [`mod@verify`], [`check`], [`proved`] | a whole proof against its models; one statement: its grid, log, claim and witness; what is proved, in words |
//! | [`mod@file`] | proofs as files: how models are read, headers, axes, the log of what was done to boxes |
//! | [`statement`] | what is said: conditions, distances, claims |
//! | [`space`] | a statement that is sound, with its models: sets of doubles, the values of features, cells that leave none out, boxes |
//! | [`goal`] | what exact margins must be for what is asked |
//! | `problem` | trees and costs over cells as whole numbers, rounded to the safe side: the leaves that can be reached together, cells that are too far apart |
//! | `replay` | follows a log: which boxes are open, what they can be worth by their leaves and the weights that a proof gives, and what nothing outside of them exceeds |
//! | [`excluded`] | why a box holds no input of the statement: conditions one by one, or several together, case by case, by sums that cannot be |
//! | [`witness`] | whether conditions hold for rows, and what rows show |
//!
//! About in this order it is read best. What every proof rests on is `check`, `problem`, `replay` and of [`space`] the
//! grid; what conditions and distances take is in `excluded`, and in files of their own (`costs`, `ball`, `penalty`, `near`).
//!
//! # What must be believed
//!
//! That a proof is accepted means that its statement is so, if these parts are right:
//!
//! - this crate, but for what only writes proofs ([`file::ProofWriter`], [`file::log::Encoder`]) and says in words what is proved;
//! - of `treeproof-ensemble`: that a model's file is read as its library reads it (`load`), that values are read and sent down trees as
//!   the library does (`input`, `tree`, `evaluate`), exact numbers (`exact`), and how far the library's own rounded sums and labels may
//!   be from them (`decision`, `sum`, `link`, `label`);
//! - serde and `serde_json`, flate2, sha2, and num-bigint below the exact numbers.
//!
//! Nothing of the search, and nothing of how questions become statements, is used: `tests/alone.rs` keeps it so. All that is in a file
//! beside its statement and its claim, such as cells, weights, prices, cuts and refutations, is a hint that is verified.

pub mod check;
pub mod error;
pub mod excluded;
pub mod file;
pub mod goal;
mod problem;
pub mod proved;
mod replay;
pub mod space;
pub mod statement;
pub mod verify;
pub mod witness;

#[cfg(test)]
mod tests;
