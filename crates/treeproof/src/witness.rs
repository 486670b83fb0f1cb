//! The check of a witness: plain code over the model alone, so that a wrong search cannot confirm itself.
//!
//! Shares nothing with the passes of `problem`: conditions are decided by [`Constraint::holds`].
//!
//! [`Constraint::holds`]: treeproof_language::Constraint::holds

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::input::Reading;
use treeproof_language::{Assignment, Groups, ReadRow, Side, Variable};

use crate::problem::{AdmissibleInputs, Form, InputRows, MatchedFeature, Nearness, Tie};

/// Evaluates a witness as the models' libraries would and tests everything on it that the question asks for: the conditions
/// and data, that models which share a feature see the same, and that inputs are tied as they should be. The domains of
/// the form, which were made of the conditions, are not looked at. An error says what fails.
pub(crate) fn check(
    form: &Form<'_>,
    allowed: &AdmissibleInputs<'_>,
    rows: &InputRows,
) -> Result<Vec<Vec<Evaluation>>, String> {
    let mut inputs: Vec<Vec<ReadRow<'_>>> = vec![];
    for of_input in rows {
        let read = form.models.iter().zip(of_input).map(|(model, row)| ReadRow::new(model, row));
        inputs.push(read.collect::<Result<_, _>>().map_err(|error| error.to_string())?);
    }
    let (point, sides) = match &inputs[..] {
        [input] => (Assignment::One { input: &input[0], reference: None }, &[Side::Only][..]),
        [a, b] => (Assignment::Two { a: &a[0], b: &b[0] }, &[Side::A, Side::B][..]),
        _ => unreachable!("a form has one input or two"),
    };
    if let Some(broken) = allowed.resolved.conjuncts.iter().find(|conjunct| !conjunct.constraint.holds(point)) {
        return Err(format!("`{}` does not hold for {rows:?}", allowed.conditions[broken.condition].text));
    }
    rows.iter().try_for_each(|of_input| allowed.groups.check(&of_input[0], form.models[0]))?;
    for (place, feature) in form.space.features.iter().enumerate() {
        let mut seen_by_inputs = vec![];
        for (input, side) in sides.iter().enumerate() {
            let see = |of: &crate::problem::ModelFeature| Seen {
                raw: rows[input][of.model][of.feature],
                reading: inputs[input][of.model].readings()[of.feature],
            };
            let seen: Vec<Seen> = feature.readers().iter().map(see).collect();
            if !is_allowed(allowed, Variable { side: *side, feature: place }, &seen) || !is_agreed(feature, &seen) {
                return Err(format!("{} is not allowed for `{}`", seen[0].raw, feature.name()));
            }
            seen_by_inputs.push(seen);
        }
        if let [first, second] = &seen_by_inputs[..]
            && !is_tied(form.space.ties[place], first, second)
        {
            let raws = (first[0].raw, second[0].raw);
            return Err(format!("{} and {} are not as they should be for `{}`", raws.0, raws.1, feature.name()));
        }
    }
    let evaluate = |of_input: &Vec<ReadRow<'_>>| {
        form.models.iter().zip(of_input).map(|(model, input)| model.evaluate_readings(input.readings())).collect()
    };
    Ok(inputs.iter().map(evaluate).collect())
}

/// Tests that inputs of a model are as near as they must be, by distances in exact numbers. An error says what fails.
pub(crate) fn check_near(
    model: &Ensemble,
    groups: &Groups,
    nearness: Nearness<'_>,
    rows: &InputRows,
) -> Result<(), String> {
    match nearness {
        Nearness::Any => Ok(()),
        Nearness::Ball(ball) => {
            let [first, second] = [&rows[0][0], &rows[1][0]];
            for (feature, known) in model.features().iter().enumerate() {
                let raws = [first[feature], second[feature]];
                let [one, other] = raws.map(|raw| model.input().read(known, raw));
                let may_differ = match (one, other) {
                    _ if is_same(raws[0], raws[1]) => true,
                    (one, other) if one == other => {
                        !matches!(one, Ok(Reading::Number(_))) || raws.iter().all(|raw| raw.is_finite())
                    }
                    (Ok(Reading::Missing), _) | (_, Ok(Reading::Missing)) => ball.missing_cost(feature).is_some(),
                    (Ok(Reading::Number(_)), _) => {
                        ball.metric.rule().counts_changes || raws.iter().all(|raw| raw.is_finite())
                    }
                    _ => ball.category_cost().is_some(),
                };
                if !may_differ {
                    return Err(format!("{} and {} do not go together for `{}`", raws[0], raws[1], known.name));
                }
            }
            let distance = ball.metric.between(model, first, second);
            let is_within = ball.metric.of_distance(ball.radius).is_some_and(|limit| distance <= limit);
            is_within.then_some(()).ok_or_else(|| format!("{rows:?} are further apart than {}", ball.radius))
        }
        Nearness::Start(start) => {
            let is_other = |feature: &usize| !is_same(rows[0][0][*feature], start.row[*feature]);
            let alone = (0..start.row.len()).filter(|feature| groups.of(*feature).is_none() && is_other(feature));
            let together = groups.iter().filter(|group| group.columns.iter().any(is_other));
            let changed = alone.count() + together.count();
            let is_within = changed <= start.at_most;
            is_within.then_some(()).ok_or_else(|| format!("{changed} features changed, of at most {}", start.at_most))
        }
    }
}

