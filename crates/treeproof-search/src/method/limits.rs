//! Limits, status and observers of a run.

use crate::grid::Value;

/// The limits of a run. By default there are none: the run ends when the optimum is proved.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Limits {
    /// Steps in this run. Default: any number.
    pub steps: Option<u64>,
    /// Bytes that what is open may take; at this limit [`Search`](crate::Search) goes on depth first, and the other methods
    /// end. Default: any number.
    pub memory: Option<usize>,
    /// Stop when the bounds are this close. Default 0.
    pub gap: Value,
    /// Stop when a point of at least this value is found.
    pub stop_above: Option<Value>,
    /// Stop when no point reaches this value.
    pub stop_below: Option<Value>,
    /// Threads of a [`Search`](crate::Search), the other methods have one; with one, a run is the same on every machine.
    /// Default 1.
    pub threads: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self { steps: None, memory: None, gap: 0, stop_above: None, stop_below: None, threads: 1 }
    }
}

/// The reason for the end of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum StopReason {
    /// The bounds met: nothing is left to search.
    Optimal,
    /// The bounds are within [`Limits::gap`].
    Gap,
    /// A point of at least [`Limits::stop_above`] was found.
    Above,
    /// No point reaches [`Limits::stop_below`].
    Below,
    /// [`Limits::steps`] were taken.
    Steps,
    /// [`Limits::memory`] was used up, by a method that cannot go on within it.
    Memory,
    /// The observer said so.
    Interrupted,
}

/// Bounds and effort at one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Status {
    /// The value of the best point found.
    pub lower: Option<Value>,
    /// No point has a larger value.
    pub upper: Option<Value>,
    /// Steps so far.
    pub steps: u64,
    /// Regions, leaf sequences or sets that are open.
    pub open: usize,
    /// Bytes that they take.
    pub memory: usize,
}

/// A stop flag, polled during work that has no bounds to report: the preparation of a problem, one step of a large
/// one. Clocks and signals live here.
pub trait Stop: Sync {
    /// True to abandon the work. Polled often, so it must be quick; once true it must stay so. Default: never.
    fn is_stopped(&self) -> bool {
        false
    }
}

/// Work was abandoned as a [`Stop`] said so: what was known before it is all that is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abandoned;

/// Asks whether to abandon work.
///
/// # Errors
/// If so.
#[inline]
pub fn proceed(stop: &dyn Stop) -> Result<(), Abandoned> {
    if stop.is_stopped() { Err(Abandoned) } else { Ok(()) }
}

/// An observer of a run, which may end it.
pub trait Observer: Stop {
    /// Called now and then, and after every better point with that point. Returns whether to go on.
    fn observe(&self, status: &Status, solution: Option<&[u32]>) -> bool;
}

/// Watches nothing and never stops a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Stop for Unobserved {}

impl Observer for Unobserved {
    fn observe(&self, _: &Status, _: Option<&[u32]>) -> bool {
        true
    }
}

impl Limits {
    /// The reason for ending a run with this status, if any.
    pub(crate) fn reached(&self, status: &Status, steps_of_run: u64) -> Option<StopReason> {
        let Status { lower, upper, .. } = *status;
        if let (Some(lower), Some(upper)) = (lower, upper)
            && upper.saturating_sub(lower) <= self.gap
        {
            return Some(if lower == upper { StopReason::Optimal } else { StopReason::Gap });
        }
        if self.stop_above.zip(lower).is_some_and(|(above, lower)| lower >= above) {
            return Some(StopReason::Above);
        }
        if self.stop_below.zip(upper).is_some_and(|(below, upper)| upper < below) {
            return Some(StopReason::Below);
        }
        self.steps.is_some_and(|steps| steps_of_run >= steps).then_some(StopReason::Steps)
    }
}
