//! `solve`: tasks in files.

use serde_json::{Value, json as value};

use crate::questions::{json, number};
use crate::sandbox::Sandbox;

/// The files of the pages about tasks and audits.
pub(crate) fn examples() -> Sandbox {
    let sandbox = Sandbox::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/examples");
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        sandbox.write(path.file_name().unwrap(), std::fs::read(&path).unwrap());
    }
    sandbox
}

fn without_time(mut answer: Value) -> Value {
    for part in ["seconds", "stats", "about"] {
        answer.as_object_mut().unwrap().remove(part);
    }
    if let Some(summary) = answer.get_mut("summary") {
        summary.as_object_mut().unwrap().remove("seconds");
    }
    for row in answer.get_mut("rows").and_then(Value::as_array_mut).into_iter().flatten() {
        row.as_object_mut().unwrap().retain(|name, _| !["seconds", "stats"].contains(&name.as_str()));
    }
    answer
}

/// What flags print as a task has the answer of the flags, in another folder too.
#[test]
fn a_printed_task_has_the_answer_of_its_flags() {
    let sandbox = examples();
    for flags in [
        &["max", "new.json", "--domain", "people.csv", "--where", "age < 40"][..],
        &["min", "old.json", "--class", "granted"],
        &["enumerate", "old.json", "--top", "3", "--above", "0"],
        &["diff", "old.json", "new.json", "--within", "0.5"],
        &["monotone", "new.json", "--feature", "income", "--decreasing"],
        &["fair", "new.json", "--protected", "status", "--threshold", "0.6"],
        &["fair", "new.json", "people.csv", "--protected", "status", "--rows", "3"],
        &["robust", "new.json", "people.csv", "--norm", "l1", "--radius", "1000", "--label", "outcome"],
        &["dominant", "new.json", "--baseline", "people.csv:1", "--vary", "*", "--at-most", "2"],
        &["dominant", "new.json", "--baseline", "age=30,income=4", "--vary", "*", "--at-most", "2"],
        &["stable", "new.json", "--radius", "1", "--norm", "l1", "--scale", "std:people.csv"],
        &["closest", "new.json", "people.csv", "--norm", "l2", "--scale", "std:people.csv", "--weights", "age=2"],
        // Nobody is 30 where that means that the age is missing.
        &["max", "new.json", "--where", "age == 30", "--missing-value", "30"],
        &["max", "new.json", "--missing-value", "inf", "--api", "booster"],
    ] {
        let flags = [flags, &["--threads", "1"]].concat();
        let task = sandbox.run([&flags[..], &["--print-task"]].concat()).answer();
        sandbox.write("task.json", task);
        let (from_flags, code) = json(&sandbox, &flags);
        let (from_file, same) = json(&sandbox, &["solve", "task.json"]);
        assert_eq!((without_time(from_file), same), (without_time(from_flags), code), "{flags:?}");
    }
}

