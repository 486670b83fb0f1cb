//! A search under way: the clock, the limits and the check of every better point.

use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use treeproof_ensemble::exact::Exact;
use treeproof_search::{Observer, Status, Stop, StopReason, Value};

use super::{Found, NumberBounds, SearchOutcome, SearchRequest};
use crate::limits::Gap;
use crate::problem::Compiled;
use crate::report::{Stats, Stopped};
use crate::stop::Clock;
use crate::watch::Event;

/// Between two events in which nothing changed.
const PAUSE: Duration = Duration::from_millis(100);

/// What is known so far, of the form.
#[derive(Default)]
pub(super) struct Known {
    found: Option<Found>,
    pub(super) is_settled: bool,
    /// The bound, as the engine's value.
    upper: Option<Value>,
    peak_memory: u64,
    stop: Option<Stopped>,
    pub(super) failure: Option<String>,
    last_event: Option<Instant>,
    /// Whether a bound is better than in the last event.
    is_better: bool,
}

/// A search under way.
pub(super) struct Run<'a> {
    request: &'a SearchRequest<'a>,
    compiled: &'a Compiled,
    clock: &'a Clock<'a>,
    /// The engine calls with its own state locked, so nobody ever waits here.
    known: Mutex<Known>,
}

impl<'a> Run<'a> {
    pub(super) fn new(request: &'a SearchRequest<'a>, compiled: &'a Compiled, clock: &'a Clock<'a>) -> Self {
        Self { request, compiled, clock, known: Mutex::default() }
    }

