//! Every recorded answer of the command line reads back, and is written as the same text.

use std::path::Path;

use serde_json::{Value, json};
use treeproof_report::Report;

/// Puts numbers in the place of those that recording hides, as they depend on the machine.
fn unmask(value: &mut Value, key: &str) {
    match value {
        Value::String(text) if text == "…" && key == "memory_bytes" => *value = json!(4096),
        Value::String(text) if text == "…" && key == "seconds" => *value = json!(0.125),
        Value::String(text) if text == "…" && key == "points" => *value = json!([[0.5, null, 2.0], [1.0, 1.5, 2.0]]),
        Value::Object(fields) => fields.iter_mut().for_each(|(key, part)| unmask(part, key)),
        Value::Array(items) => items.iter_mut().for_each(|part| unmask(part, key)),
        _ => {}
    }
}

/// The recorded answers to questions with a verdict.
fn answers() -> Vec<Value> {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../treeproof-cli/tests/recorded/answers.jsonl");
    let text = std::fs::read_to_string(file).unwrap();
    let answer = |line: &str| serde_json::from_str::<Value>(line).unwrap()["answer"].take();
    let mut answers: Vec<Value> = text.lines().map(answer).filter(|answer| answer["verdict"].is_string()).collect();
    answers.iter_mut().for_each(|answer| unmask(answer, ""));
    answers
}

#[test]
fn every_report_reads_back_and_is_written_as_the_same_text() {
    let mut reports = 0;
    for mut answer in answers() {
        if answer["question"] == "audit" || answer["question"] == "check" {
            continue;
        }
        answer.as_object_mut().unwrap().shift_remove("about");
        let text = answer.to_string();
        let report: Report = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{error}: {text}"));
        assert_eq!(serde_json::to_string(&report).unwrap(), text);
        assert_eq!(serde_json::from_value::<Report>(answer).unwrap(), report);
        reports += 1;
    }
    assert!(reports > 100, "{reports}");
}
