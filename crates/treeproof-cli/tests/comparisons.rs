//! `diff`, `monotone` and `fair`: answers as snapshots, verdicts checked by predicting their witnesses, and what is refused.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::questions::{json, masked, number, with_hard_model};
use crate::sandbox::Sandbox;

/// 0.5 − 1 below 40 years or + 2, + 1 below an income of 4 or + 0.25, + 0.5 for status A92 or − 0.5.
const LOANS: &str = r#"{"treeproof": 1,
 "source": {"format": "treeproof JSON", "objective": "by hand"},
 "features": [{"name": "age", "kind": "numeric"}, {"name": "income", "kind": "numeric"},
   {"name": "status", "kind": "category", "encoding": {"rule": "exact", "values": [0, 1, 2]}, "names": ["A91", "A92", "A93"]}],
 "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
 "num_outputs": 1,
 "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first", "fixed_order": true},
 "link": {"function": "logistic", "slope": 1.0},
 "label": {"rule": "margin_above", "threshold": 0.0},
 "classes": ["no", "yes"],
 "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<", "threshold": [40, 0, 0],
            "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]},
           {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [1, -1, -1], "test": "<", "threshold": [4, 0, 0],
            "missing_left": [1, 0, 0], "output": 0, "value": [0, 1.0, 0.25]},
           {"left": [1, -1, -1], "right": [2, -1, -1], "feature": [2, -1, -1], "test": "in", "threshold": [0, 0, 0],
            "sets": [[1]], "missing_left": [0, 0, 0], "output": 0, "value": [0, 0.5, -0.5]}]}"#;

pub(crate) fn with_loans() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("loans.json", LOANS);
    let regression = LOANS.replace(r#""function": "logistic", "slope": 1.0"#, r#""function": "identity""#);
    let regression = regression.replace(r#""rule": "margin_above", "threshold": 0.0"#, r#""rule": "none""#);
    sandbox.write("price.json", regression.replace(r#"["no", "yes"]"#, "[]"));
    sandbox.write("newer.json", LOANS.replace("-1.0, 2.0", "-1.0, 2.5"));
    sandbox
}

/// What `predict` says about inputs of an answer.
fn predicted(sandbox: &Sandbox, model: &str, witness: &Value) -> Value {
    let text = |value: &Value| match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        value => value.to_string(),
    };
    let (names, values): (Vec<String>, Vec<String>) =
        witness.as_object().unwrap().iter().map(|(name, value)| (name.clone(), text(value))).unzip();
    sandbox.write("witness.csv", format!("{}\n{}\n", names.join(","), values.join(",")));
    json(sandbox, &["predict", model, "witness.csv"]).0["rows"][0].clone()
}

/// The two inputs of an answer, after `predict` has confirmed what the answer says about them.
#[track_caller]
fn confirmed(sandbox: &Sandbox, model: &str, answer: &Value) -> [Value; 2] {
    ["a", "b"].map(|side| {
        let row = predicted(sandbox, model, &answer["witness"][side]);
        // With a class, one of several margins.
        let margins = row["margin"].as_array().cloned().unwrap_or_else(|| vec![row["margin"].clone()]);
        let told = &answer["output"][side];
        assert!(*told == row["margin"] || margins.contains(told), "{answer}");
        answer["witness"][side].clone()
    })
}

/// The features in which two inputs differ.
fn differing(pair: &[Value; 2]) -> Vec<String> {
    let [a, b] = pair;
    a.as_object().unwrap().keys().filter(|name| a[name.as_str()] != b[name.as_str()]).cloned().collect()
}

fn without_machine(mut answer: Value) -> String {
    answer["seconds"] = 0.into();
    answer["stats"] = "masked".into();
    answer.as_object_mut().unwrap().remove("about");
    serde_json::to_string_pretty(&answer).unwrap()
}

#[test]
fn answers_for_people() {
    let sandbox = with_loans();
    let run = |code: i32, args: &[&str]| {
        let outcome = sandbox.run(args);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(code), ""), "{args:?}");
        masked(&outcome.stdout)
    };
    assert_snapshot!("diff", run(0, &["diff", "loans.json", "newer.json"]));
    assert_snapshot!("diff_same", run(0, &["diff", "loans.json", "loans.json"]));
    assert_snapshot!("diff_within", run(0, &["diff", "loans.json", "newer.json", "--within", "0.5"]));
    assert_snapshot!("diff_beyond", run(1, &["diff", "loans.json", "newer.json", "--within", "0.25"]));
    assert_snapshot!("monotone_holds", run(0, &["monotone", "loans.json", "--feature", "age"]));
    assert_snapshot!("monotone_violated", run(1, &["monotone", "loans.json", "--feature", "income"]));
    assert_snapshot!("monotone_decreasing", run(0, &["monotone", "loans.json", "--feature", "income", "--decreasing"]));
    assert_snapshot!("monotone_all", run(1, &["monotone", "loans.json"]));
    assert_snapshot!("fair_violated", run(1, &["fair", "loans.json", "--protected", "status"]));
    assert_snapshot!("fair_holds", run(0, &["fair", "loans.json", "--protected", "status:{A91}|{A93}"]));
    assert_snapshot!("fair_difference", run(0, &["fair", "price.json", "--protected", "status,income"]));
    assert_snapshot!(
        "no_agreement",
        run(4, &["fair", "price.json", "--protected", "status", "--where", "a.age < 3", "--where", "b.age > 5"])
    );
    assert_snapshot!(
        "print_task",
        run(
            0,
            &[
                "fair",
                "loans.json",
                "--protected",
                "status:{A91}|{A93}",
                "--threshold",
                "0.25",
                "--memory",
                "1GiB",
                "--print-task"
            ]
        )
    );
}

