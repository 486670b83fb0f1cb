//! Placeholder.
use super::LoadOptions;
use super::document::Document;
use crate::ensemble::Ensemble;
use crate::error::LoadError;
pub(super) fn load(_document: impl Document, _format: &str, _options: &LoadOptions) -> Result<Ensemble, LoadError> {
    Err(LoadError::unsupported("", "not yet"))
}
