//! Columns that are one feature to people.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;

use super::Task;
use crate::language::{GroupError, Groups};

/// The columns of a group: `"sex_*"`, or a list of such patterns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum GroupColumns {
    /// All whose names are like this.
    Like(String),
    /// All whose names are like one of these.
    LikeOne(Vec<String>),
}

impl GroupColumns {
    /// The patterns of names.
    pub fn patterns(&self) -> &[String] {
        match self {
            Self::Like(pattern) => std::slice::from_ref(pattern),
            Self::LikeOne(patterns) => patterns,
        }
    }
}

impl Task {
    /// The groups of a model that the task declares.
    ///
    /// # Errors
    /// If the model has no such columns, or they can be no group.
    pub fn groups_in(&self, ensemble: &Ensemble) -> Result<Groups, GroupError> {
        Groups::new(ensemble, self.groups.iter().map(|(name, columns)| (name.as_str(), columns.patterns())))
    }
}
