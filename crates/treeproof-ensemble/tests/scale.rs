//! Sizes at which other tools break: ranks beyond 16 bits, thousands of leaves per tree, many features, many trees.
//! Expected values come from formulas, not from the code under test.

use std::fmt::Write;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_ensemble::predict::Predictor;
use treeproof_ensemble::tree::Test;

/// An XGBoost model of stumps: tree i tests feature `feature(i)` against `threshold(i)` and adds 0 or 1.
fn stumps(
    count: usize,
    num_features: usize,
    feature: impl Fn(usize) -> usize,
    threshold: impl Fn(usize) -> f32,
) -> Ensemble {
    let mut trees = String::new();
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        let (feature, threshold) = (feature(index), threshold(index));
        write!(
            trees,
            r#"{comma}{{"id":{index},"tree_param":{{"num_nodes":"3"}},"left_children":[1,-1,-1],"right_children":[2,-1,-1],"split_indices":[{feature},0,0],"split_conditions":[{threshold},0,1],"default_left":[1,0,0]}}"#
        )
        .unwrap();
    }
    let info = vec!["0"; count].join(",");
    let json = format!(
        r#"{{"learner":{{"learner_model_param":{{"base_score":"0E0","num_class":"0","num_feature":"{num_features}"}},"objective":{{"name":"reg:squarederror"}},"gradient_booster":{{"name":"gbtree","model":{{"trees":[{trees}],"tree_info":[{info}]}}}}}},"version":[3,2,0]}}"#
    );
    load_bytes(json.as_bytes(), &LoadOptions::default()).unwrap()
}

fn margin(ensemble: &Ensemble, row: &[f64]) -> f64 {
    let fast = Predictor::new(ensemble).predict(row).unwrap().margins[0];
    let plain = ensemble.evaluate(row).unwrap().margins[0].library;
    assert_eq!(fast.to_bits(), plain.to_bits());
    fast
}

#[test]
fn more_thresholds_than_sixteen_bits_can_rank() {
    const COUNT: usize = 70_000;
    let ensemble = stumps(COUNT, 1, |_| 0, |index| index as f32 + 0.5);
    let mut thresholds: Vec<u64> = Vec::new();
    for tree in ensemble.trees() {
        let Test::Below(threshold) = tree.splits()[0].test else { panic!("a stump tests an order") };
        thresholds.push(threshold.to_bits());
    }
    thresholds.sort_unstable();
    thresholds.dedup();
    assert_eq!(thresholds.len(), COUNT);
    for x in [-1.0, 0.0, 1.0, 65_535.0, 65_536.0, 65_537.0, 69_999.0, 1e9] {
        // Each threshold at or below x adds one.
        let expected = (x + 0.5_f64).floor().clamp(0.0, COUNT as f64);
        assert_eq!(margin(&ensemble, &[x]), expected, "at {x}");
    }
    assert_eq!(margin(&ensemble, &[f64::NAN]), 0.0);
}

#[test]
fn ten_thousand_trees() {
    let ensemble = stumps(10_000, 7, |index| index % 7, |_| 0.5);
    assert_eq!(margin(&ensemble, &[1.0; 7]), 10_000.0);
    assert_eq!(margin(&ensemble, &[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]), 1429.0);
}

#[test]
fn five_thousand_features() {
    let ensemble = stumps(5_000, 5_000, |index| index, |_| 0.5);
    let mut row = vec![0.0; 5_000];
    assert_eq!(margin(&ensemble, &row), 0.0);
    row[4_999] = 1.0;
    row[0] = 1.0;
    assert_eq!(margin(&ensemble, &row), 2.0);
}

/// A balanced search tree over the whole numbers below `leaves`: the leaf of x has the value x.
fn large_tree(leaves: usize) -> String {
    let inner = leaves - 1;
    let (mut left, mut right, mut feature) = (vec![-1_i64; inner], vec![-1_i64; inner], vec![0_i64; inner]);
    let mut threshold = vec![0.0; inner];
    let mut next = 1;
    let mut pending = vec![(0_usize, 0_usize, leaves)];
    while let Some((node, from, to)) = pending.pop() {
        let middle = (from + to) / 2;
        threshold[node] = middle as f64;
        for (child, from, to) in [(&mut left[node], from, middle), (&mut right[node], middle, to)] {
            if to - from == 1 {
                *child = (inner + from) as i64;
            } else {
                *child = next as i64;
                pending.push((next, from, to));
                next += 1;
            }
        }
    }
    left.resize(2 * leaves - 1, -1);
    right.resize(2 * leaves - 1, -1);
    feature.resize(2 * leaves - 1, -1);
    threshold.resize(2 * leaves - 1, 0.0);
    let value: Vec<usize> = vec![0; inner].into_iter().chain(0..leaves).collect();
    let missing = vec![0; 2 * leaves - 1];
    format!(
        r#"{{"left":{left:?},"right":{right:?},"feature":{feature:?},"test":"<","threshold":{threshold:?},"missing_left":{missing:?},"value":{value:?}}}"#
    )
}

#[test]
fn forests_with_thousands_of_leaves_per_tree() {
    const LEAVES: usize = 20_000;
    const TREES: usize = 20;
    let trees = vec![large_tree(LEAVES); TREES].join(",");
    let json = format!(
        r#"{{"treeproof":1,"source":{{"format":"scikit-learn"}},"features":[{{"name":"x","kind":"numeric"}}],"input":{{"precision":"f32","accepts_missing":true,"accepts_infinite":false,"absent":"zero"}},"num_outputs":1,"aggregate":{{"rule":"sum","precision":"f64","base":[0.0],"base_position":"first","divisor":{TREES}.0,"fixed_order":false}},"link":{{"function":"identity"}},"label":{{"rule":"none"}},"classes":[],"trees":[{trees}]}}"#
    );
    let ensemble = load_bytes(json.as_bytes(), &LoadOptions::default()).unwrap();
    assert_eq!(ensemble.trees()[0].leaves().len(), LEAVES);
    for x in [0.0, 0.5, 1.0, 9_999.0, 10_000.0, 19_998.5, 19_999.0] {
        assert_eq!(margin(&ensemble, &[x]), x.floor(), "at {x}");
    }
}
