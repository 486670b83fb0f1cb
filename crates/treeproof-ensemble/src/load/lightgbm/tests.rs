//! Hand-written models for the rules that are easy to get wrong; routing follows LightGBM 4.7.

use super::*;
use crate::error::LoadFailure;
use crate::input::{CategoryEncoding, FeatureKind};
use crate::label::LabelRule;

const BAND: f64 = 1.000_000_018_002_509_5e-35;

const HEADER: &str = "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nmax_feature_idx=1\n\
                      objective=regression\nfeature_names=a b\nfeature_infos=[-1:1] [-1:1]\n\n";

fn model(tree: &str) -> String {
    format!("{HEADER}Tree=0\n{tree}\n\nend of trees\n")
}

/// A stump on the first feature: leaf 0 on the left is 1, leaf 1 on the right is 2.
fn stump(threshold: &str, decision_type: u8) -> String {
    model(&format!(
        "num_leaves=2\nnum_cat=0\nsplit_feature=0\nthreshold={threshold}\ndecision_type={decision_type}\n\
         left_child=-1\nright_child=-2\nleaf_value=1 2\nis_linear=0\nshrinkage=0.1"
    ))
}

fn load_text(text: &str) -> Result<Ensemble, LoadError> {
    load(text.as_bytes(), &LoadOptions::default())
}

fn margin(ensemble: &Ensemble, row: &[f64]) -> f64 {
    ensemble.evaluate(row).unwrap().margins[0].library
}

/// Whether the stump sends `x` to the left.
fn left(threshold: &str, decision_type: u8, x: f64) -> bool {
    margin(&load_text(&stump(threshold, decision_type)).unwrap(), &[x, 0.0]) == 1.0
}

#[test]
fn nan_is_zero_where_no_value_is_missing() {
    assert!(left("0.5", 0, f64::NAN) && left("0", 0, f64::NAN));
    assert!(!left("-0.5", 0, f64::NAN), "the default side counts only for missing values");
    assert!(!left("-0.5", 2, f64::NAN));
}

#[test]
fn nan_takes_the_default_side_where_it_is_missing() {
    assert!(!left("0.5", 8, f64::NAN) && left("-0.5", 10, f64::NAN));
    assert!(left("0.5", 8, 0.0) && !left("-0.5", 10, 0.0));
}

#[test]
fn zero_and_its_band_and_nan_take_the_default_side_where_zero_is_missing() {
    for x in [0.0, -0.0, 1e-36, BAND, -BAND, 5e-324, f64::NAN] {
        assert!(!left("0.5", 4, x) && left("-0.5", 6, x), "{x:e}");
    }
    assert!(left("0.5", 4, BAND.next_up()) && !left("-0.5", 6, -BAND.next_up()));
}

#[test]
fn thresholds_inside_the_band_act_at_its_ends() {
    for decision_type in [0, 8] {
        assert!(left("5e-324", decision_type, BAND) && !left("0", decision_type, BAND.next_up()));
        assert!(!left("-1e-36", decision_type, -BAND) && left("-1e-36", decision_type, -BAND.next_up()));
    }
}

#[test]
fn an_infinite_threshold_tells_missing_from_present() {
    assert!(left("inf", 8, f64::INFINITY) && left("inf", 8, f64::NEG_INFINITY) && !left("inf", 8, f64::NAN));
    assert!(!left("-inf", 8, f64::MIN) && left("-inf", 8, f64::NEG_INFINITY));
}

