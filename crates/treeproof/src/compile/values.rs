//! The values of a feature in one configuration, in the user's own numbers.

/// The values of a feature. Two that hold the same values are equal.
///
/// A number that the library reads as missing (XGBoost's `missing=`) is in it where missing is, and only there.
#[derive(Clone, Debug, PartialEq)]
pub enum Values {
    /// Numbers.
    Numbers {
        /// Those of an interval.
        interval: Option<Interval>,
        /// But not these, as the library reads them, ascending.
        except: Vec<f64>,
        /// These too, as the library reads them, ascending; none of them is in the interval.
        also: Vec<f64>,
        /// Whether it may be missing.
        missing: bool,
    },
    /// Categories by code.
    Categories {
        /// The codes, ascending.
        codes: Vec<u32>,
        /// Whether it may be a value that is no category.
        unknown: bool,
        /// Whether it may be missing.
        missing: bool,
    },
}

/// The doubles `low <= x < high`; every one that the library accepts where there is no end.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// The least.
    pub low: Option<f64>,
    /// The least that is too large.
    pub high: Option<f64>,
}
