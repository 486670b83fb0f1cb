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

#[cfg(test)]
mod tests {
    use treeproof_search::{Status, Stop, Unobserved};

    use super::*;

    /// A search that ends after so many steps, and tells how it was run.
    struct Told {
        steps: u64,
        runs: Vec<(usize, Option<u64>)>,
    }

    impl Method for Told {
        fn status(&self) -> Status {
            Status { lower: None, upper: None, steps: 0, open: 1, memory: 0 }
        }

        fn solution(&self) -> Option<&[u32]> {
            None
        }

        fn is_done(&self) -> bool {
            false
        }

        fn advance(&mut self, _: &dyn Stop) -> bool {
            true
        }

        fn run(&mut self, limits: &Limits, _: &dyn Observer) -> StopReason {
            self.runs.push((limits.threads, limits.steps));
            if limits.steps.is_some_and(|most| self.steps > most) { StopReason::Steps } else { StopReason::Optimal }
        }
    }

    fn runs(threads: Option<usize>, steps: u64) -> Vec<(usize, Option<u64>)> {
        let limits = TaskLimits { threads, ..TaskLimits::default() };
        let mut search = Told { steps, runs: vec![] };
        let problem = Problem::default();
        assert_eq!(limits.run(&mut search, &problem, &Unobserved), StopReason::Optimal);
        search.runs
    }

    #[test]
    fn others_join_where_a_question_is_large_unless_their_number_is_said() {
        let all = TaskLimits::default().threads();
        if all > 1 {
            let alone = (1, Some(LEAVES_ALONE as u64));
            assert_eq!(runs(None, 10), [alone]);
            assert_eq!(runs(None, u64::MAX), [alone, (all, None)]);
        }
        assert_eq!(runs(Some(3), 10), [(3, None)]);
        assert_eq!(runs(Some(1), u64::MAX), [(1, None)]);
    }
}
