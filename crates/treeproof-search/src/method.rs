//! The contract of all methods: bounds at every moment, steps, and a run within limits.

mod limits;

pub use self::limits::{Abandoned, Limits, Observer, Status, Stop, StopReason, Unobserved, proceed};
use crate::grid::Value;

/// A way to answer a problem. It can stop after any step and go on at any time.
pub trait Method {
    /// Bounds and effort so far.
    fn status(&self) -> Status;

    /// The best point found: a cell per axis.
    fn solution(&self) -> Option<&[u32]>;

    /// True if nothing is left to do.
    fn is_done(&self) -> bool;

    /// Does a little more. Returns whether there was something that could be done: if not, and it is not done, memory is
    /// full. Where it is abandoned in the midst of that, the bounds are those before it.
    fn advance(&mut self, stop: &dyn Stop) -> bool;

    /// Does a little more, to its end.
    fn step(&mut self) -> bool {
        self.advance(&Unobserved)
    }

    /// The value of the best point found.
    fn lower(&self) -> Option<Value> {
        self.status().lower
    }

    /// No point has a larger value.
    fn upper(&self) -> Option<Value> {
        self.status().upper
    }

    /// Goes on until a limit is reached or the observer says stop. As provided here it takes one step after the other on
    /// one thread, asks the observer after each, and ends where memory is full.
    fn run(&mut self, limits: &Limits, observer: &dyn Observer) -> StopReason {
        let mut status = self.status();
        let first_step = status.steps;
        let mut is_better = status.lower.is_some();
        loop {
            let reached = match () {
                () if self.is_done() => Some(StopReason::Optimal),
                () => limits.reached(&status, status.steps - first_step).or_else(|| {
                    let is_full = limits.memory.is_some_and(|limit| status.memory > limit);
                    is_full.then_some(StopReason::Memory)
                }),
            };
            let solution = self.solution().filter(|_| is_better);
            let goes_on = observer.observe(&status, solution);
            match reached {
                Some(reason) => return reason,
                None if !goes_on => return StopReason::Interrupted,
                None => {}
            }
            if !self.advance(observer) {
                return StopReason::Memory;
            }
            let before = std::mem::replace(&mut status, self.status());
            is_better = status.lower > before.lower;
        }
    }
}
