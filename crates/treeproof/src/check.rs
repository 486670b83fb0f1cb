//! Whether a witness is what an answer says: plain code over the model alone, so that a wrong search cannot confirm
//! itself. Shares nothing with `compile` and `confine`; it reads the conditions again, as they were written.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::input::{FeatureKind, Reading};

use crate::language::{Condition, Fact, Literal, feature_named};
use crate::observed::Observed;

/// Evaluates a witness as the model's library would and tests every condition on it. An error says what fails.
pub(crate) fn check(
    ensemble: &Ensemble,
    conditions: &[Condition],
    observed: Option<&Observed>,
    row: &[f64],
) -> Result<Evaluation, String> {
    let readings = ensemble.read(row).map_err(|error| error.to_string())?;
    let mut may_be_missing = vec![false; row.len()];
    let mut has_value = vec![false; row.len()];
    for (condition, fact) in facts(conditions) {
        let feature = feature_named(ensemble, condition, fact.name()).map_err(|error| error.to_string())?;
        match fact {
            Fact::Missing(_) | Fact::MaybeMissing(_) => may_be_missing[feature] = true,
            _ => has_value[feature] = true,
        }
    }
    for (condition, fact) in facts(conditions) {
        let feature = feature_named(ensemble, condition, fact.name()).map_err(|error| error.to_string())?;
        let is_excused = readings[feature] == Reading::Missing && may_be_missing[feature];
        if !is_excused && !holds(ensemble, feature, fact, row[feature], readings[feature]) {
            return Err(format!("`{}` does not hold for {}", condition.text, row[feature]));
        }
    }
    for (index, (reading, raw)) in readings.iter().zip(row).enumerate() {
        let seen = observed.map(|observed| &observed.features[index]);
        let is_known = match (reading, seen) {
            (Reading::Missing, seen) => {
                may_be_missing[index] || (!has_value[index] && seen.is_some_and(|seen| seen.missing))
            }
            (Reading::NoCategory, seen) => seen.is_some_and(|seen| seen.unknown),
            (Reading::Number(_), Some(seen)) => seen.low <= *raw && *raw <= seen.high,
            (Reading::Category(code), Some(seen)) => seen.codes.contains(code),
            (_, None) => raw.is_finite(),
        };
        if !is_known {
            return Err(format!("{raw} is not allowed for `{}`", ensemble.features()[index].name));
        }
    }
    Ok(ensemble.evaluate_readings(&readings))
}

fn facts(conditions: &[Condition]) -> impl Iterator<Item = (&Condition, &Fact)> {
    conditions.iter().flat_map(|condition| condition.facts.iter().map(move |fact| (condition, fact)))
}

fn holds(ensemble: &Ensemble, feature: usize, fact: &Fact, raw: f64, reading: Reading) -> bool {
    match fact {
        Fact::Between { low, high, .. } => {
            let is_above = low.is_none_or(|low| if low.is_strict { raw > low.number } else { raw >= low.number });
            let is_below = high.is_none_or(|high| if high.is_strict { raw < high.number } else { raw <= high.number });
            reading != Reading::Missing && is_above && is_below
        }
        Fact::OneOf { values, .. } => values.iter().any(|value| is_value(ensemble, feature, value, raw, reading)),
        Fact::Missing(_) => reading == Reading::Missing,
        Fact::MaybeMissing(_) => true,
    }
}

fn is_value(ensemble: &Ensemble, feature: usize, value: &Literal, raw: f64, reading: Reading) -> bool {
    match (&ensemble.features()[feature].kind, reading) {
        (FeatureKind::Numeric, Reading::Number(_)) => value.number == Some(raw),
        (FeatureKind::Category(categories), Reading::Category(code)) => match categories.names.get(code as usize) {
            Some(name) => {
                *name == value.text || name.trim().parse().ok().is_some_and(|name| value.number == Some(name))
            }
            None => value.number.is_some_and(|number| {
                ensemble.input().read(&ensemble.features()[feature].kind, number) == Ok(Reading::Category(code))
            }),
        },
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use treeproof_ensemble::load::{LoadOptions, load_bytes};

    fn model() -> Ensemble {
        let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
            "features": [{"name": "age", "kind": "numeric"},
                {"name": "colour", "kind": "category", "encoding": {"rule": "lightgbm"}, "names": ["red", "blue"]}],
            "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
            "num_outputs": 1,
            "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
            "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
            "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                       "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;
        load_bytes(model, &LoadOptions::default()).unwrap()
    }

    fn passes(condition: &str, row: [f64; 2]) -> bool {
        let conditions = if condition.is_empty() { vec![] } else { vec![Condition::parse(condition).unwrap()] };
        check(&model(), &conditions, None, &row).is_ok()
    }

    #[test]
    fn conditions_hold_as_written() {
        assert!(passes("30 <= age < 50", [30.0, 0.0]) && !passes("30 <= age < 50", [50.0, 0.0]));
        assert!(passes("age > 30", [30.0_f64.next_up(), 0.0]) && !passes("age > 30", [30.0, 0.0]));
        assert!(passes("age == 30", [30.0, 0.0]) && !passes("age == 30", [30.0_f64.next_up(), 0.0]));
        assert!(passes("colour in {red}", [1.0, 0.0]) && !passes("colour == blue", [1.0, 0.0]));
    }

    #[test]
    fn missing_and_infinite_values_need_permission() {
        assert!(!passes("", [f64::NAN, 0.0]) && !passes("", [f64::INFINITY, 0.0]) && !passes("", [1.0, -1.0]));
        assert!(passes("missing(age)", [f64::NAN, 0.0]) && !passes("missing(age)", [1.0, 0.0]));
        assert!(passes("maybemissing(age) and age > 3", [f64::NAN, 0.0]));
        assert!(!passes("maybemissing(age) and age > 3", [2.0, 0.0]) && !passes("age > 3", [f64::NAN, 0.0]));
    }

    #[test]
    fn observed_values_are_the_only_ones() {
        let table = treeproof_data::read_bytes("x.csv".as_ref(), b"age,colour\n1,red\n5,red\n".to_vec()).unwrap();
        let rows = crate::rows::Rows::from_table(&table, &model(), &crate::rows::RowOptions::default()).unwrap();
        let observed = Observed::new("x.csv", &rows, &model()).unwrap();
        let passes = |row: [f64; 2]| check(&model(), &[], Some(&observed), &row).is_ok();
        assert!(passes([5.0, 0.0]) && !passes([5.1, 0.0]) && !passes([5.0, 1.0]) && !passes([f64::NAN, 0.0]));
    }
}
