//! The search for the maximum of a form: the clock, the limits, and the check of every better point by the models alone.

use std::sync::{Mutex, MutexGuard};
use std::time::Instant;

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_search::{Limits, Method, Observer, Search, Status, StopReason};

use super::Comparison;
use crate::compile::{Compiled, Form, InputRows};
use crate::report::{Stats, Stopped, Verdict};
use crate::task::{TaskError, TaskLimits};

/// Bounds and effort at one moment.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Progress {
    /// Since the search began.
    pub seconds: f64,
    /// The number is at least this.
    pub lower: Option<f64>,
    /// The number is at most this.
    pub upper: Option<f64>,
    /// Regions looked at.
    pub regions: u64,
}

/// Is told about a search now and then. Returns whether to go on.
pub type Watch<'a> = &'a (dyn Fn(&Progress) -> bool + Sync);

/// A point that passed its check.
#[derive(Clone, Debug)]
pub struct Found {
    /// The rows, per input and model.
    pub rows: InputRows,
    /// What the models make of them, in the same order.
    pub evaluations: Vec<Vec<Evaluation>>,
    /// The exact number of the form.
    pub exact: Exact,
}

/// What is searched for.
pub(super) struct Asked<'a> {
    pub(super) form: &'a Form<'a>,
    /// Of these the time, the memory and the threads.
    pub(super) limits: &'a TaskLimits,
    /// Points worth less than this do not matter.
    pub(super) at_least: Option<Exact>,
    /// Whether a point answers the question, so that nothing more need be known.
    pub(super) settles: &'a (dyn Fn(&Found) -> bool + Sync),
    /// Whether all points that reach the same leaves answer it alike. Then those that do not settle it are left out one after
    /// the other.
    pub(super) goes_past: bool,
    pub(super) watch: Watch<'a>,
}

/// So many sets of points are left out at most.
const MOST_PASSED: usize = 256;

/// How a search ended.
pub(super) struct Ended {
    /// The best point that was found, or the one that settles the question.
    pub(super) found: Option<Found>,
    pub(super) is_settled: bool,
    /// No point is worth more.
    pub(super) upper: Option<Exact>,
    pub(super) stopped: Stopped,
    seconds: f64,
    stats: Stats,
}

/// What is known so far.
#[derive(Default)]
struct Known {
    found: Option<Found>,
    is_settled: bool,
    failure: Option<String>,
    stop: Option<Stopped>,
    peak_memory: u64,
}

struct Run<'a> {
    asked: &'a Asked<'a>,
    compiled: &'a Compiled,
    start: Instant,
    /// The engine calls with its own state locked, so nobody ever waits here.
    known: Mutex<Known>,
}

impl Asked<'_> {
    /// Searches. None if no point is allowed.
    pub(super) fn search(&self) -> Result<Option<Ended>, TaskError> {
        let start = Instant::now();
        let Some(mut compiled) = self.form.compile() else { return Ok(None) };
        let mut engine = Limits::default();
        let all_threads = || std::thread::available_parallelism().map_or(1, usize::from);
        engine.threads = self.limits.threads.unwrap_or_else(all_threads);
        engine.memory = self.limits.memory.map(|memory| usize::try_from(memory.0).unwrap_or(usize::MAX));
        let target = self.at_least.as_ref().map(|least| compiled.least_at_least(least));
        let (mut steps, mut num_passed) = (0, 0);
        let (known, status, reason) = loop {
            let mut search = Search::new(&compiled.problem);
            if let Some(target) = target {
                search.set_target(target);
            }
            let run = Run { asked: self, compiled: &compiled, start, known: Mutex::default() };
            let reason = search.run(&engine, &run);
            run.learn(&mut run.known(), search.solution());
            let known = run.known.into_inner().expect("no thread panics while it holds what is known");
            steps += search.status().steps;
            let unsettled = search.solution().filter(|_| reason == StopReason::Optimal && !known.is_settled);
            if let (Some(point), Some(target), true) = (unsettled, target, self.goes_past && num_passed < MOST_PASSED)
                && known.failure.is_none()
            {
                let by = compiled.problem.value(point) - target + 1;
                let point = point.to_vec();
                if compiled.exclude(&point, by) {
                    num_passed += 1;
                    continue;
                }
            }
            break (known, search.status(), reason);
        };
        if let Some(what) = known.failure {
            return Err(TaskError::WitnessRefused { what });
        }
        if status.upper.is_some_and(|upper| !compiled.is_in_order(upper)) && self.at_least.is_none() {
            return Ok(None);
        }
        let stopped = match (reason, known.stop) {
            (StopReason::Optimal, _) => Stopped::Optimal,
            (StopReason::Memory, _) => Stopped::Memory,
            (_, Some(stopped)) => stopped,
            (_, None) => Stopped::Interrupted,
        };
        Ok(Some(Ended {
            found: known.found,
            is_settled: known.is_settled,
            upper: status.upper.map(|value| compiled.real(value)),
            stopped,
            seconds: start.elapsed().as_secs_f64(),
            stats: Stats { regions: steps, memory_bytes: known.peak_memory },
        }))
    }
}

