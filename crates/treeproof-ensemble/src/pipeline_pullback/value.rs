//! A cell of a table on its way through the steps of a pipeline.

use serde::Deserialize;

/// A cell. NaN is a number here, and Python's `None` is not: steps tell the two apart.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum CellValue {
    /// A number, or NaN.
    Number(f64),
    /// A text.
    Text(String),
    /// Python's `None`.
    PythonNone,
}

/// A value known to a step, with its name.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(from = "ConstantSyntax")]
pub(crate) struct Constant {
    /// The value.
    pub(crate) value: CellValue,
    /// Its name.
    pub(crate) name: String,
}

/// The JSON form of a constant.
#[derive(Deserialize)]
#[serde(
    untagged,
    deny_unknown_fields,
    expecting = "a value is a number, a text, a truth value or {\"missing\": \"nan\" or \"none\"}"
)]
enum ConstantSyntax {
    Truth(bool),
    Number(f64),
    Text(String),
    Missing { missing: MissingKind },
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum MissingKind {
    Nan,
    None,
}

impl From<ConstantSyntax> for Constant {
    fn from(spelling: ConstantSyntax) -> Self {
        let (value, name) = match spelling {
            // As Python writes them; compared with numbers they are numbers.
            ConstantSyntax::Truth(true) => (CellValue::Number(1.0), "True".to_owned()),
            ConstantSyntax::Truth(false) => (CellValue::Number(0.0), "False".to_owned()),
            ConstantSyntax::Number(number) => (CellValue::Number(number + 0.0), (number + 0.0).to_string()),
            ConstantSyntax::Text(text) => (CellValue::Text(text.clone()), text),
            ConstantSyntax::Missing { missing: MissingKind::Nan } => (CellValue::Number(f64::NAN), "nan".to_owned()),
            ConstantSyntax::Missing { missing: MissingKind::None } => (CellValue::PythonNone, "None".to_owned()),
        };
        Self { value, name }
    }
}

/// A value as the key of a table: zeros are one number, and so are NaNs.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Number(u64),
    Text(String),
    PythonNone,
}

impl CellValue {
    pub(super) fn key(&self) -> Key {
        match self {
            Self::Number(number) if number.is_nan() => Key::Number(f64::NAN.to_bits()),
            Self::Number(number) => Key::Number((number + 0.0).to_bits()),
            Self::Text(text) => Key::Text(text.clone()),
            Self::PythonNone => Key::PythonNone,
        }
    }

    /// True if a step that looks for the other value matches this one.
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