/// A value of a feature as one model sees it.
pub(crate) struct Seen {
    pub(crate) raw: f64,
    pub(crate) reading: Reading,
}

/// True if data shows the value or, without data, it is an ordinary one. A value that is missing to some model needs permission.
pub(crate) fn is_allowed(allowed: &AdmissibleInputs<'_>, variable: Variable, seen: &[Seen]) -> bool {
    // Features of the second model alone come last, and nobody knows data of them.
    let observed = allowed.observed.of(variable.side).and_then(|observed| observed.features.get(variable.feature));
    let is_missing = |seen: &Seen| seen.reading == Reading::Missing;
    if seen.iter().any(is_missing) {
        let is_permitted = allowed.resolved.may_be_missing.contains(&variable);
        if !is_permitted && !observed.is_some_and(|observed| observed.missing) {
            return false;
        }
    }
    match (seen[0].reading, observed) {
        (Reading::Missing, _) => true,
        (reading, Some(observed)) => observed.has(seen[0].raw, reading),
        _ if allowed.own.is_some_and(|row| is_same(row[variable.feature], seen[0].raw)) => true,
        (Reading::NoCategory, None) => false,
        (_, None) => seen[0].raw.is_finite(),
    }
}

/// True if all models are given the same number, or the same category by their own codes.
fn is_agreed(feature: &MatchedFeature<'_>, seen: &[Seen]) -> bool {
    seen.iter().zip(feature.readers()).all(|(other, of)| match (seen[0].reading, other.reading) {
        (Reading::Category(code), Reading::Category(own)) => feature.code_in(of.model, code) == Some(own),
        (Reading::NoCategory, own) | (own, Reading::NoCategory) => own == Reading::NoCategory,
        _ => is_same(seen[0].raw, other.raw),
    })
}

fn is_tied(tie: Tie, first: &[Seen], second: &[Seen]) -> bool {
    let is_missing = |seen: &[Seen]| seen.iter().all(|seen| seen.reading == Reading::Missing);
    match tie {
        Tie::Free => true,
        Tie::Same => first.iter().zip(second).all(|(first, second)| is_same(first.raw, second.raw)),
        Tie::NotBelow if is_missing(first) || is_missing(second) => is_missing(first) && is_missing(second),
        Tie::NotBelow => first[0].raw <= second[0].raw,
    }
}

