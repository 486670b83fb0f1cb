//! What an enumeration found: configurations, each with its output and its whole domain.

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{Feature, FeatureKind};
use treeproof_language::{Group, Groups};

use super::{CategoryName, Stats, Stopped, Verdict, WitnessValue};
use crate::problem::{ConfigurationValues, Interval};

/// The best output configurations.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct ConfigurationReport {
    /// The library's own margin for all of them.
    pub output: f64,
    /// The exact sum, rounded down.
    pub lower: f64,
    /// The exact sum, rounded up.
    pub upper: f64,
    /// The library's own sum is within this of the exact one.
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
#[derive(Clone, Debug, PartialEq)]
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
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum FeatureValues {
    /// Doubles `low <= x < high`, without end where an end is absent.
    Interval {
        /// The least.
        low: Option<f64>,
        /// The least that is too large.
        high: Option<f64>,
        /// Restricts them to multiples of each of these numbers.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        steps: Vec<f64>,
        /// True if it may be missing.
        missing: bool,
    },
    /// Doubles of several such intervals, ascending.
    Intervals {
        /// The intervals.
        intervals: Vec<Ends>,
        /// Restricts them to multiples of each of these numbers.
        #[serde(skip_serializing_if = "Vec::is_empty")]
        steps: Vec<f64>,
        /// True if it may be missing.
        missing: bool,
    },
    /// Some values: single doubles, or categories; or none of them.
    Listed {
        /// The values.
        values: Vec<WitnessValue>,
        /// Whether it may be a value that is no category.
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        unknown: bool,
        /// True if it may be missing.
        missing: bool,
    },
}

/// Doubles `low <= x < high`, without end where an end is absent.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ends {
    /// The least.
    pub low: Option<f64>,
    /// The least that is too large.
    pub high: Option<f64>,
}

/// The values of a feature as they are told.
#[derive(Serialize)]
struct Told<'a> {
    #[serde(flatten)]
    values: &'a FeatureValues,
    #[serde(rename = "as_asked", skip_serializing_if = "std::ops::Not::not")]
    is_as_asked: bool,
}

impl Serialize for ConfigurationDomain {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for feature in &self.0 {
            let FeatureDomain { name, values, is_as_asked } = feature;
            map.serialize_entry(name, &Told { values, is_as_asked: *is_as_asked })?;
        }
        map.end()
    }
}

impl ConfigurationDomain {
    /// The features and groups whose values are not all that the question allows, or not all that the model takes: of what is
    /// left out neither the configuration nor the question says anything.
    pub(crate) fn new(
        ensemble: &Ensemble,
        groups: &Groups,
        values: &[ConfigurationValues],
        asked: &AskedValues,
    ) -> Self {
        let are = |columns: &[usize], known: &[ConfigurationValues]| {
            columns.iter().all(|column| values[*column] == known[*column])
        };
        let mut domains = vec![];
        for (index, feature) in ensemble.features().iter().enumerate() {
            let own = [index];
            let (name, columns, shown) = match groups.of(index) {
                None => (&feature.name, &own[..], FeatureValues::new(feature, &values[index])),
                Some(group) => (&group.name, &group.columns[..], FeatureValues::of_group(group, values)),
            };
            let is_as_asked = are(columns, &asked.allowed);
            if columns[0] == index && !(is_as_asked && are(columns, &asked.everything)) {
                domains.push(FeatureDomain { name: name.clone(), values: shown, is_as_asked });
            }
        }
        Self(domains)
    }
}

/// The values of every feature before any configuration restricts them.
#[derive(Debug)]
pub(crate) struct AskedValues {
    /// What the model takes.
    pub(crate) everything: Vec<ConfigurationValues>,
    /// What the question allows.
    pub(crate) allowed: Vec<ConfigurationValues>,
}

impl FeatureValues {
    /// The values of a group are those of the columns that may be 1.
    fn of_group(group: &Group, values: &[ConfigurationValues]) -> Self {
        let is_1 = |interval: &Interval| interval.only() == Some(1.0);
        let may_be_1 = |column: usize| matches!(&values[column], ConfigurationValues::Numbers { intervals, .. } if intervals.iter().any(is_1));
        let places = (0..group.columns.len()).filter(|place| may_be_1(group.columns[*place]));
        let values = places.map(|place| WitnessValue::Category(CategoryName::text(&group.values[place]))).collect();
        Self::Listed { values, unknown: false, missing: false }
    }

    fn new(feature: &Feature, values: &ConfigurationValues) -> Self {
        match values {
            ConfigurationValues::Numbers { intervals, steps, missing } => {
                let missing = *missing;
                let single: Option<Vec<f64>> = intervals.iter().map(Interval::only).collect();
                if let Some(values) = single {
                    let values = values.into_iter().map(WitnessValue::Number).collect();
                    return Self::Listed { values, unknown: false, missing };
                }
                let steps = steps.iter().map(Exact::to_f64).collect();
                match intervals[..] {
                    [Interval { low, high }] => Self::Interval { low, high, steps, missing },
                    _ => {
                        let ends = |Interval { low, high }: &Interval| Ends { low: *low, high: *high };
                        Self::Intervals { intervals: intervals.iter().map(ends).collect(), steps, missing }
                    }
                }
            }
            ConfigurationValues::Categories { codes, unknown, missing } => {
                let values = codes.iter().map(|code| category(feature, *code)).collect();
                Self::Listed { values, unknown: *unknown, missing: *missing }
            }
        }
    }
}

/// A category by name, else by the number that stands for it.
fn category(feature: &Feature, code: u32) -> WitnessValue {
    let FeatureKind::Category(categories) = &feature.kind else { return WitnessValue::Number(code.into()) };
    match (CategoryName::of(categories, code), categories.encoding.values()) {
        (Some(name), _) => WitnessValue::Category(name),
        (None, Some(values)) => WitnessValue::Number(values[code as usize]),
        (None, None) => WitnessValue::Number(code.into()),
    }
}
