//! Proofs of what is not so, written by hand by somebody who knows the checker: each tries one way to leave inputs out.

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod proving;
#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::time::{Duration, Instant};

use proving::check;
use proving::parts::Parts;
use serde_json::{Value, json};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};

/// The records of a log: the only open region is evaluated without weights, and closed by what is known then.
const EVALUATED: [u8; 8] = [1, 0, 0, 0, 0, 0, 3, 0];

fn document(features: &[Value], trees: &[Value]) -> Value {
    json!({
        "treeproof": 1, "source": {"format": "treeproof JSON"}, "features": features,
        "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
        "num_outputs": 1,
        "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
        "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [], "trees": trees,
    })
}

fn model(features: &[Value], trees: &[Value]) -> Ensemble {
    load_bytes(document(features, trees).to_string().as_bytes(), &LoadOptions::default()).unwrap()
}

/// 0 below a threshold of a feature, else so much.
fn stump(feature: u32, threshold: f64, value: f64) -> Value {
    json!({"left": [1, -1, -1], "right": [2, -1, -1], "feature": [feature, -1, -1], "test": "<", "threshold": [threshold, 0, 0],
           "missing_left": [1, 0, 0], "output": 0, "value": [0, 0.0, value]})
}

/// Of so many features; the output is 1 where the first is at least 30, and 2 more where the second is at least 20000.
fn stumps(num_features: usize) -> Ensemble {
    let features: Vec<Value> =
        (0..num_features).map(|feature| json!({"name": format!("x{feature}"), "kind": "numeric"})).collect();
    model(&features, &[stump(0, 30.0, 1.0), stump(1, 20000.0, 2.0)])
}

fn features(count: usize) -> Value {
    let feature =
        |feature: usize| json!({"name": format!("x{feature}"), "readers": [{"model": 0, "feature": feature}]});
    (0..count).map(feature).collect()
}

fn everything() -> Value {
    json!({"numbers": {"ranges": [["-inf", "inf"]], "missing": false}})
}

fn only(number: &Value) -> Value {
    json!({"numbers": {"ranges": [[number, number]], "missing": false}})
}

/// An axis of one feature at one input, all of whose cells are ordered.
fn axis(input: u32, feature: u32, cells: &Value) -> Value {
    let ordered = cells.as_array().unwrap().len();
    json!({"inputs": [input], "features": [feature], "ordered": ordered, "cells": cells})
}

#[track_caller]
fn refused(model: Ensemble, header: Value, conclusion: Value, log: &[u8]) -> String {
    let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
    let parts = Parts { models, header, log: log.to_vec(), conclusion };
    check(&parts.sealed(), &[model]).expect_err("what is not so")
}

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

fn near(norm: &str, count: usize) -> Value {
    json!({"norm": norm, "factors": vec![1; count], "missing_costs": vec![Value::Null; count]})
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
    let log = [&[1, 0, 0, 2, 0, 255, 255, 5, 255, 255, 1, 1, 200, 1, 0, 4, 0, 3, 1, 1][..], &EVALUATED].concat();
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
    let wrong = refused(stumps(2), header, json!({"claim": "infeasible"}), &[1, 3, 3, 0]);
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
    let log: Vec<u8> = [1].into_iter().chain(changed).chain([3, 2, 0]).collect();
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

/// A claim that there is no input, of two numbers under conditions, in one cell each; the log closes all by this refutation.
fn refuted(conditions: &Value, refutation: &[u8]) -> Result<(), String> {
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "conditions": conditions,
                      "goal": {"sums": [[{"terms": [{"model": 0, "input": 0, "output": 0, "negated": false}]}]]}},
        "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
    let log = [&[1, 6], refutation, &[3, 3, 0]].concat();
    let parts = Parts { models, header, log, conclusion: json!({"claim": "infeasible"}) };
    check(&parts.sealed(), &[stumps(2)]).map(|_| ())
}

