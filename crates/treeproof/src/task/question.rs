//! What can be asked.

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, StrDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use treeproof_report::QuestionName;

use super::{Closest, Diff, Dominant, Enumerate, Fair, Monotone, Robust, Stable, Task, TaskError};

/// What is asked, with what only that question has: `"max"`, or `{"robust": {"norm": "linf", "radius": 0.1}}`.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Question {
    /// The largest margin.
    Max,
    /// The smallest margin.
    Min,
    /// Both.
    Range,
    /// The output configurations of the largest margins.
    Enumerate(Enumerate),
    /// Where two models differ most.
    Diff(Diff),
    /// Whether the margin never falls, or never rises, as a feature rises.
    Monotone(Monotone),
    /// Whether two inputs that differ in protected features alone are treated differently.
    Fair(Fair),
    /// Whether no input within a radius of a row changes the answer.
    Robust(Robust),
    /// How far away the nearest input is that changes the answer.
    Closest(Closest),
    /// The largest jump of the margin between two inputs that are near each other.
    Stable(Stable),
    /// Which few features move the margin most.
    Dominant(Dominant),
}

impl Question {
    /// The word for it.
    pub fn name(&self) -> &'static str {
        self.kind().name()
    }

    /// The kind of question that it is, without what only it has.
    pub fn kind(&self) -> QuestionName {
        match self {
            Self::Max => QuestionName::Max,
            Self::Min => QuestionName::Min,
            Self::Range => QuestionName::Range,
            Self::Enumerate(_) => QuestionName::Enumerate,
            Self::Diff(_) => QuestionName::Diff,
            Self::Monotone(_) => QuestionName::Monotone,
            Self::Fair(_) => QuestionName::Fair,
            Self::Robust(_) => QuestionName::Robust,
            Self::Closest(_) => QuestionName::Closest,
            Self::Stable(_) => QuestionName::Stable,
            Self::Dominant(_) => QuestionName::Dominant,
        }
    }

    /// Whether it can only be asked about rows.
    pub fn needs_rows(&self) -> bool {
        matches!(self, Self::Robust(_) | Self::Closest(_))
    }

    pub(super) fn validate(&self, task: &Task) -> Result<(), TaskError> {
        match self {
            Self::Max | Self::Min | Self::Range => task.refuse_surplus(&["data", "threshold"]),
            Self::Enumerate(enumerate) => enumerate.validate(task),
            Self::Diff(diff) => diff.validate(task),
            Self::Monotone(_) => task.refuse_surplus(&["data", "threshold", "method"]),
            Self::Fair(fair) => fair.validate(task),
            Self::Robust(robust) => robust.validate(task),
            Self::Closest(closest) => closest.validate(task),
            Self::Stable(stable) => stable.validate(task),
            Self::Dominant(dominant) => dominant.validate(task),
        }
    }
}

macro_rules! from_fields {
    ($($question:ident),*) => {$(
        impl From<$question> for Question {
            fn from(fields: $question) -> Self {
                Self::$question(fields)
            }
        }
    )*};
}

from_fields!(Enumerate, Diff, Monotone, Fair, Robust, Closest, Stable, Dominant);

/// The same as it is written, for which serde makes the code.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase", remote = "Question")]
enum Written {
    Max,
    Min,
    Range,
    Enumerate(Enumerate),
    Diff(Diff),
    Monotone(Monotone),
    Fair(Fair),
    Robust(Robust),
    Closest(Closest),
    Stable(Stable),
    Dominant(Dominant),
}

impl<'de> Deserialize<'de> for Question {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NameOrFields)
    }
}

/// A question by its name alone has none of its fields: `"monotone"` is `{"monotone": {}}`.
struct NameOrFields;

impl<'de> Visitor<'de> for NameOrFields {
    type Value = Question;

    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("a question: its name, or its name with its fields")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Question, E> {
        if let "max" | "min" | "range" = name {
            return Written::deserialize(StrDeserializer::new(name));
        }
        let no_fields = MapDeserializer::<_, E>::new(std::iter::empty::<(&str, &str)>());
        let fields = std::iter::once((name, MapAccessDeserializer::new(no_fields)));
        Written::deserialize(MapAccessDeserializer::new(MapDeserializer::new(fields)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Question, A::Error> {
        Written::deserialize(MapAccessDeserializer::new(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Question, String> {
        serde_json::from_str(text).map_err(|error| error.to_string())
    }

    #[test]
    fn a_question_is_its_name_or_its_name_with_fields() {
        assert_eq!(read(r#""max""#), Ok(Question::Max));
        assert_eq!(read(r#""monotone""#), read(r#"{"monotone": {}}"#));
        assert_eq!(read(r#"{"fair": {"protected": ["sex"]}}"#), Ok(Fair::of(["sex"]).into()));
        let robust = read(r#"{"robust": {"norm": "linf", "radius": 0.1, "weights": {"age": 2}}}"#).unwrap();
        let Question::Robust(fields) = &robust else { panic!("{robust:?}") };
        assert_eq!((fields.radius, fields.measure.weights["age"]), (0.1, 2.0));
        let text = serde_json::to_string(&robust).unwrap();
        assert_eq!(text, r#"{"robust":{"norm":"linf","weights":{"age":2.0},"radius":0.1}}"#);
        assert_eq!(read(&text).unwrap(), robust);
    }

    #[test]
    fn what_a_question_does_not_know_is_refused() {
        let refusal = |text: &str| read(text).unwrap_err();
        assert!(refusal(r#""robust""#).starts_with("missing field `radius`"));
        assert!(refusal(r#"{"robust": {"radius": 1}}"#).starts_with("missing field `norm`"));
        assert!(refusal(r#""largest""#).starts_with("unknown variant `largest`"));
        assert!(refusal(r#"{"monotone": {"feature": "x"}}"#).starts_with("unknown field `feature`, expected"));
        let robust = r#"{"robust": {"norm": "linf", "radius": 0.1, "radus": 3}}"#;
        assert!(refusal(robust).starts_with("unknown field `radus`"));
        let two = r#"{"robust": {"norm": "linf", "radius": 0.1}, "max": null}"#;
        assert!(read(two).is_err());
        assert!(refusal("3").starts_with("invalid type: integer `3`, expected a question"));
    }
}
