//! `enumerate`: answers as snapshots, and what must hold of every list.

use insta::assert_snapshot;
use serde_json::Value;

use crate::questions::{MODELS, json, masked, number, with_hard_model};
use crate::sandbox::Sandbox;

/// The conditions shown for one configuration.
fn conditions(text: &str, place: usize) -> Vec<&str> {
    // The last column, which begins where its name does; the lines of a configuration begin with its place.
    let column = text.lines().find_map(|line| line.find("  inputs")).expect("a table") + 2;
    let lines = text.lines().skip_while(|line| !line.starts_with(&format!("{place} ")));
    let rest = lines.enumerate().take_while(|(line, text)| *line == 0 || text.starts_with(' '));
    rest.map(|(_, line)| &line[column..]).collect()
}

#[test]
fn lists_for_people() {
    let sandbox = Sandbox::with_model();
    let run = |args: &[&str]| masked(&sandbox.run(args).answer());
    assert_snapshot!("all", run(&["enumerate", "model.json"]));
    assert_snapshot!(
        "where",
        run(&["enumerate", "model.json", "--where", "age <= 50 and maybemissing(age) and income > 3"])
    );
    assert_snapshot!("none_above", run(&["enumerate", "model.json", "--above", "2.5"]));
    assert_snapshot!("only_one_above", run(&["enumerate", "model.json", "--above", "-0.5"]));
    assert_snapshot!(
        "print_task",
        run(&["enumerate", "model.json", "--above", "-1", "--memory", "1GiB", "--print-task"])
    );
    for (name, fixture, flags) in MODELS {
        sandbox.copy(fixture, "model");
        assert_snapshot!(format!("top_{name}"), run(&[&["enumerate", "model", "--top", "2"], flags].concat()));
    }
}

#[test]
fn a_list_as_json() {
    let sandbox = Sandbox::new();
    sandbox.copy("lightgbm/frame_categories/model.txt.gz", "model");
    let (mut answer, code) = json(&sandbox, &["enumerate", "model", "--top", "2", "--where", "maybemissing(number)"]);
    assert_eq!(code, Some(0));
    answer["seconds"] = 0.into();
    answer["stats"] = "masked".into();
    answer.as_object_mut().unwrap().remove("about");
    assert_snapshot!("list_json", serde_json::to_string_pretty(&answer).unwrap());
}

#[test]
fn lists_are_in_order_and_begin_with_the_maximum() {
    for (name, fixture, flags) in MODELS {
        let sandbox = Sandbox::new();
        sandbox.copy(fixture, "model");
        let (max, _) = json(&sandbox, &[&["max", "model"], flags].concat());
        let (list, code) = json(&sandbox, &[&["enumerate", "model"], flags].concat());
        assert_eq!(
            (code, &list["verdict"], &list["stopped"]),
            (Some(0), &"optimal".into(), &"optimal".into()),
            "{name}"
        );
        let regions = list["regions"].as_array().unwrap();
        let lowers: Vec<f64> = regions.iter().map(|region| number(&region["lower"])).collect();
        assert_eq!(lowers[0], number(&max["lower"]), "{name}");
        assert!(lowers.is_sorted_by(|a, b| a >= b), "{name}");
        let others = list["others_at_most"].as_f64().unwrap_or(f64::NEG_INFINITY);
        assert!(others <= number(&regions[regions.len() - 1]["upper"]).next_up(), "{name}");
        for (place, region) in regions.iter().enumerate() {
            assert!((number(&region["output"]) - lowers[place]).abs() <= number(&region["rounding"]) + 1e-12, "{name}");
            assert!(!regions[..place].iter().any(|other| other["domain"] == region["domain"]), "{name}: twice");
        }
        let middle = lowers[regions.len() / 2].to_string();
        let (above, _) = json(&sandbox, &[&["enumerate", "model", "--above", &middle], flags].concat());
        let above = above["regions"].as_array().unwrap();
        assert!(above.iter().all(|region| number(&region["upper"]) > lowers[regions.len() / 2]), "{name}");
        assert_eq!(above[..], regions[..above.len()], "{name}");
    }
}

/// In the conditions of a configuration, the model has no other output.
#[test]
fn shown_conditions_can_be_asked_with() {
    let sandbox = Sandbox::new();
    for fixture in ["xgboost/bin/model.json.gz", "catboost/bin/model.json.gz", "xgboost/frame_categories/model.json.gz"]
    {
        sandbox.copy(fixture, "model");
        let text = sandbox.run(["enumerate", "model", "--top", "3"]).answer();
        let (list, _) = json(&sandbox, &["enumerate", "model", "--top", "3"]);
        for place in 0..3 {
            let region = &list["regions"][place];
            let mut args = vec!["range", "model"];
            conditions(&text, place + 1).into_iter().for_each(|condition| args.extend(["--where", condition]));
            let (range, _) = json(&sandbox, &args);
            assert_eq!((&range["lower"], &range["upper"]), (&region["lower"], &region["upper"]), "{fixture}: {args:?}");
        }
    }
}

#[test]
fn limits_end_a_list_with_a_bound_of_the_rest() {
    let sandbox = with_hard_model();
    let (list, code) = json(&sandbox, &["enumerate", "hard.json", "--time", "300ms", "--trace", "trace.jsonl"]);
    assert_eq!((code, &list["verdict"], &list["stopped"]), (Some(3), &"undecided".into(), &"time".into()));
    let (max, _) = json(&sandbox, &["max", "hard.json", "--time", "300ms"]);
    assert!(number(&list["others_at_most"]) >= number(&max["lower"]));
    let trace = std::fs::read_to_string(sandbox.path("trace.jsonl")).unwrap();
    let events: Vec<Value> = trace.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(!events.is_empty() && events.iter().all(|event| event["found"] == 0));
    let uppers: Vec<f64> = events.iter().map(|event| number(&event["upper"])).collect();
    assert!(uppers.is_sorted_by(|a, b| a >= b));
    let (list, code) = json(&sandbox, &["enumerate", "hard.json", "--memory", "1MB"]);
    assert_eq!((code, &list["stopped"]), (Some(3), &"memory".into()));
    let text = sandbox.run(["enumerate", "hard.json", "--time", "100ms"]).stdout;
    assert!(
        text.starts_with("No output configuration is certain yet: the time was up (--time gives more).\n"),
        "{text}"
    );
}

#[test]
fn lists_that_cannot_be_asked_for() {
    let sandbox = Sandbox::with_model();
    let refusal = |args: &[&str]| sandbox.refusal([&["enumerate", "model.json"], args].concat(), &args.join(" "));
    assert_eq!(
        refusal(&["--top", "0"]),
        "invalid value `0` for `--top <K>`: expected an integer from 1 to 1000000 (see treeproof enumerate --help)"
    );
    assert_eq!(refusal(&["--above", "nan"]), "--above is not a finite number");
    assert_eq!(refusal(&["--method", "merge"]), "unknown flag `--method` (see treeproof enumerate --help)");
    assert!(refusal(&["--gap", "1"]).starts_with("unknown flag `--gap`"));
    let outcome = sandbox.run(["enumerate", "model.json", "--where", "age > 30", "--where", "age < 20"]);
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(4), ""));
    sandbox.copy("xgboost/softprob/model.json.gz", "classes");
    let line = sandbox.refusal(["enumerate", "classes"], "no class");
    assert!(line.contains("say with --class which is meant"), "{line}");
}
