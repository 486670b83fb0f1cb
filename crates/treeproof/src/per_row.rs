//! One question for each of some rows, on several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use treeproof_proof::writer::ProofWriter;

use crate::error::TaskError;
use crate::limits::{Bytes, Span, TaskLimits};
use crate::report::Bounds;
use crate::watch::{Event, Recording, RowsDone, Watcher};

/// Between two looks at whether to go on.
const PAUSE_MILLIS: u64 = 100;

/// A question for each of some rows.
pub(crate) struct PerRow<'a> {
    /// What the question is called in events.
    pub(crate) question: &'static str,
    /// The number of the first row in the data.
    pub(crate) start: usize,
    pub(crate) num_rows: usize,
    pub(crate) threads: usize,
    pub(crate) watcher: &'a dyn Watcher,
}

/// A run over rows.
struct RowRun<'a> {
    rows: &'a PerRow<'a>,
    start: Instant,
    next: AtomicUsize,
    num_done: AtomicUsize,
    /// When the watcher was last asked, in milliseconds since the start.
    last_look: AtomicU64,
    is_stopped: AtomicBool,
}

/// Limits of the search about one of some rows: threads and memory are shared.
pub(crate) fn limits_of_one(limits: &TaskLimits, time: Duration, num_rows: usize) -> TaskLimits {
    let mut limits = limits.clone();
    let at_once = limits.threads().min(num_rows).max(1);
    limits.time = Some(Span(time));
    if at_once > 1 {
        limits.threads = Some((limits.threads() / at_once).max(1));
    }
    limits.memory = limits.memory.map(|memory| Bytes((memory.0 / at_once as u64).max(1)));
    limits
}

impl PerRow<'_> {
    /// Asks about every row, by its place among these; what is told of it has its number in the data. Those that were not asked about when the watcher wanted to stop are left out; all others
    /// are there in order.
    pub(crate) fn ask<T: Send>(
        &self,
        ask: impl Fn(usize, &dyn Watcher) -> Result<T, TaskError> + Sync,
        told: impl Fn(&T) -> Bounds + Sync,
    ) -> Result<Vec<(usize, T)>, TaskError> {
        let run = RowRun {
            rows: self,
            start: Instant::now(),
            next: AtomicUsize::new(0),
            num_done: AtomicUsize::new(0),
            last_look: AtomicU64::new(0),
            is_stopped: AtomicBool::new(false),
        };
        let answers = Mutex::new(vec![]);
        let work = || {
            while let Some(row) = run.next() {
                let number = self.start + row;
                let answer = ask(row, &Recording::part(&run, &format!("row {number}"), number));
                match &answer {
                    Ok(answer) => run.tell(number, &told(answer)),
                    Err(_) => run.is_stopped.store(true, Ordering::Relaxed),
                }
                answers.lock().unwrap_or_else(PoisonError::into_inner).push((number, answer));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..self.threads.min(self.num_rows) {
                scope.spawn(work);
            }
            work();
        });
        let mut answers = answers.into_inner().unwrap_or_else(PoisonError::into_inner);
        answers.sort_by_key(|(row, _)| *row);
        // Of several that fail at once, the first in order is told about.
        let answers = answers.into_iter().map(|(row, answer)| match answer {
            Err(TaskError::Row { what, .. }) => Err(TaskError::Row { row, what }),
            answer => Ok((row, answer?)),
        });
        answers.collect()
    }
}

impl RowRun<'_> {
    /// A row that nobody has asked about.
    fn next(&self) -> Option<usize> {
        let row = self.next.fetch_add(1, Ordering::Relaxed);
        let goes_on = row < self.rows.num_rows && !self.is_stopped.load(Ordering::Relaxed);
        (goes_on && self.look()).then_some(row)
    }

    fn event(&self) -> Event {
        let rows =
            RowsDone { row: None, verdict: None, rows_done: self.num_done(), num_rows: self.rows.num_rows as u64 };
        Event { seconds: self.start.elapsed().as_secs_f64(), rows: Some(rows), ..Event::new(self.rows.question) }
    }

    fn num_done(&self) -> u64 {
        self.num_done.load(Ordering::Relaxed) as u64
    }

    /// Tells that a row is answered.
    fn tell(&self, row: usize, told: &Bounds) {
        self.num_done.fetch_add(1, Ordering::Relaxed);
        let mut event = self.event();
        (event.lower, event.upper, event.is_better) = (told.lower, told.upper, true);
        event.rows = event.rows.map(|rows| RowsDone { row: Some(row), verdict: Some(told.verdict), ..rows });
        self.watch_outer(&event);
    }

    /// Whether to go on. The watcher is not asked more often than people can see.
    fn look(&self) -> bool {
        if self.rows.watcher.is_interrupted() {
            self.is_stopped.store(true, Ordering::Relaxed);
            return false;
        }
        let now = u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX);
        let last = self.last_look.load(Ordering::Relaxed);
        let is_due = now >= last.saturating_add(PAUSE_MILLIS)
            && self.last_look.compare_exchange(last, now, Ordering::Relaxed, Ordering::Relaxed).is_ok();
        if is_due {
            self.watch_outer(&self.event());
        }
        !self.is_stopped.load(Ordering::Relaxed)
    }

    fn watch_outer(&self, event: &Event) {
        if !self.rows.watcher.watch(event) {
            self.is_stopped.store(true, Ordering::Relaxed);
        }
    }
}

