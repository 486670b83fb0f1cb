//! The loader of a pipeline with its model, documented in `docs/format.md`: the model is pulled back to the input columns.

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde::Deserialize;

use super::{LoadOptions, bytes, detect, load_model, own};
use crate::ensemble::Ensemble;
use crate::error::LoadError;
use crate::label::ClassName;
use crate::pipeline_pullback::pull_back;
use crate::pipeline_pullback::step::{InputColumns, PipelineStep};

/// The only supported version.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PipelineDocument {
    treeproof_pipeline: u32,
    columns: InputColumns,
    steps: Vec<PipelineStep>,
    /// The model in treeproof's own format.
    model: Option<own::OwnDocument>,
    /// Or the file of another library.
    file: Option<String>,
    /// A number that means missing to the model, not recorded in its file.
    missing_value: Option<f64>,
    /// The classes, if the model's file does not name them.
    classes: Option<Vec<ClassName>>,
}

pub(super) fn load(content: &[u8], options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let document: PipelineDocument = serde_json::from_slice(content).map_err(|error| own::syntax_error(&error))?;
    if document.treeproof_pipeline != VERSION {
        let what = format!("version {} is not {VERSION}; a newer treeproof may read it", document.treeproof_pipeline);
        return Err(LoadError::unsupported("treeproof_pipeline", what));
    }
    let mut options = options.clone();
    options.missing_value = options.missing_value.or(document.missing_value);
    let model = match (document.model, document.file) {
        (Some(model), None) => own::ensemble(model, &options),
        (None, Some(file)) => load_file(&file, &options),
        _ => return Err(LoadError::malformed("", "exactly one of model and file must be given")),
    };
    let mut model = model.map_err(|error| error.within("model"))?;
    if let Some(classes) = document.classes {
        if classes.len() != model.classes.len() {
            let what = format!("{} names for {} classes", classes.len(), model.classes.len());
            return Err(LoadError::malformed("classes", what));
        }
        model.classes = classes;
    }
    pull_back(&model, &document.columns, &document.steps)
}

fn load_file(text: &str, options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let content = BASE64_STANDARD.decode(text).map_err(|_| LoadError::malformed("file", "the text is not base64"))?;
    let content = bytes::decompress(&content)?;
    load_model(&content, detect::format(&content)?, options)
}
