use std::time::Instant;
use treeproof_ensemble::load::{LoadOptions, load_bytes, load_path};
use treeproof_ensemble::predict::Predictor;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    let mut best = f64::MAX;
    for _ in 0..10 {
        let t = Instant::now();
        let e = load_path(path.as_ref(), &LoadOptions::default()).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
        drop(e);
    }
    println!("load path {best}");
    let mut best = f64::MAX;
    for _ in 0..10 {
        let t = Instant::now();
        let e = load_bytes(&bytes, &LoadOptions::default()).unwrap();
        best = best.min(t.elapsed().as_secs_f64());
        drop(e);
    }
    println!("load bytes {best}");
    let e = load_path(path.as_ref(), &LoadOptions::default()).unwrap();
    let npy = std::fs::read("/tmp/r100k.npy").unwrap();
    let rows: Vec<f64> = npy[128..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    let npy = std::fs::read("/tmp/m500_margin.npy").unwrap();
    let want: Vec<f64> = npy[128..].chunks(8).map(|b| f64::from_le_bytes(b.try_into().unwrap())).collect();
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    for _ in 0..3 {
        let t = Instant::now();
        let p = Predictor::new(&e);
        let got = pool.install(|| p.predict(&rows)).unwrap();
        println!(
            "predict {} equal {} of {}",
            t.elapsed().as_secs_f64(),
            got.margins.iter().zip(&want).filter(|(a, b)| a == b).count(),
            want.len()
        );
    }
}
