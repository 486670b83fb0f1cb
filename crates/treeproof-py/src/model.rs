//! A model at hand: what was read, and the bytes that it was read from.

use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyByteArray, PyBytes};
use serde::Deserialize;
use treeproof::inspect::{inspect, model_facts};
use treeproof::rows::{CategoryCells, RowOptions, Rows};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::label::ClassName;
use treeproof_ensemble::load::{Api, DumpFacts, LoadOptions, STOPS_EARLY, load_bytes, to_json};
use treeproof_ensemble::predict::{BadRow, Predictor};
use treeproof_language::Groups;
use treeproof_language::families::{self, Family};
use treeproof_proof::model_file::{ModelFile, digest};
use treeproof_report::ModelFacts;

use crate::error;
use crate::json::json;
use crate::table::PyTable;
use crate::waiting::wait_or_abandon;

/// Files of so many bytes take long enough to read for somebody to press Ctrl-C meanwhile.
const LARGE: usize = 1 << 20;

/// A model and the bytes that it was read from.
#[pyclass(frozen, name = "Model", module = "treeproof._native")]
pub(crate) struct PyModel {
    pub(crate) ensemble: Arc<Ensemble>,
    content: Py<PyBytes>,
    /// How it was read.
    pub(crate) options: LoadOptions,
    /// Meaning of cells in its categorical columns.
    pub(crate) categories: CategoryCells,
    /// What the file is called, for people.
    pub(crate) name: String,
}

/// How a model is read, as Python says it.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct Options {
    api: Option<String>,
    /// As text, since JSON has no infinity.
    missing_value: Option<String>,
    base_margin: Vec<f64>,
    classes: Option<usize>,
    catboost_json_reader: bool,
    class_names: Vec<ClassName>,
    categories: Option<String>,
}

impl Options {
    fn read(text: &str) -> PyResult<(LoadOptions, CategoryCells)> {
        let own: Self = serde_json::from_str(text).map_err(|error| error::of_model(&error))?;
        let mut options = LoadOptions::default();
        options.api = match own.api.as_deref() {
            None | Some("sklearn") => Api::Sklearn,
            Some("booster") => Api::Booster,
            Some(other) => return Err(error::of_model(&format!("api is sklearn or booster, not `{other}`"))),
        };
        if own.classes.is_some() == own.base_margin.is_empty() {
            return Err(error::of_model(&"base_margin and classes are given together, for a dump of XGBoost"));
        }
        let number = |text: String| {
            text.parse().map_err(|_| error::of_model(&format!("missing_value is a number, not `{text}`")))
        };
        options.missing_value = own.missing_value.map(number).transpose()?;
        options.dump = own.classes.map(|classes| DumpFacts { base_margin: own.base_margin, classes });
        options.catboost_json_reader = own.catboost_json_reader;
        options.class_names = own.class_names;
        let categories = match own.categories.as_deref() {
            None | Some("typed") => CategoryCells::Typed,
            Some("text") => CategoryCells::Text,
            Some("codes") => CategoryCells::Codes,
            Some(other) => {
                return Err(error::of_model(&format!("categories is typed, text or codes, not `{other}`")));
            }
        };
        Ok((options, categories))
    }
}

#[pymethods]
impl PyModel {
    /// Reads a model from the bytes of a file. Errors name the file, if it has a name.
    #[new]
    fn new(py: Python<'_>, content: Py<PyBytes>, name: String, options: &str) -> PyResult<Self> {
        let (options, categories) = Options::read(options)?;
        let (bytes, given) = (PyBackedBytes::from(content.bind(py).clone()), options.clone());
        let is_large = bytes.len() >= LARGE;
        let load = move || load_bytes(&bytes, &given);
        let ensemble = if is_large { wait_or_abandon(py, load)? } else { py.detach(load) }.map_err(|mut error| {
            error.file = (!name.is_empty()).then(|| name.clone().into());
            error::of_model(&error)
        })?;
        if let Some(what) = options.ignored_by(&ensemble) {
            return Err(error::of_model(&what));
        }
        Ok(Self { ensemble: Arc::new(ensemble), content, options, categories, name })
    }

