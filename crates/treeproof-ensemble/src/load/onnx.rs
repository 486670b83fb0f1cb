//! Placeholder until the loader is written.
use super::LoadOptions;
use crate::ensemble::Ensemble;
use crate::error::LoadError;
pub(super) fn load(_content: &[u8], _options: &LoadOptions) -> Result<Ensemble, LoadError> {
    Err(LoadError::unsupported("", "not yet"))
}
