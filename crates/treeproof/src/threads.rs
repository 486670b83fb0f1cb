//! From when on a search has several threads.

use treeproof_search::{Limits, Method, Observer, Problem, StopReason};

use crate::task::TaskLimits;

/// Where the number of threads is not said, others join once this many leaves were looked at, a few hundredths of a second.
/// Counted, not timed: a smaller question takes the same steps and has the same witness each time, on every machine.
const LEAVES_ALONE: usize = 20_000_000;

impl TaskLimits {
    /// What bounds a run of the engine, but for the time.
    pub(crate) fn engine(&self) -> Limits {
        let mut engine = Limits::default();
        engine.threads = self.threads();
        engine.memory = self.memory.map(|memory| usize::try_from(memory.0).unwrap_or(usize::MAX));
        engine
    }

    /// Runs a search of a problem, on one thread while it is small.
    pub(crate) fn run(&self, search: &mut dyn Method, problem: &Problem, observer: &dyn Observer) -> StopReason {
        let engine = self.engine();
        if self.threads.is_none() && engine.threads > 1 {
            let mut alone = engine.clone();
            (alone.threads, alone.steps) = (1, Some(steps_alone(problem)));
            let reason = search.run(&alone, observer);
            if reason != StopReason::Steps {
                return reason;
            }
        }
        search.run(&engine, observer)
    }
}

/// In how many steps so many leaves are looked at.
fn steps_alone(problem: &Problem) -> u64 {
    (LEAVES_ALONE / problem.num_leaves().max(1)) as u64
}
