//! Whatever an answer holds, there is a page or a refusal; names from files stay text; and many rows make no large page.

use proptest::prelude::*;
use serde_json::{Map, Value, json};
use treeproof_render::{Content, Spelling};
use treeproof_report::{About, AnyReport, Report, SavedAnswer};

const NAMES: [&str; 7] = [
    "</script><script>alert(1)</script>",
    "\"><img src=x onerror=alert(1)>",
    "' onmouseover='alert(1)",
    "</style></title><b>",
    "a\u{202e}b\u{2066}\u{1b}[31m\r\n",
    "&lt;i&gt; &amp; <!-- ",
    "",
];

/// An answer to each question, with these names wherever people choose them.
fn answers(name: &str) -> Vec<Value> {
    let input = json!({name: 1.0, "x": name, "y": null});
    let pair = json!({"a": input, "b": {name: 2.0, "x": "other", "y": null}});
    let row = json!({"row": 0, "verdict": "violated", "label": name, "witness_label": "b", "lower": 1.0, "upper": 1.0,
                     "witness": input, "changed": [{"feature": name, "from": 0, "to": 1.0}], "is_correct": true});
    let check = json!({"name": name, "outcome": "fail", "passes": false, "at_most": 1, "measured": {"what": name},
                       "report": {"question": "max", "verdict": "optimal", "witness": input}});
    vec![
        json!({"question": "max", "verdict": "optimal", "class": name, "lower": 1.0, "upper": 1.0, "witness": input, "output": 1.0}),
        json!({"question": "range", "verdict": "optimal", "min": {"witness": input}, "max": {"witness": input}}),
        json!({"question": "robust", "verdict": "violated", "unit": "distance", "norm": "l2", "radius": 1, "rows": [row, row], "summary": {}}),
        json!({"question": "closest", "verdict": "optimal", "unit": "distance", "norm": "l1", "rows": [row], "summary": {}}),
        json!({"question": "fair", "verdict": "violated", "witness": pair, "label": {"a": name, "b": name}}),
        json!({"question": "fair", "verdict": "violated", "rows": [{"row": 1, "verdict": "violated", "witness": pair}], "summary": {"asked": 1}}),
        json!({"question": "monotone", "verdict": "violated", "feature": name, "lower": 1.0, "witness": pair}),
        json!({"question": "monotone", "verdict": "violated", "features": [{"feature": name, "verdict": "violated", "witness": pair}]}),
        json!({"question": "stable", "verdict": "optimal", "witness": pair, "nearest_row": {"a": {"row": 1, "changed": 2}, "b": {"row": 2}}}),
        json!({"question": "diff", "verdict": "optimal", "witness": input}),
        json!({"question": "dominant", "verdict": "optimal", "attributes": [{"attribute": name, "from": name, "to": name, "lower": 1.0, "upper": 2.0}]}),
        json!({"question": "dominant", "verdict": "optimal", "changes": [{"attribute": name, "from": name, "to": name, "effect": 1.0}], "witness": pair}),
        json!({"question": "enumerate", "verdict": "optimal", "regions": [{"output": 1.0, "domain": {name: {"values": [name]}}}]}),
        json!({"question": "maximise", "verdict": "infeasible", "conflict": [name, name]}),
        json!({"question": "audit", "verdict": "violated", "checks": [check, {"name": name, "outcome": "undecided"}], "summary": {}}),
        json!({"question": "check", "verdict": "invalid", "wrong": name, "statements": [name]}),
    ]
}

fn about(name: &str) -> Value {
    let task = json!({"where": [name, name], "domain": name, "groups": {name: name}, "question": {"fair": {"protected": [name], "target": name}}});
    json!({"treeproof": name, "date": name, "command": name, "task": task, "parts": [{"task": task}],
           "models": [{"file": name, "sha256": name, "classes": [name], "format": name, "input": name}],
           "trace": [{"question": name, "points": [[0.0, 1.0, 2.0], [1.0, 1.5, 2.0]]}]})
}

fn html(answers: &[SavedAnswer]) -> String {
    treeproof_render::html(answers, Spelling::Flags)
}

fn saved(mut answer: Value, about: Value) -> SavedAnswer {
    answer["about"] = about;
    SavedAnswer::read(answer).unwrap()
}

