//! Small proofs that ask for endless work.

use super::*;

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

/// A few bytes that would take hours or all memory.
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
