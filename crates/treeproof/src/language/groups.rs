//! Columns that are one feature to people, as one-hot columns are.

use std::collections::BTreeMap;

use thiserror::Error;
use treeproof_data::error::quote;
use treeproof_ensemble::ensemble::Ensemble;

use super::glob::is_like;

/// Groups of columns by name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Groups {
    columns: BTreeMap<String, Vec<usize>>,
}

/// Why columns cannot be a group.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum GroupError {
    /// Two features of one name.
    #[error("group {}: the model has a feature of this name", quote(group))]
    NameTaken {
        /// The group.
        group: String,
    },
    /// A group without columns.
    #[error("group {}: the model has no feature like {}", quote(group), quote(pattern))]
    NoColumns {
        /// The group.
        group: String,
        /// The pattern of its columns.
        pattern: String,
    },
    /// A column that is a feature in itself.
    #[error("group {}: {} has categories, so it is no 0/1 column", quote(group), quote(column))]
    NotNumeric {
        /// The group.
        group: String,
        /// The column.
        column: String,
    },
    /// A column in two groups.
    #[error("group {}: {} is in group {} already", quote(group), quote(column), quote(other))]
    Shared {
        /// The group.
        group: String,
        /// The column.
        column: String,
        /// The other group.
        other: String,
    },
}

impl Groups {
    /// Groups by name and pattern, as in `sex` and `sex_*`.
    pub fn new<'a>(
        ensemble: &Ensemble,
        patterns: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, GroupError> {
        let mut groups = Self::default();
        for (name, pattern) in patterns {
            let group = name.to_owned();
            let features = || ensemble.features().iter().enumerate();
            let columns: Vec<usize> =
                features().filter(|(_, feature)| is_like(&feature.name, pattern)).map(|(index, _)| index).collect();
            if ensemble.feature_named(name).is_some() {
                return Err(GroupError::NameTaken { group });
            }
            if columns.is_empty() {
                return Err(GroupError::NoColumns { group, pattern: pattern.to_owned() });
            }
            for column in &columns {
                let feature = &ensemble.features()[*column];
                let column_name = || feature.name.clone();
                if feature.is_category() {
                    return Err(GroupError::NotNumeric { group, column: column_name() });
                }
                if let Some(other) = groups.group_of(*column) {
                    return Err(GroupError::Shared { group, column: column_name(), other: other.to_owned() });
                }
            }
            groups.columns.insert(group, columns);
        }
        Ok(groups)
    }

    /// The columns of a group.
    pub fn columns(&self, name: &str) -> Option<&[usize]> {
        self.columns.get(name).map(Vec::as_slice)
    }

    /// The name of the group that a column is in.
    pub fn group_of(&self, column: usize) -> Option<&str> {
        self.columns.iter().find(|(_, columns)| columns.contains(&column)).map(|(name, _)| name.as_str())
    }

    /// All names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::super::laws::model;
    use super::*;

    #[test]
    fn groups_are_disjoint_columns_under_a_name_of_their_own() {
        let model = model();
        let groups = |patterns: &[(&'static str, &'static str)]| {
            Groups::new(&model, patterns.iter().copied()).map_err(|error| error.to_string())
        };
        assert_eq!(groups(&[("w", "w_*"), ("v", "y")]).unwrap().columns("w"), Some(&[3, 4, 5][..]));
        assert_eq!(groups(&[("x", "w_*")]).unwrap_err(), "group `x`: the model has a feature of this name");
        assert_eq!(groups(&[("w", "q_*")]).unwrap_err(), "group `w`: the model has no feature like `q_*`");
        assert_eq!(groups(&[("c", "c*")]).unwrap_err(), "group `c`: `colour` has categories, so it is no 0/1 column");
        assert_eq!(groups(&[("w", "w_*"), ("v", "*_1")]).unwrap_err(), "group `v`: `w_1` is in group `w` already");
    }
}