impl Ended {
    /// The answer with a verdict.
    pub(super) fn comparison(self, form: &Form<'_>, verdict: Verdict, stopped: Stopped) -> Comparison {
        // Adding zero makes +0 of −0, which would only puzzle.
        let finite = |bound: Option<f64>| bound.map(|bound| bound + 0.0).filter(|bound| bound.is_finite());
        let rounding = self.found.as_ref().map(|found| {
            let error =
                |term: &crate::compile::Term| found.evaluations[term.input][term.model].margins[term.output].error;
            let of_sum = |sum: &crate::compile::Sum| sum.terms.iter().map(error).sum::<f64>();
            form.cases.iter().flatten().map(of_sum).fold(0.0, f64::max).next_up()
        });
        Comparison {
            verdict,
            lower: finite(self.found.as_ref().map(|found| found.exact.floor_f64())),
            upper: finite(self.upper.as_ref().map(Exact::ceil_f64)),
            rounding,
            found: self.found,
            stopped,
            seconds: self.seconds,
            stats: self.stats,
        }
    }

    /// Whether no point is worth more than a number.
    pub(super) fn is_at_most(&self, number: &Exact) -> bool {
        self.upper.as_ref().is_some_and(|upper| upper <= number)
    }
}

impl Comparison {
    /// Nothing is allowed.
    pub(super) fn infeasible() -> Self {
        Self {
            verdict: Verdict::Infeasible,
            lower: None,
            upper: None,
            found: None,
            rounding: None,
            stopped: Stopped::Optimal,
            seconds: 0.0,
            stats: Stats::default(),
        }
    }
}

impl Run<'_> {
    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("no thread panics while it holds what is known")
    }

    /// Checks a better point and keeps it if it is the best.
    fn learn(&self, known: &mut Known, solution: Option<&[u32]>) {
        let Some(point) = solution.filter(|_| !known.is_settled) else { return };
        if !self.compiled.is_in_order(self.compiled.problem.value(point)) {
            return;
        }
        let (form, rows) = (self.asked.form, self.compiled.rows(point));
        let checked = form.space.check(&form.models, &rows).and_then(|()| form.evaluate(&rows));
        match checked {
            Err(what) => known.failure = Some(what),
            Ok(evaluations) => {
                let Some(exact) = form.value(&evaluations) else { return };
                let found = Found { rows, evaluations, exact };
                known.is_settled = (self.asked.settles)(&found);
                // Leaves are rounded up, so a better value may be worse by a few units.
                if known.is_settled || known.found.as_ref().is_none_or(|best| found.exact > best.exact) {
                    known.found = Some(found);
                }
            }
        }
    }
}

impl Observer for Run<'_> {
    fn observe(&self, status: &Status, solution: Option<&[u32]>) -> bool {
        let mut known = self.known();
        known.peak_memory = known.peak_memory.max(status.memory as u64);
        self.learn(&mut known, solution);
        let progress = Progress {
            seconds: self.start.elapsed().as_secs_f64(),
            lower: known.found.as_ref().map(|found| found.exact.floor_f64()),
            upper: status.upper.map(|value| self.compiled.upper(value)),
            regions: status.steps,
        };
        let stop = match () {
            () if known.failure.is_some() => Some(Stopped::Interrupted),
            () if known.is_settled => Some(Stopped::Target),
            () if !(self.asked.watch)(&progress) => Some(Stopped::Interrupted),
            () if self.start.elapsed() >= self.asked.limits.time.0 => Some(Stopped::Time),
            () => None,
        };
        known.stop = known.stop.or(stop);
        stop.is_none()
    }
}
