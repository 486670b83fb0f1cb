//! Best-first search over regions, with an upper bound and a solution at every moment.
//!
//! A region leaves the frontier only when its parts are in it or it is closed, so the bound is valid whatever stops a run.

use std::sync::{Condvar, Mutex, MutexGuard};

use crate::bound::Incumbent;
use crate::compiled::{CompiledProblem, MAX_MASK_BYTES};
use crate::expand::{PartBound, Worker};
use crate::frontier::{Frontier, OpenPart, Ranked};
use crate::grid::{Region, Value, index};
use crate::journal::Journal;
use crate::method::{Abandoned, Limits, Method, Observer, Status, Stop, StopReason, Unobserved};
use crate::problem::Problem;
use crate::random::Random;

/// The observer is asked at least every this many steps.
const OBSERVE_EVERY: u64 = 64;

/// Rows of bits take at most one part in this many of the memory allowed.
const ROW_SHARE: usize = 4;
/// Memory of threads and allocator beside what is counted.
const UNCOUNTED_BYTES: usize = 1 << 19;

/// The part of a memory limit for open regions and rows.
fn room_in(limit: usize) -> usize {
    (limit / 20 * 17).saturating_sub(UNCOUNTED_BYTES).max(limit / 2)
}

/// The state of a search; it can go on at any time.
#[derive(Debug)]
pub struct Search<'j> {
    compiled: CompiledProblem,
    state: SharedState<'j>,
    workers: Vec<Worker>,
    seed: u64,
}

/// The state that the threads of a run share.
#[derive(Debug)]
struct SharedState<'j> {
    frontier: Frontier,
    incumbent: Incumbent,
    solution: Option<Vec<u32>>,
    steps: u64,
    /// Per thread, a bound on the region that it has taken and not yet given back.
    in_flight: Vec<Option<Value>>,
    stopped: Option<StopReason>,
    /// The log of the run, if one is kept.
    journal: Option<Box<dyn Journal + 'j>>,
}

impl<'j> Search<'j> {
    /// Makes a problem ready, all of its points open.
    ///
    /// # Panics
    /// If the problem has an axis without cells, or a case without channels: there is nothing to search. If its values
    /// are larger than [`MAX_MAGNITUDE`](crate::MAX_MAGNITUDE) allows, or its
    /// costs are not one per cell.
    pub fn new(problem: &Problem) -> Self {
        Self::prepare(problem, MAX_MASK_BYTES, &Unobserved).expect("nobody stops it")
    }

    /// As [`Search::new`], unless it is abandoned before the problem is ready; with another limit on the bit masks of a
    /// channel than [`MAX_MASK_BYTES`]: where they would take more, its trees are walked instead, which is slower and
    /// takes no more memory than the trees.
    ///
    /// # Errors
    /// If it is abandoned.
    ///
    /// # Panics
    /// As [`Search::new`].
    pub fn prepare(problem: &Problem, max_mask_bytes: usize, stop: &dyn Stop) -> Result<Self, Abandoned> {
        let compiled = CompiledProblem::new(problem, max_mask_bytes, stop)?;
        let mut frontier = Frontier::default();
        for case in 0..compiled.cases.len() {
            frontier.open(&compiled.space, &compiled.space.everything(), index(case), &[(Value::MAX, None)]);
        }
        let state = SharedState {
            frontier,
            incumbent: Incumbent::NONE,
            solution: None,
            steps: 0,
            in_flight: vec![None],
            stopped: None,
            journal: None,
        };
        let workers = vec![Worker::new(&compiled, Random::of_thread(0, 0))];
        Ok(Self { compiled, state, workers, seed: 0 })
    }

    /// Asks only for points of at least this value: regions that cannot reach it are closed at once.
    pub fn set_target(&mut self, value: Value) {
        let target = Incumbent { value, is_attained: false };
        if !self.state.incumbent.is_attained && value > self.state.incumbent.value {
            self.state.incumbent = target;
        }
    }

    /// Sets the random seed of local search, which changes the order in which points are found. Default 0.
    pub fn set_seed(&mut self, seed: u64) {
        self.seed = seed;
        for (thread, worker) in self.workers.iter_mut().enumerate() {
            worker.chains.random = Random::of_thread(seed, thread);
        }
    }

    /// Records every step from now on in a journal; to be set before the first step.
    pub fn set_journal(&mut self, journal: Box<dyn Journal + 'j>) {
        self.state.journal = Some(journal);
        self.workers.iter_mut().for_each(|worker| worker.record_notes(true));
    }
}

