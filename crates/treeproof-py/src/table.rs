//! Rows from Python: matrices, columns with names, sparse rows.

use std::borrow::Cow;
use std::path::PathBuf;

use pyo3::buffer::PyBuffer;
use pyo3::prelude::*;
use treeproof::rows::{DataError, IndexBase, Labelled, RowOptions, Rows};
use treeproof_data::{Column, MixedCells, SparseRows, Texts};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::FeatureKind;

use crate::error;
use crate::waiting::wait_or_abandon;

/// Rows for models to read.
#[pyclass(frozen, name = "Table", module = "treeproof._native")]
pub(crate) struct PyTable(TableCells);

enum TableCells {
    /// Somebody else's numbers, without names: they are copied once, by who reads them.
    Matrix(PyBuffer<f64>),
    /// Rows that the same model has read elsewhere, and the number of the first of them.
    Read(PyBuffer<f64>, usize),
    /// Columns with or without names, or sparse rows; with the number of columns of these.
    Table(treeproof_data::Table, Option<usize>),
    /// Columns with names, some of them with codes: to a model that knows no names of categories these are what counts.
    Coded(treeproof_data::Table, Vec<Option<Vec<f64>>>),
}

/// A column as Python hands it over.
#[derive(FromPyObject)]
pub(crate) enum GivenColumn<'py> {
    /// Codes, and the column of the categories that they stand for.
    Coded((PyBuffer<i64>, Bound<'py, PyAny>)),
    /// The word `truth`, and truth values as 1 and 0; NaN is missing.
    Truths((String, PyBuffer<f64>)),
    /// Types of its values, if there are several, the values as texts, and which are texts.
    Mixed((String, Vec<Option<String>>, Vec<bool>)),
    Numbers(PyBuffer<f64>),
    /// Why it is none of these: an error only if a model needs the column.
    Refused(String),
    #[pyo3(transparent)]
    Texts(Bound<'py, PyAny>),
}

impl GivenColumn<'_> {
    /// The codes of categories; NaN where there is none.
    fn codes(&self, py: Python<'_>) -> PyResult<Option<Vec<f64>>> {
        let Self::Coded((codes, _)) = self else { return Ok(None) };
        let number = |code: i64| if code < 0 { f64::NAN } else { code as f64 };
        Ok(Some(codes.to_vec(py)?.into_iter().map(number).collect()))
    }

    pub(crate) fn read(self, py: Python<'_>) -> PyResult<Column> {
        match self {
            Self::Numbers(numbers) => Ok(Column::Numbers(numbers.to_vec(py)?)),
            Self::Truths((_, truths)) => Ok(Column::Booleans(truths.to_vec(py)?)),
            Self::Mixed((why, texts, is_text)) => {
                Ok(Column::Mixed(MixedCells { texts: texts.into_iter().collect(), is_text, why }))
            }
            Self::Coded((codes, categories)) => {
                let places = codes.to_vec(py)?.into_iter().map(|code| usize::try_from(code).ok());
                let number = |numbers: &[f64], place: Option<usize>| {
                    place.and_then(|place| numbers.get(place).copied()).unwrap_or(f64::NAN)
                };
                Ok(match categories.extract::<GivenColumn<'_>>()?.read(py)? {
                    Column::Numbers(numbers) => Column::Numbers(places.map(|place| number(&numbers, place)).collect()),
                    Column::Booleans(truths) => Column::Booleans(places.map(|place| number(&truths, place)).collect()),
                    Column::Texts(texts) => {
                        Column::Texts(places.map(|place| place.and_then(|place| texts.get(place))).collect::<Texts>())
                    }
                    Column::Mixed(MixedCells { texts, is_text, why }) => {
                        let places: Vec<Option<usize>> = places.collect();
                        let texts = places.iter().map(|place| place.and_then(|place| texts.get(place))).collect();
                        let known = |place: &Option<usize>| place.and_then(|place| is_text.get(place).copied());
                        let is_text = match is_text.is_empty() {
                            true => is_text,
                            false => places.iter().map(|place| known(place).unwrap_or(false)).collect(),
                        };
                        Column::Mixed(MixedCells { texts, is_text, why })
                    }
                    column => column,
                })
            }
            Self::Refused(why) => Ok(Column::Unsupported(why)),
            Self::Texts(texts) => {
                let texts: Vec<Option<String>> = texts.extract()?;
                Ok(Column::Texts(texts.into_iter().collect::<Texts>()))
            }
        }
    }
}

#[pymethods]
impl PyTable {
    /// A matrix of f64 numbers without names.
    #[staticmethod]
    fn matrix(numbers: PyBuffer<f64>) -> PyResult<Self> {
        match numbers.shape() {
            [_, _] => Ok(Self(TableCells::Matrix(numbers))),
            _ => Err(error::of_data(&"a matrix has rows and columns")),
        }
    }

    /// Some of the rows that [`crate::parts::read_rows`] gave, from number `start` on; for the same model.
    #[staticmethod]
    fn read_before(numbers: PyBuffer<f64>, start: usize) -> PyResult<Self> {
        match numbers.shape() {
            [_, _] => Ok(Self(TableCells::Read(numbers, start))),
            _ => Err(error::of_data(&"a matrix has rows and columns")),
        }
    }

