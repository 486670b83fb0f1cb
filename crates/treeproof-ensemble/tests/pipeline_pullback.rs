//! The law of pulled-back models: on every row, the leaves and bits of the model on the transformed row, and the refusal
//! of the rows that the pipeline refuses.

mod steps;

use proptest::prelude::*;
use serde_json::{Value as Json, json};
use steps::{COLUMNS, Cell, NUMBERS, Random, TEXTS, transform};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, FeatureKind};
use treeproof_ensemble::load::{LoadOptions, load_bytes, to_json};
use treeproof_ensemble::tree::Test;

/// A random model of some columns in treeproof's own format.
fn model(random: &mut Random, width: usize) -> Json {
    let is_single = random.chance(2);
    let mut input = json!({"precision": if is_single { "f32" } else { "f64" }, "accepts_missing": !random.chance(4),
                           "accepts_infinite": random.chance(2), "absent": random.pick(&["missing", "zero"])});
    if random.chance(4) {
        input["missing_value"] = json!(random.pick(&[0.0, 1.0, -1.0]));
    }
    if random.chance(4) {
        input["zero_band"] = if is_single { json!(f64::from(1e-35_f32)) } else { json!(0.25) };
    }
    let features: Vec<Json> = (0..width).map(|place| json!({"name": format!("x{place}"), "kind": "numeric"})).collect();
    let trees: Vec<Json> = (0..3).map(|_| tree(random, width)).collect();
    json!({"treeproof": 1, "source": {"format": "test"}, "features": features, "input": input, "num_outputs": 1,
           "aggregate": {"rule": "sum", "precision": "f64", "base": [0.5], "base_position": "first", "fixed_order": true},
           "link": {"function": "logistic", "slope": 1.0}, "label": {"rule": "margin_above", "threshold": 0.25},
           "classes": ["no", "yes"], "trees": trees})
}

/// A full tree of depth three.
fn tree(random: &mut Random, width: usize) -> Json {
    let (mut left, mut right, mut feature, mut test) = (vec![], vec![], vec![], vec![]);
    let (mut threshold, mut missing_left, mut zero_left, mut value) = (vec![], vec![], vec![], vec![]);
    let mut sets = vec![];
    for node in 0..15_i64 {
        let is_leaf = node >= 7;
        left.push(if is_leaf { -1 } else { 2 * node + 1 });
        right.push(if is_leaf { -1 } else { 2 * node + 2 });
        feature.push(if is_leaf { -1 } else { i64::try_from(random.below(width)).unwrap() });
        let name = if is_leaf { "" } else { *random.pick(&["<", "<", "<=", "<=", "present", "one_of"]) };
        test.push(name);
        threshold.push(match name {
            "<" | "<=" if random.chance(2) => json!(random.pick(&[0.5, 0.25, 1.0, -0.5, 0.0, 1.5])),
            "<" | "<=" => json!(random.pick(&NUMBERS)),
            "one_of" => {
                sets.push(vec![*random.pick(&[0.0, 1.0]), *random.pick(&NUMBERS)]);
                json!(sets.len() - 1)
            }
            _ => json!(0),
        });
        missing_left.push(u8::from(random.chance(2)));
        zero_left.push(if !is_leaf && random.chance(6) { json!(u8::from(random.chance(2))) } else { Json::Null });
        value.push(if is_leaf { f64::from(u32::try_from(random.below(1000)).unwrap()) / 64.0 - 4.0 } else { 0.0 });
    }
    json!({"left": left, "right": right, "feature": feature, "test": test, "threshold": threshold,
           "missing_left": missing_left, "zero_left": zero_left, "sets": sets, "value": value})
}

/// Cells worth trying in a column, of a carried model and of one that is not.
fn cells(column: usize, carried: &Ensemble) -> Vec<Cell> {
    let mut cells = vec![Cell::Number(f64::NAN)];
    if column == 2 {
        cells.extend(TEXTS.iter().chain(&["none", "another"]).map(|text| Cell::Text((*text).to_owned())));
        return cells;
    }
    let place = carried.feature_named(COLUMNS[column]);
    let mut numbers: Vec<f64> = NUMBERS.to_vec();
    numbers.extend([
        -0.0,
        1.0,
        2.0,
        3.5,
        9.0,
        f64::MAX,
        f64::MIN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        5e-324,
        1e300,
        3.4e38,
    ]);
    for tree in carried.trees() {
        for split in tree.splits().iter().filter(|split| Some(split.feature as usize) == place) {
            match split.test {
                Test::Below(threshold) => numbers.push(threshold),
                Test::OneOf(set) => numbers.extend(tree.value_set(set)),
                _ => {}
            }
        }
    }
    let accepts = place.and_then(|place| carried.features()[place].accepts.between);
    numbers.extend(accepts.iter().flatten().map(|end| end.0));
    let around = numbers.iter().flat_map(|x| {
        let single = f64::from((*x as f32).next_up());
        [*x, x.next_up(), x.next_down(), single, single.next_down()]
    });
    cells.extend(around.map(Cell::Number));
    cells
}

