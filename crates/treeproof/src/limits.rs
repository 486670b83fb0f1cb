//! Limits of a search, and the methods there are.

mod quantity;

use std::fmt;
use std::sync::OnceLock;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{TaskError, refuse};

pub use self::quantity::{Bytes, Gap, Span};

/// Default time limit of a search.
pub(crate) const TIME: Duration = Duration::from_secs(60);
/// Default time limit of the search about one of several rows.
pub(crate) const TIME_PER_ROW: Duration = Duration::from_secs(10);

/// How an answer is searched.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum Method {
    /// The best way known: best-first over regions.
    #[default]
    Auto,
    /// The search of the Veritas paper: leaf sequences, by ARA*; on one thread.
    Veritas,
    /// Its rival: trees merged two by two until memory is full; on one thread.
    Merge,
}

impl fmt::Display for Method {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Auto => "auto",
            Self::Veritas => "veritas",
            Self::Merge => "merge",
        })
    }
}

/// Limits of a search.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[non_exhaustive]
pub struct TaskLimits {
    /// Wall-clock time. Default 60 s; where rows of data are asked about, 10 s for each of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<Span>,
    /// Memory for open regions. Default: any amount.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory: Option<Bytes>,
    /// Threads; with one, a run is the same on every machine. Default: all cores.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threads: Option<usize>,
    /// Stop when the bounds are this close. Default: only when nothing is left to search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gap: Option<Gap>,
    /// Stop when the lower bound is at least this. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_above: Option<f64>,
    /// Stop when the upper bound is at most this. Default: never.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop_below: Option<f64>,
    /// Random seed of the local search; it changes how soon points are found, never what is proved.
    /// Default 0.
    #[serde(default)]
    pub seed: u64,
}

impl TaskLimits {
    /// Time limit of one search.
    pub fn time(&self) -> Duration {
        self.time.map_or(TIME, |time| time.0)
    }

    /// Number of threads.
    pub fn threads(&self) -> usize {
        self.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from))
    }

    /// Memory limit of the engine, in bytes.
    pub(crate) fn memory_bytes(&self) -> Option<usize> {
        self.memory.map(|memory| usize::try_from(memory.0).unwrap_or(usize::MAX))
    }

    /// Fills in the defaults: the time of the question, and half of the memory of the machine.
    pub(crate) fn set_defaults(&mut self, time: Duration) {
        self.memory = self.memory.or_else(|| half_of_memory().map(Bytes));
        self.time = Some(Span(time));
    }

    pub(crate) fn validate(&self) -> Result<(), TaskError> {
        if self.threads == Some(0) {
            return refuse("limits.threads", "must be at least 1");
        }
        if self.stop_above.is_some_and(f64::is_nan) {
            return refuse("limits.stop_above", "is not a number");
        }
        if self.stop_below.is_some_and(f64::is_nan) {
            return refuse("limits.stop_below", "is not a number");
        }
        Ok(())
    }
}

/// Half of the memory that this process may have; it is looked up once.
fn half_of_memory() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    static HALF: OnceLock<Option<u64>> = OnceLock::new();
    *HALF.get_or_init(|| {
        let system =
            System::new_with_specifics(RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()));
        let total = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory).min(system.total_memory());
        Some(total / 2).filter(|bytes| *bytes > 0)
    })
}
