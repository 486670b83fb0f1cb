//! When a search ends before it is done.

use std::sync::Mutex;
use std::time::Duration;

use treeproof_search::{Observer, Status, Stop};

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

impl Clock<'_> {
    /// Notes why the search ends, if it does. Once it has ended it does not go on.
    fn end(&self, is_target: bool) -> bool {
        let mut stopped = self.stopped.lock().expect("no thread panics while it holds this");
        if stopped.is_none() {
            *stopped = match () {
                () if is_target => Some(Stopped::Target),
                () if self.asked.start.elapsed() >= self.time => Some(Stopped::Time),
                () if !(self.asked.watch)() => Some(Stopped::Interrupted),
                () => None,
            };
        }
        stopped.is_some()
    }
}

impl Stop for Clock<'_> {
    fn is_stopped(&self) -> bool {
        self.end(false)
    }
}

impl Observer for Clock<'_> {
    fn observe(&self, _: &Status, solution: Option<&[u32]>) -> bool {
        !self.end(self.stops_at_once && solution.is_some())
    }
}
