//! The outer part of an XGBoost file: version, parameters, names, objective.

use super::booster::Booster;
use crate::error::LoadError;
use crate::load::document::{Document, ValueKind, shortened};

/// More features than any real model; a larger claim is damage or an attack.
const MAX_FEATURES: i64 = 1 << 21;

/// The parts of the file that matter for prediction.
#[derive(Default)]
pub(super) struct Learner {
    pub(super) version: Option<(u32, u32)>,
    pub(super) version_text: Option<String>,
    pub(super) objective: String,
    pub(super) num_features: usize,
    pub(super) num_class: i64,
    num_target: i64,
    base_score: Vec<f32>,
    pub(super) feature_names: Vec<String>,
    pub(super) feature_types: Vec<String>,
    pub(super) best_iteration: Option<usize>,
    pub(super) booster: Booster,
}

impl Learner {
    pub(super) fn read(mut document: impl Document, keep_base_weights: bool) -> Result<Self, LoadError> {
        let mut learner = Self { num_target: 1, ..Self::default() };
        learner.booster.keep_base_weights = keep_base_weights;
        let mut seen = false;
        document.object(|document, key| {
            seen |= key == "learner";
            match key {
                "learner" => learner.read_learner(document),
                "version" => learner.read_version(document),
                _ => document.skip(),
            }
        })?;
        document.finish()?;
        if !seen {
            return Err(LoadError::unrecognised("a document without a \"learner\" is no XGBoost model"));
        }
        learner.check()?;
        Ok(learner)
    }

    fn read_version(&mut self, document: &mut impl Document) -> Result<(), LoadError> {
        let numbers = document.integers()?;
        let text: Vec<String> = numbers.iter().map(i32::to_string).collect();
        self.version_text = Some(text.join("."));
        if let [major, minor, ..] = numbers[..]
            && let (Ok(major), Ok(minor)) = (u32::try_from(major), u32::try_from(minor))
        {
            self.version = Some((major, minor));
        }
        Ok(())
    }

    fn read_learner<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        document.object(|document, key| {
            match key {
                "attributes" => self.read_attributes(document)?,
                "feature_names" => self.feature_names = document.texts()?,
                "feature_types" => self.feature_types = document.texts()?,
                "gradient_booster" => self.booster.read(document)?,
                "learner_model_param" => self.read_parameters(document)?,
                "objective" => document.object(|document, key| {
                    match key {
                        "name" => self.objective = document.text()?,
                        _ => document.skip()?,
                    }
                    Ok(())
                })?,
                _ => document.skip()?,
            }
            Ok(())
        })
    }

    fn read_attributes<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        document.object(|document, key| {
            if key != "best_iteration" || document.kind()? != ValueKind::Text {
                return document.skip();
            }
            let text = document.text()?;
            let unread = |_| document.error(format!("\"{}\" is no iteration", shortened(&text)));
            self.best_iteration = Some(text.trim().parse().map_err(unread)?);
            Ok(())
        })
    }

    fn read_parameters<D: Document>(&mut self, document: &mut D) -> Result<(), LoadError> {
        document.object(|document, key| {
            match key {
                "num_feature" => {
                    let count = document.integer_in_text()?;
                    if !(0..=MAX_FEATURES).contains(&count) {
                        return Err(document.error(format!("{count} features; at most {MAX_FEATURES} are possible")));
                    }
                    self.num_features = usize::try_from(count).unwrap_or(0);
                }
                "num_class" => self.num_class = document.integer_in_text()?,
                "num_target" => self.num_target = document.integer_in_text()?,
                "base_score" => self.base_score = base_score(document)?,
                _ => document.skip()?,
            }
            Ok(())
        })
    }

    fn check(&self) -> Result<(), LoadError> {
        let refuse = |place: &str, what: String| Err(LoadError::malformed(format!("learner.{place}"), what));
        if self.objective.is_empty() {
            return refuse("objective", "there is no objective name".into());
        }
        for (place, names) in [("feature_names", &self.feature_names), ("feature_types", &self.feature_types)] {
            if !names.is_empty() && names.len() != self.num_features {
                return refuse(place, format!("{} entries for {} features", names.len(), self.num_features));
            }
        }
        Ok(())
    }

    /// The number of margins: classes or targets, at least one.
    pub(super) fn num_outputs(&self) -> Result<usize, LoadError> {
        let outputs = self.num_class.max(self.num_target).max(1);
        match usize::try_from(outputs) {
            // Every output has a tree, or a place in every leaf.
            Ok(outputs) if outputs <= self.booster.largest_num_outputs() => Ok(outputs),
            _ => {
                let what = format!("{outputs} outputs, but the trees cannot serve so many");
                Err(LoadError::malformed("learner.learner_model_param", what))
            }
        }
    }

    /// One base score per output; a single one serves all.
    pub(super) fn base_scores(&self, num_outputs: usize) -> Result<Vec<f32>, LoadError> {
        match self.base_score.len() {
            1 => Ok(vec![self.base_score[0]; num_outputs]),
            count if count == num_outputs => Ok(self.base_score.clone()),
            count => {
                let what = format!("{count} base scores for {num_outputs} outputs");
                Err(LoadError::malformed("learner.learner_model_param.base_score", what))
            }
        }
    }
}

/// `"5E-1"`, `"[5E-1,1E0]"` or plain numbers.
fn base_score(document: &mut impl Document) -> Result<Vec<f32>, LoadError> {
    match document.kind()? {
        ValueKind::Number => Ok(vec![document.float32()?]),
        ValueKind::Array => document.float32s(),
        _ => {
            let text = document.text()?;
            let inner = text.trim();
            let inner = inner.strip_prefix('[').and_then(|inner| inner.strip_suffix(']')).unwrap_or(inner);
            let scores: Result<Vec<f32>, _> = inner.split(',').map(|score| score.trim().parse()).collect();
            scores.map_err(|_| document.error(format!("\"{}\" is no base score", shortened(&text))))
        }
    }
}