#[test]
fn set_bits_go_left_whatever_the_missing_type() {
    let tree = "num_leaves=3\nnum_cat=2\nsplit_feature=0 0\nthreshold=1 0\ndecision_type=1 9\nleft_child=-1 -2\n\
                right_child=1 -3\nleaf_value=1 2 3\ncat_boundaries=0 1 3\ncat_threshold=2 4 2147483649\nis_linear=0";
    let ensemble = load_text(&model(tree)).unwrap();
    assert!(
        matches!(&ensemble.features()[0].kind, FeatureKind::Category(c) if c.encoding == CategoryEncoding::Lightgbm)
    );
    let leaf = |x: f64| margin(&ensemble, &[x, 0.0]);
    // Set 1 holds 2, 32 and 63; set 0 holds 1.
    for x in [2.0, 2.999, 32.0, 63.5] {
        assert_eq!(leaf(x), 1.0, "{x}");
    }
    assert_eq!((leaf(1.0), leaf(1.5)), (2.0, 2.0));
    for x in [0.0, -0.5, -1.0, 3.0, 64.0, 2_147_483_648.0, 4_294_967_298.0, f64::INFINITY, f64::NAN] {
        assert_eq!(leaf(x), 3.0, "{x}");
    }
}

#[test]
fn forests_divide_only_on_the_way_to_the_output() {
    let tree = "num_leaves=1\nnum_cat=0\nleaf_value=0.75\nis_linear=0";
    let header = HEADER.replace("objective=regression", "objective=binary sigmoid:2\naverage_output");
    let text = format!("{header}Tree=0\n{tree}\n\n\nTree=1\n{tree}\n\nend of trees\n");
    let ensemble = load_text(&text).unwrap();
    let evaluation = ensemble.evaluate(&[0.0, 0.0]).unwrap();
    assert_eq!(evaluation.margins[0].library, 1.5);
    assert_eq!(evaluation.outputs, [1.0 / (1.0 + (-1.5_f64).exp())]);
    assert_eq!(evaluation.class, Some(1));
    assert_eq!(ensemble.label_rule(), &LabelRule::OutputAboveComplement);
}

#[test]
fn line_ends_equal_signs_and_absent_lines_do_not_matter() {
    let text = stump("0.5", 8).replace("feature_names=a b", "feature_names=x=y b").replace('\n', "\r\n");
    let ensemble = load_text(&text).unwrap();
    assert_eq!(ensemble.features()[0].name, "x=y");
    let custom = load_text(&stump("0.5", 8).replace("objective=regression\n", "")).unwrap();
    assert_eq!((custom.link(), custom.source().notes.len()), (&Link::Identity, 1));
    assert!(load_text(&stump("0.5", 8).replace("end of trees", "feature importances:")).is_ok(), "version 2");
}

