//! Answers about rows as tables in files, and how far witnesses are from real rows.

use serde_json::{Value, json as value};
use treeproof_data::{Column, Table};

use crate::comparisons::with_loans;
use crate::questions::{json, number};
use crate::sandbox::Sandbox;

fn people() -> Sandbox {
    let sandbox = Sandbox::with_model();
    sandbox.write("people.csv", "age,income,label\n36,10,no\n45,20,yes\n38.5,30,yes\n");
    sandbox
}

fn table(sandbox: &Sandbox, file: &str) -> Table {
    treeproof_data::read(&sandbox.path(file)).unwrap()
}

/// A column as JSON has it; what is empty is null.
fn cells(table: &Table, name: &str) -> Vec<Value> {
    match table.column_named(name) {
        Some(Column::Numbers(numbers) | Column::Booleans(numbers)) => {
            numbers.iter().map(|number| value!(number)).collect()
        }
        Some(Column::Texts(texts)) => texts.iter().map(|text| value!(text)).collect(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn tables_have_what_json_has() {
    let sandbox = people();
    let args = ["robust", "model.json", "people.csv", "--norm", "l1", "--radius", "4", "--label", "label"];
    let args = [&args[..], &["--domain", "people.csv"]].concat();
    for file in ["answers.csv", "answers.parquet"] {
        let (answer, code) = json(&sandbox, &[&args[..], &["--output", file]].concat());
        assert_eq!(code, Some(1), "{answer}");
        let table = table(&sandbox, file);
        let rows = answer["rows"].as_array().unwrap();
        let same = |name: &str, of: &dyn Fn(&Value) -> Value| {
            assert_eq!(cells(&table, name), rows.iter().map(of).collect::<Vec<_>>(), "{file}: {name}");
        };
        for name in
            ["verdict", "label", "lower", "upper", "stopped", "seconds", "witness_label", "output", "probability"]
        {
            same(name, &|row| row[name].clone());
        }
        same("row", &|row| value!(number(&row["row"])));
        same("is_correct", &|row| value!(if row["is_correct"] == true { 1.0 } else { 0.0 }));
        same("witness.age", &|row| row["witness"]["age"].clone());
        same("witness.income", &|row| row["witness"]["income"].clone());
        same("nearest_distance", &|row| row["nearest_row"]["distance"].clone());
        assert_eq!(cells(&table, "changed"), [value!("age 36 → 40"), Value::Null, value!("age 38.5 → 40")], "{file}");
        assert!(!sandbox.path(format!("{file}.partial")).exists(), "{file}");
    }
    let (answer, _) = json(&sandbox, &[&args[..], &["--output", "answers.json"]].concat());
    let written = std::fs::read_to_string(sandbox.path("answers.json")).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&written).unwrap(), answer);
}

#[test]
fn tables_of_fair_have_both_labels() {
    let sandbox = with_loans();
    sandbox.write("people.csv", "age,income,status\n20,1,A91\n20,,A93\n50,1,A92\n30,9,A92\n");
    let args = ["fair", "loans.json", "people.csv", "--protected", "status", "--output", "answers.csv"];
    let (answer, _) = json(&sandbox, &args);
    let table = table(&sandbox, "answers.csv");
    let rows = answer["rows"].as_array().unwrap();
    let told = |of: &dyn Fn(&Value) -> Value| rows.iter().map(of).collect::<Vec<_>>();
    assert_eq!(cells(&table, "label_a"), told(&|row| row["label"]["a"].clone()));
    assert_eq!(cells(&table, "label_b"), told(&|row| row["label"]["b"].clone()));
    assert_eq!(cells(&table, "witness.status"), told(&|row| row["witness"]["b"]["status"].clone()));
    let changed = cells(&table, "changed");
    assert_eq!((&changed[0], &changed[2]), (&value!("status A91 → A92"), &Value::Null));
}

/// Nothing is written, and nothing is searched, if the table cannot be.
#[test]
fn bad_tables_are_one_line() {
    let sandbox = people();
    let refusal = |file: &str| {
        let args = ["closest", "model.json", "people.csv", "--norm", "l1", "--output", file];
        sandbox.refusal(args, file)
    };
    assert_eq!(refusal("answers.xlsx"), "--output: `answers.xlsx` must end in .csv, .json or .parquet");
    assert_eq!(refusal("answers"), "--output: `answers` must end in .csv, .json or .parquet");
    assert!(refusal("none/answers.csv").starts_with("none/answers.csv: "), "{}", refusal("none/answers.csv"));
    std::fs::create_dir(sandbox.path("folder.csv")).unwrap();
    assert_eq!(refusal("folder.csv"), "folder.csv: is a directory; name a file in it");
    let fair = ["fair", "model.json", "--protected", "age", "--output", "answers.csv"];
    let line = sandbox.refusal(fair, "no rows");
    assert_eq!(line, "--output: a table has a line for each row, but this question has no rows");
    // A model that cannot be read leaves nothing behind.
    sandbox.refusal(["closest", "none.json", "people.csv", "--norm", "l1", "--output", "a.csv"], "no model");
    assert!(!sandbox.path("a.csv").exists() && !sandbox.path("a.csv.partial").exists());
}

/// What was answered before Ctrl-C is in the table.
#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_keeps_the_table() {
    let sandbox = crate::questions::with_hard_model();
    let header: Vec<String> = (0..30).map(|index| format!("f{index}")).collect();
    let rows: String = (0..20_000).map(|row| format!("{}\n", vec![(row % 1000).to_string(); 30].join(","))).collect();
    sandbox.write("rows.csv", format!("{}\n{rows}", header.join(",")));
    let line = "timeout --foreground -s INT 2 $treeproof closest hard.json rows.csv --norm l2 --json --output a.csv";
    let answer: Value = serde_json::from_str(&sandbox.shell(line).stdout).unwrap();
    let asked = answer["rows"].as_array().unwrap().len();
    assert!(asked > 0 && number(&answer["summary"]["left"]) > 0.0);
    assert_eq!(table(&sandbox, "a.csv").num_rows(), asked);
}

