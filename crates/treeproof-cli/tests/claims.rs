//! Claims match what was asked and proved, and no more: the words of `check`, the grounds of answers, labels, hints.

use serde_json::{Value, json};

use crate::questions::json as ask_json;
use crate::sandbox::{Outcome, Sandbox, TINY};
use crate::tasks::examples;

const HEAD: usize = 18;

/// A proof with another header or conclusion, sealed again: `change` is given each as JSON, and its kind.
pub(crate) fn resealed(proof: &[u8], change: impl Fn(u8, &mut Value)) -> Vec<u8> {
    use std::io::{Read, Write};
    let (mut at, mut all) = (HEAD, proof[..HEAD].to_vec());
    while proof[at + 4] != b'E' {
        let length = u32::from_le_bytes(proof[at + 5..at + 9].try_into().unwrap()) as usize;
        let (kind, content) = (proof[at + 4], &proof[at + 9..at + 9 + length]);
        let changed = |text: &[u8]| {
            let mut value: Value = serde_json::from_slice(text).unwrap();
            change(kind, &mut value);
            serde_json::to_vec(&value).unwrap()
        };
        let content = match kind {
            b'H' => {
                let mut text = vec![];
                flate2::read::ZlibDecoder::new(content).read_to_end(&mut text).unwrap();
                let mut encoder = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::fast());
                encoder.write_all(&changed(&text)).unwrap();
                encoder.finish().unwrap()
            }
            b'C' => changed(content),
            _ => content.to_vec(),
        };
        all.extend_from_slice(&proof[at..at + 5]);
        all.extend(u32::try_from(content.len()).unwrap().to_le_bytes());
        all.extend(content);
        at += 9 + length;
    }
    let digits = treeproof_proof::model_file::digest(&all);
    let digest = (0..32).map(|at| u8::from_str_radix(&digits[2 * at..2 * at + 2], 16).unwrap());
    [all.clone(), [0, 0, 0, 0, b'E', 32, 0, 0, 0].to_vec(), digest.collect()].concat()
}

/// Asks and writes `a.proof`.
#[track_caller]
fn ask(sandbox: &Sandbox, args: &[&str]) -> Outcome {
    let outcome = sandbox.run([args, &["--proof", "a.proof"]].concat());
    assert!(matches!(outcome.code, Some(0 | 1 | 3 | 4)) && outcome.stderr.is_empty(), "{args:?}: {}", outcome.stderr);
    outcome
}

#[track_caller]
fn check(sandbox: &Sandbox, model: &str) -> (Option<i32>, String) {
    let outcome = sandbox.run(["check", "a.proof", model]);
    assert_eq!(outcome.stderr, "", "{model}");
    (outcome.code, outcome.stdout)
}

fn change(sandbox: &Sandbox, by: impl Fn(u8, &mut Value)) {
    let proof = std::fs::read(sandbox.path("a.proof")).unwrap();
    sandbox.write("a.proof", resealed(&proof, by));
}

/// Names of sections are free text: they are no part of what was checked, and stay in quotes.
#[test]
fn what_a_proof_calls_itself_is_not_what_it_proves() {
    let sandbox = Sandbox::with_model();
    ask(&sandbox, &["max", "model.json"]);
    let hostile = "for ALL inputs: the label never changes\" (1 step)\n  \u{1b}[2K\u{9b}1A\u{7f}\u{202e}\u{2028}yes";
    change(&sandbox, |kind, part| {
        if kind == b'H' {
            part["name"] = hostile.into();
        }
    });
    let (code, text) = check(&sandbox, "model.json");
    let expected = "valid: every step follows from the model\n  the margin is at most 2.5 (1 step checked)\n      the proof calls this \
                    \"for ALL inputs: the label never changes\\\" (1 step)\\n  \\u{1b}[2K\\u{9b}1A\\u{7f}\\u{202e}\\u{2028}yes\"\n";
    assert_eq!((code, &*text), (Some(0), expected));
    let outcome = sandbox.run(["check", "a.proof", "model.json", "--json"]);
    let line = outcome.stdout.strip_suffix('\n').unwrap();
    assert!(line.chars().all(|sign| sign == ' ' || sign.is_ascii_graphic()), "{line:?}");
    let answer: Value = serde_json::from_str(line).unwrap();
    assert_eq!(answer["statements"], json!(["the margin is at most 2.5 (1 step checked)"]));
    // Whoever prints what is in it prints no control character either.
    let name = answer["proved"][0]["name"].as_str().unwrap();
    assert!(!name.chars().any(char::is_control) && name.starts_with("for ALL"), "{name:?}");
    // An endless name does not bury the statement.
    change(&sandbox, |kind, part| {
        if kind == b'H' {
            part["name"] = "x".repeat(100_000).into();
        }
    });
    assert!(check(&sandbox, "model.json").1.len() < 1000);
}

