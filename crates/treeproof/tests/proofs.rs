//! What searches write as proofs, of random small models and questions: the checker accepts it, as what the report says.
//!
//! `TREEPROOF_PROBLEMS` sets how many, `TREEPROOF_SEED` the random numbers.

#![expect(clippy::print_stdout, reason = "what was tried, for whoever asks to see it")]

#[expect(dead_code, reason = "the other tests use the rest")]
mod pairs;
#[expect(dead_code, reason = "the other tests use the rest")]
mod proving;
#[expect(dead_code, reason = "the other tests use the rest")]
mod relations;
#[expect(dead_code, reason = "the other tests use the rest")]
mod support;

use std::collections::BTreeMap;
use std::sync::Arc;

use proving::near::{random_jump, random_nearest};
use proving::{Unproved, check, prove, random_question, stated};
use serde_json::json;
use support::{Random, setting};
use treeproof::internals::{Conditions, Metric, NearestRequest, RowGoal};
use treeproof::report::Finding;
use treeproof::task::{Question, Task, TaskLimits};
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_ensemble::norm::Norm;
use treeproof_language::Groups;
use treeproof_proof::conclusion::Claim;

#[test]
fn every_proof_of_questions_is_accepted_as_what_the_report_says() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 3000));
    let mut proved: BTreeMap<&str, u64> = BTreeMap::new();
    let (mut refused, mut empty, mut early, mut exact, mut claims) = (0, 0, 0, 0, 0);
    let (mut listed, mut unproved) = (0, vec![]);
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x2127_599B_F432_5C37));
        let asked = match random_question(&mut random) {
            Ok(asked) => asked,
            Err(Unproved::Refused(_)) => {
                refused += 1;
                continue;
            }
            Err(Unproved::Empty) => {
                empty += 1;
                continue;
            }
        };
        let context = format!("seed {seed}: {}", asked.name);
        let sections = match check(&asked.proof, &asked.models) {
            Ok(sections) => sections,
            Err(wrong) => {
                println!("not accepted: {context}: {wrong}\n{}", stated(&asked.proof));
                unproved.push(context);
                continue;
            }
        };
        *proved.entry(asked.name).or_default() += 1;
        early += u64::from(asked.is_early);
        for (section, upper) in sections.iter().zip(&asked.uppers) {
            claims += 1;
            match &section.conclusion.claim {
                Claim::AtMost(most) if asked.name == "enumerate" => {
                    assert!(Some(most.0 + 0.0) <= *upper, "{context}: {most:?} {upper:?}");
                    listed += section.conclusion.listed.len();
                }
                Claim::AtMost(most) => {
                    assert_eq!(most.0, upper.unwrap_or(f64::INFINITY), "{context}");
                    exact += u64::from(most.0.is_finite());
                }
                Claim::Nothing | Claim::Reached => {}
                Claim::Never => assert!(upper.is_none_or(|upper| upper < 0.0), "{context}: {upper:?}"),
                other => panic!("{context}: {other:?}"),
            }
        }
        assert!(sections.len() >= asked.uppers.len(), "{context}");
        if asked.uppers.is_empty() {
            let is_infeasible = |claim: &Claim| *claim == Claim::Infeasible;
            assert!(sections.iter().any(|section| is_infeasible(&section.conclusion.claim)), "{context}");
        }
    }
    let total: u64 = proved.values().sum();
    println!(
        "proofs of random questions: {total} accepted, {} not accepted; {early} of searches that may end early",
        unproved.len()
    );
    println!(
        "{proved:?}, {exact} of {claims} claims are finite, {refused} questions refused, {empty} about nothing, {listed} regions listed"
    );
    assert!(unproved.is_empty(), "not accepted: {unproved:?}");
    assert!(total * 2 > problems && proved.len() == 10 && early * 8 > total && exact * 2 > claims, "{proved:?}");
}

#[test]
fn every_proof_about_distances_is_accepted() {
    let (first, problems) = (setting("TREEPROOF_SEED", 1), setting("TREEPROOF_PROBLEMS", 500));
    let (mut proved, mut unproved, mut refused, mut answers) = ([0; 2], vec![], 0, BTreeMap::new());
    for seed in first..first + problems {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let context = format!("seed {seed}");
        if seed % 2 == 0 {
            match random_nearest(&mut random, &context) {
                Ok(Ok(answer)) => {
                    proved[0] += 1;
                    *answers.entry(format!("{:?}", answer.verdict)).or_insert(0) += 1;
                }
                Ok(Err(wrong)) => {
                    println!("not accepted: {context}, nearest: {wrong}");
                    unproved.push(context);
                }
                Err(_) => refused += 1,
            }
            continue;
        }
        match random_jump(&mut random).map(|asked| (check(&asked.proof, &asked.models), asked)) {
            Ok((Ok(_), _)) => proved[1] += 1,
            Ok((Err(wrong), asked)) => {
                println!("not accepted: {context}, stable: {wrong}\n{}", stated(&asked.proof));
                unproved.push(context);
            }
            Err(_) => refused += 1,
        }
    }
    let total = proved[0] + proved[1];
    println!("proofs about distances: {total} accepted, {} not accepted; {refused} questions refused", unproved.len());
    println!("{proved:?}: {answers:?}");
    assert!(unproved.is_empty(), "not accepted: {unproved:?}");
    assert!(proved.iter().all(|proved| proved * 4 > problems), "{proved:?} of {problems}");
}

