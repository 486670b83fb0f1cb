//! The answer of an enumeration: configurations, each with its output and its whole domain.

use serde::{Deserialize, Serialize};

use crate::verdict::{Stats, Stopped, Verdict};
use crate::witness::WitnessValue;

/// The best output configurations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct EnumerateAnswer {
    /// `optimal`: as many as were asked for, or all there are; `undecided`: a limit came first.
    pub verdict: Verdict,
    /// Those that are certain, best first.
    pub regions: Vec<ConfigurationReport>,
    /// No other configuration has an exact sum above this; `None` if there is no other, or while `undecided` if no bound is known.
    pub others_at_most: Option<f64>,
    /// The reason why the search ended.
    pub stopped: Stopped,
    /// The duration of the search.
    pub seconds: f64,
    /// The cost of the search.
    pub stats: Stats,
}

/// A configuration: all inputs that reach the same leaves.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ConfigurationReport {
    /// The library's own margin for all of them.
    #[serde(deserialize_with = "crate::number::or_nan")]
    pub output: f64,
    /// The exact sum, rounded down.
    #[serde(deserialize_with = "crate::number::or_nan")]
    pub lower: f64,
    /// The exact sum, rounded up.
    #[serde(deserialize_with = "crate::number::or_nan")]
    pub upper: f64,
    /// The library's own sum is within this of the exact one.
    #[serde(deserialize_with = "crate::number::or_nan")]
    pub rounding: f64,
    /// The library's own probability, if the only margin is turned into one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The library's own prediction, where it is neither margin nor probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<f64>,
    /// Its inputs.
    pub domain: ConfigurationDomain,
}

/// The inputs of a configuration: all combinations of these values, by feature, and of the features left out any value that the
/// question allows.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConfigurationDomain(#[serde(with = "crate::entries")] pub Vec<(String, FeatureDomain)>);

/// The values of one feature.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FeatureDomain {
    /// Its values.
    #[serde(flatten)]
    pub values: FeatureValues,
    /// True if these are all that the question allows: then the configuration does not depend on them.
    #[serde(rename = "as_asked", default, skip_serializing_if = "std::ops::Not::not")]
    pub is_as_asked: bool,
}

/// The values of a feature, as text and numbers, which are meant literally: of the user's doubles. One that the library reads as
/// missing (XGBoost's `missing=`) is missing, and so among them where missing is, and only there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum FeatureValues {
    /// Doubles of several intervals, ascending.
    Intervals {
        /// The intervals.
        intervals: Vec<Ends>,
        /// Restricts them to multiples of each of these numbers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        steps: Vec<f64>,
        /// True if it may be missing.
        #[serde(default)]
        missing: bool,
    },
    /// Some values: single doubles, or categories; or none of them.
    Listed {
        /// The values.
        values: Vec<WitnessValue>,
        /// True if it may be a value that is no category.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        unknown: bool,
        /// True if it may be missing.
        #[serde(default)]
        missing: bool,
    },
    /// Doubles `low <= x < high`, without end where an end is absent.
    Interval {
        /// The least.
        low: Option<f64>,
        /// The least that is too large.
        high: Option<f64>,
        /// Restricts them to multiples of each of these numbers.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        steps: Vec<f64>,
        /// True if it may be missing.
        #[serde(default)]
        missing: bool,
    },
}

/// Doubles `low <= x < high`, without end where an end is absent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ends {
    /// The least.
    pub low: Option<f64>,
    /// The least that is too large.
    pub high: Option<f64>,
}
