//! Whether a witness is what an answer says: plain code over the model alone, so that a wrong search cannot confirm
//! itself. Shares nothing with `compile` and `confine`: conditions are decided by [`Constraint::holds`].
//!
//! [`Constraint::holds`]: crate::language::Constraint::holds

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::input::Reading;

use crate::language::{Condition, Input, Point, Resolved, Side, Variable};
use crate::observed::Observed;

/// Evaluates a witness as the model's library would and tests every condition on it. An error says what fails.
pub(crate) fn check(
    ensemble: &Ensemble,
    conditions: &[Condition],
    resolved: &Resolved,
    observed: Option<&Observed>,
    row: &[f64],
) -> Result<Evaluation, String> {
    let input = Input::new(ensemble, row).map_err(|error| error.to_string())?;
    let point = Point::One { input: &input, reference: None };
    if let Some(broken) = resolved.conjuncts.iter().find(|conjunct| !conjunct.constraint.holds(point)) {
        return Err(format!("`{}` does not hold for {row:?}", conditions[broken.condition].text));
    }
    for (index, (reading, raw)) in input.readings().iter().zip(row).enumerate() {
        let seen = observed.map(|observed| &observed.features[index]);
        let is_permitted = resolved.may_be_missing.contains(&Variable { side: Side::Only, feature: index });
        let is_known = match (reading, seen) {
            (Reading::Missing, seen) => is_permitted || seen.is_some_and(|seen| seen.missing),
            (Reading::NoCategory, seen) => seen.is_some_and(|seen| seen.unknown),
            (Reading::Number(_), Some(seen)) => seen.low <= *raw && *raw <= seen.high,
            (Reading::Category(code), Some(seen)) => seen.codes.contains(code),
            (_, None) => raw.is_finite(),
        };
        if !is_known {
            return Err(format!("{raw} is not allowed for `{}`", ensemble.features()[index].name));
        }
    }
    Ok(ensemble.evaluate_readings(input.readings()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Groups, Inputs, Vocabulary};
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

    fn passes_in(conditions: &[Condition], observed: Option<&Observed>, row: [f64; 2]) -> bool {
        let (model, groups) = (model(), Groups::default());
        let resolved = Resolved::new(conditions, &Vocabulary::new(&model, &groups, Inputs::One)).unwrap();
        check(&model, conditions, &resolved, observed, &row).is_ok()
    }

    fn passes(condition: &str, row: [f64; 2]) -> bool {
        let conditions = if condition.is_empty() { vec![] } else { vec![Condition::parse(condition).unwrap()] };
        passes_in(&conditions, None, row)
    }

    #[test]
    fn conditions_hold_as_written() {
        assert!(passes("30 <= age < 50", [30.0, 0.0]) && !passes("30 <= age < 50", [50.0, 0.0]));
        assert!(passes("age > 30", [30.0_f64.next_up(), 0.0]) && !passes("age > 30", [30.0, 0.0]));
        assert!(passes("age == 30", [30.0, 0.0]) && !passes("age == 30", [30.0_f64.next_up(), 0.0]));
        assert!(passes("colour in {red}", [1.0, 0.0]) && !passes("colour == blue", [1.0, 0.0]));
        assert!(passes("not age > 30 or colour != red", [30.0, 0.0]) && !passes("not age > 30", [31.0, 0.0]));
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
        let passes = |row| passes_in(&[], Some(&observed), row);
        assert!(passes([5.0, 0.0]) && !passes([5.1, 0.0]) && !passes([5.0, 1.0]) && !passes([f64::NAN, 0.0]));
    }
}
