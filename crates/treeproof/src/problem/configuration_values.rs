//! The values of a feature in one configuration, in the user's own numbers: each double means itself, and not the library's
//! reading of it.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_language::Groups;

use super::cells::{AxisPartition, CutPoints};
use super::domain::Domain;
use super::features::Features;
use super::form::Form;
use super::rename::{Coordinate, Renamed};
use super::space::Space;

/// The values of a feature in a configuration. Two with the same values are equal.
///
/// A double that the library reads as missing (XGBoost's `missing=`) is missing: it is among the values if missing is.
#[derive(Clone, Debug, PartialEq)]
pub enum ConfigurationValues {
    /// Numbers.
    Numbers {
        /// Ascending intervals; between two of them are other doubles that the question admits.
        intervals: Vec<Interval>,
        /// Steps: only the doubles nearest to multiples of each.
        steps: Vec<Exact>,
        /// True if it may be missing.
        missing: bool,
    },
    /// Categories by code.
    Categories {
        /// The codes, ascending.
        codes: Vec<u32>,
        /// True if it may be a value that is no category.
        unknown: bool,
        /// True if it may be missing.
        missing: bool,
    },
}

/// The doubles `low <= x < high`; without an end, every finite one that the question admits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least.
    pub low: Option<f64>,
    /// The least that is too large.
    pub high: Option<f64>,
}

impl Interval {
    /// The interval of one double.
    pub(crate) fn point(number: f64) -> Self {
        Self { low: Some(number), high: Some(number.next_up()) }
    }

    /// The number, if there is only one.
    pub(crate) fn only(&self) -> Option<f64> {
        self.low.filter(|low| self.high == Some(low.next_up()))
    }
}

/// The values of every feature in its domain, without any split.
pub(crate) fn feature_values(ensemble: &Ensemble, groups: &Groups, domains: &[Domain]) -> Vec<ConfigurationValues> {
    let space = Space::one(Features::of(ensemble).grouped(groups), domains.to_vec());
    let renamed = Renamed::new(&Form { models: vec![ensemble], space, cases: vec![] });
    let of_coordinate = |coordinate: &Coordinate<'_>| {
        let cells = AxisPartition::new(coordinate, coordinate.readers.map(|_| CutPoints::default()));
        std::iter::zip(cells.features().to_vec(), cells.values(&cells.all()).to_vec())
    };
    let mut values: Vec<(usize, ConfigurationValues)> = renamed.coordinates.iter().flat_map(of_coordinate).collect();
    values.sort_by_key(|(feature, _)| *feature);
    values.into_iter().map(|(_, values)| values).collect()
}
