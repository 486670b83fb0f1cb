//! Options for reading files of models and data.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::literal::Literal;
use treeproof_ensemble::load::{self, DumpFacts, LoadOptions};

use crate::error::{TaskError, refuse};
use crate::rows::CategoryCells;

/// Facts about files that the files do not hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// The library's prediction path, where it has several. Default: that of scikit-learn.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub api: Option<Api>,
    /// XGBoost's `missing=`: a number that means "missing" beside NaN. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<f64>")]
    pub missing_value: Option<Literal>,
    /// For an XGBoost JSON dump: the margin from which sums start, one or one per class. Needs `classes`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub base_margin: Vec<f64>,
    /// For an XGBoost JSON dump: the number of classes, 1 for regression. Needs `base_margin`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub classes: Option<usize>,
    /// True if leaves of CatBoost's JSON are as CatBoost reads them; its reader rounds some wrongly. Default: as trained.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub catboost_json_reader: bool,
    /// Meaning of cells in categorical columns. Default: values, matched to categories by type and value.
    #[serde(default, skip_serializing_if = "is_default")]
    pub categories: CategoryCells,
}

fn is_default(categories: &CategoryCells) -> bool {
    *categories == CategoryCells::default()
}

/// A prediction path of a library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Api {
    /// That of scikit-learn's wrappers, which stop at the best iteration.
    Sklearn,
    /// The native one, which uses all trees.
    Booster,
}

impl Reading {
    /// Whether nothing is said.
    pub fn is_plain(&self) -> bool {
        *self == Self::default()
    }

    /// What this says, and where it says nothing, what the other does.
    #[must_use]
    pub fn over(self, other: Self) -> Self {
        let (base_margin, classes) = match self.classes {
            Some(_) => (self.base_margin, self.classes),
            None => (other.base_margin, other.classes),
        };
        Self {
            api: self.api.or(other.api),
            missing_value: self.missing_value.or(other.missing_value),
            base_margin,
            classes,
            catboost_json_reader: self.catboost_json_reader || other.catboost_json_reader,
            categories: if is_default(&self.categories) { other.categories } else { self.categories },
        }
    }

    /// The options of the loader.
    pub fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        options.api = match self.api {
            None | Some(Api::Sklearn) => load::Api::Sklearn,
            Some(Api::Booster) => load::Api::Booster,
        };
        options.missing_value = self.missing_value.map(|number| number.0);
        options.dump = self.classes.map(|classes| DumpFacts { base_margin: self.base_margin.clone(), classes });
        options.catboost_json_reader = self.catboost_json_reader;
        options
    }

    pub(crate) fn validate(&self) -> Result<(), TaskError> {
        match self.classes {
            Some(0) => refuse("reading.classes", "must be at least 1"),
            Some(_) if self.base_margin.is_empty() => refuse("reading.classes", "needs base_margin"),
            None if !self.base_margin.is_empty() => refuse("reading.base_margin", "needs classes"),
            _ => Ok(()),
        }
    }
}
