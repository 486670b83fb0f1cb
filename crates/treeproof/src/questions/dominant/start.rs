//! The starting point of `dominant`.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::FeatureKind;
use treeproof_ensemble::values::{CategorySet, Present};
use treeproof_language::{Condition, Constraint, Groups, Inputs, Resolved, Vocabulary};

use super::{Baseline, Dominant};
use crate::error::TaskError;
use crate::problem::raw_category;
use crate::questions::items::items;
use crate::rows::Rows;

/// Values that a field of a task lists as `name=value`, as the model has them.
pub(super) fn named_values(
    field: &'static str,
    texts: &[String],
    ensemble: &Ensemble,
    groups: &Groups,
) -> Result<Vec<(usize, f64)>, TaskError> {
    let refuse = |what: String| TaskError::Value { field, what };
    let vocabulary = Vocabulary::new(ensemble, groups, Inputs::One);
    let mut given: Vec<(usize, f64)> = vec![];
    for text in texts.iter().flat_map(|text| items(text)) {
        let is_whole = |(name, value): &(&str, &str)| !name.trim().is_empty() && !value.trim().is_empty();
        let Some((name, value)) = text.split_once('=').filter(is_whole) else {
            return Err(refuse(format!("`{text}` is not of the form `name=value`, as in `live=1`")));
        };
        if let Some(group) = groups.named(name.trim()) {
            let Some(place) = group.place(value.trim(), ensemble) else {
                let values = group.values.join(", ");
                return Err(refuse(format!("`{text}`: group `{}` has the values {values}", group.name)));
            };
            let columns = group.columns.iter().enumerate();
            given.extend(columns.map(|(other, column)| (*column, f64::from(u8::from(other == place)))));
            continue;
        }
        let feature = vocabulary.feature_called(name.trim()).map_err(refuse)?;
        let known = &ensemble.features()[feature];
        if given.iter().any(|(given, _)| *given == feature) {
            return Err(refuse(format!("`{}` is given twice", known.name)));
        }
        let value = value.trim();
        if known.kind == FeatureKind::Numeric && value.parse::<f64>().is_err() {
            return Err(refuse(format!("`{text}`: `{value}` is not a number")));
        }
        // What a value means is what it means in a condition.
        let condition = Condition::parse(&format!("`{}` == {value}", known.name));
        let resolved = condition.and_then(|condition| Resolved::new(&[condition], &vocabulary));
        let is_finite = |number: &f64| number.is_finite();
        let raw = match resolved.map_err(|error| refuse(format!("`{text}`: {}", error.what)))?.conjuncts.first() {
            Some(conjunct) => match &conjunct.constraint {
                Constraint::Values(_, values) => match &values.present {
                    Present::Numbers(_) => value.parse().ok().filter(is_finite),
                    Present::Categories(CategorySet::Only(codes)) => {
                        codes.first().and_then(|code| raw_category(known, ensemble.input(), *code))
                    }
                    Present::Categories(_) => None,
                },
                _ => None,
            },
            None => None,
        };
        let raw = raw.ok_or_else(|| refuse(format!("`{text}`: `{value}` is no value of `{}`", known.name)))?;
        given.push((feature, raw));
    }
    Ok(given)
}

/// The starting point: what is given, and the rest from the baseline.
pub(super) fn start_row(
    dominant: &Dominant,
    ensemble: &Ensemble,
    groups: &Groups,
    given: &[(usize, f64)],
    rows: Option<&Rows>,
) -> Result<Vec<f64>, TaskError> {
    let refuse = |what: String| TaskError::Value { field: "baseline", what };
    let mut row = vec![0.0; ensemble.features().len()];
    match (&dominant.baseline, rows) {
        (Some(Baseline::Row(number)), Some(rows)) if *number < rows.len() => row.copy_from_slice(rows.row(*number)),
        (Some(Baseline::Row(number)), Some(rows)) => {
            return Err(refuse(format!("there is no row {number}: the data has {}, counted from 0", rows.len())));
        }
        (Some(Baseline::Row(_)), None) => return Err(refuse("the row was not read".to_owned())),
        (Some(Baseline::Values(texts)), _) => put(&mut row, &named_values("baseline", texts, ensemble, groups)?),
        (None, _) => {}
    }
    put(&mut row, given);
    groups.check(&row, ensemble).map_err(|what| TaskError::Value { field: "given", what })?;
    match ensemble.read(&row) {
        Ok(_) => Ok(row),
        Err(error) => Err(refuse(format!("{error}; give a row of your data, as in --baseline data.csv:0"))),
    }
}

fn put(row: &mut [f64], values: &[(usize, f64)]) {
    values.iter().for_each(|(feature, raw)| row[*feature] = *raw);
}
