//! Questions about each of some rows: `closest`, the nearest input of another class, and `robust`.
//!
//! `cargo run --example nearest`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::rows::RowOptions;
use treeproof::{Model, Rows, Task};
use treeproof_ensemble::norm::Norm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let table = treeproof_data::read("examples/people.csv".as_ref())?;
    let rows = Rows::from_table(&table, model.ensemble(), &RowOptions::default())?;

    let report = Task::closest(&model, rows.clone(), Norm::L1).given("changed <= 1")?.run()?;
    println!("closest: {}", serde_json::to_string_pretty(&report)?);
    let report = Task::robust(&model, rows, Norm::Linf, 0.1).run()?;
    println!("robust: {}: {:?}", report.question.name(), report.verdict());
    Ok(())
}
