//! One search from start to answer: the clock, the limits and the check of every better point.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use treeproof_ensemble::evaluate::Evaluation;
use treeproof_ensemble::exact::Exact;
use treeproof_search::{Limits, Merge, Observer, Search, Status, StopReason, Strategy, Value, Veritas};

use super::Asked;
use crate::check::check;
use crate::compile::{Compiled, Objective, compile};
use crate::report::{Answer, Stats, Stopped, Verdict, Witness, prediction};
use crate::task::{Gap, Method, Question, TaskError};
use crate::watch::Event;

/// Between two events in which nothing changed.
const PAUSE: Duration = Duration::from_millis(100);

/// One direction of a question.
pub(super) struct Run<'a> {
    asked: &'a Asked<'a>,
    objective: Objective,
    start: Instant,
    time: Duration,
    compiled: Compiled,
    /// The engine calls with its own state locked, so nobody ever waits here.
    known: Mutex<Known>,
}

/// What is known so far, of the objective: the margin, or its negative.
#[derive(Default)]
struct Known {
    best: Option<Best>,
    /// The bound, as the engine's value.
    upper: Option<Value>,
    peak_memory: u64,
    stop: Option<Stopped>,
    failure: Option<String>,
    last_event: Option<Instant>,
    /// Whether a bound is better than in the last event.
    is_better: bool,
}

/// The best point that passed its check.
struct Best {
    row: Vec<f64>,
    evaluation: Evaluation,
    exact: Exact,
}

/// Bounds on the margin itself.
struct Bounds {
    lower: Option<f64>,
    upper: Option<f64>,
    gap: Option<f64>,
}

