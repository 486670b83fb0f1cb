//! The JSON spelling of any `f64` in treeproof's own files: a number, or the string `inf`, `-inf` or `nan`.

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A number that survives JSON whatever it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Literal(pub f64);

impl Serialize for Literal {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_finite() {
            serializer.serialize_f64(self.0)
        } else {
            serializer.serialize_str(&self.0.to_string().to_lowercase())
        }
    }
}

impl<'de> Deserialize<'de> for Literal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LiteralVisitor)
    }
}

struct LiteralVisitor;

impl Visitor<'_> for LiteralVisitor {
    type Value = Literal;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a number, \"inf\" or \"-inf\"")
    }

    fn visit_f64<E: Error>(self, value: f64) -> Result<Literal, E> {
        Ok(Literal(value))
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON integers are numbers like all others")]
    fn visit_i64<E: Error>(self, value: i64) -> Result<Literal, E> {
        Ok(Literal(value as f64))
    }

    #[expect(clippy::cast_precision_loss, reason = "JSON integers are numbers like all others")]
    fn visit_u64<E: Error>(self, value: u64) -> Result<Literal, E> {
        Ok(Literal(value as f64))
    }

    fn visit_str<E: Error>(self, value: &str) -> Result<Literal, E> {
        match value {
            "inf" => Ok(Literal(f64::INFINITY)),
            "-inf" => Ok(Literal(f64::NEG_INFINITY)),
            "nan" => Ok(Literal(f64::NAN)),
            _ => Err(E::invalid_value(serde::de::Unexpected::Str(value), &self)),
        }
    }
}

/// For `#[serde(with = "crate::literal")]` on a plain `f64`.
pub(crate) fn serialize<S: Serializer>(value: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Literal(*value).serialize(serializer)
}

/// For `#[serde(with = "crate::literal")]` on a plain `f64`.
pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
    Literal::deserialize(deserializer).map(|literal| literal.0)
}

/// For `#[serde(with = "crate::literal::option")]` on an `Option<f64>`.
pub(crate) mod option {
    use super::{Deserialize, Deserializer, Literal, Serialize, Serializer};

    pub(crate) fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        value.map(Literal).serialize(serializer)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<f64>, D::Error> {
        Ok(Option::<Literal>::deserialize(deserializer)?.map(|literal| literal.0))
    }
}
