//! Who is told while a search runs: what is asked of it from Python, and what Python is told.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use pyo3::prelude::*;
use treeproof::outputs::{ProofFile, Replacement};
use treeproof::watch::{Event, Watcher};
use treeproof_proof::model_file::{ModelFile, Preamble};
use treeproof_proof::writer::ProofWriter;

use crate::error;

/// Watches a search for the thread that waits for it.
#[derive(Default)]
pub(crate) struct SearchWatch {
    is_stopped: AtomicBool,
    latest: Mutex<Option<Event>>,
    /// Whenever a bound improved or a row was answered.
    trace: Mutex<Vec<Event>>,
    proof: Option<(Mutex<ProofFile>, ProofWriter)>,
    /// Who looks after Python where nobody waits for the search, as it runs in Python's own thread.
    pulse: OnceLock<Pulse>,
}

/// Is called now and then in Python's own thread.
pub(crate) type Pulse = Box<dyn Fn() + Send + Sync>;

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is held are numbers, whole at every moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SearchWatch {
    /// Lets a proof of the answer be written to a file.
    pub(crate) fn proving(file: Option<Replacement>, question: &str, models: Vec<ModelFile>) -> PyResult<Self> {
        let Some(file) = file else { return Ok(Self::default()) };
        let path = file.path().to_owned();
        let preamble = Preamble { question: question.to_owned(), models };
        let file = ProofFile::begin(file, &preamble).map_err(|error| unwritten(&path, &error))?;
        let writer = file.writer().clone();
        Ok(Self { proof: Some((Mutex::new(file), writer)), ..Self::default() })
    }

    /// Lets somebody look after Python while the search runs in its thread.
    pub(crate) fn set_pulse(&self, pulse: Pulse) {
        // A search is begun once.
        let _ = self.pulse.set(pulse);
    }

    /// Ends the search.
    pub(crate) fn stop(&self) {
        self.is_stopped.store(true, Ordering::Relaxed);
    }

    pub(crate) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// What was told last, if it was not taken yet.
    pub(crate) fn latest(&self) -> Option<Event> {
        held(&self.latest).take()
    }

    /// How bounds improved.
    pub(crate) fn trace(&self) -> Vec<Event> {
        std::mem::take(&mut *held(&self.trace))
    }

    /// Seals the proof.
    pub(crate) fn finish(&self) -> PyResult<()> {
        let Some((file, _)) = &self.proof else { return Ok(()) };
        let mut file = held(file);
        file.finish().map_err(|error| unwritten(file.path(), &error))
    }
}

/// A proof that cannot be written.
pub(crate) fn unwritten(path: &Path, error: &std::io::Error) -> PyErr {
    let is_nowhere = error.kind() == std::io::ErrorKind::NotFound;
    let what = if is_nowhere { "there is no such folder".to_owned() } else { error.to_string() };
    error::of_proof(&format!("{}: {what}", path.display()))
}

impl Watcher for SearchWatch {
    fn watch(&self, event: &Event) -> bool {
        if event.is_better {
            held(&self.trace).push(*event);
        }
        *held(&self.latest) = Some(*event);
        if let Some(pulse) = self.pulse.get() {
            pulse();
        }
        !self.is_stopped()
    }

    fn is_interrupted(&self) -> bool {
        if let Some(pulse) = self.pulse.get() {
            pulse();
        }
        self.is_stopped()
    }

    fn proof(&self) -> Option<&ProofWriter> {
        self.proof.as_ref().map(|(_, writer)| writer)
    }
}
