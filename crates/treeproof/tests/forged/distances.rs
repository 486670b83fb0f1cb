//! Forged cells, distances and costs, which leave inputs out.

use super::*;

/// Cells without values say nothing about what is between their neighbours.
#[test]
fn cells_without_values() {
    for cells in [json!([[{"numbers": ["-inf", "inf"]}], [], []]), json!([[], [], [{"numbers": ["-inf", "inf"]}]])] {
        let header = json!({
            "statement": {"features": features(2), "inputs": [[everything(), everything()]],
                          "goal": {"sums": [[{"terms": [{"model": 0, "input": 0, "output": 0, "negated": true}]}]]}},
            "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let wrong = refused(stumps(2), header.clone(), json!({"claim": {"at_most": -1}}), &EVALUATED);
        assert!(wrong.contains("no value exceeds"), "{wrong}");
        let mut other = header;
        other["statement"]["goal"]["sums"][0][0]["terms"][0]["negated"] = false.into();
        let wrong = refused(stumps(2), other, json!({"claim": {"at_most": 2}}), &EVALUATED);
        assert!(wrong.contains("no value exceeds 3"), "{wrong}");
    }
}

/// That nothing reaches a goal does not mean that there is nothing.
#[test]
fn what_misses_the_goal_is_there() {
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [20, 10000],
                      "near": near("l1", 2), "goal": {"output": {"number": 99, "above": true}}},
        "axes": [], "unit": "1p-20", "offset": "0", "bundles": [[[]]], "ledgers": [{"distance": 0}]});
    let wrong = refused(stumps(2), header, json!({"claim": "infeasible"}), &EVALUATED);
    assert!(wrong.contains("leaves inputs open"), "{wrong}");
}

/// A price so high that everything is cut off at the same number.
#[test]
fn prices_without_measure() {
    let cells =
        |threshold: f64| json!([[{"numbers": ["-inf", threshold.next_down()]}], [{"numbers": [threshold, "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [20, 10000],
                      "near": near("l1", 2), "goal": {"output": {"number": 2.5, "above": true}}},
        "axes": [axis(0, 0, &cells(30.0)), axis(0, 1, &cells(20000.0))], "unit": "1p-20", "offset": "0",
        "bundles": [[[]]], "ledgers": [{"distance": 0}]});
    let log = [&[0, 0, 2, 0, 255, 255, 5, 255, 255, 1, 1, 200, 1, 0, 4, 1, 1, 0, 4][..], &EVALUATED].concat();
    refused(stumps(2), header, json!({"claim": {"not_nearer": 1e300}}), &log);
}

/// Two infinite numbers may be the same, though their difference is none.
#[test]
fn infinite_numbers_are_no_change() {
    let infinite = only(&json!("inf"));
    let inputs = json!([[infinite, everything()], [infinite, everything()]]);
    let mut near = near("l0", 2);
    near["radius"] = 0.into();
    let cells = json!([[{"numbers": ["inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": inputs, "ties": ["free", "same"], "near": near, "goal": "anything"},
        "axes": [axis(0, 0, &cells), axis(1, 0, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    let wrong = refused(stumps(2), header, json!({"claim": "infeasible"}), &[3, 3, 0]);
    assert!(wrong.contains("no condition excludes"), "{wrong}");
}

/// A claim that five features cannot all change, each for so much, within a radius.
fn all_change(factor: &Value, radius: &Value) -> String {
    let inputs: Vec<Value> = [0, 1].map(|number| vec![only(&json!(number)); 5].into()).to_vec();
    let near =
        json!({"norm": "l0", "factors": vec![factor; 5], "missing_costs": vec![Value::Null; 5], "radius": radius});
    let axes: Vec<Value> = (0..2)
        .flat_map(|input| (0..5).map(move |feature| axis(input, feature, &json!([[{"numbers": [input, input]}]]))))
        .collect();
    let header = json!({
        "statement": {"features": features(5), "inputs": inputs, "ties": vec!["free"; 5], "near": near, "goal": "anything"},
        "axes": axes, "unit": "1", "offset": "0", "bundles": [[[]]], "ledgers": ["changes"]});
    let changed = (10..15).flat_map(|selector| [2, selector, 1, 1, 3, 0]);
    let log: Vec<u8> = changed.into_iter().chain([3, 2, 0]).collect();
    refused(stumps(5), header, json!({"claim": "infeasible"}), &log)
}

/// Many dear changes within a large radius, and many cheap ones within one that is too small to be divided.
#[test]
fn changes_that_are_dear_but_allowed() {
    for (factor, radius) in [(json!(1_u64 << 39), json!(1_u64 << 50)), (json!(1e-321), json!(1e-320))] {
        let wrong = all_change(&factor, &radius);
        assert!(wrong.contains("does not cost too much"), "{wrong}");
    }
}

/// A number at the end of what a model accepts, that it rounds to one beyond the end.
#[test]
fn numbers_that_are_rounded_beyond_what_is_accepted() {
    let [below, rounded] = [0.1_f32.next_down(), 0.1_f32].map(f64::from);
    let end = f64::midpoint(below, rounded).next_up();
    let mut tree = stump(0, 0.0, 0.0);
    tree["test"] = json!("one_of");
    tree["sets"] = json!([[rounded]]);
    tree["value"] = json!([0, 1.0, 0.0]);
    let feature = json!({"name": "x0", "kind": "numeric", "accepts": {"between": [-1000, end]}});
    let mut document = document(&[feature], &[tree]);
    document["input"]["precision"] = json!("f32");
    let model = load_bytes(document.to_string().as_bytes(), &LoadOptions::default()).unwrap();
    assert_eq!(model.evaluate(&[end]).unwrap().outputs, [1.0]);
    for low in [-1000.0, 0.0, end] {
        let header = json!({
            "statement": {"features": features(1), "inputs": [[{"numbers": {"ranges": [[low, end]], "missing": false}}]],
                          "goal": {"sums": [[{"terms": [{"model": 0, "input": 0, "output": 0, "negated": false}]}]]}},
            "axes": [axis(0, 0, &json!([[{"numbers": [low, end]}]]))], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let wrong = refused(model.clone(), header, json!({"claim": {"at_most": 0}}), &EVALUATED);
        assert!(wrong.contains("no value exceeds 1"), "{wrong}");
    }
}

/// Sums that are larger than single precision holds move, too.
#[test]
fn outputs_beyond_single_precision() {
    let model = model(&[json!({"name": "x0", "kind": "numeric"})], &[stump(0, 0.0, 1e40)]);
    let header = json!({
        "statement": {"features": features(1), "inputs": [[everything()]], "reference": [-1], "goal": {"moved": {"by": 1e39}}},
        "axes": [], "unit": "1", "offset": "0", "bundles": []});
    refused(model, header, json!({"claim": "never"}), &[]);
}