fn below(first: &str, second: &str, constant: &str) -> Value {
    let term = |feature: u32, coefficient: &str| json!({"coefficient": coefficient, "variable": {"input": 0, "feature": feature}});
    json!({"linear": {"terms": [term(0, first), term(1, second)], "relation": "at_most", "constant": constant}})
}

/// Sums, each by its place and the digit that it is multiplied by, or a minus sign and a digit.
fn sums(rows: &[(u8, &str)]) -> Vec<u8> {
    let row = |(place, times): &(u8, &str)| [&[*place, u8::try_from(times.len()).unwrap()], times.as_bytes()].concat();
    let rows_told: Vec<u8> = rows.iter().flat_map(row).collect();
    [&[1, u8::try_from(rows.len()).unwrap()], &rows_told[..], &[0]].concat()
}

/// Only factors that lead to what cannot be refute; wrong ones, wrong rows and cases that leave something out do not.
#[test]
fn factors_that_do_not_add_up() {
    let contrary = json!([below("1", "-1", "0"), below("-1", "1", "-1")]);
    assert_eq!(refuted(&contrary, &sums(&[(0, "1"), (1, "1")])), Ok(()));
    for rows in [
        &[(0, "1"), (1, "2")][..],
        &[(0, "1")],
        &[(0, "-1"), (1, "-1")],
        &[(0, "1"), (2, "1")],
        &[(0, "0"), (1, "0")],
        &[],
    ] {
        refuted(&contrary, &sums(rows)).expect_err("factors that do not add up");
    }
    // Both hold of something.
    let together = json!([below("1", "-1", "0"), below("-1", "1", "1")]);
    refuted(&together, &sums(&[(0, "1"), (1, "1")])).expect_err("what is not so");
    refuted(&together, &[0]).expect_err("something is left");

    let either = json!([below("1", "-1", "0"), {"any": [below("-1", "1", "-1"), below("-1", "1", "-2")]}]);
    let case = sums(&[(0, "1"), (1, "1")]);
    assert_eq!(refuted(&either, &[&[2, 1, 2], &case[..], &case].concat()), Ok(()));
    refuted(&either, &[&[2, 1, 1], &case[..]].concat()).expect_err("an alternative is left out");
    refuted(&either, &[&[2, 0, 2], &case[..], &case].concat()).expect_err("there are no alternatives");
    refuted(&either, &case).expect_err("an alternative is not demanded");

    // Between two whole numbers there is none, and no number is on neither side of another.
    let between = json!([below("1", "-1", "0"), below("-1", "1", "0"), below("2", "2", "5"), below("-2", "-2", "-3"),
                         {"multiple": {"variable": {"input": 0, "feature": 0}, "step": "1", "negated": false}}]);
    let parted = |number: f64, first: &[u8], second: &[u8]| {
        [&[3, 0, 0], &number.to_bits().to_le_bytes()[..], first, second].concat()
    };
    // 4·x0 is at least 3 and at most 5, as x1 is the same: so x0 is 1.
    let (low, high) = (sums(&[(1, "2"), (3, "1")]), sums(&[(0, "2"), (2, "1")]));
    refuted(&between, &parted(0.0, &low, &high)).expect_err("1 is left");
    let twice = |middle: &[u8]| parted(0.0, &low, &parted(1.0, middle, &high));
    refuted(&between, &twice(&low)).expect_err("1 is left");
    refuted(&between, &parted(f64::NAN, &low, &high)).expect_err("what is no number parts nothing");
    let half = json!([below("1", "-1", "0"), below("-1", "1", "0"), below("2", "2", "3"), below("-2", "-2", "-1"),
                      {"multiple": {"variable": {"input": 0, "feature": 0}, "step": "1", "negated": false}}]);
    assert_eq!(refuted(&half, &parted(0.0, &low, &high)), Ok(()));
    refuted(&half, &parted(-1.0, &low, &high)).expect_err("0 is not on the lower side");
    refuted(&half, &[&[4, 0], &low[..], &low, &high].concat()).expect_err("there is one input");
}

