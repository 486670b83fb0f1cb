//! One run of the engine over a problem: its method, its limits, and the record that a proof keeps of it.

use treeproof_ensemble::ensemble::Ensemble;
use treeproof_search::{
    Abandoned, Journal, Limits, MAX_MASK_BYTES, Merge, Method as Engine, Observer, Problem, Search, Status, Stop,
    StopReason, Strategy, Value, Veritas,
};

use crate::elaborate::{Section, follow};
use crate::limits::{Method, TaskLimits};

/// Number of visited leaves from which other threads join, a few hundredths of a second, unless the number of threads is
/// given. Counted, not timed: a smaller question takes the same steps and has the same witness each time, on every machine.
const LEAVES_ALONE: usize = 20_000_000;

/// A run of the engine.
pub(crate) struct EngineRun<'a> {
    pub(crate) problem: &'a Problem,
    pub(crate) method: Method,
    /// First ε of the method `veritas`.
    pub(crate) epsilon: Option<f64>,
    /// All limits but the time.
    pub(crate) limits: &'a TaskLimits,
    /// Points worth less than this do not count.
    pub(crate) target: Option<Value>,
    /// Proof section that records the run.
    pub(crate) section: Option<&'a Section>,
    pub(crate) models: &'a [&'a Ensemble],
}

/// The end of a run of the engine.
pub(crate) struct EngineEnd {
    pub(crate) reason: StopReason,
    pub(crate) status: Status,
    pub(crate) solution: Option<Vec<u32>>,
}

impl EngineRun<'_> {
    /// Runs the engine until it is done, a limit is reached, or the observer ends it.
    ///
    /// # Errors
    /// If it is stopped before it has a bound.
    pub(crate) fn run(&self, observer: &impl Observer) -> Result<EngineEnd, Abandoned> {
        follow(self.section, self.models, |journal| {
            let mut engine = self.engine(journal, observer)?;
            let reason = self.limits.run(engine.as_mut(), self.problem, observer);
            Ok(EngineEnd { reason, status: engine.status(), solution: engine.solution().map(<[u32]>::to_vec) })
        })
    }

    fn engine<'j>(
        &self,
        journal: Option<Box<dyn Journal + 'j>>,
        stop: &dyn Stop,
    ) -> Result<Box<dyn Engine + 'j>, Abandoned> {
        let problem = self.problem;
        Ok(match self.method {
            Method::Auto => {
                let mut search = Search::prepare(problem, MAX_MASK_BYTES, stop)?;
                search.set_seed(self.limits.seed);
                if let Some(target) = self.target {
                    search.set_target(target);
                }
                if let Some(journal) = journal {
                    search.set_journal(journal);
                }
                Box::new(search)
            }
            Method::Veritas => {
                let counts: fn(usize, &[u32]) -> bool = |_, _| true;
                Box::new(Veritas::prepare(problem, strategy(self.epsilon), counts, stop)?)
            }
            Method::Merge => Box::new(Merge::prepare(problem, self.limits.memory_bytes().unwrap_or(usize::MAX), stop)?),
        })
    }
}

/// The order in which the method `veritas` expands its states.
pub(crate) fn strategy(epsilon: Option<f64>) -> Strategy {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "validated: 1 to 1000")]
    let thousandths = epsilon.map(|epsilon| (epsilon * 1000.0).round() as u32);
    thousandths.map_or(Strategy::DEFAULT, Strategy::from_epsilon)
}

impl TaskLimits {
    /// Runs a search of a problem, on one thread while it is small.
    fn run(&self, search: &mut dyn Engine, problem: &Problem, observer: &dyn Observer) -> StopReason {
        let mut engine = Limits::default();
        (engine.threads, engine.memory) = (self.threads(), self.memory_bytes());
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

/// Number of steps after which about [`LEAVES_ALONE`] leaves have been visited.
fn steps_alone(problem: &Problem) -> u64 {
    (LEAVES_ALONE / problem.num_leaves().max(1)) as u64
}

#[cfg(test)]
mod tests {
    use treeproof_search::Unobserved;

    use super::*;

    /// A search that ends after so many steps, and tells how it was run.
    struct Recorder {
        steps: u64,
        runs: Vec<(usize, Option<u64>)>,
    }

    impl Engine for Recorder {
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
        let mut search = Recorder { steps, runs: vec![] };
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
