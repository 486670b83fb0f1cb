//! `model_info`: the loss, the classes and the version, and what they make of the raw values.

use super::features::optional_list;
use super::trees::ReadDecimal;
use crate::error::LoadError;
use crate::label::{ClassName, LabelRule};
use crate::link::Link;
use crate::load::document::{Document, ValueKind, shortened};
use crate::load::json::Json;
use crate::load::output_rules::OutputRules;

/// The facts about training in the file.
#[derive(Debug, Default)]
pub(super) struct ModelInfo {
    pub(super) loss: Option<String>,
    pub(super) version: Option<String>,
    class_names: Vec<ClassName>,
    /// For each margin the position of its class; classes without training rows have no margin.
    class_to_label: Vec<i64>,
    probability_threshold: Option<f64>,
    /// Signs of the features, numbered among the numbers, along which training kept the margin from falling or rising.
    pub(super) monotone: Vec<(usize, i64)>,
}

impl ModelInfo {
    /// Reads the object.
    pub(super) fn read(json: &mut Json<'_>) -> Result<Self, LoadError> {
        let mut info = Self::default();
        json.object(|json, key| {
            match key {
                "params" => nested(json, &mut |json| info.read_params(json))?,
                "class_params" | "multiclass_params" => nested(json, &mut |json| info.read_classes(json))?,
                "binclass_probability_threshold" => {
                    let correctly_rounded: ReadDecimal = |literal| literal.trim().parse().ok();
                    let threshold = match json.kind()? {
                        ValueKind::Text => correctly_rounded(&json.text()?),
                        _ => Some(json.literal(correctly_rounded)?),
                    };
                    if !threshold.is_some_and(|threshold| threshold > 0.0 && threshold < 1.0) {
                        return Err(json.error("the probability threshold is not between 0 and 1"));
                    }
                    info.probability_threshold = threshold;
                }
                "catboost_version_info" if json.kind()? == ValueKind::Text => info.version = version(&json.text()?),
                _ => json.skip()?,
            }
            Ok(())
        })?;
        Ok(info)
    }

    fn read_params(&mut self, json: &mut Json<'_>) -> Result<(), LoadError> {
        json.object(|json, key| match (key, json.kind()?) {
            ("loss_function", ValueKind::Object) => json.object(|json, key| {
                match key {
                    "type" => self.loss = Some(json.text()?),
                    _ => json.skip()?,
                }
                Ok(())
            }),
            ("tree_learner_options", ValueKind::Object) => json.object(|json, key| match (key, json.kind()?) {
                ("monotone_constraints", ValueKind::Object) => self.read_monotone(json),
                _ => json.skip(),
            }),
            _ => json.skip(),
        })
    }

    fn read_monotone(&mut self, json: &mut Json<'_>) -> Result<(), LoadError> {
        json.object(|json, key| {
            let Ok(feature) = key.parse() else {
                return Err(json.error("a monotone constraint of something that is no number of a feature"));
            };
            self.monotone.push((feature, json.literal(whole_number)?));
            Ok(())
        })
    }

    fn read_classes(&mut self, json: &mut Json<'_>) -> Result<(), LoadError> {
        json.object(|json, key| {
            match key {
                "class_names" => self.class_names.extend(optional_list(json, |json, _| class_name(json))?),
                // Older versions write these as decimals.
                "class_to_label" => {
                    self.class_to_label.extend(optional_list(json, |json, _| json.literal(whole_number))?);
                }
                _ => json.skip()?,
            }
            Ok(())
        })
    }

