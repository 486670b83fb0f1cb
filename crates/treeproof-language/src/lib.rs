//! The language of `--where`: conditions on features, as people write them. `docs/constraints.md` is its manual.
//!
//! # The problem
//!
//! Users write `age < 30 and job in {clerk, nurse}` about a model that knows features by position, categories by code and
//! numbers by its own rounding, and they misspell names. A search needs an exact statement about raw values, and a witness
//! needs a check of that statement that shares no code with the search.
//!
//! # Roles
//!
//! * A [`Condition`] is a text and its syntax tree; no model is known yet.
//! * A [`Vocabulary`] holds the names that a question may use: features, categories and [`Groups`] of columns, of one input
//!   or two.
//! * [`Resolved`] holds the conditions resolved for a model: [`Conjunct`]s, each with a [`Constraint`] without negations.
//!   Their [`Requirement`]s on one feature are sets of values; the others concern several features.
//! * [`Constraint::holds`] decides for given rows, exactly.
//!
//! A statement about a missing value is false, also under `not`: `not (age > 30)` means `age <= 30`, and a missing
//! age meets neither. Beside `maybemissing(age)` it meets both.
//!
//! # Example
//!
//! ```
//! use treeproof_ensemble::load::{LoadOptions, load_bytes};
//! use treeproof_language::{Condition, Groups, ReadRow, Inputs, Assignment, Resolved, Vocabulary};
//!
//! let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
//!     "features": [{"name": "age", "kind": "numeric"}],
//!     "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
//!     "num_outputs": 1,
//!     "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first", "fixed_order": true},
//!     "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
//!     "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
//!                "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;
//! let model = load_bytes(model, &LoadOptions::default())?;
//! let groups = Groups::NONE;
//! let vocabulary = Vocabulary::new(&model, &groups, Inputs::One);
//!
//! let young = Resolved::new(&[Condition::parse("not (age >= 30)")?], &vocabulary)?.constraint();
//! let holds = |age: f64| -> Result<bool, Box<dyn std::error::Error>> {
//!     let (row, reference) = ([age], None);
//!     Ok(young.holds(Assignment::One { input: &ReadRow::new(&model, &row)?, reference }))
//! };
//! assert!(holds(29.5)? && !holds(30.0)? && !holds(f64::NAN)?);
//!
//! let error = Resolved::new(&[Condition::parse("agee < 30")?], &vocabulary).unwrap_err();
//! assert_eq!(error.what, "the model has no feature `agee`; did you mean `age`?");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Map
//!
//! | module, lowest first | content |
//! |---|---|
//! | `lexer`, `parser`, `expression` | from text to [`Condition`] |
//! | `groups`, `glob`, [`families`] | columns that are one feature: declared, found by patterns, suspected |
//! | `vocabulary`, `positional`, [`suggest`] | features and categories by name; names for positions; suggestions for misspelled names |
//! | `resolve`, `linear` | from [`Condition`] to [`Resolved`]: names found, negations pushed down, arithmetic in normal form |
//! | `constraint`, `conjunct` | exact statements about one input or two; their parts on one feature, on several |
//! | `holds` | the decision for given rows |
//! | `error` | messages that point at a character |

mod conjunct;
mod constraint;
mod error;
mod expression;
pub mod families;
mod glob;
mod groups;
mod holds;
mod lexer;
mod linear;
mod parser;
mod positional;
mod resolve;
pub mod suggest;
mod vocabulary;

#[cfg(test)]
mod tests;

pub use conjunct::{Conjunct, Requirement};
pub use constraint::{Constraint, CountRange, DistanceLimit, Linear, Movement, Relation, Variable};
pub use error::LanguageError;
pub use expression::{Condition, Side};
pub use groups::{Group, GroupError, Groups};
pub use holds::{Assignment, ReadRow};
pub use resolve::Resolved;
pub use vocabulary::{Inputs, Vocabulary};
