//! Writing tables as CSV or Parquet; every number reads back to the same value.

use std::sync::Arc;

use parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use parquet::data_type::{BoolType, ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedColumnWriter, SerializedFileWriter};
use parquet::schema::types::Type;

/// The writer's name in Parquet files written here, beside its version.
const CREATED_BY: &str = "treeproof version ";

/// Recognises a Parquet file of this writer by its end: as the footer encodes who created it, with the length before the name.
pub fn is_own_parquet(end: &[u8]) -> bool {
    let is_name = |window: &[u8]| {
        let (name, length) = (&window[2..], usize::from(window[1]));
        // A binary field, one or two after the last one.
        matches!(window[0], 0x18 | 0x28) && name.starts_with(CREATED_BY.as_bytes()) && length > CREATED_BY.len()
    };
    end.ends_with(b"PAR1") && end.windows(2 + CREATED_BY.len()).any(is_name)
}

/// A named column to be written; a missing value is an empty cell in CSV and null in Parquet.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenColumn {
    /// Its name.
    pub name: String,
    /// Its cells.
    pub cells: WrittenCells,
}

/// The cells of a column, all of one type.
#[derive(Clone, Debug, PartialEq)]
pub enum WrittenCells {
    /// Whole numbers.
    Integers(Vec<Option<i64>>),
    /// Numbers.
    Numbers(Vec<Option<f64>>),
    /// Booleans.
    Booleans(Vec<Option<bool>>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

impl WrittenCells {
    /// The number of rows.
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(cells) => cells.len(),
            Self::Numbers(cells) => cells.len(),
            Self::Booleans(cells) => cells.len(),
            Self::Texts(cells) => cells.len(),
        }
    }

    /// True without rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn text(&self, row: usize) -> String {
        let text = match self {
            Self::Integers(cells) => cells[row].map(|cell| cell.to_string()),
            Self::Numbers(cells) => cells[row].map(number),
            Self::Booleans(cells) => cells[row].map(|cell| cell.to_string()),
            Self::Texts(cells) => cells[row].clone(),
        };
        text.unwrap_or_default()
    }

    fn physical(&self) -> (Physical, Option<LogicalType>) {
        match self {
            Self::Integers(_) => (Physical::INT64, None),
            Self::Numbers(_) => (Physical::DOUBLE, None),
            Self::Booleans(_) => (Physical::BOOLEAN, None),
            Self::Texts(_) => (Physical::BYTE_ARRAY, Some(LogicalType::String)),
        }
    }
}

/// The shortest text that reads back to the same number.
fn number(number: f64) -> String {
    let text = format!("{number:?}");
    text.strip_suffix(".0").map_or_else(|| text.clone(), str::to_owned)
}

/// Columns of equal length as CSV with a header.
///
/// # Errors
/// If the columns differ in their number of rows.
pub fn to_csv(columns: &[WrittenColumn]) -> Result<Vec<u8>, String> {
    let num_rows = num_rows(columns)?;
    let mut writer = csv::Writer::from_writer(vec![]);
    let failed = |error: csv::Error| error.to_string();
    writer.write_record(columns.iter().map(|column| &column.name)).map_err(failed)?;
    for row in 0..num_rows {
        writer.write_record(columns.iter().map(|column| column.cells.text(row))).map_err(failed)?;
    }
    writer.into_inner().map_err(|error| error.to_string())
}

/// Columns of equal length as Parquet.
///
/// # Errors
/// If the columns differ in their number of rows.
pub fn to_parquet(columns: &[WrittenColumn]) -> Result<Vec<u8>, String> {
    num_rows(columns)?;
    parquet_bytes(columns).map_err(|error| error.to_string())
}

fn num_rows(columns: &[WrittenColumn]) -> Result<usize, String> {
    let num_rows = columns.first().map_or(0, |column| column.cells.len());
    match columns.iter().find(|column| column.cells.len() != num_rows) {
        Some(odd) => Err(format!("column `{}` has {} rows, the first {num_rows}", odd.name, odd.cells.len())),
        None => Ok(num_rows),
    }
}

