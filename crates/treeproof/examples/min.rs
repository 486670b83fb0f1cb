//! `min`: the smallest margin, within the ranges and categories of some rows.
//!
//! `cargo run --example min`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::Observed;
use treeproof::report::Finding;
use treeproof::rows::RowOptions;
use treeproof::{Model, Rows, Task};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let table = treeproof_data::read("examples/people.csv".as_ref())?;
    let rows = Rows::from_table(&table, model.ensemble(), &RowOptions::default())?;
    let observed =
        Observed::new("people.csv", rows, model.ensemble()).map_err(|(row, error)| format!("row {row}: {error}"))?;
    let report = Task::min(&model).domain(observed).run()?;
    if let Finding::Min(answer) = &report.finding {
        println!("{:?}: {:?} at {}", answer.verdict, answer.lower, serde_json::to_string(&answer.witness)?);
    }
    Ok(())
}