#[test]
fn the_general_form_agrees_with_the_questions_that_are_special_cases() {
    let sandbox = examples();
    let solve = |task: Value| {
        sandbox.write("task.json", task.to_string());
        json(&sandbox, &["solve", "task.json"]).0
    };
    let max = json(&sandbox, &["max", "new.json", "--where", "age < 40"]).0;
    let general = solve(value!({"treeproof": 1, "models": {"m": "new.json"}, "maximise": [{"model": "m"}],
        "where": ["age < 40"]}));
    assert_eq!((&general["lower"], &general["upper"]), (&max["lower"], &max["upper"]));
    assert!(general["witness"]["age"].is_number(), "one input is not called a: {general}");
    let fair = json(&sandbox, &["fair", "new.json", "--protected", "status", "--class", "granted"]).0;
    let general = solve(value!({"treeproof": 1, "models": {"m": "new.json"},
        "maximise": [{"model": "m", "input": "a"}, {"model": "m", "input": "b", "sign": -1}],
        "inputs": {"b": {"same_as": "a", "except": ["status"]}}}));
    assert_eq!((&general["lower"], &general["upper"]), (&fair["lower"], &fair["upper"]));
    let [a, b] = ["a", "b"].map(|side| &general["witness"][side]);
    assert_eq!((&a["age"], &a["income"]), (&b["age"], &b["income"]));
    assert_ne!(a["status"], b["status"]);
    let diff = json(&sandbox, &["diff", "old.json", "new.json"]).0;
    let apart = |signs: [i64; 2]| {
        let task = value!({"treeproof": 1, "models": {"new": "new.json", "old": "old.json"},
            "maximise": [{"model": "old", "sign": signs[0]}, {"model": "new", "sign": signs[1]}]});
        number(&solve(task)["upper"])
    };
    assert_eq!(apart([1, -1]).max(apart([-1, 1])), number(&diff["upper"]));
    // Two models at two inputs without anything in common, and a margin that counts twice.
    let range = |model: &str| json(&sandbox, &["range", model]).0;
    let both = solve(value!({"treeproof": 1, "models": {"new": "new.json", "old": "old.json"},
        "maximise": [{"model": "old"}, {"model": "old"}, {"model": "new", "input": "b", "sign": -1}]}));
    let expected = 2.0 * number(&range("old.json")["upper"]) - number(&range("new.json")["lower"]);
    assert_eq!(number(&both["upper"]), expected);
    assert_eq!(both["outputs"].as_array().unwrap().len(), 3);
    // Of three equal trees one is taken off once: by the same model at the other input, or by the other model.
    for sign in [1, -1] {
        let once = solve(value!({"treeproof": 1, "models": {"one": "old.json", "two": "old.json"},
            "maximise": [{"model": "one", "sign": sign}, {"model": "two", "input": "b", "sign": sign},
                {"model": "one", "input": "b", "sign": -sign}], "inputs": {"b": {"same_as": "a"}}}));
        let range = range("old.json");
        let expected = if sign > 0 { number(&range["upper"]) } else { -number(&range["lower"]) };
        assert_eq!((number(&once["lower"]), number(&once["upper"])), (expected, expected), "{once}");
    }
}

#[test]
fn files_say_how_models_are_read_unless_flags_do() {
    let sandbox = examples();
    sandbox.write(
        "task.json",
        r#"{"treeproof": 1, "question": "max", "model": "new.json", "where": ["age == 30"], "reading": {"missing_value": 30}}"#,
    );
    sandbox.write(
        "general.json",
        r#"{"treeproof": 1, "models": {"m": "new.json"}, "maximise": [{"model": "m"}], "where": ["age == 30"],
            "reading": {"missing_value": 30}}"#,
    );
    sandbox.write(
        "checks.toml",
        "model = 'new.json'\nwhere = ['age == 30']\nreading.missing_value = 30\n\
         [[check]]\nname = 'all'\nquestion = 'max'\nat_most = 100\n",
    );
    for args in [["solve", "task.json"], ["solve", "general.json"], ["audit", "checks.toml"]] {
        assert_eq!(json(&sandbox, &args).1, Some(4), "{args:?}");
        assert_eq!(json(&sandbox, &[&args[..], &["--missing-value", "31"]].concat()).1, Some(0), "{args:?}");
    }
    sandbox.write(
        "half.json",
        r#"{"treeproof": 1, "question": "max", "model": "new.json", "reading": {"base_margin": [0.5]}}"#,
    );
    let line = sandbox.refusal(["solve", "half.json"], "a base margin alone");
    assert_eq!(line, "half.json: reading.base_margin needs classes");
}

