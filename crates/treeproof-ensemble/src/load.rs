//! Reading model files: the format is detected by content, never by name, and every loader uses the one builder.

mod bytes;
mod catboost;
mod detect;
mod document;
mod json;
mod lightgbm;
mod onnx;
mod output_rules;
mod own;
mod pipeline;
mod ubjson;
mod xgboost;
mod xgboost_dump;

use std::path::Path;

pub use detect::Format;
pub use own::to_json;

use crate::ensemble::Ensemble;
use crate::error::LoadError;
use crate::label::ClassName;

/// The start of the note of a model whose last trees are unused, as in the library's wrapper.
pub const STOPS_EARLY: &str = "stops at the best iteration";

/// Options for facts that a file does not record.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct LoadOptions {
    /// The prediction path of the library, if it has several.
    pub api: Api,
    /// XGBoost's `missing=`: a number that means missing beside NaN.
    pub missing_value: Option<f64>,
    /// The facts missing from XGBoost's JSON dump; a dump is refused without them.
    pub dump: Option<DumpFacts>,
    /// CatBoost: compute as the library does after loading its own JSON file, whose reader rounds some leaf values
    /// wrongly, instead of as the trained model (and `.cbm`) does.
    pub catboost_json_reader: bool,
    /// The names of the classes, in the library's order, if the file only counts them. Empty: as in the file.
    pub class_names: Vec<ClassName>,
}

impl LoadOptions {
    /// A message about an option that has no effect on a loaded model.
    pub fn ignored_by(&self, ensemble: &Ensemble) -> Option<String> {
        let format = &ensemble.source().format;
        let is_number = self.missing_value.is_some_and(|value| !value.is_nan());
        match () {
            () if is_number && ensemble.input().missing_value.is_none() => Some(format!(
                "--missing-value is for XGBoost models, not for one from {format}; write NaN for it in rows"
            )),
            // Only dumps lack these facts.
            () if self.dump.is_some() && format != "XGBoost JSON dump" => {
                Some(format!("--base-margin and --classes are for XGBoost's JSON dump; {format} has its own"))
            }
            () => None,
        }
    }
}

/// The prediction path of a library that has several.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Api {
    /// The scikit-learn wrappers (`XGBClassifier`, …): stop at the best iteration, predict in place.
    #[default]
    Sklearn,
    /// The native interface (`Booster.predict`): all trees.
    Booster,
}

/// The facts missing from XGBoost's JSON dump.
#[derive(Clone, Debug, PartialEq)]
pub struct DumpFacts {
    /// The margin from which the sum starts, one per class or a single one.
    pub base_margin: Vec<f64>,
    /// The number of classes: 1 for regression, 2 for a binary classifier.
    pub classes: usize,
}

/// Loads a model from a file.
pub fn load_path(path: &Path, options: &LoadOptions) -> Result<Ensemble, LoadError> {
    load_bytes(&read_path(path)?, options).map_err(|error| named(error, path))
}

/// The bytes of a model file. A file that cannot be a model, by its first bytes, is not read to its end.
pub fn read_path(path: &Path) -> Result<Vec<u8>, LoadError> {
    bytes::read_file(path).map_err(|error| named(error, path))
}

fn named(mut error: LoadError, path: &Path) -> LoadError {
    error.file = Some(path.to_owned());
    error
}

/// Recognises a model or pipeline in treeproof's own JSON by its beginning, gzipped or not. A task is neither.
pub fn is_own(start: &[u8]) -> bool {
    detect::is_own(&bytes::start_of(start))
}

/// Loads a model from the bytes of a file, gzipped or not.
pub fn load_bytes(content: &[u8], options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let content = bytes::decompress(content)?;
    let mut ensemble = match detect::format(&content)? {
        Format::Pipeline => pipeline::load(&content, options),
        format => load_model(&content, format, options),
    }?;
    if !options.class_names.is_empty() {
        let (names, classes) = (options.class_names.len(), ensemble.classes.len());
        if names != classes {
            return Err(LoadError::malformed("class names", format!("{names} for a model of {classes} classes")));
        }
        ensemble.classes.clone_from(&options.class_names);
    }
    Ok(ensemble)
}

/// Loads a model other than a pipeline.
fn load_model(content: &[u8], format: Format, options: &LoadOptions) -> Result<Ensemble, LoadError> {
    match format {
        Format::XgboostJson => xgboost::load(|| json::Json::new(content), "XGBoost JSON", options),
        Format::XgboostUbjson => xgboost::load(|| ubjson::Ubjson::new(content), "XGBoost UBJSON", options),
        Format::XgboostDump => xgboost_dump::load(content, options),
        Format::LightgbmText => lightgbm::load(content, options),
        Format::CatboostJson => catboost::load(content, options),
        Format::Onnx => onnx::load(content, options),
        Format::TreeproofJson => own::load(content, options),
        Format::Pipeline => Err(LoadError::unsupported("", "a pipeline whose last step is a pipeline")),
    }
}
