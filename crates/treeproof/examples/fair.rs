//! `fair`: two inputs that differ in protected features alone have the same label.
//!
//! `cargo run --example fair`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let report = Task::fair(&model, ["sex"]).given("age >= 18")?.run()?;
    if let Finding::Fair(answer) = &report.finding {
        println!("{:?}: labels {}", answer.verdict, serde_json::to_string(&answer.label)?);
        println!("at {}", serde_json::to_string(&answer.witness)?);
    }
    Ok(())
}
