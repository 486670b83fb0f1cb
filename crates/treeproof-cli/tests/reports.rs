//! Pages about answers: `--report FILE`, and `treeproof report`. How they look is tested in a browser, by `tests/python`.

use serde_json::Value;

use crate::questions::{json, with_hard_model};
use crate::sandbox::Sandbox;
use crate::tasks::examples;

fn page(sandbox: &Sandbox, name: &str) -> String {
    std::fs::read_to_string(sandbox.path(name)).unwrap()
}

const QUESTIONS: [&[&str]; 15] = [
    &["max", "new.json", "--domain", "people.csv", "--where", "age < 50"],
    &["min", "new.json"],
    &["range", "new.json"],
    &["robust", "new.json", "people.csv", "--norm", "linf", "--radius", "2000", "--label", "outcome"],
    &["closest", "new.json", "people.csv", "--norm", "l1"],
    &["dominant", "new.json", "--baseline", "people.csv:0", "--vary", "*", "--at-most", "2"],
    &["dominant", "new.json", "--baseline", "people.csv:0", "--vary", "*", "--each"],
    &["fair", "new.json", "--protected", "status"],
    &["fair", "new.json", "people.csv", "--protected", "status"],
    &["monotone", "new.json"],
    &["stable", "new.json", "--radius", "1000"],
    &["diff", "old.json", "new.json"],
    &["enumerate", "new.json"],
    &["solve", "raise.json"],
    &["audit", "loans.audit.toml"],
];

#[test]
fn every_question_has_a_page_and_saved_answers_have_the_same() {
    let sandbox = examples();
    for question in QUESTIONS {
        let (answer, code) = json(&sandbox, &[question, &["--report", "page.html"]].concat());
        assert!(matches!(code, Some(0 | 1)), "{question:?}");
        sandbox.write("answer.json", answer.to_string());
        assert_eq!(sandbox.run(["report", "answer.json", "-o", "saved.html"]).answer(), "");
        assert_eq!(page(&sandbox, "page.html"), page(&sandbox, "saved.html"), "{question:?}");
        let html = page(&sandbox, "page.html");
        assert!(html.contains(env!("CARGO_PKG_VERSION")) && html.contains("Proved") && html.contains("Not proved"));
        assert!(html.contains("SHA-256") && html.contains("Reproduce it"), "{question:?}");
        assert!(html.contains("Model new.json") || html.contains("Models "), "{question:?}: of which model");
        assert!(!sandbox.path("page.html.partial").exists());
    }
}

#[test]
fn json_tells_where_an_answer_comes_from() {
    let sandbox = examples();
    let (answer, _) = json(&sandbox, &["diff", "old.json", "new.json", "--where", "age >= 30 and income < 5e4"]);
    let about = &answer["about"];
    assert_eq!(about["command"], "treeproof diff old.json new.json --where 'age >= 30 and income < 5e4' --json");
    assert_eq!(about["task"]["where"][0], "age >= 30 and income < 5e4");
    assert_eq!(about["treeproof"], env!("CARGO_PKG_VERSION"));
    let models = about["models"].as_array().unwrap();
    assert_eq!(models.iter().map(|model| &model["file"]).collect::<Vec<_>>(), ["old.json", "new.json"]);
    for (model, file) in models.iter().zip(["old.json", "new.json"]) {
        let sum = sandbox.shell(&format!("sha256sum {file}")).answer();
        assert_eq!(model["sha256"].as_str(), sum.split(' ').next());
        assert!(model["trees"].is_u64() && model["features_used"].is_u64());
    }
    let last = about["trace"][0]["points"].as_array().unwrap().last().unwrap();
    assert_eq!([&last[1], &last[2]], [&answer["lower"], &answer["upper"]]);
    let (audit, _) = json(&sandbox, &["audit", "loans.audit.toml"]);
    assert_eq!(audit["about"]["parts"].as_array().unwrap().len(), audit["checks"].as_array().unwrap().len());
    assert_eq!(audit["checks"][2]["at_most"], 1.5);
    assert_eq!(audit["checks"][2]["measured"]["upper"], 0.875);
    // A pipe cannot be read a second time, and need not be: what is hashed is what was loaded.
    let sum = sandbox.shell("sha256sum < new.json").answer();
    let piped = sandbox.shell("\"$treeproof\" max <(cat new.json) --json").answer();
    let piped: Value = serde_json::from_str(&piped).unwrap();
    assert_eq!(piped["upper"], 0.875);
    assert_eq!(piped["about"]["models"][0]["sha256"].as_str(), sum.split(' ').next());
}

