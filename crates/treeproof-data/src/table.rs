//! A table as a file holds it: columns with or without names, or sparse rows, and labels where the format has them.

use crate::error::ReadError;
use crate::read::Spelling;
use crate::sparse::Sparse;
use crate::texts::Texts;

/// More columns than this are damage or an attack, not data.
pub(crate) const MAX_COLUMNS: usize = 1 << 20;

/// The content of a data file.
#[derive(Clone, Debug, PartialEq)]
pub struct Table {
    names: Option<Vec<String>>,
    num_rows: usize,
    cells: Cells,
    labels: Option<Vec<f64>>,
    is_vector: bool,
    spelling: Option<Spelling>,
    categorical: Vec<bool>,
}

/// The cells of a table.
#[derive(Clone, Debug, PartialEq)]
pub enum Cells {
    /// Column by column, every cell written down.
    Dense(Vec<Column>),
    /// Row by row, only some cells written down.
    Sparse(Sparse),
}

/// One column of a table.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Column {
    /// Numbers; NaN is "missing".
    Numbers(Vec<f64>),
    /// Truth values as 1 and 0; NaN is "missing".
    Truths(Vec<f64>),
    /// Texts, any of which may be missing.
    Texts(Texts),
    /// Values of several types.
    Mixed(MixedCells),
    /// Something that is neither numbers nor texts, and why: an error only for those who need the column.
    Refused(String),
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
                Column::Numbers(numbers) | Column::Truths(numbers) => numbers.len(),
                Column::Texts(texts) | Column::Mixed(MixedCells { texts, .. }) => texts.len(),
                Column::Refused(_) => num_rows,
            };
            if len != num_rows {
                let what = format!("{len} cells, but the table has {num_rows} rows");
                return Err(ReadError::malformed(format!("column {index}"), what));
            }
        }
        Ok(Self {
            names,
            num_rows,
            cells: Cells::Dense(columns),
            labels: None,
            is_vector: false,
            spelling: None,
            categorical: Vec::new(),
        })
    }

    /// A table of one unnamed column that the file calls a vector: it may be meant as one row.
    pub(crate) fn vector(numbers: Vec<f64>) -> Self {
        let num_rows = numbers.len();
        let cells = Cells::Dense(vec![Column::Numbers(numbers)]);
        Self { names: None, num_rows, cells, labels: None, is_vector: true, spelling: None, categorical: Vec::new() }
    }

    /// A table of sparse rows.
    pub fn sparse(rows: Sparse) -> Self {
        let num_rows = rows.num_rows();
        let cells = Cells::Sparse(rows);
        Self { names: None, num_rows, cells, labels: None, is_vector: false, spelling: None, categorical: Vec::new() }
    }

    /// The same table with one label per row.
    pub(crate) fn with_labels(mut self, labels: Vec<f64>) -> Self {
        debug_assert_eq!(labels.len(), self.num_rows);
        self.labels = Some(labels);
        self
    }

    /// Adds the texts of the file to the table.
    pub(crate) fn with_spelling(mut self, spelling: Spelling) -> Self {
        self.spelling = Some(spelling);
        self
    }

    /// The cells as the texts of the file, where the format has no types of its own: CSV.
    pub fn spelling(&self) -> Option<&Spelling> {
        self.spelling.as_ref()
    }

    /// Marks columns that were of pandas' type `category`.
    #[must_use]
    pub fn with_categorical(mut self, categorical: Vec<bool>) -> Self {
        self.categorical = categorical;
        self
    }

    /// True if a column was of pandas' type `category`: it holds values here, where libraries may take its codes.
    pub fn is_categorical(&self, column: usize) -> bool {
        self.categorical.get(column) == Some(&true)
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.num_rows
    }

    /// The number of columns; of sparse rows, one more than the largest index that occurs.
    pub fn num_columns(&self) -> usize {
        match &self.cells {
            Cells::Dense(columns) => columns.len(),
            Cells::Sparse(rows) => rows.max_index().map_or(0, |max| max as usize + 1),
        }
    }

    /// The columns' names, where the file has them. They need not differ from each other.
    pub fn names(&self) -> Option<&[String]> {
        self.names.as_deref()
    }

    /// The cells.
    pub fn cells(&self) -> &Cells {
        &self.cells
    }

    /// The columns; none of sparse rows.
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

    /// The labels that the format itself sets apart: of libsvm rows, and an array `y` beside the matrix in `.npz`.
    pub fn labels(&self) -> Option<&[f64]> {
        self.labels.as_deref()
    }

    /// Whether the file holds a one-dimensional array: one column here, perhaps one row to its writer.
    pub fn is_vector(&self) -> bool {
        self.is_vector
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_must_agree() {
        let columns = || vec![Column::Numbers(vec![1.0]), Column::Refused("a list".into())];
        let table = Table::dense(Some(vec!["a".into(), "b".into()]), 1, columns()).unwrap();
        assert_eq!((table.num_rows(), table.num_columns()), (1, 2));
        assert_eq!(table.column_named("a"), Some(&Column::Numbers(vec![1.0])));
        assert_eq!(table.column_named("c"), None);
        assert!(Table::dense(None, 2, columns()).is_err());
        assert!(Table::dense(Some(vec!["a".into()]), 1, columns()).is_err());
    }
}
