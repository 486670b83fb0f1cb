//! The observer of a search for the nearest input: it ends at the first point, where any point answers the question.

use std::sync::atomic::{AtomicBool, Ordering};

use treeproof_search::{Observer, Status, Stop};

use crate::report::Stopped;
use crate::stop::Clock;
use crate::watch::{Event, Watcher};

/// Ends a search with its clock, or at the first point.
pub(super) struct FirstPoint<'a> {
    clock: &'a Clock<'a>,
    watcher: &'a dyn Watcher,
    /// True if any point answers the question.
    is_enough: bool,
    is_found: AtomicBool,
}

impl<'a> FirstPoint<'a> {
    pub(super) fn new(clock: &'a Clock<'a>, watcher: &'a dyn Watcher, is_enough: bool) -> Self {
        Self { clock, watcher, is_enough, is_found: AtomicBool::new(false) }
    }

    /// The reason why it has ended a search, if it has.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        if self.is_found.load(Ordering::Relaxed) { Some(Stopped::Target) } else { self.clock.ended() }
    }
}

impl Stop for FirstPoint<'_> {
    fn is_stopped(&self) -> bool {
        self.is_found.load(Ordering::Relaxed) || self.clock.is_stopped()
    }
}

impl Observer for FirstPoint<'_> {
    fn observe(&self, _: &Status, solution: Option<&[u32]>) -> bool {
        if self.is_enough && solution.is_some() && self.clock.ended().is_none() {
            self.is_found.store(true, Ordering::Relaxed);
        }
        if !self.is_stopped() && !self.watcher.watch(&Event::new("closest")) {
            self.clock.interrupt();
        }
        !self.is_stopped()
    }
}