/// A model's own names cannot leave their quotes either.
#[test]
fn names_of_features_stay_in_their_quotes() {
    let sandbox = Sandbox::new();
    sandbox.write("model.json", TINY.replace("\"income\"", r#""in`come; no input has another label\u001b[31m""#));
    ask(&sandbox, &["max", "model.json", "--where", "age < 30"]);
    change(&sandbox, |kind, part| {
        if kind == b'H' {
            part["statement"]["inputs"][0][1]["numbers"]["ranges"] = json!([[0, 1]]);
        }
    });
    let (code, text) = check(&sandbox, "model.json");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("`in\\`come; no input has another label\\u{1b}[31m` from 0 to 1"), "{text}");
}

/// A proof about a row that is not robust claims that the witness is allowed, near enough and of another label: no more.
#[test]
fn a_violated_row_is_proved_by_its_witness() {
    let sandbox = examples();
    let outcome = ask(&sandbox, &["robust", "new.json", "people.csv", "--norm", "linf", "--radius", "100000"]);
    assert_eq!(outcome.code, Some(1), "{}", outcome.stdout);
    let (code, text) = check(&sandbox, "new.json");
    assert_eq!(code, Some(0), "{text}");
    let claims: Vec<&str> = text.lines().filter(|line| line.contains("checked)")).collect();
    assert_eq!(claims.len(), 4, "{text}");
    for claim in claims {
        assert!(
            claim.contains("the witness, ") && claim.contains(" from the row (linf), has another label than `"),
            "{claim}"
        );
        assert!(!claim.contains("nearer than 0 "), "{claim}");
    }
    assert_eq!(text.matches("      the row: `age` = ").count(), 4, "{text}");
    assert_eq!(text.matches("      the witness: `age` = ").count(), 4, "{text}");
    // A claim that nothing is nearer than 0 is none, wherever it comes from.
    change(&sandbox, |kind, part| {
        if kind == b'C' {
            *part = json!({"claim": {"not_nearer": 0}});
        }
    });
    let (code, text) = check(&sandbox, "new.json");
    assert_eq!(code, Some(3), "{text}");
    assert!(
        text.starts_with("undecided: every step follows from the model, but 4 of 4 statements claim nothing\n"),
        "{text}"
    );
    assert!(
        !text.contains("nearer") && text.contains("nothing is proved, neither that some input has another label"),
        "{text}"
    );
}

/// Beyond the radius nothing was looked at: no claim about a distance is told as one about what lies there.
#[test]
fn a_distance_beyond_the_radius_is_not_told() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.csv", "age,income\n50,1\n");
    ask(&sandbox, &["robust", "model.json", "rows.csv", "--norm", "linf", "--radius", "1"]);
    change(&sandbox, |kind, part| {
        if kind == b'C' {
            *part = json!({"claim": {"not_nearer": 1e9}});
        }
    });
    let (code, text) = check(&sandbox, "model.json");
    let is_told = text.contains("no input within 1 of the row (linf) has another label than `yes` (");
    assert!(code == Some(1) || (code == Some(0) && is_told && !text.contains("nearer")), "{text}");
}

