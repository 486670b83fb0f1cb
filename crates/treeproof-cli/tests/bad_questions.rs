//! Questions that cannot be asked, through the real binary: one line that says what is wrong and what to do, exit code 2.

use crate::comparisons::with_loans;
use crate::questions::json;
use crate::sandbox::Sandbox;
use crate::tasks::examples;

/// Every question, with no more than it needs.
const QUESTIONS: [&[&str]; 11] = [
    &["max", "new.json"],
    &["min", "new.json"],
    &["range", "new.json"],
    &["enumerate", "new.json"],
    &["diff", "new.json", "old.json"],
    &["monotone", "new.json"],
    &["fair", "new.json", "--protected", "status"],
    &["stable", "new.json", "--radius", "1"],
    &["dominant", "new.json", "--vary", "age"],
    &["robust", "new.json", "people.csv", "--norm", "l1", "--radius", "1"],
    &["closest", "new.json", "people.csv", "--norm", "l1"],
];

#[track_caller]
fn refused(sandbox: &Sandbox, args: &[&str], expected: &str) {
    assert_eq!(sandbox.refusal(args, &args.join(" ")), expected);
}

/// The flags must be wrong for every question in the same words.
#[track_caller]
fn refused_everywhere(flags: &[&str], expected: &str) {
    let sandbox = examples();
    sandbox.write("empty.csv", "age,income,status\n");
    for question in QUESTIONS {
        let expected = expected.replace("QUESTION", question[0]);
        refused(&sandbox, &[question, flags].concat(), &expected);
    }
}

#[test]
fn conditions_with_mistakes() {
    for (condition, expected) in [
        ("agee > 3", "character 1: the model has no feature `agee`; did you mean `age`?"),
        ("race == White", "character 1: the model has no feature `race`; it has `age`, `income`, `status`"),
        ("age >", "character 6: expected a feature, a number or a function, found the end"),
        ("age >= 3 adn income < 2", "character 10: expected `and`, `or`, `implies` or the end, found `adn`"),
        ("age > 3 && income < 2", "character 9: write `and` instead of `&`"),
        ("(age > 3", "character 9: expected `)`, found the end"),
        ("age >= nan", "character 8: nothing compares with `nan`; `missing(…)` says that a value is missing"),
        ("status > single", "character 1: `status` has categories, which have no order; write `in {…}`"),
        ("status == maried", "character 11: feature `status` has no category `maried`; did you mean `married`?"),
    ] {
        refused_everywhere(&["--where", condition], &format!("--where: in `{condition}`, {expected}"));
    }
}

#[test]
fn names_that_are_no_plain_words_want_backquotes() {
    let sandbox = examples();
    let model = std::fs::read_to_string(sandbox.path("new.json")).unwrap();
    sandbox.write("strange.json", model.replace("\"age\"", "\"years of-age\"").replace("\"income\"", "\"income-now\""));
    let several = "found `of`; write a name of several words in backquotes";
    let known = "the model has no feature `income`, but `income-now`: write it in backquotes";
    for (question, condition, expected) in [
        (
            "max",
            "years of-age > 3",
            format!("character 7: expected `<`, `<=`, `>`, `>=`, `==`, `!=` or `in`, {several}"),
        ),
        ("max", "atmost(1, years of-age)", format!("character 17: expected `)`, {several}")),
        ("max", "income-now > 3", format!("character 1: {known}")),
        ("monotone", "a.income-now > 3", format!("character 1: {known}")),
    ] {
        let args = [question, "strange.json", "--where", condition];
        refused(&sandbox, &args, &format!("--where: in `{condition}`, {expected}"));
    }
    let args = ["max", "strange.json", "--where", "`income-now` > 3 and `years of-age` > 3"];
    assert!(sandbox.run(args).stderr.is_empty());
}

#[test]
fn what_no_model_could_understand_is_no_task() {
    let expected = "--where: in `age >`, character 6: expected a feature, a number or a function, found the end";
    refused_everywhere(&["--print-task", "--where", "age >"], expected);
}

