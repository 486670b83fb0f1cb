//! The command as people meet it: the real binary, in a folder of its own.

/// What the questions answer, for people and as JSON.
mod answers;
/// Checks as a gate.
mod audits;
/// What happens to wrong files and wrong rows: one line, exit code 2, little time, little memory.
mod bad_input;
/// What happens to questions that cannot be asked.
mod bad_questions;
/// What happens to wrong command lines.
mod bad_usage;
/// Cells of categorical columns.
mod categories;
/// Claims match what was asked and proved, and no more.
mod claims;
/// Differences between models and between inputs: `diff`, `monotone`, `fair`.
mod comparisons;
/// What shells complete.
mod completions;
/// Lists of output configurations.
mod configurations;
/// What is shown to those with nothing at hand.
mod demo;
/// The nearest inputs that change an answer.
mod distances;
/// Groups of one-hot columns.
mod groups;
/// Every help text.
mod help;
/// Colours, and what is said on the way.
mod messages;
/// Jumps between inputs that are near each other, and dominant attributes: `stable`, `dominant`.
mod near;
/// Files that are written, and those that are not.
mod outputs;
/// Answers as proofs, and whether they are right.
mod proofs;
/// The largest and smallest outputs: answers, limits, conditions, and the laws of every answer.
mod questions;
/// Whether the output shown in the README is what the commands print.
mod readme;
/// Answers of every question, compared with recorded ones.
mod recorded;
/// Pages about answers.
mod reports;
/// The folder in which the binary runs.
mod sandbox;
/// Answers about rows in files.
mod tables;
/// Tasks in files.
mod tasks;
/// Whatever people type.
mod typed;