fn is_same(first: f64, second: f64) -> bool {
    first == second || (first.is_nan() && second.is_nan())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::problem::Observed;
    use crate::problem::{Domain, Features, Space, Sum, Term};
    use treeproof_ensemble::load::{LoadOptions, load_bytes};
    use treeproof_language::{Condition, Groups, Inputs, Resolved, Vocabulary};

    const MODEL: &str = r#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
            "features": [{"name": "age", "kind": "numeric"},
                {"name": "colour", "kind": "category", "encoding": {"rule": "lightgbm"}, "names": ["red", "blue"]}],
            "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
            "num_outputs": 1,
            "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
            "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
            "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                       "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;

    fn model() -> Ensemble {
        load_bytes(MODEL.as_bytes(), &LoadOptions::default()).unwrap()
    }

    fn passes_in(conditions: &[Condition], observed: Option<&Observed>, row: [f64; 2]) -> bool {
        let (model, groups) = (model(), Groups::default());
        let resolved = Resolved::new(conditions, &Vocabulary::new(&model, &groups, Inputs::One)).unwrap();
        let term = Term { model: 0, input: 0, output: 0, negated: false };
        let space = Space::one(Features::of(&model), Domain::everything(&model));
        let form = Form { models: vec![&model], space, cases: vec![vec![Sum::of([term])]] };
        let allowed = AdmissibleInputs {
            conditions,
            resolved: &resolved,
            groups: &groups,
            observed: observed.into(),
            own: None,
            predicate: None,
        };
        check(&form, &allowed, &vec![vec![row.to_vec()]]).is_ok()
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
        let observed = Observed::new("x.csv", rows, &model()).unwrap();
        let passes = |row| passes_in(&[], Some(&observed), row);
        assert!(passes([5.0, 0.0]) && !passes([5.1, 0.0]) && !passes([5.0, 1.0]) && !passes([f64::NAN, 0.0]));
        assert!(passes([3.0, 0.0]) && !passes([3.5, 0.0]), "whole numbers are all that was seen");
    }

    #[test]
    fn two_inputs_are_tied() {
        let (model, groups) = (model(), Groups::default());
        let passes = |condition: &str, tie: Tie, rows: [[f64; 2]; 2]| {
            let conditions = [Condition::parse(condition).unwrap()];
            let resolved = Resolved::new(&conditions, &Vocabulary::new(&model, &groups, Inputs::Two)).unwrap();
            let space = Space::two(Features::of(&model), Domain::everything(&model), vec![tie, Tie::Same]);
            let form = Form { models: vec![&model], space, cases: vec![] };
            let allowed = AdmissibleInputs {
                conditions: &conditions,
                resolved: &resolved,
                groups: &groups,
                observed: None.into(),
                own: None,
                predicate: None,
            };
            check(&form, &allowed, &rows.map(|row| vec![row.to_vec()]).to_vec()).is_ok()
        };
        let all = "maybemissing(age)";
        assert!(passes(all, Tie::Free, [[2.0, 0.0], [1.0, 0.0]]) && !passes(all, Tie::Free, [[2.0, 0.0], [2.0, 1.0]]));
        assert!(passes(all, Tie::Same, [[2.0, 0.0], [2.0, 0.0]]) && !passes(all, Tie::Same, [[2.0, 0.0], [1.0, 0.0]]));
        assert!(passes(all, Tie::Same, [[f64::NAN, 0.0], [f64::NAN, 0.0]]));
        assert!(!passes(all, Tie::Same, [[f64::NAN, 0.0], [1.0, 0.0]]));
        assert!(passes(all, Tie::NotBelow, [[1.0, 0.0], [2.0, 0.0]]));
        assert!(!passes(all, Tie::NotBelow, [[2.0, 0.0], [1.0, 0.0]]));
        assert!(passes(all, Tie::NotBelow, [[f64::NAN, 0.0], [f64::NAN, 0.0]]));
        assert!(!passes(all, Tie::NotBelow, [[f64::NAN, 0.0], [1.0, 0.0]]));
        // Without a side a condition is about both, and so is what it permits.
        assert!(passes("b.age > 1", Tie::Free, [[0.0, 0.0], [2.0, 0.0]]));
        assert!(!passes("a.age > 1", Tie::Free, [[0.0, 0.0], [2.0, 0.0]]));
        assert!(!passes("age > 1", Tie::Free, [[0.0, 0.0], [2.0, 0.0]]));
        assert!(!passes("maybemissing(a.age)", Tie::Free, [[0.0, 0.0], [f64::NAN, 0.0]]));
    }

    #[test]
    fn two_models_are_given_the_same() {
        let text = MODEL.replace(r#"["red", "blue"]"#, r#"["blue", "red"]"#);
        let (first, second) = (model(), load_bytes(text.as_bytes(), &LoadOptions::default()).unwrap());
        let passes = |rows: [[f64; 2]; 2]| {
            let features = Features::matched(&first, &second).unwrap();
            let space = Space::one(features, Domain::everything(&first));
            let form = Form { models: vec![&first, &second], space, cases: vec![] };
            check(&form, &AdmissibleInputs::everything(), &vec![rows.map(|row| row.to_vec()).to_vec()]).is_ok()
        };
        assert!(passes([[3.0, 0.0], [3.0, 1.0]]), "red is 0 to one and 1 to the other");
        assert!(!passes([[3.0, 0.0], [3.0, 0.0]]) && !passes([[3.0, 0.0], [4.0, 1.0]]));
        assert!(!passes([[3.0, 0.0], [3.0, -1.0]]) && !passes([[f64::NAN, 0.0], [f64::NAN, 1.0]]));
    }
}