#[test]
fn several_answers_are_one_page() {
    let sandbox = examples();
    for (name, args) in [("a.json", QUESTIONS[0]), ("b.json", QUESTIONS[4]), ("c.json", QUESTIONS[14])] {
        sandbox.write(name, json(&sandbox, args).0.to_string());
    }
    // One that was made by hand, or long ago.
    sandbox.write("d.json", r#"{"question": "max", "verdict": "optimal", "lower": 2.5, "upper": 2.5}"#);
    sandbox.run(["report", "a.json", "b.json", "c.json", "d.json", "-o", "all.html"]).answer();
    let html = page(&sandbox, "all.html");
    assert!(html.contains("<h1>4 answers</h1>") && html.contains("The largest margin is 2.5: proved."));
    for link in ["#a1", "#a2", "#a3", "#a4", "#a3-1", "#a3-5"] {
        assert!(
            html.contains(&format!("href=\"{link}\"")) && html.contains(&format!("id=\"{}\"", &link[1..])),
            "{link}"
        );
    }
}

#[test]
fn a_limit_leaves_a_page_that_says_what_is_known() {
    let sandbox = with_hard_model();
    let (answer, code) = json(&sandbox, &["max", "hard.json", "--time", "50ms", "--report", "page.html"]);
    assert_eq!((code, &answer["verdict"]), (Some(3), &"undecided".into()));
    let html = page(&sandbox, "page.html");
    assert!(html.contains(": the time was up.") && !html.contains(": proved."));
    assert!(html.contains("Whether some input has a margin between "));
}

#[test]
fn interrupts_leave_a_page_too() {
    let sandbox = with_hard_model();
    let line = "timeout --signal INT 1 \"$treeproof\" max hard.json --time 60s --report page.html";
    let outcome = sandbox.shell(line);
    assert_eq!(outcome.stderr, "");
    assert!(page(&sandbox, "page.html").contains(": the search was interrupted."));
}

#[test]
fn what_cannot_be_written_or_read_is_one_line() {
    let sandbox = examples();
    let refusal = |args: &[&str]| sandbox.refusal(args, &args.join(" "));
    assert_eq!(
        refusal(&["max", "new.json", "--report", "no/page.html"]),
        "no/page.html: there is no folder no; make it first"
    );
    assert_eq!(refusal(&["max", "new.json", "--report", "."]), ".: is a directory; name a file in it");
    assert_eq!(
        refusal(&["max", "new.json", "--domain", "people.csv", "--report", "./people.csv"]),
        "--report: ./people.csv is a file that is read; name another one"
    );
    assert_eq!(
        refusal(&["audit", "loans.audit.toml", "--report", "loans.audit.toml"]),
        "--report: loans.audit.toml is a file that is read; name another one"
    );
    let robust = [
        "robust",
        "new.json",
        "people.csv",
        "--norm",
        "l1",
        "--radius",
        "1",
        "--scale",
        "std:old.csv",
        "--report",
        "old.csv",
    ];
    sandbox.write("old.csv", std::fs::read_to_string(sandbox.path("people.csv")).unwrap());
    assert_eq!(refusal(&robust), "--report: old.csv is a file that is read; name another one");
    let dominant = ["dominant", "new.json", "--baseline", "old.csv:0", "--vary", "*", "--report", "old.csv"];
    assert_eq!(refusal(&dominant), "--report: old.csv is a file that is read; name another one");
    sandbox.write("max.json", r#"{"treeproof": 1, "question": "max", "model": "new.json"}"#);
    assert_eq!(
        refusal(&["solve", "max.json", "--report", "max.json"]),
        "--report: max.json is a file that is read; name another one"
    );
    let report = |file: &str| refusal(&["report", file, "-o", "page.html"]);
    assert_eq!(report("none.json"), "none.json: no such file");
    assert_eq!(report("."), ".: is a directory, not an answer");
    assert!(report("people.csv").starts_with("people.csv: is not JSON: expected value at line 1"));
    assert_eq!(
        report("new.json"),
        "new.json: is not an answer of treeproof: it has no `question` and `verdict`; save what --json prints"
    );
    sandbox.write("inspect.json", sandbox.run(["inspect", "new.json", "--json"]).answer());
    assert_eq!(
        report("inspect.json"),
        "inspect.json: is an answer to `inspect`, of which there is no page: nothing is proved by it"
    );
    sandbox.write("nested.json", "[".repeat(100_000));
    assert!(report("nested.json").contains("recursion limit exceeded"));
    sandbox.write("own.json", json(&sandbox, QUESTIONS[1]).0.to_string());
    assert_eq!(
        refusal(&["report", "own.json", "-o", "own.json"]),
        "--output: own.json is a file that is read; name another one"
    );
    assert!(!sandbox.path("page.html").exists());
}
