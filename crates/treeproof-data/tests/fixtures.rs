//! Files written by pandas, numpy and pyarrow read as those libraries read them, to the last bit.

use std::path::{Path, PathBuf};

use serde_json::Value;
use treeproof_data::{Cells, Column, Table, read};

fn fixture(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name)
}

fn bits(numbers: &[f64]) -> Value {
    let bits = |x: &f64| if x.is_nan() { Value::Null } else { Value::String(format!("{:016x}", x.to_bits())) };
    numbers.iter().map(bits).collect()
}

fn describe(table: &Table) -> (Value, Vec<Value>, Value) {
    let names = match table.names() {
        Some(names) => names.iter().cloned().map(Value::String).collect(),
        None => vec![Value::Null; table.num_columns()].into(),
    };
    let column = |column: &Column| match column {
        Column::Numbers(numbers) | Column::Booleans(numbers) => serde_json::json!({ "numbers": bits(numbers) }),
        Column::Texts(texts) => serde_json::json!({ "texts": texts.iter().collect::<Vec<_>>() }),
        Column::Unsupported(why) => panic!("{why}"),
        _ => panic!("a new kind of column"),
    };
    (names, table.columns().iter().map(column).collect(), table.labels().map_or(Value::Null, bits))
}

#[test]
fn files_read_as_their_writers_read_them() {
    let expected: Value = serde_json::from_slice(&std::fs::read(fixture("expected.json")).unwrap()).unwrap();
    let files = expected.as_object().unwrap();
    assert!(files.len() > 25);
    for (name, content) in files {
        let content = content.as_str().map_or(content, |same| &expected[same]);
        let (names, columns, labels) = describe(&read(&fixture(name)).unwrap());
        assert_eq!(names, content["names"], "{name}");
        for ((column, expected), label) in
            columns.iter().zip(content["columns"].as_array().unwrap()).zip(names.as_array().unwrap())
        {
            assert_eq!(column, expected, "{name}, {label}");
        }
        assert_eq!(labels, content["labels"], "{name}");
    }
}

#[test]
fn libsvm_entries_are_those_of_the_text() {
    let text = std::fs::read_to_string(fixture("sparse.libsvm")).unwrap();
    let table = read(&fixture("sparse.libsvm")).unwrap();
    let Cells::Sparse(rows) = table.cells() else { panic!("not sparse") };
    assert_eq!(text.lines().count(), rows.num_rows());
    for (row, line) in text.lines().enumerate() {
        let entries: Vec<(u32, f64)> = (line.split(' ').skip(1))
            .map(|word| word.split_once(':').unwrap())
            .map(|(index, value)| (index.parse().unwrap(), value.parse().unwrap()))
            .collect();
        assert_eq!(rows.row(row), entries);
    }
}

#[test]
fn what_cannot_be_read_says_why() {
    let message = |name: &str| {
        let error = read(&fixture(name)).unwrap_err().to_string();
        error.split_once(&format!("{name}: ")).unwrap().1.to_owned()
    };
    assert_eq!(message("ambiguous.npz"), "which of `a`, `b` is the matrix? call it X");
    assert_eq!(message("objects.npy"), "not supported: an array of Python objects; save it with X.astype('float64')");
    assert!(message("delta.parquet").starts_with("column `colour`: not supported: texts encoded as DELTA_BYTE_ARRAY"));
    assert!(message("brotli.parquet").starts_with("column `colour`: not supported: this compression"));
    assert_eq!(message("nowhere.csv"), "no such file");
    assert_eq!(message(""), "is a directory, not a data file");

    let table = read(&fixture("refused.parquet")).unwrap();
    let refused = |name: &str| matches!(table.column_named(name), Some(Column::Unsupported(_)));
    assert!(["list", "when", "price", "half"].into_iter().all(refused));
    assert!(!["ok", "nothing"].into_iter().any(refused));
}
