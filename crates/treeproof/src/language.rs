//! The language of `--where`: conditions on features, as people write them. `docs/constraints.md` is its manual.
//!
//! The way of a condition: [`Condition::parse`] makes a tree of its text, [`Resolved::new`] finds the features and
//! categories it names and leaves a [`Constraint`], which a search may use as it can, and [`Constraint::holds`] decides
//! for given rows, exactly.
//!
//! A statement about a missing value is false, whichever way it is put: `not (age > 30)` means `age <= 30`, and a missing
//! age meets neither. Beside `maybemissing(age)` it meets both.

mod constraint;
mod display;
mod error;
mod expression;

mod glob;
mod groups;
mod holds;
mod lexer;
mod linear;
mod parser;
mod resolve;
mod values;
mod vocabulary;

#[cfg(test)]
mod laws;

pub use constraint::{Constraint, CountRange, Direction, DistanceBound, Linear, Relation, Variable};
pub use error::LanguageError;
pub use expression::{
    Arithmetic, Condition, FeatureName, Formula, Literal, NamePattern, Number, Operator, Position, Property, Quoting,
    Side, Sign,
};
pub use groups::{Group, GroupError, Groups};
pub use holds::{Input, Point};
pub use resolve::{Conjunct, Resolved};
pub use values::{CategorySet, Present, Range, ValueSet};
pub use vocabulary::{Inputs, Vocabulary};
