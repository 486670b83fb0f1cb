//! Best-first search over regions, with an upper bound and a solution at every moment.
//!
//! A region leaves the frontier only when its parts are in it or it is closed, so the bound is valid whatever stops a run.

use std::sync::{Condvar, Mutex, MutexGuard};

use crate::expand::{Compiled, Incumbent, Worker};
use crate::frontier::Frontier;
use crate::limits::{Limits, Observer, Status, StopReason};
use crate::problem::{Problem, Value};
use crate::region::Region;

/// The observer is asked at least every this many steps.
const OBSERVE_EVERY: u64 = 64;

/// The state of a search; it can go on at any time.
#[derive(Debug)]
pub struct Search {
    compiled: Compiled,
    state: State,
    workers: Vec<Worker>,
}

/// What the threads of a run share.
#[derive(Debug)]
struct State {
    frontier: Frontier,
    incumbent: Incumbent,
    solution: Option<Vec<u32>>,
    steps: u64,
    closed: u64,
    /// Per thread, a bound on the region that it has taken and not yet given back.
    in_flight: Vec<Option<Value>>,
    stopped: Option<StopReason>,
}

impl Search {
    /// Makes a problem ready, all of its points open.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search.
    pub fn new(problem: &Problem) -> Self {
        let compiled = Compiled::new(problem);
        let mut frontier = Frontier::default();
        for case in 0..compiled.cases.len() {
            frontier.open(&compiled.space, &compiled.space.everything(), crate::masks::index(case), &[(Value::MAX, None)]);
        }
        let state = State {
            frontier,
            incumbent: Incumbent::NONE,
            solution: None,
            steps: 0,
            closed: 0,
            in_flight: vec![None],
            stopped: None,
        };
        let workers = vec![Worker::new(&compiled)];
        Self { compiled, state, workers }
    }

    /// Asks only for points of at least this value: regions that cannot reach it are closed at once.
    pub fn set_target(&mut self, value: Value) {
        let target = Incumbent { value, is_attained: false };
        if !self.state.incumbent.is_attained && value > self.state.incumbent.value {
            self.state.incumbent = target;
        }
    }

    /// Bounds and effort so far.
    pub fn status(&self) -> Status {
        self.state.status()
    }

    /// No point has a larger value; `None` before the first step.
    pub fn upper(&self) -> Option<Value> {
        self.state.upper()
    }

    /// The value of the best point found.
    pub fn lower(&self) -> Option<Value> {
        self.state.lower()
    }

    /// The best point found: a cell per axis.
    pub fn solution(&self) -> Option<&[u32]> {
        self.state.solution.as_deref()
    }

    /// Whether nothing is left to search.
    pub fn is_done(&self) -> bool {
        self.state.frontier.len() == 0
    }

    /// The regions taken from the frontier so far.
    pub fn steps(&self) -> u64 {
        self.state.steps
    }

    /// The regions closed so far.
    pub fn num_closed(&self) -> u64 {
        self.state.closed
    }

    /// Takes the best open region and closes it or opens its parts. Returns whether there was one.
    pub fn step(&mut self) -> bool {
        let mut region = self.compiled.space.everything();
        let state = Mutex::new(&mut self.state);
        let thread = Thread { compiled: &self.compiled, worker: &mut self.workers[0], number: 0 };
        let mut guard = state.lock().expect("no thread panics while it holds the state");
        let Some(open) = guard.frontier.take(&self.compiled.space, &mut region) else { return false };
        drop(thread.expand(&state, guard, open.case, open.bound, &mut region));
        true
    }

    /// Searches until a limit is reached or the observer says stop.
    pub fn run(&mut self, limits: &Limits, observer: &dyn Observer) -> StopReason {
        let threads = limits.threads.max(1);
        while self.workers.len() < threads {
            self.workers.push(Worker::new(&self.compiled));
        }
        self.state.in_flight = vec![None; threads];
        self.state.stopped = None;
        let run = Run { limits, observer, first_step: self.state.steps, idle: Condvar::new() };
        let state = Mutex::new(&mut self.state);
        let mut workers = self.workers[..threads].iter_mut().enumerate();
        let (_, first) = workers.next().expect("at least one thread");
        std::thread::scope(|scope| {
            for (number, worker) in workers {
                let thread = Thread { compiled: &self.compiled, worker, number };
                let (state, run) = (&state, &run);
                scope.spawn(move || thread.run(state, run));
            }
            Thread { compiled: &self.compiled, worker: first, number: 0 }.run(&state, &run);
        });
        self.state.stopped.unwrap_or(StopReason::Optimal)
    }
}

