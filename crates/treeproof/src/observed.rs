//! What rows of data show of each feature: its range, its categories, whether it is ever missing.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::RowError;
use treeproof_ensemble::input::Reading;

use crate::rows::Rows;

/// The values that rows of data have, feature by feature.
#[derive(Clone, Debug, PartialEq)]
pub struct Observed {
    /// What the data is called in messages, as in `--domain people.csv`.
    pub label: String,
    /// One for each feature of the model.
    pub features: Vec<ObservedFeature>,
}

/// The values that one feature has in the data.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedFeature {
    /// The least number; above `high` if there is none.
    pub low: f64,
    /// The greatest number.
    pub high: f64,
    /// The categories, by code.
    pub codes: BTreeSet<u32>,
    /// Whether some value is no category.
    pub unknown: bool,
    /// Whether some value is missing.
    pub missing: bool,
}

impl Observed {
    /// Looks at all rows. An error if the model's library would refuse one of them.
    pub fn new(label: impl Into<String>, rows: &Rows, ensemble: &Ensemble) -> Result<Self, (usize, RowError)> {
        let nothing = ObservedFeature {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            codes: BTreeSet::new(),
            unknown: false,
            missing: false,
        };
        let mut features = vec![nothing; ensemble.features().len()];
        for (index, row) in rows.iter().enumerate() {
            let readings = ensemble.read(row).map_err(|error| (index, error))?;
            for ((feature, reading), raw) in features.iter_mut().zip(readings).zip(row) {
                match reading {
                    Reading::Missing => feature.missing = true,
                    Reading::Number(_) => {
                        feature.low = feature.low.min(*raw);
                        feature.high = feature.high.max(*raw);
                    }
                    Reading::Category(code) => {
                        feature.codes.insert(code);
                    }
                    Reading::NoCategory => feature.unknown = true,
                }
            }
        }
        Ok(Self { label: label.into(), features })
    }
}
