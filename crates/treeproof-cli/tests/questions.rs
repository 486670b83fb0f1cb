//! `max`, `min` and `range`: answers as snapshots, and what must hold of every answer on every library's models.

use insta::assert_snapshot;
use serde_json::Value;

use crate::sandbox::{Outcome, Sandbox, TINY};

/// One model of each library.
pub(crate) const MODELS: [(&str, &str, &[&str]); 8] = [
    ("xgboost", "xgboost/bin/model.json.gz", &[]),
    ("xgboost_classes", "xgboost/softprob/model.json.gz", &["--class", "2"]),
    ("xgboost_categories", "xgboost/frame_categories/model.json.gz", &[]),
    ("lightgbm", "lightgbm/frame_categories/model.txt.gz", &[]),
    ("lightgbm_zero", "lightgbm/zero_missing/model.txt.gz", &[]),
    ("catboost", "catboost/bin/model.json.gz", &[]),
    ("scikit_learn", "scikit_learn/histogram_category/model.json.gz", &[]),
    ("onnx", "onnx/reg_base/model.onnx.gz", &[]),
];

fn ask(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    sandbox.run(args)
}

/// The answer as JSON, and the exit code.
#[track_caller]
pub(crate) fn json(sandbox: &Sandbox, args: &[&str]) -> (Value, Option<i32>) {
    let outcome = ask(sandbox, &[args, &["--json"]].concat());
    assert_eq!(outcome.stderr, "", "{args:?}");
    (serde_json::from_str(&outcome.stdout).unwrap(), outcome.code)
}

/// An answer without what depends on the machine and on the order of the search.
pub(crate) fn masked(text: &str) -> String {
    let mask = |line: &str| if line.starts_with("time ") { "time         …".to_owned() } else { line.to_owned() };
    text.lines().map(|line| mask(line) + "\n").collect()
}

pub(crate) fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Random trees over many features: minutes of work, but bounds at once.
fn hard_model() -> String {
    let mut state = 12345_u64;
    let mut random = move |limit: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % limit
    };
    let tree = |random: &mut dyn FnMut(u64) -> u64| {
        let inner = 63;
        let column = |of: &mut dyn FnMut(usize) -> i64| (0..127).map(of).collect::<Vec<i64>>();
        let left = column(&mut |node| if node < inner { 2 * node as i64 + 1 } else { -1 });
        let right = column(&mut |node| if node < inner { 2 * node as i64 + 2 } else { -1 });
        let feature = column(&mut |node| if node < inner { random(30) as i64 } else { -1 });
        let threshold = column(&mut |_| random(1000) as i64);
        let value: Vec<f64> = (0..127).map(|_| random(2001) as f64 / 1000.0 - 1.0).collect();
        format!(
            r#"{{"left":{left:?},"right":{right:?},"feature":{feature:?},"test":"<","threshold":{threshold:?},
                "missing_left":{:?},"output":0,"value":{value:?}}}"#,
            [0; 127]
        )
    };
    let trees: Vec<String> = (0..150).map(|_| tree(&mut random)).collect();
    model_of(30, &trees)
}

/// A model of these trees, of which each feature is a number.
fn model_of(num_features: usize, trees: &[String]) -> String {
    let name = |index: usize| format!("{{\"name\":\"f{index}\",\"kind\":\"numeric\"}}");
    let names: Vec<String> = (0..num_features).map(name).collect();
    let two = r#"[{"name": "age", "kind": "numeric"}, {"name": "income", "kind": "numeric"}]"#;
    let head = &TINY[..TINY.find("\"trees\"").unwrap()];
    format!("{}\"trees\":[{}]}}", head.replace(two, &format!("[{}]", names.join(","))), trees.join(","))
}

pub(crate) fn with_hard_model() -> Sandbox {
    let sandbox = Sandbox::new();
    sandbox.write("hard.json", hard_model());
    sandbox
}

