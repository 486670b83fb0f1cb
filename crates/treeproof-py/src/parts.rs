//! Rows that are asked about in parts, somewhere else: read here once, and summed up here, with one proof of all parts.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use serde::Deserialize;
use treeproof::outputs::ProofFile;
use treeproof::report::{RowFacts, RowsQuestion, together};
use treeproof::rows::{Labelled, RowOptions, TrueLabel};
use treeproof::sources::Sources;
use treeproof_proof::model_file::Preamble;
use treeproof_proof::reader::ProofReader;

use crate::ask::stated;
use crate::error;
use crate::json::json;
use crate::model::PyModel;
use crate::outputs::open_proof;
use crate::sources::Objects;
use crate::table::{GivenColumn, PyTable};
use crate::watch::unwritten;

/// Rows as a model reads them, as the bytes of f64 numbers; the class of each, where labels are given; and the notes.
type Read<'py> = (Bound<'py, PyByteArray>, Option<Vec<Option<String>>>, Vec<String>);

/// Reads rows, or those of the file of this name. Labels are given, or in a column that is named.
#[pyfunction]
#[pyo3(signature = (model, name, table=None, labels=None, label=None))]
pub(crate) fn read_rows<'py>(
    py: Python<'py>,
    model: &PyModel,
    name: PathBuf,
    table: Option<Bound<'_, PyTable>>,
    labels: Option<GivenColumn<'_>>,
    label: Option<&str>,
) -> PyResult<Read<'py>> {
    let options = RowOptions::labelled(label).with_categories(model.categories);
    let objects = Objects {
        tables: table.iter().map(|table| (name.clone(), table.get())).collect(),
        labels: labels.map(|labels| PyResult::Ok((name.clone(), labels.read(py)?))).transpose()?,
        ..Objects::default()
    };
    let read = py.detach(|| objects.data(&name, &model.ensemble, &options));
    let Labelled { rows, labels } = read.map_err(|error| error::of_ask(&error))?;
    let bytes: Vec<u8> = rows.values().iter().flat_map(|number| number.to_ne_bytes()).collect();
    let called = |labels: Vec<TrueLabel>| labels.iter().map(TrueLabel::text).collect();
    let notes = objects.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((PyByteArray::new(py, &bytes), labels.map(called), notes))
}

/// What was found about rows, as far as it counts: the JSON of reports has more.
#[derive(Deserialize)]
struct RowsFound {
    question: RowsQuestion,
    rows: Vec<RowFacts>,
    num_rows: usize,
    is_about_labels: bool,
    seconds: f64,
}

/// The verdict and the summary of rows whose answers are known, as JSON.
#[pyfunction]
pub(crate) fn sum_up(found: &str) -> PyResult<String> {
    let found: RowsFound = serde_json::from_str(found).map_err(|error| error::internal(&error.to_string()))?;
    json(&together(found.question, &found.rows, found.num_rows, found.is_about_labels, found.seconds))
}

/// The proof of an answer whose parts have proofs of their own. A bad path fails at once; the file appears when it is whole.
#[pyclass(frozen, name = "Proof", module = "treeproof._native")]
pub(crate) struct PyProof {
    file: Mutex<ProofFile>,
}

#[pymethods]
impl PyProof {
    #[new]
    fn new(
        py: Python<'_>,
        path: PathBuf,
        question: &str,
        models: Vec<Bound<'_, PyModel>>,
        inputs: Vec<PathBuf>,
        force: bool,
    ) -> PyResult<Self> {
        let stated = stated(py, true, &models)?;
        let names = models.iter().map(|model| Path::new(&model.get().name));
        let file = open_proof(Some(&path), names.chain(inputs.iter().map(PathBuf::as_path)), force)?;
        let preamble = Preamble { question: question.to_owned(), models: stated };
        let begin = |file| ProofFile::begin(file, &preamble);
        let file = file.ok_or_else(|| error::internal("a proof without a file")).map(begin)?;
        Ok(Self { file: Mutex::new(file.map_err(|error| unwritten(&path, &error))?) })
    }

    /// Adds the proof of a part.
    fn add(&self, py: Python<'_>, part: &[u8]) -> PyResult<()> {
        let append = |file: &mut ProofFile| file.writer().append(&mut ProofReader::new(Cursor::new(part))?);
        py.detach(|| self.change(append))
    }

    /// Ends it.
    fn finish(&self, py: Python<'_>) -> PyResult<()> {
        py.detach(|| self.change(ProofFile::finish))
    }
}

impl PyProof {
    fn change(&self, by: impl FnOnce(&mut ProofFile) -> std::io::Result<()>) -> PyResult<()> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        by(&mut file).map_err(|error| unwritten(file.path(), &error))
    }
}
