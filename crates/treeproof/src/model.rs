//! A model at hand, with the identity of its file.

use std::path::Path;
use std::sync::Arc;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::LoadError;
use treeproof_ensemble::load::{LoadOptions, load_bytes, read_path};
use treeproof_proof::model_file::ModelFile;

/// A model, with the identity of its file where it was read from one: proofs state it.
#[derive(Clone, Debug)]
pub struct Model {
    pub(crate) ensemble: Arc<Ensemble>,
    pub(crate) file: Option<ModelFile>,
}

impl Model {
    /// Reads a model file of any supported format.
    ///
    /// # Errors
    /// If there is none, or it cannot be read.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, LoadError> {
        let path = path.as_ref();
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        Self::from_bytes(&name, &read_path(path)?, &LoadOptions::default())
    }

    /// Reads the content of a model file of this name.
    ///
    /// # Errors
    /// If it cannot be read.
    pub fn from_bytes(name: &str, content: &[u8], options: &LoadOptions) -> Result<Self, LoadError> {
        let ensemble = Arc::new(load_bytes(content, options)?);
        Ok(Self { ensemble, file: Some(ModelFile::new(name, content, options)) })
    }

    /// The function that the model computes.
    pub fn ensemble(&self) -> &Arc<Ensemble> {
        &self.ensemble
    }
}

impl From<Arc<Ensemble>> for Model {
    fn from(ensemble: Arc<Ensemble>) -> Self {
        Self { ensemble, file: None }
    }
}

impl From<&Arc<Ensemble>> for Model {
    fn from(ensemble: &Arc<Ensemble>) -> Self {
        Arc::clone(ensemble).into()
    }
}

impl From<Ensemble> for Model {
    fn from(ensemble: Ensemble) -> Self {
        Arc::new(ensemble).into()
    }
}

impl From<&Self> for Model {
    fn from(model: &Self) -> Self {
        model.clone()
    }
}

impl From<&Ensemble> for Model {
    fn from(ensemble: &Ensemble) -> Self {
        ensemble.clone().into()
    }
}