/// "Not a multiple" holds for what is infinite: it is there, and a multiple of nothing.
#[test]
fn what_is_infinite_is_no_multiple() {
    let document = json!({
        "treeproof": 1, "source": {"format": "treeproof JSON"},
        "features": [{"name": "x", "kind": "numeric"}, {"name": "y", "kind": "numeric"}],
        "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
        "num_outputs": 1,
        "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
        "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
        "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                   "threshold": ["inf", 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 1.0, 5.0]}],
    });
    let model = load_bytes(document.to_string().as_bytes(), &LoadOptions::default()).unwrap();
    // Without data, numbers are finite.
    for (conditions, most) in [
        (&["not integer(x)", "-5 <= x <= 5"][..], Some(1.0)),
        (&["integer(x)"], Some(1.0)),
        (&["not integer(x)", "step(x, 0.5)", "-9 <= x <= 9", "x + y <= 3"], Some(1.0)),
        (&["not integer(x)", "step(x, 0.5)", "0 <= x <= 1", "0.6 <= x + y <= 1.4", "-1 <= y <= 1", "step(y, 1)"], None),
    ] {
        let mut task = Task::new(Question::Max);
        task.conditions = conditions.iter().map(|text| (*text).to_owned()).collect();
        let (report, proof) = prove(true, |watcher| task.clone().about(&model).run_with(watcher));
        match (report.unwrap().finding, most) {
            (Finding::Max(answer), Some(most)) => {
                assert_eq!((answer.lower, answer.upper), (Some(most), Some(most)), "{conditions:?}");
            }
            (Finding::Infeasible(_), None) => {}
            (other, _) => panic!("{conditions:?}: {other:?}"),
        }
        check(&proof, std::slice::from_ref(&model)).unwrap_or_else(|wrong| panic!("{conditions:?}: {wrong}"));
    }
    // A row may have an infinite value, which it may keep.
    for (condition, upper) in [("not integer(x)", Some(0.0)), ("not step(x, 0.5)", Some(0.0)), ("integer(x)", None)] {
        let asked = NearestRequest {
            ensemble: Arc::new(model.clone()),
            metric: Metric::new(Norm::L0, &model, &Groups::NONE),
            goal: RowGoal::Above(4.0),
            threshold: None,
            conditions: Conditions::new(&model, &Groups::NONE, &[condition.to_owned()], None, None).unwrap().unwrap(),
            within: None,
            count: 1,
            bisection: None,
            limits: TaskLimits::default(),
        };
        let (answer, proof) = prove(true, |watcher| asked.ask(&[f64::INFINITY, 0.0], watcher));
        assert_eq!(answer.unwrap().upper, upper, "{condition}");
        check(&proof, std::slice::from_ref(&model)).unwrap_or_else(|wrong| panic!("{condition}: {wrong}"));
    }
}

/// Distances along one feature may be far larger than along all others, as of an income beside an age.
#[test]
fn one_feature_may_cost_nearly_all() {
    const FEATURES: usize = 12;
    let stump = |feature: usize, threshold: f64, value: f64| {
        json!({"left": [1, -1, -1], "right": [2, -1, -1], "feature": [feature, -1, -1], "test": "<",
               "threshold": [threshold, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0.0, value]})
    };
    let mut trees: Vec<_> = (1..FEATURES).map(|feature| stump(feature, 1.0, 0.125)).collect();
    trees.push(stump(0, 15_176.125, 5.0));
    let document = json!({
        "treeproof": 1, "source": {"format": "treeproof JSON"},
        "features": (0..FEATURES).map(|of| json!({"name": format!("x{of}"), "kind": "numeric"})).collect::<Vec<_>>(),
        "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
        "num_outputs": 1,
        "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
        "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [], "trees": trees,
    });
    let model = load_bytes(document.to_string().as_bytes(), &LoadOptions::default()).unwrap();
    for (norm, within) in [(Norm::L1, None), (Norm::L2, None), (Norm::L1, Some(15_176.0)), (Norm::L2, Some(15_176.0))] {
        let asked = NearestRequest {
            ensemble: Arc::new(model.clone()),
            metric: Metric::new(norm, &model, &Groups::NONE),
            goal: RowGoal::Above(4.0),
            threshold: None,
            conditions: Conditions::new(&model, &Groups::NONE, &[], None, None).unwrap().unwrap(),
            within,
            count: 1,
            bisection: None,
            limits: TaskLimits::default(),
        };
        let (answer, proof) = prove(true, |watcher| asked.ask(&[0.0; FEATURES], watcher));
        assert_eq!(answer.unwrap().upper, within.is_none().then_some(15_176.125), "{norm:?} {within:?}");
        check(&proof, std::slice::from_ref(&model)).unwrap_or_else(|wrong| panic!("{norm:?} {within:?}: {wrong}"));
    }
}
