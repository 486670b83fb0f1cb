//! `robust` and `closest`: answers as snapshots, and what must hold of every answer on every library's models.

use insta::assert_snapshot;
use serde_json::Value;

use crate::comparisons::with_loans;
use crate::questions::{json, masked, number};
use crate::sandbox::Sandbox;

/// Classifiers of the libraries, with the rows that their fixtures were predicted for.
const MODELS: [(&str, &str); 5] = [
    ("xgboost/bin", "model.json.gz"),
    ("xgboost/softprob", "model.json.gz"),
    ("lightgbm/bin", "model.txt.gz"),
    ("catboost/bin", "model.json.gz"),
    ("scikit_learn/gradient_two", "model.json.gz"),
];

fn people() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.write("people.csv", "age,income,label\n36,10,no\n45,20,yes\n38.5,30,yes\n");
    sandbox
}

#[test]
fn answers_for_people() {
    let sandbox = people();
    let robust = ["robust", "model.json", "people.csv", "--norm", "l1", "--radius", "4", "--label", "label"];
    let robust = sandbox.run([&robust[..], &["--threads", "1"]].concat());
    assert_eq!((robust.code, robust.stderr.as_str()), (Some(1), ""));
    assert_snapshot!("robust", masked(&robust.stdout));
    let closest = sandbox.run(["closest", "model.json", "people.csv", "--norm", "l2", "--threads", "1"]);
    assert_eq!((closest.code, closest.stderr.as_str()), (Some(0), ""));
    assert_snapshot!("closest", masked(&closest.stdout));
}

