//! Facts about rows of data: for each feature its range, kind, categories, and missing values.

use std::collections::BTreeSet;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::error::RowError;
use treeproof_ensemble::exact::Exact;
use treeproof_ensemble::input::Reading;

use crate::rows::Rows;

/// The observed values of each feature.
#[derive(Clone, Debug)]
pub struct Observed {
    /// The name of the data in messages, as in `--domain people.csv`.
    pub label: String,
    /// One for each feature of the model.
    pub features: Vec<ObservedFeature>,
    /// The rows themselves.
    pub rows: Rows,
}

/// The observed values of one feature.
#[derive(Clone, Debug, PartialEq)]
pub struct ObservedFeature {
    /// The least number; above `high` if there is none.
    pub low: f64,
    /// The greatest number.
    pub high: f64,
    /// The categories, by code.
    pub codes: BTreeSet<u32>,
    /// True if some value is no category.
    pub unknown: bool,
    /// True if some value is missing.
    pub missing: bool,
    /// The kind of its numbers, if it has any.
    pub numbers: Option<NumberKind>,
}

/// The kind of some numbers, from the narrowest to the widest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum NumberKind {
    /// 0 and 1.
    Binary,
    /// Whole numbers.
    Integer,
    /// Any numbers.
    Real,
}

impl NumberKind {
    /// The narrowest kind of a number.
    fn of(number: f64) -> Self {
        match number {
            0.0 | 1.0 => Self::Binary,
            // An infinite number has no fraction either, but is not whole: its fraction is NaN.
            number if number.fract() == 0.0 => Self::Integer,
            _ => Self::Real,
        }
    }
}

impl ObservedFeature {
    /// The step of whole numbers: 1.
    pub fn step(&self) -> Option<Exact> {
        self.numbers.filter(|kind| *kind < NumberKind::Real).map(|_| Exact::one())
    }

    /// True if a value with this reading is among these: a number in the range and of the kind, or an observed category.
    pub(crate) fn has(&self, raw: f64, reading: Reading) -> bool {
        match reading {
            Reading::Missing => self.missing,
            Reading::NoCategory => self.unknown,
            Reading::Category(code) => self.codes.contains(&code),
            Reading::Number(_) => {
                let suits = self.numbers.is_some_and(|kind| kind == NumberKind::Real || raw.fract() == 0.0);
                suits && self.low <= raw && raw <= self.high
            }
        }
    }
}

impl Observed {
    /// Observes all rows. An error if the model's library refuses one of them.
    pub fn new(label: impl Into<String>, rows: Rows, ensemble: &Ensemble) -> Result<Self, (usize, RowError)> {
        let nothing = ObservedFeature {
            low: f64::INFINITY,
            high: f64::NEG_INFINITY,
            codes: BTreeSet::new(),
            unknown: false,
            missing: false,
            numbers: None,
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
                        feature.numbers = feature.numbers.max(Some(NumberKind::of(*raw)));
                    }
                    Reading::Category(code) => {
                        feature.codes.insert(code);
                    }
                    Reading::NoCategory => feature.unknown = true,
                }
            }
        }
        Ok(Self { label: label.into(), features, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::NumberKind::{self, Binary, Integer, Real};

    #[test]
    fn the_kind_of_a_column_is_the_widest_of_its_numbers() {
        let kind = |numbers: &[f64]| numbers.iter().map(|number| NumberKind::of(*number)).max();
        assert_eq!(kind(&[]), None);
        assert_eq!(kind(&[0.0, -0.0, 1.0]), Some(Binary));
        assert_eq!(kind(&[0.0, 2.0]), Some(Integer));
        assert_eq!(kind(&[-1e300, 1.0]), Some(Integer));
        assert_eq!(kind(&[1.0, 0.5]), Some(Real));
        assert_eq!(kind(&[f64::INFINITY]), Some(Real));
    }
}