/// The raw value of a cell in a carried model.
fn raw(feature: &Feature, cell: &Cell) -> f64 {
    match (&feature.kind, cell) {
        (_, Cell::Nothing) => f64::NAN,
        (_, Cell::Number(x)) => *x,
        (FeatureKind::Category(categories), Cell::Text(text)) => {
            let place = categories.names.iter().position(|name| name == text);
            let listed = categories.encoding.values().unwrap();
            place.map_or_else(|| categories.encoding.no_category().unwrap(), |place| listed[place])
        }
        (FeatureKind::Numeric, Cell::Text(text)) => panic!("{text} in a column of numbers"),
    }
}

/// Compares a pulled-back model with its steps and model; the number of rows that both predict, and that both refuse.
fn compare(document: &Json, random: &mut Random) -> Result<[usize; 2], TestCaseError> {
    let Ok(carried) = load_bytes(document.to_string().as_bytes(), &LoadOptions::default()) else { return Ok([0, 0]) };
    let model = load_bytes(document["model"].to_string().as_bytes(), &LoadOptions::default()).unwrap();
    prop_assert_eq!(&load_bytes(to_json(&carried).as_bytes(), &LoadOptions::default()).unwrap(), &carried);
    let by_column: Vec<Vec<Cell>> = (0..COLUMNS.len()).map(|column| cells(column, &carried)).collect();
    let is_nothing = document["steps"].to_string().contains("\"none\"}");
    let mut counts = [0, 0];
    for _ in 0..60 {
        let mut row: Vec<Cell> = by_column.iter().map(|cells| random.pick(cells).clone()).collect();
        // A model knows one way to be missing: the one that its steps know.
        if is_nothing && matches!(row[2], Cell::Number(_)) {
            row[2] = Cell::Nothing;
        }
        let transformed = transform(&document["steps"], &row).and_then(|(cells, is_sparse)| {
            let left_out = is_sparse && document["model"]["input"]["absent"] == "missing";
            let number = |cell: &Cell| cell.number().map(|x| if left_out && x == 0.0 { f64::NAN } else { x });
            cells.iter().map(number).collect::<Result<Vec<f64>, ()>>()
        });
        let truth = transformed.and_then(|row| model.evaluate(&row).map_err(|_| ()));
        let cell_of = |feature: &Feature| &row[COLUMNS.iter().position(|name| *name == feature.name).unwrap()];
        let raws: Vec<f64> = carried.features().iter().map(|feature| raw(feature, cell_of(feature))).collect();
        let answer = carried.evaluate(&raws);
        match (truth, answer) {
            (Ok(truth), Ok(answer)) => {
                let ids = |model: &Ensemble, leaves: &[usize]| -> Vec<u32> {
                    model.trees().iter().zip(leaves).map(|(tree, leaf)| tree.leaves()[*leaf].id).collect()
                };
                prop_assert_eq!(ids(&model, &truth.leaves), ids(&carried, &answer.leaves), "{:?} {}", row, document);
                prop_assert_eq!(truth.library_margins(), answer.library_margins());
                prop_assert_eq!((truth.outputs, truth.class), (answer.outputs, answer.class));
                counts[0] += 1;
            }
            (Err(()), Err(_)) => counts[1] += 1,
            (truth, answer) => {
                prop_assert!(
                    false,
                    "{:?}: {:?} is not {:?}: {}",
                    row,
                    answer,
                    truth.map(|truth| truth.leaves),
                    document
                );
            }
        }
    }
    Ok(counts)
}

fn document(random: &mut Random) -> Option<Json> {
    let steps = steps::steps(random);
    // Some row gets through, or nothing is to be compared.
    let rows = [Cell::Text("red".into()), Cell::Text("green".into())]
        .map(|text| [Cell::Number(1.0), Cell::Number(2.0), text, Cell::Number(2.0)]);
    let (cells, _) = rows.iter().find_map(|row| transform(&steps, row).ok())?;
    if cells.is_empty() {
        return None;
    }
    let model = model(random, cells.len());
    Some(json!({"treeproof_pipeline": 1, "columns": COLUMNS, "steps": steps, "model": model}))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]
    #[test]
    fn a_carried_model_is_its_model_after_its_steps(seed in any::<u64>()) {
        let mut random = Random(seed);
        if let Some(document) = document(&mut random) {
            compare(&document, &mut random)?;
        }
    }
}