#[test]
fn answers_as_json() {
    let sandbox = with_loans();
    assert_snapshot!("diff_json", without_machine(json(&sandbox, &["diff", "loans.json", "newer.json"]).0));
    assert_snapshot!(
        "monotone_json",
        without_machine(json(&sandbox, &["monotone", "loans.json", "--feature", "f1"]).0)
    );
    assert_snapshot!("fair_json", without_machine(json(&sandbox, &["fair", "loans.json", "--protected", "status"]).0));
    let (all, code) = json(&sandbox, &["monotone", "loans.json"]);
    assert_eq!((code, &all["verdict"]), (Some(1), &json!("violated")));
    let features = all["features"].as_array().unwrap();
    let told: Vec<(&Value, &Value)> = features.iter().map(|answer| (&answer["feature"], &answer["verdict"])).collect();
    assert_eq!(told, [(&json!("age"), &json!("holds")), (&json!("income"), &json!("violated"))]);
}

#[test]
fn models_that_differ() {
    let sandbox = with_loans();
    let (answer, code) = json(&sandbox, &["diff", "loans.json", "newer.json"]);
    assert_eq!((code, number(&answer["lower"]), number(&answer["upper"])), (Some(0), 0.5, 0.5));
    for (side, model) in [("a", "loans.json"), ("b", "newer.json")] {
        assert_eq!(predicted(&sandbox, model, &answer["witness"])["margin"], answer["output"][side]);
    }
    let (answer, code) = json(&sandbox, &["diff", "loans.json", "newer.json", "--where", "age < 40"]);
    assert_eq!((code, &answer["verdict"], number(&answer["upper"])), (Some(0), &json!("optimal"), 0.0));
    sandbox.write("young.csv", "age,income,status\n20,1,A91\n30,5,A92\n");
    let (answer, code) =
        json(&sandbox, &["diff", "loans.json", "newer.json", "--within", "0", "--domain", "young.csv"]);
    assert_eq!((code, &answer["verdict"]), (Some(0), &json!("holds")));
    let (answer, code) = json(&sandbox, &["diff", "loans.json", "newer.json", "--where", "age < 3 and age > 5"]);
    assert_eq!((code, &answer["verdict"]), (Some(4), &json!("infeasible")));
}

/// What no input meets does not hold, though no pair of inputs speaks against it; with a proof neither.
#[test]
fn nothing_is_fair_about_nobody() {
    let sandbox = with_loans();
    let nobody = ["--where", "a.age + a.income < -5", "--where", "a.age >= 0", "--where", "a.income >= 0"];
    for more in [&[][..], &["--proof", "a.proof"]] {
        let fair = ["fair", "loans.json", "--protected", "status"];
        let (answer, code) = json(&sandbox, &[&fair, &nobody[..], more].concat());
        assert_eq!((code, &answer["verdict"]), (Some(4), &json!("infeasible")), "{answer}");
    }
}

