//! Conditions: what parses and resolves means the same in parentheses, and excludes its negation.

use std::sync::LazyLock;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::{LoadOptions, load_bytes};
use treeproof_language::{
    Assignment, Condition, Constraint, Groups, Inputs, LanguageError, ReadRow, Resolved, Vocabulary,
};

/// A model with numeric features, three columns of a group, and a feature with categories.
static MODEL: LazyLock<Ensemble> = LazyLock::new(|| {
    let model = br#"{"treeproof": 1, "source": {"format": "treeproof JSON"},
        "features": [{"name": "age", "kind": "numeric"}, {"name": "hours per week", "kind": "numeric"},
            {"name": "w_0", "kind": "numeric"}, {"name": "w_1", "kind": "numeric"}, {"name": "w_2", "kind": "numeric"},
            {"name": "colour", "kind": "category", "encoding": {"rule": "lightgbm"}, "names": ["red", "dark blue"]}],
        "input": {"precision": "f64", "accepts_missing": true, "accepts_infinite": true, "absent": "zero"},
        "num_outputs": 1,
        "aggregate": {"rule": "sum", "precision": "f64", "base": [0], "base_position": "first", "fixed_order": true},
        "link": {"function": "identity"}, "label": {"rule": "none"}, "classes": [],
        "trees": [{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                   "threshold": [40, 0, 0], "missing_left": [1, 0, 0], "output": 0, "value": [0, -1.0, 2.0]}]}"#;
    load_bytes(model, &LoadOptions::default()).expect("a model")
});

const ROWS: [[f64; 6]; 4] = [
    [0.0, -0.0, 1.0, 0.0, 0.0, 0.0],
    [1.5, 30.0, 0.0, 1.0, 0.0, 1.0],
    [-1e300, 5e-324, 0.0, 0.0, 1.0, -1.0],
    [f64::NAN, f64::NAN, 1.0, 1.0, f64::NAN, f64::NAN],
];

/// Checks a text in questions about one input, with and without a reference, and about two.
pub fn check(content: &[u8]) {
    let Ok(text) = std::str::from_utf8(content) else { return };
    let groups = Groups::new(&MODEL, [("w", &["w_*"][..])]).expect("three columns");
    for inputs in [Inputs::One, Inputs::WithReference, Inputs::Two] {
        let vocabulary = Vocabulary::new(&MODEL, &groups, inputs);
        let resolve = |text: &str| constraint(text, &vocabulary);
        let constraint = match resolve(text) {
            Ok(constraint) => constraint,
            Err(error) => {
                let error = error.to_string();
                assert!(!error.contains('\n'), "not one line: {error}");
                continue;
            }
        };
        // One level more may be one too many.
        if let Ok(within) = resolve(&format!("({text})")) {
            assert_eq!(within, constraint, "parentheses change {text:?}");
        }
        let negated = resolve(&format!("not ({text})")).ok().filter(|_| !text.contains("maybemissing"));
        for first in &ROWS {
            for second in &ROWS {
                let [a, b] = [first, second].map(|row| ReadRow::new(&MODEL, row).expect("a row of the model"));
                let point = match inputs {
                    Inputs::One => Assignment::One { input: &b, reference: None },
                    Inputs::WithReference => Assignment::One { input: &b, reference: Some(&a) },
                    Inputs::Two => Assignment::Two { a: &a, b: &b },
                };
                let both = constraint.holds(point) && negated.as_ref().is_some_and(|negated| negated.holds(point));
                assert!(!both, "{text:?} and its negation hold for {first:?} and {second:?}");
            }
        }
    }
}

fn constraint(text: &str, vocabulary: &Vocabulary<'_>) -> Result<Constraint, LanguageError> {
    Ok(Resolved::new(&[Condition::parse(text)?], vocabulary)?.constraint())
}
