//! Wrong command lines: one line that says what is wrong, what may be meant, and where help is.

use crate::sandbox::Sandbox;

#[track_caller]
fn refused(args: &[&str], expected: &str) {
    assert_eq!(Sandbox::with_model().refusal(args, &args.join(" ")), expected);
}

#[test]
fn unknown_questions_and_flags() {
    refused(&["inspct", "m"], "unknown command `inspct`; did you mean `inspect`? (see treeproof --help)");
    refused(&["robst", "m"], "unknown command `robst`; did you mean `robust`? (see treeproof --help)");
    refused(&["mx", "m"], "unknown command `mx`; did you mean `max`? (see treeproof --help)");
    refused(&["xyz"], "unknown command `xyz` (see treeproof --help)");
    refused(&["inspect", "m", "--jsn"], "unknown flag `--jsn`; did you mean `--json`? (see treeproof inspect --help)");
    refused(&["--loud"], "unknown flag `--loud` (see treeproof --help)");
    refused(&["convert", "m", "o", "--json"], "unknown flag `--json` (see treeproof convert --help)");
}

#[test]
fn missing_and_surplus_arguments() {
    refused(&["inspect"], "missing: <MODEL> (see treeproof inspect --help)");
    refused(&["predict"], "missing: <MODEL> and <DATA> (see treeproof predict --help)");
    refused(&["predict", "m"], "missing: <DATA> (see treeproof predict --help)");
    refused(&["inspect", "m", "n"], "unexpected argument `n` (see treeproof inspect --help)");
    refused(
        &["max", "m", "model.json"],
        "unexpected argument `model.json`; did you mean `--domain model.json`? (see treeproof max --help)",
    );
    refused(&["inspect", "m", "model.json"], "unexpected argument `model.json` (see treeproof inspect --help)");
    refused(&["inspect", "m", "--base-margin", "0.5"], "missing: --classes <N> (see treeproof inspect --help)");
    refused(&["inspect", "m", "--json", "--json"], "`--json` was given more than once (see treeproof inspect --help)");
}

#[test]
fn bad_values() {
    let count = "expected an integer from 1 to 65535 (see treeproof predict --help)";
    for bad in ["0", "x", "-1", "1.5", "99999999999999999999"] {
        let threads = format!("--threads={bad}");
        refused(&["predict", "m", "d", &threads], &format!("invalid value `{bad}` for `--threads <N>`: {count}"));
    }
    refused(
        &["inspect", "m", "--missing-value", "none"],
        "invalid value `none` for `--missing-value <V>`: expected a number (see treeproof inspect --help)",
    );
    refused(&["inspect", "m", "--missing-value"], "`--missing-value <V>` needs a value (see treeproof inspect --help)");
    refused(
        &["inspect", "m", "--api", "python"],
        "`--api <API>` must be sklearn or booster, not `python` (see treeproof inspect --help)",
    );
    refused(
        &["predict", "m", "d", "--index-base", "2"],
        "`--index-base <BASE>` must be 0 or 1, not `2` (see treeproof predict --help)",
    );
}

#[test]
fn outputs_that_cannot_be_written() {
    refused(&["convert", "model.json", "."], ".: is a directory; name a file in it");
    let sandbox = Sandbox::with_model();
    for args in [
        &["convert", "model.json", "no/x"][..],
        &["max", "model.json", "--proof", "no/x"],
        &["max", "model.json", "--trace", "no/x"],
    ] {
        assert_eq!(sandbox.refusal(args, "no folder"), "no/x: there is no folder no; make it first");
    }
    if cfg!(target_os = "linux") {
        let outcome = sandbox.shell("$treeproof inspect model.json > /dev/full");
        assert_eq!(outcome.code, Some(2));
        assert!(outcome.stderr.starts_with("treeproof: standard output: "), "{}", outcome.stderr);
    }
    assert_eq!(std::fs::read_dir(sandbox.path("")).unwrap().count(), 1, "only the model is left");
}