#[test]
fn category_names_are_given_only_where_they_are_known_or_as_many_as_columns() {
    let named = |infos: &str, lists: &str| -> (Vec<Vec<String>>, Vec<String>) {
        let text = stump("0.5", 8)
            .replace("feature_infos=[-1:1] [-1:1]", &format!("feature_infos={infos}"))
            .replace("split_feature=0\nthreshold=0.5\ndecision_type=8", "split_feature=1\nthreshold=0\ndecision_type=1")
            .replace("is_linear=0", "cat_boundaries=0 1\ncat_threshold=2\nis_linear=0");
        let ensemble = load_text(&format!("{text}\npandas_categorical:{lists}\n")).unwrap();
        let names = |feature: &Feature| match &feature.kind {
            FeatureKind::Numeric => Vec::new(),
            FeatureKind::Category(categories) => categories.names.clone(),
        };
        (ensemble.features().iter().map(names).collect(), ensemble.source().notes.clone())
    };
    let names = |infos: &str, lists: &str| named(infos, lists).0;
    assert_eq!(names("[-1:1] -1:1:0:2", r#"[["x", 2, true]]"#)[1], ["x", "2", "True"]);
    assert_eq!(named("[-1:1] -1:1:0:2", r#"[["x", 2, true]]"#).1.len(), 0);
    // Column a may have been an ordered category, but then b was a number declared categorical.
    let (beside, notes) = named("[0:1] -1:1:0", r#"[["x", "y"]]"#);
    assert_eq!((&beside[1][..], notes.len()), (&["x".to_owned(), "y".to_owned()][..], 1));
    assert_eq!(names("[0:1] -1:1:0", r#"[["u", "v"], ["x", "y"]]"#)[1], ["x", "y"]);
    assert!(names("[0:1] -1:1:0:2", r#"[["x", "y"]]"#)[1].is_empty(), "the list is that of column a");
    assert!(names("-1:1:0 -1:1:0", r#"[["x", "y"]]"#)[1].is_empty(), "either column may be a number");
    assert!(names("[-1:1] -1:1:0:2", r#"[["x", "y"]]"#)[1].is_empty(), "a code has no name");
    assert!(names("[-1:1] 0:1", "null")[1].is_empty());
}

#[test]
fn what_is_damaged_is_refused_with_its_line() {
    let good = stump("0.5", 8);
    for (from, to, expected) in [
        ("left_child=-1", "left_child=0", "tree 0, node 0: the node is missing, or reached twice"),
        ("left_child=-1", "left_child=-2", "reached twice"),
        ("left_child=-1", "left_child=-3", "tree 0, line 16: child -3 of node 0 is out of range"),
        ("left_child=-1", "left_child=1", "out of range"),
        ("left_child=-1", "left_child=-2147483648", "out of range"),
        ("num_leaves=2", "num_leaves=3", "line 18: 2 numbers where num_leaves asks for 3"),
        ("num_leaves=2", "num_leaves=99999999999", "cannot have 99999999999 leaves"),
        ("num_leaves=2", "num_leaves=0", "cannot have 0 leaves"),
        ("leaf_value=1 2", "leaf_value=1 nan", "the value NaN of leaf 1 is not finite"),
        ("leaf_value=1 2", "leaf_value=1 x", "expected a number, found \"x\""),
        ("leaf_value=1 2", "leaf_value=1 2\nleaf_value=1 2", "`leaf_value` is given twice"),
        ("leaf_value=1 2\n", "", "tree 0: there is no `leaf_value` line"),
        ("split_feature=0", "split_feature=2", "node 0 tests feature 2, but the model has 2 features"),
        ("decision_type=8", "decision_type=12", "decision type 12 of node 0 is unknown"),
        ("decision_type=8", "decision_type=9", "node 0: there is no category set 0.5"),
        ("feature_names=a b", "feature_names=a b c", "max_feature_idx is 1, but there are 3 feature names"),
        ("max_feature_idx=1", "max_feature_idx=9223372036854775807", "line 5: expected an integer in range"),
        ("num_tree_per_iteration=1", "num_tree_per_iteration=3", "`num_class` differs"),
        ("objective=regression", "objective=binary sigmoid:0", "no positive `sigmoid:`"),
        ("objective=regression", "objective=", "the objective is empty"),
        ("feature_infos", "tree_sizes=1 2\nfeature_infos", "`tree_sizes` lists 2 trees, but the file has 1"),
        ("Tree=0", "end of trees", "the model has no trees"),
        ("end of trees", "", "the file ends without `end of trees`"),
    ] {
        assert!(good.contains(from));
        let message = load_text(&good.replace(from, to)).expect_err(to).to_string();
        assert!(message.contains(expected), "{to:?}: {message}");
    }
    let invalid = good.as_bytes().iter().map(|byte| if *byte == b'a' { 0xff } else { *byte }).collect::<Vec<u8>>();
    assert!(load(&invalid, &LoadOptions::default()).is_err());
}

#[test]
fn linear_trees_and_unknown_objectives_are_not_supported() {
    for (from, to) in [("is_linear=0", "is_linear=1"), ("objective=regression", "objective=other")] {
        let error = load_text(&stump("0.5", 8).replace(from, to)).unwrap_err();
        assert!(matches!(error.reason, LoadFailure::Unsupported(_)), "{error}");
    }
}

#[test]
fn monotone_constraints_are_trends() {
    let with = |line: &str| load_text(&stump("0.5", 0).replace("feature_infos", &format!("{line}\nfeature_infos")));
    let ensemble = with("monotone_constraints=-1 0").unwrap();
    assert_eq!(ensemble.source().trends, BTreeMap::from([(0, Trend::Decreasing)]));
    let error = with("monotone_constraints=1 0 0").unwrap_err().to_string();
    assert!(error.contains("3 monotone constraints for 2 features"), "{error}");
}
