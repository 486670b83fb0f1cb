//! The rules that are easy to get wrong, each against what onnxruntime returned for the same model, and the refusals.

use prost::Message;
use prost::bytes::Bytes;

use super::proto::{
    AttributeProto, DimensionProto, GraphProto, ModelProto, NodeProto, ShapeProto, TensorProto, TensorTypeProto,
    TypeProto, ValueInfoProto, element, kind,
};
use crate::ensemble::Ensemble;
use crate::error::LoadError;
use crate::label::LabelRule;
use crate::load::{LoadOptions, load_bytes};

fn encoded(message: &impl Message) -> Bytes {
    message.encode_to_vec().into()
}

fn integers(name: &str, integers: &[i64]) -> AttributeProto {
    AttributeProto { name: name.into(), kind: kind::INTEGERS, integers: integers.to_vec(), ..AttributeProto::default() }
}

fn integer(name: &str, integer: i64) -> AttributeProto {
    AttributeProto { name: name.into(), kind: kind::INTEGER, integer, ..AttributeProto::default() }
}

fn floats(name: &str, floats: &[f32]) -> AttributeProto {
    AttributeProto { name: name.into(), kind: kind::FLOATS, floats: floats.to_vec(), ..AttributeProto::default() }
}

fn text(name: &str, text: &'static str) -> AttributeProto {
    AttributeProto { name: name.into(), kind: kind::TEXT, text: text.into(), ..AttributeProto::default() }
}

