//! Columns that are one feature to people.

use serde::{Deserialize, Serialize};

/// The columns of a group: `"sex_*"`, or a list of such patterns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GroupColumns {
    /// All whose names are like this.
    Like(String),
    /// All whose names are like one of these.
    LikeOne(Vec<String>),
}
