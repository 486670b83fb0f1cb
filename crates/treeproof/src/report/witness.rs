//! Rows of raw values in the user's terms.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Categories, CategoryType, FeatureKind, Reading};
use treeproof_language::Groups;
use treeproof_report::{Witness, WitnessValue};

/// The name of a category by its code, if it has one: a number, a truth value or a text, as the model's data has it.
pub(crate) fn category_name(categories: &Categories, code: u32) -> Option<WitnessValue> {
    let text = categories.names.get(code as usize)?;
    Some(match (categories.value_type, text.as_str(), text.parse()) {
        (CategoryType::Truth, "True", _) => WitnessValue::Truth(true),
        (CategoryType::Truth, "False", _) => WitnessValue::Truth(false),
        (CategoryType::Number, _, Ok(number)) => WitnessValue::Number(number),
        _ => WitnessValue::Text(text.clone()),
    })
}

/// A row of raw values in words.
pub(crate) fn witness_of_row(ensemble: &Ensemble, groups: &Groups, row: &[f64]) -> Witness {
    let value = |feature: usize| {
        let (feature, raw) = (&ensemble.features()[feature], &row[feature]);
        let value = match (ensemble.input().read(feature, *raw), &feature.kind) {
            (Ok(Reading::Missing), _) => WitnessValue::Missing,
            (Ok(Reading::Category(code)), FeatureKind::Category(categories)) => {
                category_name(categories, code).unwrap_or(WitnessValue::Number(*raw))
            }
            _ => WitnessValue::Number(*raw),
        };
        (feature.name.clone(), value)
    };
    let entry = |feature: usize| match groups.of(feature) {
        None => Some(value(feature)),
        Some(group) if group.columns[0] == feature => {
            let place = group.value(row, ensemble).expect("exactly one column is 1, as was checked");
            Some((group.name.clone(), WitnessValue::Text(group.values[place].clone())))
        }
        Some(_) => None,
    };
    Witness((0..row.len()).filter_map(entry).collect())
}
