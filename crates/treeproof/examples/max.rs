//! `max`: the largest margin under a condition, with a time limit and a proof.
//!
//! `cargo run --example max`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Duration;

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let proof = std::env::temp_dir().join("max.proof");
    let report = Task::max(&model).given("age < 30")?.time(Duration::from_secs(10)).proof(&proof).run()?;
    if let Finding::Max(answer) = &report.finding {
        println!("{:?}: from {:?} to {:?}", answer.verdict, answer.lower, answer.upper);
        println!("at {}; proof in {}", serde_json::to_string(&answer.witness)?, proof.display());
    }
    Ok(())
}
