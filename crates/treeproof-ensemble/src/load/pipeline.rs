//! The steps of a pipeline with its model, documented in `docs/format.md`: the model is carried over to the pipeline's columns.

use serde::Deserialize;

use super::{LoadOptions, base64, bytes, detect, load_model, own};
use crate::builder::EnsembleBuilder;
use crate::carry::carry;
use crate::carry::step::{InputColumns, Step};
use crate::ensemble::Ensemble;
use crate::error::LoadError;
use crate::label::ClassName;

/// The only version that is read.
const VERSION: u32 = 1;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    treeproof_pipeline: u32,
    columns: InputColumns,
    steps: Vec<Step>,
    /// The model in treeproof's own format.
    #[serde(default)]
    model: Option<own::Document>,
    /// Or the file of another library.
    #[serde(default)]
    file: Option<String>,
    /// A number that means "missing" to the model, which its file does not say.
    #[serde(default)]
    missing_value: Option<f64>,
    /// The classes, where the model's file does not name them.
    #[serde(default)]
    classes: Option<Vec<ClassName>>,
}

pub(super) fn load(content: &[u8], options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let document: Document = serde_json::from_slice(content).map_err(|error| own::syntax_error(&error))?;
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
        model = with_classes(model, classes)?;
    }
    carry(&model, &document.columns, &document.steps)
}

fn load_file(text: &str, options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let content = base64::decode(text).ok_or_else(|| LoadError::malformed("file", "the text is not base64"))?;
    let content = bytes::decompress(&content)?;
    load_model(&content, detect::format(&content)?, options)
}

fn with_classes(model: Ensemble, classes: Vec<ClassName>) -> Result<Ensemble, LoadError> {
    if classes.len() != model.classes.len() {
        let what = format!("{} names for {} classes", classes.len(), model.classes.len());
        return Err(LoadError::malformed("classes", what));
    }
    EnsembleBuilder {
        source: model.source,
        features: model.features,
        input: model.input,
        num_outputs: model.num_accumulators,
        aggregate: model.aggregate,
        link: model.link,
        label: model.label,
        classes,
        trees: model.trees,
    }
    .finish()
}
