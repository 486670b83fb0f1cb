//! Rows from Python: matrices, columns with names, sparse rows.

use std::path::PathBuf;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use treeproof::rows::{DataError, IndexBase, RowOptions, Rows};
use treeproof::sources::Labelled;
use treeproof_data::{Column, Sparse, Texts};
use treeproof_ensemble::ensemble::Ensemble;

use crate::error;

/// Rows that no model has read yet.
#[pyclass(frozen, module = "treeproof._native")]
pub(crate) struct Table(Cells);

enum Cells {
    /// Somebody else's numbers, without names: they are copied once, by who reads them.
    Matrix(PyBuffer<f64>),
    /// Columns with or without names, or sparse rows; with the number of columns of these.
    Table(treeproof_data::Table, Option<usize>),
}

/// A column: numbers, codes of names, or texts.
#[derive(FromPyObject)]
pub(crate) enum GivenColumn<'py> {
    Coded((PyBuffer<i64>, Vec<String>)),
    Numbers(PyBuffer<f64>),
    /// Why it is none of these: an error only if a model needs the column.
    Refused(String),
    #[pyo3(transparent)]
    Texts(Bound<'py, PyAny>),
}

impl GivenColumn<'_> {
    pub(crate) fn read(self, py: Python<'_>) -> PyResult<Column> {
        match self {
            Self::Numbers(numbers) => Ok(Column::Numbers(numbers.to_vec(py)?)),
            Self::Coded((codes, names)) => {
                let name = |code: i64| usize::try_from(code).ok().and_then(|code| names.get(code));
                Ok(Column::Texts(codes.to_vec(py)?.into_iter().map(name).collect::<Texts>()))
            }
            Self::Refused(why) => Ok(Column::Refused(why)),
            Self::Texts(texts) => {
                let texts: Vec<Option<String>> = texts.extract()?;
                Ok(Column::Texts(texts.into_iter().collect::<Texts>()))
            }
        }
    }
}

#[pymethods]
impl Table {
    /// A matrix of f64 numbers without names.
    #[staticmethod]
    fn matrix(numbers: PyBuffer<f64>) -> PyResult<Self> {
        match numbers.shape() {
            [_, _] => Ok(Self(Cells::Matrix(numbers))),
            _ => Err(error::of_data(&"a matrix has rows and columns")),
        }
    }

    /// The rows of a file.
    #[staticmethod]
    fn read(py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        let table = py.detach(|| treeproof_data::read(&file)).map_err(|error| error::of_data(&error))?;
        Ok(Self(Cells::Table(table, None)))
    }

    /// Columns of equal length, with names.
    #[staticmethod]
    fn columns(py: Python<'_>, names: Vec<String>, num_rows: usize, columns: Vec<GivenColumn<'_>>) -> PyResult<Self> {
        let columns = columns.into_iter().map(|column| column.read(py)).collect::<PyResult<_>>()?;
        let table = treeproof_data::Table::dense(Some(names), num_rows, columns);
        Ok(Self(Cells::Table(table.map_err(|error| error::of_data(&error))?, None)))
    }

    /// Compressed sparse rows.
    #[staticmethod]
    fn sparse(
        py: Python<'_>,
        starts: PyBuffer<i64>,
        columns: PyBuffer<i64>,
        values: PyBuffer<f64>,
        num_columns: usize,
    ) -> PyResult<Self> {
        let (starts, columns) = (starts.to_vec(py)?, columns.to_vec(py)?);
        let misfit = |_| error::of_data(&"sparse rows have places from 0 on, and fewer than 2³² columns");
        let starts = starts.into_iter().map(usize::try_from).collect::<Result<Vec<_>, _>>().map_err(misfit)?;
        let columns = columns.into_iter().map(u32::try_from).collect::<Result<Vec<_>, _>>().map_err(misfit)?;
        let rows = Sparse::from_compressed(&starts, &columns, &values.to_vec(py)?);
        let rows = rows.map_err(|error| error::of_data(&error))?;
        Ok(Self(Cells::Table(treeproof_data::Table::sparse(rows), Some(num_columns))))
    }

    /// The number of rows.
    fn num_rows(&self) -> usize {
        match &self.0 {
            Cells::Matrix(numbers) => numbers.shape()[0],
            Cells::Table(table, _) => table.num_rows(),
        }
    }
}

impl Table {
    /// The rows as a model reads them, with the labels of a column if one is named.
    pub(crate) fn rows(&self, model: &Ensemble, label: Option<&str>) -> Result<Labelled, DataError> {
        match &self.0 {
            Cells::Matrix(numbers) => {
                if let Some(name) = label {
                    return Err(DataError::NoLabel { name: name.to_owned(), suggestion: None });
                }
                let values = Python::attach(|py| numbers.to_vec(py));
                let [num_rows, num_columns] = [0, 1].map(|axis| numbers.shape()[axis]);
                let too_large = |_| DataError::TooLarge { rows: num_rows, features: num_columns };
                let rows = Rows::from_matrix(values.map_err(too_large)?, num_columns, model)?;
                Ok(Labelled { rows, labels: None })
            }
            Cells::Table(table, num_columns) => {
                let features = model.features().len();
                if let Some(columns) = num_columns.filter(|columns| *columns != features) {
                    return Err(DataError::Width { columns, features, hint: String::new() });
                }
                let mut options = RowOptions::default();
                options.label = label.map(str::to_owned);
                // Of what is at hand, places are counted from 0; of a file, whoever wrote it knows.
                options.index_base = num_columns.map(|_| IndexBase::Zero);
                Labelled::of_table(table, model, &options)
            }
        }
    }
}
