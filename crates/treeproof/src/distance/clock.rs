//! When a search ends before it is done.

use std::sync::Mutex;
use std::time::Duration;

use treeproof_search::{Observer, Status};

use super::search::Asked;
use crate::report::Stopped;

/// Ends a search when its time is up, or when there is nothing more to know.
pub(super) struct Clock<'a> {
    asked: &'a Asked<'a>,
    /// Counted from the start of the question.
    time: Duration,
    /// Whether any point answers the question.
    stops_at_once: bool,
    stopped: Mutex<Option<Stopped>>,
}

impl<'a> Clock<'a> {
    pub(super) fn new(asked: &'a Asked<'a>, time: Duration) -> Self {
        Self { asked, time, stops_at_once: false, stopped: Mutex::default() }
    }

    /// Ends a search at the first point, too, if that answers the question.
    pub(super) fn or_at_once(self, stops_at_once: bool) -> Self {
        Self { stops_at_once, ..self }
    }

    /// Why it has ended a search, if it has.
    pub(super) fn stopped(&self) -> Option<Stopped> {
        *self.stopped.lock().expect("no thread panics while it holds this")
    }
}

impl Observer for Clock<'_> {
    fn observe(&self, _: &Status, solution: Option<&[u32]>) -> bool {
        let stopped = match () {
            () if self.stops_at_once && solution.is_some() => Stopped::Target,
            () if self.asked.start.elapsed() >= self.time => Stopped::Time,
            () if !(self.asked.watch)() => Stopped::Interrupted,
            () => return true,
        };
        self.stopped.lock().expect("no thread panics while it holds this").get_or_insert(stopped);
        false
    }
}
