//! Options with which a model's file was read: a proof is about the model that they give.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::load::{Api, DumpFacts, LoadOptions};

use crate::statement::Number;

/// Facts about a file beside its content.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedOptions {
    /// The library's interface that predicts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub api: Interface,
    /// A number that means "missing" beside NaN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_value: Option<Number>,
    /// Facts that an XGBoost JSON dump leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<StatedDump>,
    /// True if leaves of CatBoost's JSON are rounded as CatBoost rounds them when it reads it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub catboost_json_reader: bool,
}

/// An interface of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interface {
    /// The scikit-learn interface, which stops at the best iteration.
    #[default]
    Sklearn,
    /// The native one.
    Booster,
}

/// Facts that an XGBoost JSON dump leaves out.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StatedDump {
    /// The start of sums: one margin, or one per class.
    pub base_margin: Vec<Number>,
    /// The number of classes.
    pub classes: u32,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl StatedOptions {
    /// True for the usual options.
    pub fn is_plain(&self) -> bool {
        is_default(self)
    }

    /// The options for the loader.
    pub fn options(&self) -> LoadOptions {
        let mut options = LoadOptions::default();
        options.api = match self.api {
            Interface::Sklearn => Api::Sklearn,
            Interface::Booster => Api::Booster,
        };
        options.missing_value = self.missing_value.map(|number| number.0);
        options.dump = self.dump.as_ref().map(|dump| DumpFacts {
            base_margin: dump.base_margin.iter().map(|number| number.0).collect(),
            classes: dump.classes as usize,
        });
        options.catboost_json_reader = self.catboost_json_reader;
        options
    }
}

impl From<&LoadOptions> for StatedOptions {
    fn from(options: &LoadOptions) -> Self {
        Self {
            api: match options.api {
                Api::Sklearn => Interface::Sklearn,
                Api::Booster => Interface::Booster,
            },
            missing_value: options.missing_value.map(Number),
            dump: options.dump.as_ref().map(|dump| StatedDump {
                base_margin: dump.base_margin.iter().copied().map(Number).collect(),
                classes: u32::try_from(dump.classes).unwrap_or(u32::MAX),
            }),
            catboost_json_reader: options.catboost_json_reader,
        }
    }
}
