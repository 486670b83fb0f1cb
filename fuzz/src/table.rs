//! Tables: what is read has cells for all its rows and columns, and reading is repeatable.

use std::path::Path;
use std::sync::Once;

use treeproof_data::{Cells, Column, Table, read_bytes};

/// Lets a reader catch the panics of a library that it calls, at which the fuzzer would stop at once. A panic that is not
/// caught still ends the run.
pub fn allow_contained_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| std::panic::set_hook(Box::new(|info| eprintln!("{info}"))));
}

/// Checks bytes under a file name, which decides between the text formats.
pub fn check(name: &str, content: &[u8]) {
    let read = || read_bytes(Path::new(name), content.to_vec());
    let table = match read() {
        Ok(table) => table,
        Err(error) => {
            let text = error.to_string();
            assert!(!text.contains('\n'), "not one line: {text}");
            assert_eq!(read().expect_err("refused the first time").to_string(), text);
            return;
        }
    };
    for column in table.columns() {
        match column {
            Column::Numbers(numbers) | Column::Booleans(numbers) => assert_eq!(numbers.len(), table.num_rows()),
            Column::Texts(texts) => assert_eq!(texts.len(), table.num_rows()),
            _ => {}
        }
    }
    assert!(table.names().is_none_or(|names| names.len() == table.num_columns()));
    assert!(table.labels().is_none_or(|labels| labels.len() == table.num_rows()));
    if let Cells::Sparse(rows) = table.cells() {
        assert_eq!(rows.num_rows(), table.num_rows());
    }
    let again = read().expect("read the first time");
    assert!(same(&table, &again), "read twice, different tables");
}

/// Equality by bits, as NaN equals nothing; of sparse rows by spelling.
fn same(a: &Table, b: &Table) -> bool {
    let bits = |numbers: &[f64]| -> Vec<u64> { numbers.iter().map(|x| x.to_bits()).collect() };
    let same_column = |(a, b): (&Column, &Column)| match (a, b) {
        (Column::Numbers(a), Column::Numbers(b)) | (Column::Booleans(a), Column::Booleans(b)) => bits(a) == bits(b),
        (a, b) => a == b,
    };
    let same_cells = match (a.cells(), b.cells()) {
        (Cells::Dense(a), Cells::Dense(b)) => a.len() == b.len() && a.iter().zip(b).all(same_column),
        (a, b) => format!("{a:?}") == format!("{b:?}"),
    };
    same_cells && a.names() == b.names() && a.labels().map(bits) == b.labels().map(bits)
}
