//! Norms of distances between inputs.

use serde::{Deserialize, Serialize};

/// A norm over the distances along features.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Norm {
    /// The largest distance.
    #[default]
    Linf,
    /// The root of the sum of squared distances.
    L2,
    /// The sum of distances.
    L1,
    /// The number of features that change.
    L0,
}

impl Norm {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Linf, Self::L2, Self::L1, Self::L0];

    /// The name in conditions and options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Linf => "linf",
            Self::L2 => "l2",
            Self::L1 => "l1",
            Self::L0 => "l0",
        }
    }
}
