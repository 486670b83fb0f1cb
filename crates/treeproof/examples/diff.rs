//! `diff`: the input at which two models differ most.
//!
//! `cargo run --example diff`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let [model, other] = [Model::read("examples/loans.json")?, Model::read("examples/loans-2.json")?];
    let report = Task::diff(&model, &other).run()?;
    if let Finding::Diff(answer) = &report.finding {
        println!("{:?}: at most {:?} apart", answer.verdict, answer.upper);
        println!("at {}", serde_json::to_string(&answer.witness)?);
    }
    Ok(())
}