#[test]
fn limits_that_are_none() {
    for (flag, name, value, expected) in [
        ("--time", "TIME", "-1s", "not a time such as 500ms, 30s, 2min or 1h"),
        ("--memory", "SIZE", "-1", "not an amount of memory such as 500MB or 4GiB"),
        ("--threads", "N", "-1", "expected an integer from 1 to 65535"),
        ("--seed", "N", "-1", "expected a non-negative integer"),
        ("--time", "TIME", "--json", "not a time such as 500ms, 30s, 2min or 1h"),
    ] {
        let line = format!("invalid value `{value}` for `{flag} <{name}>`: {expected} (see treeproof QUESTION --help)");
        refused_everywhere(&[flag, value], &line);
    }
    let sandbox = examples();
    refused(
        &sandbox,
        &["max", "new.json", "--gap", "-1"],
        "invalid value `-1` for `--gap <GAP>`: not a distance such as 0.01 or 1% (see treeproof max --help)",
    );
    refused(&sandbox, &["max", "new.json", "--stop-above", "nan"], "--stop-above is not a number");
    refused(
        &sandbox,
        &["dominant", "new.json", "--vary", "age", "--at-most", "-1"],
        "invalid value `-1` for `--at-most <K>`: expected a positive integer (see treeproof dominant --help)",
    );
    let line = sandbox.refusal(["closest", "new.json", "people.csv", "--norm", "l1", "--rows", "-1"], "rows -1");
    assert!(line.starts_with("invalid value `-1` for `--rows <N>`: "), "{line}");
}

#[test]
fn data_and_groups_that_do_not_fit() {
    refused_everywhere(&["--domain", "empty.csv"], "empty.csv: there are no rows to take a domain from");
    refused_everywhere(&["--domain", "none.csv"], "none.csv: no such file");
    let sandbox = examples();
    for question in QUESTIONS {
        let line = sandbox.refusal([question, &["--group", "race=race_*"]].concat(), "no such group");
        let expected = "group `race`: the model has no feature like `race_*`; it has `age`, `income`, `status`";
        assert!(line.ends_with(expected), "{question:?}: {line}");
    }
}

#[test]
fn rows_that_no_question_is_about() {
    let sandbox = examples();
    for reference in ["fixed(age)", "changed <= 2", "onlyincrease(age)"] {
        for question in &QUESTIONS[..5] {
            let word = reference.split(['(', ' ']).next().unwrap();
            let expected = format!(
                "--where: in `{reference}`, character 1: `{word}` compares with a row, which `robust` and `closest` have, \
                 but not this question"
            );
            refused(&sandbox, &[question, &["--where", reference][..]].concat(), &expected);
        }
    }
    for question in &QUESTIONS[..9] {
        let expected = "--where: in `distance(l1) <= 2`, character 1: `distance` is measured from a row, as in `robust` \
                        and `closest`, but not in this question";
        refused(&sandbox, &[question, &["--where", "distance(l1) <= 2"][..]].concat(), expected);
    }
    let strict = std::fs::read_to_string(sandbox.path("new.json")).unwrap();
    sandbox.write("strict.json", strict.replace("\"accepts_missing\": true", "\"accepts_missing\": false"));
    sandbox.write("gaps.csv", "age,income,status\n41,1,single\n,2,single\n");
    for question in [
        &["robust", "strict.json", "gaps.csv", "--norm", "l1", "--radius", "1"][..],
        &["closest", "strict.json", "gaps.csv", "--norm", "l1"],
        &["fair", "strict.json", "gaps.csv", "--protected", "status"],
        &["max", "strict.json", "--domain", "gaps.csv"],
    ] {
        let expected = "gaps.csv: row 1: feature `age`: missing value, which this model's library refuses";
        refused(&sandbox, question, expected);
    }
}

