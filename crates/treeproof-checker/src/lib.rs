//! A checker of proofs about tree ensembles. It shares no code with the search that finds them.
//!
//! A proof cuts all inputs of a statement into boxes of cells and gives a reason for each box why it need not be looked at
//! further. The checker computes every reason again, from the statement and the models alone, in exact numbers.
//!
//! Each module depends only on those above it:
//!
//! | module | content |
//! |---|---|
//! | [`error`], `quote` | refusals; escaped text |
//! | [`numbers`], [`region`], `ledger` | sets of doubles; boxes of cells; costs of cells |
//! | [`space`] | a statement with its models: the values of features, and the grid of cells, which leaves none of them out |
//! | `distance`, `linear` | exact bounds on distances and linear forms over boxes |
//! | `trees` | the models' trees over cells, and the leaves that are reached together |
//! | [`goal`], [`witness`] | the goal as cases of exact sums; rows that show how much of it is reached |
//! | `replay` | the log: open regions, bounds by leaves and weights, and the bound on everything that was pruned |
//! | [`exclusion`] | boxes without inputs: conditions one by one or together, distances, and the library's own sums |
//! | `problem` | a header as the problem of its log, in whole numbers that are rounded to the safe side |
//! | [`check`] | a section: its grid, log, claim and witness |
//! | [`wording`], [`mod@verify`] | a checked claim in words; a whole proof against its models |
//!
//! # What must be believed
//!
//! A statement that is accepted holds if these parts are right:
//!
//! - this crate, but for `wording`, and the reader of `treeproof-proof`;
//! - of `treeproof-ensemble`: that a model's file is read as its library reads it (`load`), that values are read and sent down trees as
//!   the library does (`input`, `tree`, `evaluate`), exact numbers (`exact`), and how far the library's own rounded sums and labels may
//!   be from them (`decision`, `sum`, `link`, `label`);
//! - serde and `serde_json`, flate2, sha2, and num-bigint below the exact numbers.
//!
//! No code of the search or of the compiler of questions is linked: `tests/alone.rs` keeps it so. The rest of a file, such as cells,
//! weights, prices, cuts and refutations, is a hint that is verified.

pub mod check;
mod distance;
pub mod error;
pub mod exclusion;
pub mod goal;
mod ledger;
mod linear;
pub mod numbers;
mod problem;
mod quote;
pub mod region;
mod replay;
pub mod space;
mod trees;
pub mod verify;
pub mod witness;
pub mod wording;

#[cfg(test)]
mod tests;