/// Classes are called as the model calls them, not by their places.
#[test]
fn classes_have_their_names() {
    let sandbox = Sandbox::new();
    sandbox.write("model.json", TINY.replace(r#"["no", "yes"]"#, "[1, 2]"));
    sandbox.write("rows.csv", "age,income\n50,1\n30,1\n");
    ask(&sandbox, &["robust", "model.json", "rows.csv", "--norm", "linf", "--radius", "1", "--threads", "1"]);
    let (code, text) = check(&sandbox, "model.json");
    assert_eq!(code, Some(0), "{text}");
    let claims: Vec<&str> = text.lines().filter(|line| line.contains("checked)")).collect();
    assert!(claims[0].contains("no input within 1 of the row (linf) has another label than 2 "), "{text}");
    assert!(claims[1].contains("no input within 1 of the row (linf) has another label than 1 "), "{text}");
    ask(&sandbox, &["closest", "model.json", "rows.csv", "--norm", "l1", "--target", "2"]);
    let (_, text) = check(&sandbox, "model.json");
    assert!(
        text.contains(
            "no input with the label 2 is nearer than 10 (l1), and the witness, 10 from the row (l1), has the label 2"
        ),
        "{text}"
    );
}

/// Weights, scales, conditions and the row are part of what is claimed.
#[test]
fn distances_and_conditions_are_told_whole() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.csv", "age,income\n50,1\n");
    let heavy = [
        "robust",
        "model.json",
        "rows.csv",
        "--norm",
        "linf",
        "--radius",
        "1000000",
        "--weights",
        "age=1e300,income=0.5",
    ];
    ask(&sandbox, &[&heavy[..], &["--where", "income + age <= 100", "--where", "onlyincrease(income)"]].concat());
    let (code, text) = check(&sandbox, "model.json");
    assert_eq!(code, Some(0), "{text}");
    for said in [
        "within 1000000 of the row (weighted linf) has another label than `yes`, for inputs with ",
        "\n      the row: `age` = 50, `income` = 1\n",
        "\n      the distance: changes are multiplied by `age` × 1e300, `income` × 0.5\n",
        "`income` at least 1",
        "\n      condition: `age` + `income` <= 100\n",
    ] {
        assert!(
            text.contains(said) || text.contains(&said.replace("`age` + `income`", "`income` + `age`")),
            "{said}: {text}"
        );
    }
    let outcome = sandbox.run(["check", "a.proof", "model.json", "--json"]);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let statement = answer["statements"][0].as_str().unwrap();
    assert!(statement.contains("the row: `age` = 50") && statement.contains("`age` × 1e300"), "{statement}");
}

/// A scale is part of what is claimed: without it the radius means another ball.
#[test]
fn scales_are_told() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.csv", "age,income\n50,1\n52,9\n");
    let asked = ["--norm", "linf", "--radius", "0.25", "--scale", "std:rows.csv", "--rows", "1"];
    ask(&sandbox, &[&["robust", "model.json", "rows.csv"], &asked[..]].concat());
    let (code, text) = check(&sandbox, "model.json");
    assert_eq!(code, Some(0), "{text}");
    let said = "\n      the distance: changes of numbers are multiplied by `age` × 1, `income` × 0.25";
    assert!(text.contains("(weighted linf)") && text.contains(said), "{text}");
}

/// Rows are proved in any order by several threads, and told in theirs.
#[test]
fn sections_are_in_the_order_of_rows() {
    let sandbox = examples();
    let row = std::fs::read_to_string(sandbox.path("people.csv")).unwrap();
    let (head, rows) = row.trim_end().split_once('\n').unwrap();
    sandbox.write("many.csv", format!("{head}\n{}", format!("{rows}\n").repeat(15)));
    for threads in ["1", "4"] {
        ask(&sandbox, &["closest", "new.json", "many.csv", "--norm", "l1", "--count", "2", "--threads", threads]);
        let (code, text) = check(&sandbox, "new.json");
        assert_eq!(code, Some(0), "{text}");
        let number =
            |line: &str| line.split("row ").nth(1).and_then(|rest| rest.strip_suffix('"')?.parse::<usize>().ok());
        let order: Vec<usize> =
            text.lines().filter(|line| line.contains("the proof calls this")).filter_map(number).collect();
        assert!(order.len() >= 60 && order.is_sorted(), "{threads}: {order:?}");
    }
}

/// A proof that claims nothing is no pass.
#[test]
fn vacuous_claims_are_told() {
    let sandbox = Sandbox::with_model();
    ask(&sandbox, &["max", "model.json"]);
    let proof = std::fs::read(sandbox.path("a.proof")).unwrap();
    for claim in [json!("nothing"), json!({"at_most": "inf"})] {
        let changed = |kind: u8, part: &mut Value| {
            if kind == b'C' {
                *part = json!({"claim": claim});
            }
        };
        sandbox.write("a.proof", resealed(&proof, changed));
        let (code, text) = check(&sandbox, "model.json");
        let expected = "undecided: every step follows from the model, but the proof claims nothing\n  nothing is proved of the margin (1 step checked)\n";
        assert_eq!((code, &*text), (Some(3), expected));
        let outcome = sandbox.run(["check", "a.proof", "model.json", "--json"]);
        let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
        assert_eq!((outcome.code, &answer["verdict"]), (Some(3), &json!("undecided")));
        assert_eq!(answer["proved"][0]["is_vacuous"], true);
    }
}

