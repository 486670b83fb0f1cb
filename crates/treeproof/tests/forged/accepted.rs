//! Honest proofs that resemble forged ones, and must be accepted.

use super::*;

/// Checks a claim.
fn accepted(model: Ensemble, header: &Value, claim: Value, log: &[u8]) -> Result<(), String> {
    let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
    let parts = Parts { models, header: header.clone(), log: log.to_vec(), conclusion: json!({"claim": claim}) };
    check(&parts.sealed(), &[model]).map(|_| ())
}

/// A group without an axis may have any column as its 1 that the domain allows, and no other.
#[test]
fn columns_without_an_axis() {
    for (threshold, inputs, most) in [
        (0.5, [everything(), everything()], 5),
        (0.5, [everything(), only(&json!(1))], 0),
        (0.5, [everything(), only(&json!(0))], 5),
        (0.5, [only(&json!(1)), everything()], 5),
        (0.5, [only(&json!(0)), everything()], 0),
        // All columns are on one side of these.
        (7.0, [everything(), everything()], 0),
        (-7.0, [everything(), everything()], 5),
    ] {
        let model = || {
            let features = [0, 1].map(|feature| json!({"name": format!("x{feature}"), "kind": "numeric"}));
            model(&features, &[stump(0, threshold, 5.0)])
        };
        let header = json!({
            "statement": {"features": features(2), "inputs": [inputs], "groups": [[0, 1]],
                          "goal": {"sums": [[{"terms": [{"model": 0, "input": 0, "output": 0, "negated": false}]}]]}},
            "axes": [], "unit": "1", "offset": "0", "bundles": [[[]]]});
        assert_eq!(accepted(model(), &header, json!({"at_most": most}), &EVALUATED), Ok(()), "{header}");
        let wrong = accepted(model(), &header, json!({"at_most": most - 1}), &EVALUATED).unwrap_err();
        assert!(wrong.contains(&format!("no value exceeds {most}")), "{wrong}");
    }
}

/// Cells that are within a radius, or nearer than is claimed, though their costs are rounded down to nothing.
#[test]
fn cells_within_a_radius() {
    let cells = json!([[{"numbers": ["-inf", 30_f64.next_down()]}], [{"numbers": [30, "inf"]}]]);
    let mut header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), only(&json!(10000))]], "reference": [29.5, 10000],
                      "near": near("l1", 2), "goal": {"output": {"number": 0.5, "above": true}}},
        "axes": [axis(0, 0, &cells)], "unit": "1p-20", "offset": "0", "bundles": [[[]]], "ledgers": [{"distance": 10}]});
    // The second cell is given up by the distance; of the first nothing reaches the goal.
    let log = [2, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 3, 0];
    for (least, is_so) in [(0.25, true), (0.5, true), (0.5_f64.next_up(), false), (0.75, false)] {
        let found = accepted(stumps(2), &header, json!({"not_nearer": least}), &log);
        assert_eq!(found.is_ok(), is_so, "{least}: {found:?}");
    }
    for (radius, is_so) in [(0.25, true), (0.5_f64.next_down(), true), (0.5, false), (0.75, false)] {
        header["statement"]["near"]["radius"] = radius.into();
        let found = accepted(stumps(2), &header, json!("never"), &log);
        assert_eq!(found.is_ok(), is_so, "{radius}: {found:?}");
    }
}

/// A goal that all inputs reach, by more than values can say.
#[test]
fn goals_below_all_sums() {
    let mut near = near("l1", 2);
    near["radius"] = 5.into();
    let far = 2_f64.powi(70);
    let mut header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [20, 10000],
                      "near": near, "goal": {"output": {"number": -far, "above": true}}},
        "axes": [], "unit": "1p20", "offset": "1p70", "bundles": [[[]]], "ledgers": [{"distance": 0}]});
    let wrong = accepted(stumps(2), &header, json!("never"), &EVALUATED).unwrap_err();
    assert!(wrong.contains("leaves inputs open"), "{wrong}");
    header["unit"] = "1".into();
    let wrong = accepted(stumps(2), &header, json!("never"), &EVALUATED).unwrap_err();
    assert!(wrong.contains("leaves inputs open"), "{wrong}");
    // The same far above all.
    header["statement"]["goal"]["output"]["number"] = far.into();
    header["offset"] = "-1p70".into();
    assert_eq!(accepted(stumps(2), &header, json!("never"), &EVALUATED), Ok(()));
}

/// Pairs exist exactly if two inputs can be in order.
#[test]
fn what_can_be_in_order() {
    let between = |low: i32, high: i32| json!({"numbers": {"ranges": [[low, high]], "missing": false}});
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    for (first, second, is_empty) in [
        (between(5, 9), between(1, 4), true),
        (between(5, 9), between(1, 5), false),
        (between(1, 4), between(5, 9), false),
    ] {
        let header = json!({
            "statement": {"features": features(2), "inputs": [[first, everything()], [second, everything()]],
                          "ties": ["not_below", "free"], "goal": "anything"},
            "axes": [axis(0, 0, &cells), axis(1, 0, &cells)], "unit": "1", "offset": "0",
            "bundles": [[[{"in_order": 0}]]]});
        let found = accepted(stumps(2), &header, json!("infeasible"), &EVALUATED);
        assert_eq!(found.is_ok(), is_empty, "{header}: {found:?}");
    }
}

/// Inputs that agree do not differ, and others may: in so many units as conditions count.
#[test]
fn units_that_differ_between_two_inputs() {
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    for (ties, at_least, is_empty) in [
        (["same", "free"], 1, false),
        (["same", "free"], 2, true),
        (["same", "same"], 1, true),
        (["free", "free"], 2, false),
    ] {
        let header = json!({
            "statement": {"features": features(2), "inputs": [[everything(), everything()], [everything(), everything()]],
                          "ties": ties, "goal": "anything",
                          "conditions": [{"changed": {"units": [[0], [1]], "at_least": at_least, "at_most": 9}}]},
            "axes": [axis(1, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]], "ledgers": [{"at_least": 0}]});
        let found = accepted(stumps(2), &header, json!("infeasible"), &[3, 2, 0]);
        assert_eq!(found.is_ok(), is_empty, "{header}: {found:?}");
    }
}
