//! Every example in `docs/constraints.md` is read, and means something for a model with these features.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_language::{Condition, Groups, Inputs, Resolved, Vocabulary};

const PAGE: &str = include_str!("../../../docs/constraints.md");

const NUMERIC: [&str; 20] = [
    "age",
    "sex",
    "x",
    "x1",
    "x2",
    "x3",
    "a",
    "b",
    "c",
    "word_1",
    "word_2",
    "price",
    "debt",
    "income",
    "workclass_?",
    "hours per week",
    "race_White",
    "race_Black",
    "race_Other",
    "hours",
];

fn model() -> Ensemble {
    let numeric: Vec<String> =
        NUMERIC.iter().map(|name| format!(r#"{{"name": "{name}", "kind": "numeric"}}"#)).collect();
    let model = format!(
        r#"{{"treeproof": 1, "source": {{"format": "treeproof JSON"}},
        "features": [{}, {{"name": "colour", "kind": "category", "encoding": {{"rule": "lightgbm"}},
            "names": ["red", "blue", "dark blue"]}}],
        "input": {{"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"}},
        "num_outputs": 1,
        "aggregate": {{"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true}},
        "link": {{"function": "identity"}}, "label": {{"rule": "none"}}, "classes": [],
        "trees": [{{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                   "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}}]}}"#,
        numeric.join(", ")
    );
    load_bytes(model.as_bytes(), &LoadOptions::default()).unwrap()
}

fn assert_read(text: &str, inputs: Inputs) {
    let model = model();
    let groups = Groups::new(&model, [("race", &["race_*"][..])]).unwrap();
    let condition = Condition::parse(text).unwrap_or_else(|error| panic!("{error}"));
    Resolved::new(&[condition], &Vocabulary::new(&model, &groups, inputs)).unwrap_or_else(|error| panic!("{error}"));
}

#[test]
fn every_form_in_the_table_is_read() {
    let forms: Vec<&str> =
        PAGE.lines().filter_map(|line| line.strip_prefix("| `")?.split_once("` |")).map(|(form, _)| form).collect();
    assert!(forms.len() > 20, "{forms:?}");
    forms.iter().for_each(|form| assert_read(form, Inputs::WithReference));
}

#[test]
fn every_example_is_read() {
    for (fence, inputs, count) in [("```where\n", Inputs::WithReference, 15), ("```two\n", Inputs::Two, 6)] {
        let blocks = PAGE.split(fence).skip(1).map(|rest| rest.split("```").next().unwrap());
        let examples: Vec<&str> = blocks.flat_map(str::lines).collect();
        assert_eq!(examples.len(), count, "{examples:?}");
        examples.iter().for_each(|example| assert_read(example, inputs));
    }
}
