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
