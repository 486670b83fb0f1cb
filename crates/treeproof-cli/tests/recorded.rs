//! Answers as JSON, compared with those that were recorded: a change that should change no answer changes none.
//!
//! `TREEPROOF_RECORD=1 cargo test -p treeproof-cli recorded` records them anew, for a change on purpose.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::claims::resealed;
use crate::distances::doubling;
use crate::sandbox::{Sandbox, fixtures};

/// Keys, anywhere, whose values depend on the machine.
const MACHINE_KEYS: [&str; 2] = ["seconds", "memory_bytes"];

/// Paths to other values that depend on the machine, the day or the version; `*` is any item of a list.
const MACHINE_PATHS: [&str; 7] = [
    "about.treeproof",
    "about.date",
    "about.trace.*.points",
    "about.parts.*.trace.*.points",
    "about.task.limits.memory",
    "about.parts.*.task.limits.memory",
    "limits.memory",
];

/// Paths to sentences for people, which may be put in other words.
const PROSE_PATHS: [&str; 13] = [
    "input",
    "missing",
    "arithmetic",
    "link",
    "label_rule",
    "notes.*",
    "about.models.*.input",
    "about.models.*.missing",
    "about.models.*.arithmetic",
    "about.models.*.label_rule",
    "statements.*",
    "wrong",
    "checks.*.measured.what",
];

/// Longest list of differences of one command that is shown.
const MOST_SHOWN: usize = 12;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/recorded")
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let (path, copy) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy_folder(&path, &copy);
        } else {
            std::fs::copy(path, copy).unwrap();
        }
    }
}

/// A folder with all files that the commands name and do not write.
fn prepared() -> Sandbox {
    let sandbox = Sandbox::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    copy_folder(&folder().join("files"), &sandbox.path(""));
    copy_folder(&root.join("demo"), &sandbox.path("demo"));
    copy_folder(&root.join("../../docs/examples"), &sandbox.path("examples"));
    copy_folder(&fixtures(), &sandbox.path("fixtures"));
    sandbox.write("doubling.json", doubling());
    sandbox.run(["max", "examples/new.json", "--proof", "honest.proof"]).answer();
    let honest = std::fs::read(sandbox.path("honest.proof")).unwrap();
    for (name, claim) in [("wrong.proof", json!({"at_most": 0.5})), ("vacuous.proof", json!("nothing"))] {
        let claimed = |kind: u8, part: &mut Value| {
            if kind == b'C' {
                *part = json!({"claim": claim});
            }
        };
        sandbox.write(name, resealed(&honest, claimed));
    }
    sandbox
}

/// Runs a command as its line says, but as JSON and on one thread.
fn answer(sandbox: &Sandbox, command: &str) -> Value {
    let mut args = shlex::split(command).expect(command);
    if args[0] != "convert" {
        args.push("--json".into());
    }
    if !["inspect", "convert", "audit", "check"].contains(&args[0].as_str()) {
        args.extend(["--threads".into(), "1".into()]);
    }
    let outcome = sandbox.run(args);
    let mut answer = match outcome.stdout.as_str() {
        "" => Value::Null,
        text => serde_json::from_str(text).unwrap_or_else(|error| panic!("{command}: {error}: {text:.200}")),
    };
    mask(&mut answer, &mut vec![]);
    json!({"command": command, "code": outcome.code, "answer": answer})
}

/// Hides what may change; keys and lengths of lists stay, and so does whether a value is null.
fn mask<'a>(value: &'a mut Value, path: &mut Vec<&'a str>) {
    let is_at = |pattern: &&str| pattern.split('.').eq(path.iter().copied());
    let is_machine = path.last().is_some_and(|key| MACHINE_KEYS.contains(key)) || MACHINE_PATHS.iter().any(is_at);
    let is_prose = value.is_string() && PROSE_PATHS.iter().any(is_at);
    if (is_machine && !value.is_null()) || is_prose {
        *value = "…".into();
        return;
    }
    let mut inner = |key: &'a str, part: &'a mut Value| {
        path.push(key);
        mask(part, path);
        path.pop();
    };
    match value {
        Value::Object(fields) => fields.iter_mut().for_each(|(key, part)| inner(key, part)),
        Value::Array(items) => items.iter_mut().for_each(|part| inner("*", part)),
        _ => {}
    }
}