/// `--scale` divides distances between numbers; prices and counts stay as given.
#[test]
fn only_numbers_are_scaled() {
    let sandbox = with_loans();
    sandbox.write("data.csv", "age,income,status\n50,10,A91\n30,50,A93\n10,,A92\n");
    sandbox.write("row.csv", "age,income,status\n40,5,A91\n");
    let distance = |row: &str, more: &[&str]| {
        let (answer, _) = json(&sandbox, &[&["closest", "price.json", row, "--scale", "std:data.csv"], more].concat());
        let row = &answer["rows"][0];
        assert_eq!(row["verdict"], if row["upper"].is_null() { "infeasible" } else { "optimal" }, "{answer}");
        row["upper"].as_f64()
    };
    let status = ["--output-above", "2.5", "--where", "fixed(age, income)"];
    for norm in ["linf", "l1", "l2"] {
        let with = |more: &[&'static str]| distance("row.csv", &[&status, &["--norm", norm][..], more].concat());
        assert_eq!(with(&["--category-cost", "1"]), Some(1.0), "{norm}");
        assert_eq!(with(&["--category-cost", "1.25", "--weights", "status=3"]), Some(3.75), "{norm}");
        assert_eq!(with(&[]), None, "{norm}: a category stays");
        // An income of 5 adds 0.25, one that is missing 1; its standard deviation is 20.
        let gone = ["--output-above", "2.75", "--norm", norm, "--where", "fixed(age, status) and maybemissing(income)"];
        let gone = |more: &[&'static str]| {
            let conditions = ["--where", "missing(income) or income >= 4"];
            distance("row.csv", &[&gone[..], &conditions, more].concat())
        };
        assert_eq!(gone(&["--missing-cost", "1"]), Some(1.0), "{norm}");
        assert_eq!(gone(&["--missing-cost", "0.5", "--weights", "income=3"]), Some(1.5), "{norm}");
        // A change of the income is divided, and a count of changes is none of them.
        let less = ["--output-above", "2.75", "--norm", norm, "--where", "fixed(age, status)"];
        let apart = distance("row.csv", &less).unwrap();
        assert!((apart - 1.0 / 20.0).abs() < 1e-9, "{norm}: {apart}");
        assert_eq!(distance("row.csv", &[&less[..], &["--where", "distance(l0) <= 0.9"]].concat()), None, "{norm}");
        let one = distance("row.csv", &[&less[..], &["--where", "distance(l0) <= 1"]].concat());
        assert_eq!(one, Some(apart), "{norm}");
    }
}

#[test]
fn several_inputs_change_different_things() {
    let sandbox = people();
    sandbox.copy("xgboost/bin/model.json.gz", "model");
    sandbox.copy("xgboost/bin/rows.npy", "rows.npy");
    let ask = ["closest", "model", "rows.npy", "--norm", "l1", "--threads", "1", "--count", "3", "--rows", "1"];
    let told = sandbox.run(ask);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    assert_snapshot!("count", masked(&told.stdout));
    let (answer, code) = json(&sandbox, &ask);
    assert_eq!(code, Some(0));
    for row in answer["rows"].as_array().unwrap() {
        let witnesses = row["witnesses"].as_array().unwrap();
        assert_eq!((&witnesses[0]["witness"], &witnesses[0]["distance"]), (&row["witness"], &row["upper"]));
        let distances: Vec<f64> = witnesses.iter().map(|witness| number(&witness["distance"])).collect();
        assert!(distances.is_sorted() && distances.len() == 3, "{distances:?}");
    }
    // One feature alone decides there: nothing leaves it unchanged.
    let (only, _) = json(&sandbox, &[&["closest", "model.json", "people.csv"], &ask[3..9]].concat());
    assert!(only["rows"].as_array().unwrap().iter().all(|row| row["witnesses"].as_array().unwrap().len() == 1));
    let none = sandbox.run([&ask[..6], &["--count", "0"]].concat());
    assert_eq!(none.code, Some(2), "{}", none.stderr);
}

#[test]
fn distances_are_to_the_nearest_input() {
    let sandbox = people();
    let ask =
        |args: &[&str]| json(&sandbox, &[&["closest", "model.json", "people.csv", "--threads", "1"], args].concat()).0;
    let distances = |answer: &Value| -> Vec<f64> {
        answer["rows"].as_array().unwrap().iter().map(|row| number(&row["upper"])).collect()
    };
    let below = 40.0_f64.next_down();
    for norm in ["linf", "l2", "l1"] {
        assert_eq!(distances(&ask(&["--norm", norm])), [4.0, 45.0 - below, 1.5], "{norm}");
    }
    assert_eq!(distances(&ask(&["--norm", "l0"])), [1.0, 1.0, 1.0]);
    assert_eq!(distances(&ask(&["--norm", "l1", "--weights", "age=2"])), [8.0, 2.0 * (45.0 - below), 3.0]);
    // The library's own label, at another threshold of the probability: 2.5 and −0.5 are both above.
    let none = ask(&["--norm", "l1", "--threshold", "0.1"]);
    assert!(none["rows"].as_array().unwrap().iter().all(|row| row["verdict"] == "infeasible"), "{none}");
    let up = ask(&["--norm", "l1", "--where", "onlyincrease(age)"]);
    let verdicts: Vec<&str> =
        up["rows"].as_array().unwrap().iter().map(|row| row["verdict"].as_str().unwrap()).collect();
    assert_eq!(verdicts, ["optimal", "infeasible", "optimal"]);
    let counted = ask(&["--norm", "l1", "--where", "atmost(1, age, income)"]);
    assert_eq!(distances(&counted)[0], 14.0, "age becomes 40 and income 0");
    let fixed = ask(&["--norm", "l1", "--where", "fixed(age)"]);
    assert_eq!(number(&fixed["summary"]["infeasible"]), 3.0);
    let target = ask(&["--norm", "l1", "--target", "no"]);
    assert_eq!(distances(&target)[0], 0.0, "it has that label already");
}

/// The nearest input by one norm among those that are not too far away by another.
#[test]
fn other_distances_are_bounded() {
    let sandbox = people();
    let ask = |question: &str, args: &[&str]| -> Vec<(String, Value)> {
        let (answer, _) = json(&sandbox, &[&[question, "model.json", "people.csv", "--threads", "1"], args].concat());
        let rows = answer["rows"].as_array().unwrap();
        rows.iter().map(|row| (row["verdict"].as_str().unwrap().to_owned(), row["upper"].clone())).collect()
    };
    let verdicts = |rows: Vec<(String, Value)>| rows.into_iter().map(|(verdict, _)| verdict).collect::<Vec<_>>();
    // By l1 the rows are 4, a little more than 5 and 1.5 away.
    let closest = |bound: &str| verdicts(ask("closest", &["--norm", "l0", "--where", bound]));
    assert_eq!(closest("distance(l1) <= 4"), ["optimal", "infeasible", "optimal"]);
    assert_eq!(closest("3 >= distance(l2)"), ["infeasible", "infeasible", "optimal"]);
    assert_eq!(closest("distance(linf) <= 5.1 and distance(l0) <= 1"), ["optimal"; 3]);
    assert_eq!(closest("distance(l0) <= 0"), ["infeasible"; 3]);
    let weighted = ["--norm", "l0", "--weights", "age=2", "--where", "distance(l1) <= 4"];
    assert_eq!(verdicts(ask("closest", &weighted)), ["infeasible", "infeasible", "optimal"]);
    let robust = ["--norm", "l0", "--radius", "2", "--where", "distance(linf) <= 4"];
    assert_eq!(verdicts(ask("robust", &robust)), ["violated", "holds", "violated"]);
    let nothing = ["--norm", "l0", "--radius", "2", "--where", "distance(linf) <= -1"];
    assert_eq!(verdicts(ask("robust", &nothing)), ["infeasible"; 3]);
}

/// A condition that excludes the row itself must not look like a proof.
#[test]
fn nothing_is_robust_where_no_input_is_allowed() {
    let sandbox = people();
    let args = ["robust", "model.json", "people.csv", "--norm", "l1", "--radius", "1", "--where", "age > 1000"];
    let (answer, code) = json(&sandbox, &args);
    assert_eq!((code, number(&answer["summary"]["infeasible"])), (Some(4), 3.0), "{answer}");
    assert_eq!(number(&answer["summary"]["holds"]), 0.0, "{answer}");
}

/// Every witness is predicted again, and is as far away as is said.
#[test]
fn witnesses_have_another_label() {
    for (folder, model) in MODELS {
        let sandbox = Sandbox::new();
        sandbox.copy(&format!("{folder}/{model}"), model);
        sandbox.copy(&format!("{folder}/rows.npy"), "rows.npy");
        for norm in ["linf", "l1", "l0"] {
            let args = ["closest", model, "rows.npy", "--norm", norm, "--rows", "4", "--time", "2s"];
            let (answer, _) = json(&sandbox, &args);
            let rows = answer["rows"].as_array().unwrap();
            assert_eq!(rows.len(), 4, "{folder}");
            for row in rows.iter().filter(|row| !row["witness"].is_null()) {
                let witness = row["witness"].as_object().unwrap();
                let names: Vec<&str> = witness.keys().map(String::as_str).collect();
                let text = |value: &Value| value.as_f64().map_or(String::new(), |value| value.to_string());
                let values: Vec<String> = witness.values().map(text).collect();
                sandbox.write("witness.csv", format!("{}\n{}\n", names.join(","), values.join(",")));
                let (predicted, _) = json(&sandbox, &["predict", model, "witness.csv"]);
                let label = &predicted["rows"][0]["label"];
                assert_eq!(*label, row["witness_label"], "{folder} {norm}: {row}");
                assert_ne!(*label, row["label"], "{folder} {norm}: {row}");
                assert!(number(&row["lower"]) <= number(&row["upper"]), "{folder} {norm}: {row}");
                if norm == "l0" {
                    assert_eq!(
                        row["changed"].as_array().unwrap().len() as f64,
                        number(&row["upper"]),
                        "{folder}: {row}"
                    );
                }
                // Nothing nearer exists, and this one does.
                let within = |radius: f64| {
                    let radius = radius.to_string();
                    let args = ["robust", model, "rows.npy", "--norm", norm, "--rows", "4", "--radius", &radius];
                    let (answer, _) = json(&sandbox, &args);
                    answer["rows"][number(&row["row"]) as usize]["verdict"].clone()
                };
                if norm == "linf" && row["verdict"] == "optimal" && row["row"] == 0 {
                    assert_eq!(within(number(&row["upper"])), "violated", "{folder}: {row}");
                    assert_eq!(within(number(&row["lower"]) * 0.999), "holds", "{folder}: {row}");
                }
            }
        }
    }
}

#[test]
fn bad_questions_are_one_line() {
    let sandbox = people();
    let refusal =
        |args: &[&str]| sandbox.refusal([&["closest", "model.json", "people.csv"], args].concat(), &args.join(" "));
    assert_eq!(
        refusal(&["--norm", "l1", "--target", "maybe"]),
        "--target: there is no class `maybe`; there are no, yes"
    );
    assert_eq!(
        refusal(&["--norm", "l1", "--weights", "agee=2"]),
        "--weights: the model has no feature `agee`; did you mean `age`?"
    );
    assert_eq!(
        refusal(&["--norm", "l1", "--weights", "age:2"]),
        "--weights: `age:2` is not of the form NAME=W, such as age=2"
    );
    assert_eq!(
        refusal(&["--norm", "l1", "--output-above", "3", "--target", "yes"]),
        "--target is about labels, and output_above about outputs: give one of them"
    );
    assert_eq!(refusal(&["--norm", "l1", "--class", "yes"]), "--class does not apply to `closest`");
    assert_eq!(
        refusal(&["--norm", "l1", "--weights", "age=-1"]),
        "--weights: the weight of `age` must be a number from 0 on, not `-1`"
    );
    assert!(refusal(&["--norm", "l1", "--where", "fixed(agee)"]).contains("did you mean `age`"));
    assert!(refusal(&["--norm", "l1", "--domain", "none.csv"]).contains("no such file"));
    let robust = sandbox.refusal(["robust", "model.json", "people.csv", "--norm", "l1", "--radius", "-1"], "radius");
    assert_eq!(robust, "--radius must be a number from 0 on");
    sandbox.write("empty.csv", "age,income\n");
    let empty = sandbox.refusal(["closest", "model.json", "empty.csv", "--norm", "l1"], "empty");
    assert_eq!(empty, "empty.csv: there are no rows to ask about");
}

/// The flags are a task like any other, and every row that is answered is a line of the trace.
#[test]
fn a_question_about_rows_is_a_task_with_a_trace() {
    let sandbox = people();
    let args = ["robust", "model.json", "people.csv", "--norm", "l1", "--radius", "4", "--label", "label"];
    let flags = ["--weights", "age=2", "--rows", "2", "--where", "fixed(income)", "--memory", "1GiB"];
    let task = sandbox.run([&args[..], &flags, &["--print-task"]].concat()).answer();
    assert_snapshot!("print_task", task);
    let (answer, code) = json(&sandbox, &[&args[..], &flags, &["--trace", "trace.jsonl"]].concat());
    assert_eq!((code, &answer["verdict"], &answer["question"]), (Some(0), &"holds".into(), &"robust".into()));
    assert_eq!((&answer["unit"], number(&answer["summary"]["rows"])), (&"distance".into(), 2.0));
    let trace = std::fs::read_to_string(sandbox.path("trace.jsonl")).unwrap();
    let lines: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let mut rows: Vec<f64> = lines.iter().map(|line| number(&line["row"])).collect();
    rows.sort_by(f64::total_cmp);
    assert_eq!(rows, [0.0, 1.0], "{trace}");
    assert!(lines.iter().all(|line| line["verdict"] == "holds" && line["num_rows"] == 2), "{trace}");
}

#[test]
fn conditions_that_contradict_each_other_are_an_answer() {
    let sandbox = people();
    let args = ["closest", "model.json", "people.csv", "--norm", "l1", "--where", "age > 3", "--where", "age < 2"];
    let (answer, code) = json(&sandbox, &args);
    assert_eq!((code, &answer["verdict"]), (Some(4), &"infeasible".into()));
    assert_eq!(answer["conflict"], serde_json::json!(["age > 3", "age < 2"]));
}

/// What was answered before Ctrl-C is kept; what was not asked about is counted.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_rows_that_were_answered() {
    let sandbox = crate::questions::with_hard_model();
    let header: Vec<String> = (0..30).map(|index| format!("f{index}")).collect();
    let rows: String = (0..20_000).map(|row| format!("{}\n", vec![(row % 1000).to_string(); 30].join(","))).collect();
    sandbox.write("rows.csv", format!("{}\n{rows}", header.join(",")));
    for question in
        ["closest hard.json rows.csv --norm l2", "fair hard.json rows.csv --protected f0,f1,f2,f3,f4,f5 --class yes"]
    {
        let line = format!("timeout --foreground -s INT 2 $treeproof {question} --json; echo $?");
        let outcome = sandbox.shell(&line);
        let (answer, code) = outcome.stdout.split_once('\n').unwrap();
        let answer: Value = serde_json::from_str(answer).unwrap();
        assert_eq!(code.trim(), "124", "timeout's own code: {}", outcome.stderr);
        let summary = &answer["summary"];
        let asked = answer["rows"].as_array().unwrap().len() as f64;
        assert!(asked > 0.0 && number(&summary["left"]) > 0.0, "{summary}");
        assert_eq!(asked + number(&summary["left"]), 20_000.0, "{summary}");
        assert_eq!(answer["verdict"], "undecided", "{summary}");
    }
}

