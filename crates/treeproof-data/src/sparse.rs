//! Sparse rows: the entries that a file lists. The meaning of absent entries is left to the model.

use crate::error::ReadError;

/// Sparse rows with their columns numbered as the file numbers them.
///
/// XGBoost and LightGBM take the numbers of a libsvm file as they stand, so a file that counts from 1 gives them
/// an empty column 0; scikit-learn's loader subtracts 1 from a file in which no 0 occurs.
/// [`SparseRows::min_index`] and [`SparseRows::max_index`] let the caller, who knows the model's width, decide.
#[derive(Clone, Debug, PartialEq)]
pub struct SparseRows {
    /// The end of each row in `entries`.
    row_ends: Vec<usize>,
    /// Row by row, in order of the column, no column twice in a row.
    entries: Vec<(u32, f64)>,
    min_index: Option<u32>,
    max_index: Option<u32>,
}

impl SparseRows {
    /// No rows yet.
    pub(crate) fn new() -> Self {
        Self { row_ends: Vec::new(), entries: Vec::new(), min_index: None, max_index: None }
    }

    /// Rows in compressed form (CSR): the start of each row in `columns` and `values`, then the end of the last row.
    ///
    /// # Errors
    /// If a row ends before it begins or beyond the entries, or has a column twice.
    pub fn from_compressed(starts: &[usize], columns: &[u32], values: &[f64]) -> Result<Self, ReadError> {
        let mut rows = Self::new();
        for (row, ends) in starts.windows(2).enumerate() {
            let part = ends[0]..ends[1];
            let (Some(columns), Some(values)) = (columns.get(part.clone()), values.get(part)) else {
                return Err(ReadError::malformed(format!("row {row}"), "its entries are not there"));
            };
            columns.iter().zip(values).for_each(|(column, value)| rows.push(*column, *value));
            let twice = |column: u32| ReadError::malformed(format!("row {row}"), format!("column {column} twice"));
            rows.end_row().map_err(twice)?;
        }
        Ok(rows)
    }

    /// Adds an entry to the row that is being written.
    pub(crate) fn push(&mut self, column: u32, value: f64) {
        self.min_index = Some(self.min_index.map_or(column, |min| min.min(column)));
        self.max_index = self.max_index.max(Some(column));
        self.entries.push((column, value));
    }

    /// Ends the row that is being written; gives back a column that occurs in it twice.
    pub(crate) fn end_row(&mut self) -> Result<(), u32> {
        let start = self.row_ends.last().copied().unwrap_or(0);
        let row = &mut self.entries[start..];
        if !row.is_sorted_by_key(|(column, _)| *column) {
            row.sort_by_key(|(column, _)| *column);
        }
        if let Some(pair) = row.windows(2).find(|pair| pair[0].0 == pair[1].0) {
            return Err(pair[0].0);
        }
        self.row_ends.push(self.entries.len());
        Ok(())
    }

    /// The number of rows.
    pub fn num_rows(&self) -> usize {
        self.row_ends.len()
    }

    /// The entries of a row as (column, value), in order of the column; empty if there is no such row.
    pub fn row(&self, row: usize) -> &[(u32, f64)] {
        let Some(end) = self.row_ends.get(row) else { return &[] };
        let start = row.checked_sub(1).map_or(0, |before| self.row_ends[before]);
        &self.entries[start..*end]
    }

    /// The smallest column that occurs.
    pub fn min_index(&self) -> Option<u32> {
        self.min_index
    }

    /// The largest column that occurs.
    pub fn max_index(&self) -> Option<u32> {
        self.max_index
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_come_back_sorted() {
        let mut rows = SparseRows::new();
        rows.push(5, 1.0);
        rows.push(2, 2.0);
        rows.end_row().unwrap();
        rows.end_row().unwrap();
        rows.push(1, 3.0);
        rows.end_row().unwrap();
        assert_eq!(rows.row(0), [(2, 2.0), (5, 1.0)]);
        assert_eq!((rows.row(1), rows.row(2), rows.row(3)), (&[][..], &[(1, 3.0)][..], &[][..]));
        assert_eq!((rows.num_rows(), rows.min_index(), rows.max_index()), (3, Some(1), Some(5)));
    }

    #[test]
    fn a_column_given_twice_is_reported() {
        let mut rows = SparseRows::new();
        for column in [4, 1, 4] {
            rows.push(column, 0.0);
        }
        assert_eq!(rows.end_row(), Err(4));
    }
}