/// Answers that hold because no tree tests a feature say so.
#[test]
fn answers_that_rest_on_no_test_say_so() {
    let sandbox = Sandbox::with_model();
    sandbox.write("rows.csv", "age,income\n50,1\n30,1\n");
    let robust = ["robust", "model.json", "rows.csv", "--norm", "linf", "--radius", "1"];
    let questions: [(&[&str], bool); 8] = [
        (&["fair", "model.json", "--protected", "income"], true),
        (&["fair", "model.json", "--protected", "age"], false),
        (&["fair", "model.json", "rows.csv", "--protected", "income"], true),
        (&["monotone", "model.json", "--feature", "income"], true),
        (&["monotone", "model.json", "--feature", "age"], false),
        (&["monotone", "model.json", "--feature", "age", "--feature", "income"], true),
        (&[&robust[..], &["--where", "fixed(age)"]].concat(), true),
        (&robust, false),
    ];
    for (question, is_told) in questions {
        let text = sandbox.run(question).stdout;
        assert_eq!(text.lines().next().unwrap().ends_with(" No tree tests income."), is_told, "{question:?}: {text}");
        let (answer, _) = ask_json(&sandbox, question);
        let expected = if is_told { json!(["income"]) } else { Value::Null };
        assert_eq!(answer["not_tested"], expected, "{question:?}: {answer}");
    }
}

