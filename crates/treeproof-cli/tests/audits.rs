//! `audit`: checks as a gate.

use serde_json::Value;

use crate::questions::{json, number};
use crate::sandbox::Sandbox;
use crate::tasks::examples;

/// Runs checks on the example model: outcomes in order, and the exit code.
fn outcomes(sandbox: &Sandbox, checks: &str) -> (Vec<String>, Option<i32>) {
    sandbox.write("audit.toml", format!("model = 'new.json'\n{checks}"));
    let (answer, code) = json(sandbox, &["audit", "audit.toml"]);
    let outcome = |check: &Value| check["outcome"].as_str().unwrap().to_owned();
    (answer["checks"].as_array().unwrap().iter().map(outcome).collect(), code)
}

fn check(rest: &str) -> String {
    format!("[[check]]\nname = {:?}\n{rest}\n", rest.lines().next().unwrap())
}

/// The largest margin of the model is 0.875, the smallest -1.
#[test]
fn bounds_pass_or_fail_where_they_are_proved() {
    let sandbox = examples();
    let one = |rest: &str| {
        let (outcomes, code) = outcomes(&sandbox, &check(rest));
        (outcomes[0].clone(), code.unwrap())
    };
    let (pass, fail) = (("pass".to_owned(), 0), ("fail".to_owned(), 1));
    assert_eq!(one("question = 'max'\nat_most = 0.875"), pass);
    assert_eq!(one("question = 'max'\nat_most = 0.874"), fail);
    assert_eq!(one("question = 'max'\nat_least = 0.875"), pass);
    assert_eq!(one("question = 'max'\nat_least = 0.876"), fail);
    assert_eq!(one("question = 'min'\nat_least = -1"), pass);
    assert_eq!(one("question = 'min'\nat_least = -0.9"), fail);
    assert_eq!(one("question = 'range'\nat_most = 1\nat_least = -1"), pass);
    assert_eq!(one("question = 'range'\nat_most = 1\nat_least = 0"), fail);
    assert_eq!(one("question = 'monotone'\nwhere = ['income < 50000']"), pass);
    assert_eq!(one("question = {monotone = {features = ['income']}}"), fail);
    assert_eq!(one("question = {diff = {other_model = 'old.json', within = 3}}"), pass);
    assert_eq!(one("question = {diff = {other_model = 'old.json'}}\nat_most = 0.1"), fail);
    assert_eq!(one("question = {fair = {protected = ['status']}}"), fail);
    assert_eq!(one("question = {fair = {protected = ['status']}}\nclass = 'granted'\nat_most = 0.375"), pass);
    assert_eq!(one("question = {stable = {norm = 'linf', radius = 1000}}\nat_most = 1.5"), pass);
    assert_eq!(one("question = {stable = {norm = 'linf', radius = 1000}}\nat_most = 1.4"), fail);
    assert_eq!(one("question = {stable = {norm = 'linf', radius = 1000, within = 2}}"), pass);
    assert_eq!(one("question = {stable = {norm = 'linf', radius = 1000, within = 1}}"), fail);
    assert_eq!(one("question = {dominant = {vary = ['income']}}\nat_most = 1"), pass);
    assert_eq!(one("question = {dominant = {vary = ['income']}}\nat_most = 0.9"), fail);
    let rows = "data = 'people.csv'";
    assert_eq!(one(&format!("question = {{fair = {{protected = ['status']}}}}\n{rows}\nat_most = 1")), pass);
    let robust = "question = {robust = {norm = 'l1', weights = {income = 0.001}, radius = 1, label = 'outcome'}}";
    // Three of four labels are those of the data.
    assert_eq!(one(&format!("{robust}\n{rows}\nat_least = 0.75")), pass);
    assert_eq!(one(&format!("{robust}\n{rows}\nat_least = 0.76")), fail);
    let closest = "question = {closest = {norm = 'l1'}}";
    assert_eq!(one(&format!("{closest}\n{rows}\nat_least = 1")), pass);
    assert_eq!(one(&format!("{closest}\n{rows}\nat_least = 1e9")), fail);
}

