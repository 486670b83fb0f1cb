//! The names of questions.

use serde::{Deserialize, Serialize};

/// A question that is answered by a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum QuestionName {
    /// The largest margin.
    Max,
    /// The smallest margin.
    Min,
    /// The smallest and the largest margin.
    Range,
    /// The best output configurations.
    Enumerate,
    /// Robustness of rows within a radius.
    Robust,
    /// The nearest inputs that change the answers about rows.
    Closest,
    /// The change that moves a margin most.
    Dominant,
    /// Equal treatment of inputs that differ in protected features only.
    Fair,
    /// Monotonicity of a margin in features.
    Monotone,
    /// The largest difference between near inputs.
    Stable,
    /// The largest difference between two models.
    Diff,
    /// The largest sum of margins: the general form.
    Maximise,
}

impl QuestionName {
    /// All questions.
    pub const ALL: [Self; 12] = [
        Self::Max,
        Self::Min,
        Self::Range,
        Self::Enumerate,
        Self::Robust,
        Self::Closest,
        Self::Dominant,
        Self::Fair,
        Self::Monotone,
        Self::Stable,
        Self::Diff,
        Self::Maximise,
    ];

    /// Its name in commands, tasks and JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Max => "max",
            Self::Min => "min",
            Self::Range => "range",
            Self::Enumerate => "enumerate",
            Self::Robust => "robust",
            Self::Closest => "closest",
            Self::Dominant => "dominant",
            Self::Fair => "fair",
            Self::Monotone => "monotone",
            Self::Stable => "stable",
            Self::Diff => "diff",
            Self::Maximise => "maximise",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_questions_are_listed() {
        let error = serde_json::from_str::<QuestionName>(r#""none""#).unwrap_err().to_string();
        let listed: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(listed, QuestionName::ALL.map(QuestionName::name), "{error}");
    }
}