    /// The rows of a file.
    #[staticmethod]
    fn read(py: Python<'_>, file: PathBuf) -> PyResult<Self> {
        let table =
            wait_or_abandon(py, move || treeproof_data::read(&file))?.map_err(|error| error::of_data(&error))?;
        Ok(Self(TableCells::Table(table, None)))
    }

    /// Columns of equal length, with names.
    #[staticmethod]
    fn columns(py: Python<'_>, names: Vec<String>, num_rows: usize, columns: Vec<GivenColumn<'_>>) -> PyResult<Self> {
        let codes = columns.iter().map(|column| column.codes(py)).collect::<PyResult<Vec<_>>>()?;
        let columns = columns.into_iter().map(|column| column.read(py)).collect::<PyResult<_>>()?;
        let table = treeproof_data::Table::dense(Some(names), num_rows, columns);
        let table = table.map_err(|error| error::of_data(&error))?;
        let table = table.with_categorical(codes.iter().map(Option::is_some).collect());
        Ok(Self(match codes.iter().any(Option::is_some) {
            true => TableCells::Coded(table, codes),
            false => TableCells::Table(table, None),
        }))
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
        let rows = SparseRows::from_compressed(&starts, &columns, &values.to_vec(py)?);
        let rows = rows.map_err(|error| error::of_data(&error))?;
        Ok(Self(TableCells::Table(treeproof_data::Table::sparse(rows), Some(num_columns))))
    }

    /// The number of rows.
    fn num_rows(&self) -> usize {
        match &self.0 {
            TableCells::Matrix(numbers) | TableCells::Read(numbers, _) => numbers.shape()[0],
            TableCells::Table(table, _) | TableCells::Coded(table, _) => table.num_rows(),
        }
    }
}

impl PyTable {
    /// The rows as a model reads them, with the labels of a column if one is named.
    pub(crate) fn rows(&self, model: &Ensemble, options: &RowOptions) -> Result<Labelled, DataError> {
        match &self.0 {
            TableCells::Matrix(numbers) => {
                if let Some(name) = &options.label {
                    return Err(DataError::NoLabel { name: name.clone(), hint: String::new() });
                }
                let (values, num_columns) = values(numbers)?;
                Ok(Labelled { rows: Rows::from_matrix(values, num_columns, model, options.categories)?, labels: None })
            }
            TableCells::Read(numbers, start) => {
                let (values, num_columns) = values(numbers)?;
                Ok(Labelled { rows: Rows::read_before(values, num_columns, *start, model)?, labels: None })
            }
            TableCells::Coded(table, codes) => Labelled::of_table(&by_codes(table, codes, model), model, options),
            TableCells::Table(table, num_columns) => {
                let features = model.features().len();
                if let Some(columns) = num_columns.filter(|columns| *columns != features) {
                    return Err(DataError::Width { columns, features, hint: String::new() });
                }
                let mut options = options.clone();
                // Of what is at hand, places are counted from 0; of a file, whoever wrote it knows.
                options.index_base = num_columns.map(|_| IndexBase::Zero);
                Labelled::of_table(table, model, &options)
            }
        }
    }
}

/// The numbers of a matrix row after row, and how many a row has.
fn values(numbers: &PyBuffer<f64>) -> Result<(Vec<f64>, usize), DataError> {
    let [num_rows, num_columns] = [0, 1].map(|axis| numbers.shape()[axis]);
    let values = Python::attach(|py| numbers.to_vec(py));
    Ok((values.map_err(|_| DataError::TooLarge { rows: num_rows, features: num_columns })?, num_columns))
}

/// The same table, with codes in the columns whose categories have no names in the model: there the library takes a frame's own.
fn by_codes<'t>(
    table: &'t treeproof_data::Table,
    codes: &[Option<Vec<f64>>],
    model: &Ensemble,
) -> Cow<'t, treeproof_data::Table> {
    let names = table.names().unwrap_or_default();
    let is_nameless = |place: usize| {
        let feature = model.features().iter().find(|feature| feature.name == names[place]);
        let feature = feature.or_else(|| model.features().get(place));
        feature.is_some_and(|feature| match &feature.kind {
            FeatureKind::Category(categories) => categories.names.is_empty(),
            FeatureKind::Numeric => false,
        })
    };
    let own = |place: usize| codes[place].clone().filter(|_| is_nameless(place)).map(Column::Numbers);
    let own: Vec<Option<Column>> = (0..codes.len()).map(own).collect();
    if own.iter().all(Option::is_none) {
        return Cow::Borrowed(table);
    }
    let categorical = own.iter().enumerate().map(|(place, own)| own.is_none() && table.is_categorical(place)).collect();
    let columns = own.into_iter().zip(table.columns()).map(|(own, column)| own.unwrap_or_else(|| column.clone()));
    let rebuilt = treeproof_data::Table::dense(Some(names.to_vec()), table.num_rows(), columns.collect());
    rebuilt.map_or(Cow::Borrowed(table), |rebuilt| Cow::Owned(rebuilt.with_categorical(categorical)))
}
