//! `--proof` and `check`: what is valid, what is not, and files that are none.

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::comparisons::with_loans;
use crate::questions::masked;
use crate::sandbox::{Sandbox, TINY};

/// What `check` prints, and its exit code.
fn check(sandbox: &Sandbox, args: &[&str]) -> (Option<i32>, String) {
    let outcome = sandbox.run([&["check"], args].concat());
    assert_eq!(outcome.stderr, "", "{args:?}");
    (outcome.code, masked(&outcome.stdout))
}

fn ask(sandbox: &Sandbox, args: &[&str]) {
    let outcome = sandbox.run(args);
    assert!(matches!(outcome.code, Some(0 | 1)) && outcome.stderr.is_empty(), "{args:?}: {}", outcome.stderr);
}

#[test]
fn proofs_of_questions_are_valid() {
    let sandbox = with_loans();
    sandbox.write("other.json", TINY);
    let questions: [(&str, &[&str]); 6] = [
        ("max", &["max", "loans.json", "--where", "age < 50"]),
        ("min", &["min", "loans.json"]),
        ("range", &["range", "loans.json"]),
        ("diff", &["diff", "loans.json", "loans.json"]),
        ("monotone", &["monotone", "loans.json", "--feature", "age"]),
        ("fair", &["fair", "loans.json", "--protected", "status"]),
    ];
    for (name, question) in questions {
        ask(&sandbox, &[question, &["--proof", "a.proof"]].concat());
        let models: &[&str] = if name == "diff" { &["loans.json", "loans.json"] } else { &["loans.json"] };
        let (code, text) = check(&sandbox, &[&["a.proof"], models].concat());
        assert_eq!(code, Some(0), "{name}: {text}");
        assert_snapshot!(format!("valid_{name}"), text);
    }
    let (_, text) = check(&sandbox, &["a.proof", "loans.json", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((&answer["question"], &answer["verdict"]), (&json!("check"), &json!("valid")));
}

#[test]
fn a_proof_of_something_else_is_invalid() {
    let sandbox = with_loans();
    sandbox.write("other.json", TINY);
    ask(&sandbox, &["max", "loans.json", "--proof", "a.proof"]);
    let invalid = |name: &str, models: &[&str]| {
        let (code, text) = check(&sandbox, &[&[name], models].concat());
        assert_eq!(code, Some(1), "{text}");
        text
    };
    assert_snapshot!(invalid("a.proof", &["other.json"]), @"invalid: it is about another model: other.json is not the file that was asked about");
    assert_snapshot!(invalid("a.proof", &["loans.json", "other.json"]), @"invalid: it is about 1 models, not 2");
    let proof = std::fs::read(sandbox.path("a.proof")).unwrap();
    for at in [0, 30, proof.len() / 2, proof.len() - 1] {
        let mut changed = proof.clone();
        changed[at] ^= 4;
        sandbox.write("b.proof", &changed);
        let text = invalid("b.proof", &["loans.json"]);
        assert!(text.starts_with("invalid: it") && text.lines().count() == 1, "{at}: {text}");
    }
    sandbox.write("b.proof", &proof[..proof.len() - 1]);
    assert_snapshot!(invalid("b.proof", &["loans.json"]), @"invalid: it was cut off: it has no end");
    sandbox.write("b.proof", "age,income\n");
    assert_snapshot!(invalid("b.proof", &["loans.json"]), @"invalid: it is no proof of this program");
    let (code, text) = check(&sandbox, &["b.proof", "loans.json", "--json"]);
    let answer: Value = serde_json::from_str(&text).unwrap();
    assert_eq!((code, &answer["verdict"]), (Some(1), &json!("invalid")));
    assert_eq!(answer["wrong"], json!("it is no proof of this program"));
}

#[test]
fn files_that_cannot_be_read() {
    let sandbox = Sandbox::with_model();
    let line = sandbox.refusal(["check", "none.proof", "model.json"], "no proof");
    assert!(line.starts_with("none.proof: "), "{line}");
    ask(&sandbox, &["max", "model.json", "--proof", "a.proof"]);
    let line = sandbox.refusal(["check", "a.proof", "none.json"], "no model");
    assert_eq!(line, "none.json: no such file");
    let line = sandbox.refusal(["max", "model.json", "--proof", "none/a.proof"], "no folder");
    assert!(line.starts_with("none/a.proof: "), "{line}");
    let line = sandbox.refusal(["max", "model.json", "--method", "veritas", "--proof", "a.proof"], "a method");
    assert!(line.contains("leave out `--method`"), "{line}");
}

#[test]
fn a_proof_replaces_a_file_only_when_it_is_whole() {
    let sandbox = with_loans();
    ask(&sandbox, &["max", "loans.json", "--proof", "a.proof"]);
    let whole = std::fs::read(sandbox.path("a.proof")).unwrap();
    let refused = sandbox.run(["max", "loans.json", "--where", "no_such < 3", "--proof", "a.proof"]);
    assert_eq!(refused.code, Some(2));
    assert_eq!(std::fs::read(sandbox.path("a.proof")).unwrap(), whole);
    assert!(!sandbox.path("a.proof.partial").exists());
    let own = sandbox.run(["max", "loans.json", "--proof", "./loans.json"]);
    assert_eq!(own.code, Some(2));
    assert_snapshot!(own.stderr, @"treeproof: --proof: ./loans.json is the model that is asked about; name another file");
    assert_eq!(check(&sandbox, &["a.proof", "loans.json"]).0, Some(0));
}

/// What cannot be written beside the answer does not take the answer away.
#[cfg(target_os = "linux")]
#[test]
fn an_answer_is_told_though_its_proof_cannot_be_written() {
    let sandbox = with_loans();
    let outcome = sandbox.run(["max", "loans.json", "--proof", "/dev/full"]);
    assert_eq!(outcome.code, Some(2));
    assert!(outcome.stdout.contains("The largest margin"), "{}", outcome.stdout);
    assert_snapshot!(outcome.stderr, @"treeproof: /dev/full: No space left on device (os error 28)");
}