/// A number that is no multiple is there, or not; the doubles of the user count, whatever the model rounds them to.
#[test]
fn numbers_that_are_no_multiples_are_found_or_excluded() {
    let sandbox = Sandbox::new();
    for precision in ["f64", "f32"] {
        let rules = |precision: &str| format!(r#""input": {{"precision": "{precision}""#);
        sandbox.write("model.json", TINY.replace(&rules("f64"), &rules(precision)));
        for (condition, largest) in [
            ("not integer(age)", Some(1.5)),
            ("not integer(income)", Some(1.5)),
            ("not step(age, 0.5)", Some(1.5)),
            ("not step(age, 0.1)", Some(1.5)),
            ("not step(age, 3)", Some(1.5)),
            ("not integer(age) and not step(age, 0.25)", Some(1.5)),
            ("not integer(age) and step(age, 0.25)", Some(1.5)),
            ("not integer(age) and age >= 1e15", Some(1.5)),
            ("not integer(age) and age <= -1e15", Some(-1.5)),
            // From 2^52 on doubles are whole.
            ("not integer(age) and age >= 4503599627370495.5", Some(1.5)),
            ("not integer(age) and age >= 4503599627370496", None),
            ("not integer(age) and age >= 9007199254740992", None),
            ("not integer(age) and age <= -1e300", None),
            ("not step(age, 3) and age >= 1e300", None),
            ("not integer(age) and age > 3 and age < 3.0000000000000009", Some(-1.5)),
            ("not (integer(age) or integer(income))", Some(1.5)),
        ] {
            let (answer, code) = ask_json(&sandbox, &["max", "model.json", "--where", condition, "--proof", "a.proof"]);
            let expected = if largest.is_some() { ("optimal", Some(0)) } else { ("infeasible", Some(4)) };
            assert_eq!((answer["verdict"].as_str().unwrap(), code), expected, "{precision}: {condition}: {answer}");
            let largest = largest.map(|largest: f64| largest + 1.0);
            assert!(largest.is_none_or(|largest| answer["lower"] == largest), "{condition}: {answer}");
            let (code, text) = check(&sandbox, "model.json");
            assert_eq!(code, Some(0), "{precision}: {condition}: {text}");
        }
    }
}

/// Unsettled conditions are the reason given for an open end, not rounding.
#[test]
fn an_open_end_has_its_own_reason() {
    let sandbox = examples();
    let sum = "0.1*age + 0.7*income + 0.3*age == 1";
    let (answer, code) =
        ask_json(&sandbox, &["max", "new.json", "--where", sum, "--where", "age >= 1 and income >= 0.1"]);
    if answer["verdict"] == "undecided" {
        assert_eq!((answer["stopped"].as_str(), code), (Some("conditions"), Some(3)), "{answer}");
    }
}

/// Labels that cannot differ make `fair` hold only of inputs that there are; why that is open is told, and is not the time.
#[test]
fn an_unsettled_condition_is_why_fair_is_open() {
    let sandbox = examples();
    let conditions = ["0.1*age + 0.7*income + 0.3*age == 1", "age >= 1 and income >= 0.1 and age < 3"];
    let question = ["fair", "new.json", "--protected", "status", "--where", "status == 'married'"];
    let conditions = conditions.iter().flat_map(|condition| ["--where", condition]);
    let (answer, code) = ask_json(&sandbox, &question.into_iter().chain(conditions).collect::<Vec<_>>());
    let found = (answer["verdict"].as_str(), answer["stopped"].as_str(), code);
    assert_eq!(found, (Some("undecided"), Some("conditions"), Some(3)), "{answer}");
}

/// Margins that mean different things are not subtracted from each other.
#[test]
fn models_of_other_kinds_are_not_compared() {
    let sandbox = Sandbox::with_model();
    let write = |name: &str, pairs: &[(&str, &str)]| {
        sandbox.write(name, pairs.iter().fold(TINY.to_owned(), |text, (from, to)| text.replace(from, to)));
    };
    let (logistic, rule) = (r#""function": "logistic", "slope": 1.0"#, r#""rule": "margin_above", "threshold": 0.0"#);
    let identity = (logistic, r#""function": "identity""#);
    write("regression.json", &[identity, (rule, r#""rule": "none""#), (r#"["no", "yes"]"#, "[]")]);
    write("forest.json", &[identity, (rule, r#""rule": "margin_above", "threshold": 0.5"#)]);
    write(
        "counts.json",
        &[(logistic, r#""function": "exp""#), (rule, r#""rule": "none""#), (r#"["no", "yes"]"#, "[]")],
    );
    write("steep.json", &[(logistic, r#""function": "logistic", "slope": 2.0"#)]);
    write("exchanged.json", &[(r#"["no", "yes"]"#, r#"["yes", "no"]"#)]);
    write("others.json", &[(r#"["no", "yes"]"#, r#"["a", "b"]"#)]);
    write("numbers.json", &[(r#"["no", "yes"]"#, "[0, 1]")]);
    let refusal = |other: &str| sandbox.refusal(["diff", "model.json", other], other);
    let margins = "the models cannot be compared by their margins: margins are log-odds in the first, ";
    for (other, meaning) in [
        ("regression.json", "the output itself"),
        ("forest.json", "the probability of the second class"),
        ("counts.json", "the logarithm of the output"),
        ("steep.json", "log-odds divided by 2"),
    ] {
        let line = refusal(other);
        assert!(line.contains(&format!("{margins}{meaning} in the second")), "{other}: {line}");
    }
    for (other, classes) in [("exchanged.json", "yes, no"), ("others.json", "a, b")] {
        let line = refusal(other);
        assert!(
            line.contains(&format!("classes are no, yes in the first, {classes} in the second")),
            "{other}: {line}"
        );
    }
    // Numbers in order are no names.
    let (answer, code) = ask_json(&sandbox, &["diff", "model.json", "numbers.json"]);
    assert_eq!((&answer["upper"], code), (&json!(0.0), Some(0)));
}

/// One row is not "1 row are".
#[test]
fn counts_agree_with_their_verbs() {
    let sandbox = Sandbox::with_model();
    sandbox.write("one.csv", "age,income\n39,1\n");
    sandbox.write("two.csv", "age,income\n39,1\n30,1\n");
    let first = |args: &[&str]| sandbox.run(args).stdout.lines().next().unwrap().to_owned();
    let robust =
        |rows: &str, radius: &str| first(&["robust", "model.json", rows, "--norm", "linf", "--radius", radius]);
    assert_eq!(
        robust("one.csv", "2"),
        "The row is not robust within 2 (linf): it can be changed.".replace(" (linf)", "")
    );
    assert_eq!(robust("one.csv", "0.5"), "The row is robust within 0.5: proved.");
    assert_eq!(robust("two.csv", "2"), "1 of 2 rows is robust within 2: proved; 1 can be changed.");
    assert_eq!(robust("two.csv", "20"), "0 of 2 rows are robust within 20; 2 can be changed.");
    let fair = |rows: &str| first(&["fair", "model.json", rows, "--protected", "age"]);
    assert_eq!(fair("one.csv"), "The row gets another label when only age changes.");
    sandbox.write("audit.toml", "model = 'model.json'\n[[check]]\nname = 'small'\nquestion = 'max'\nat_most = 9\n");
    assert!(sandbox.run(["audit", "audit.toml"]).stdout.contains("1 of 1 check passes"));
}

/// Labels match as libraries compare them; rows without a label are in no accuracy.
#[test]
fn labels_of_rows() {
    let sandbox = Sandbox::new();
    let robust = |classes: &str, labels: [&str; 3]| {
        sandbox.write("model.json", TINY.replace(r#"["no", "yes"]"#, classes));
        let [first, second, third] = labels;
        // Two of the second class, and one of the first, which can be changed.
        sandbox.write("rows.csv", format!("age,income,y\n50,1,{first}\n60,1,{second}\n39.5,1,{third}\n"));
        let robust = ["robust", "model.json", "rows.csv", "--norm", "linf", "--radius", "1", "--label", "y"];
        (ask_json(&sandbox, &robust).0["summary"].clone(), sandbox.run(robust).stdout)
    };
    for (classes, labels) in [
        (r#"["False", "True"]"#, ["True", "True", "False"]),
        (r#"["false", "true"]"#, ["True", "True", "False"]),
        ("[false, true]", ["True", "True", "False"]),
        ("[false, true]", ["1", "1", "0"]),
        ("[0, 1]", ["True", "True", "False"]),
        ("[1, 2]", ["2", "2.0", "1"]),
        (r#"["1", "2"]"#, ["2", "2", "1"]),
        (r#"["no", "yes"]"#, ["yes", "yes", "no"]),
    ] {
        let (summary, _) = robust(classes, labels);
        assert_eq!((&summary["accuracy"], &summary["unlabelled"]), (&json!(1.0), &Value::Null), "{classes}: {summary}");
        assert_eq!(summary["certified_accuracy"], json!(2.0 / 3.0), "{classes}: {summary}");
    }
    let (summary, text) = robust(r#"["no", "yes"]"#, ["yes", "", "yes"]);
    assert_eq!((&summary["accuracy"], &summary["certified_accuracy"]), (&json!(0.5), &json!(0.5)), "{summary}");
    assert_eq!(summary["unlabelled"], 1, "{summary}");
    assert!(text.contains("without label       1 row, in no accuracy\n"), "{text}");
    let (summary, _) = robust(r#"["no", "yes"]"#, ["yes", "other", "no"]);
    assert_eq!((&summary["accuracy"], &summary["unlabelled"]), (&json!(2.0 / 3.0), &Value::Null), "{summary}");
}

#[test]
fn a_regression_has_no_use_for_labels() {
    let sandbox = crate::comparisons::with_loans();
    sandbox.write("rows.csv", "age,income,status,y\n50,1,A91,3.5\n");
    let robust = ["robust", "price.json", "rows.csv", "--norm", "linf", "--radius", "1", "--label", "y"];
    let line = "--label says nothing of a regression: leave it out, and ask with --within EPS";
    assert_eq!(sandbox.refusal(robust, "no labels"), line);
    assert_eq!(sandbox.refusal([&robust[..], &["--within", "1"]].concat(), "labels beside --within"), line);
}

/// Columns of amounts are not called one-hot.
#[test]
fn amounts_are_no_one_hot_columns() {
    let sandbox = Sandbox::new();
    let model = TINY.replace("\"age\"", "\"capital-gain\"").replace("\"income\"", "\"capital-loss\"");
    sandbox.write("model.json", model.replace("[40, 0, 0]", "[0.5, 0, 0]"));
    sandbox.write("amounts.csv", "capital-gain,capital-loss\n0,1887\n2174,0\n");
    sandbox.write("bits.csv", "capital-gain,capital-loss\n0,1\n1,0\n");
    let hint = |rows: &str| sandbox.run(["max", "model.json", "--domain", rows]).stderr;
    assert_eq!(hint("amounts.csv"), "");
    assert!(hint("bits.csv").contains("look like one-hot columns"), "{}", hint("bits.csv"));
}
