//! CatBoost's JSON (`save_model(…, format="json")`): oblivious and other trees over numbers and one-hot categories.
//!
//! The model splits categories by the hash of their string; here a category's code is the position of its string in
//! the file's list. Target statistics ("CTR"), text and embedding features cannot be represented and are refused.

mod decimal;
mod features;
mod info;
mod trees;

use super::LoadOptions;
use super::document::Document;
use super::json::Json;
use super::output_rules::OutputRules;
use crate::builder::{EnsembleBuilder, build_trees};
use crate::ensemble::{Ensemble, Source};
use crate::error::LoadError;
use crate::float::Precision;
use crate::input::InputRules;
use crate::sum::{Aggregate, BasePosition, Summation};
use features::FeaturesInfo;
use info::ModelInfo;
use trees::{FileTree, LeafOrder, ReadDecimal};

/// Loads a JSON model.
pub(super) fn load(content: &[u8], options: &LoadOptions) -> Result<Ensemble, LoadError> {
    let (decimal, order): (ReadDecimal, LeafOrder) = if options.catboost_json_reader {
        (decimal::parse, LeafOrder::Reloaded)
    } else {
        (|literal| literal.parse().ok(), LeafOrder::Trained)
    };
    let mut file = File::read(content, decimal)?;
    let num_outputs = match file.trees.first() {
        Some(tree) => tree.num_outputs().map_err(|error| error.within("tree 0"))?,
        None => return Err(LoadError::malformed("", "the model has no trees")),
    };
    // CatBoost compares in `f32` and predicts every input.
    let input = InputRules::permissive(Precision::F32);
    let trees = build_trees(file.trees, |_, tree| tree.build(&mut file.features, &input, num_outputs, order))?;
    let OutputRules { link, label, classes, mut notes } = file.info.outputs(num_outputs)?;
    if file.features.has_placeholders() {
        notes.push(
            "The file does not know the strings of some categories, which are named by their hash; \
             save the model with save_model(…, format=\"json\", pool=…)."
                .into(),
        );
    }
    if options.catboost_json_reader {
        notes.push("Leaf values are read as CatBoost reads its own JSON files, not as they were trained.".into());
    }
    let trends = file.features.trends(&file.info.monotone)?;
    EnsembleBuilder {
        source: Source {
            format: "CatBoost JSON".into(),
            version: file.info.version.take(),
            objective: file.info.loss.take(),
            notes,
            trends,
        },
        features: file.features.features()?,
        input,
        num_outputs,
        aggregate: Aggregate::Sum(file.scale_and_bias.summation(num_outputs)?),
        link,
        label,
        classes,
        trees,
    }
    .finish()
}

/// The parts of the file; they may come in any order.
struct File {
    features: FeaturesInfo,
    info: ModelInfo,
    trees: Vec<FileTree>,
    scale_and_bias: ScaleAndBias,
}

impl File {
    fn read(content: &[u8], decimal: ReadDecimal) -> Result<Self, LoadError> {
        let mut file = Self {
            features: FeaturesInfo::default(),
            info: ModelInfo::default(),
            trees: Vec::new(),
            scale_and_bias: ScaleAndBias { scale: 1.0, bias: Vec::new() },
        };
        let mut has_trees = false;
        let mut json = Json::new(content);
        json.object(|json, key| {
            match key {
                "features_info" => file.features = FeaturesInfo::read(json)?,
                "model_info" => file.info = ModelInfo::read(json)?,
                "scale_and_bias" => file.scale_and_bias = ScaleAndBias::read(json, decimal)?,
                "oblivious_trees" | "trees" => {
                    if std::mem::replace(&mut has_trees, true) {
                        return Err(json.error("the model has two lists of trees"));
                    }
                    let read = if key == "trees" { trees::read_nested } else { trees::read_oblivious };
                    file.trees = json.list(|json| read(json, decimal))?;
                }
                _ => json.skip()?,
            }
            Ok(())
        })?;
        json.finish()?;
        Ok(file)
    }
}

/// `[scale, [bias, …]]`, in old files `[scale, bias]`.
struct ScaleAndBias {
    scale: f64,
    bias: Vec<f64>,
}

impl ScaleAndBias {
    fn read(json: &mut Json<'_>, decimal: ReadDecimal) -> Result<Self, LoadError> {
        let mut read = Self { scale: 1.0, bias: Vec::new() };
        json.array(|json, index| {
            match index {
                0 => read.scale = json.literal(decimal)?,
                1 => read.bias = trees::read_values(json, decimal)?,
                _ => return Err(json.error("more than a scale and a bias")),
            }
            Ok(())
        })?;
        Ok(read)
    }

    /// From zero, all trees in order, then the scale, then the bias.
    fn summation(self, num_outputs: usize) -> Result<Summation, LoadError> {
        let base = match self.bias.len() {
            0 => vec![0.0; num_outputs],
            found if found == num_outputs => self.bias,
            found => {
                let what = format!("{found} biases for {num_outputs} outputs");
                return Err(LoadError::malformed("scale_and_bias", what));
            }
        };
        Ok(Summation {
            base_position: BasePosition::Last,
            // A scale of exactly one is not applied.
            scale: Some(self.scale).filter(|scale| scale.to_bits() != 1.0_f64.to_bits()),
            ..Summation::plain(Precision::F64, base)
        })
    }
}

#[cfg(test)]
mod tests;
