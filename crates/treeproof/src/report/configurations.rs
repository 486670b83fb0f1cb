//! The values of features in a configuration, in the user's terms.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{Feature, FeatureKind};
use treeproof_language::{Group, Groups};
use treeproof_report::{ConfigurationDomain, Ends, FeatureDomain, FeatureValues, WitnessValue};

use super::witness::category_name;
use crate::problem::{ConfigurationValues, Interval};

/// The features and groups whose values are not all that the question allows, or not all that the model takes: neither the
/// configuration nor the question says anything of the others.
pub(crate) fn configuration_domain(
    ensemble: &Ensemble,
    groups: &Groups,
    values: &[ConfigurationValues],
    asked: &AskedValues,
) -> ConfigurationDomain {
    let are = |columns: &[usize], known: &[ConfigurationValues]| {
        columns.iter().all(|column| values[*column] == known[*column])
    };
    let mut domains = vec![];
    for (index, feature) in ensemble.features().iter().enumerate() {
        let own = [index];
        let (name, columns, shown) = match groups.of(index) {
            None => (&feature.name, &own[..], feature_values(feature, &values[index])),
            Some(group) => (&group.name, &group.columns[..], group_values(group, values)),
        };
        let is_as_asked = are(columns, &asked.allowed);
        if columns[0] == index && !(is_as_asked && are(columns, &asked.everything)) {
            domains.push(FeatureDomain { name: name.clone(), values: shown, is_as_asked });
        }
    }
    ConfigurationDomain(domains)
}

/// The values of every feature before any configuration restricts them.
#[derive(Debug)]
pub(crate) struct AskedValues {
    /// What the model takes.
    pub(crate) everything: Vec<ConfigurationValues>,
    /// What the question allows.
    pub(crate) allowed: Vec<ConfigurationValues>,
}

/// The values of a group are those of the columns that may be 1.
fn group_values(group: &Group, values: &[ConfigurationValues]) -> FeatureValues {
    let is_1 = |interval: &Interval| interval.only() == Some(1.0);
    let may_be_1 = |column: usize| matches!(&values[column], ConfigurationValues::Numbers { intervals, .. } if intervals.iter().any(is_1));
    let places = (0..group.columns.len()).filter(|place| may_be_1(group.columns[*place]));
    let values = places.map(|place| WitnessValue::Text(group.values[place].clone())).collect();
    FeatureValues::Listed { values, unknown: false, missing: false }
}

fn feature_values(feature: &Feature, values: &ConfigurationValues) -> FeatureValues {
    match values {
        ConfigurationValues::Numbers { intervals, steps, missing } => {
            let missing = *missing;
            let single: Option<Vec<f64>> = intervals.iter().map(Interval::only).collect();
            if let Some(values) = single {
                let values = values.into_iter().map(WitnessValue::Number).collect();
                return FeatureValues::Listed { values, unknown: false, missing };
            }
            let steps = steps.iter().map(Exact::to_f64).collect();
            match intervals[..] {
                [Interval { low, high }] => FeatureValues::Interval { low, high, steps, missing },
                _ => {
                    let ends = |Interval { low, high }: &Interval| Ends { low: *low, high: *high };
                    FeatureValues::Intervals { intervals: intervals.iter().map(ends).collect(), steps, missing }
                }
            }
        }
        ConfigurationValues::Categories { codes, unknown, missing } => {
            let values = codes.iter().map(|code| category(feature, *code)).collect();
            FeatureValues::Listed { values, unknown: *unknown, missing: *missing }
        }
    }
}

/// A category by name, else by the number that stands for it.
fn category(feature: &Feature, code: u32) -> WitnessValue {
    let FeatureKind::Category(categories) = &feature.kind else { return WitnessValue::Number(code.into()) };
    match (category_name(categories, code), categories.encoding.values()) {
        (Some(name), _) => name,
        (None, Some(values)) => WitnessValue::Number(values[code as usize]),
        (None, None) => WitnessValue::Number(code.into()),
    }
}
