//! Every committed fixture: models written by the real libraries, adversarial rows, and what the library itself said.
//! Leaves must be equal and sums bit-equal. `scripts/fixtures/generate.py` makes the files.

use std::path::{Path, PathBuf};

use serde::Deserialize;
use treeproof_data::Column;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::load::{Api, LoadOptions, load_bytes, load_path, to_json};
use treeproof_ensemble::predict::Predictor;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    /// What the case is about, for people.
    #[serde(rename = "about")]
    _about: String,
    #[serde(default)]
    model: Option<String>,
    api: String,
    #[serde(default)]
    missing_value: Option<f64>,
    #[serde(default)]
    catboost_json_reader: bool,
    #[serde(default)]
    accept_outputs_ulp: u64,
}

struct Fixture {
    name: String,
    folder: PathBuf,
    case: Case,
}

/// A matrix from an `.npy` file, row after row.
struct Matrix {
    width: usize,
    cells: Vec<f64>,
}

fn fixtures(library: &str) -> Vec<Fixture> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(library);
    let mut folders: Vec<PathBuf> = std::fs::read_dir(&root).unwrap().map(|entry| entry.unwrap().path()).collect();
    folders.sort();
    let open = |folder: PathBuf| {
        let text = std::fs::read_to_string(folder.join("case.json")).unwrap();
        let case = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        Fixture { name: format!("{library}/{}", folder.file_name().unwrap().to_string_lossy()), folder, case }
    };
    folders.into_iter().map(open).collect()
}

impl Fixture {
    fn model(&self) -> PathBuf {
        match &self.case.model {
            Some(path) => self.folder.join(path),
            None => {
                let mut files = std::fs::read_dir(&self.folder).unwrap().map(|entry| entry.unwrap().path());
                files
                    .find(|path| path.file_name().unwrap().to_string_lossy().starts_with("model."))
                    .expect("a model file")
            }
        }
    }

    fn load(&self) -> Ensemble {
        let mut options = LoadOptions::default();
        options.api = if self.case.api == "booster" { Api::Booster } else { Api::Sklearn };
        options.missing_value = self.case.missing_value;
        options.catboost_json_reader = self.case.catboost_json_reader;
        load_path(&self.model(), &options).unwrap_or_else(|error| panic!("{}: {error}", self.name))
    }

    fn matrix(&self, file: &str) -> Option<Matrix> {
        let path = self.folder.join(file);
        if !path.exists() {
            return None;
        }
        let table = treeproof_data::read(&path).unwrap();
        let columns: Vec<&[f64]> = table
            .columns()
            .iter()
            .map(|column| match column {
                Column::Numbers(numbers) => numbers.as_slice(),
                _ => panic!("{file} holds more than numbers"),
            })
            .collect();
        let cells = (0..table.num_rows()).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
        Some(Matrix { width: columns.len(), cells })
    }
}

impl Matrix {
    fn row(&self, row: usize) -> &[f64] {
        &self.cells[row * self.width..(row + 1) * self.width]
    }

    fn num_rows(&self) -> usize {
        self.cells.len() / self.width
    }
}

fn same_bits(a: f64, b: f64) -> bool {
    a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan())
}

fn ulps_apart(a: f64, b: f64) -> u64 {
    if same_bits(a, b) { 0 } else { a.to_bits().abs_diff(b.to_bits()) }
}

/// Compares one fixture; returns the number of leaves compared.
fn check(fixture: &Fixture) -> usize {
    let ensemble = fixture.load();
    let name = &fixture.name;
    let rows = fixture.matrix("rows.npy").expect("rows");
    assert_eq!(rows.width, ensemble.features().len(), "{name}: features");
    let [leaves, margins, outputs, labels] =
        ["leaves.npy", "margins.npy", "outputs.npy", "labels.npy"].map(|file| fixture.matrix(file));
    assert!(margins.is_some() || outputs.is_some(), "{name}: nothing to compare with");
    let mut compared = 0;
    for row in 0..rows.num_rows() {
        let evaluation = ensemble.evaluate(rows.row(row)).unwrap_or_else(|error| panic!("{name}, row {row}: {error}"));
        if let Some(leaves) = &leaves {
            let ids =
                ensemble.trees().iter().zip(&evaluation.leaves).map(|(tree, leaf)| f64::from(tree.leaves()[*leaf].id));
            let ids: Vec<f64> = ids.collect();
            assert_eq!(ids, leaves.row(row), "{name}, row {row}: leaves for {:?}", rows.row(row));
            compared += ids.len();
        }
        if let Some(expected) = &margins {
            let got = evaluation.library_margins();
            assert!(
                got.iter().zip(expected.row(row)).all(|(a, b)| same_bits(*a, *b)) && got.len() == expected.width,
                "{name}, row {row}: margins {got:?}, the library says {:?}",
                expected.row(row)
            );
        }
        if let Some(expected) = &outputs {
            let limit = fixture.case.accept_outputs_ulp;
            let close = evaluation.outputs.iter().zip(expected.row(row)).all(|(a, b)| ulps_apart(*a, *b) <= limit);
            assert!(
                close && evaluation.outputs.len() == expected.width,
                "{name}, row {row}: outputs {:?}, the library says {:?}",
                evaluation.outputs,
                expected.row(row)
            );
        }
        if let Some(expected) = &labels {
            let class = evaluation.class.unwrap_or_else(|| panic!("{name} has no label"));
            assert_eq!(
                class as f64,
                expected.row(row)[0],
                "{name}, row {row}: label; margins {:?}",
                evaluation.library_margins()
            );
        }
        for margin in &evaluation.margins {
            let (Some(exact), Some(library)) = (&margin.exact, Exact::from_f64(margin.library)) else { continue };
            let error = library.minus(exact).magnitude();
            assert!(
                error <= Exact::from_f64(margin.error).unwrap(),
                "{name}, row {row}: the running error bound is broken"
            );
        }
    }
    check_predictor(name, &ensemble, &rows);
    check_round_trip(name, &ensemble);
    compared
}