    pub(super) fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().expect("no thread panics while it holds what is known")
    }

    /// What is to be said in the end. None if no point is allowed.
    pub(super) fn end(&self, known: &mut Known, reason: StopReason, status: &Status) -> Option<SearchOutcome> {
        // There are no points, or all are out of order. With a target it only means that none is worth as much.
        let is_nothing = |upper: Value| upper == Value::MIN || !self.compiled.is_in_order(upper);
        if known.upper.is_some_and(is_nothing) && self.request.stopping.at_least.is_none() {
            return None;
        }
        // Of points that are worth more it is not known whether they meet the conditions.
        let is_in_doubt = status.upper.is_some_and(|upper| known.upper > Some(upper));
        let stopped = match (reason, known.stop) {
            (StopReason::Optimal, _) if is_in_doubt => Stopped::Conditions,
            (StopReason::Optimal, _) => Stopped::Optimal,
            (StopReason::Memory, _) => Stopped::Memory,
            (_, Some(stopped)) => stopped,
            (_, None) => self.clock.ended().unwrap_or(Stopped::Interrupted),
        };
        let bounds = self.bounds(known);
        // The last event has the bounds of the answer; the search is over, whatever the watcher wants.
        let _ = self.tell(known, &bounds, status);
        let is_close = || self.request.effort.limits.gap.is_some() && self.is_close(&bounds);
        Some(SearchOutcome {
            is_settled: known.is_settled,
            upper: known.upper.map(|value| self.compiled.real(value)),
            bounds,
            is_optimal: stopped == Stopped::Optimal || (stopped == Stopped::Target && is_close()),
            stopped,
            seconds: self.request.effort.start.elapsed().as_secs_f64(),
            stats: Stats { regions: status.steps, memory_bytes: known.peak_memory },
            found: known.found.take(),
        })
    }

    /// Takes in what the engine says. Returns whether a better point was found.
    pub(super) fn learn(&self, known: &mut Known, status: &Status, solution: Option<&[u32]>) -> bool {
        known.peak_memory = known.peak_memory.max(status.memory as u64);
        // What is in doubt was looked at before the bound fell, so one that held then still does.
        if let Some(value) = status.upper.map(|upper| self.compiled.doubt().map_or(upper, |doubt| upper.max(doubt)))
            && known.upper.is_none_or(|known| value < known)
        {
            known.upper = Some(value);
            known.is_better = true;
        }
        let is_in_order = |point: &&[u32]| self.compiled.is_in_order(self.compiled.problem.value(point));
        let Some(point) = solution.filter(|_| !known.is_settled).filter(is_in_order) else { return false };
        match self.request.checked(self.compiled, point) {
            Err(what) => known.failure = Some(what),
            Ok(None) => {}
            Ok(Some(found)) => {
                known.is_settled = self.request.is_settled_by(&found);
                if !known.is_settled && self.request.is_decided_against(&found) {
                    return false;
                }
                // Leaves are rounded up by less than a unit each, so a better value may be worse by a few units.
                if known.is_settled || known.found.as_ref().is_none_or(|best| found.exact > best.exact) {
                    known.found = Some(found);
                    known.is_better = true;
                    return true;
                }
            }
        }
        false
    }

    fn bounds(&self, known: &Known) -> NumberBounds {
        let limit = known.upper.map(|value| self.compiled.real(value));
        self.request.bounds(known.found.as_ref(), limit.as_ref())
    }

    fn is_close(&self, bounds: &NumberBounds) -> bool {
        let NumberBounds { lower: Some(lower), upper: Some(upper), gap: Some(gap) } = *bounds else { return false };
        match self.request.effort.limits.gap {
            Some(Gap::Absolute(close)) => gap <= close,
            Some(Gap::Relative(part)) => gap <= part * lower.abs().max(upper.abs()),
            None => gap <= 0.0,
        }
    }

    /// Tells the watcher. Returns whether it wants to go on.
    fn tell(&self, known: &mut Known, bounds: &NumberBounds, status: &Status) -> bool {
        let now = Instant::now();
        let event = Event {
            seconds: now.duration_since(self.request.effort.start).as_secs_f64(),
            lower: bounds.lower,
            upper: bounds.upper,
            gap: bounds.gap,
            regions: status.steps,
            open: status.open as u64,
            memory_bytes: status.memory as u64,
            is_better: std::mem::take(&mut known.is_better),
            ..Event::new(self.request.question)
        };
        known.last_event = Some(now);
        self.request.watcher.watch(&event)
    }

    /// Whether the bounds say all that was asked for.
    fn is_enough(&self, known: &Known, bounds: &NumberBounds) -> bool {
        let limits = &self.request.effort.limits;
        let is_at_most = |enough: &Exact| known.upper.is_some_and(|value| self.compiled.real(value) <= *enough);
        bounds.lower.zip(limits.stop_above).is_some_and(|(lower, above)| lower >= above)
            || bounds.upper.zip(limits.stop_below).is_some_and(|(upper, below)| upper <= below)
            || (limits.gap.is_some() && self.is_close(bounds))
            || self.request.stopping.at_most.as_ref().is_some_and(is_at_most)
    }

    /// The only place where a search is told to stop, and why.
    fn stop(&self, known: &Known, bounds: &NumberBounds, memory: usize, goes_on: bool) -> Option<Stopped> {
        let limits = &self.request.effort.limits;
        let is_target = known.is_settled || self.is_enough(known, bounds);
        // The engine slows its growth at the limit; a quarter more is where it has failed to.
        let is_full = limits.memory.is_some_and(|limit| memory as u64 > limit.0.saturating_add(limit.0 / 4));
        match () {
            () if is_target => Some(Stopped::Target),
            () if !goes_on => Some(Stopped::Interrupted),
            () if is_full => Some(Stopped::Memory),
            () => self.clock.look(),
        }
    }
}

impl Stop for Run<'_> {
    fn is_stopped(&self) -> bool {
        self.clock.is_stopped()
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
        // The upper bound falls all the time: exact numbers are made of it only now and then, unless somebody waits for one.
        let is_due = known.last_event.is_none_or(|last| now.duration_since(last) >= PAUSE);
        let limits = self.request.effort.limits;
        let is_awaited = self.request.stopping.at_most.is_some() || limits.stop_below.is_some() || limits.gap.is_some();
        let is_due = is_due || (is_awaited && known.is_better && self.is_enough(&known, &self.bounds(&known)));
        let is_over = self.clock.is_stopped();
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
