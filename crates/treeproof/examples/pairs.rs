//! Comparisons: of two models, `diff`; of two inputs, `monotone`, `fair`, `stable`; from a starting point, `dominant`.
//!
//! `cargo run --example pairs`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::{Model, Query, Task};
use treeproof_ensemble::norm::Norm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [model, other] = [Model::read("examples/loans.json")?, Model::read("examples/loans-2.json")?];
    tell("diff", &Task::diff(&model, &other))?;
    tell("monotone", &Task::monotone(&model))?;
    tell("fair", &Task::fair(&model, ["sex"]).given("age >= 18")?)?;
    tell("stable", &Task::stable(&model, Norm::Linf, 1.0))?;
    tell("dominant", &Task::dominant(&model, ["sex=1"], ["*"]))?;
    Ok(())
}

fn tell(question: &str, query: &Query) -> Result<(), Box<dyn std::error::Error>> {
    println!("{question}: {}", serde_json::to_string_pretty(&query.run()?)?);
    Ok(())
}
