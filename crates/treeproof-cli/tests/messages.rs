//! Colours, and what `--verbose` says. How it looks on a terminal is tested in `tests/python/test_terminal.py`.

use crate::sandbox::{Outcome, Sandbox};

#[test]
fn colours_are_for_terminals_unless_asked_for() {
    let sandbox = Sandbox::with_model();
    let question = ["max", "model.json", "--where", "age <= 50"];
    let plain = sandbox.run(question).answer();
    assert!(!plain.contains('\u{1b}'), "{plain}");
    let coloured = sandbox.run(["--color", "always"].into_iter().chain(question)).answer();
    assert!(coloured.starts_with("\u{1b}[32mThe largest margin is 2.5: proved.\u{1b}[0m\n"), "{coloured}");
    assert!(coloured.contains("\n\u{1b}[2mfeature  value\u{1b}[0m\n"), "{coloured}");
    for flags in [["--color", "always"], ["--colour", "always"]] {
        let json = sandbox.run(question.into_iter().chain(flags).chain(["--json"])).answer();
        assert!(json.starts_with('{') && !json.contains('\u{1b}'), "{json}");
    }
    let violated = sandbox.run(["monotone", "model.json", "--decreasing", "--feature", "age", "--color=always"]);
    assert!(violated.stdout.starts_with("\u{1b}[31mThe margin rises by 3 "), "{}", violated.stdout);
    let wrong = sandbox.run(["max", "none.json", "--color", "always"]);
    assert_eq!(wrong.stderr, "\u{1b}[1m\u{1b}[31mtreeproof\u{1b}[0m: none.json: no such file\n");
}

/// The lines without the times.
fn verbose(args: &[&str]) -> Vec<String> {
    let Outcome { stderr, .. } =
        Sandbox::with_model().run([args, &["-v", "--threads", "1", "--memory", "1GiB"]].concat());
    let text = |line: &str| line.split_once("] ").unwrap_or_else(|| panic!("{line}")).1.to_owned();
    stderr.lines().map(text).collect()
}

#[test]
fn verbose_tells_what_was_read_and_compiled_how_bounds_improve_and_why_it_ends() {
    let lines = verbose(&["max", "model.json"]);
    let expected = [
        "read model.json: treeproof JSON, 1 tree, 2 leaves, 1 of 2 features used",
        "compiled for `max`: 1 tree, 2 leaves, 1 axis with 2 cells",
        "search: method auto, 1 thread, at most 1 GiB",
    ];
    assert_eq!(lines[..3], expected);
    assert!(lines[3].starts_with("bounds 2.500000 to 2.500000, gap 0; "), "{lines:?}");
    assert!(lines[3].ends_with("; first input found and checked"), "{lines:?}");
    assert!(lines[4].starts_with("stopped after ") && lines[4].contains("search complete"), "{lines:?}");
    assert!(lines[5].starts_with("checked: the witness was recomputed with the library's arithmetic"), "{lines:?}");
    assert_eq!(lines.len(), 6);
    let lines = verbose(&["range", "model.json"]);
    for part in ["min: stopped after ", "max: checked: "] {
        assert!(lines.iter().any(|line| line.starts_with(part)), "{lines:?}");
    }
}

#[test]
fn verbose_counts_rows() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.csv", "age,income\n10,1\n39,1\n41,1\n");
    let args = ["robust", "model.json", "rows.csv", "--norm", "linf", "--radius", "5", "--verbose", "--threads", "1"];
    let stderr = sandbox.run(args).stderr;
    assert!(stderr.contains("] 3 of 3 rows, 1 hold, 2 violated, 0 s"), "{stderr}");
}

#[test]
fn a_reading_that_makes_no_difference_is_said_to_be_none() {
    let sandbox = Sandbox::new();
    sandbox.copy("lightgbm/cat/model.txt.gz", "model.txt.gz");
    let run = sandbox.run(["max", "model.txt.gz", "--missing-value=-999"]);
    let note = "treeproof: note: model.txt.gz: --missing-value is for XGBoost models, not for one from LightGBM text; \
                write NaN for it in rows\n";
    assert!(run.stderr.contains(note), "{}", run.stderr);
    let run = sandbox.run(["max", "model.txt.gz", "--base-margin", "0", "--classes", "1"]);
    assert!(run.stderr.contains("are for XGBoost's JSON dump; LightGBM text has its own"), "{}", run.stderr);
}
