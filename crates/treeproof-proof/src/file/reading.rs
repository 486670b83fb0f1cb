//! How a model's file was read, where it can be read in several ways: what a proof is about is the model that this gives.

use serde::{Deserialize, Serialize};
use treeproof_ensemble::load::{Api, DumpFacts, LoadOptions};

use crate::statement::Number;

/// What is said about a file beside what is in it.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Reading {
    /// Which of a library's interfaces predicts.
    #[serde(default, skip_serializing_if = "is_default")]
    pub api: Interface,
    /// A number that means "missing" beside NaN.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_value: Option<Number>,
    /// What an XGBoost JSON dump leaves out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dump: Option<Dump>,
    /// Whether leaves of CatBoost's JSON are rounded as CatBoost rounds them when it reads it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub catboost_json_reader: bool,
}

/// An interface of a library.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Interface {
    /// That of scikit-learn, which stops at the best iteration.
    #[default]
    Sklearn,
    /// The native one.
    Booster,
}

/// What an XGBoost JSON dump leaves out.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Dump {
    /// From where sums start: one margin, or one per class.
    pub base_margin: Vec<Number>,
    /// The number of classes.
    pub classes: u32,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

impl Reading {
    /// Whether nothing is said.
    pub fn is_plain(&self) -> bool {
        self.api == Interface::Sklearn
            && self.missing_value.is_none()
            && self.dump.is_none()
            && !self.catboost_json_reader
    }

    /// What is said, in words.
    pub(crate) fn said(&self) -> String {
        let mut said = vec![];
        if self.api == Interface::Booster {
            said.push("the native interface".to_owned());
        }
        said.extend(self.missing_value.map(|number| format!("{} as missing", number.0)));
        if let Some(Dump { base_margin, classes }) = &self.dump {
            let margins: Vec<String> = base_margin.iter().map(|margin| margin.0.to_string()).collect();
            said.push(format!("base margin {} and {classes} classes", margins.join(" ")));
        }
        if self.catboost_json_reader {
            said.push("leaves as CatBoost rounds them when it reads JSON".to_owned());
        }
        said.join(", ")
    }

    /// The same for whoever reads the file.
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

impl From<&LoadOptions> for Reading {
    fn from(options: &LoadOptions) -> Self {
        Self {
            api: match options.api {
                Api::Sklearn => Interface::Sklearn,
                Api::Booster => Interface::Booster,
            },
            missing_value: options.missing_value.map(Number),
            dump: options.dump.as_ref().map(|dump| Dump {
                base_margin: dump.base_margin.iter().copied().map(Number).collect(),
                classes: u32::try_from(dump.classes).unwrap_or(u32::MAX),
            }),
            catboost_json_reader: options.catboost_json_reader,
        }
    }
}