/// Age by age, twice as far is worth more: every radius finds an input at its edge, and the nearest is after many halvings.
pub(crate) fn doubling() -> String {
    // Split `n` at node `2n`: at least 5120 / 2ⁿ, which is worth 100 − n, or less.
    let (mut left, mut right, mut threshold, mut value) = (vec![], vec![], vec![], vec![]);
    for split in 0..20 {
        left.extend([2 * split + 2, -1]);
        right.extend([2 * split + 1, -1]);
        threshold.extend([5120.0 / f64::from(1 << split), 0.0]);
        value.extend([0.0, f64::from(100 - split)]);
    }
    left.push(-1);
    right.push(-1);
    threshold.push(0.0);
    value.push(-1.0);
    let feature: Vec<i32> = left.iter().map(|left| if *left < 0 { -1 } else { 0 }).collect();
    let tree = format!(
        r#"{{"left":{left:?},"right":{right:?},"feature":{feature:?},"test":"<","threshold":{threshold:?},
            "missing_left":{:?},"output":0,"value":{value:?}}}"#,
        vec![0; left.len()]
    );
    let head = &crate::sandbox::TINY[..crate::sandbox::TINY.find("\"trees\"").unwrap()];
    format!("{head}\"trees\":[{tree}]}}")
}

/// The way of the published search: an interval, or the exact distance where only one is possible.
#[test]
fn the_published_way_gives_intervals_and_whole_distances() {
    let sandbox = people();
    let ask = ["closest", "model.json", "people.csv", "--norm", "linf", "--method", "veritas"];
    let told = sandbox.run(ask);
    assert_eq!((told.code, told.stderr.as_str()), (Some(0), ""));
    assert_snapshot!("closest_veritas", masked(&told.stdout));
    sandbox.write("doubling.json", doubling());
    sandbox.write("zero.csv", "age,income\n0,0\n");
    let ask = ["closest", "doubling.json", "zero.csv", "--norm", "linf", "--method", "veritas", "--epsilon", "1"];
    let told = sandbox.run(ask);
    assert_eq!((told.code, told.stderr.as_str()), (Some(3), ""));
    assert_snapshot!("closest_veritas_steps", masked(&told.stdout));
    let (answer, code) = json(&sandbox, &ask);
    let row = &answer["rows"][0];
    assert_eq!((code, &row["verdict"], &row["stopped"]), (Some(3), &"undecided".into(), &"steps".into()), "{row}");
    // The nearest is 5120 / 2¹⁹.
    assert!(number(&row["lower"]) <= 0.009_765_625 && 0.009_765_625 < number(&row["upper"]), "{row}");
    let (exact, code) = json(&sandbox, &[&ask[..], &["--where", "integer(age)"]].concat());
    let row = &exact["rows"][0];
    assert_eq!((code, number(&row["lower"]), number(&row["upper"])), (Some(0), 1.0, 1.0), "{row}");
    let robust = |radius: &str| {
        let args = ["robust", "doubling.json", "zero.csv", "--norm", "linf", "--method", "veritas", "--radius", radius];
        json(&sandbox, &args)
    };
    let (answer, code) = robust("0.009");
    assert_eq!((code, &answer["rows"][0]["stopped"]), (Some(0), &"optimal".into()), "{answer}");
    assert_eq!(robust("0.01").1, Some(1));
    // The same from a task file.
    let task = sandbox.run([&ask[..], &["--print-task"]].concat()).answer();
    sandbox.write("task.json", &task);
    let (again, code) = json(&sandbox, &["solve", "task.json"]);
    assert_eq!((code, &again["rows"][0]["stopped"]), (Some(3), &"steps".into()), "{task}");
}

