//! An answer as `--json` printed it.

use serde_json::Value;
use thiserror::Error;

use crate::about::About;

/// An answer, and where it comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Saved {
    /// The answer: the JSON object that `--json` prints.
    pub answer: Value,
    /// Where it comes from.
    pub about: About,
}

/// Something is no answer of treeproof.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum NotAnAnswer {
    /// It has not what every answer has.
    #[error("is not an answer of treeproof: it has no `question` and `verdict`; save what --json prints")]
    Other,
    /// It answers what is no question of proof.
    #[error("is an answer to `{question}`, of which there is no page: nothing is proved by it")]
    Unproved {
        /// What was asked.
        question: String,
    },
}

impl Saved {
    /// Takes what `--json` printed.
    ///
    /// # Errors
    /// If it is something else.
    pub fn read(mut answer: Value) -> Result<Self, NotAnAnswer> {
        let question = answer["question"].as_str().map(str::to_owned);
        if answer["verdict"].is_string() && question.is_some() {
            // Whatever it is, the answer stands without it.
            let about = answer.as_object_mut().and_then(|fields| fields.shift_remove("about"));
            let about = about.and_then(|about| serde_json::from_value(about).ok()).unwrap_or_default();
            return Ok(Self { answer, about });
        }
        match question {
            Some(question) if question == "inspect" || question == "predict" => Err(NotAnAnswer::Unproved { question }),
            _ => Err(NotAnAnswer::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_known_about_an_answer_is_taken_out_of_it() {
        let answer =
            json!({"question": "max", "verdict": "optimal", "about": {"command": "treeproof max m", "new": 1}});
        let saved = Saved::read(answer).unwrap();
        assert_eq!(saved.about.command.as_deref(), Some("treeproof max m"));
        assert_eq!(saved.answer, json!({"question": "max", "verdict": "optimal"}));
        let strange = json!({"question": "max", "verdict": "optimal", "about": [1]});
        assert_eq!(Saved::read(strange).unwrap().about, About::default());
    }

    #[test]
    fn what_is_no_answer_is_refused() {
        for other in [json!(null), json!([1]), json!({"a": 1}), json!({"question": 1, "verdict": "x"})] {
            assert_eq!(Saved::read(other), Err(NotAnAnswer::Other));
        }
        let refused = Saved::read(json!({"question": "predict", "rows": []})).unwrap_err();
        assert!(refused.to_string().starts_with("is an answer to `predict`"));
    }
}
