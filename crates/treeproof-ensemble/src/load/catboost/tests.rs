//! Hand-written models for the rules that are easy to get wrong; routing follows CatBoost 1.2.

use super::*;
use crate::error::LoadFailure;
use crate::input::FeatureKind;
use crate::label::{ClassName, LabelRule};
use crate::link::Link;

/// Two numeric columns around a categorical one, as `features_info`.
const FEATURES: &str = r#"{
    "float_features": [
        {"feature_id": "", "feature_index": 0, "flat_feature_index": 0, "nan_value_treatment": "AsTrue"},
        {"feature_id": "age", "feature_index": 1, "flat_feature_index": 2, "nan_value_treatment": "AsFalse"}],
    "categorical_features": [{"feature_id": "colour", "feature_index": 0, "flat_feature_index": 1, "values": [-5]}],
    "cat_features_hash": [{"hash": 7, "value": "red"}, {"hash": 4294967291, "value": "blue"}]}"#;
const FIRST: &str = r#"{"split_type": "FloatFeature", "float_feature_index": 0, "border": 0.5, "split_index": 0}"#;
const SECOND: &str = r#"{"split_type": "FloatFeature", "float_feature_index": 1, "border": 18, "split_index": 1}"#;
const BLUE: &str = r#"{"split_type": "OneHotFeature", "cat_feature_index": 0, "value": -5, "split_index": 2}"#;

