//! A cell of a table on its way through the steps of a pipeline.

use serde::Deserialize;

/// What a cell holds. NaN is a number here, and Python's `None` is not: steps tell the two apart.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, or NaN.
    Number(f64),
    /// A text.
    Text(String),
    /// Python's `None`.
    Nothing,
}

/// A value that a step knows, and what people call it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "Spelling")]
pub struct Constant {
    /// The value.
    pub value: Value,
    /// Its name.
    pub name: String,
}

/// How constants are written in a file.
#[derive(Deserialize)]
#[serde(untagged, expecting = "a value is a number, a text, a truth value or {\"missing\": \"nan\" or \"none\"}")]
enum Spelling {
    Truth(bool),
    Number(f64),
    Text(String),
    Missing(Missing),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Missing {
    missing: Kind,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Nan,
    None,
}

impl From<Spelling> for Constant {
    fn from(spelling: Spelling) -> Self {
        let (value, name) = match spelling {
            // As Python writes them; compared with numbers they are numbers.
            Spelling::Truth(true) => (Value::Number(1.0), "True".to_owned()),
            Spelling::Truth(false) => (Value::Number(0.0), "False".to_owned()),
            Spelling::Number(number) => (Value::Number(number + 0.0), (number + 0.0).to_string()),
            Spelling::Text(text) => (Value::Text(text.clone()), text),
            Spelling::Missing(Missing { missing: Kind::Nan }) => (Value::Number(f64::NAN), "nan".to_owned()),
            Spelling::Missing(Missing { missing: Kind::None }) => (Value::Nothing, "None".to_owned()),
        };
        Self { value, name }
    }
}

/// A value as the key of a table: zeros are one number, and so are NaNs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Number(u64),
    Text(String),
    Nothing,
}

impl Value {
    pub(super) fn key(&self) -> Key {
        match self {
            Self::Number(number) if number.is_nan() => Key::Number(f64::NAN.to_bits()),
            Self::Number(number) => Key::Number((number + 0.0).to_bits()),
            Self::Text(text) => Key::Text(text.clone()),
            Self::Nothing => Key::Nothing,
        }
    }

    /// Whether a step that looks for the other finds it here.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => one == other || (one.is_nan() && other.is_nan()),
            _ => self == other,
        }
    }

    pub(super) fn is_nan(&self) -> bool {
        matches!(self, Self::Number(number) if number.is_nan())
    }
}
