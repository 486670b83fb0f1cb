//! `--group`: one-hot columns that are one feature, in every question, and the hint where nobody declared them.

use serde_json::json;

use crate::questions::json;
use crate::sandbox::{Outcome, Sandbox};

/// 1 for those of 40 and more, plus 2, 4 or 8 by the job, minus 4.5.
fn sandbox() -> Sandbox {
    let tree = |feature: usize, threshold: f64, value: f64| {
        format!(
            r#"{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [{feature}, -1, -1], "test": "<",
            "threshold": [{threshold}, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, {value}]}}"#
        )
    };
    let names = ["age", "job_cook", "job_judge", "job_nurse"];
    let names = names.map(|name| format!(r#"{{"name": "{name}", "kind": "numeric"}}"#));
    let trees = [tree(0, 40.0, 1.0), tree(1, 0.5, 2.0), tree(2, 0.5, 4.0), tree(3, 0.5, 8.0)];
    let sandbox = Sandbox::new();
    let model = format!(
        r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}}, "features": [{}],
        "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
        "num_outputs": 1,
        "aggregate": {{"rule": "sum", "precision": "f64", "base": [-4.5], "base_position": "first", "fixed_order": true}},
        "link": {{"function": "identity"}}, "label": {{"rule": "margin_above", "threshold": 0}},
        "classes": ["no", "yes"], "trees": [{}]}}"#,
        names.join(", "),
        trees.join(", ")
    );
    sandbox.write("model.json", model);
    sandbox.write("people.csv", "age,job_cook,job_judge,job_nurse\n30,1,0,0\n50,0,0,1\n");
    sandbox
}

const GROUP: [&str; 2] = ["--group", "job=job_*"];

fn run(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    sandbox.run([args, &GROUP, &["--threads", "1"]].concat())
}

#[test]
fn a_group_is_one_feature_in_every_question() {
    let sandbox = sandbox();
    let ask = |args: &[&str]| json(&sandbox, &[args, &GROUP, &["--threads", "1"]].concat());
    let (max, code) = ask(&["max", "model.json", "--where", "job in {cook, judge}"]);
    assert_eq!((code, &max["upper"], &max["witness"]["job"]), (Some(0), &json!(0.5), &json!("judge")), "{max}");
    let (range, _) = ask(&["range", "model.json", "--domain", "people.csv"]);
    assert_eq!((&range["lower"], &range["upper"]), (&json!(-2.5), &json!(4.5)), "nobody is a judge");
    let (best, _) = ask(&["enumerate", "model.json", "--top", "1"]);
    assert_eq!(best["regions"][0]["domain"]["job"]["values"], json!(["nurse"]));
    let (fair, code) = ask(&["fair", "model.json", "--protected", "job:{cook}|{nurse}"]);
    assert_eq!(
        (code, &fair["witness"]["a"]["job"], &fair["witness"]["b"]["job"]),
        (Some(1), &json!("cook"), &json!("nurse"))
    );
    let (fair, _) = ask(&["fair", "model.json", "people.csv", "--protected", "job"]);
    assert_eq!(fair["summary"]["violated"], json!(2));
    let (diff, _) = ask(&["diff", "model.json", "model.json"]);
    assert_eq!(diff["upper"], json!(0.0));
    let (monotone, code) = ask(&["monotone", "model.json"]);
    assert_eq!((code, &monotone["feature"]), (Some(0), &json!("age")));
    let (closest, _) = ask(&["closest", "model.json", "people.csv", "--norm", "l2", "--weights", "job=3"]);
    assert_eq!(closest["rows"][0]["upper"], json!(3.0));
    assert_eq!(closest["rows"][0]["changed"], json!([{"feature": "job", "from": "cook", "to": "nurse"}]));
    let (robust, code) = ask(&["robust", "model.json", "people.csv", "--norm", "l1", "--radius", "0.5"]);
    assert_eq!((code, &robust["summary"]["holds"]), (Some(0), &json!(2)));
    let task = run(&sandbox, &["max", "model.json", "--print-task", "--group", "job=!job_cook"]).stdout;
    let task: serde_json::Value = serde_json::from_str(&task).unwrap();
    assert_eq!(task["groups"], json!({"job": ["!job_cook", "job_*"]}));
}

#[test]
fn answers_for_people_name_the_value() {
    let sandbox = sandbox();
    let max = run(&sandbox, &["max", "model.json"]);
    assert_eq!((max.code, max.stderr.as_str()), (Some(0), ""));
    assert!(
        max.stdout.contains("job") && max.stdout.contains("nurse") && !max.stdout.contains("job_"),
        "{}",
        max.stdout
    );
    let closest = run(&sandbox, &["closest", "model.json", "people.csv", "--norm", "l0"]);
    assert!(closest.stdout.contains("no → yes  job cook → nurse\n"), "{}", closest.stdout);
}

#[test]
fn what_looks_like_a_group_earns_one_line() {
    let sandbox = sandbox();
    let hint = "treeproof: hint: columns job_cook, job_judge, job_nurse look like one-hot columns of one feature; --group \
                job='job_*' says so\n";
    assert_eq!(sandbox.run(["inspect", "model.json"]).stderr, hint);
    assert_eq!(sandbox.run(["max", "model.json"]).stderr, hint);
    for quiet in [&["inspect", "model.json", "--json"][..], &["max", "model.json", "--json"]] {
        assert_eq!(sandbox.run(quiet).stderr, "", "{quiet:?}");
    }
    assert_eq!(run(&sandbox, &["max", "model.json"]).stderr, "");
}

