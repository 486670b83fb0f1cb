//! `dominant`: the feature that moves the margin most from a starting point.
//!
//! `cargo run --example dominant`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let report = Task::dominant(&model, ["sex=1"], ["*"]).run()?;
    if let Finding::Dominant(found) = &report.finding {
        for change in &found.changes {
            println!(
                "{}: {:?} to {:?} moves the margin by {:+}",
                change.attribute, change.from, change.to, change.effect
            );
        }
    }
    Ok(())
}
