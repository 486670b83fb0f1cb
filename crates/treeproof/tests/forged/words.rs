//! The words of a proof name all that its claim rests on.

use treeproof_checker::wording::lines;

use super::*;

/// A fact about one sum is not told of another.
#[test]
fn words_say_what_is_summed() {
    let said = |terms: Value, constant: &str, claim: Value| {
        let header = json!({
            "statement": {"features": features(2), "inputs": [[everything(), everything()]],
                          "goal": {"sums": [[{"terms": terms, "constant": constant}]]}},
            "axes": [], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
        let parts = Parts { models, header, log: EVALUATED.to_vec(), conclusion: json!({"claim": claim}) };
        let models = [stumps(2)];
        lines(&check(&parts.sealed(), &models).unwrap()[0], &models).unwrap().join("; ")
    };
    let margin = |negated: bool| json!({"model": 0, "input": 0, "output": 0, "negated": negated});
    let asked = "the sum asked about";
    assert!(said(json!([]), "0", json!({"at_most": 0})).starts_with(asked));
    assert!(said(json!([margin(true), margin(true)]), "0", json!({"at_most": 0})).starts_with(asked));
    assert!(said(json!([margin(true), margin(false)]), "0", json!({"at_most": 3})).starts_with(asked));
    let never = said(json!([margin(true)]), "-1", json!("never"));
    assert!(never.starts_with("no input has minus the margin minus 1 at or above 0"), "{never}");
    // Beside so large a number the margin would be lost in a double.
    let exact = said(json!([margin(false)]), "-36028797018963969", json!({"at_most": -36_028_797_018_963_964_i64}));
    assert!(exact.starts_with("the margin minus 36028797018963969 is at most -36028797018963964"), "{exact}");
}

/// A claim about some inputs, or about one of several margins and models, is not told as one about all, or another.
#[test]
fn words_say_of_what_it_is_so() {
    let said = |statement: &Value, models: &[u32]| {
        let mut statement = statement.clone();
        statement["features"] = features(2);
        let sum = json!([[{"terms": [{"model": 0, "input": 0, "output": 0, "negated": false}]}]]);
        let goal = statement.as_object_mut().unwrap().entry("goal");
        goal.or_insert(json!({"sums": sum}));
        let header = json!({"models": models, "statement": statement, "axes": [], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let names =
            json!({"question": "forged", "models": [{"name": "one", "sha256": ""}, {"name": "other", "sha256": ""}]});
        let conclusion = json!({"claim": {"at_most": 3}});
        let parts = Parts { models: names, header, log: EVALUATED.to_vec(), conclusion };
        let models = [stumps(2), stumps(2)];
        lines(&check(&parts.sealed(), &models).unwrap()[0], &models).unwrap()
    };
    let claim = |statement: &Value, models: &[u32]| said(statement, models).swap_remove(0);
    let numbers = |low: Value, high: Value| json!({"numbers": {"ranges": [[low, high]]}});
    let limited = |domain: Value| claim(&json!({"inputs": [[domain, everything()]]}), &[0]);
    let all = "the margin of the first model is at most 3";
    assert_eq!(limited(everything()), format!("{all} (1 step checked)"));
    for (domain, words) in [
        (numbers(json!("-inf"), json!(29)), "`x0` at most 29"),
        (numbers(json!(1e-9), json!("inf")), "`x0` at least 1e-9"),
        (numbers(json!(1), json!(2)), "`x0` from 1 to 2"),
        (only(&json!(7)), "7 for `x0`"),
        (json!({"numbers": {"ranges": [["-inf", "inf"]], "steps": ["1"]}}), "`x0` in steps of 1"),
        (json!({"numbers": {"ranges": [[0, 9]], "steps": ["1", "2"]}}), "`x0` from 0 to 9 in steps"),
        (json!({"numbers": {"ranges": [[0, 1], [3, 4]]}}), "some numbers for `x0`"),
        (json!({"numbers": {"ranges": [[2, 1]]}}), "no number for `x0`"),
    ] {
        assert_eq!(limited(domain), format!("{all}, for inputs with {words} (1 step checked)"));
    }
    let several =
        said(&json!({"inputs": [[json!({"numbers": {"ranges": [[0, 1], [3, 4], [9, 9]]}}), everything()]]}), &[0]);
    assert_eq!(several[1..], ["`x0` is from 0 to 1 or from 3 to 4 or 9"]);
    // What is left out as it is too far away is no limit, but only then.
    let near_row = |low: f64, high: f64, radius: f64| {
        let near = json!({"norm": "l2", "factors": [1, 0], "missing_costs": [null, null], "radius": radius});
        let inputs = [[numbers(json!(low), json!(high)), everything()]];
        said(&json!({"inputs": inputs, "reference": [10, 0], "near": near}), &[0])
    };
    let first_near_row = |low: f64, high: f64, radius: f64| near_row(low, high, radius).swap_remove(0);
    assert_eq!(
        near_row(8.0, 12.0, 2.0)[1..],
        ["the row: `x0` = 10, `x1` = 0", "the distance: changes are multiplied by `x0` × 1, `x1` × 0"]
    );
    let within =
        |radius: f64| format!("the margin of the first model within {radius} of the row (weighted l2) is at most 3");
    assert_eq!(first_near_row(8.0, 12.0, 2.0), format!("{} (1 step checked)", within(2.0)));
    for (low, high, radius, words) in [
        (8.0, 12.0, 2.5, "`x0` from 8 to 12"),
        (8.0, 11.0, 2.0, "`x0` at most 11"),
        (50.0, 60.0, 2.0, "`x0` at least 50"),
    ] {
        let said = first_near_row(low, high, radius);
        assert_eq!(said, format!("{}, for inputs with {words} (1 step checked)", within(radius)));
    }
    let conditions = json!({"inputs": [[everything(), everything()]], "conditions": [{"any": [{"all": []}]}]});
    assert_eq!(
        said(&conditions, &[1]),
        [
            "the margin of the second model is at most 3, for inputs with 1 condition (1 step checked)",
            "condition: nothing is demanded"
        ]
    );
    let sum = |one: u32, other: u32| {
        let term = |input: u32, negated: bool| json!({"model": 0, "input": input, "output": 0, "negated": negated});
        json!({"sums": [[{"terms": [term(one, false), term(other, true)]}]]})
    };
    let two = |ties: [&str; 2]| {
        let inputs = [[everything(), everything()], [everything(), everything()]];
        claim(&json!({"inputs": inputs, "ties": ties, "goal": sum(0, 1)}), &[0])
    };
    let all = "the margin of the first input minus that of the second in the first model is at most 3";
    assert_eq!(two(["free", "free"]), format!("{all} (1 step checked)"));
    for (ties, words) in [
        (["same", "free"], "that are the same but for `x1`"),
        (["same", "not_below"], "of which the second is not below the first in `x1` and which are the same otherwise"),
        (["same", "same"], "that are the same"),
        (["not_below", "not_below"], "of which the second is not below the first in `x0` and `x1`"),
    ] {
        assert_eq!(two(ties), format!("{all}, for two inputs {words} (1 step checked)"));
    }
}