/// The fast path says the same.
fn check_predictor(name: &str, ensemble: &Ensemble, rows: &Matrix) {
    let predictor = Predictor::new(ensemble);
    let prediction = predictor.predict(&rows.cells).unwrap();
    let ids = predictor.leaf_ids(&rows.cells).unwrap();
    let (num_margins, num_outputs) = (ensemble.num_margins(), prediction.outputs.len() / rows.num_rows());
    for row in 0..rows.num_rows() {
        let evaluation = ensemble.evaluate(rows.row(row)).unwrap();
        let margins = &prediction.margins[row * num_margins..][..num_margins];
        assert!(
            evaluation.library_margins().iter().zip(margins).all(|(a, b)| same_bits(*a, *b)),
            "{name}, row {row}: fast margins"
        );
        let outputs = &prediction.outputs[row * num_outputs..][..num_outputs];
        assert!(
            evaluation.outputs.iter().zip(outputs).all(|(a, b)| same_bits(*a, *b)),
            "{name}, row {row}: fast outputs"
        );
        assert_eq!(evaluation.class, prediction.classes.get(row).copied(), "{name}, row {row}: fast label");
        let trees = ensemble.trees();
        let expected: Vec<u32> =
            trees.iter().zip(&evaluation.leaves).map(|(tree, leaf)| tree.leaves()[*leaf].id).collect();
        assert_eq!(expected, ids[row * trees.len()..][..trees.len()], "{name}, row {row}: fast leaves");
    }
}

/// treeproof's own format loses nothing.
fn check_round_trip(name: &str, ensemble: &Ensemble) {
    let json = to_json(ensemble);
    let again = load_bytes(json.as_bytes(), &LoadOptions::default()).unwrap_or_else(|error| panic!("{name}: {error}"));
    assert!(again == *ensemble, "{name}: treeproof's own JSON loses something");
    assert_eq!(to_json(&again), json, "{name}: converting twice changes the file");
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Refusal {
    file: String,
    reason: String,
    about: String,
}

#[test]
fn what_cannot_be_exact_is_refused() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/refused");
    let refusals: Vec<Refusal> =
        serde_json::from_str(&std::fs::read_to_string(root.join("refused.json")).unwrap()).unwrap();
    for Refusal { file, reason, about } in refusals {
        let error = load_path(&root.join(&file), &LoadOptions::default()).expect_err(&about).to_string();
        let told = error.to_lowercase();
        assert!(error.contains(&file) && told.contains(&reason.to_lowercase()), "{about}: {error}");
    }
}

fn check_all(library: &str, at_least: usize) {
    let fixtures = fixtures(library);
    assert!(fixtures.len() >= at_least, "only {} fixtures of {library}", fixtures.len());
    fixtures.iter().for_each(|fixture| {
        check(fixture);
    });
}

#[test]
fn xgboost() {
    check_all("xgboost", 25);
}

#[test]
fn xgboost_of_other_versions() {
    check_all("xgboost_versions", 15);
}

#[test]
fn lightgbm() {
    check_all("lightgbm", 20);
}

#[test]
fn scikit_learn() {
    check_all("scikit_learn", 20);
}

#[test]
fn own_format() {
    check_all("own", 5);
}

#[test]
fn pipelines() {
    check_all("pipelines", 4);
}

#[test]
fn catboost() {
    check_all("catboost", 15);
}

#[test]
fn onnx() {
    check_all("onnx", 20);
}

#[test]
fn the_readme_counts_all_that_libraries_computed() {
    let libraries = ["catboost", "lightgbm", "onnx", "pipelines", "scikit_learn", "xgboost", "xgboost_versions"];
    let fixtures: Vec<Fixture> = libraries.into_iter().flat_map(fixtures).collect();
    let count = |file: &str| -> usize {
        fixtures.iter().filter_map(|fixture| fixture.matrix(file)).map(|matrix| matrix.cells.len()).sum()
    };
    let thousands = |count: usize| format!("{},{:03}", count / 1000, count % 1000);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let words: Vec<&str> = readme.split_whitespace().collect();
    let [leaves, margins] = ["leaves.npy", "margins.npy"].map(|file| thousands(count(file)));
    for stated in [format!("{} cases", fixtures.len()), format!("{leaves} leaf numbers"), format!("{margins} margins")]
    {
        assert!(words.join(" ").contains(&stated), "README.md does not say: {stated}");
    }
}