impl State {
    fn lower(&self) -> Option<Value> {
        self.incumbent.is_attained.then_some(self.incumbent.value)
    }

    fn upper(&self) -> Option<Value> {
        let open = self.frontier.bound().max(self.in_flight.iter().flatten().copied().max());
        match open {
            Some(Value::MAX) => None,
            Some(bound) => Some(bound.max(self.incumbent.ceiling())),
            None => Some(self.incumbent.ceiling()),
        }
    }

    fn status(&self) -> Status {
        Status { lower: self.lower(), upper: self.upper(), steps: self.steps, open: self.frontier.len(), memory: self.frontier.bytes() }
    }
}

/// What a run is bound by.
struct Run<'r> {
    limits: &'r Limits,
    observer: &'r dyn Observer,
    first_step: u64,
    /// Threads that wait for regions to open.
    idle: Condvar,
}

/// One thread of a run.
struct Thread<'t> {
    compiled: &'t Compiled,
    worker: &'t mut Worker,
    number: usize,
}

type Shared<'s, 'm> = Mutex<&'m mut State>;

impl Thread<'_> {
    /// Expands a region that was taken while `state` was locked, and gives back what is left of it. Returns whether a
    /// better point was found.
    fn expand<'s, 'm>(
        self,
        shared: &'s Shared<'s, 'm>,
        mut state: MutexGuard<'s, &'m mut State>,
        case: u32,
        bound: Value,
        region: &mut Region,
    ) -> (MutexGuard<'s, &'m mut State>, bool) {
        state.steps += 1;
        state.in_flight[self.number] = Some(bound);
        self.worker.incumbent = state.incumbent;
        drop(state);
        let outcome = self.worker.expand(self.compiled, case, bound, region);
        let mut state = shared.lock().expect("no thread panics while it holds the state");
        let found = self.worker.found.take().filter(|_| state.incumbent.is_improved_by(self.worker.incumbent.value));
        let improved = found.is_some();
        if improved {
            state.incumbent = self.worker.incumbent;
            state.solution = found;
        }
        match outcome {
            Err(_) => state.closed += 1,
            Ok(parts) => state.frontier.open(&self.compiled.space, region, case, &parts),
        }
        state.in_flight[self.number] = None;
        (state, improved)
    }

    fn run(self, shared: &Shared<'_, '_>, run: &Run<'_>) {
        let Self { compiled, worker, number } = self;
        let mut region = compiled.space.everything();
        let mut state = shared.lock().expect("no thread panics while it holds the state");
        let mut last_observed = state.steps;
        loop {
            if state.stopped.is_some() {
                break;
            }
            let Some(open) = state.frontier.take(&compiled.space, &mut region) else {
                if state.in_flight.iter().all(Option::is_none) {
                    state.stopped = Some(StopReason::Optimal);
                    break;
                }
                state = run.idle.wait(state).expect("no thread panics while it holds the state");
                continue;
            };
            let thread = Thread { compiled, worker: &mut *worker, number };
            let (after, improved) = thread.expand(shared, state, open.case, open.bound, &mut region);
            state = after;
            let status = state.status();
            if let Some(reason) = run.limits.reached(&status, status.steps - run.first_step) {
                state.stopped.get_or_insert(reason);
            }
            if improved || status.steps - last_observed >= OBSERVE_EVERY || state.stopped.is_some() {
                last_observed = status.steps;
                let solution = state.solution.as_deref().filter(|_| improved);
                if !run.observer.observe(&status, solution) {
                    state.stopped.get_or_insert(StopReason::Interrupted);
                }
            }
            run.idle.notify_all();
        }
        run.idle.notify_all();
    }
}
