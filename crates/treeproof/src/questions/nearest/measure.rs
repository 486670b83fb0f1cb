//! Measures of distance, as tasks name them.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::{Feature, Reading};
use treeproof_ensemble::norm::Norm;
use treeproof_language::{Groups, Inputs, Vocabulary};

use crate::error::{TaskError, refuse};
use crate::problem::Metric;
use crate::rows::Rows;

/// How distances between inputs are measured.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[non_exhaustive]
pub struct Measure {
    /// How distances along features make one.
    pub norm: Norm,
    /// Weights: factors of the distances along features. Default: 1 for each.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub weights: BTreeMap<String, f64>,
    /// `std:DATA`: distances between numbers are divided by the standard deviation of the feature in this file, for whoever reads
    /// files; costs of categories, groups and missing values are not. Default: they are not either.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scale: Option<String>,
    /// The distance to and from missing, where `maybemissing` allows it. Default: 1 in `l0`, else none is possible.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missing_cost: Option<f64>,
    /// The distance between two categories. Default: 1 in `l0`, else they are fixed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub category_cost: Option<f64>,
}

impl Measure {
    /// All features count alike.
    pub fn new(norm: Norm) -> Self {
        Self { norm, weights: BTreeMap::new(), scale: None, missing_cost: None, category_cost: None }
    }

    /// The file by whose standard deviations distances are divided.
    pub fn scale_file(&self) -> Option<&str> {
        self.scale.as_deref().and_then(|scale| scale.strip_prefix("std:"))
    }

    pub(in crate::questions) fn validate(&self) -> Result<(), TaskError> {
        let is_length = |number: f64| number >= 0.0 && number.is_finite();
        for (field, cost) in [("missing_cost", self.missing_cost), ("category_cost", self.category_cost)] {
            if cost.is_some_and(|cost| !is_length(cost)) {
                return refuse(field, "must be a number from 0 on");
            }
        }
        if let Some((name, weight)) = self.weights.iter().find(|(_, weight)| !is_length(**weight)) {
            let what = format!("the weight of `{name}` must be a number from 0 on, not `{weight}`");
            return Err(TaskError::Value { field: "weights", what });
        }
        if self.scale.is_some() && self.scale_file().is_none() {
            return Err(TaskError::Value { field: "scale", what: "write std:DATA, as in std:train.csv".to_owned() });
        }
        if self.scale.is_some() && self.norm == Norm::L0 {
            return refuse("scale", "does not apply to `l0`, which counts features");
        }
        Ok(())
    }

    /// The distance on the features of a model. `scale` has the rows by whose standard deviations it is divided.
    pub(in crate::questions) fn metric(
        &self,
        ensemble: &Ensemble,
        groups: &Groups,
        scale: Option<&Rows>,
    ) -> Result<Metric, TaskError> {
        let mut metric = Metric::new(self.norm, ensemble, groups);
        (metric.missing_cost, metric.category_cost) = (self.missing_cost, self.category_cost);
        let vocabulary = Vocabulary::new(ensemble, groups, Inputs::One);
        for (name, weight) in &self.weights {
            let columns = vocabulary.columns_called(name);
            let columns = columns.map_err(|what| TaskError::Value { field: "weights", what })?;
            columns.into_iter().for_each(|column| metric.factors[column] = *weight);
        }
        match (scale, &self.scale) {
            (Some(rows), Some(_)) => {
                let scale = |(index, feature): (usize, &Feature)| {
                    // Another category, or another value of a group, is as far away as is said; codes have no scale.
                    if feature.is_category() || groups.of(index).is_some() {
                        return Ok(1.0);
                    }
                    let is_number = |raw: &f64| {
                        raw.is_finite() && matches!(ensemble.input().read(feature, *raw), Ok(Reading::Number(_)))
                    };
                    let deviation = deviation(rows.iter().map(|row| row[index]).filter(is_number));
                    if !((metric.factors[index] / deviation.min(1.0)).is_finite() || deviation == 0.0)
                        || !deviation.is_finite()
                    {
                        let name = &feature.name;
                        let what =
                            format!("`{name}` cannot be scaled by its standard deviation, which is {deviation:e}");
                        return Err(TaskError::Value { field: "scale", what });
                    }
                    // What does not vary is not scaled.
                    Ok(if deviation > 0.0 { deviation } else { 1.0 })
                };
                let scales = ensemble.features().iter().enumerate().map(scale).collect::<Result<_, _>>()?;
                metric.scales = Some(scales);
                Ok(metric)
            }
            (None, None) => Ok(metric),
            _ => refuse("scale", "and the rows of its file must be given together"),
        }
    }
}

/// The standard deviation of some numbers.
fn deviation(numbers: impl Iterator<Item = f64>) -> f64 {
    let (mut count, mut mean, mut squares) = (0.0, 0.0, 0.0);
    for number in numbers {
        count += 1.0;
        let apart = number - mean;
        mean += apart / count;
        squares += apart * (number - mean);
    }
    if count > 0.0 { (squares / count).sqrt() } else { 0.0 }
}
