//! Questions: from tasks in JSON to reports in JSON.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufReader, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use pyo3::prelude::*;
use treeproof::Predicate;
use treeproof::audit::{Audit, AuditReport, read as read_audit};
use treeproof::sources::{self, Folder, InputFiles, Sources, files_of, files_of_general};
use treeproof::task::{Query, TaskFile};
use treeproof_checker::verify::verify;
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::load::LoadOptions;
use treeproof_proof::model_file::ModelFile;

use crate::error;
use crate::json::json;
use crate::model::PyModel;
use crate::outputs::open_proof;
use crate::predicate::Functions;
use crate::sources::Objects;
use crate::table::{GivenColumn, PyTable};
use crate::waiting::wait;
use crate::watch::SearchWatch;

/// A report, how its bounds improved, and what was guessed about rows; the first two as JSON.
type Answered = (String, String, Vec<String>);

/// The report of an audit as JSON, what was guessed about rows, and the files that it is about.
type Audited = (String, Vec<String>, Vec<PathBuf>);

/// What models are called in a task.
const MODELS: [&str; 2] = ["the model", "the other model"];

/// Answers a task, of either form. `models` stand for those that it names, in order; `tables` for files of these names. The names
/// of other files are relative to that of `file`.
#[pyfunction]
#[pyo3(signature = (task, models, tables, labels=None, file=None, proof=None, progress=None, functions=vec![], force=false))]
#[expect(clippy::too_many_arguments, reason = "each is one of the package's own")]
pub(crate) fn ask(
    py: Python<'_>,
    task: &str,
    models: Vec<Bound<'_, PyModel>>,
    tables: HashMap<PathBuf, Bound<'_, PyTable>>,
    labels: Option<GivenColumn<'_>>,
    file: Option<PathBuf>,
    proof: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    functions: Vec<Py<PyAny>>,
    force: bool,
) -> PyResult<Answered> {
    let located = |what: String| match &file {
        Some(file) => error::of_text(&format!("{}: {what}", file.display())),
        None => error::of_arguments(&what),
    };
    let mut task = TaskFile::read(task).map_err(located)?;
    if let Some(file) = &file {
        locate(&mut task, &Folder::of(file));
    }
    if models.len() > MODELS.len() {
        return Err(error::of_text("at most two models are asked about at once"));
    }
    let names = || MODELS.iter().take(models.len()).map(PathBuf::from);
    let named = match &mut task {
        TaskFile::Named(task) => task.set_models(names()),
        TaskFile::General(task) => task.set_models(names()),
    };
    named.map_err(|error| error::of_task(&error))?;
    let labels = labels.map(|labels| PyResult::Ok((PathBuf::from("data"), labels.read(py)?))).transpose()?;
    let objects = Objects {
        models: names().zip(&models).map(|(name, model)| (name, Arc::clone(&model.get().ensemble))).collect(),
        tables: tables.iter().map(|(name, table)| (name.clone(), table.get())).collect(),
        labels,
        ..Objects::default()
    };
    let question = task.name();
    let is_single = task.limits().threads() == 1;
    let stated = stated(py, proof.is_some(), &models)?;
    let proof = {
        // What is at hand has a name, but no file of that name.
        let named = named_by(&task).into_iter().filter(|name| !objects.has(name));
        let own = models.iter().map(|model| Path::new(&model.get().name)).chain(file.as_deref());
        open_proof(proof.as_deref(), named.chain(own), force)?
    };
    let watch = SearchWatch::proving(proof, question, stated)?;
    let watch = Arc::new(watch);
    let functions = match models.first() {
        _ if functions.is_empty() => None,
        Some(model) => Some(Functions::new(functions, Arc::clone(&model.get().ensemble), Arc::clone(&watch))),
        None => return Err(error::of_text("where: a function needs the model itself, not only its name")),
    };
    let functions = functions.map(Arc::new);
    let predicate = functions.clone().map(|functions| functions as Arc<dyn Predicate>);
    let query = py.detach(|| ready(task, predicate, &objects))?;
    let watcher = Arc::clone(&watch);
    let report = wait(py, &watch, progress, is_single, move || query.run_with(&*watcher))?;
    if let Some(raised) = functions.and_then(|functions| functions.raised()) {
        return Err(raised);
    }
    let report = report.map_err(|error| error::of_task(&error))?;
    watch.finish()?;
    let notes = objects.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((json(&report)?, json(&watch.trace())?, notes))
}

/// The files that a task names, and its own.
#[pyfunction]
#[pyo3(signature = (task, file=None))]
pub(crate) fn files_of_task(task: &str, file: Option<PathBuf>) -> PyResult<Vec<PathBuf>> {
    let mut task = TaskFile::read(task).map_err(|what| error::of_arguments(&what))?;
    if let Some(file) = &file {
        locate(&mut task, &Folder::of(file));
    }
    Ok(named_by(&task).into_iter().chain(file.as_deref()).map(Path::to_owned).collect())
}

fn named_by(task: &TaskFile) -> Vec<&Path> {
    match task {
        TaskFile::Named(task) => files_of(task).collect(),
        TaskFile::General(task) => files_of_general(task).collect(),
    }
}

fn locate(task: &mut TaskFile, folder: &Folder) {
    match task {
        TaskFile::Named(task) => folder.locate_all(task),
        TaskFile::General(task) => folder.locate_all_of(task),
    }
}

/// The files that a proof is about. Only bytes that are at hand can be shown to be the same again.
pub(crate) fn stated(py: Python<'_>, is_proved: bool, models: &[Bound<'_, PyModel>]) -> PyResult<Vec<ModelFile>> {
    match is_proved {
        false => Ok(vec![]),
        true if models.is_empty() => Err(error::of_text("proof: give the models themselves, not only their names")),
        true => Ok(models.iter().map(|model| model.get().file(py)).collect()),
    }
}

