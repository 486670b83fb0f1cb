//! The values of a feature in one configuration, in the user's own numbers: what they say of a double is meant of that double,
//! and not of what the library makes of it.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::exact::Exact;
use treeproof_language::Groups;

use super::cells::{AxisCells, CutPoints};
use super::domain::Domain;
use super::features::Features;
use super::form::Form;
use super::rename::{Coordinate, Renamed};
use super::space::Space;

/// The values of a feature. Two that hold the same values are equal.
///
/// A double that the library reads as missing (XGBoost's `missing=`) is missing: it is in it where missing is, and only there.
#[derive(Clone, Debug, PartialEq)]
pub enum ConfigurationValues {
    /// Numbers.
    Numbers {
        /// Doubles, ascending; between two intervals there are others that the question allows.
        intervals: Vec<Interval>,
        /// Restricts them to the doubles nearest to multiples of each of these.
        steps: Vec<Exact>,
        /// True if it may be missing.
        missing: bool,
    },
    /// Categories by code.
    Categories {
        /// The codes, ascending.
        codes: Vec<u32>,
        /// Whether it may be a value that is no category.
        unknown: bool,
        /// True if it may be missing.
        missing: bool,
    },
}

/// The doubles `low <= x < high`; every finite one that the question allows where there is no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least.
    pub low: Option<f64>,
    /// The least that is too large.
    pub high: Option<f64>,
}

impl Interval {
    /// One double alone.
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
        let cells = AxisCells::new(coordinate, coordinate.readers.map(|_| CutPoints::default()));
        std::iter::zip(cells.features().to_vec(), cells.values(&cells.all()).to_vec())
    };
    let mut values: Vec<(usize, ConfigurationValues)> = renamed.coordinates.iter().flat_map(of_coordinate).collect();
    values.sort_by_key(|(feature, _)| *feature);
    values.into_iter().map(|(_, values)| values).collect()
}