#[test]
fn mistakes_are_one_line() {
    let sandbox = sandbox();
    sandbox.write("bad.csv", "age,job_cook,job_judge,job_nurse\n30,1,0,0\n50,0,0.5,1\n");
    let law = "of group `job` one column must be 1 and all others 0, but";
    for (args, expected) in [
        (
            &["max", "model.json", "--group", "job"][..],
            "invalid value `job` for `--group <NAME=GLOB>`: write NAME=GLOB, as in sex='sex_*' (see treeproof max --help)",
        ),
        (
            &["max", "model.json", "--group", "job=jobs_*"],
            "model.json: group `job`: the model has no feature like `jobs_*`; it has `age`, `job_cook`, `job_judge`, `job_nurse`",
        ),
        (
            &["max", "model.json", "--group", "age=job_*"],
            "model.json: group `age`: the model has a feature of this name; choose another",
        ),
        (
            &["max", "model.json", "--group", "a=job_*", "--group", "b=*_cook", "--group", "b=*_judge"],
            "model.json: group `b`: `job_cook` is in group `a` already",
        ),
        (
            &["max", "model.json", "--group", "job=*"],
            "model.json: group `job`: the model compares `age` with 40, so it is no 0/1 column; `!age` leaves it out",
        ),
        (
            &["max", "model.json", "--group", "job=job_*", "--where", "job == chef"],
            "--where: in `job == chef`, character 8: group `job` has no value `chef`; it has `cook`, `judge`, `nurse`",
        ),
        (
            &["closest", "model.json", "bad.csv", "--norm", "l1", "--group", "job=job_*"],
            &format!("bad.csv: row 1: {law} `job_judge` is 0.5: correct the row or the group"),
        ),
        (
            &["fair", "model.json", "bad.csv", "--protected", "job", "--group", "job=job_*"],
            &format!("bad.csv: row 1: {law} `job_judge` is 0.5: correct the row or the group"),
        ),
        (
            &["fair", "model.json", "--protected", "job_cook", "--group", "job=job_*"],
            "--protected: `job_cook` is a column of group `job`: name the group",
        ),
    ] {
        let outcome = sandbox.run(args);
        assert_eq!((outcome.code, outcome.stdout.as_str()), (Some(2), ""), "{args:?}");
        assert_eq!(outcome.stderr, format!("treeproof: {expected}\n"), "{args:?}");
    }
}

/// Groups in questions about two inputs: they differ as one, cost one and are changed as one.
#[test]
fn a_group_is_one_feature_of_two_inputs() {
    let sandbox = sandbox();
    let task = json!({"treeproof": 1, "models": {"m": "model.json"},
        "maximise": [{"model": "m", "input": "b"}, {"model": "m", "input": "a", "sign": -1}],
        "inputs": {"b": {"same_as": "a", "except": ["job"]}}, "where": ["a.job != nurse", "b.job != nurse"],
        "groups": {"job": "job_*"}});
    sandbox.write("task.json", task.to_string());
    let (general, code) = json(&sandbox, &["solve", "task.json"]);
    assert_eq!((code, &general["upper"], &general["lower"]), (Some(0), &json!(2.0), &json!(2.0)), "{general}");
    assert_eq!(general["witness"]["b"]["job"], json!("judge"));
    let ask = |args: &[&str]| json(&sandbox, &[args, &GROUP, &["--threads", "1"]].concat()).0;
    // Age alone moves by less than 1, and a job by 1 at least.
    let stable = ask(&["stable", "model.json", "--norm", "l1", "--radius", "0.5"]);
    assert_eq!((&stable["lower"], &stable["upper"]), (&json!(1.0), &json!(1.0)), "{stable}");
    let stable = ask(&["stable", "model.json", "--norm", "l1", "--radius", "1"]);
    assert_eq!((&stable["lower"], &stable["upper"]), (&json!(6.0), &json!(6.0)), "{stable}");
    let stable = ask(&["stable", "model.json", "--norm", "l0", "--radius", "2"]);
    assert_eq!((&stable["lower"], &stable["upper"]), (&json!(7.0), &json!(7.0)), "{stable}");
    let start = ["dominant", "model.json", "--given", "age=30", "--given", "job=cook", "--vary", "*"];
    assert!(sandbox.run([&start[..], &GROUP].concat()).stderr.contains("all of these are given"));
    let start = ["dominant", "model.json", "--baseline", "people.csv:0", "--vary", "*", "--at-most", "1"];
    let dominant = ask(&start);
    assert_eq!((&dominant["lower"], &dominant["upper"]), (&json!(6.0), &json!(6.0)), "{dominant}");
    let change = &dominant["changes"][0];
    assert_eq!(
        (&change["attribute"], &change["from"], &change["to"]),
        (&json!("job"), &json!("cook"), &json!("nurse"))
    );
    let ranking = ask(&["dominant", "model.json", "--baseline", "people.csv:0", "--vary", "*", "--each"]);
    assert_eq!(ranking["attributes"].as_array().map(Vec::len), Some(2), "{ranking}");
}