    /// The bytes that it was read from.
    #[getter]
    fn content(&self, py: Python<'_>) -> Py<PyBytes> {
        self.content.clone_ref(py)
    }

    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// Meaning of cells in its categorical columns.
    #[getter]
    fn categories(&self) -> &'static str {
        match self.categories {
            CategoryCells::Typed => "typed",
            CategoryCells::Text => "text",
            CategoryCells::Codes => "codes",
        }
    }

    /// The names of the features.
    #[getter]
    fn features(&self) -> Vec<&str> {
        self.ensemble.features().iter().map(|feature| feature.name.as_str()).collect()
    }

    /// The facts about it, as JSON.
    fn inspect(&self) -> PyResult<String> {
        json(&inspect(&self.ensemble))
    }

    /// The classes, as JSON.
    fn classes(&self) -> PyResult<String> {
        json(&self.ensemble.classes())
    }

    /// The note that its last trees are not used, where the file has two readings.
    fn stops_early(&self) -> Option<&str> {
        let mut notes = self.ensemble.source().notes.iter();
        notes.find(|note| note.starts_with(STOPS_EARLY)).map(String::as_str)
    }

    /// A word about columns that look like one feature and are in no group.
    fn hint(&self) -> Option<String> {
        families::hint(&families::families(&self.ensemble, &Groups::NONE, std::iter::empty), groups_argument)
    }

    /// The same model in treeproof's own JSON.
    fn to_json(&self, py: Python<'_>) -> String {
        py.detach(|| to_json(&self.ensemble))
    }

    /// Margins, outputs and places of classes, row after row, as the bytes of f64 and i64 numbers, and the notes of the rows.
    #[expect(clippy::type_complexity, reason = "four plain things at the border")]
    fn predict<'py>(
        &self,
        py: Python<'py>,
        table: &PyTable,
        threads: usize,
    ) -> PyResult<(Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Bound<'py, PyByteArray>, Vec<String>)> {
        let (rows, prediction) = py.detach(|| {
            let rows = self.rows(table)?;
            let predict = || Predictor::new(&self.ensemble).predict(rows.values()).map_err(|bad| refusal(&bad));
            let prediction = on_threads(threads, predict)?;
            PyResult::Ok((rows, prediction))
        })?;
        let classes: Vec<u8> = prediction.classes.iter().flat_map(|class| (*class as i64).to_ne_bytes()).collect();
        let bytes = |numbers: &[f64]| numbers.iter().flat_map(|number| number.to_ne_bytes()).collect::<Vec<u8>>();
        let notes = rows.notes().iter().map(|note| error::worded(note)).collect();
        Ok((
            PyByteArray::new(py, &bytes(&prediction.margins)),
            PyByteArray::new(py, &bytes(&prediction.outputs)),
            PyByteArray::new(py, &classes),
            notes,
        ))
    }

    /// The reason why outputs are unknown, if they are.
    fn why_no_outputs(&self) -> Option<String> {
        self.ensemble.why_no_outputs()
    }

    /// The number of the leaf that each row reaches in each tree, as the bytes of u32 numbers.
    fn leaves<'py>(&self, py: Python<'py>, table: &PyTable, threads: usize) -> PyResult<Bound<'py, PyByteArray>> {
        let leaves = py.detach(|| {
            let rows = self.rows(table)?;
            let leaves = || Predictor::new(&self.ensemble).leaf_ids(rows.values()).map_err(|bad| refusal(&bad));
            on_threads(threads, leaves)
        })?;
        let bytes: Vec<u8> = leaves.iter().flat_map(|leaf| leaf.to_ne_bytes()).collect();
        Ok(PyByteArray::new(py, &bytes))
    }
}

impl PyModel {
    /// The rows of a table as the model reads them.
    fn rows(&self, table: &PyTable) -> PyResult<Rows> {
        let options = RowOptions::default().with_categories(self.categories);
        table.rows(&self.ensemble, &options).map(|read| read.rows).map_err(|error| error::of_data(&error))
    }

    /// The facts that stand beside an answer.
    pub(crate) fn short_facts(&self, py: Python<'_>) -> ModelFacts {
        let mut facts = model_facts(&self.ensemble);
        facts.file = (!self.name.is_empty()).then(|| self.name.clone());
        facts.sha256 = Some(digest(self.content.as_bytes(py)));
        facts
    }

    /// The file that a proof is about.
    pub(crate) fn file(&self, py: Python<'_>) -> ModelFile {
        ModelFile::new(self.name.clone(), self.content.as_bytes(py), &self.options)
    }
}

fn refusal(bad: &BadRow) -> PyErr {
    error::of_data(&format!("row {}: {}", bad.row, bad.error))
}

/// A pool of its own: one that outlives the call would be dead in a process that was forked.
fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|_| error::internal("the threads could not be started"))?.install(work)
}

/// The argument that declares a family a group.
fn groups_argument(family: &Family) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let pattern = text(&family.pattern);
    let columns = match &family.left_out {
        Some(column) => format!("[{pattern}, {}]", text(&format!("!{column}"))),
        None => pattern,
    };
    format!("groups={{{}: {columns}}}", text(&family.name))
}