fn load(document: &Json) -> Result<Ensemble, String> {
    load_bytes(document.to_string().as_bytes(), &LoadOptions::default()).map_err(|error| error.to_string())
}

/// A stump on the first of some columns, and an envelope around it.
fn stump(columns: usize, steps: &Json) -> Json {
    let mut random = Random(1);
    let mut model = model(&mut random, columns);
    model["trees"] = json!([{"left": [1, -1, -1], "right": [2, -1, -1], "feature": [0, -1, -1], "test": "<",
                             "threshold": [0.5, 0, 0], "missing_left": [0, 0, 0], "value": [0.0, 1.0, 2.0]}]);
    json!({"treeproof_pipeline": 1, "columns": ["a", "b"], "steps": steps, "model": model})
}

#[test]
fn what_cannot_be_carried_names_the_step_or_the_column() {
    let step = |name: &str, action: &str, content: Json| json!({"name": name, "do": {action: content}});
    let of_text = json!({"categories": ["x", "y"], "codes": [0, 1]});
    let of_numbers = json!({"categories": [1, 2], "codes": [0, 1]});
    let both_missing = json!({"categories": ["x", {"missing": "nan"}, {"missing": "none"}], "codes": [0, 1, 2]});
    let single = json!({"columns": [of_text, of_text], "single": true});
    let scaler = step("scaler", "scale", json!({"divide": [2.0, 2.0]}));
    let sparse = step(
        "hot",
        "one_hot",
        json!({"sparse": true, "columns": [
        {"categories": ["x"], "outputs": [0], "num_outputs": 1, "refuse_unknown": true},
        {"categories": ["x"], "outputs": [0], "num_outputs": 1, "refuse_unknown": true}]}),
    );
    let cases = [
        (
            json!([step("s", "scale", json!({"divide": [1.0, 0.0]}))]),
            "step `s`: not supported: a column is scaled by 0",
        ),
        (json!([step("s", "scale", json!({"divide": [1.0]}))]), "step `s`, divide: 1 entries for 2 columns"),
        (
            json!([step("e", "ordinal", single), scaler]),
            "step `scaler`: not supported: a scaler after a step that hands on float32",
        ),
        (json!([sparse, scaler]), "step `scaler`: not supported: a step after one that leaves out zeros"),
        (
            json!([step("e", "ordinal", json!({"columns": [both_missing, of_text]}))]),
            "column `a`: not supported: its steps tell None from NaN",
        ),
        (
            json!([step("i", "impute", json!({"missing": {"missing": "nan"}, "fill": ["x", "x"]}))]),
            "column `a`: not supported: texts of it reach a scaler or the model",
        ),
        (
            json!([scaler, step("e", "ordinal", json!({"columns": [of_numbers, of_numbers]}))]),
            "column `a`: not supported: an encoder after a scaler",
        ),
        (json!([step("u", "union", json!({"parts": [{"columns": [2], "steps": []}]}))]), "step `u`: column 2 of 2"),
        (json!([step("u", "select", json!({"columns": [0]}))]), "steps: the steps make 1 columns, the model has 2"),
    ];
    for (steps, message) in cases {
        let error = load(&stump(2, &steps)).unwrap_err();
        assert!(error.starts_with(message), "{error} is not {message}");
    }
}

#[test]
fn a_pipeline_has_one_model_that_is_none_itself() {
    let whole = stump(2, &json!([]));
    assert!(load(&whole).is_ok());
    let mut without = whole.clone();
    without["model"] = Json::Null;
    assert_eq!(load(&without).unwrap_err(), "exactly one of model and file must be given");
    without["file"] = json!("%%%%");
    assert_eq!(load(&without).unwrap_err(), "model, file: the text is not base64");
    let mut newer = whole.clone();
    newer["treeproof_pipeline"] = json!(2);
    assert!(load(&newer).unwrap_err().contains("version 2 is not 1"));
    let mut named = whole;
    named["classes"] = json!(["a", "b", "c"]);
    assert_eq!(load(&named).unwrap_err(), "classes: 3 names for 2 classes");
    named["classes"] = json!(["bad", "good"]);
    assert_eq!(load(&named).unwrap().class_name(1).to_string(), "good");
}

#[test]
fn most_random_pipelines_are_carried_and_rows_of_both_kinds_compared() {
    let (mut made, mut counts) = (0, [0, 0]);
    for seed in 0..400 {
        let mut random = Random(seed * 7919);
        if let Some(document) = document(&mut random) {
            let of_one = compare(&document, &mut random).unwrap();
            made += usize::from(of_one != [0, 0]);
            counts = [counts[0] + of_one[0], counts[1] + of_one[1]];
        }
    }
    assert!(made > 200 && counts[0] > 2000 && counts[1] > 2000, "{made} models, {counts:?} rows");
}
