//! A condition that is code: whoever asks says of regions whether something in them is allowed.
//!
//! What cannot be said in the language of conditions can be said so, at a price: nothing is known of the code but its answers.

use std::fmt::Debug;

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_ensemble::input::Reading;

/// The values of a feature in a region.
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct RegionValues {
    /// The least and the greatest number; not every number between them need be in the region. None if it has none.
    pub numbers: Option<(f64, f64)>,
    /// The categories, by code, ascending.
    pub codes: Vec<u32>,
    /// Whether it may be a value that is no category.
    pub unknown: bool,
    /// Whether it may be missing.
    pub missing: bool,
}

impl RegionValues {
    /// Takes in numbers between two.
    pub(crate) fn add_numbers(&mut self, low: f64, high: f64) {
        self.numbers = Some(self.numbers.map_or((low, high), |(least, most)| (least.min(low), most.max(high))));
    }

    /// The region of one input.
    pub(crate) fn of_row(ensemble: &Ensemble, row: &[f64]) -> Option<Vec<Self>> {
        let of = |(reading, raw): (Reading, &f64)| {
            let mut values = Self::default();
            match reading {
                Reading::Missing => values.missing = true,
                Reading::NoCategory => values.unknown = true,
                Reading::Category(code) => values.codes.push(code),
                Reading::Number(_) => values.add_numbers(*raw, *raw),
            }
            values
        };
        Some(ensemble.read(row).ok()?.into_iter().zip(row).map(of).collect())
    }
}

/// A condition that is code.
///
/// *Soundness.* It must say `false` only of regions in which no input is allowed, and the same whenever it is asked. Of a region
/// that is one input it has the last word. It need not be exact elsewhere: the sooner it says `false`, the sooner a search
/// ends. Where it does not say `false` of a region that no tree parts, and none of the inputs tried there is allowed, the
/// answer stays open: the bounds count such regions, and nothing is claimed of them.
pub trait Predicate: Debug + Send + Sync {
    /// Whether some input of a region may be allowed. The region has the values of each feature, in the model's order.
    fn may_hold(&self, region: &[RegionValues]) -> bool;
}