/// The search about one row is no news by itself: only its answer is.
impl Watcher for RowRun<'_> {
    fn watch(&self, _: &Event) -> bool {
        self.look()
    }

    fn is_interrupted(&self) -> bool {
        !self.look()
    }

    fn proof(&self) -> Option<&ProofWriter> {
        self.rows.watcher.proof()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    /// Remembers the rows it was told of, and stops after so many.
    struct Counts(Mutex<Vec<usize>>, usize);

    impl Watcher for Counts {
        fn watch(&self, event: &Event) -> bool {
            let mut seen = self.0.lock().unwrap();
            seen.extend(event.rows.and_then(|rows| rows.row));
            seen.len() < self.1
        }
    }

    fn told(_: &usize) -> Bounds {
        Bounds { verdict: Verdict::Holds, ..Bounds::default() }
    }

    #[test]
    fn every_row_is_asked_about_once_and_told_of_once() {
        for threads in [1, 3] {
            let counts = Counts(Mutex::default(), usize::MAX);
            let rows = PerRow { question: "robust", start: 0, num_rows: 20, threads, watcher: &counts };
            let answers = rows.ask(|row, _| Ok(row * row), told).unwrap();
            assert_eq!(answers, (0..20).map(|row| (row, row * row)).collect::<Vec<_>>());
            let mut seen = counts.0.into_inner().unwrap();
            seen.sort_unstable();
            assert_eq!(seen, (0..20).collect::<Vec<_>>());
        }
    }

    #[test]
    fn what_was_answered_before_a_stop_is_kept() {
        let counts = Counts(Mutex::default(), 5);
        let rows = PerRow { question: "robust", start: 0, num_rows: 20, threads: 1, watcher: &counts };
        let answers = rows.ask(|row, _| Ok(row), told).unwrap();
        assert_eq!(answers, (0..5).map(|row| (row, row)).collect::<Vec<_>>());
    }

    #[test]
    fn an_error_names_its_row() {
        let rows = PerRow { question: "robust", start: 0, num_rows: 20, threads: 2, watcher: &crate::watch::Unwatched };
        let ask = |row, _: &dyn Watcher| match row {
            7 => Err(TaskError::Row { row: 0, what: "no".to_owned() }),
            row => Ok(row),
        };
        assert_eq!(rows.ask(ask, told).unwrap_err(), TaskError::Row { row: 7, what: "no".to_owned() });
    }

    #[test]
    fn some_of_many_rows_keep_their_numbers() {
        let counts = Counts(Mutex::default(), usize::MAX);
        let rows = PerRow { question: "robust", start: 100, num_rows: 3, threads: 2, watcher: &counts };
        assert_eq!(rows.ask(|row, _| Ok(row), told).unwrap(), [(100, 0), (101, 1), (102, 2)]);
        let refuse = |_, _: &dyn Watcher| Err::<usize, _>(TaskError::Row { row: 0, what: "no".to_owned() });
        assert!(matches!(rows.ask(refuse, told), Err(TaskError::Row { row: 100.., .. })));
        let mut seen = counts.0.into_inner().unwrap();
        seen.sort_unstable();
        assert_eq!(seen, [100, 101, 102]);
    }

    #[test]
    fn rows_share_threads_and_memory() {
        let limits = TaskLimits { threads: Some(8), memory: Some(Bytes(800)), ..TaskLimits::default() };
        let limits = |num_rows| limits_of_one(&limits, Duration::from_secs(10), num_rows);
        assert_eq!((limits(100).threads, limits(100).memory), (Some(1), Some(Bytes(100))));
        assert_eq!((limits(2).threads, limits(2).memory), (Some(4), Some(Bytes(400))));
        assert_eq!(limits(2).time().as_secs(), 10);
    }
}