/// Of several margins the one that differs most is told.
#[test]
fn classes_that_differ() {
    let sandbox = Sandbox::new();
    sandbox.copy("xgboost/dart_multi/model.json.gz", "old");
    sandbox.copy("xgboost/rf_boost_multi/model.json.gz", "new");
    let (answer, _) = json(&sandbox, &["diff", "old", "new", "--time", "20s"]);
    assert_eq!(answer["verdict"], "optimal", "{answer}");
    let class = usize::try_from(answer["class"].as_u64().unwrap()).unwrap();
    let margins = ["old", "new"].map(|model| predicted(&sandbox, model, &answer["witness"])["margin"].clone());
    let apart = |class: usize| (number(&margins[0][class]) - number(&margins[1][class])).abs();
    assert!((apart(class) - number(&answer["lower"])).abs() <= number(&answer["rounding"]), "{answer}");
    assert!((0..3).all(|other| apart(other) <= apart(class)), "{answer}");
    assert_eq!((&answer["output"]["a"], &answer["output"]["b"]), (&margins[0][class], &margins[1][class]));
}

#[test]
fn outputs_that_fall() {
    let sandbox = with_loans();
    let (answer, code) = json(&sandbox, &["monotone", "loans.json", "--feature", "income"]);
    assert_eq!((code, &answer["verdict"], number(&answer["lower"])), (Some(1), &json!("violated"), 0.75));
    let pair = confirmed(&sandbox, "loans.json", &answer);
    assert_eq!(differing(&pair), ["income"]);
    assert!(number(&pair[0]["income"]) < number(&pair[1]["income"]));
    assert!(number(&answer["output"]["a"]) > number(&answer["output"]["b"]));
    // Below 4 there is no fall, and above neither.
    for condition in ["income < 4", "income >= 4", "a.income >= 4", "b.income < 4"] {
        let (answer, code) = json(&sandbox, &["monotone", "loans.json", "--feature", "income", "--where", condition]);
        assert_eq!(
            (code, &answer["verdict"], &answer["witness"]),
            (Some(0), &json!("holds"), &Value::Null),
            "{condition}"
        );
    }
}

