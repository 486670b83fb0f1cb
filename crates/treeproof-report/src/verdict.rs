//! The verdict of an answer, and how the search for it ended.

use serde::{Deserialize, Serialize};

use crate::named::named;

named! {
    /// The verdict of an answer.
    #[derive(Default)]
    pub enum Verdict {
        /// The bounds are as close as was asked for; by default, nothing is left to search.
        Optimal = "optimal",
        /// The property holds for every input.
        Holds = "holds",
        /// The property does not hold for the witness.
        Violated = "violated",
        /// The bounds hold, but a limit or a target ended the search first.
        #[default]
        Undecided = "undecided",
        /// No input meets the conditions.
        Infeasible = "infeasible",
    }
}

named! {
    /// The reason why a search ended.
    #[derive(Default)]
    pub enum Stopped {
        /// The whole space is searched.
        #[default]
        Optimal = "optimal",
        /// A gap or an output that was asked for is reached.
        Target = "target",
        /// The time was up.
        Time = "time",
        /// The memory was full.
        Memory = "memory",
        /// The user interrupted it.
        Interrupted = "interrupted",
        /// The rest lies within the rounding errors of the library's sums.
        Rounding = "rounding",
        /// The rest is open: unknown whether any doubles in it meet the conditions.
        Conditions = "conditions",
        /// The method `veritas` has halved the distance as often as it does.
        Steps = "steps",
    }
}

/// The state of a search for a number: its verdict, its bounds, and how it ended.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Bounds {
    /// The verdict.
    pub verdict: Verdict,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// The reason why the search ended.
    pub stopped: Stopped,
}

impl Bounds {
    /// True if nothing is left to search.
    pub fn is_exact(&self) -> bool {
        self.verdict == Verdict::Optimal && self.stopped == Stopped::Optimal
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