#[test]
fn the_exit_code_is_that_of_the_worst() {
    let sandbox = examples();
    let hard = crate::questions::with_hard_model();
    hard.write("new.json", std::fs::read(hard.path("hard.json")).unwrap());
    let (pass, fail) = (check("question = 'max'\nat_most = 3"), check("question = 'min'\nat_least = 3"));
    let nothing = check("question = 'range'\nat_most = 3\nwhere = ['age > 3', 'age < 2']");
    assert_eq!(outcomes(&sandbox, &pass).1, Some(0));
    assert_eq!(outcomes(&sandbox, &(pass.clone() + &nothing)), (vec!["pass".into(), "infeasible".into()], Some(4)));
    assert_eq!(outcomes(&sandbox, &(nothing + &fail)).1, Some(1));
    let (known, _) = json(&hard, &["max", "hard.json", "--time", "2s"]);
    let between = f64::midpoint(number(&known["lower"]), number(&known["upper"]));
    let open = check(&format!("question = 'max'\nat_most = {between}\nlimits = {{time = '100ms'}}"));
    assert_eq!(outcomes(&hard, &open), (vec!["undecided".into()], Some(3)));
    assert_eq!(outcomes(&hard, &format!("{open}allow_undecided = true")), (vec!["undecided".into()], Some(0)));
    assert_eq!(outcomes(&hard, &format!("allow_undecided = true\n{open}")), (vec!["undecided".into()], Some(0)));
}

/// Who reads the first line only must not take the gate for open.
#[test]
fn a_closed_pipe_leaves_the_verdict() {
    let sandbox = examples();
    let outcome = sandbox.shell("$treeproof audit loans.audit.toml | true; exit ${PIPESTATUS[0]}");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""));
    let outcome = sandbox.shell("$treeproof monotone new.json --feature income | true; exit ${PIPESTATUS[0]}");
    assert_eq!((outcome.code, outcome.stderr.as_str()), (Some(1), ""));
}

#[test]
fn mistakes_name_the_check_and_the_field() {
    let sandbox = examples();
    for (audit, expected) in [
        (
            "{\"model\": \"new.json\"}",
            "audit.toml: line 1: not TOML: invalid key-value pair, expected key (write model = 'FILE' and [[check]]s; see \
             treeproof audit --help)",
        ),
        (
            "model = 'new.json'\n[[check]\n",
            "audit.toml: line 2: not TOML: unclosed array table, expected `]` (write model = 'FILE' and [[check]]s; see \
             treeproof audit --help)",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = {robust = {norm = 'l1', raduis = 1}}",
            "audit.toml: check `x`: unknown field `raduis`; did you mean `radius`?",
        ),
        ("[[check]]", "audit.toml: missing field `model`"),
        ("model = 'new.json'", "audit.toml: there is no [[check]]: say what is asked"),
        ("model = 'new.json'\ndomian = 'x'", "audit.toml: unknown field `domian`; did you mean `domain`?"),
        ("model = 'new.json'\n[[check]]\nname = 'x'", "audit.toml: check `x`: missing field `question`"),
        ("model = 'new.json'\n[[check]]\nquestion = 'max'", "audit.toml: check number 1: missing field `name`"),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = 'max'\nat_mots = 3",
            "audit.toml: check `x`: unknown field `at_mots`; did you mean `at_most`?",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = 'max'",
            "audit.toml: check `x`: at_most or at_least is missing: say what is expected of `max`",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = {fair = {protected = ['status']}}\nat_most = 1",
            "audit.toml: check `x`: at_most does not apply: the answer is that it holds or not",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = {robust = {norm = 'l1', radius = 1}}",
            "audit.toml: check `x`: data is missing: `robust` is asked about rows",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = {stable = {norm = 'l1', radius = 1}}",
            "audit.toml: check `x`: at_most is missing: say what is expected of `stable`, or give it `within`",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = {dominant = {vary = ['age'], each = true}}\nat_most = 1",
            "audit.toml: check `x`: question `dominant` with `each` lists, so that nothing can be expected of it",
        ),
        (
            // Before the first answer.
            "model = 'new.json'\n[[check]]\nname = 'y'\nquestion = 'max'\nat_most = 9\n\
             [[check]]\nname = 'x'\nquestion = {stable = {norm = 'l1', radius = 1, within = 9}}\nwhere = ['a.agee > 3']",
            "audit.toml: check `x`: where: in `a.agee > 3`, character 1: the model has no feature `agee`; did you mean `age`?",
        ),
        (
            "model = 'new.json'\n[[check]]\nname = 'x'\nquestion = 'max'\nat_most = 1\nwhere = ['agee > 3']",
            "audit.toml: check `x`: where: in `agee > 3`, character 1: the model has no feature `agee`; did you mean `age`?",
        ),
    ] {
        sandbox.write("audit.toml", audit);
        assert_eq!(sandbox.refusal(["audit", "audit.toml"], audit), expected);
    }
    sandbox.write("audit.toml", "model = 'new.json'\nwhere = [");
    let line = sandbox.refusal(["audit", "audit.toml"], "no TOML");
    assert!(line.starts_with("audit.toml: line 2: "), "{line}");
}