#[test]
fn answers_for_people() {
    let sandbox = Sandbox::with_model();
    let run = |args: &[&str]| masked(&ask(&sandbox, args).answer());
    assert_snapshot!("max", run(&["max", "model.json"]));
    assert_snapshot!("min_where", run(&["min", "model.json", "--where", "age >= 41 and 1 < income < 3"]));
    assert_snapshot!("range", run(&["range", "model.json"]));
    assert_snapshot!(
        "print_task",
        run(&["max", "model.json", "--where", "age < 3", "--gap", "1%", "--memory", "1GiB", "--print-task"])
    );
    for (name, fixture, flags) in MODELS {
        sandbox.copy(fixture, "model");
        let answer = run(&[&["range", "model"], flags].concat());
        // The input may be another one of the same output, but these lines may not change.
        let lines = answer.lines().filter(|line| line.starts_with("The ") || line.starts_with("bounds"));
        assert_snapshot!(format!("range_{name}"), lines.map(|line| format!("{line}\n")).collect::<String>());
    }
}

/// Of many features those that are 0 tell least.
#[test]
fn zeros_are_not_listed() {
    let tree = |feature: usize| {
        let above = if [3, 7].contains(&feature) { 1 } else { -1 };
        format!(
            r#"{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [{feature}, -1, -1], "test": "<",
                "threshold": [0.5, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, 0, {above}]}}"#
        )
    };
    let sandbox = Sandbox::new();
    let trees: Vec<String> = (0..20).map(tree).collect();
    sandbox.write("words.json", model_of(20, &trees));
    assert_snapshot!("max_zeros", masked(&sandbox.run(["max", "words.json"]).answer()));
}

/// File names are whatever the system allows.
#[cfg(target_os = "linux")]
#[test]
fn file_names_that_are_no_text() {
    use std::ffi::{OsStr, OsString};
    use std::os::unix::ffi::OsStrExt;
    let sandbox = crate::tasks::examples();
    let odd = |name: &str| OsString::from_iter([OsStr::from_bytes(b"\xff"), OsStr::new(name)]);
    for name in ["new.json", "old.json", "people.csv", "named.json"] {
        sandbox.write(odd(name), std::fs::read(sandbox.path(name)).unwrap());
    }
    let answer = |args: &[&str], named: &dyn Fn(&str) -> OsString| {
        let args = args.iter().map(|arg| if arg.contains('.') { named(arg) } else { OsString::from(arg) });
        let args: Vec<OsString> = args.collect();
        let mut answer: Value = serde_json::from_str(&sandbox.run(&args).stdout).unwrap();
        answer.as_object_mut().unwrap().retain(|name, _| ["lower", "upper", "verdict"].contains(&name.as_str()));
        answer
    };
    for args in [
        &["max", "new.json", "--domain", "people.csv", "--json"][..],
        &["diff", "new.json", "old.json", "--json"],
        &["fair", "new.json", "people.csv", "--protected", "status", "--json"],
        &["closest", "new.json", "people.csv", "--norm", "l1", "--json"],
        &["solve", "named.json", "--json"],
    ] {
        assert_eq!(answer(args, &odd), answer(args, &|name| name.into()), "{args:?}");
    }
    let line = sandbox.refusal([OsStr::new("max"), &odd("new.json"), OsStr::new("--print-task")], "a task is text");
    assert_eq!(line, "--print-task: path contains invalid UTF-8 characters");
    let line = sandbox.refusal([OsStr::new("max"), &odd("none.json")], "no such file");
    assert_eq!(line, "\u{fffd}none.json: no such file");
}