/// Differences between two answers, each as a line with its place.
fn differences(old: &Value, new: &Value, place: &str, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            let inner = |key: &str| if place.is_empty() { key.to_owned() } else { format!("{place}.{key}") };
            for (key, value) in old {
                match new.get(key) {
                    Some(other) => differences(value, other, &inner(key), found),
                    None => found.push(format!("{}: {} → no such key", inner(key), short(value))),
                }
            }
            let added = new.iter().filter(|(key, _)| !old.contains_key(*key));
            found.extend(added.map(|(key, value)| format!("{}: no such key → {}", inner(key), short(value))));
            let orders = [(old, new), (new, old)]
                .map(|(one, other)| one.keys().filter(|key| other.contains_key(*key)).cloned().collect::<Vec<_>>());
            if orders[0] != orders[1] {
                let [old, new] = orders.map(|keys| keys.join(", "));
                found.push(format!("{place}: order of keys: {old} → {new}"));
            }
        }
        (Value::Array(old), Value::Array(new)) => {
            for (index, (old, new)) in old.iter().zip(new).enumerate() {
                differences(old, new, &format!("{place}[{index}]"), found);
            }
            if old.len() != new.len() {
                found.push(format!("{place}: {} → {} items", old.len(), new.len()));
            }
        }
        _ if old == new => {}
        _ => found.push(format!("{place}: {} → {}", short(old), short(new))),
    }
}

/// A value on one line, cut where it is long.
fn short(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}

#[test]
fn answers_are_as_recorded() {
    let text = std::fs::read_to_string(folder().join("commands.txt")).unwrap();
    let commands: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let sandbox = prepared();
    let answers: Vec<Value> = commands.iter().map(|command| answer(&sandbox, command)).collect();
    let file = folder().join("answers.jsonl");
    if std::env::var_os("TREEPROOF_RECORD").is_some() {
        let lines: String = answers.iter().map(|answer| format!("{answer}\n")).collect();
        return std::fs::write(file, lines).unwrap();
    }
    let recorded = std::fs::read_to_string(file).unwrap();
    let recorded: Vec<Value> = recorded.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let same_commands = recorded.iter().map(|answer| answer["command"].as_str()).eq(commands.iter().copied().map(Some));
    assert!(same_commands, "recorded for other commands than in commands.txt: record with TREEPROOF_RECORD=1");
    let mut report = String::new();
    for (old, new) in recorded.iter().zip(&answers) {
        let mut found = vec![];
        differences(old, new, "", &mut found);
        if found.is_empty() {
            continue;
        }
        report += &format!("\n$ treeproof {}\n", old["command"].as_str().unwrap());
        found.iter().take(MOST_SHOWN).for_each(|line| report += &format!("  {line}\n"));
        if found.len() > MOST_SHOWN {
            report += &format!("  and {} more\n", found.len() - MOST_SHOWN);
        }
    }
    assert!(report.is_empty(), "answers changed (recorded → now); on purpose: TREEPROOF_RECORD=1\n{report}");
}

#[test]
fn differences_have_their_place() {
    let told = |old: Value, new: Value| {
        let mut found = vec![];
        differences(&old, &new, "", &mut found);
        found
    };
    let old = json!({"code": 0, "answer": {"lower": 0.5, "rows": [{"a": 1}, {"a": 2}]}});
    assert!(told(old.clone(), old.clone()).is_empty());
    assert_eq!(
        told(old, json!({"code": 3, "answer": {"rows": [{"a": 1.0}], "lower": 0.25}})),
        [
            "code: 0 → 3",
            "answer.lower: 0.5 → 0.25",
            "answer.rows[0].a: 1 → 1.0",
            "answer.rows: 2 → 1 items",
            "answer: order of keys: lower, rows → rows, lower",
        ]
    );
    assert_eq!(
        told(json!({"lower": null, "gap": 1}), json!({"lower": 0, "best": 1})),
        ["lower: null → 0", "gap: 1 → no such key", "best: no such key → 1"]
    );
}

#[test]
fn only_prose_and_the_machine_are_masked() {
    let mut value = json!({"seconds": 1.5, "link": {"function": "logistic"}, "wrong": "it is about another model",
        "rows": [{"seconds": null, "missing": "own", "lower": 2.5}], "statements": ["the margin is at most 1"]});
    mask(&mut value, &mut vec![]);
    let expected = json!({"seconds": "…", "link": {"function": "logistic"}, "wrong": "…",
        "rows": [{"seconds": null, "missing": "own", "lower": 2.5}], "statements": ["…"]});
    assert_eq!(value.to_string(), expected.to_string());
}
