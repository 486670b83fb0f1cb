//! `stable` and `dominant`: answers as snapshots, numbers that can be added up by hand, and what is refused.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::comparisons::with_loans;
use crate::questions::{json, masked};
use crate::sandbox::Sandbox;

fn with_people() -> Sandbox {
    let sandbox = with_loans();
    sandbox.write("people.csv", "age,income,status\n50,3,A92\n30,5,A93\n");
    sandbox
}

#[test]
fn answers_for_people() {
    let sandbox = with_people();
    let run = |code: i32, args: &[&str]| {
        let outcome = sandbox.run(args);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(code), ""), "{args:?}");
        masked(&outcome.stdout)
    };
    assert_snapshot!("stable", run(0, &["stable", "loans.json", "--radius", "0.5"]));
    assert_snapshot!("stable_beyond", run(1, &["stable", "loans.json", "--radius", "0.5", "--within", "3"]));
    assert_snapshot!("stable_within", run(0, &["stable", "loans.json", "--radius", "0.5", "--within", "3.75"]));
    let given = ["dominant", "loans.json", "--given", "income=5", "--vary", "*"];
    let with = |more: &[&'static str]| [&given[..], more].concat();
    assert_snapshot!("dominant", run(0, &with(&["--at-most", "2"])));
    assert_snapshot!("dominant_none", run(0, &with(&["--decrease"])));
    assert_snapshot!("dominant_each", run(0, &with(&["--each"])));
    assert_snapshot!("print_task", run(0, &with(&["--at-most", "2", "--memory", "1GiB", "--print-task"])));
}

/// How far the margin jumps or moves, and the answer.
fn moved(sandbox: &Sandbox, args: &[&str]) -> (Value, Value) {
    let (answer, code) = json(sandbox, args);
    assert_eq!((code, &answer["verdict"]), (Some(0), &json!("optimal")), "{args:?}: {answer}");
    assert_eq!(answer["lower"], answer["upper"], "{args:?}: {answer}");
    (answer["lower"].clone(), answer)
}

#[test]
fn jumps_can_be_added_up_by_hand() {
    let sandbox = with_people();
    let jump = |more: &[&str]| moved(&sandbox, &[&["stable", "loans.json"], more].concat());
    // Over 40 years and under an income of 4: 3 and 0.75.
    for norm in ["linf", "l1", "l2"] {
        assert_eq!(jump(&["--norm", norm, "--radius", "0.1"]).0, json!(3.75), "{norm}");
    }
    assert_eq!(jump(&["--radius", "0.1", "--category-cost", "0.1"]).0, json!(4.75), "another status adds 1");
    assert_eq!(jump(&["--radius", "0.1", "--weights", "age=0,income=9"]).0, json!(3.75));
    let (largest, answer) = jump(&["--norm", "l0", "--radius", "1"]);
    assert_eq!((largest, &answer["question"]), (json!(3.0), &json!("stable")));
    assert_eq!(jump(&["--norm", "l0", "--radius", "2"]).0, json!(4.0), "age and status");
    assert_eq!(jump(&["--radius", "0.5", "--where", "a.age < 30"]).0, json!(0.75));
    let (largest, answer) = jump(&["--radius", "0.5", "--scale", "std:people.csv", "--where", "income > 5"]);
    assert_eq!(largest, json!(3.0));
    let ages = ["a", "b"].map(|side| answer["witness"][side]["age"].as_f64().unwrap());
    assert!((ages[0] - ages[1]).abs() <= 0.5 * 10.0, "half of the standard deviation: {ages:?}");
    // Only numbers have a standard deviation: that of the codes of `status` in the data is 0.5.
    let scaled = ["--radius", "0.1", "--scale", "std:people.csv", "--where", "a.age >= 40 and b.age >= 40"];
    let costing =
        |cost: &'static str| jump(&[&scaled[..], &["--where", "income > 5", "--category-cost", cost]].concat());
    assert_eq!([costing("0.09").0, costing("0.11").0], [json!(1.0), json!(0.0)]);
}