#[test]
fn labels_that_flip() {
    let sandbox = with_loans();
    let ask = |flags: &[&str]| json(&sandbox, &[&["fair", "loans.json"], flags].concat());
    let (answer, code) = ask(&["--protected", "status"]);
    assert_eq!((code, &answer["verdict"]), (Some(1), &json!("violated")));
    assert_eq!(differing(&confirmed(&sandbox, "loans.json", &answer)), ["status"]);
    for side in ["a", "b"] {
        assert_eq!(predicted(&sandbox, "loans.json", &answer["witness"][side])["label"], answer["label"][side]);
    }
    assert_ne!(answer["label"]["a"], answer["label"]["b"]);
    assert_eq!(ask(&["--protected", "status", "--where", "age >= 40"]).1, Some(0));
    // What no tree tests changes nothing, however close labels are; but what cannot be met proves nothing.
    let unused = LOANS.replace(r#""feature": [2, -1, -1], "test": "in""#, r#""feature": [0, -1, -1], "test": "<""#);
    sandbox.write("unused.json", unused.replace(r#""sets": [[1]], "#, ""));
    let of_unused =
        |flags: &[&str]| json(&sandbox, &[&["fair", "unused.json", "--protected", "status"], flags].concat());
    let (answer, code) = of_unused(&[]);
    assert_eq!((code, &answer["verdict"], &answer["witness"]), (Some(0), &json!("holds"), &Value::Null));
    assert_eq!(of_unused(&["--where", "a.age < 3", "--where", "b.age > 5"]).1, Some(4));
    // Two sets, in either order.
    for sets in ["status:{A91, A93}|{A92}", "status:{A92}|{A91}"] {
        let (answer, code) = ask(&["--protected", sets]);
        assert_eq!(code, Some(1), "{sets}");
        let [a, b] = confirmed(&sandbox, "loans.json", &answer);
        assert!((a["status"] == "A92") != (b["status"] == "A92") && (a["status"] == "A92") == sets.contains(":{A92}"));
    }
    // The probability of 2.25 is 0.905, that of 3.25 is 0.963.
    assert_eq!(ask(&["--protected", "status", "--where", "age >= 40", "--threshold", "0.9"]).1, Some(0));
    let (answer, code) = ask(&["--protected", "status", "--where", "age >= 40", "--threshold", "0.95"]);
    assert_eq!(code, Some(1));
    for side in ["a", "b"] {
        let is_above = number(&answer["probability"][side]) > 0.95;
        assert_eq!(answer["label"][side], if is_above { "yes" } else { "no" });
    }
    let (answer, code) = ask(&["--protected", "status", "--class", "yes"]);
    assert_eq!((code, &answer["verdict"], number(&answer["upper"])), (Some(0), &json!("optimal"), 1.0));
}

#[test]
fn rows_whose_labels_flip() {
    let sandbox = with_loans();
    // Margins with status A92 and another: 1 and 0, 0.25 and -0.75, 4 and 3, 0.25 and -0.75 again.
    sandbox.write("people.csv", "age,income,status\n20,1,A91\n20,,A93\n50,1,A92\n30,9,A92\n");
    let ask = |flags: &[&str]| json(&sandbox, &[&["fair", "loans.json", "people.csv", "--protected"], flags].concat());
    let (answer, code) = ask(&["status"]);
    let verdicts = |answer: &Value| -> Vec<String> {
        let rows = answer["rows"].as_array().unwrap().iter();
        rows.map(|row| row["verdict"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!((code, &answer["verdict"]), (Some(1), &json!("violated")));
    assert_eq!(verdicts(&answer), ["violated", "violated", "holds", "violated"]);
    assert_eq!(answer["summary"], json!({"rows": 4, "asked": 4, "violated": 3, "decided": 4, "share": 0.75}));
    for row in answer["rows"].as_array().unwrap().iter().filter(|row| row["verdict"] == "violated") {
        let pair = confirmed(&sandbox, "loans.json", row);
        assert_eq!(differing(&pair), ["status"]);
        let labels = pair.map(|input| predicted(&sandbox, "loans.json", &input)["label"].clone());
        assert_eq!((&labels[0], &labels[1]), (&row["label"]["a"], &row["label"]["b"]));
        assert_ne!(labels[0], labels[1]);
    }
    assert_eq!(answer["rows"][1]["witness"]["a"], json!({"age": 20.0, "income": null, "status": "A93"}));
    // A row may have a value of either set; others are left out, as are those that conditions exclude.
    let (answer, code) = ask(&["status:{A92}|{A93}"]);
    assert_eq!(
        (code, verdicts(&answer)),
        (Some(1), ["infeasible", "violated", "holds", "violated"].map(str::to_owned).to_vec())
    );
    let (answer, code) = ask(&["status", "--where", "age > 40"]);
    assert_eq!((code, &answer["summary"]["asked"], &answer["verdict"]), (Some(0), &json!(1), &json!("holds")));
    assert_eq!(ask(&["status", "--where", "age > 90"]).1, Some(4));
    let (answer, code) = json(&sandbox, &["fair", "price.json", "people.csv", "--protected", "income"]);
    assert_eq!((code, &answer["verdict"], &answer["summary"]["largest"]), (Some(0), &json!("optimal"), &json!(0.75)));

    let text = |code: i32, args: &[&str]| {
        let outcome = sandbox.run(args);
        assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(code), ""), "{args:?}");
        masked(&outcome.stdout)
    };
    let people = ["fair", "loans.json", "people.csv", "--protected", "status", "--where", "age < 40"];
    assert_snapshot!("fair_rows", text(1, &people));
    assert_snapshot!("fair_rows_difference", text(0, &["fair", "price.json", "people.csv", "--protected", "income"]));
    sandbox.write("none.csv", "age,income,status\n");
    let line = sandbox.refusal(["fair", "loans.json", "none.csv", "--protected", "status"], "no rows");
    assert_eq!(line, "none.csv: there are no rows to ask about");
    sandbox.write("strict.json", LOANS.replace("\"accepts_missing\": true", "\"accepts_missing\": false"));
    let line = sandbox.refusal(["fair", "strict.json", "people.csv", "--protected", "status"], "a missing value");
    assert_eq!(line, "people.csv: row 1: feature `income`: missing value, which this model's library refuses");
}

/// On models of libraries: whatever is found is what `predict` says.
#[test]
fn pairs_are_what_the_libraries_compute() {
    let sandbox = Sandbox::new();
    for (fixture, class, labels) in [
        ("xgboost/bin/model.json.gz", None, true),
        ("xgboost/softprob/model.json.gz", Some("2"), true),
        ("lightgbm/frame_categories/model.txt.gz", None, false),
        ("catboost/bin/model.json.gz", None, true),
        ("scikit_learn/histogram_category/model.json.gz", None, false),
    ] {
        sandbox.copy(fixture, "model");
        let flags: Vec<&str> = class.map(|class| vec!["--class", class]).unwrap_or_default();
        let (all, _) = json(&sandbox, &[&["monotone", "model", "--time", "20s"], &flags[..]].concat());
        let answers = all["features"].as_array().cloned().unwrap_or_else(|| vec![all.clone()]);
        let violated: Vec<&Value> = answers.iter().filter(|answer| answer["verdict"] == "violated").collect();
        assert!(!violated.is_empty(), "{fixture}: {all}");
        for answer in violated {
            let pair = confirmed(&sandbox, "model", answer);
            let feature = answer["feature"].as_str().unwrap();
            assert_eq!(differing(&pair), [feature], "{fixture}");
            assert!(number(&pair[0][feature]) < number(&pair[1][feature]), "{fixture}");
            assert!(number(&answer["output"]["a"]) > number(&answer["output"]["b"]), "{fixture}");
        }
        let (answer, _) = json(&sandbox, &["fair", "model", "--protected", "f0", "--time", "20s"]);
        assert_eq!(answer["verdict"], if labels { "violated" } else { "optimal" }, "{fixture}: {answer}");
        let pair = confirmed(&sandbox, "model", &answer);
        assert_eq!(differing(&pair).len(), 1, "{fixture}: {answer}");
    }
}

#[test]
fn limits_end_a_comparison() {
    let sandbox = with_hard_model();
    let (answer, code) = json(
        &sandbox,
        &["fair", "hard.json", "--protected", "f0,f1,f2", "--class", "yes", "--time", "300ms", "--trace", "t"],
    );
    assert_eq!((code, &answer["verdict"], &answer["stopped"]), (Some(3), &json!("undecided"), &json!("time")));
    assert!(number(&answer["lower"]) < number(&answer["upper"]));
    let trace = std::fs::read_to_string(sandbox.path("t")).unwrap();
    assert!(trace.lines().count() > 0 && trace.lines().all(|line| line.contains("\"question\":\"fair\"")), "{trace}");
}

/// Features that Ctrl-C leaves are listed, but not asked about.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_between_features_keeps_what_is_known() {
    let sandbox = with_hard_model();
    let line = "timeout --foreground -s INT 2 $treeproof monotone hard.json --json --time 300s; echo $?";
    let outcome = sandbox.shell(line);
    let (answer, code) = outcome.stdout.split_once('\n').unwrap();
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(code.trim(), "124", "timeout's own code: {}", outcome.stderr);
    let features = answer["features"].as_array().unwrap();
    assert_eq!((features.len(), &features[29]["stopped"]), (30, &json!("interrupted")));
    assert_eq!((&features[29]["verdict"], &features[29]["seconds"]), (&json!("undecided"), &json!(0.0)));
}

#[test]
fn comparisons_that_cannot_be_asked() {
    let sandbox = with_loans();
    sandbox.write("renamed.json", LOANS.replace("\"age\"", "\"agee\""));
    sandbox.copy("xgboost/softprob/model.json.gz", "classes");
    let refusal = |args: &[&str]| sandbox.refusal(args, &args.join(" "));
    for (args, expected) in [
        (
            &["monotone", "loans.json", "--feature", "incom"][..],
            "--feature: the model has no feature `incom`; did you mean `income`?",
        ),
        (
            &["monotone", "loans.json", "--feature", "status"],
            "--feature: `status` is a category, which has no order; `fair` compares categories",
        ),
        (&["monotone", "classes"], "classes: the model has 4 margins: say with --class which is meant (0, 1, 2, 3)"),
        (
            &["fair", "loans.json", "--protected", "statsu"],
            "--protected: the model has no feature `statsu`; did you mean `status`?",
        ),
        (
            &["fair", "loans.json", "--protected", "status:{A91}"],
            "--protected: `status:{A91}` is not of the form `status:{x, y}|{z}`",
        ),
        (
            &["fair", "loans.json", "--protected", "status:{A91}|{A95}"],
            "--protected: feature `status` has no category `A95`; did you mean `A93`?",
        ),
        (&["fair", "loans.json"], "missing: --protected <NAMES> (see treeproof fair --help)"),
        (
            &["fair", "loans.json", "--protected", "age", "--threshold", "7"],
            "--threshold must be a probability, from 0 to 1",
        ),
        (
            &["fair", "price.json", "--protected", "age", "--where", "a.agee < 3"],
            "--where: in `a.agee < 3`, character 1: the model has no feature `agee`; did you mean `age`?",
        ),
        (
            &["fair", "loans.json", "--protected", "age", "--gap", "1%"],
            "--gap does not apply to questions about labels",
        ),
        (
            &["diff", "loans.json", "renamed.json"],
            "loans.json and renamed.json: the models have different features: only one has `age` (is it `agee` in the other?); rename or retrain so that they match",
        ),
        (
            &["diff", "loans.json", "newer.json", "--class", "yes"],
            "--class does not apply to `diff`, which compares all margins",
        ),
        (&["diff", "loans.json", "newer.json", "--within", "-1"], "--within must be a finite number of at least 0"),
        (&["diff", "loans.json"], "missing: <MODEL_B> (see treeproof diff --help)"),
        (&["diff", "loans.json", "none.json"], "none.json: no such file"),
    ] {
        assert_eq!(refusal(args), expected);
    }
    // As many features without a common name are the same ones in order; then the outputs decide.
    sandbox.copy("xgboost/bin/model.json.gz", "two");
    assert_eq!(
        refusal(&["diff", "two", "classes"]),
        "two and classes: the models have 1 and 4 margins: there is nothing to compare them by"
    );
}

/// Without `--feature`, what training constrained is asked about, in its direction.
#[test]
fn monotone_asks_about_what_training_constrained() {
    let sandbox = with_loans();
    let trained = LOANS.replace(r#""by hand""#, r#""by hand", "trends": {"0": "increasing", "1": "decreasing"}"#);
    sandbox.write("trained.json", trained);
    let (answer, code) = json(&sandbox, &["monotone", "trained.json"]);
    assert_eq!((code, &answer["verdict"]), (Some(0), &json!("holds")), "{answer}");
    let asked =
        |index: usize| (answer["features"][index]["feature"].clone(), answer["features"][index]["trend"].clone());
    assert_eq!(asked(0), (json!("age"), json!("increasing")));
    assert_eq!(asked(1), (json!("income"), json!("decreasing")));
    let outcome = sandbox.run(["monotone", "trained.json"]);
    assert!(outcome.stdout.starts_with("The margin never goes against its trend as age or income rises: proved."));
    let (answer, code) = json(&sandbox, &["monotone", "trained.json", "--feature", "income"]);
    assert_eq!((code, &answer["verdict"]), (Some(1), &json!("violated")), "{answer}");
}

#[test]
fn a_row_of_no_known_category_keeps_its_number() {
    let sandbox = with_loans();
    // Read by position: a number that is no category's.
    sandbox.write("rows.libsvm", "0 0:25 1:3 2:-1.5\n");
    sandbox.write("loans.json", LOANS.replace(r#"{"rule": "exact", "values": [0, 1, 2]}"#, r#"{"rule": "lightgbm"}"#));
    let outcome = sandbox.run(["fair", "loans.json", "rows.libsvm", "--protected", "age", "--json"]);
    let report: Value = serde_json::from_str(&outcome.stdout).unwrap_or_else(|_| panic!("{}", outcome.stderr));
    let witness = &report["rows"][0]["witness"];
    assert_eq!((&witness["a"]["status"], &witness["b"]["status"]), (&json!(-1.5), &json!(-1.5)), "{report}");
}
