//! Models: what loads predicts the same on both paths, within its error bound, and survives treeproof's own JSON.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::load::{DumpFacts, LoadOptions, load_bytes, to_json};
use treeproof_ensemble::predict::Predictor;
use treeproof_ensemble::tree::Test;

/// A test of how a file begins; files that begin otherwise go to another loader, and belong to its target.
type Begins = fn(&[u8]) -> bool;

/// Checks bytes if they are for the loader that the target is about.
pub fn check_if(begins: Begins, content: &[u8]) {
    if begins(content.trim_ascii_start()) {
        check(content);
    }
}

/// Checks any bytes.
pub fn check(content: &[u8]) {
    let mut options = LoadOptions::default();
    options.dump = Some(DumpFacts { base_margin: vec![0.5], classes: 1 });
    match load_bytes(content, &options) {
        Ok(ensemble) => check_laws(&ensemble, content),
        Err(error) => assert!(!error.to_string().contains('\n'), "not one line: {error}"),
    }
}

/// A name in the first bytes of a JSON document.
pub fn has_key(content: &[u8], key: &str) -> bool {
    let start = &content[..content.len().min(4096)];
    content.starts_with(b"{") && start.windows(key.len()).any(|window| window == key.as_bytes())
}

fn check_laws(ensemble: &Ensemble, content: &[u8]) {
    let rows = rows(ensemble, content);
    let predictor = Predictor::new(ensemble);
    for row in &rows {
        match (ensemble.evaluate(row), predictor.predict(row)) {
            (Ok(plain), Ok(fast)) => {
                if !row.is_empty() {
                    assert_same(&plain.library_margins(), &fast.margins);
                    assert_same(&plain.outputs, &fast.outputs);
                    assert_eq!(plain.class, fast.classes.first().copied());
                }
                for margin in &plain.margins {
                    // Finite leaves may overflow in the sum; the bound is then infinite, and says so.
                    assert!(margin.library.is_finite() || margin.error.is_infinite(), "{margin:?}");
                    let (Some(library), Some(exact)) = (Exact::from_f64(margin.library), &margin.exact) else {
                        continue;
                    };
                    let Some(error) = Exact::from_f64(margin.error) else { continue };
                    assert!(library.minus(exact).magnitude() <= error, "{margin:?}");
                }
            }
            (Err(plain), Err(fast)) => assert_eq!(plain, fast.error),
            (plain, fast) => panic!("the paths disagree: {plain:?} {fast:?}"),
        }
    }
    let json = to_json(ensemble);
    let again = load_bytes(json.as_bytes(), &LoadOptions::default()).unwrap_or_else(|error| panic!("{error}: {json}"));
    assert!(again == *ensemble, "the own format loses something: {json}");
    assert_eq!(to_json(&again), json, "converting twice changes the file");
}

/// Rows of plain numbers, of missing values, at thresholds of the model, and of the file's own bytes.
fn rows(ensemble: &Ensemble, content: &[u8]) -> Vec<Vec<f64>> {
    let width = ensemble.features().len();
    let mut rows = vec![vec![0.5; width], vec![0.0; width], vec![f64::NAN; width], vec![f64::INFINITY; width]];
    let mut thresholds = vec![1.0; width];
    for split in ensemble.trees().iter().flat_map(|tree| tree.splits()).take(1000) {
        if let Test::Below(threshold) = split.test {
            thresholds[split.feature as usize] = threshold;
        }
    }
    rows.push(thresholds.iter().map(|threshold| threshold.next_down()).collect());
    rows.push(thresholds);
    let mut bytes = content.rchunks(8).cycle();
    let mut number = || {
        let mut eight = [0; 8];
        let chunk = bytes.next().unwrap_or_default();
        eight[..chunk.len()].copy_from_slice(chunk);
        f64::from_le_bytes(eight)
    };
    rows.extend((0..2).map(|_| (0..width).map(|_| number()).collect()));
    rows
}

fn assert_same(plain: &[f64], fast: &[f64]) {
    let same = |(a, b): (&f64, &f64)| a.to_bits() == b.to_bits() || (a.is_nan() && b.is_nan());
    assert!(plain.len() == fast.len() && plain.iter().zip(fast).all(same), "{plain:?} is not {fast:?}");
}
