//! `closest`: the nearest input to each row that has another label.
//!
//! `cargo run --example closest`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::rows::RowOptions;
use treeproof::{Model, Rows, Task};
use treeproof_ensemble::norm::Norm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let table = treeproof_data::read("examples/people.csv".as_ref())?;
    let rows = Rows::from_table(&table, model.ensemble(), &RowOptions::default())?;
    let report = Task::closest(&model, rows, Norm::L1).given("changed <= 1")?.run()?;
    if let Finding::Closest(answer) = &report.finding {
        for row in &answer.rows {
            let changed: Vec<&str> = row.changed.iter().map(|change| &change.feature[..]).collect();
            println!("row {}: distance {:?}, by a change of {}", row.row, row.upper, changed.join(", "));
        }
    }
    Ok(())
}
