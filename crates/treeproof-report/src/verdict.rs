//! The verdict of an answer, and how the search for it ended.

use serde::{Deserialize, Serialize};

/// The verdict of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// The bounds are as close as was asked for; by default, nothing is left to search.
    Optimal,
    /// The property holds for every input.
    Holds,
    /// The property does not hold for the witness.
    Violated,
    /// The bounds hold, but a limit or a target ended the search first.
    #[default]
    Undecided,
    /// Nothing meets the conditions.
    Infeasible,
}

impl Verdict {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Holds => "holds",
            Self::Violated => "violated",
            Self::Undecided => "undecided",
            Self::Infeasible => "infeasible",
        }
    }
}

/// The reason why a search ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Stopped {
    /// Nothing is left to search.
    #[default]
    Optimal,
    /// A gap or an output that was asked for is reached.
    Target,
    /// The time was up.
    Time,
    /// The memory was full.
    Memory,
    /// The user interrupted it.
    Interrupted,
    /// The rest lies within the rounding errors of the library's sums.
    Rounding,
    /// The rest is open: unknown whether any doubles in it meet the conditions.
    Conditions,
    /// The method `veritas` has halved the distance as often as it does.
    Steps,
}

impl Stopped {
    /// Its name in JSON.
    pub fn name(self) -> &'static str {
        match self {
            Self::Optimal => "optimal",
            Self::Target => "target",
            Self::Time => "time",
            Self::Memory => "memory",
            Self::Interrupted => "interrupted",
            Self::Rounding => "rounding",
            Self::Conditions => "conditions",
            Self::Steps => "steps",
        }
    }
}

/// The unit of the numbers of an answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Unit {
    /// Margins: the sum of the leaves, before any link.
    #[default]
    Margin,
    /// Distances between inputs.
    Distance,
}

/// The cost of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Stats {
    /// Regions that were opened.
    pub regions: u64,
    /// The most memory that open regions took.
    pub memory_bytes: u64,
}
