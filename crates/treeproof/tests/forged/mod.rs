//! Forged proofs, and the helpers that write them.

mod accepted;
mod distances;
mod effort;
mod extremes;
mod refutations;
mod words;

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};

use crate::proving::check;
use crate::proving::parts::Parts;

/// The records of a log: the only open region is evaluated without weights, and closed by what is known then.
const EVALUATED: [u8; 7] = [0, 0, 0, 0, 0, 3, 0];

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

/// A model of a number of features; the output is 1 where the first is at least 30, and 2 more where the second is at least 20000.
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

fn near(norm: &str, count: usize) -> Value {
    json!({"norm": norm, "factors": vec![1; count], "missing_costs": vec![Value::Null; count]})
}

/// Sums, each by its place and the digit that it is multiplied by, or a minus sign and a digit.
fn sums(rows: &[(u8, &str)]) -> Vec<u8> {
    let row = |(place, times): &(u8, &str)| [&[*place, u8::try_from(times.len()).unwrap()], times.as_bytes()].concat();
    let rows_told: Vec<u8> = rows.iter().flat_map(row).collect();
    [&[1, u8::try_from(rows.len()).unwrap()], &rows_told[..], &[0]].concat()
}