fn model(trees: &str, rest: &str) -> String {
    format!(r#"{{"features_info": {FEATURES}, {trees}, {rest}}}"#)
}

fn oblivious(splits: &str, values: &str) -> String {
    format!(r#""oblivious_trees": [{{"splits": {splits}, "leaf_values": {values}}}]"#)
}

const PLAIN: &str = r#""scale_and_bias": [1, [0]], "model_info": {"params": {"loss_function": {"type": "RMSE"}}}"#;

fn load_text(text: &str) -> Result<Ensemble, LoadError> {
    load(text.as_bytes(), &LoadOptions::default())
}

fn margin(ensemble: &Ensemble, row: &[f64]) -> f64 {
    ensemble.evaluate(row).unwrap().margins[0].library
}

#[test]
fn the_first_split_is_the_lowest_bit() {
    let ensemble = load_text(&model(&oblivious(&format!("[{FIRST}, {SECOND}]"), "[10, 11, 12, 13]"), PLAIN)).unwrap();
    assert_eq!(margin(&ensemble, &[1.0, 0.0, 1.0]), 11.0);
    assert_eq!(margin(&ensemble, &[0.0, 0.0, 20.0]), 12.0);
    let evaluation = ensemble.evaluate(&[1.0, 0.0, 20.0]).unwrap();
    assert_eq!(ensemble.trees()[0].leaves()[evaluation.leaves[0]].id, 3);
    let names: Vec<&str> = ensemble.features().iter().map(|feature| feature.name.as_str()).collect();
    assert_eq!(names, ["f0", "colour", "age"]);
}

#[test]
fn values_are_narrowed_before_a_strict_comparison() {
    let ensemble = load_text(&model(&oblivious(&format!("[{FIRST}]"), "[0, 1]"), PLAIN)).unwrap();
    let value = |x: f64| margin(&ensemble, &[x, 0.0, 0.0]);
    assert_eq!((value(0.5), value(0.5_f64.next_up()), value(0.500_001)), (0.0, 0.0, 1.0));
    assert_eq!((value(f64::NAN), value(f64::INFINITY), value(f64::NEG_INFINITY)), (1.0, 1.0, 0.0));
    let as_false = load_text(&model(&oblivious(&format!("[{SECOND}]"), "[0, 1]"), PLAIN)).unwrap();
    assert_eq!(margin(&as_false, &[0.0, 0.0, f64::NAN]), 0.0);
}

#[test]
fn a_category_is_its_position_among_the_known_strings() {
    let ensemble = load_text(&model(&oblivious(&format!("[{BLUE}, {FIRST}]"), "[0, 1, 2, 3]"), PLAIN)).unwrap();
    let FeatureKind::Category(categories) = &ensemble.features()[1].kind else { panic!("a category") };
    assert_eq!(categories.names.iter().position(|name| name == "blue"), Some(1));
    for (code, expected) in [(0.0, 0.0), (1.0, 1.0), (2.0, 0.0), (-1.0, 0.0), (f64::NAN, 0.0)] {
        assert_eq!(margin(&ensemble, &[0.0, code, 0.0]), expected, "{code}");
        assert_eq!(margin(&ensemble, &[1.0, code, 0.0]), expected + 2.0, "{code}");
    }
}

#[test]
fn a_hash_without_string_gets_a_name_of_its_own() {
    let split = BLUE.replace("-5", "-1234");
    let ensemble = load_text(&model(&oblivious(&format!("[{split}]"), "[0, 1]"), PLAIN)).unwrap();
    let FeatureKind::Category(categories) = &ensemble.features()[1].kind else { panic!("a category") };
    assert_eq!(categories.names, ["red", "blue", "hash:-1234"]);
    assert_eq!(margin(&ensemble, &[0.0, 2.0, 0.0]), 1.0);
    assert_eq!(ensemble.source().notes.len(), 1);
}

#[test]
fn the_sum_is_scaled_before_the_bias() {
    let rest = r#""scale_and_bias": [0.3, [1.7, -1]]"#;
    let ensemble = load_text(&model(&oblivious(&format!("[{FIRST}]"), "[1, 2, 3, 4]"), rest)).unwrap();
    let margins = ensemble.evaluate(&[1.0, 0.0, 0.0]).unwrap().library_margins();
    assert_eq!(margins, [3.0 * 0.3 + 1.7, 4.0 * 0.3 - 1.0]);
    assert_eq!(ensemble.source().notes, ["The file names no loss function: outputs are the raw values."]);
}

#[test]
fn nested_trees_go_right_when_true() {
    let leaf = |value: &str| format!(r#"{{"value": {value}, "weight": 1}}"#);
    let inner = format!(r#"{{"left": {}, "right": {}, "split": {BLUE}}}"#, leaf("1"), leaf("2"));
    let trees = format!(r#""trees": [{{"split": {FIRST}, "right": {}, "left": {inner}}}]"#, leaf("[3]"));
    let text = model(&trees, PLAIN);
    let leaf_ids = |options: &LoadOptions| -> Vec<(u32, f64)> {
        let ensemble = load(text.as_bytes(), options).unwrap();
        let row = |row: [f64; 3]| {
            let evaluation = ensemble.evaluate(&row).unwrap();
            (ensemble.trees()[0].leaves()[evaluation.leaves[0]].id, evaluation.margins[0].library)
        };
        vec![row([0.0, 0.0, 0.0]), row([0.0, 1.0, 0.0]), row([1.0, 1.0, 0.0])]
    };
    assert_eq!(leaf_ids(&LoadOptions::default()), [(1, 1.0), (2, 2.0), (0, 3.0)]);
    let reloaded = LoadOptions { catboost_json_reader: true, ..LoadOptions::default() };
    assert_eq!(leaf_ids(&reloaded), [(0, 1.0), (1, 2.0), (2, 3.0)]);
}

#[test]
fn classes_come_from_the_file() {
    let rest = r#""model_info": {"params": "{\"loss_function\": {\"type\": \"Logloss\"}}",
        "class_params": {"class_names": ["no", "yes"], "class_to_label": [0, 1]},
        "binclass_probability_threshold": 0.7, "catboost_version_info": "Branch: tags/v1.2.10\n"}"#;
    let ensemble = load_text(&model(&oblivious(&format!("[{FIRST}]"), "[1, 2]"), rest)).unwrap();
    assert_eq!(ensemble.classes(), [ClassName::Text("no".into()), ClassName::Text("yes".into())]);
    assert_eq!(ensemble.label_rule(), &LabelRule::MarginAbove { threshold: -(1.0_f64 / 0.7 - 1.0).ln() });
    assert_eq!(ensemble.source().version.as_deref(), Some("CatBoost 1.2.10"));

    let rest = r#""model_info": {"params": {"loss_function": {"type": "MultiClass"}},
        "class_params": {"class_names": [], "class_to_label": [0, 4]}}"#;
    let ensemble = load_text(&model(&oblivious("null", "[1, 2]"), rest)).unwrap();
    assert_eq!((ensemble.link(), ensemble.classes()), (&Link::Softmax, &[ClassName::Int(0), ClassName::Int(4)][..]));
    assert_eq!(ensemble.evaluate(&[0.0; 3]).unwrap().class, Some(1));
}

#[test]
fn deep_oblivious_trees_are_built_in_full() {
    let splits = format!("[{}]", [FIRST; 16].join(", "));
    let values = format!("[{}]", (0..1 << 16).map(|value| value.to_string()).collect::<Vec<_>>().join(", "));
    let ensemble = load_text(&model(&oblivious(&splits, &values), PLAIN)).unwrap();
    assert_eq!(margin(&ensemble, &[1.0, 0.0, 0.0]), 65535.0);
    assert_eq!(ensemble.trees()[0].depth(), 16);
}

#[test]
fn what_is_damaged_is_refused_with_its_place() {
    let one = |split: &str| oblivious(&format!("[{split}]"), "[1, 2]");
    let many = format!("[{}]", [FIRST; 60].join(", "));
    let deep = format!(r#""trees": [{}1{}]"#, r#"{"left": "#.repeat(5000), "}".repeat(5000));
    for (trees, expected) in [
        (
            one(&FIRST.replace("\"float_feature_index\": 0", "\"float_feature_index\": 9")),
            "there is no float feature 9",
        ),
        (one(&BLUE.replace("_index\": 0", "_index\": -1")), "there is no categorical feature -1"),
        (one(&FIRST.replace("0.5", "NaN")), "the split is incomplete"),
        (one(&FIRST.replace("0.5", "\"x\"")), "oblivious_trees[0].splits[0].border"),
        (
            oblivious(&format!("[{FIRST}]"), "[1, 2, 3]"),
            "tree 0: 1 splits make 2^1 leaves, but there are 3 leaf values",
        ),
        (oblivious(&many, "[1, 2]"), "60 splits make 2^60 leaves"),
        (oblivious(&format!("[{FIRST}]"), "[1, NaN]"), "tree 0, leaf 1: the value NaN is not finite"),
        (oblivious("[]", "[]"), "0 splits make 2^0 leaves"),
        (r#""oblivious_trees": []"#.into(), "the model has no trees"),
        (r#""oblivious_trees": 5"#.into(), "oblivious_trees"),
        (r#""trees": [{"split": 1}]"#.into(), "trees[0].split"),
        (r#""trees": [{}]"#.into(), "a node has either"),
        (r#""trees": [], "oblivious_trees": []"#.into(), "two lists of trees"),
        (deep, "the tree is deeper than 200"),
    ] {
        let message = load_text(&model(&trees, PLAIN)).expect_err(expected).to_string();
        assert!(message.contains(expected), "{expected:?}: {message}");
    }
    let good = model(&one(FIRST), PLAIN);
    for (from, to, expected) in [
        ("\"flat_feature_index\": 2", "\"flat_feature_index\": 2000000000", "not numbered from 0 without gaps"),
        ("\"flat_feature_index\": 2", "\"flat_feature_index\": 0", "two features are column 0"),
        ("\"feature_index\": 1", "\"feature_index\": 5", "feature 5 stands at position 1"),
        ("AsFalse", "Other", "nan_value_treatment"),
        ("[1, [0]]", "[1, [0, 0]]", "2 biases for 1 outputs"),
        ("[1, [0]]", "[1e999, [0]]", "the scale is not finite"),
        ("\"hash\": 7", "\"hash\": 99999999999", "no hash of 32 bits"),
    ] {
        assert!(good.contains(from), "{from}");
        let message = load_text(&good.replace(from, to)).expect_err(to).to_string();
        assert!(message.contains(expected), "{to:?}: {message}");
    }
    for end in 0..good.len() {
        assert!(load_text(&good[..end]).is_err(), "cut off at {end}");
    }
}

#[test]
fn what_cannot_be_represented_is_not_supported() {
    let statistics = FIRST.replace("FloatFeature", "OnlineCtr");
    let uncertain = PLAIN.replace("RMSE", "RMSEWithUncertainty");
    let texts = FEATURES.replace("\"float_features\"", r#""text_features": [{"feature_index": 0}], "float_features""#);
    for text in [
        model(&oblivious(&format!("[{statistics}]"), "[1, 2]"), PLAIN),
        model(&oblivious(&format!("[{FIRST}]"), "[1, 2, 3, 4]"), &uncertain),
        model(&oblivious("[]", "[1]"), PLAIN).replace(FEATURES, &texts),
    ] {
        let error = load_text(&text).unwrap_err();
        assert!(matches!(error.reason, LoadFailure::Unsupported(_)), "{error}");
    }
}

#[test]
fn monotone_constraints_count_float_features_alone() {
    let load = |constraints: &str| {
        let params = format!(
            r#"{{"loss_function": {{"type": "RMSE"}}, "tree_learner_options": {{"monotone_constraints": {constraints}}}}}"#
        );
        let rest = format!(r#""scale_and_bias": [1, [0]], "model_info": {{"params": {params}}}"#);
        load_text(&model(&oblivious(&format!("[{FIRST}]"), "[0, 1]"), &rest))
    };
    let ensemble = load(r#"{"0": 0, "1": 1}"#).unwrap();
    assert_eq!(ensemble.source().trends, [(2, crate::ensemble::Trend::Increasing)].into());
    assert!(load(r#"{"2": 1}"#).unwrap_err().to_string().contains("there is no float feature 2"));
}
