//! Tables: what is read has cells for all its rows and columns, and reading is repeatable.

use std::path::Path;

use treeproof_data::{Cells, Column, read_bytes};

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
            Column::Numbers(numbers) => assert_eq!(numbers.len(), table.num_rows()),
            Column::Texts(texts) => assert_eq!(texts.len(), table.num_rows()),
            _ => {}
        }
    }
    assert!(table.names().is_none_or(|names| names.len() == table.num_columns()));
    assert!(table.labels().is_none_or(|labels| labels.len() == table.num_rows()));
    if let Cells::Sparse(rows) = table.cells() {
        assert_eq!(rows.num_rows(), table.num_rows());
    }
    // Equal but for NaN, which equals nothing: the spelling is compared.
    assert_eq!(format!("{table:?}"), format!("{:?}", read().expect("read the first time")));
}