/// The same for an audit, whose models are files, but for the one that may be given.
fn stated_by(
    py: Python<'_>,
    audit: &Audit,
    files: &InputFiles,
    model: Option<&Bound<'_, PyModel>>,
) -> PyResult<Vec<ModelFile>> {
    let file = |path: &Path| {
        if let Some(model) = model.filter(|_| *path == audit.defaults.model) {
            return Ok(model.get().file(py));
        }
        let stated = files.stated(path, path.display().to_string(), &audit.defaults.reading);
        stated.map_err(|error| error::of_model(&error))
    };
    audit.models().into_iter().map(file).collect()
}

/// Reads all that a task names.
fn ready(mut task: TaskFile, predicate: Option<Arc<dyn Predicate>>, sources: &dyn Sources) -> PyResult<Query> {
    match &mut task {
        TaskFile::Named(task) => {
            task.set_defaults();
            task.validate().map_err(|error| error::of_task(&error))?;
        }
        TaskFile::General(_) if predicate.is_some() => {
            return Err(error::of_text("where: a function is for max, min, range and diff"));
        }
        TaskFile::General(task) => task.set_defaults(),
    }
    let query = sources::read(task, sources).map_err(|error| error::of_ask(&error))?;
    Ok(match predicate {
        Some(predicate) => query.given_code(predicate),
        None => query,
    })
}

/// Asks all checks of an audit, about a model if one is given instead of that of the file.
#[pyfunction]
#[pyo3(signature = (text, file, model=None, proof=None, progress=None, force=false))]
pub(crate) fn audit(
    py: Python<'_>,
    text: &str,
    file: PathBuf,
    model: Option<Bound<'_, PyModel>>,
    proof: Option<PathBuf>,
    progress: Option<Py<PyAny>>,
    force: bool,
) -> PyResult<Audited> {
    let start = Instant::now();
    let named = file.display().to_string();
    let audit = read_audit(text, &file).map_err(|what| error::of_text(&format!("{named}: {what}")))?;
    let mut models = HashMap::new();
    if let Some(model) = &model {
        models.insert(audit.defaults.model.clone(), Arc::clone(&model.get().ensemble));
    }
    let objects = Objects { models, ..Objects::default() };
    let models = audit.models().into_iter();
    let inputs = models.chain(audit.checks.iter().flat_map(|(_, task)| files_of(task))).chain([file.as_path()]);
    let own = model.iter().map(|model| Path::new(&model.get().name));
    let inputs: Vec<PathBuf> = inputs.chain(own).map(Path::to_owned).collect();
    let proof = open_proof(proof.as_deref(), inputs.iter().map(PathBuf::as_path), force)?;
    let queries = py.detach(|| {
        let ensemble =
            objects.model(&audit.defaults.model, &audit.defaults.reading).map_err(|error| error::of_ask(&error))?;
        let mut queries = vec![];
        // Everything that can be wrong is found before the first search.
        for (check, task) in &audit.checks {
            let wrong = |what: String| error::of_text(&format!("{named}: check `{}`: {what}", check.name));
            check.validate_for(task, &ensemble).map_err(|error| wrong(error.to_string()))?;
            let query = sources::read_for(Arc::clone(&ensemble), task.clone(), &objects);
            queries.push(query.map_err(|error| wrong(error.to_string()))?);
        }
        PyResult::Ok(queries)
    })?;
    let files = match proof.is_some() {
        true => stated_by(py, &audit, &objects.files, model.as_ref())?,
        false => vec![],
    };
    let watch = Arc::new(SearchWatch::proving(proof, "audit", files)?);
    let watcher = Arc::clone(&watch);
    let checks = wait(py, &watch, progress, false, move || {
        let ask = |(place, query)| audit.ask(place, query, &*watcher, watcher.is_stopped());
        queries.iter().enumerate().map(ask).collect::<Result<Vec<_>, _>>()
    })?;
    let checks = checks.map_err(|error| error::of_task(&error))?;
    watch.finish()?;
    let notes = objects.notes.into_inner().unwrap_or_else(PoisonError::into_inner);
    Ok((json(&AuditReport::new(checks, start.elapsed().as_secs_f64()))?, notes, inputs))
}

/// Checks a proof about models.
#[pyfunction]
pub(crate) fn check(py: Python<'_>, proof: PathBuf, models: Vec<Bound<'_, PyModel>>) -> PyResult<String> {
    let file = File::open(&proof).map_err(|error| {
        let is_missing = error.kind() == ErrorKind::NotFound;
        let what = if is_missing { "no such file".to_owned() } else { error.to_string() };
        error::of_proof(&format!("{}: {what}", proof.display()))
    })?;
    let files: Vec<ModelFile> = models.iter().map(|model| model.get().file(py)).collect();
    let models: Vec<(Arc<Ensemble>, LoadOptions)> =
        models.iter().map(|model| (Arc::clone(&model.get().ensemble), model.get().options.clone())).collect();
    let load = move |place: usize, stated: &LoadOptions| {
        let (ensemble, mut options) = models[place].clone();
        // Names of classes change nothing that is proved.
        options.class_names.clear();
        if options != *stated {
            return Err("the proof is about another reading of the model: load it as it was when the proof was made");
        }
        Ok((*ensemble).clone())
    };
    let watch = Arc::new(SearchWatch::default());
    let verify = move || verify(BufReader::with_capacity(1 << 16, file), &files, load);
    let verification = wait(py, &watch, None, false, verify)?;
    json(&verification.map_err(|wrong| error::of_proof(&wrong))?)
}