    /// Link, label rule and classes of the library's classifiers and regressors for `num_outputs` raw values.
    pub(super) fn outputs(&self, num_outputs: usize) -> Result<OutputRules, LoadError> {
        let one_output = |what: OutputRules| {
            if num_outputs == 1 {
                return Ok(what);
            }
            let what = format!("a loss with one output, but the leaves have {num_outputs} values");
            Err(LoadError::malformed("model_info.params.loss_function", what))
        };
        let logistic = Link::Logistic { slope: 1.0 };
        match self.loss.as_deref() {
            Some("Logloss" | "CrossEntropy" | "Focal") => {
                // The library compares the raw value with the logit of the threshold.
                let threshold = self.probability_threshold.map_or(0.0, |p| -(1.0 / p - 1.0).ln());
                let label = LabelRule::MarginAbove { threshold };
                one_output(OutputRules { link: logistic, label, classes: self.classes(2)?, notes: Vec::new() })
            }
            Some("MultiClass") => Ok(OutputRules {
                link: Link::Softmax,
                label: LabelRule::LargestMargin,
                classes: self.classes(num_outputs)?,
                notes: self.class_notes(num_outputs, Some("probabilities")),
            }),
            Some("MultiClassOneVsAll") => Ok(OutputRules {
                link: logistic,
                label: LabelRule::LargestMargin,
                classes: self.classes(num_outputs)?,
                notes: self.class_notes(num_outputs, None),
            }),
            Some("MultiLogloss" | "MultiCrossEntropy") => {
                let note = "Each output is the probability of one label; the model has no single label.";
                Ok(OutputRules { notes: vec![note.into()], ..OutputRules::without_label(logistic) })
            }
            Some("Poisson" | "Tweedie") => {
                let notes = self.class_notes(0, Some("outputs"));
                one_output(OutputRules { notes, ..OutputRules::without_label(Link::Exp) })
            }
            Some("RMSEWithUncertainty") => {
                let what = "the loss RMSEWithUncertainty, whose second output is a variance; train with RMSE";
                Err(LoadError::unsupported("model_info.params.loss_function", what))
            }
            Some(
                "RMSE"
                | "MAE"
                | "MAPE"
                | "Quantile"
                | "MultiQuantile"
                | "GroupQuantile"
                | "LogLinQuantile"
                | "Expectile"
                | "Huber"
                | "Lq"
                | "LogCosh"
                | "RMSPE"
                | "MultiRMSE"
                | "MultiRMSEWithMissingValues"
                | "SurvivalAft"
                | "Cox"
                | "QueryRMSE"
                | "QuerySoftMax"
                | "QueryCrossEntropy"
                | "PairLogit"
                | "PairLogitPairwise"
                | "YetiRank"
                | "YetiRankPairwise"
                | "LambdaMart"
                | "StochasticFilter"
                | "StochasticRank"
                | "Combination"
                | "PythonUserDefinedPerObject"
                | "PythonUserDefinedMultiTarget"
                | "UserPerObjMetric"
                | "UserQuerywiseMetric",
            ) => Ok(OutputRules::without_label(Link::Identity)),
            Some(other) => {
                let what =
                    format!("the loss {}, of which it is not known what predict makes of raw values", shortened(other));
                Err(LoadError::unsupported("model_info.params.loss_function", what))
            }
            None => {
                let note = "The file names no loss function: outputs are the raw values.";
                Ok(OutputRules { notes: vec![note.into()], ..OutputRules::without_label(Link::Identity) })
            }
        }
    }

    /// The class of each margin (of both sides of the one margin, for two classes).
    fn classes(&self, count: usize) -> Result<Vec<ClassName>, LoadError> {
        let refuse = |what: String| Err(LoadError::malformed("model_info.class_params", what));
        let labels =
            if self.class_to_label.is_empty() { (0..).take(count).collect() } else { self.class_to_label.clone() };
        if labels.len() != count {
            return refuse(format!("\"class_to_label\" has {} classes, the model {count}", labels.len()));
        }
        if self.class_names.is_empty() {
            return Ok(labels.into_iter().map(ClassName::Int).collect());
        }
        let mut classes = Vec::with_capacity(count);
        for label in labels {
            match usize::try_from(label).ok().and_then(|label| self.class_names.get(label)) {
                Some(name) => classes.push(name.clone()),
                None => return refuse(format!("there is no class {label} in \"class_names\"")),
            }
        }
        Ok(classes)
    }

    fn class_notes(&self, num_outputs: usize, approximate: Option<&str>) -> Vec<String> {
        let mut notes = Vec::new();
        if let Some(outputs) = approximate {
            notes.push(format!(
                "CatBoost's own exp is approximate: its {outputs} may differ from these in the last bits; \
                 raw values and labels do not."
            ));
        }
        if num_outputs > 0 && self.class_names.len() > num_outputs {
            notes.push("Classes without training rows are left out: CatBoost never predicts them.".into());
        }
        notes
    }
}

/// Reads an object that older versions wrote as a text with JSON in it.
fn nested(json: &mut Json<'_>, read: &mut dyn FnMut(&mut Json<'_>) -> Result<(), LoadError>) -> Result<(), LoadError> {
    match json.kind()? {
        ValueKind::Object => read(json),
        ValueKind::Text => {
            let place = json.error("").place;
            let text = json.text()?;
            let mut inner = Json::new(text.as_bytes());
            read(&mut inner).and_then(|()| inner.finish()).map_err(|error| error.within(&place))
        }
        _ => json.skip(),
    }
}

fn class_name(json: &mut Json<'_>) -> Result<ClassName, LoadError> {
    match json.kind()? {
        ValueKind::Bool => Ok(ClassName::Bool(json.integer()? == 1)),
        ValueKind::Text => Ok(ClassName::Text(json.text()?)),
        _ => json.literal(|literal| {
            Some(literal.parse().map_or_else(|_| ClassName::Text(literal.to_owned()), ClassName::Int))
        }),
    }
}

fn whole_number(literal: &str) -> Option<i64> {
    let number: f64 = literal.parse().ok()?;
    #[expect(clippy::cast_possible_truncation, reason = "whole and within 2^31")]
    (number.fract() == 0.0 && number.abs() < 2_147_483_648.0).then_some(number as i64)
}

/// The tag of the release, as in `Branch: tags/v1.2.10`.
fn version(text: &str) -> Option<String> {
    let (_, tag) = text.split_once("tags/v")?;
    tag.split_ascii_whitespace().next().map(|tag| format!("CatBoost {tag}"))
}