#[test]
fn names_and_numbers_that_are_none() {
    let sandbox = examples();
    for (args, expected) in [
        (
            &["monotone", "new.json", "--feature", "status"][..],
            "--feature: `status` is a category, which has no order; `fair` compares categories",
        ),
        (
            &["fair", "new.json", "--protected", "statsu"],
            "--protected: the model has no feature `statsu`; did you mean `status`?",
        ),
        (
            &["fair", "new.json", "--protected", "status", "--threshold", "2"],
            "--threshold must be a probability, from 0 to 1",
        ),
        (
            &["closest", "new.json", "people.csv", "--norm", "l1", "--target", "maybe"],
            "--target: there is no class `maybe`; there are refused, granted",
        ),
        (
            &["closest", "new.json", "people.csv", "--norm", "l1", "--target", "Granted"],
            "--target: there is no class `Granted`; there are refused, granted; did you mean `granted`?",
        ),
        (
            &["dominant", "new.json", "--vary", "race_*"],
            "--vary: the model has no feature like `race_*`; it has `age`, `income`, `status`",
        ),
        (
            &["dominant", "new.json", "--vary", "stats*"],
            "--vary: the model has no feature like `stats*`; did you mean `status`?",
        ),
        (
            &["robust", "new.json", "people.csv", "--norm", "l1", "--radius", "1", "--label", "y"],
            "people.csv: the data has no label column `y`; the last one is `outcome`",
        ),
        (
            &["max", "new.json", "--class", "grant"],
            "new.json: the model has no class `grant`; it has refused, granted; did you mean `granted`?",
        ),
        (&["stable", "new.json", "--radius", "-1"], "--radius must be a number from 0 on"),
        (
            &["stable", "new.json", "--radius", "1", "--norm", "l3"],
            "`--norm <NORM>` must be linf or l2 or l1 or l0, not `l3` (see treeproof stable --help)",
        ),
        (&["max", "new.json", "--class", "maybe"], "new.json: the model has no class `maybe`; it has refused, granted"),
    ] {
        refused(&sandbox, args, expected);
    }
    let price = std::fs::read_to_string(sandbox.path("new.json")).unwrap();
    let price = price.replace(r#"["refused", "granted"]"#, "[]").replace("margin_above", "none");
    sandbox.write("price.json", price.replace(r#", "threshold": 0.0}"#, "}"));
    for question in [&["max"][..], &["monotone"], &["fair", "--protected", "status"], &["stable", "--radius", "1"]] {
        let asked = [&question[..1], &["price.json", "--class", "granted"], &question[1..]].concat();
        let expected = "price.json: the model has no classes, and so none called `granted`: ask without a class";
        refused(&sandbox, &asked, expected);
    }
    let other = std::fs::read_to_string(sandbox.path("old.json")).unwrap();
    sandbox.write("other.json", other.replace("\"income\"", "\"wage\""));
    let line = sandbox.refusal(["diff", "new.json", "other.json"], "other features");
    assert!(line.contains("the models have different features"), "{line}");
}

/// What contradicts itself is an answer, and no mistake.
#[test]
fn an_impossible_range_is_named() {
    for range in ["age > 3 and age < 2", "3 < age < 2", "status in {single} and status == married"] {
        let outcome = examples().run(["max", "new.json", "--where", range]);
        let expected = format!("Nothing meets the conditions: `{range}` never holds.\n");
        assert_eq!((outcome.code, outcome.stdout), (Some(4), expected));
    }
}

/// Among names `f1`, `f2`, … a position such as `f0` would be one of them; where it counts, it counts without zeros before it.
#[test]
fn positions_are_not_mistaken_for_names() {
    let sandbox = with_loans();
    let renamed = |text: String| {
        let names = [("age", "f1"), ("income", "f2"), ("status", "f3")];
        names.iter().fold(text, |text, (name, other)| text.replace(&format!("\"{name}\""), &format!("\"{other}\"")))
    };
    let text = |file: &str| std::fs::read_to_string(sandbox.path(file)).unwrap();
    sandbox.write("counted.json", renamed(text("loans.json")));
    sandbox.write("row.csv", "f1,f2,f3\n50,3,A92\n");
    let ways: [&[&str]; 9] = [
        &["max", "--where", "NAME > 1"],
        &["stable", "--radius", "1", "--where", "a.NAME > 1"],
        &["monotone", "--feature", "NAME"],
        &["fair", "--protected", "NAME"],
        &["stable", "--radius", "1", "--weights", "NAME=2"],
        &["dominant", "--given", "NAME=1", "--vary", "*"],
        &["dominant", "--given", "f2=1", "--vary", "NAME"],
        &["dominant", "--baseline", "NAME=1", "--vary", "*"],
        &["closest", "row.csv", "--norm", "l1", "--where", "fixed(NAME)"],
    ];
    let run = |model: &str, way: &[&str], name: &str| {
        let mut args: Vec<String> = way.iter().map(|word| word.replace("NAME", name)).collect();
        args.insert(1, model.to_owned());
        sandbox.run(args.iter().map(String::as_str).collect::<Vec<_>>())
    };
    for way in ways {
        let outcome = run("counted.json", way, "f0");
        assert_eq!(outcome.code, Some(2), "{way:?}: {}", outcome.stdout);
        assert!(outcome.stderr.contains("the model has no feature `f0`"), "{way:?}: {}", outcome.stderr);
        assert_ne!(run("counted.json", way, "f1").code, Some(2), "{way:?}");
    }
    // Of other names the first is `f0`, and only so.
    let first = json(&sandbox, &["max", "loans.json", "--where", "f0 < 40"]).0;
    assert_eq!(first["lower"], json(&sandbox, &["max", "loans.json", "--where", "age < 40"]).0["lower"]);
    assert_eq!(json(&sandbox, &["monotone", "loans.json", "--feature", "f0"]).0["feature"], "age");
    for name in ["f00", "f01", "f3", "f"] {
        let outcome = run("loans.json", ways[0], name);
        assert_eq!(outcome.code, Some(2), "{name}: {}", outcome.stdout);
    }
    // What is a name in the second model counts nothing in the first.
    sandbox.write("second.json", renamed(text("newer.json")));
    let outcome = sandbox.run(["diff", "loans.json", "second.json", "--where", "f1 < 40"]);
    assert_eq!(outcome.code, Some(2), "{}", outcome.stdout);
}

/// Predictions that depend on the version of the library are refused, margins are not.
#[test]
fn outputs_that_versions_compute_differently_are_refused() {
    let sandbox = Sandbox::new();
    let leaf = |id: usize, value: f64| {
        format!(
            r#"{{"id": {id}, "tree_param": {{"num_nodes": "1", "size_leaf_vector": "1"}}, "left_children": [-1],
               "right_children": [-1], "split_indices": [0], "split_conditions": [{value}], "default_left": [0],
               "split_type": [0], "categories": [], "categories_nodes": [], "categories_segments": [],
               "categories_sizes": []}}"#
        )
    };
    let model = |objective: &str| {
        format!(
            r#"{{"version": [3, 3, 0], "learner": {{"attributes": {{}}, "feature_names": ["x"], "feature_types": ["float"],
               "gradient_booster": {{"name": "gbtree", "model": {{"gbtree_model_param": {{"num_trees": "2",
               "num_parallel_tree": "1"}}, "iteration_indptr": [0, 2], "tree_info": [0, 1], "trees": [{}, {}]}}}},
               "learner_model_param": {{"num_feature": "1", "num_class": "0", "num_target": "2",
               "base_score": "[0E0,0E0]"}}, "objective": {{"name": "{objective}"}}}}}}"#,
            leaf(0, 2.0),
            leaf(1, 1.0)
        )
    };
    sandbox.write("quantiles.json", model("reg:quantileerror"));
    sandbox.write("expectiles.json", model("reg:expectileerror"));
    sandbox.write("plain.json", model("reg:squarederror"));
    sandbox.write("rows.csv", "x\n1\n");
    for more in [&[][..], &["--json"]] {
        let line = sandbox.refusal([&["predict", "quantiles.json", "rows.csv"], more].concat(), "quantiles");
        assert!(line.contains("reg:quantileerror") && line.ends_with("use --margin"), "{line}");
    }
    let margins = |model: &str| sandbox.run(["predict", model, "rows.csv", "--margin"]).answer();
    assert_eq!(margins("quantiles.json"), margins("plain.json"));
    assert!(margins("plain.json").ends_with("0,2,1\n"), "{}", margins("plain.json"));
    let (most, _) = json(&sandbox, &["max", "quantiles.json", "--class", "1"]);
    assert_eq!((&most["lower"], &most["verdict"]), (&1.0.into(), &"optimal".into()));
    let line = sandbox.refusal(["inspect", "expectiles.json"], "expectiles");
    assert!(line.contains("reg:expectileerror with several alphas"), "{line}");
    assert_eq!(sandbox.run(["convert", "quantiles.json", "own.json"]).code, Some(0));
    assert_eq!(margins("own.json"), margins("plain.json"));
}
