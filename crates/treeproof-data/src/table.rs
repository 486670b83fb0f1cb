//! The content of a data file: columns with or without names, or sparse rows, and labels where the format has them.

use crate::csv_text::CsvText;
use crate::error::ReadError;
use crate::sparse::SparseRows;
use crate::texts::Texts;

/// The largest number of columns; files with more are damaged or an attack.
pub(crate) const MAX_COLUMNS: usize = 1 << 20;

/// The content of a data file.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    names: Option<Vec<String>>,
    num_rows: usize,
    cells: Cells,
    labels: Option<Vec<f64>>,
    is_vector: bool,
    csv_text: Option<CsvText>,
    categorical: Vec<bool>,
}

/// The cells of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Dense columns.
    Dense(Vec<Column>),
    /// Sparse rows.
    Sparse(SparseRows),
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Column {
    /// Numbers; NaN is missing.
    Numbers(Vec<f64>),
    /// Booleans as 1 and 0; NaN is missing.
    Booleans(Vec<f64>),
    /// Texts, any of which may be missing.
    Texts(Texts),
    /// Values of several types.
    Mixed(MixedCells),
    /// Neither numbers nor texts, with the reason: an error only if the column is needed.
    Unsupported(String),
}

/// Values of several types.
#[derive(Clone, Debug, PartialEq)]
pub struct MixedCells {
    /// The values as texts.
    pub texts: Texts,
    /// True for values that are texts; empty if none is.
    pub is_text: Vec<bool>,
    /// Which types, for those who cannot tell them apart.
    pub why: String,
}

impl Table {
    /// A table of columns of equal length.
    pub fn dense(names: Option<Vec<String>>, num_rows: usize, columns: Vec<Column>) -> Result<Self, ReadError> {
        if columns.len() > MAX_COLUMNS {
            return Err(ReadError::unsupported("", format!("{} columns; at most {MAX_COLUMNS}", columns.len())));
        }
        if let Some(names) = &names
            && names.len() != columns.len()
        {
            let what = format!("{} names for {} columns", names.len(), columns.len());
            return Err(ReadError::malformed("", what));
        }
        for (index, column) in columns.iter().enumerate() {
            let len = match column {
                Column::Numbers(numbers) | Column::Booleans(numbers) => numbers.len(),
                Column::Texts(texts) | Column::Mixed(MixedCells { texts, .. }) => texts.len(),
                Column::Unsupported(_) => num_rows,
            };
            if len != num_rows {
                let what = format!("{len} cells, but the table has {num_rows} rows");
                return Err(ReadError::malformed(format!("column {index}"), what));
            }
        }
        Ok(Self::new(names, num_rows, Cells::Dense(columns)))
    }

    fn new(names: Option<Vec<String>>, num_rows: usize, cells: Cells) -> Self {
        Self { names, num_rows, cells, labels: None, is_vector: false, csv_text: None, categorical: Vec::new() }
    }

    /// A table of one unnamed column, from a one-dimensional array: it may be meant as one row.
    pub(crate) fn vector(numbers: Vec<f64>) -> Self {
        let table = Self::new(None, numbers.len(), Cells::Dense(vec![Column::Numbers(numbers)]));
        Self { is_vector: true, ..table }
    }

    /// A table of sparse rows.
    pub fn sparse(rows: SparseRows) -> Self {
        Self::new(None, rows.num_rows(), Cells::Sparse(rows))
    }

    /// Adds one label per row.
    pub(crate) fn with_labels(mut self, labels: Vec<f64>) -> Self {
        debug_assert_eq!(labels.len(), self.num_rows);
        self.labels = Some(labels);
        self
    }

    /// Adds the text of the CSV file.
    pub(crate) fn with_csv_text(mut self, csv_text: CsvText) -> Self {
        self.csv_text = Some(csv_text);
        self
    }

    /// The cells as texts, if the file is CSV, which has no types of its own.
    pub fn csv_text(&self) -> Option<&CsvText> {
        self.csv_text.as_ref()
    }

    /// Marks columns of pandas' type `category`.
    #[must_use]
    pub fn with_categorical(mut self, categorical: Vec<bool>) -> Self {
        self.categorical = categorical;
        self
    }

    /// True for a column of pandas' type `category`: it holds values here, while libraries may read its codes.
    pub fn is_categorical(&self, column: usize) -> bool {
        self.categorical.get(column) == Some(&true)
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.num_rows
    }

    /// The number of columns; for sparse rows, the largest index plus one.
    pub fn num_columns(&self) -> usize {
        match &self.cells {
            Cells::Dense(columns) => columns.len(),
            Cells::Sparse(rows) => rows.max_index().map_or(0, |max| max as usize + 1),
        }
    }

    /// The columns' names, if the file has them; they may repeat.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The dense columns; empty for sparse rows.
    pub fn columns(&self) -> &[Column] {
        match &self.cells {
            Cells::Dense(columns) => columns,
            Cells::Sparse(_) => &[],
        }
    }

    /// The first column of this name.
    pub fn column_named(&self, name: &str) -> Option<&Column> {
        let position = self.names()?.iter().position(|known| known == name)?;
        self.columns().get(position)
    }

    /// The labels that the format itself marks: those of libsvm rows, and an array `y` beside the matrix in `.npz`.
    pub fn labels(&self) -> Option<&[f64]> {
        self.labels.as_deref()
    }

    /// True for a one-dimensional array: one column here, perhaps meant as one row.
    pub fn is_vector(&self) -> bool {
        self.is_vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_must_agree() {
        let columns = || vec![Column::Numbers(vec![1.0]), Column::Unsupported("a list".into())];
        let table = Table::dense(Some(vec!["a".into(), "b".into()]), 1, columns()).unwrap();
        assert_eq!((table.num_rows(), table.num_columns()), (1, 2));
        assert_eq!(table.column_named("a"), Some(&Column::Numbers(vec![1.0])));
        assert_eq!(table.column_named("c"), None);
        assert!(Table::dense(None, 2, columns()).is_err());
        assert!(Table::dense(Some(vec!["a".into()]), 1, columns()).is_err());
    }
}