#[test]
fn names_from_files_stay_text() {
    for name in NAMES {
        let saved: Vec<SavedAnswer> = answers(name).into_iter().map(|answer| saved(answer, about(name))).collect();
        for page in saved.iter().map(|one| html(std::slice::from_ref(one))).chain([html(&saved)]) {
            let (before, after) = page.split_once("<script>").expect("one script of its own");
            assert!(
                after.ends_with("</script></body></html>") && !after[..after.len() - 23].contains("</script"),
                "{name}"
            );
            assert!(!before.contains("<img") && !before.contains("<b>"), "{name}");
            assert_eq!(page.matches("<style>").count(), 1);
            assert!(!page.contains(['\u{202e}', '\u{2066}', '\u{1b}', '\r']), "{name:?}");
        }
        for SavedAnswer { report, about } in saved {
            let content = Content::of(&report, &about, Spelling::Arguments);
            assert!(!content.plain().contains(['\u{202e}', '\u{2066}', '\u{1b}', '\r']), "{name:?}");
            let content = serde_json::to_string(&content).unwrap();
            let hidden = ["\u{202e}", "\u{2066}", "\\u001b", "\\r", "\\n"];
            assert!(!hidden.iter().any(|sign| content.contains(sign)), "{name:?}: {content}");
        }
    }
}

#[test]
fn ten_thousand_rows_make_a_page_that_opens_at_once() {
    let row = |row: usize| {
        let changed: Vec<Value> =
            (0..30).map(|place| json!({"feature": format!("a_rather_long_name_{place}"), "from": 0.123456789, "to": 9.87654321})).collect();
        let witness: Map<String, Value> =
            (0..30).map(|place| (format!("a_rather_long_name_{place}"), json!(9.87654321))).collect();
        json!({"row": row, "verdict": "optimal", "label": "a", "witness_label": "b", "lower": row, "upper": row, "changed": changed, "witness": witness})
    };
    let rows: Vec<Value> = (0..10_000).map(row).collect();
    let answer = json!({"question": "closest", "verdict": "optimal", "unit": "distance", "norm": "l1", "rows": rows, "summary": {"rows": 10_000}});
    let page = html(&[SavedAnswer::read(answer).unwrap()]);
    assert!(page.len() < 1_500_000, "{} bytes", page.len());
    assert!(page.contains("2,000 of 10,000 rows, those first"));
}

#[test]
fn without_anything_about_it_an_answer_has_a_page() {
    let report: Report = serde_json::from_value(json!({"question": "max", "verdict": "undecided"})).unwrap();
    let page = html(&[SavedAnswer { report: AnyReport::Question(report), about: About::default() }]);
    assert!(page.contains("The largest margin is not known: the search ended early."));
    assert!(html(&[]).contains("0 answers"));
}

/// Any JSON, often with the names that answers have.
fn anything() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,8}".prop_map(Value::from),
        prop::sample::select(vec!["optimal", "violated", "undecided", "holds", "l1", "distance", "margin"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        let name = prop_oneof![
            prop::sample::select(vec![
                "rows",
                "row",
                "verdict",
                "witness",
                "a",
                "b",
                "lower",
                "upper",
                "summary",
                "changed",
                "min",
                "max",
                "features",
                "attributes",
                "regions",
                "domain",
                "checks",
                "report",
                "label",
                "output",
                "radius",
                "norm",
                "pixel_0_0",
                "f0",
                "task",
                "question",
                "trace",
                "points",
            ])
            .prop_map(str::to_owned),
            "\\PC{0,6}"
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((name, inner), 0..8).prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn whatever_an_answer_holds_there_is_a_page(
        which in 0..16_usize, fields in prop::collection::vec((0..40_usize, anything()), 0..4), other in anything()
    ) {
        let mut answer = answers("x")[which].clone();
        for (place, value) in fields {
            let fields = answer.as_object_mut().unwrap();
            let names: Vec<String> = fields.keys().cloned().chain(["unit", "rows", "witness", "summary"].map(str::to_owned)).collect();
            let name = &names[place % names.len()];
            if name != "question" && name != "verdict" {
                fields.insert(name.clone(), value);
            }
        }
        answer["about"] = other;
        // An answer whose fields are of other kinds is refused in one line.
        let saved = match SavedAnswer::read(answer) {
            Ok(saved) => saved,
            Err(refused) => {
                prop_assert!(!refused.to_string().contains(char::is_control), "{refused:?}");
                return Ok(());
            }
        };
        let content = Content::of(&saved.report, &saved.about, Spelling::Arguments);
        prop_assert!(content.tables.iter().all(|table| table.rows.iter().all(|row| row.len() == table.columns.len())));
        prop_assert!(!content.plain().is_empty());
        let page = html(&[saved]);
        prop_assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>"));
    }
}