fn parquet_bytes(columns: &[WrittenColumn]) -> Result<Vec<u8>, ParquetError> {
    let field = |column: &WrittenColumn| {
        let (physical, logical) = column.cells.physical();
        let field = Type::primitive_type_builder(&column.name, physical).with_repetition(Repetition::OPTIONAL);
        field.with_logical_type(logical).build().map(Arc::new)
    };
    let fields = columns.iter().map(field).collect::<Result<Vec<_>, _>>()?;
    let schema = Arc::new(Type::group_type_builder("rows").with_fields(fields).build()?);
    let created_by = format!("{CREATED_BY}{}", env!("CARGO_PKG_VERSION"));
    let properties =
        Arc::new(WriterProperties::builder().set_compression(Compression::SNAPPY).set_created_by(created_by).build());
    let mut file = SerializedFileWriter::new(vec![], schema, properties)?;
    let mut group = file.next_row_group()?;
    for column in columns {
        let mut writer = group.next_column()?.expect("as many columns as fields");
        match &column.cells {
            WrittenCells::Integers(cells) => write_cells::<Int64Type>(&mut writer, cells.iter().copied())?,
            WrittenCells::Numbers(cells) => write_cells::<DoubleType>(&mut writer, cells.iter().copied())?,
            WrittenCells::Booleans(cells) => write_cells::<BoolType>(&mut writer, cells.iter().copied())?,
            WrittenCells::Texts(cells) => {
                let texts = cells.iter().map(|cell| cell.as_deref().map(ByteArray::from));
                write_cells::<ByteArrayType>(&mut writer, texts)?;
            }
        }
        writer.close()?;
    }
    group.close()?;
    file.into_inner()
}

fn write_cells<T: DataType>(
    writer: &mut SerializedColumnWriter<'_>,
    cells: impl Iterator<Item = Option<T::T>>,
) -> Result<(), ParquetError> {
    let (mut values, mut is_there) = (vec![], vec![]);
    for cell in cells {
        is_there.push(i16::from(cell.is_some()));
        values.extend(cell);
    }
    writer.typed::<T>().write_batch(&values, Some(&is_there), None).map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Column, read_bytes};

    const HARD: [f64; 8] = [0.1, -0.0, 1e300, 5e-324, 123_456_789.123_456_79, f64::INFINITY, 41.0, f64::MIN];

    fn columns() -> Vec<WrittenColumn> {
        let named = |name: &str, cells| WrittenColumn { name: name.to_owned(), cells };
        let numbers = HARD.iter().map(|number| Some(*number)).chain([None]).collect();
        let texts = ["a", "b, c", "\"d\"", "é\ny", "age 41 → 40; x", "g", "h", "i"];
        let texts = texts.iter().map(|text| Some((*text).to_owned())).chain([None]).collect();
        vec![
            named("row", WrittenCells::Integers((0..9).map(Some).collect())),
            named("witness.x", WrittenCells::Numbers(numbers)),
            named("text", WrittenCells::Texts(texts)),
            named("is_correct", WrittenCells::Booleans((0..9).map(|row| (row < 8).then_some(row % 2 == 0)).collect())),
        ]
    }

    #[test]
    fn what_is_written_reads_back() {
        for (file, bytes) in [("t.csv", to_csv(&columns())), ("t.parquet", to_parquet(&columns()))] {
            let table = read_bytes(file.as_ref(), bytes.unwrap()).unwrap();
            assert_eq!(table.names().unwrap(), ["row", "witness.x", "text", "is_correct"], "{file}");
            assert_eq!(table.num_rows(), 9, "{file}");
            let numbers = |name: &str| match table.column_named(name) {
                Some(Column::Numbers(numbers) | Column::Booleans(numbers)) => numbers.clone(),
                other => panic!("{file}: {other:?}"),
            };
            assert_eq!(numbers("row"), [0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], "{file}");
            let bits = |numbers: &[f64]| numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
            assert_eq!(bits(&numbers("witness.x")[..8]), bits(&HARD), "{file}");
            assert!(numbers("witness.x")[8].is_nan(), "{file}");
            assert_eq!(numbers("is_correct")[..8], [1.0, 0.0, 1.0, 0.0, 1.0, 0.0, 1.0, 0.0], "{file}");
            let Some(Column::Texts(texts)) = table.column_named("text") else { panic!("{file}: no texts") };
            let WrittenCells::Texts(written) = &columns()[2].cells else { unreachable!("the third are texts") };
            assert_eq!(texts.iter().collect::<Vec<_>>(), written.iter().map(Option::as_deref).collect::<Vec<_>>());
        }
    }

    #[test]
    fn columns_of_different_length_are_refused() {
        let mut columns = columns();
        columns[1].cells = WrittenCells::Numbers(vec![]);
        assert_eq!(to_csv(&columns).unwrap_err(), "column `witness.x` has 0 rows, the first 9");
        assert!(to_parquet(&columns).is_err());
    }
}
