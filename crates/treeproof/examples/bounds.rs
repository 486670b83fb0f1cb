//! Bounds on one margin: `max` with a condition, a limit and a proof, `range`, and `enumerate`.
//!
//! `cargo run --example bounds`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use std::time::Duration;

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;

    let proof = std::env::temp_dir().join("max.proof");
    let report = Task::max(&model).given("age < 30")?.time(Duration::from_secs(10)).proof(&proof).run()?;
    println!("max: {}", serde_json::to_string_pretty(&report)?);
    println!("proof: {}", proof.display());

    let report = Task::range(&model).run()?;
    if let Finding::Range(range) = &report.finding {
        println!("range: {:?} to {:?}", range.lower, range.upper);
    }

    let report = Task::enumerate(&model).given("sex == 1")?.run()?;
    if let Finding::Enumerate(answer) = &report.finding {
        for region in &answer.regions {
            println!("{:+} in {}", region.output, serde_json::to_string(&region.domain)?);
        }
    }
    Ok(())
}
