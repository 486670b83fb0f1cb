//! The language of `--where`: conditions on features, as people write them.
//!
//! `age >= 30` · `30 <= age < 50` · `sex == 1` · `colour in {red, blue}` · `missing(x)` · `maybemissing(x)`, joined by
//! `and`. Names that are no plain words stand in backquotes; `f0`, `f1`, … count features where no name says otherwise.
//!
//! A comparison means that the feature is present and the comparison holds, for the user's own numbers, exactly. Beside
//! `maybemissing(x)`, the feature may be missing instead.

mod error;
mod expression;
mod lexer;
mod names;
mod parser;

pub use error::LanguageError;
pub use expression::{Condition, Fact, FeatureName, Limit, Literal, Position};
pub use names::{category_code, feature_named};