fn texts(name: &str, texts: &[&'static str]) -> AttributeProto {
    let texts = texts.iter().map(|text| Bytes::from_static(text.as_bytes())).collect();
    AttributeProto { name: name.into(), kind: kind::TEXTS, texts, ..AttributeProto::default() }
}

fn tensor(name: &str, tensor: TensorProto) -> AttributeProto {
    AttributeProto { name: name.into(), kind: kind::TENSOR, tensor: Some(tensor), ..AttributeProto::default() }
}

fn doubles(name: &str, numbers: &[f64]) -> AttributeProto {
    let dims = vec![i64::try_from(numbers.len()).unwrap()];
    tensor(name, TensorProto { dims, element: element::DOUBLE, doubles: numbers.to_vec(), ..TensorProto::default() })
}

fn singles(name: &str, numbers: &[f32]) -> AttributeProto {
    let dims = vec![i64::try_from(numbers.len()).unwrap()];
    tensor(name, TensorProto { dims, element: element::FLOAT, floats: numbers.to_vec(), ..TensorProto::default() })
}

fn node(op: &str, domain: &str, inputs: &[&str], outputs: &[&str], attributes: &[AttributeProto]) -> NodeProto {
    NodeProto {
        op: op.into(),
        domain: domain.into(),
        inputs: inputs.iter().map(|name| (*name).into()).collect(),
        outputs: outputs.iter().map(|name| (*name).into()).collect(),
        attributes: attributes.iter().map(encoded).collect(),
        ..NodeProto::default()
    }
}

/// A model with an input `X` of one column.
fn file(element: i32, nodes: &[NodeProto]) -> Vec<u8> {
    let shape = ShapeProto { dims: vec![DimensionProto { size: None }, DimensionProto { size: Some(1) }] };
    let kind = TypeProto { tensor: Some(TensorTypeProto { element, shape: Some(shape) }) };
    let input = ValueInfoProto { name: "X".into(), kind: Some(kind) };
    let graph = GraphProto {
        nodes: nodes.iter().map(encoded).collect(),
        inputs: vec![encoded(&input)],
        ..GraphProto::default()
    };
    let model = ModelProto { producer_name: "test".into(), graph: Some(encoded(&graph)), ..ModelProto::default() };
    // The IR version, which the loader does not need but the detection looks for.
    [vec![0x08, 9], model.encode_to_vec()].concat()
}

fn load(content: &[u8]) -> Result<Ensemble, LoadError> {
    load_bytes(content, &LoadOptions::default())
}

fn refusal(attributes: &[AttributeProto], op: &str) -> String {
    load(&file(element::FLOAT, &[node(op, "ai.onnx.ml", &["X"], &["L", "Z"], attributes)])).unwrap_err().to_string()
}

/// The node lists of a single test `x ? value` with leaves 1 (true) and 2 (false).
fn stump(mode: &'static str, value: f32, tracks: i64) -> Vec<AttributeProto> {
    vec![
        integers("nodes_treeids", &[0, 0, 0]),
        integers("nodes_nodeids", &[0, 1, 2]),
        integers("nodes_featureids", &[0, 0, 0]),
        texts("nodes_modes", &[mode, "LEAF", "LEAF"]),
        floats("nodes_values", &[value, 0.0, 0.0]),
        integers("nodes_truenodeids", &[1, 0, 0]),
        integers("nodes_falsenodeids", &[2, 0, 0]),
        integers("nodes_missing_value_tracks_true", &[tracks, 0, 0]),
    ]
}

/// The weight lists of the stump: one `(node, output, weight)` each.
fn weights(kind: &str, weights: &[(i64, i64, f32)]) -> Vec<AttributeProto> {
    vec![
        integers(&format!("{kind}_treeids"), &vec![0; weights.len()]),
        integers(&format!("{kind}_nodeids"), &weights.iter().map(|weight| weight.0).collect::<Vec<_>>()),
        integers(&format!("{kind}_ids"), &weights.iter().map(|weight| weight.1).collect::<Vec<_>>()),
        floats(&format!("{kind}_weights"), &weights.iter().map(|weight| weight.2).collect::<Vec<_>>()),
    ]
}

fn regressor(
    mode: &'static str,
    value: f32,
    tracks: i64,
    terms: &[(i64, i64, f32)],
    targets: i64,
) -> Vec<AttributeProto> {
    [stump(mode, value, tracks), weights("target", terms), vec![integer("n_targets", targets)]].concat()
}

fn classifier(terms: &[(i64, i64, f32)], classes: &[i64], more: &[AttributeProto]) -> Vec<AttributeProto> {
    [stump("BRANCH_LEQ", 0.0, 0), weights("class", terms), vec![integers("classlabels_int64s", classes)], more.to_vec()]
        .concat()
}

fn loaded(op: &str, attributes: &[AttributeProto]) -> Ensemble {
    load(&file(element::FLOAT, &[node(op, "ai.onnx.ml", &["X"], &["L", "Z"], attributes)])).unwrap()
}

fn outputs(ensemble: &Ensemble, x: f64) -> Vec<f64> {
    ensemble.evaluate(&[x]).unwrap().outputs
}

#[test]
fn comparisons_and_missing_values() {
    const INPUTS: [f64; 5] = [0.5, 1.0, 1.5, f64::INFINITY, f64::NAN];
    // One letter per input: does it go to the true side?
    let cases = [
        ("BRANCH_LEQ", 1.0, 0, "TTFFF"),
        ("BRANCH_LT", 1.0, 0, "TFFFF"),
        ("BRANCH_GTE", 1.0, 0, "FTTTF"),
        ("BRANCH_GT", 1.0, 0, "FFTTF"),
        ("BRANCH_EQ", 1.0, 0, "FTFFF"),
        ("BRANCH_NEQ", 1.0, 0, "TFTTT"),
        ("BRANCH_GT", 1.0, 1, "FFTTT"),
        ("BRANCH_NEQ", 1.0, 1, "TFTTT"),
        ("BRANCH_LEQ", f32::NAN, 0, "FFFFF"),
        ("BRANCH_GTE", f32::NAN, 0, "FFFFF"),
        ("BRANCH_NEQ", f32::NAN, 0, "TTTTT"),
        ("BRANCH_LEQ", f32::INFINITY, 0, "TTTTF"),
    ];
    for (mode, value, tracks, expected) in cases {
        let ensemble = loaded("TreeEnsembleRegressor", &regressor(mode, value, tracks, &[(1, 0, 1.0), (2, 0, 0.0)], 1));
        let found: String = INPUTS.iter().map(|x| if outputs(&ensemble, *x)[0] > 0.5 { 'T' } else { 'F' }).collect();
        assert_eq!(found, expected, "{mode} {value} tracks {tracks}");
    }
}

#[test]
fn one_target_takes_the_first_weight_and_ignores_the_transform() {
    let terms = [(1, 0, 0.5), (1, 0, 0.25), (2, 0, 1.0)];
    let mut attributes = regressor("BRANCH_LEQ", 0.0, 0, &terms, 1);
    attributes.push(text("post_transform", "LOGISTIC"));
    assert_eq!(outputs(&loaded("TreeEnsembleRegressor", &attributes), -1.0), [0.5]);
    let two = loaded("TreeEnsembleRegressor", &regressor("BRANCH_LEQ", 0.0, 0, &terms, 2));
    assert_eq!(outputs(&two, -1.0), [0.75, 0.0]);
}

#[test]
fn two_classes_with_one_score() {
    let evaluate = |terms: &[(i64, i64, f32)], more: &[AttributeProto]| {
        let ensemble = loaded("TreeEnsembleClassifier", &classifier(terms, &[10, 11], more));
        let row = ensemble.evaluate(&[-1.0]).unwrap();
        (ensemble.class_name(row.class.unwrap()).to_string(), row.outputs)
    };
    let (positive, mixed) = ([(1, 0, 0.25), (2, 0, 1.0)], [(1, 0, 0.25), (2, 0, -1.0)]);
    let logistic = [text("post_transform", "LOGISTIC")];
    assert_eq!(evaluate(&positive, &[]), ("10".into(), vec![0.75, 0.25]));
    assert_eq!(evaluate(&mixed, &[]), ("11".into(), vec![-0.25, 0.25]));
    // The label looks at the raw score: 0.25 is not above 0.5, although its logistic is.
    assert_eq!(evaluate(&positive, &logistic), ("10".into(), vec![0.437_823_474_407_196_04, 0.562_176_525_592_804]));
    assert_eq!(evaluate(&mixed, &[floats("base_values", &[0.25])]), ("11".into(), vec![-0.5, 0.5]));
}

#[test]
fn labels_of_many_classes_look_at_scored_classes_only_without_a_base() {
    let terms = [(1, 1, -0.5), (2, 2, -1.0), (2, 1, -2.0)];
    let class = |more: &[AttributeProto]| {
        let ensemble = loaded("TreeEnsembleClassifier", &classifier(&terms, &[10, 11, 12], more));
        [-1.0, 1.0].map(|x| ensemble.evaluate(&[x]).unwrap().class.unwrap())
    };
    assert_eq!(class(&[]), [1, 2]);
    assert_eq!(class(&[floats("base_values", &[0.0; 3])]), [0, 0]);
}

#[test]
fn double_precision_rounds_scores_after_the_label() {
    let mut attributes = classifier(&[(1, 0, 0.0), (2, 0, 0.0)], &[10, 11], &[]);
    attributes.retain(|attribute| attribute.name != "class_weights");
    attributes.push(doubles("class_weights_as_tensor", &[0.5 + 1e-12, 0.5]));
    let content =
        file(element::DOUBLE, &[node("TreeEnsembleClassifier", "ai.onnx.ml", &["X"], &["L", "Z"], &attributes)]);
    let ensemble = load(&content).unwrap();
    let row = ensemble.evaluate(&[-1.0]).unwrap();
    assert_eq!((row.class, row.outputs), (Some(1), vec![0.5, 0.5]));
    assert_eq!(ensemble.evaluate(&[1.0]).unwrap().class, Some(0));
    // The same numbers in an operator that computes in float.
    assert!(refusal(&attributes, "TreeEnsembleClassifier").contains("tensor of double"));
}

#[test]
fn two_classes_with_both_scores_have_no_label() {
    let terms = [(1, 0, 0.25), (1, 1, 0.75), (2, 1, 1.0)];
    let ensemble = loaded("TreeEnsembleClassifier", &classifier(&terms, &[10, 11], &[]));
    assert_eq!(ensemble.label_rule(), &LabelRule::None);
    assert_eq!(outputs(&ensemble, -1.0), [0.25, 0.75]);
    let base = [floats("base_values", &[0.5, 0.5])];
    assert!(refusal(&classifier(&terms, &[10, 11], &base), "TreeEnsembleClassifier").contains("mixes up"));
    let partial = [(1, 0, 0.25), (2, 1, 1.0)];
    assert!(refusal(&classifier(&partial, &[10, 11], &[]), "TreeEnsembleClassifier").contains("other scores"));
}

/// `TreeEnsemble` with one membership test over these values, then both leaves.
fn membership(members: &[f32], more: &[AttributeProto]) -> Vec<AttributeProto> {
    let modes =
        TensorProto { dims: vec![1], element: element::UINT8, raw: Bytes::from_static(&[6]), ..TensorProto::default() };
    let attributes = vec![
        tensor("nodes_modes", modes),
        singles("nodes_splits", &[0.0]),
        integers("nodes_featureids", &[0]),
        integers("nodes_truenodeids", &[0]),
        integers("nodes_trueleafs", &[1]),
        integers("nodes_falsenodeids", &[1]),
        integers("nodes_falseleafs", &[1]),
        integers("tree_roots", &[0]),
        integers("leaf_targetids", &[0, 0]),
        singles("leaf_weights", &[10.0, 20.0]),
        singles("membership_values", members),
        integer("n_targets", 1),
    ];
    [attributes, more.to_vec()].concat()
}

#[test]
fn membership_tests() {
    let ensemble = loaded("TreeEnsemble", &membership(&[1.0, 3.0, f32::NAN], &[]));
    let found = [0.0, 1.0, 1.5, 3.0, f64::NAN].map(|x| outputs(&ensemble, x)[0]);
    assert_eq!(found.to_vec(), [20.0, 10.0, 20.0, 10.0, 20.0]);
    for (members, reason) in [(&[40.0][..], "integer part"), (&[f32::NAN], "empty set")] {
        assert!(refusal(&membership(members, &[]), "TreeEnsemble").contains(reason));
    }
    let missing = loaded("TreeEnsemble", &membership(&[1.0], &[integers("nodes_missing_value_tracks_true", &[1])]));
    assert_eq!(outputs(&missing, f64::NAN), [10.0]);
}

#[test]
fn refuses_what_cannot_be_represented() {
    let plain = regressor("BRANCH_LEQ", 0.0, 0, &[(1, 0, 1.0), (2, 0, 2.0)], 1);
    let with = |attribute: AttributeProto| {
        let mut attributes: Vec<AttributeProto> =
            plain.iter().filter(|known| known.name != attribute.name).cloned().collect();
        attributes.push(attribute);
        refusal(&attributes, "TreeEnsembleRegressor")
    };
    for (attribute, reason) in [
        (text("post_transform", "PROBIT"), "PROBIT"),
        (text("aggregate_function", "MEDIAN"), "MEDIAN"),
        (integers("surprise", &[1]), "`surprise`"),
        (integers("n_targets", &[1]), "another type"),
        (integer("n_targets", i64::MAX), "between 1 and"),
        (integers("nodes_truenodeids", &[7, 0, 0]), "child 7"),
        (integers("nodes_truenodeids", &[0, 0, 0]), "reached twice"),
        (integers("nodes_featureids", &[0, 0]), "differ in length"),
        (integers("nodes_featureids", &[-1, 0, 0]), "feature -1"),
        (integers("nodes_featureids", &[5, 0, 0]), "feature 5"),
        (integers("nodes_treeids", &[0, 1, 0]), "not listed together"),
        (integers("nodes_nodeids", &[0, 1, 1]), "listed twice"),
        (texts("nodes_modes", &["BRANCH_ODD", "LEAF", "LEAF"]), "BRANCH_ODD"),
        (integers("target_ids", &[0, 3]), "output 3"),
        (floats("target_weights", &[1.0, f32::NAN]), "not finite"),
    ] {
        let message = with(attribute);
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn refuses_operators_that_change_numbers() {
    let attributes = regressor("BRANCH_LEQ", 0.0, 0, &[(1, 0, 1.0), (2, 0, 2.0)], 1);
    let tree = node("TreeEnsembleRegressor", "ai.onnx.ml", &["X"], &["Z"], &attributes);
    let after = |op, attributes: &[AttributeProto]| {
        let next = node(op, "", &["Z"], &["Y"], attributes);
        load(&file(element::FLOAT, &[tree.clone(), next])).map_err(|error| error.to_string())
    };
    assert!(after("Identity", &[]).is_ok());
    assert!(after("Cast", &[integer("to", 11)]).is_ok());
    assert!(after("Cast", &[integer("to", 10)]).unwrap_err().contains("float16"));
    assert!(after("Exp", &[]).unwrap_err().contains("operator Exp"));
    assert!(after("Scaler", &[]).unwrap_err().contains("operator Scaler"));
    assert!(load(&file(element::FLOAT, &[])).unwrap_err().to_string().contains("no TreeEnsembleRegressor"));
    assert!(load(&file(element::INT64, &[tree])).unwrap_err().to_string().contains("int64"));
}

#[test]
fn no_cut_panics() {
    let attributes = regressor("BRANCH_LEQ", 0.0, 0, &[(1, 0, 1.0), (2, 0, 2.0)], 1);
    let content = file(element::FLOAT, &[node("TreeEnsembleRegressor", "ai.onnx.ml", &["X"], &["Z"], &attributes)]);
    for length in 0..content.len() {
        assert!(load(&content[..length]).is_err(), "{length} bytes");
    }
}
