//! `monotone`: the margin never falls as a number rises, asked of each number.
//!
//! `cargo run --example monotone`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let report = Task::monotone(&model).run()?;
    if let Finding::MonotoneEach(answer) = &report.finding {
        for feature in &answer.features {
            println!("{}: {:?}", feature.feature.as_deref().unwrap_or_default(), feature.verdict);
        }
    }
    Ok(())
}
