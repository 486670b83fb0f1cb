//! The answer of an enumeration: configurations, each with its output and its whole domain.

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::verdict::{Stats, Stopped, Verdict};
use crate::witness::{WitnessValue, entries};

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
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
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
    /// The library's own probability, where the only margin is turned into one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub probability: Option<f64>,
    /// The library's own prediction, where it is neither margin nor probability.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prediction: Option<f64>,
    /// Its inputs.
    pub domain: ConfigurationDomain,
}

/// The inputs of a configuration: all combinations of these values, and of the features left out any value that the question
/// allows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ConfigurationDomain(pub Vec<FeatureDomain>);

/// The values of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct FeatureDomain {
    /// The feature.
    pub name: String,
    /// Its values.
    pub values: FeatureValues,
    /// Whether these are all that the question allows: then the configuration does not depend on them.
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

/// The values of a feature, and whether they are all that the question allows, as JSON has them.
#[derive(Serialize, Deserialize)]
struct Entry<V> {
    #[serde(flatten)]
    values: V,
    #[serde(rename = "as_asked", default, skip_serializing_if = "std::ops::Not::not")]
    is_as_asked: bool,
}

impl Serialize for ConfigurationDomain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let entries = self.0.iter().map(|FeatureDomain { name, values, is_as_asked }| {
            let is_as_asked = *is_as_asked;
            (name, Entry { values, is_as_asked })
        });
        serializer.collect_map(entries)
    }
}

impl<'de> Deserialize<'de> for ConfigurationDomain {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let domain = |(name, entry): (String, Entry<FeatureValues>)| {
            let Entry { values, is_as_asked } = entry;
            FeatureDomain { name, values, is_as_asked }
        };
        Ok(Self(entries(deserializer)?.into_iter().map(domain).collect()))
    }
}
