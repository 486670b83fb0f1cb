//! `stable`: the largest jump of the margin between two inputs that are near each other.
//!
//! `cargo run --example stable`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};
use treeproof_ensemble::norm::Norm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let report = Task::stable(&model, Norm::Linf, 1.0).run()?;
    if let Finding::Stable(answer) = &report.finding {
        println!("{:?}: at most {:?}", answer.verdict, answer.upper);
        println!("between {}", serde_json::to_string(&answer.witness)?);
    }
    Ok(())
}