/// What is not there is refused, and does not end the program.
#[test]
fn planes_of_features_that_are_not_there() {
    let mut near = near("l1", 2);
    near["radius"] = 1.into();
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [20, 10000],
                      "near": near, "goal": "anything"},
        "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    for feature in [2, 99] {
        // No rows, and once one plane of the first distance along one feature.
        let log = [1, 6, 1, 0, 1, 0, 1, b'1', 1, feature, 1, b'1', 3, 3, 0];
        let wrong = refused(stumps(2), header.clone(), json!({"claim": "infeasible"}), &log);
        assert!(wrong.contains("no condition excludes"), "{wrong}");
    }
    // A factor of 2⁶⁴ − 1 digits.
    let log = [&[1, 6, 1, 1, 0][..], &[255; 9], &[1]].concat();
    let wrong = refused(stumps(2), header, json!({"claim": "infeasible"}), &log);
    assert!(wrong.contains("too long"), "{wrong}");
}

/// A ball ends where it ends: what touches it is there, and what is beyond it by less than any double can tell is not.
#[test]
fn planes_that_touch_a_ball() {
    let mut near = near("l2", 2);
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    // The first feature is at least this one.
    let mut refuted = |least: &str, radius: u32, times: &[u8], number: &[u8]| {
        near["radius"] = radius.into();
        let header = json!({
            "statement": {"features": features(2), "inputs": [[everything(), everything()]], "reference": [0, 0],
                          "conditions": [below("-1", "0", &format!("-{least}"))], "near": near, "goal": "anything"},
            "axes": [axis(0, 0, &cells), axis(0, 1, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
        let text = |text: &[u8]| [&[u8::try_from(text.len()).unwrap()], text].concat();
        // The condition so often, and a plane of the distance along the first feature as often.
        let log =
            [&[1, 6, 1, 1, 0][..], &text(times), &[1, 0], &text(times), &[1, 0], &text(number), &[3, 3, 0]].concat();
        let parts = Parts { models, header, log, conclusion: json!({"claim": "infeasible"}) };
        check(&parts.sealed(), &[stumps(2)]).map(|_| ())
    };
    let (bit, beyond) = ("1p-2000", "1000000000000000000000000000001/1000000000000000000000000000000");
    assert_eq!(refuted(beyond, 1, b"1", b"1"), Ok(()));
    assert_eq!(refuted(beyond, 1, b"1/3", b"1"), Ok(()));
    // Within a radius of 0 nothing moves, however little.
    assert_eq!(refuted(bit, 0, b"1", b"1"), Ok(()));
    for (least, radius, times, number) in [
        ("1", 1, &b"1"[..], &b"1"[..]),
        ("0", 0, b"1", b"1"),
        (beyond, 1, b"0", b"1"),
        (beyond, 1, b"-1", b"1"),
        ("1/2", 1, b"1", b"1/9"),
        ("1/2", 1, b"1", b"9"),
    ] {
        refuted(least, radius, times, number).expect_err("this is no reason");
    }
}

/// Numbers with so many digits that adding them up would take hours.
#[test]
fn sums_that_are_too_long() {
    // Both cannot hold, whatever they are multiplied by, as long as it is the same.
    let contrary = json!([below("1", "-1", "0"), below("-1", "1", "-1"), {"any": vec![below("1", "1", "1"); 60]}]);
    let length = |length: usize| [(length % 128 + 128) as u8, (length / 128) as u8];
    // No two of these have the same divisor, so what they add up to gets longer and longer.
    let rows = |count: usize, digits: usize| {
        let row = |number: usize| {
            let text = format!("1/{}{:04}7", "9".repeat(digits - 7), number / 2);
            [&[u8::from(number % 2 == 1)][..], &length(text.len()), text.as_bytes()].concat()
        };
        let rows: Vec<u8> = (0..count).flat_map(row).collect();
        [&[1][..], &length(count), &rows, &[0]].concat()
    };
    let start = Instant::now();
    for (count, digits) in [(2000, 4990), (1, 4990), (50, 100)] {
        let wrong = refuted(&contrary, &rows(count, digits)).unwrap_err();
        assert!(wrong.contains("a sum of numbers that are too long"), "{wrong}");
    }
    // Each is not too long by itself.
    let long = rows(40, 100);
    let cases = |count: usize| {
        let cases: Vec<u8> = long.iter().copied().cycle().take(count * long.len()).collect();
        [&[2, 2][..], &length(count), &cases].concat()
    };
    let wrong = refuted(&contrary, &cases(100)).unwrap_err();
    assert!(wrong.contains("too many sums of numbers that are too long"), "{wrong}");
    assert!(start.elapsed() < Duration::from_secs(5), "{:?}", start.elapsed());
    // As many as there may be do add up.
    let start = Instant::now();
    assert_eq!(refuted(&contrary, &cases(60)), Ok(()));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

/// Of two inputs no distance is asked for, whatever is claimed: there are no axes that say what changes.
#[test]
fn two_inputs_that_are_not_nearer() {
    let cells = json!([[{"numbers": ["-inf", "inf"]}]]);
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()], [everything(), everything()]],
                      "ties": ["free", "free"], "near": near("l0", 2), "goal": "anything"},
        "axes": [axis(0, 0, &cells), axis(1, 0, &cells)], "unit": "1", "offset": "0", "bundles": [[[]]]});
    let wrong = refused(stumps(2), header, json!({"claim": {"not_nearer": 3}}), &[1, 3, 3, 0]);
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
    let parts = Parts { models, header, log: vec![1, 3, 0], conclusion: json!({"claim": "infeasible"}) };
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

/// More cells than any model tells apart.
#[test]
fn cells_without_end() {
    let cells: Vec<Value> = vec![json!([]); (1 << 22) + 1];
    let header = json!({
        "statement": {"features": features(2), "inputs": [[everything(), everything()]], "goal": "anything"},
        "axes": [{"inputs": [0], "features": [0], "ordered": 0, "cells": cells}], "unit": "1", "offset": "0",
        "bundles": [[[]]]});
    let wrong = refused(stumps(2), header, json!({"claim": "nothing"}), &[]);
    assert!(wrong.contains("too many cells"), "{wrong}");
}

/// What is said in few bytes, and would take hours or all memory.
#[test]
fn looking_without_end() {
    let trees: Vec<Value> = (0..2000).map(|tree| stump(0, f64::from(tree), 1.0)).collect();
    let model = model(&[json!({"name": "x0", "kind": "numeric"})], &trees);
    let sums = |count: usize| json!({"sums": vec![json!([{"terms": [{"model": 0, "input": 0, "output": 0, "negated": false}]}]); count]});
    let cells = |input: u32, count: usize| {
        let cells: Vec<Value> =
            [json!([{"numbers": ["-inf", "inf"]}])].into_iter().chain(vec![json!([]); count]).collect();
        json!({"inputs": [input], "features": [0], "ordered": 1, "cells": cells})
    };
    let header = |goal: Value, axes: Vec<Value>, bundles: Value| {
        json!({"statement": {"features": features(1), "inputs": [[everything()]], "goal": goal}, "axes": axes,
               "unit": "1", "offset": "0", "bundles": bundles})
    };
    let two = |tie: &str, axes: Vec<Value>, bundles: Value| {
        let mut header = header(sums(1), axes, bundles);
        header["statement"]["inputs"] = json!([[everything()], [everything()]]);
        header["statement"]["ties"] = json!([tie]);
        header
    };
    let mut pairs = two("free", vec![cells(0, 1 << 15), cells(1, 1 << 15)], json!([[[]]]));
    pairs["statement"]["near"] = json!({"norm": "l1", "factors": [1], "missing_costs": [null], "radius": 1});
    let mut costs = header(sums(1), vec![cells(0, 1 << 16)], json!([[[]]]));
    costs["ledgers"] = json!(vec![json!({"at_most": 0}); 1 << 13]);
    let mut steps = header(sums(1), vec![], json!([[[]]]));
    steps["statement"]["inputs"][0][0]["numbers"]["steps"] = json!(vec!["1"; 17]);
    let mut digits = header(sums(1), vec![], json!([[[]]]));
    let term =
        |number: usize| json!({"coefficient": format!("1/1{number:04000}"), "variable": {"input": 0, "feature": 0}});
    let terms: Vec<Value> = (0..9).map(term).collect();
    digits["statement"]["conditions"] = json!([{"linear": {"terms": terms, "relation": "at_most", "constant": "0"}}]);
    let listed = json!({"claim": {"at_most": 0}, "listed": vec![json!({"output": "0"}); 1 << 17]});
    let nothing = json!({"claim": "nothing"});
    let cases = [
        ("cells of all splits", header(sums(1), vec![cells(0, 1 << 21)], json!([[[]]])), &nothing),
        ("sums", header(sums(30_000), vec![cells(0, 64)], json!(vec![[[0; 0]]; 30_000])), &nothing),
        ("boxes", header(sums(1), vec![], json!([[vec![json!({"missed": []}); 1 << 17]]])), &nothing),
        (
            "orders",
            two("not_below", vec![cells(0, 1 << 16), cells(1, 1 << 16)], json!([[[{"in_order": 0}]]])),
            &nothing,
        ),
        ("pairs", pairs, &nothing),
        ("costs", costs, &nothing),
        ("steps", steps, &nothing),
        ("digits", digits, &nothing),
        ("a list", header(sums(1), vec![], json!([[[]]])), &listed),
    ];
    for (what, header, conclusion) in cases {
        let start = Instant::now();
        let wrong = refused(model.clone(), header, conclusion.clone(), &[]);
        let is_said = ["too long", "too many cells", "too much"].iter().any(|too| wrong.contains(too));
        assert!(is_said, "{what}: {wrong}");
        assert!(start.elapsed() < Duration::from_secs(20), "{what}: {:?}", start.elapsed());
    }
}

/// What is so of one sum is not told of another.
#[test]
fn words_say_what_is_summed() {
    let said = |terms: Value, constant: &str, claim: Value| {
        let header = json!({
            "statement": {"features": features(2), "inputs": [[everything(), everything()]],
                          "goal": {"sums": [[{"terms": terms, "constant": constant}]]}},
            "axes": [], "unit": "1", "offset": "0", "bundles": [[[]]]});
        let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
        let parts = Parts { models, header, log: EVALUATED.to_vec(), conclusion: json!({"claim": claim}) };
        check(&parts.sealed(), &[stumps(2)]).unwrap()[0].to_string()
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
        check(&parts.sealed(), &[stumps(2), stumps(2)]).unwrap()[0].lines()
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

/// Whether a claim is accepted.
fn accepted(model: Ensemble, header: &Value, claim: Value, log: &[u8]) -> Result<(), String> {
    let models = json!({"question": "forged", "models": [{"name": "model", "sha256": ""}]});
    let parts = Parts { models, header: header.clone(), log: log.to_vec(), conclusion: json!({"claim": claim}) };
    check(&parts.sealed(), &[model]).map(|_| ())
}

/// Of a group without an axis any column may be the 1 that its domain allows, and no other.
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
    let log = [1, 2, 0, 0, 1, 2, 0, 0, 0, 0, 0, 0, 3, 0];
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

/// Where no two inputs can be in order there are none; else there are.
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
        let found = accepted(stumps(2), &header, json!("infeasible"), &[1, 3, 2, 0]);
        assert_eq!(found.is_ok(), is_empty, "{header}: {found:?}");
    }
}