#[test]
fn models_on_the_command_line_take_the_place_of_those_named() {
    let sandbox = examples();
    sandbox.write(
        "open.json",
        r#"{"treeproof": 1, "models": {"x": null, "y": null}, "maximise": [{"model": "x"}, {"model": "y", "sign": -1}]}"#,
    );
    let upper = |args: &[&str]| number(&json(&sandbox, &[&["solve"], args].concat()).0["upper"]);
    assert_eq!(upper(&["open.json", "old.json", "old.json"]), 0.0);
    assert!(upper(&["open.json", "old.json", "new.json"]) > 0.0);
    let other = json(&sandbox, &["max", "old.json"]).0;
    sandbox.write("max.json", r#"{"treeproof": 1, "question": "max", "model": "new.json"}"#);
    assert_eq!(upper(&["max.json", "old.json"]), number(&other["upper"]));
    let refusal = |args: &[&str]| sandbox.refusal([&["solve"], args].concat(), &args.join(" "));
    assert_eq!(
        refusal(&["open.json", "old.json"]),
        "open.json: the model `y` has no file: give one in the task or after TASK"
    );
    assert_eq!(
        refusal(&["max.json", "old.json", "new.json"]),
        "max.json: the task is about one model, but more are given"
    );
}

#[test]
fn what_cannot_be_met_is_infeasible() {
    let sandbox = examples();
    let task = r#"{"treeproof": 1, "models": {"m": "new.json"}, "maximise": [{"model": "m"}],
        "inputs": {"a": {"domain": "people.csv"}}, "where": ["age > 60"]}"#;
    sandbox.write("task.json", task);
    let (answer, code) = json(&sandbox, &["solve", "task.json"]);
    assert_eq!((code, &answer["conflict"]), (Some(4), &value!(["age > 60", "domain people.csv"])));
}

