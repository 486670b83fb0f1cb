//! The values of a feature in one configuration, in the user's own numbers: what they say of a double is meant of that double,
//! and not of what the library makes of it.

use treeproof_ensemble::exact::Exact;

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
