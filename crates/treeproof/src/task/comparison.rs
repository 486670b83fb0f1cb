//! What must hold of tasks that compare two models, or two inputs.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::LabelRule;

use super::{Method, Question, Task, TaskError};

impl Task {
    /// Whether it is asked about the labels of a model: of classifiers, unless about the margin of a class.
    pub fn is_about_labels(&self, ensemble: &Ensemble) -> bool {
        let has_labels = *ensemble.label_rule() != LabelRule::None;
        self.question == Question::Fair && (self.threshold.is_some() || (has_labels && self.class.is_none()))
    }

    /// Checks the fields of `diff`, `monotone` and `fair`.
    pub(super) fn validate_comparison(&self) -> Result<(), TaskError> {
        let refuse = |field: &'static str, what: &str| Err(TaskError::Field { field, what: what.to_owned() });
        let is = |question: Question| self.question == question;
        // Silence would look like consent.
        for (field, is_given, question, word) in [
            ("other_model", self.other_model.is_some(), Question::Diff, "diff"),
            ("within", self.within.is_some(), Question::Diff, "diff"),
            ("features", !self.features.is_empty(), Question::Monotone, "monotone"),
            ("decreasing", self.decreasing, Question::Monotone, "monotone"),
            ("protected", !self.protected.is_empty(), Question::Fair, "fair"),
            ("data", self.data.is_some(), Question::Fair, "fair"),
            ("threshold", self.threshold.is_some(), Question::Fair, "fair"),
        ] {
            if is_given && !is(question) {
                return refuse(field, &format!("is for `{word}` only"));
            }
        }
        let is_comparison = is(Question::Diff) || is(Question::Monotone) || is(Question::Fair);
        if is_comparison && self.method != Method::Auto {
            return refuse("method", "does not apply to questions that compare");
        }
        if is(Question::Diff) && self.class.is_some() {
            return refuse("class", "does not apply to `diff`, which compares all margins");
        }
        if self.within.is_some_and(|within| !within.is_finite() || within < 0.0) {
            return refuse("within", "must be a finite number of at least 0");
        }
        if is(Question::Fair) && self.protected.is_empty() {
            return refuse("protected", "is missing: name the features in which two inputs may differ");
        }
        if self.threshold.is_some_and(|threshold| !(0.0..=1.0).contains(&threshold)) {
            return refuse("threshold", "must be a probability, from 0 to 1");
        }
        if self.threshold.is_some() && self.class.is_some() {
            return refuse("threshold", "is about labels, and --class about the margin of a class: give one of them");
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_of_other_questions_are_refused() {
        let message = |change: &dyn Fn(&mut Task), question| {
            let mut task = Task::new(question);
            change(&mut task);
            task.validate().map_err(|error| error.to_string()).err().unwrap_or_default()
        };
        assert_eq!(message(&|task| task.within = Some(1.0), Question::Max), "within is for `diff` only");
        assert_eq!(message(&|task| task.decreasing = true, Question::Fair), "decreasing is for `monotone` only");
        assert!(message(&|_| {}, Question::Fair).starts_with("protected is missing"));
        assert_eq!(message(&|task| task.top = Some(3), Question::Diff), "top is for `enumerate` only");
        assert!(message(&|task| task.within = Some(-1.0), Question::Diff).starts_with("within must be"));
        assert_eq!(message(&|task| task.within = Some(0.0), Question::Diff), "");
    }
}
