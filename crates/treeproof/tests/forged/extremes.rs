//! Forgeries by two inputs, empty orders and the ends of the doubles.

use super::*;

/// Two inputs have no distance, whatever is claimed: there are no axes that say what changes.
#[test]
fn two_inputs_that_are_not_nearer() {
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()], [everything(), everything()]],
                      "ties": ["free", "free"], "near": near("l0", 2), "goal": "anything"},
        "axes": [axis(0, 0, &cells), axis(1, 0, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    let wrong = refused(stumps(2), header, json!({"claim": {"not_nearer": 3}}), &[3, 3, 0]);
    assert!(wrong.contains("no condition excludes"), "{wrong}");
}

/// An axis without cells has none that are in order.
#[test]
fn an_order_of_nothing() {
    let nothing = json!({"numbers": {"ranges": [], "missing": false}});
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[nothing, everything()], [everything(), everything()]],
                      "ties": ["not_below", "free"], "goal": "anything"},
        "axes": [axis(0, 0, &json!([])), axis(1, 0, &cells)], "unit": "1", "offset": "0",
        "bundles": [[[{"in_order": 0}]]]});
    let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
    let parts = Parts { models, header, log: vec![3, 0], conclusion: json!({"claim": "infeasible"}) };
    check(&parts.sealed(), &[stumps(2)]).expect("there is no input");
}

/// Numbers that have no magnitude of their own type.
#[test]
fn the_least_of_all_numbers() {
    let mut header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [20, 10000],
                      "near": near("l1", 2), "goal": {"output": {"number": 2.5, "above": true}}},
        "axes": [], "unit": "1p-20", "offset": "0", "bundles": [[[]]], "ledgers": [{"distance": i64::MIN}]});
    let wrong = refused(stumps(2), header.clone(), json!({"claim": {"not_nearer": 1}}), &EVALUATED);
    assert!(wrong.contains("a unit of distances that is none"), "{wrong}");
    header["ledgers"] = json!([]);
    header["unit"] = "1".into();
    let sum = |constant: &str| {
        let terms = json!([{"model": 0, "input": 0, "output": 0, "negated": false}]);
        json!({"sums": [[{"terms": terms, "constant": constant}]]})
    };
    header["statement"]["goal"] = sum("1p63");
    let wrong = refused(stumps(2), header.clone(), json!({"claim": {"at_most": 0}}), &EVALUATED);
    assert!(wrong.contains("too large for the unit"), "{wrong}");
    // What is far below all else counts as a little less far below: still below 0, but not below everything.
    header["statement"]["goal"] = sum("-1p63");
    refused(stumps(2), header, json!({"claim": {"at_most": "-inf"}}), &EVALUATED);
}