#[test]
fn each_input_has_its_own_domain() {
    let sandbox = examples();
    sandbox.write("rich.csv", "age,income,status\n40,70000,single\n60,90000,married\n");
    let ask = |inputs: &str, conditions: &str| {
        let task = format!(
            r#"{{"treeproof": 1, "models": {{"m": "new.json"}}, "inputs": {inputs}, "where": [{conditions}],
            "maximise": [{{"model": "m"}}, {{"model": "m", "input": "b", "sign": -1}}]}}"#
        );
        sandbox.write("task.json", &task);
        json(&sandbox, &["solve", "task.json"])
    };
    let value_of = |answer: &Value, input: &str, name: &str| number(&answer["witness"][input][name]);
    let two = r#"{"a": {"domain": "people.csv"}, "b": {"domain": "rich.csv"}}"#;
    let (answer, code) = ask(two, "");
    assert_eq!(code, Some(0));
    assert!((22.0..=51.0).contains(&value_of(&answer, "a", "age")), "{answer}");
    assert!((40.0..=60.0).contains(&value_of(&answer, "b", "age")), "{answer}");
    assert!((70000.0..=90000.0).contains(&value_of(&answer, "b", "income")), "{answer}");
    assert!(answer["nearest_row"]["a"]["row"].is_u64() && answer["nearest_row"]["b"]["row"].is_u64(), "{answer}");
    let (answer, code) = ask(two, r#""a.income > 65000""#);
    assert_eq!((code, &answer["conflict"]), (Some(4), &value!(["a.income > 65000", "domain people.csv"])));
    let (answer, code) = ask(two, r#""b.income < 65000""#);
    assert_eq!((code, &answer["conflict"]), (Some(4), &value!(["b.income < 65000", "domain rich.csv"])));
    // Without a domain an input may be anything.
    let one = r#"{"a": {"domain": "people.csv"}}"#;
    let (answer, code) = ask(one, r#""b.age > 100""#);
    assert_eq!((code, answer.get("nearest_row")), (Some(0), None));
    assert!((22.0..=51.0).contains(&value_of(&answer, "a", "age")), "{answer}");
    // What two inputs have in common both domains confine.
    let shared =
        r#"{"a": {"domain": "people.csv"}, "b": {"same_as": "a", "except": ["income"], "domain": "rich.csv"}}"#;
    let (answer, _) = ask(shared, "");
    let (age, other) = (value_of(&answer, "a", "age"), value_of(&answer, "b", "age"));
    assert!(age == other && (40.0..=51.0).contains(&age), "{answer}");
    assert!(value_of(&answer, "a", "income") <= 64000.0 && value_of(&answer, "b", "income") >= 70000.0, "{answer}");
    assert_eq!(ask(shared, r#""b.age < 40""#).1, Some(4));
}

#[test]
fn mistakes_are_one_line() {
    let sandbox = examples();
    for (task, expected) in [
        ("{", "task.json: the file ends too early: EOF while parsing an object at line 1 column 1"),
        ("age,income", "task.json: not JSON: expected value at line 1 column 1"),
        (
            r#"{"treeproof": 1, "question": {"robst": {}}}"#,
            "task.json: unknown word `robst` at line 1 column 37; did you mean `robust`?",
        ),
        (
            r#"{"treeproof": 1, "question": {"closest": {"norm": "l3"}}}"#,
            "task.json: unknown word `l3`, expected one of `linf`, `l2`, `l1`, `l0` at line 1 column 55",
        ),
        (
            r#"{"treeproof": 1, "question": {"robust": {"norm": "l1", "raduis": 1}}}"#,
            "task.json: unknown field `raduis` at line 1 column 67; did you mean `radius`?",
        ),
        ("{}", "task.json: neither `question` nor `maximise` is there: say what is asked"),
        (
            r#"{"treeproof": 1, "question": "max", "model": "new.json", "wehre": []}"#,
            "task.json: unknown field `wehre` at line 1 column 64; did you mean `where`?",
        ),
        (
            r#"{"treeproof": 2, "question": "max"}"#,
            "task.json: treeproof is not 1, the only version of tasks; a newer treeproof may know it",
        ),
        (r#"{"treeproof": 1, "question": "max"}"#, "task.json: model is missing: name its file"),
        (
            r#"{"treeproof": 1, "question": {"closest": {"norm": "l1"}}, "model": "new.json"}"#,
            "task.json: data is missing: `closest` is asked about rows",
        ),
        (
            r#"{"treeproof": 1, "question": "max", "model": "new.json", "where": ["agee > 3"]}"#,
            "task.json: where: in `agee > 3`, character 1: the model has no feature `agee`; did you mean `age`?",
        ),
        (
            r#"{"treeproof": 1, "question": "max", "model": "new.json", "limits": {"time": "soon"}}"#,
            "task.json: `soon` is not a time such as 500ms, 30s, 2min or 1h at line 1 column 83",
        ),
        (
            r#"{"treeproof": 1, "models": {"m": "new.json"}, "maximise": [{"model": "n"}]}"#,
            "task.json: maximise: there is no model `n`; there are m",
        ),
        (r#"{"treeproof": 1, "models": {"m": "none.json"}, "maximise": [{"model": "m"}]}"#, "none.json: no such file"),
        (
            r#"{"treeproof": 1, "models": {"m": "new.json"}, "maximise": [{"model": "m"}, {"model": "m", "input": "b"}],
                "inputs": {"b": {"same_as": "a", "except": ["incomee"]}}}"#,
            "task.json: except: the model has no feature `incomee`; did you mean `income`?",
        ),
    ] {
        sandbox.write("task.json", task);
        assert_eq!(sandbox.refusal(["solve", "task.json"], task), expected);
    }
    assert_eq!(sandbox.refusal(["solve", "nothing.json"], "no file"), "nothing.json: no such file");
}

#[test]
fn features_given_by_position_are_told_by_name() {
    let sandbox = examples();
    let fair = ["fair", "new.json", "--protected", "f2"];
    let told = sandbox.run(fair).stdout;
    assert!(told.contains("status") && !told.contains("f2"), "{told}");
    let (answer, _) = json(&sandbox, &fair);
    assert_eq!(answer["about"]["task"]["question"], value!({"fair": {"protected": ["status"]}}));
    let (answer, _) = json(&sandbox, &["max", "new.json", "--where", "f0 < 30 and f2 == single"]);
    assert_eq!(answer["about"]["task"]["where"], value!(["age < 30 and status == single"]));
    let dominant = ["dominant", "new.json", "--given", "f0=3", "--vary", "f1,sta*"];
    let (answer, _) = json(&sandbox, &dominant);
    assert_eq!(
        answer["about"]["task"]["question"],
        value!({"dominant": {"given": ["age=3"], "vary": ["income, sta*"]}})
    );
    let weighted = ["closest", "new.json", "people.csv", "--norm", "l1", "--weights", "f0=2"];
    let (answer, _) = json(&sandbox, &weighted);
    assert_eq!(answer["about"]["task"]["question"]["closest"]["weights"], value!({"age": 2.0}));
    // A name with zeros in front is no position.
    sandbox.refusal(["fair", "new.json", "--protected", "f02"], "f02");
}
