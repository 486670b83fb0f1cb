//! Every help text, as a snapshot: a change to one is seen in review.

use insta::assert_snapshot;
use treeproof_report::QuestionName;

use crate::sandbox::Sandbox;

fn help(args: &[&str]) -> String {
    Sandbox::new().run(args).answer()
}

#[test]
fn help_texts() {
    assert_snapshot!("help", help(&["--help"]));
    for question in [
        "demo",
        "inspect",
        "predict",
        "convert",
        "max",
        "min",
        "range",
        "robust",
        "closest",
        "enumerate",
        "diff",
        "monotone",
        "fair",
        "stable",
        "dominant",
        "solve",
        "check",
        "audit",
        "report",
        "completions",
    ] {
        assert_snapshot!(format!("help_{question}"), help(&[question, "--help"]));
    }
}

#[test]
fn every_question_has_a_command() {
    let commands = help(&["--help"]);
    for name in QuestionName::ALL.map(QuestionName::name) {
        let command = if name == "maximise" { "solve" } else { name };
        assert!(commands.contains(&format!("\n  {command} ")), "{command}");
    }
}

#[test]
fn every_way_to_ask_for_help_works() {
    let long = help(&["predict", "--help"]);
    assert_eq!(help(&["help", "predict"]), long);
    assert_eq!(help(&["predict", "-h"]), long);
    assert_eq!(help(&["--version"]), format!("treeproof {}\n", env!("CARGO_PKG_VERSION")));
}

#[test]
fn without_a_question_there_is_help_and_an_error() {
    let outcome = Sandbox::new().run::<&str>([]);
    assert_eq!((outcome.code, outcome.stdout), (Some(2), help(&["--help"])));
    assert_eq!(
        outcome.stderr,
        "treeproof: expected a command, such as `demo`, `inspect` or `max` (see treeproof --help)\n"
    );
}