impl<'a> Run<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, objective: Objective, start: Instant, time: Duration) -> Self {
        let compiled = compile(asked.ensemble, asked.domains, objective).expect("empty domains were found before");
        Self { asked, objective, start, time, compiled, known: Mutex::default() }
    }

    pub(super) fn finish(self) -> Result<Answer, TaskError> {
        let limits = &self.asked.task.limits;
        let mut engine = Limits::default();
        engine.threads = limits.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
        engine.memory = limits.memory.map(|memory| usize::try_from(memory.0).unwrap_or(usize::MAX));
        let mut method = self.method(engine.memory);
        let reason = method.run(&engine, &self);
        let status = method.status();
        let mut known = self.known();
        self.learn(&mut known, &status, method.solution());
        if let Some(what) = known.failure.take() {
            return Err(TaskError::WitnessRefused { what });
        }
        let stopped = match (reason, known.stop) {
            (StopReason::Optimal, _) => Stopped::Optimal,
            (StopReason::Memory, _) => Stopped::Memory,
            (_, Some(stopped)) => stopped,
            (_, None) => Stopped::Interrupted,
        };
        let bounds = self.bounds(&known);
        // The last event has the bounds of the answer; the search is over, whatever the watcher wants.
        let _ = self.tell(&mut known, &bounds, &status);
        let Bounds { lower, upper, gap } = bounds;
        let is_close = || limits.gap.is_some() && self.is_close(&known);
        let is_optimal = stopped == Stopped::Optimal || (stopped == Stopped::Target && is_close());
        let mut answer = Answer {
            verdict: if is_optimal { Verdict::Optimal } else { Verdict::Undecided },
            lower,
            upper,
            gap,
            rounding: None,
            witness: None,
            output: None,
            probability: None,
            prediction: None,
            stopped,
            seconds: self.start.elapsed().as_secs_f64(),
            stats: Stats { regions: status.steps, memory_bytes: known.peak_memory },
        };
        if let Some(best) = &known.best {
            let margin = &best.evaluation.margins[self.objective.output];
            answer.witness = Some(Witness::new(self.asked.ensemble, &best.row));
            (answer.output, answer.rounding) = (Some(margin.library), Some(margin.error));
            match prediction(self.asked.ensemble, self.objective.output, &best.evaluation.outputs) {
                Some((probability, true)) => answer.probability = Some(probability),
                Some((prediction, false)) => answer.prediction = Some(prediction),
                None => {}
            }
        }
        Ok(answer)
    }

    fn method(&self, memory: Option<usize>) -> Box<dyn treeproof_search::Method> {
        let (problem, task) = (&self.compiled.problem, self.asked.task);
        match task.method {
            Method::Auto => Box::new(Search::new(problem)),
            Method::Veritas => {
                #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "validated: 1 to 1000")]
                let thousandths = task.epsilon.map(|epsilon| (epsilon * 1000.0).round() as u32);
                Box::new(Veritas::with_strategy(problem, thousandths.map_or(Strategy::DEFAULT, Strategy::from_epsilon)))
            }
            Method::Merge => Box::new(Merge::within_bytes(problem, memory.unwrap_or(usize::MAX))),
        }
    }

    fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("no thread panics while it holds what is known")
    }

    /// Takes in what the engine says. Returns whether a better point was found.
    fn learn(&self, known: &mut Known, status: &Status, solution: Option<&[u32]>) -> bool {
        known.peak_memory = known.peak_memory.max(status.memory as u64);
        if let Some(value) = status.upper
            && known.upper.is_none_or(|known| value < known)
        {
            known.upper = Some(value);
            known.is_better = true;
        }
        let Some(point) = solution else { return false };
        let row = self.compiled.row(point);
        let Asked { ensemble, conditions, resolved, observed, .. } = *self.asked;
        match check(ensemble, conditions, resolved, observed, &row) {
            Err(what) => known.failure = Some(what),
            Ok(evaluation) => {
                let Some(exact) = evaluation.margins[self.objective.output].exact.clone() else { return false };
                let exact = if self.objective.negated { exact.negated() } else { exact };
                // Leaves are rounded up by less than a unit each, so a better value may be worse by a few units.
                if known.best.as_ref().is_none_or(|best| exact > best.exact) {
                    known.best = Some(Best { row, evaluation, exact });
                    known.is_better = true;
                    return true;
                }
            }
        }
        false
    }

    fn bounds(&self, known: &Known) -> Bounds {
        let found = known.best.as_ref().map(|best| &best.exact);
        let limit = known.upper.map(|value| self.compiled.real(value));
        let limit = limit.as_ref();
        let gap = limit.zip(found).map(|(limit, found)| limit.minus(found).ceil_f64());
        let (lower, upper) = if self.objective.negated {
            (limit.map(|limit| limit.negated().floor_f64()), found.map(|found| found.negated().ceil_f64()))
        } else {
            (found.map(Exact::floor_f64), limit.map(Exact::ceil_f64))
        };
        // Adding zero makes +0 of −0, which would only puzzle.
        let finite = |bound: Option<f64>| bound.map(|bound| bound + 0.0).filter(|bound| bound.is_finite());
        Bounds { lower: finite(lower), upper: finite(upper), gap: finite(gap) }
    }

    fn is_close(&self, known: &Known) -> bool {
        let Bounds { lower: Some(lower), upper: Some(upper), gap: Some(gap) } = self.bounds(known) else {
            return false;
        };
        match self.asked.task.limits.gap {
            Some(Gap::Absolute(close)) => gap <= close,
            Some(Gap::Relative(part)) => gap <= part * lower.abs().max(upper.abs()),
            None => gap <= 0.0,
        }
    }

    /// Tells the watcher. Returns whether it wants to go on.
    fn tell(&self, known: &mut Known, bounds: &Bounds, status: &Status) -> bool {
        let now = Instant::now();
        let event = Event {
            question: if self.objective.negated { Question::Min } else { Question::Max },
            seconds: now.duration_since(self.start).as_secs_f64(),
            lower: bounds.lower,
            upper: bounds.upper,
            gap: bounds.gap,
            found: None,
            regions: status.steps,
            open: status.open as u64,
            memory_bytes: status.memory as u64,
            is_better: std::mem::take(&mut known.is_better),
        };
        known.last_event = Some(now);
        self.asked.watcher.watch(&event)
    }

    /// The only place where a search is told to stop, and why.
    fn stop(&self, known: &Known, bounds: &Bounds, memory: usize, goes_on: bool) -> Option<Stopped> {
        let limits = &self.asked.task.limits;
        let is_target = bounds.lower.zip(limits.stop_above).is_some_and(|(lower, above)| lower >= above)
            || bounds.upper.zip(limits.stop_below).is_some_and(|(upper, below)| upper <= below)
            || (limits.gap.is_some() && self.is_close(known));
        // The engine slows its growth at the limit; a quarter more is where it has failed to.
        let is_full = limits.memory.is_some_and(|limit| memory as u64 > limit.0.saturating_add(limit.0 / 4));
        match () {
            () if is_target => Some(Stopped::Target),
            () if !goes_on => Some(Stopped::Interrupted),
            () if is_full => Some(Stopped::Memory),
            () if self.start.elapsed() >= self.time => Some(Stopped::Time),
            () => None,
        }
    }
}

impl Observer for Run<'_> {
    fn observe(&self, status: &Status, solution: Option<&[u32]>) -> bool {
        let mut known = self.known();
        let is_found = self.learn(&mut known, status, solution);
        if known.failure.is_some() {
            return false;
        }
        let now = Instant::now();
        // The upper bound falls all the time: exact numbers are made of it only now and then.
        let is_due = known.last_event.is_none_or(|last| now.duration_since(last) >= PAUSE);
        let is_over = now.duration_since(self.start) >= self.time;
        if !is_found && !is_due && !is_over {
            return true;
        }
        let bounds = self.bounds(&known);
        let goes_on = self.tell(&mut known, &bounds, status);
        let stop = self.stop(&known, &bounds, status.memory, goes_on);
        known.stop = known.stop.or(stop);
        stop.is_none()
    }
}
