//! Files that are asked about, each read once: what is hashed is what was loaded.

use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use treeproof_data::{ReadError, Table};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::LoadError;
use treeproof_ensemble::load::{load_bytes, read_path};
use treeproof_proof::model_file::{ModelFile, digest};

use crate::task::Reading;

/// The model files and tables of one command.
#[derive(Debug, Default)]
pub struct InputFiles {
    models: Mutex<Vec<ReadModel>>,
    /// The last one: rows, scale and domain are often the same file, and more would take memory that nobody needs.
    table: Mutex<Option<(PathBuf, Arc<Table>)>>,
}

/// A model with the digest of the bytes from which it was loaded.
#[derive(Debug)]
struct ReadModel {
    path: PathBuf,
    reading: Reading,
    ensemble: Arc<Ensemble>,
    sha256: String,
}

impl InputFiles {
    /// The model in a file, from the same bytes whenever it is asked for.
    ///
    /// # Errors
    /// If there is none.
    pub fn model(&self, path: &Path, reading: &Reading) -> Result<Arc<Ensemble>, LoadError> {
        let mut models = held(&self.models);
        if let Some(read) = models.iter().find(|read| read.path == path && read.reading == *reading) {
            return Ok(Arc::clone(&read.ensemble));
        }
        let content = read_path(path)?;
        let ensemble = load_bytes(&content, &reading.options()).map_err(|mut error| {
            error.file = Some(path.to_owned());
            error
        })?;
        let (ensemble, sha256) = (Arc::new(ensemble), digest(&content));
        let (path, reading) = (path.to_owned(), reading.clone());
        models.push(ReadModel { path, reading, ensemble: Arc::clone(&ensemble), sha256 });
        Ok(ensemble)
    }

    /// The digest of the bytes from which a model was loaded, if it was.
    pub fn sha256(&self, path: &Path) -> Option<String> {
        held(&self.models).iter().find(|read| read.path == path).map(|read| read.sha256.clone())
    }

    /// A model file that a proof is about, under a name for people.
    ///
    /// # Errors
    /// If it was not loaded, and cannot be.
    pub fn stated(&self, path: &Path, name: String, reading: &Reading) -> Result<ModelFile, LoadError> {
        self.model(path, reading)?;
        let sha256 = self.sha256(path).unwrap_or_default();
        Ok(ModelFile { name, sha256, options: (&reading.options()).into() })
    }

    /// The table in a file; not read again if it was the last one.
    ///
    /// # Errors
    /// If there is none.
    pub fn table(&self, path: &Path) -> Result<Arc<Table>, ReadError> {
        let mut last = held(&self.table);
        if let Some((_, table)) = last.as_ref().filter(|(of, _)| of == path) {
            return Ok(Arc::clone(table));
        }
        // Before the next one takes memory.
        *last = None;
        let table = Arc::new(treeproof_data::read(path)?);
        *last = Some((path.to_owned(), Arc::clone(&table)));
        Ok(table)
    }

    /// Forgets the table, whose rows are read by now.
    pub fn forget_table(&self) {
        *held(&self.table) = None;
    }
}

fn held<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    // What is held is whole at every moment.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
