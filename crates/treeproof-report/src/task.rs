//! The task of an answer: all of it as JSON, and the fields that tell what was asked.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;
use treeproof_ensemble::norm::Norm;

/// A task as it was asked. A field that cannot be read counts as absent; the JSON has it all the same.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "Value", into = "Value")]
pub struct TaskRecord {
    json: Value,
    fields: TaskFields,
    question: QuestionFields,
}

/// The fields of a task that all questions share, and those of the general form.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct TaskFields {
    /// The class whose margin is asked about.
    pub class: Option<String>,
    /// The conditions.
    #[serde(rename = "where", deserialize_with = "texts")]
    pub conditions: Vec<String>,
    /// Columns that are one feature to people, by its name.
    pub groups: BTreeMap<String, Value>,
    /// The file of rows that confines the features.
    pub domain: Option<String>,
    /// The file of rows that are asked about.
    pub data: Option<String>,
    /// The probability above which the second class is chosen.
    pub threshold: Option<f64>,
    /// The margins that are added up.
    pub maximise: Vec<MarginFields>,
    /// The domains of the inputs, by their names.
    pub inputs: BTreeMap<String, InputFields>,
    /// The limits.
    pub limits: LimitFields,
}

/// The limits of a task that sentences depend on.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct LimitFields {
    /// The gap between the bounds that is close enough.
    pub gap: Option<Value>,
}

/// A margin that is added or subtracted.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct MarginFields {
    /// The name of the model.
    pub model: String,
    /// The name of the input; `None` for `a`.
    pub input: Option<String>,
    /// 1 or -1; `None` for 1.
    pub sign: Option<i64>,
    /// The class, in models with several.
    pub class: Option<String>,
}

/// The domain of an input.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct InputFields {
    /// The file of rows that confines it.
    pub domain: Option<String>,
    /// The input that it is the same as.
    pub same_as: Option<String>,
}

/// The fields of all questions; those that a question does not have are absent.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct QuestionFields {
    /// The norm of distances.
    pub norm: Option<Norm>,
    /// The radius.
    pub radius: Option<f64>,
    /// The file whose standard deviations are the units of distances, after `std:`.
    pub scale: Option<String>,
    /// The weights of features.
    pub weights: BTreeMap<String, f64>,
    /// The cost of going missing, or ceasing to be.
    pub missing_cost: Option<f64>,
    /// The cost of another category.
    pub category_cost: Option<f64>,
    /// The tolerance of a difference.
    pub within: Option<f64>,
    /// The class that is looked for.
    pub target: Option<String>,
    /// The output that is looked for: above this.
    pub output_above: Option<f64>,
    /// The output that is looked for: below this.
    pub output_below: Option<f64>,
    /// The protected features.
    #[serde(deserialize_with = "texts")]
    pub protected: Vec<String>,
    /// True if the margin must not rise, instead of not falling.
    pub decreasing: bool,
    /// True if the margin is moved down, not up.
    pub decrease: bool,
    /// True if each feature is asked about by itself.
    pub each: bool,
    /// The number of features that may change.
    pub at_most: Option<u64>,
    /// The features that may change.
    #[serde(deserialize_with = "texts")]
    pub vary: Vec<String>,
    /// The row that is the starting point.
    pub baseline: Option<BaselineField>,
    /// Values of the starting point.
    #[serde(deserialize_with = "texts")]
    pub given: Vec<String>,
    /// The number of configurations.
    pub top: Option<u64>,
    /// The output above which configurations are listed.
    pub above: Option<f64>,
}

/// A starting point.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum BaselineField {
    /// A row of the data, counted from 0.
    Row(u64),
    /// Values as one text.
    Text(String),
    /// Values as several texts.
    Texts(Vec<String>),
}

impl TaskRecord {
    /// The fields that all questions share.
    pub fn fields(&self) -> &TaskFields {
        &self.fields
    }

    /// The fields of its question.
    pub fn question(&self) -> &QuestionFields {
        &self.question
    }

    /// All of it.
    pub fn json(&self) -> &Value {
        &self.json
    }
}

impl From<Value> for TaskRecord {
    fn from(json: Value) -> Self {
        let fields = readable(&json);
        // A question by its name alone has no fields.
        let question = json["question"].as_object().and_then(|question| question.values().next());
        let question = question.map(readable).unwrap_or_default();
        Self { json, fields, question }
    }
}

impl From<TaskRecord> for Value {
    fn from(record: TaskRecord) -> Self {
        record.json
    }
}

/// Reads the fields that can be read, and takes the others for absent.
fn readable<T: Default + DeserializeOwned>(json: &Value) -> T {
    let fields = json.as_object().into_iter().flatten().map(|(name, field)| (name.clone(), field.clone()));
    let is_readable = |field: &(String, Value)| T::deserialize(Value::from_iter([field.clone()])).is_ok();
    T::deserialize(fields.filter(is_readable).collect::<Value>()).unwrap_or_default()
}

/// Reads one text or several.
fn texts<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => vec![text],
        Value::Array(texts) => texts.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        _ => vec![],
    })
}
