//! The format of proofs as data: statements, claims and logs, a reader and a writer. Nothing is verified here; that is
//! `treeproof-checker`'s. `docs/proofs.md` describes the file.
//!
//! | module | content |
//! |---|---|
//! | [`statement`] | the inputs that a section is about, and the goal: features, domains, conditions, distances |
//! | [`axis`], [`header`] | the cells of the grid; everything that a log refers to |
//! | [`record`], [`refutation`] | the log: one record for each region, as notes; reasons why conditions exclude a box |
//! | [`conclusion`] | the claim, the witness and listed regions |
//! | [`model_file`], [`stated_options`] | the models, by digest, and the options with which their files are read |
//! | [`reader`], [`writer`] | the file: blocks, sections and the digest |

pub mod axis;
pub mod conclusion;
mod exact_text;
pub mod header;
pub mod model_file;
pub mod reader;
pub mod record;
pub mod refutation;
pub mod stated_options;
pub mod statement;
pub mod writer;