#[test]
fn witnesses_tell_the_nearest_row_of_the_domain() {
    let sandbox = people();
    let nearest =
        |args: &[&str]| json(&sandbox, &[args, &["--domain", "people.csv"]].concat()).0["nearest_row"].clone();
    // Only age is tested, and only 45 is above 40; the witness may be anything from 40 to 45.
    let largest = nearest(&["max", "model.json"]);
    let gap = |age: f64| [36.0, 45.0, 38.5].map(|known: f64| (age - known).abs() / 9.0);
    let (answer, _) = json(&sandbox, &["max", "model.json", "--domain", "people.csv"]);
    let gaps = gap(number(&answer["witness"]["age"]));
    let least = gaps.into_iter().fold(f64::INFINITY, f64::min);
    assert_eq!(number(&largest["distance"]), least, "{answer}");
    assert_eq!(gaps[number(&largest["row"]) as usize], least, "{answer}");
    assert_eq!(number(&largest["changed"]), if least > 0.0 { 1.0 } else { 0.0 }, "{answer}");
    // Of two inputs, each.
    let two = nearest(&["fair", "model.json", "--protected", "age"]);
    assert!(two["a"]["row"].is_u64() && two["b"]["distance"].is_f64(), "{two}");
    assert_eq!(
        nearest(&["min", "model.json", "--where", "age == 38.5"]),
        value!({"row": 2, "changed": 0, "distance": 0.0})
    );
    let text = sandbox.run(["min", "model.json", "--where", "age == 37", "--domain", "people.csv"]).answer();
    assert!(text.contains("nearest row  row 0 of people.csv: 1 feature differs, scaled distance 0.11\n"), "{text}");
    // Without data there is nothing to be near to.
    assert_eq!(json(&sandbox, &["max", "model.json"]).0["nearest_row"], Value::Null);
    let closest = sandbox.run(["closest", "model.json", "people.csv", "--norm", "l1", "--domain", "people.csv"]);
    assert!(closest.stdout.contains("no → yes  2, 0.17 away         age 36 → 40\n"), "{}", closest.stdout);
}
