//! Columns that are one feature to people.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::tree::Test;
use treeproof_language::suggest::quote;
use treeproof_language::{GroupError, Groups};

/// Where trees may compare columns of 0 and 1: between, and as far beyond as libraries put a cut that parts missing values
/// from all others.
const BINARY: RangeInclusive<f64> = -0.5..=2.5;

/// The columns of a group: `"sex_*"`, or a list of such patterns. What is like a pattern behind `!` is left out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum GroupColumns {
    /// All whose names are like this.
    Like(String),
    /// All whose names are like one of these.
    LikeOne(Vec<String>),
}

impl GroupColumns {
    /// Adds those that are like another pattern.
    pub fn add(&mut self, pattern: String) {
        match self {
            Self::Like(first) => *self = Self::LikeOne(vec![std::mem::take(first), pattern]),
            Self::LikeOne(patterns) => patterns.push(pattern),
        }
    }

    /// The patterns of names.
    pub fn patterns(&self) -> &[String] {
        match self {
            Self::Like(pattern) => std::slice::from_ref(pattern),
            Self::LikeOne(patterns) => patterns,
        }
    }
}

/// The groups of a model that a task declares.
///
/// # Errors
/// If the model has no such columns, or they can be no group.
pub(crate) fn declared(groups: &BTreeMap<String, GroupColumns>, ensemble: &Ensemble) -> Result<Groups, GroupError> {
    let patterns = groups.iter().map(|(name, columns)| (name.as_str(), columns.patterns()));
    let groups = Groups::new(ensemble, patterns)?;
    let splits = ensemble.trees().iter().flat_map(|tree| tree.splits());
    for split in splits.filter(|_| !groups.is_empty()) {
        if let (Some(group), Test::Below(threshold)) = (groups.of(split.feature as usize), split.test)
            && threshold.is_finite()
            && !BINARY.contains(&threshold)
        {
            let column = &ensemble.features()[split.feature as usize].name;
            let (leave_out, column) = (quote(&format!("!{column}")), quote(column));
            return Err(group.error(format!(
                "the model compares {column} with {threshold}, so it is no 0/1 column; {leave_out} leaves it out"
            )));
        }
    }
    Ok(groups)
}
