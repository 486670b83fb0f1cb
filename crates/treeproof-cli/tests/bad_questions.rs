//! Questions that cannot be asked, through the real binary: one line that says what is wrong and what to do, exit code 2.

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
        ("age > 3 && income < 2", "character 9: `&` is written `and`"),
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
    let several = "found `of`; a name of several words is written in backquotes";
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
        ("--threads", "N", "-1", "not a whole number from 1 to 65535"),
        ("--seed", "N", "-1", "not a whole number from 0 on"),
        ("--time", "TIME", "--json", "not a time such as 500ms, 30s, 2min or 1h"),
    ] {
        let line = format!("`{flag} <{name}>` cannot be `{value}`: {expected} (see treeproof QUESTION --help)");
        refused_everywhere(&[flag, value], &line);
    }
    let sandbox = examples();
    refused(
        &sandbox,
        &["max", "new.json", "--gap", "-1"],
        "`--gap <GAP>` cannot be `-1`: not a distance such as 0.01 or 1% (see treeproof max --help)",
    );
    refused(&sandbox, &["max", "new.json", "--stop-above", "nan"], "--stop-above is not a number");
    refused(
        &sandbox,
        &["dominant", "new.json", "--vary", "age", "--at-most", "-1"],
        "`--at-most <K>` cannot be `-1`: not a whole number from 1 on (see treeproof dominant --help)",
    );
    let line = sandbox.refusal(["closest", "new.json", "people.csv", "--norm", "l1", "--rows", "-1"], "rows -1");
    assert!(line.starts_with("`--rows <N>` cannot be `-1`: "), "{line}");
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
            "`--norm <NORM>` is linf or l2 or l1 or l0, not `l3` (see treeproof stable --help)",
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
