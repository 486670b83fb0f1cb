//! Decoding a column's pages to numbers or texts, a bounded number of cells at a time.

use ::parquet::column::reader::{ColumnReader as Reader, ColumnReaderImpl};
use ::parquet::data_type::{ByteArray, DataType};
use ::parquet::errors::{ParquetError, Result};

use super::ColumnPlan;
use crate::table::Column;
use crate::texts::TextsBuilder;

/// Cells decoded at a time.
const BATCH: usize = 1 << 14;

/// Collects a column over all row groups.
pub(super) enum Collector {
    Numbers { numbers: Vec<f64>, is_unsigned: bool },
    Texts(TextsBuilder),
}

impl Collector {
    pub(super) fn new(plan: &ColumnPlan) -> Self {
        match plan {
            ColumnPlan::Texts => Self::Texts(TextsBuilder::default()),
            ColumnPlan::Numbers { is_unsigned } => Self::Numbers { numbers: Vec::new(), is_unsigned: *is_unsigned },
            ColumnPlan::Booleans | ColumnPlan::Unsupported(_) => {
                Self::Numbers { numbers: Vec::new(), is_unsigned: false }
            }
        }
    }

    /// Adds the cells of one row group.
    pub(super) fn collect(&mut self, cells: Reader, rows: GroupRows) -> Result<()> {
        #[expect(clippy::cast_precision_loss, clippy::cast_sign_loss, reason = "pandas' astype rounds too")]
        match self {
            Self::Numbers { numbers, is_unsigned } => {
                let mut push = |number: Option<f64>| {
                    numbers.push(number.unwrap_or(f64::NAN));
                    Ok(())
                };
                match (cells, *is_unsigned) {
                    (Reader::BoolColumnReader(cells), _) => {
                        rows.each(cells, |x| push(x.map(|x| f64::from(u8::from(*x)))))
                    }
                    (Reader::Int32ColumnReader(cells), false) => rows.each(cells, |x| push(x.map(|x| f64::from(*x)))),
                    (Reader::Int32ColumnReader(cells), true) => {
                        rows.each(cells, |x| push(x.map(|x| f64::from(*x as u32))))
                    }
                    (Reader::Int64ColumnReader(cells), false) => rows.each(cells, |x| push(x.map(|x| *x as f64))),
                    (Reader::Int64ColumnReader(cells), true) => rows.each(cells, |x| push(x.map(|x| *x as u64 as f64))),
                    (Reader::FloatColumnReader(cells), _) => rows.each(cells, |x| push(x.map(|x| f64::from(*x)))),
                    (Reader::DoubleColumnReader(cells), _) => rows.each(cells, |x| push(x.copied())),
                    _ => Err(ParquetError::General("a column of another type than the schema's".into())),
                }
            }
            Self::Texts(texts) => match cells {
                Reader::ByteArrayColumnReader(cells) => rows.each(cells, |text| {
                    match text.map(ByteArray::as_utf8).transpose()? {
                        Some(text) => texts.push(text),
                        None => texts.push_missing(),
                    }
                    Ok(())
                }),
                _ => Err(ParquetError::General("a column of another type than the schema's".into())),
            },
        }
    }

    pub(super) fn finish(self, plan: ColumnPlan) -> Column {
        match (self, plan) {
            (_, ColumnPlan::Unsupported(why)) => Column::Unsupported(why),
            (Self::Numbers { numbers, .. }, ColumnPlan::Booleans) => Column::Booleans(numbers),
            (Self::Numbers { numbers, .. }, _) => Column::Numbers(numbers),
            (Self::Texts(texts), _) => Column::Texts(texts.finish()),
        }
    }
}

/// The rows of one row group in a column.
#[derive(Clone, Copy)]
pub(super) struct GroupRows {
    pub(super) count: usize,
    pub(super) is_nullable: bool,
}

impl GroupRows {
    /// Passes every cell to `push`, `None` for null.
    fn each<T: DataType>(
        self,
        mut cells: ColumnReaderImpl<T>,
        mut push: impl FnMut(Option<&T::T>) -> Result<()>,
    ) -> Result<()> {
        let (mut values, mut levels) = (Vec::new(), Vec::new());
        let mut remaining = self.count;
        while remaining > 0 {
            values.clear();
            levels.clear();
            let (records, _, _) = cells.read_records(remaining.min(BATCH), Some(&mut levels), None, &mut values)?;
            if records == 0 || records > remaining {
                return Err(ParquetError::General(format!("{remaining} rows are missing")));
            }
            let mut present = values.iter();
            for row in 0..records {
                // A flat column has one level of definition: 0 is null, 1 is a value.
                let is_null = self.is_nullable && levels.get(row).is_none_or(|level| *level == 0);
                push(if is_null { None } else { present.next() })?;
            }
            remaining -= records;
        }
        Ok(())
    }
}
