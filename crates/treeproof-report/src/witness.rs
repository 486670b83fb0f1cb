//! Inputs of a model: a value for each feature, by name.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// An input: every feature with its value, in the model's order. A group stands in the place of its first column.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Witness(pub Vec<(String, WitnessValue)>);

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

impl Serialize for Witness {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

impl<'de> Deserialize<'de> for Witness {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        entries(deserializer).map(Self)
    }
}

/// Reads a map as a list of its entries, in order.
pub(crate) fn entries<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Vec<(String, T)>, D::Error> {
    struct Entries<T>(std::marker::PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
        type Value = Vec<(String, T)>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
            let mut entries = vec![];
            while let Some(entry) = map.next_entry()? {
                entries.push(entry);
            }
            Ok(entries)
        }
    }

    deserializer.deserialize_map(Entries(std::marker::PhantomData))
}
