//! An answer as `--json` prints it: the report, and where it comes from.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use thiserror::Error;

use crate::about::About;
use crate::audit::AuditReport;
use crate::check::CheckReport;
use crate::report::Report;

/// An answer and its origin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SavedAnswer {
    /// The answer.
    #[serde(flatten)]
    pub report: AnyReport,
    /// Its origin.
    #[serde(skip_serializing_if = "About::is_empty")]
    pub about: About,
}

/// An answer with a verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum AnyReport {
    /// The answer to a task.
    Question(Report),
    /// The answer of an audit.
    Audit(AuditReport),
    /// The answer of the checker of proofs.
    Check(CheckReport),
}

/// The error that something is no answer of treeproof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NotAnAnswer {
    /// It lacks what every answer has.
    #[error("is not an answer of treeproof: it has no `question` and `verdict`; save what --json prints")]
    Other,
    /// It answers no question of proof.
    #[error("is an answer to `{question}`, of which there is no page: nothing is proved by it")]
    Unproved {
        /// The question.
        question: String,
    },
    /// It is an answer, but a field of it cannot be read.
    #[error("is not an answer of this version of treeproof: {what}; save what --json prints")]
    Unread {
        /// The reason.
        what: String,
    },
}

impl SavedAnswer {
    /// Reads what `--json` printed. An origin that cannot be read is left out.
    ///
    /// # Errors
    /// If it is something else.
    pub fn read(mut answer: Value) -> Result<Self, NotAnAnswer> {
        let question = answer["question"].as_str().map(str::to_owned);
        match question {
            Some(_) if answer["verdict"].is_string() => {}
            Some(question) if question == "inspect" || question == "predict" => {
                return Err(NotAnAnswer::Unproved { question });
            }
            _ => return Err(NotAnAnswer::Other),
        }
        let about = answer.as_object_mut().and_then(|fields| fields.shift_remove("about"));
        let about = about.and_then(|about| serde_json::from_value(about).ok()).unwrap_or_default();
        let report = AnyReport::read(&answer).map_err(|error| {
            // The error may quote what the file holds.
            NotAnAnswer::Unread { what: error.to_string().replace(char::is_control, "?") }
        })?;
        Ok(Self { report, about })
    }
}

impl AnyReport {
    /// Reads an answer by its question.
    fn read(answer: &Value) -> serde_json::Result<Self> {
        Ok(match answer["question"].as_str() {
            Some("audit") => Self::Audit(AuditReport::deserialize(answer)?),
            Some("check") => Self::Check(CheckReport::deserialize(answer)?),
            _ => Self::Question(Report::deserialize(answer)?),
        })
    }
}

impl From<Report> for AnyReport {
    fn from(report: Report) -> Self {
        Self::Question(report)
    }
}

impl From<AuditReport> for AnyReport {
    fn from(report: AuditReport) -> Self {
        Self::Audit(report)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_origin_is_optional() {
        let answer =
            json!({"question": "max", "verdict": "optimal", "about": {"command": "treeproof max m", "new": 1}});
        let saved = SavedAnswer::read(answer).unwrap();
        assert_eq!(saved.about.command.as_deref(), Some("treeproof max m"));
        let strange = json!({"question": "max", "verdict": "optimal", "about": [1]});
        assert_eq!(SavedAnswer::read(strange).unwrap(), SavedAnswer { about: About::default(), ..saved });
    }

    #[test]
    fn something_else_is_refused() {
        for other in [json!(null), json!([1]), json!({"a": 1}), json!({"question": 1, "verdict": "x"})] {
            assert_eq!(SavedAnswer::read(other), Err(NotAnAnswer::Other));
        }
        let refused = SavedAnswer::read(json!({"question": "predict", "rows": []})).unwrap_err();
        assert!(refused.to_string().starts_with("is an answer to `predict`"));
        let refused = SavedAnswer::read(json!({"question": "max", "verdict": "optimal", "lower": "1"})).unwrap_err();
        assert!(refused.to_string().contains("invalid type: string \"1\", expected f64"), "{refused}");
    }
}
