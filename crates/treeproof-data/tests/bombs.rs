//! Small files that become large in memory: refused at once where no table is like that, read where tables are.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use flate2::Compression;
use flate2::write::GzEncoder;
use parquet::basic::{Compression as Codec, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, Int32Type};
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::Type;
use peak_alloc::PeakAlloc;
use treeproof_data::{ReadError, Table, read_bytes};

#[global_allocator]
static MEMORY: PeakAlloc = PeakAlloc;

/// The peak is that of the process: one test at a time.
static ALONE: Mutex<()> = Mutex::new(());

const MILLION: usize = 1_000_000;

/// Reads a file, and says how many bytes more than before were held at most.
fn measured(name: &str, content: Vec<u8>) -> (Result<Table, ReadError>, usize) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let table = read_bytes(Path::new(name), content);
    (table, MEMORY.peak_usage().saturating_sub(before))
}

#[track_caller]
fn refused(name: &str, content: Vec<u8>) {
    let size = content.len();
    let (table, peak) = measured(name, content);
    let error = table.expect_err("a bomb").to_string();
    assert!(error.contains("times the file's size; if you trust it") && !error.contains('\n'), "{error}");
    assert!(peak < (600 << 20) + 4 * size, "{name}: {peak} bytes for a file of {size}");
}

/// A table of equal columns, each constant.
fn constant<T: DataType>(num_columns: usize, values: &[T::T]) -> Vec<u8> {
    let field = |index| {
        let name = format!("f{index}");
        let field = Type::primitive_type_builder(&name, T::get_physical_type());
        Arc::new(field.with_repetition(Repetition::REQUIRED).build().unwrap())
    };
    let schema = Type::group_type_builder("rows").with_fields((0..num_columns).map(field).collect()).build().unwrap();
    let properties = WriterProperties::builder().set_compression(Codec::ZSTD(ZstdLevel::default())).build();
    let mut file = SerializedFileWriter::new(vec![], Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = file.next_row_group().unwrap();
    while let Some(mut column) = group.next_column().unwrap() {
        column.typed::<T>().write_batch(values, None, None).unwrap();
        column.close().unwrap();
    }
    group.close().unwrap();
    file.into_inner().unwrap()
}

/// One column of texts, each of so many bytes.
fn texts(num_rows: usize, size: usize, is_dictionary: bool) -> Vec<u8> {
    let text = Type::primitive_type_builder("a", Physical::BYTE_ARRAY).with_repetition(Repetition::REQUIRED);
    let field = Arc::new(text.with_logical_type(Some(LogicalType::String)).build().unwrap());
    let schema = Type::group_type_builder("rows").with_fields(vec![field]).build().unwrap();
    let codec = Codec::ZSTD(ZstdLevel::default());
    let properties = WriterProperties::builder().set_compression(codec).set_dictionary_enabled(is_dictionary).build();
    let mut file = SerializedFileWriter::new(vec![], Arc::new(schema), Arc::new(properties)).unwrap();
    let mut group = file.next_row_group().unwrap();
    let mut column = group.next_column().unwrap().unwrap();
    let values = vec![ByteArray::from(vec![b'a'; size]); num_rows];
    column.typed::<ByteArrayType>().write_batch(&values, None, None).unwrap();
    column.close().unwrap();
    group.close().unwrap();
    file.into_inner().unwrap()
}

fn gzip(line: &[u8], first: &[u8], times: usize) -> Vec<u8> {
    let mut gzip = GzEncoder::new(vec![], Compression::fast());
    gzip.write_all(first).unwrap();
    (0..times).for_each(|_| gzip.write_all(line).unwrap());
    gzip.finish().unwrap()
}

#[test]
fn constant_columns_of_a_million_rows_are_read() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let content = constant::<Int32Type>(20, &vec![7; MILLION]);
    assert!(content.len() < 1 << 20, "{}", content.len());
    let (table, _) = measured("x.parquet", content);
    let table = table.unwrap();
    assert_eq!((table.num_rows(), table.num_columns()), (MILLION, 20));
    // Long texts that a dictionary holds once cost a code a row.
    let (table, peak) = measured("x.parquet", texts(MILLION, 1000, true));
    assert_eq!(table.unwrap().num_rows(), MILLION);
    assert!(peak < 64 << 20, "{peak}");
}

#[test]
fn bombs_of_parquet_are_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    let content = constant::<BoolType>(40, &vec![true; MILLION]);
    assert!(content.len() < 2 << 20, "{}", content.len());
    let (table, peak) = measured("x.parquet", content);
    let error = table.expect_err("a bomb").to_string();
    assert!(error.contains("footer: 1000000 rows of 40 columns: takes more than 256 MiB"), "{error}");
    assert!(peak < 16 << 20, "{peak}");
    // Before the page is inflated, whose header tells.
    let (table, peak) = measured("x.parquet", texts(1, 280 << 20, false));
    let error = table.expect_err("a bomb").to_string();
    assert!(error.contains("column `a`: takes more than 256 MiB"), "{error}");
    assert!(peak < 16 << 20, "{peak}");
}

#[test]
fn bombs_of_text_are_refused() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    // An empty cell is a byte of text and a number of eight bytes.
    let header = (0..40).map(|index| format!("f{index}")).collect::<Vec<_>>().join(",") + "\n";
    let empty = [&[b','; 39][..], b"\n"].concat();
    refused("x.csv", gzip(&empty, header.as_bytes(), MILLION));
    // So is a row without entries.
    refused("x.libsvm", gzip(&b"0\n".repeat(1000), b"1 1:1\n", 20_000));
    let header = "{'descr': '|b1', 'fortran_order': False, 'shape': (1000000, 40), }\n";
    let start = [b"\x93NUMPY\x01\x00", &(header.len() as u16).to_le_bytes()[..], header.as_bytes()].concat();
    refused("x.npy", gzip(&[1; 40], &start, MILLION));
}