impl Method for Search<'_> {
    /// There is no upper bound before the first step.
    fn status(&self) -> Status {
        self.state.status()
    }

    fn solution(&self) -> Option<&[u32]> {
        self.state.solution.as_deref()
    }

    fn is_done(&self) -> bool {
        self.state.frontier.len() == 0
    }

    /// Takes the best open region and closes it or opens its parts.
    fn advance(&mut self, stop: &dyn Stop) -> bool {
        let mut region = self.compiled.space.everything();
        self.state.in_flight = vec![None];
        let shared = Mutex::new(&mut self.state);
        let mut thread = Thread { compiled: &self.compiled, worker: &mut self.workers[0], number: 0, shared: &shared };
        let state = lock(&shared);
        let (_state, worked) = thread.step(state, &mut region, None, stop);
        worked
    }

    /// On several threads, if the limits say so; goes on depth first where memory is full.
    fn run(&mut self, limits: &Limits, observer: &dyn Observer) -> StopReason {
        let threads = limits.threads.max(1);
        while self.workers.len() < threads {
            let random = Random::of_thread(self.seed, self.workers.len());
            let mut worker = Worker::new(&self.compiled, random);
            worker.record_notes(self.state.journal.is_some());
            self.workers.push(worker);
        }
        // Rows speed up the search; open regions are what it cannot do without.
        self.compiled.limit_growth(limits.memory.map_or(usize::MAX, |limit| limit / ROW_SHARE));
        self.state.in_flight = vec![None; threads];
        self.state.stopped = None;
        let run = RunContext { limits, observer, first_step: self.state.steps, idle: Condvar::new() };
        let shared = Mutex::new(&mut self.state);
        let workers = self.workers[..threads].iter_mut().enumerate();
        let (compiled, shared, run) = (&self.compiled, &shared, &run);
        let mut workers = workers.map(|(number, worker)| Thread { compiled, worker, number, shared });
        let first = workers.next().expect("at least one thread");
        std::thread::scope(|scope| {
            for thread in workers {
                // Where the system has no more threads to give, the search goes on with those it gave.
                let _ = std::thread::Builder::new().spawn_scoped(scope, move || thread.run(run));
            }
            first.run(run);
        });
        self.state.stopped.unwrap_or(StopReason::Optimal)
    }
}

impl SharedState<'_> {
    fn upper(&self) -> Option<Value> {
        let open = self.frontier.bound().max(self.in_flight.iter().flatten().copied().max());
        match open {
            Some(Value::MAX) => None,
            Some(bound) => Some(bound.max(self.incumbent.ceiling())),
            None => Some(self.incumbent.ceiling()),
        }
    }

    fn status(&self) -> Status {
        Status {
            lower: self.incumbent.is_attained.then_some(self.incumbent.value),
            upper: self.upper(),
            steps: self.steps,
            open: self.frontier.len(),
            memory: self.frontier.bytes(),
        }
    }
}

/// The limits and observer of a run.
struct RunContext<'r> {
    limits: &'r Limits,
    observer: &'r dyn Observer,
    first_step: u64,
    /// Threads that wait for regions to open.
    idle: Condvar,
}

/// One thread of a run.
struct Thread<'t, 'm, 'j> {
    compiled: &'t CompiledProblem,
    worker: &'t mut Worker,
    number: usize,
    shared: &'t Shared<'m, 'j>,
}

type Shared<'m, 'j> = Mutex<&'m mut SharedState<'j>>;
type Locked<'s, 'm, 'j> = MutexGuard<'s, &'m mut SharedState<'j>>;

fn lock<'s, 'm, 'j>(shared: &'s Shared<'m, 'j>) -> Locked<'s, 'm, 'j> {
    shared.lock().expect("no thread panics while it holds the state")
}

impl<'t, 'm, 'j> Thread<'t, 'm, 'j> {
    /// Expands a region while the state is unlocked. What is left of it must be given back, to the frontier or to a
    /// stack whose bound is `in_flight`. Returns that, or none if it was abandoned and all of it is left; and whether a better
    /// point was found.
    fn expand(
        &mut self,
        mut state: Locked<'t, 'm, 'j>,
        (number, case, bound): (u64, u32, Value),
        in_flight: Value,
        region: &mut Region,
        stop: &dyn Stop,
    ) -> (Locked<'t, 'm, 'j>, Option<Vec<PartBound>>, bool) {
        state.steps += 1;
        state.in_flight[self.number] = Some(in_flight);
        // Found by another thread.
        let is_news = self.worker.incumbent != state.incumbent;
        let news = state.solution.as_ref().filter(|_| is_news).cloned();
        self.worker.incumbent = state.incumbent;
        drop(state);
        if let Some(point) = news {
            self.worker.follow(self.compiled, &point);
        }
        let parts = self.worker.expand(self.compiled, (case, bound), region, stop);
        let mut state = lock(self.shared);
        let value = self.worker.incumbent.value;
        let found = self.worker.found.take().filter(|_| state.incumbent.is_improved_by(value));
        let improved = found.is_some();
        if improved {
            state.incumbent = self.worker.incumbent;
            state.solution = found;
        }
        let Ok(parts) = parts else {
            // What the region has lost meanwhile is known to be of no use, but not why: that is told to nobody.
            self.worker.notes.take();
            state.steps -= 1;
            state.stopped.get_or_insert(StopReason::Interrupted);
            return (state, None, improved);
        };
        if let Some(journal) = &mut state.journal {
            journal.record(number, &self.worker.notes.take());
        }
        (state, Some(parts), improved)
    }

