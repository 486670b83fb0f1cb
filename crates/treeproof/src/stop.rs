//! The clock of a question: ends work when its time is up, or when it is interrupted.

use std::sync::OnceLock;
use std::time::{Duration, Instant};

use treeproof_search::{Observer, Status, Stop};

use crate::report::Stopped;
use crate::watch::Watcher;

/// The clock of a question. It is asked everywhere: while the question is compiled, prepared and searched. Once it has said
/// that the work ends, it keeps to that.
pub(crate) struct Clock<'a> {
    start: Instant,
    time: Duration,
    watcher: &'a dyn Watcher,
    ended: OnceLock<Stopped>,
}

impl<'a> Clock<'a> {
    /// Ends the work so long after the start, or when the watcher is interrupted.
    pub(crate) fn new(start: Instant, time: Duration, watcher: &'a dyn Watcher) -> Self {
        Self { start, time, watcher, ended: OnceLock::new() }
    }

    /// The reason why the work ends, if it does.
    pub(crate) fn look(&self) -> Option<Stopped> {
        let now = || match () {
            () if self.watcher.is_interrupted() => Some(Stopped::Interrupted),
            () if self.start.elapsed() >= self.time => Some(Stopped::Time),
            () => None,
        };
        self.ended.get().copied().or_else(|| now().map(|why| *self.ended.get_or_init(|| why)))
    }

    /// Ends the work, if nothing has ended it yet.
    pub(crate) fn interrupt(&self) {
        self.ended.get_or_init(|| Stopped::Interrupted);
    }

    /// The reason why the work was ended, if it was.
    pub(crate) fn ended(&self) -> Option<Stopped> {
        self.ended.get().copied()
    }
}

impl Stop for Clock<'_> {
    fn is_stopped(&self) -> bool {
        self.look().is_some()
    }
}

/// Time after the end of a question for facts that are cheap to find.
pub(crate) const GRACE: Duration = Duration::from_millis(150);

/// Ends what is found out after the end of a question.
pub(crate) struct Grace(Instant);

impl Grace {
    pub(crate) fn new() -> Self {
        Self(Instant::now() + GRACE)
    }
}

impl Stop for Grace {
    fn is_stopped(&self) -> bool {
        Instant::now() >= self.0
    }
}

impl Observer for Grace {
    fn observe(&self, _: &Status, _: Option<&[u32]>) -> bool {
        !self.is_stopped()
    }
}
