//! `robust`: no input within a radius of a row has another label.
//!
//! `cargo run --example robust`, in `crates/treeproof`.

#![expect(clippy::print_stdout, reason = "an example prints")]

use treeproof::report::Finding;
use treeproof::rows::RowOptions;
use treeproof::{Model, Rows, Task};
use treeproof_ensemble::norm::Norm;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let model = Model::read("examples/loans.json")?;
    let table = treeproof_data::read("examples/people.csv".as_ref())?;
    let rows = Rows::from_table(&table, model.ensemble(), &RowOptions::default())?;
    let report = Task::robust(&model, rows, Norm::Linf, 0.1).run()?;
    if let Finding::Robust(answer) = &report.finding {
        for row in &answer.rows {
            println!("row {}: {:?}", row.row, row.verdict);
        }
    }
    Ok(())
}