#[test]
fn what_the_published_way_cannot_is_refused() {
    let sandbox = people();
    let refusal = |args: &[&str]| {
        let ask = ["closest", "model.json", "people.csv", "--method", "veritas"];
        sandbox.refusal([&ask, args].concat(), &args.join(" "))
    };
    assert_eq!(refusal(&["--norm", "l1"]), "--method `veritas` knows `linf` only: leave it out for `l1`");
    assert_eq!(
        refusal(&["--norm", "linf", "--count", "2"]),
        "--count does not go with the method `veritas`, which finds one input for each row"
    );
    assert_eq!(
        refusal(&["--norm", "linf", "--proof", "proof"]),
        "--proof needs the method `auto`, as the others give no reasons that can be checked: leave out `--method`"
    );
    let several = "--method must be `auto` where a condition is about several features together";
    assert_eq!(refusal(&["--norm", "linf", "--where", "age <= income"]), several);
    assert_eq!(refusal(&["--norm", "linf", "--where", "changed <= 1"]), several);
    assert_eq!(refusal(&["--norm", "linf", "--epsilon", "2"]), "--epsilon must be between 0.001 and 1");
    let merge = ["robust", "model.json", "people.csv", "--norm", "linf", "--radius", "1", "--method", "merge"];
    assert_eq!(sandbox.refusal(merge, "merge"), "--method must be `auto` or `veritas` for `robust`");
}
