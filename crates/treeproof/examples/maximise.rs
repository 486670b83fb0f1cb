//! `maximise`: the largest value of a sum of margins, of tasks in JSON (`treeproof solve`).
//!
//! `cargo run --example maximise`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::task::TaskFile;
use treeproof::{Model, Query};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The difference between two inputs that differ in age alone.
    let task = r#"{"treeproof": 1, "models": {"m": null},
        "maximise": [{"model": "m", "input": "b"}, {"model": "m", "input": "a", "sign": -1}],
        "inputs": {"b": {"same_as": "a", "except": ["age"]}}}"#;
    let report = Query::new(TaskFile::read(task)?, [Model::read("examples/loans.json")?]).run()?;
    if let Finding::Maximise(answer) = &report.finding {
        println!("{:?}: {:?} at {}", answer.verdict, answer.upper, serde_json::to_string(&answer.witness)?);
    }
    Ok(())
}
