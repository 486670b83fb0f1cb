//! Questions about two models, or two inputs of one model: [`diff`], [`fair`], [`monotone`].
//!
//! Each makes a [`Form`](crate::compile::Form) and says what its maximum means. Domains are per feature; the language of
//! conditions is not known here.

mod diff;
mod fair;
mod monotone;
mod search;

use crate::compile::InputRows;
use crate::report::{Stats, Stopped, Verdict};

pub use self::diff::diff;
pub use self::fair::{Protected, fair_difference, fair_label};
pub use self::monotone::{Trend, monotone};
pub use self::search::{Found, Progress, Watch};

/// What was proved about the largest difference.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Comparison {
    /// What was proved.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// The best point that was found, which passed its check.
    pub found: Option<Found>,
    /// The library's own sums at that point, taken together, are within this of the exact number.
    pub rounding: Option<f64>,
    /// Why the search ended.
    pub stopped: Stopped,
    /// How long it took.
    pub seconds: f64,
    /// What it took.
    pub stats: Stats,
}

impl Comparison {
    /// The rows of the best point.
    pub fn rows(&self) -> Option<&InputRows> {
        self.found.as_ref().map(|found| &found.rows)
    }
}
