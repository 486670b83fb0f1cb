//! Label rules, from margins and outputs to the label of the library's classifier.

use serde::{Deserialize, Serialize};

use crate::link::first_largest;

/// The rule by which a library chooses the label.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "rule", rename_all = "snake_case")]
pub enum LabelRule {
    /// No label (regression, ranking).
    None,
    /// The second class iff the margin exceeds this number (scikit-learn's histogram boosting, CatBoost, ONNX).
    MarginAbove {
        /// The number.
        #[serde(with = "crate::literal")]
        threshold: f64,
    },
    /// The second class iff the margin is at least this number (scikit-learn's gradient boosting).
    MarginAtLeast {
        /// The number.
        #[serde(with = "crate::literal")]
        threshold: f64,
    },
    /// The second class iff the output exceeds this number (XGBoost: 0.5).
    OutputAbove {
        /// The number.
        #[serde(with = "crate::literal")]
        threshold: f64,
    },
    /// The second class iff `p > 1 − p` for the output `p` (LightGBM).
    OutputAboveComplement,
    /// The class of the largest margin, the first on ties.
    LargestMargin,
    /// The class of the largest margin among the classes to which some reached leaf gave a score (ONNX).
    LargestScored,
    /// The class of the largest output, the first on ties.
    LargestOutput,
    /// Isolation forest: the first class (an outlier) iff `output − offset < 0`.
    Outlier {
        /// The offset.
        offset: f64,
    },
}

/// A class as the library names it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum ClassName {
    /// A number.
    Int(i64),
    /// A boolean.
    Bool(bool),
    /// A text.
    Text(String),
}

impl std::fmt::Display for ClassName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Int(value) => value.fmt(f),
            Self::Bool(value) => value.fmt(f),
            Self::Text(value) => value.fmt(f),
        }
    }
}

impl LabelRule {
    /// The position of the chosen class; `scored` marks the classes with a score from a reached leaf.
    pub fn class(&self, margins: &[f64], outputs: &[f64], scored: &[bool]) -> Option<usize> {
        match self {
            Self::None => None,
            Self::MarginAbove { threshold } => Some(usize::from(margins[0] > *threshold)),
            Self::MarginAtLeast { threshold } => Some(usize::from(margins[0] >= *threshold)),
            Self::OutputAbove { threshold } => Some(usize::from(outputs[0] > *threshold)),
            Self::OutputAboveComplement => Some(usize::from(outputs[0] > 1.0 - outputs[0])),
            Self::LargestMargin => Some(first_largest(margins)),
            Self::LargestScored => {
                let candidate = |class: &usize| scored[*class];
                (0..margins.len())
                    .filter(candidate)
                    .reduce(|best, class| if margins[class] > margins[best] { class } else { best })
                    .or(Some(0))
            }
            Self::LargestOutput => Some(first_largest(outputs)),
            Self::Outlier { offset } => Some(usize::from(outputs[0] - offset >= 0.0)),
        }
    }

    /// True if its threshold is not NaN; an offset, which is subtracted, must be finite.
    pub(crate) fn is_sound(&self) -> bool {
        match self {
            Self::MarginAbove { threshold } | Self::MarginAtLeast { threshold } | Self::OutputAbove { threshold } => {
                !threshold.is_nan()
            }
            Self::Outlier { offset } => offset.is_finite(),
            _ => true,
        }
    }

    /// The rule in words.
    pub fn describe(&self) -> String {
        match self {
            Self::None => "none".into(),
            Self::MarginAbove { threshold } => format!("second class iff margin > {threshold}"),
            Self::MarginAtLeast { threshold } => format!("second class iff margin >= {threshold}"),
            Self::OutputAbove { threshold } => format!("second class iff output > {threshold}"),
            Self::OutputAboveComplement => "second class iff output > 1 - output".into(),
            Self::LargestMargin => "class of the largest margin, first on ties".into(),
            Self::LargestScored => "class of the largest margin among those with a score, first on ties".into(),
            Self::LargestOutput => "class of the largest output, first on ties".into(),
            Self::Outlier { offset } => format!("outlier iff output - ({offset}) < 0"),
        }
    }
}
