//! The values of features in a configuration, in the user's terms.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::{Feature, FeatureKind, InputRules};
use treeproof_ensemble::values::Range;
use treeproof_language::{Group, Groups};
use treeproof_report::{ConfigurationDomain, Ends, FeatureDomain, FeatureValues, WitnessValue};

use super::witness::category_name;
use crate::problem::{Domain, NumberSet, largest_finite};

/// The features and groups whose values are not all that the question allows, or not all that the model takes: neither the
/// configuration nor the question says anything of the others.
pub(crate) fn configuration_domain(
    ensemble: &Ensemble,
    groups: &Groups,
    values: &[Domain],
    asked: &AskedValues,
) -> ConfigurationDomain {
    let shown = feature_values(ensemble, values);
    let are =
        |columns: &[usize], known: &[FeatureValues]| columns.iter().all(|column| shown[*column] == known[*column]);
    let mut domains = vec![];
    for (index, feature) in ensemble.features().iter().enumerate() {
        let own = [index];
        let (name, columns, values) = match groups.of(index) {
            None => (&feature.name, &own[..], shown[index].clone()),
            Some(group) => (&group.name, &group.columns[..], group_values(group, values)),
        };
        let is_as_asked = are(columns, &asked.allowed);
        if columns[0] == index && !(is_as_asked && are(columns, &asked.everything)) {
            domains.push((name.clone(), FeatureDomain { values, is_as_asked }));
        }
    }
    ConfigurationDomain(domains)
}

/// The values of every feature before any configuration restricts them.
#[derive(Debug)]
pub(crate) struct AskedValues {
    /// Values that the model takes.
    pub(crate) everything: Vec<FeatureValues>,
    /// Values that the question admits.
    pub(crate) allowed: Vec<FeatureValues>,
}

/// The values of a group: those of the columns that may be 1.
fn group_values(group: &Group, values: &[Domain]) -> FeatureValues {
    let may_be_1 = |column: usize| matches!(&values[column], Domain::Numbers { numbers, .. } if numbers.contains(1.0));
    let places = (0..group.columns.len()).filter(|place| may_be_1(group.columns[*place]));
    let values = places.map(|place| WitnessValue::Text(group.values[place].clone())).collect();
    FeatureValues::Listed { values, unknown: false, missing: false }
}

/// The values of every feature, in the user's terms.
pub(crate) fn feature_values(ensemble: &Ensemble, values: &[Domain]) -> Vec<FeatureValues> {
    let shown = |(feature, values): (&Feature, &Domain)| match values {
        Domain::Numbers { numbers, missing } => number_values(ensemble.input(), numbers, *missing),
        Domain::Categories { codes, unknown, missing } => {
            let values = codes.iter().map(|code| category(feature, *code)).collect();
            FeatureValues::Listed { values, unknown: *unknown, missing: *missing }
        }
    };
    ensemble.features().iter().zip(values).map(shown).collect()
}

/// Single numbers as a list, others as intervals without an end that is the largest number accepted.
fn number_values(input: &InputRules, numbers: &NumberSet, missing: bool) -> FeatureValues {
    let largest = if input.accepts_infinite { f64::MAX } else { largest_finite(input.precision) };
    let ends = |range: &Range| Ends {
        low: Some(range.low).filter(|low| *low > -largest),
        high: Some(range.high).filter(|high| *high < largest).map(f64::next_up),
    };
    let intervals: Vec<Ends> = numbers.ranges().iter().map(ends).collect();
    let single = |ends: &Ends| ends.low.filter(|low| ends.high == Some(low.next_up())).map(WitnessValue::Number);
    if let Some(values) = intervals.iter().map(single).collect() {
        return FeatureValues::Listed { values, unknown: false, missing };
    }
    let steps = numbers.steps().iter().map(Exact::to_f64).collect();
    match intervals[..] {
        [Ends { low, high }] => FeatureValues::Interval { low, high, steps, missing },
        _ => FeatureValues::Intervals { intervals, steps, missing },
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