#[test]
fn dominant_attributes_can_be_added_up_by_hand() {
    let sandbox = with_people();
    let ask = |more: &[&str]| moved(&sandbox, &[&["dominant", "loans.json"], more].concat());
    let (rises, answer) = ask(&["--given", "income=5", "--vary", "*", "--at-most", "2"]);
    assert_eq!(rises, json!(4.0));
    assert_eq!((&answer["witness"]["a"]["age"], &answer["witness"]["a"]["income"]), (&json!(0.0), &json!(5.0)));
    let changes: Vec<(&Value, &Value)> =
        answer["changes"].as_array().unwrap().iter().map(|change| (&change["attribute"], &change["effect"])).collect();
    assert_eq!(changes, [(&json!("age"), &json!(3.0)), (&json!("status"), &json!(1.0))]);
    let (falls, answer) = ask(&["--baseline", "people.csv:0", "--vary", "age,status", "--decrease"]);
    assert_eq!((falls, &answer["changes"][0]["effect"]), (json!(3.0), &json!(-3.0)));
    assert_eq!(ask(&["--baseline", "people.csv:1", "--vary", "age", "--where", "age < 40"]).0, json!(0.0));
    // A row in words: all that is not named is 0, and what is named may change, unless it is given.
    let told = |answer: &Value| ["lower", "witness", "changes"].map(|field| answer[field].clone());
    let falling = |baseline: &str| ask(&["--baseline", baseline, "--vary", "*", "--decrease", "--at-most", "3"]).1;
    assert_eq!(told(&falling("age=50, income=3,status=A92")), told(&falling("people.csv:0")));
    assert_eq!(told(&falling("income=5")), told(&falling("income=5,age=0")));
    assert_eq!(falling("income=5")["witness"]["a"]["income"], json!(5.0));
    assert_ne!(falling("age=50")["lower"], falling("age=0")["lower"]);
    // Of any two inputs.
    assert_eq!(ask(&["--where", "income > 5", "--vary", "*"]).0, json!(3.0));
    assert_eq!(ask(&["--where", "income > 5", "--vary", "st*", "--at-most", "3"]).0, json!(1.0));
    let (ranking, _) = json(&sandbox, &["dominant", "loans.json", "--given", "income=5", "--vary", "*", "--each"]);
    let ranked: Vec<(&Value, &Value)> =
        ranking["attributes"].as_array().unwrap().iter().map(|one| (&one["attribute"], &one["lower"])).collect();
    assert_eq!(ranked, [(&json!("age"), &json!(3.0)), (&json!("status"), &json!(1.0))]);
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let sandbox = with_people();
    let refusal = |more: &[&str]| {
        let outcome = sandbox.run([&["dominant", "loans.json"], more].concat());
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{more:?}");
        outcome.stderr
    };
    let given = |text| refusal(&["--given", text, "--vary", "*"]);
    assert_eq!(given("agee=1"), "treeproof: --given: the model has no feature `agee`; did you mean `age`?\n");
    assert_eq!(given("age"), "treeproof: --given: `age` is not of the form `name=value`, as in `live=1`\n");
    assert!(given("status=A99").starts_with("treeproof: --given: `status=A99`: "), "{}", given("status=A99"));
    assert_eq!(given("age=old"), "treeproof: --given: `age=old`: `old` is not a number\n");
    for half in ["age=", "=3", "="] {
        let expected = format!("treeproof: --given: `{half}` is not of the form `name=value`, as in `live=1`\n");
        assert_eq!(given(half), expected);
    }
    assert_eq!(given("age=1,age=2"), "treeproof: --given: `age` is given twice\n");
    assert_eq!(
        refusal(&["--given", "age=1", "--vary", "age"]),
        "treeproof: --vary: all of these are given, so that none can change\n"
    );
    assert_eq!(
        refusal(&["--given", "age=1", "--vary", "word_*"]),
        "treeproof: --vary: the model has no feature like `word_*`; it has `age`, `income`, `status`\n"
    );
    assert_eq!(
        refusal(&["--given", "age=1", "--vary", "*", "--at-most", "0"]),
        "treeproof: --at-most must be at least 1: nothing moves where nothing changes\n"
    );
    assert_eq!(
        refusal(&["--baseline", "people.csv", "--vary", "*"]),
        "treeproof: --baseline: `people.csv` is neither a row, such as people.csv:17 (counted from 0), nor values, such as \
         age=30,income=4\n"
    );
    assert_eq!(
        refusal(&["--baseline", "age=1,agee=1", "--vary", "*"]),
        "treeproof: --baseline: the model has no feature `agee`; did you mean `age`?\n"
    );
    assert_eq!(
        refusal(&["--baseline", "age=1,income", "--vary", "*"]),
        "treeproof: --baseline: `income` is not of the form `name=value`, as in `live=1`\n"
    );
    assert_eq!(
        refusal(&["--baseline", "people.csv:2", "--vary", "*"]),
        "treeproof: --baseline: there is no row 2: the data has 2, counted from 0\n"
    );
    let outcome = sandbox.run(["stable", "loans.json", "--radius", "-1"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(2), "treeproof: --radius must be a number from 0 on\n"));
}

#[test]
fn nothing_that_meets_the_conditions_is_no_answer() {
    let sandbox = with_people();
    let code = |args: &[&str]| sandbox.run(args).code;
    assert_eq!(
        code(&["stable", "loans.json", "--radius", "1", "--where", "a.age < 3", "--where", "b.age > 5"]),
        Some(4)
    );
    assert_eq!(
        code(&["dominant", "loans.json", "--given", "age=1", "--vary", "income", "--where", "age > 5"]),
        Some(4)
    );
}