    /// Expands the best open region. `None` if there is none.
    fn step(
        &mut self,
        mut state: Locked<'t, 'm, 'j>,
        region: &mut Region,
        run: Option<&RunContext<'_>>,
        stop: &dyn Stop,
    ) -> (Locked<'t, 'm, 'j>, bool) {
        let Some(open) = state.frontier.take(&self.compiled.space, region) else { return (state, false) };
        let Ranked { bound, number, item: OpenPart { case, .. } } = open;
        let is_full = |limit: usize| state.frontier.used() + self.compiled.grown_bytes() >= room_in(limit);
        if let Some(run) = run
            && run.limits.memory.is_some_and(is_full)
        {
            return (self.depth_first(state, (number, case, bound), region, run), true);
        }
        let (mut state, parts, improved) = self.expand(state, (number, case, bound), bound, region, stop);
        let (space, frontier) = (&self.compiled.space, &mut state.frontier);
        match parts {
            Some(parts) => frontier.open(space, region, case, &parts),
            None => frontier.open_numbered(space, region, case, number, &[(bound, None)]),
        }
        state.in_flight[self.number] = None;
        if let Some(run) = run {
            run.check(&mut state, improved);
        }
        (state, true)
    }

    /// Searches one region to its end with a stack, which stays small: for when memory is full. If the run is
    /// stopped, what is left on the stack is opened again.
    fn depth_first(
        &mut self,
        mut state: Locked<'t, 'm, 'j>,
        (number, case, bound): (u64, u32, Value),
        region: &mut Region,
        run: &RunContext<'_>,
    ) -> Locked<'t, 'm, 'j> {
        let space = &self.compiled.space;
        let mut stack = vec![(bound, number, space.pack(region))];
        while let Some((bound, number, packed)) = stack.pop() {
            space.unpack(&packed, region);
            let in_flight = stack.iter().map(|(bound, ..)| *bound).fold(bound, Value::max);
            let (after, parts, improved) = self.expand(state, (number, case, bound), in_flight, region, run.observer);
            state = after;
            let mut parts: Vec<(u64, PartBound)> = match parts {
                Some(parts) => parts.into_iter().map(|part| (state.frontier.number(), part)).collect(),
                None => vec![(number, (bound, None))],
            };
            // The better part last, so that it is searched first.
            parts.sort_by_key(|(_, (bound, _))| *bound);
            for (number, (bound, cut)) in parts {
                let mut part = region.clone();
                if let Some((cut, which)) = cut {
                    space.keep(&mut part, cut, which);
                }
                stack.push((bound, number, space.pack(&part)));
            }
            state.in_flight[self.number] = stack.iter().map(|(bound, ..)| *bound).max();
            run.check(&mut state, improved);
            if state.stopped.is_some() {
                for (bound, number, packed) in stack.drain(..) {
                    space.unpack(&packed, region);
                    state.frontier.open_numbered(space, region, case, number, &[(bound, None)]);
                }
            }
        }
        state.in_flight[self.number] = None;
        state
    }

    fn run(mut self, run: &RunContext<'_>) {
        let _guard = PanicGuard { shared: self.shared, run };
        let mut region = self.compiled.space.everything();
        let mut state = lock(self.shared);
        while state.stopped.is_none() {
            let (after, worked) = self.step(state, &mut region, Some(run), run.observer);
            state = after;
            if worked {
                run.idle.notify_all();
            } else if state.in_flight.iter().all(Option::is_none) {
                state.stopped = Some(StopReason::Optimal);
            } else {
                state = run.idle.wait(state).expect("no thread panics while it holds the state");
            }
        }
        drop(state);
        run.idle.notify_all();
    }
}

/// Ends a run in which a thread panics, so that no other waits for it for ever.
struct PanicGuard<'g, 'm, 'j> {
    shared: &'g Shared<'m, 'j>,
    run: &'g RunContext<'g>,
}

impl Drop for PanicGuard<'_, '_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            if let Ok(mut state) = self.shared.lock() {
                state.stopped.get_or_insert(StopReason::Interrupted);
            }
            self.run.idle.notify_all();
        }
    }
}

impl RunContext<'_> {
    /// Notes whether a limit is reached or the observer says stop: the one place where that is decided.
    fn check(&self, state: &mut SharedState<'_>, improved: bool) {
        let status = state.status();
        if let Some(reason) = self.limits.reached(&status, status.steps - self.first_step) {
            state.stopped.get_or_insert(reason);
        }
        if improved || status.steps.is_multiple_of(OBSERVE_EVERY) || state.stopped.is_some() {
            let solution = state.solution.as_deref().filter(|_| improved);
            if !self.observer.observe(&status, solution) {
                state.stopped.get_or_insert(StopReason::Interrupted);
            }
        }
    }
}