#[test]
fn an_answer_as_json() {
    let sandbox = Sandbox::with_model();
    let (mut answer, code) = json(&sandbox, &["max", "model.json"]);
    assert_eq!(code, Some(0));
    assert!(number(&answer["seconds"]) >= 0.0 && answer["stats"]["regions"].is_u64());
    answer["seconds"] = 0.into();
    answer["stats"] = "masked".into();
    answer.as_object_mut().unwrap().remove("about");
    assert_snapshot!("max_json", serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn a_witness_is_what_the_library_computes() {
    for (name, fixture, flags) in MODELS {
        let sandbox = Sandbox::new();
        sandbox.copy(fixture, "model");
        let (answer, _) = json(&sandbox, &[&["range", "model"], flags].concat());
        for part in [&answer["min"], &answer["max"]] {
            assert_eq!(part["verdict"], "optimal", "{name}");
            let (lower, upper) = (number(&part["lower"]), number(&part["upper"]));
            assert!(lower <= upper && upper - lower <= 1e-12 * upper.abs().max(1.0), "{name}: {part}");
            assert!((number(&part["output"]) - upper).abs() <= number(&part["rounding"]) + 1e-12, "{name}: {part}");
            let witness = part["witness"].as_object().unwrap();
            let (names, values): (Vec<&String>, Vec<String>) = witness
                .iter()
                .map(|(feature, value)| match value {
                    Value::Null => (feature, String::new()),
                    Value::String(text) => (feature, text.clone()),
                    value => (feature, value.to_string()),
                })
                .unzip();
            let header: Vec<&str> = names.iter().map(|name| name.as_str()).collect();
            sandbox.write("rows.csv", format!("{}\n{}\n", header.join(","), values.join(",")));
            let (predicted, _) = json(&sandbox, &["predict", "model", "rows.csv"]);
            let margin = &predicted["rows"][0]["margin"];
            let class = flags.last().map_or(0, |class| class.parse().unwrap());
            let margin = margin.get(class).unwrap_or(margin);
            assert_eq!(margin, &part["output"], "{name}: {}", part["witness"]);
        }
        assert!(number(&answer["lower"]) <= number(&answer["upper"]));
    }
}

#[test]
fn conditions_confine_the_witness() {
    let sandbox = Sandbox::with_model();
    let max = |condition: &str| json(&sandbox, &["max", "model.json", "--where", condition]).0;
    assert_eq!(max("age < 40")["upper"], -0.5, "the largest f64 below 40 still goes left");
    assert_eq!(max("age <= 40")["witness"]["age"], 40.0);
    assert_eq!(max("age == 17 and income == -3")["witness"], serde_json::json!({"age": 17.0, "income": -3.0}));
    let missing = max("missing(age)");
    assert_eq!((&missing["witness"]["age"], &missing["upper"]), (&Value::Null, &(-0.5).into()));
    let (maybe, _) = json(&sandbox, &["min", "model.json", "--where", "maybemissing(age) and f0 > 50"]);
    assert_eq!((&maybe["witness"]["age"], &maybe["lower"]), (&Value::Null, &(-0.5).into()));
}

#[test]
fn categories_are_named() {
    let sandbox = Sandbox::new();
    sandbox.copy("xgboost/frame_categories/model.json.gz", "model");
    let (all, _) = json(&sandbox, &["max", "model"]);
    assert!(all["witness"]["text"].is_string(), "{all}");
    let (some, _) = json(&sandbox, &["max", "model", "--where", "text in {w, x}"]);
    assert!(["w", "x"].contains(&some["witness"]["text"].as_str().unwrap()));
    assert!(number(&some["upper"]) <= number(&all["upper"]));
    let line = sandbox.refusal(["max", "model", "--where", "text in {w, qqq}"], "no category");
    assert!(
        line.starts_with("--where: in `text in {w, qqq}`, character 13: feature `text` has no category `qqq`"),
        "{line}"
    );
}

#[test]
fn what_cannot_be_met_is_infeasible() {
    let sandbox = Sandbox::with_model();
    let outcome =
        ask(&sandbox, &["max", "model.json", "--where", "age > 30", "--where", "age < 20", "--where", "income < 1"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(4), ""));
    assert_eq!(outcome.stdout, "Nothing meets the conditions: `age > 30` and `age < 20` exclude each other.\n");
    let (answer, code) = json(&sandbox, &["max", "model.json", "--where", "missing(age)", "--where", "age < 20"]);
    assert_eq!((code, &answer["verdict"], &answer["upper"]), (Some(4), &"infeasible".into(), &Value::Null));
    let (answer, code) = json(&sandbox, &["max", "model.json", "--missing-value", "0", "--where", "age == 0"]);
    assert_eq!(code, Some(4), "zero is missing, and missing is not allowed: {answer}");
    sandbox.write("people.csv", "age,income\n20,1\n30,2\n");
    let (answer, code) = json(&sandbox, &["max", "model.json", "--domain", "people.csv", "--where", "age > 40"]);
    assert_eq!((code, &answer["conflict"]), (Some(4), &serde_json::json!(["age > 40", "--domain people.csv"])));
}

#[test]
fn a_domain_confines_to_what_occurs() {
    let sandbox = Sandbox::with_model();
    sandbox.write("people.csv", "age,income\n20,1\n30,2\n");
    let (answer, _) = json(&sandbox, &["max", "model.json", "--domain", "people.csv"]);
    assert_eq!(answer["upper"], -0.5);
    let (age, income) = (number(&answer["witness"]["age"]), number(&answer["witness"]["income"]));
    assert!((20.0..=30.0).contains(&age) && (1.0..=2.0).contains(&income));
    sandbox.write("people.csv", "age,income\n50,1\n,2\n60,1\n");
    let (answer, _) = json(&sandbox, &["min", "model.json", "--domain", "people.csv"]);
    assert_eq!((&answer["witness"]["age"], &answer["lower"]), (&Value::Null, &(-0.5).into()));
    sandbox.write("people.csv", "age,income\n");
    let line = sandbox.refusal(["max", "model.json", "--domain", "people.csv"], "no rows");
    assert_eq!(line, "people.csv: there are no rows to take a domain from");
}

#[test]
fn limits_end_a_search_with_valid_bounds() {
    let sandbox = with_hard_model();
    let (answer, code) = json(&sandbox, &["max", "hard.json", "--time", "300ms", "--trace", "trace.jsonl"]);
    assert_eq!((code, &answer["verdict"], &answer["stopped"]), (Some(3), &"undecided".into(), &"time".into()));
    let (lower, upper) = (number(&answer["lower"]), number(&answer["upper"]));
    assert!(lower < upper && answer["witness"].is_object());
    let trace = std::fs::read_to_string(sandbox.path("trace.jsonl")).unwrap();
    let events: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!events.is_empty());
    for pair in events.windows(2) {
        let bound = |event: &Value, which: &str, unknown: f64| event[which].as_f64().unwrap_or(unknown);
        assert!(bound(&pair[0], "lower", f64::NEG_INFINITY) <= bound(&pair[1], "lower", f64::NEG_INFINITY));
        assert!(bound(&pair[0], "upper", f64::INFINITY) >= bound(&pair[1], "upper", f64::INFINITY));
    }
    let (answer, code) = json(&sandbox, &["max", "hard.json", "--gap", "1000%"]);
    assert_eq!((code, &answer["verdict"], &answer["stopped"]), (Some(0), &"optimal".into(), &"target".into()));
    let (answer, code) = json(&sandbox, &["max", "hard.json", "--stop-above", "-1000"]);
    assert_eq!((code, &answer["verdict"], &answer["stopped"]), (Some(0), &"undecided".into(), &"target".into()));
    let (answer, _) = json(&sandbox, &["min", "hard.json", "--stop-below", "1000"]);
    assert_eq!(answer["stopped"], "target");
    let (answer, code) = json(&sandbox, &["max", "hard.json", "--memory", "1kB"]);
    assert_eq!((code, &answer["stopped"]), (Some(3), &"memory".into()));
}

/// Whatever the method, the bounds are valid; where it comes to an end, they are the same.
#[test]
fn all_methods_answer() {
    let sandbox = Sandbox::new();
    let mut ended = 0;
    for (name, fixture, flags) in MODELS {
        sandbox.copy(fixture, "model");
        let ask = |method: &[&str]| json(&sandbox, &[&["max", "model", "--time", "1s"], flags, method].concat()).0;
        let best = ask(&[]);
        for method in [
            &["--method", "merge"][..],
            &["--method", "veritas"],
            &["--method", "veritas", "--epsilon", "1"],
            &["--method", "veritas", "--epsilon", "0.05"],
        ] {
            let answer = ask(method);
            let upper = number(&answer["upper"]);
            assert!(upper >= number(&best["lower"]), "{name}, {method:?}: {answer}");
            assert!(answer["lower"].as_f64().is_none_or(|lower| lower <= number(&best["upper"])), "{name}: {answer}");
            assert!(["optimal", "time"].contains(&answer["stopped"].as_str().unwrap()), "{name}: {answer}");
            if answer["verdict"] == "optimal" {
                ended += 1;
                assert_eq!((&answer["lower"], &answer["upper"]), (&best["lower"], &best["upper"]), "{name}: {answer}");
            }
        }
    }
    assert!(ended >= 16, "{ended} of 32");
    let hard = with_hard_model();
    for method in ["veritas", "merge"] {
        let (answer, code) = json(&hard, &["max", "hard.json", "--method", method, "--memory", "8MB"]);
        assert_eq!((code, &answer["stopped"]), (Some(3), &"memory".into()), "{method}");
        let clock = std::time::Instant::now();
        let (answer, code) = json(&hard, &["max", "hard.json", "--method", method, "--time", "300ms"]);
        assert_eq!((code, &answer["stopped"]), (Some(3), &"time".into()), "{method}");
        assert!(clock.elapsed().as_secs_f64() < 3.0, "{method}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_prints_what_is_known() {
    let sandbox = with_hard_model();
    let outcome = sandbox.shell("timeout --foreground -s INT 2 $treeproof max hard.json --json --time 60s; echo $?");
    let (answer, code) = outcome.stdout.split_once('\n').unwrap();
    let answer: Value = serde_json::from_str(answer).unwrap();
    assert_eq!(answer["stopped"], "interrupted");
    assert!(number(&answer["lower"]) < number(&answer["upper"]));
    assert_eq!(code.trim(), "124", "timeout's own code: {}", outcome.stderr);
}

/// Some send the signal to a process and to its group: that is one Ctrl-C.
#[cfg(unix)]
#[test]
fn two_interrupts_at_once_are_one() {
    let sandbox = with_hard_model();
    let twice = "$treeproof max hard.json --json --time 60s & sleep 1; kill -INT $!; kill -INT $!; wait $!; echo $?";
    let outcome = sandbox.shell(&format!("set -m; {twice}"));
    let (answer, code) = outcome.stdout.split_once('\n').unwrap_or_default();
    let answer: Value = serde_json::from_str(answer).expect(&outcome.stderr);
    assert_eq!((&answer["stopped"], code.trim()), (&Value::from("interrupted"), "3"));
}

/// While files are read there is no answer so far: one line says so, and the command ends.
#[cfg(unix)]
#[test]
fn an_interrupt_while_files_are_read_ends_the_command() {
    let sandbox = Sandbox::with_model();
    // Nobody writes to the pipe: it is read for ever.
    for command in ["max pipe.json", "inspect pipe.json", "predict model.json pipe.csv", "check pipe.proof model.json"]
    {
        let pipe = command.split(' ').find(|word| word.starts_with("pipe")).unwrap();
        let script =
            format!("set -m; mkfifo {pipe}; $treeproof {command} & sleep 1; kill -INT $!; wait $!; echo $?; rm {pipe}");
        let outcome = sandbox.shell(&script);
        assert_eq!(outcome.stdout, "130\n", "{command}: {}", outcome.stderr);
        assert!(outcome.stderr.contains("treeproof: interrupted: nothing is known yet\n"), "{}", outcome.stderr);
    }
}

#[test]
fn questions_that_cannot_be_asked() {
    let sandbox = Sandbox::with_model();
    let refusal = |args: &[&str]| sandbox.refusal(args, &args.join(" "));
    assert_eq!(
        refusal(&["max", "model.json", "--where", "agee > 3"]),
        "--where: in `agee > 3`, character 1: the model has no feature `agee`; did you mean `age`?"
    );
    assert_eq!(
        refusal(&["max", "model.json", "--where", "age*income == 5"]),
        "--where: in `age*income == 5`, character 5: a product of features is not linear"
    );
    assert_eq!(
        refusal(&["max", "model.json", "--class", "maybe"]),
        "model.json: the model has no class `maybe`; it has no, yes"
    );
    assert!(refusal(&["max", "model.json", "--class", "no"]).contains("ask min for max"));
    assert_eq!(
        refusal(&["max", "model.json", "--method", "milp"]),
        "`--method <METHOD>` must be auto or veritas or merge, not `milp` (see treeproof max --help)"
    );
    assert_eq!(refusal(&["max", "model.json", "--epsilon", "0.5"]), "--epsilon is for the method `veritas` only");
    for bad in ["0", "1.01", "-1", "nan"] {
        let line = refusal(&["max", "model.json", "--method", "veritas", "--epsilon", bad]);
        assert_eq!(line, "--epsilon must be between 0.001 and 1");
    }
    assert!(refusal(&["max", "model.json", "--time", "soon"]).contains("not a time such as 500ms"));
    assert!(refusal(&["max", "model.json", "--trace", "no/such/file"]).starts_with("no/such/file: "));
    for (fixture, what) in [
        ("scikit_learn/ada_regressor/model.json.gz", "weighted median"),
        ("onnx/reg_max/model.onnx.gz", "maximum of its trees"),
        ("xgboost/softprob/model.json.gz", "say with --class which is meant (0, 1, 2, 3)"),
    ] {
        sandbox.copy(fixture, "other");
        let line = refusal(&["max", "other"]);
        assert!(line.starts_with("other: the model ") && line.contains(what), "{line}");
    }
}
