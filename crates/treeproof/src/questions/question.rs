//! The questions of a task, by name.

use schemars::JsonSchema;
use serde::de::value::{MapAccessDeserializer, MapDeserializer, StrDeserializer};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::common::CommonFields;
use super::context::Context;
use super::max;
use super::subject::Subject;
use super::{Closest, Diff, Dominant, Enumerate, Fair, Measure, Monotone, Robust, Stable};
use crate::elaborate::ProofError;
use crate::error::{TaskError, refuse};
use crate::limits::Method;
use crate::report::{QuestionName, Report, tell_nearest};
use crate::watch::Watcher;

/// A question, with the fields that it alone has: `"max"`, or `{"robust": {"norm": "linf", "radius": 0.1}}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase", remote = "Self")]
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
    /// The largest difference between two models.
    Diff(Diff),
    /// Monotonicity: the margin never falls, or never rises, as a feature rises.
    Monotone(Monotone),
    /// Fairness: two inputs that differ in protected features alone are treated alike.
    Fair(Fair),
    /// Robustness: no input within a radius of a row changes the answer.
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

    /// True if it can only be asked about rows.
    pub fn needs_rows(&self) -> bool {
        matches!(self, Self::Robust(_) | Self::Closest(_))
    }

    /// The measure of distance, of questions that have one.
    pub fn measure(&self) -> Option<&Measure> {
        match self {
            Self::Robust(robust) => Some(&robust.measure),
            Self::Closest(closest) => Some(&closest.measure),
            Self::Stable(stable) => Some(&stable.measure),
            _ => None,
        }
    }

    /// Checks the fields of the question, and that the others apply to it.
    pub(crate) fn validate(&self, common: &CommonFields<'_>) -> Result<(), TaskError> {
        match self {
            Self::Max | Self::Min | Self::Range => max::validate(common),
            Self::Enumerate(enumerate) => enumerate.validate(common),
            Self::Diff(diff) => diff.validate(common),
            Self::Monotone(_) => Monotone::validate(common),
            Self::Fair(fair) => fair.validate(common),
            Self::Robust(robust) => robust.validate(common),
            Self::Closest(closest) => closest.validate(common),
            Self::Stable(stable) => stable.validate(common),
            Self::Dominant(dominant) => dominant.validate(common),
        }
    }

    /// Answers the question about a subject.
    pub(crate) fn answer(
        &self,
        common: CommonFields<'_>,
        subject: &Subject,
        watcher: &dyn Watcher,
    ) -> Result<Report, TaskError> {
        if watcher.proof().is_some() && common.method != Method::Auto {
            return Err(ProofError::unstated_method().into());
        }
        if subject.predicate.is_some() {
            self.refuse_code(&common, watcher)?;
        }
        if subject.models.len() > 1 && !matches!(self, Self::Diff(_)) {
            return refuse("question", "is about one model, not two");
        }
        let context = Context::new(common, subject, watcher)?;
        let mut report = match self {
            Self::Max | Self::Min => max::answer(&context, self.kind()),
            Self::Range => max::answer_range(&context),
            Self::Enumerate(enumerate) => enumerate.answer(&context),
            Self::Diff(diff) => diff.answer(&context),
            Self::Monotone(monotone) => monotone.answer(&context),
            Self::Fair(fair) => fair.answer(&context),
            Self::Robust(robust) => robust.answer(&context),
            Self::Closest(closest) => closest.answer(&context),
            Self::Stable(stable) => stable.answer(&context),
            Self::Dominant(dominant) => dominant.answer(&context),
        }?;
        if let Some(observed) = &subject.observed[0] {
            tell_nearest(&mut report, &subject.all_models(), &context.groups, observed);
        }
        Ok(report)
    }

    /// Refuses conditions that are code where they are not supported, and where a proof is wanted.
    fn refuse_code(&self, common: &CommonFields<'_>, watcher: &dyn Watcher) -> Result<(), TaskError> {
        if watcher.proof().is_some() {
            return Err(ProofError::unstated("conditions that are code have no proofs").into());
        }
        let is_supported = matches!(self, Self::Max | Self::Min | Self::Range | Self::Diff(_));
        if is_supported && common.method == Method::Auto {
            return Ok(());
        }
        refuse(
            "where",
            "can be code only for `max`, `min`, `range` and `diff`, with the method `auto`: write it as a text",
        )
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

// With `remote`, serde derives `Question::serialize` and `Question::deserialize`, so that names alone can be read as well.
impl Serialize for Question {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Self::serialize(self, serializer)
    }
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
        // A question without fields is its name; of any other the name alone stands for default fields.
        if let Ok(question) = Question::deserialize(StrDeserializer::<E>::new(name)) {
            return Ok(question);
        }
        let no_fields = MapDeserializer::<_, E>::new(std::iter::empty::<(&str, &str)>());
        let fields = std::iter::once((name, MapAccessDeserializer::new(no_fields)));
        Question::deserialize(MapAccessDeserializer::new(MapDeserializer::new(fields)))
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Question, A::Error> {
        Question::deserialize(MapAccessDeserializer::new(map))
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
    fn every_named_question_can_be_asked() {
        let error = read(r#""none""#).unwrap_err();
        let mut asked: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        // The general form has a task of its own.
        asked.push(QuestionName::Maximise.name());
        let mut all = QuestionName::ALL.map(QuestionName::name);
        asked.sort_unstable();
        all.sort_unstable();
        assert_eq!(asked, all);
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
