//! Inputs of a model: a value for each feature, by name.

use serde::{Deserialize, Serialize};

/// An input: every feature with its value, in the model's order. A group stands in the place of its first column.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Witness(#[serde(with = "crate::entries")] pub Vec<(String, WitnessValue)>);

/// The value of a feature, as the model's data has it, so that a witness that is given back is matched to the same category.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum WitnessValue {
    /// A missing value.
    #[default]
    Missing,
    /// A number, a category that is a number, or the code of a category without a name. A text that spells no finite number
    /// (`inf`, `nan`) reads back as that.
    Number(#[serde(with = "crate::number::literal")] f64),
    /// A category that is a truth value.
    Truth(bool),
    /// A category that is a text, or the value of a group.
    Text(String),
}

impl WitnessValue {
    /// The number, if it is a finite one.
    pub fn finite(&self) -> Option<f64> {
        match self {
            Self::Number(number) => Some(*number).filter(|number| number.is_finite()),
            _ => None,
        }
    }
}

impl Witness {
    /// The value of a feature.
    pub fn get(&self, name: &str) -> Option<&WitnessValue> {
        self.0.iter().find(|(own, _)| own == name).map(|(_, value)| value)
    }
}
