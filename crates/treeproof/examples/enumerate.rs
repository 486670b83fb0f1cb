//! `enumerate`: the output configurations of the largest margins.
//!
//! `cargo run --example enumerate`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let report = Task::enumerate(&model).given("sex == 1")?.run()?;
    if let Finding::Enumerate(answer) = &report.finding {
        for region in &answer.regions {
            println!("{:+} in {}", region.output, serde_json::to_string(&region.domain)?);
        }
    }
    Ok(())
}
