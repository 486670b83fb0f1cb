//! `range`: the smallest and the largest margin.
//!
//! `cargo run --example range`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::{Model, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let report = Task::range(&model).run()?;
    if let Finding::Range(range) = &report.finding {
        println!("{:?}: from {:?} to {:?}", range.verdict, range.lower, range.upper);
    }
    Ok(())
}
