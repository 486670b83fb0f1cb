//! Work that takes long, and Python meanwhile: it can be interrupted, and can show how far searches are.
//!
//! A search of several threads has one more, in which Python waits and looks after itself. A search of one thread runs in Python's
//! own, as a small question would spend its time on the change of threads; Python is looked after whenever the search tells
//! something.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error;
use crate::json::json;
use crate::watch::SearchWatch;

/// Between two looks at whether somebody pressed Ctrl-C.
const PAUSE: Duration = Duration::from_millis(50);

/// Models may be deep, and some systems give threads small stacks.
const STACK_BYTES: usize = 16 << 20;

/// Does work that is watched, without holding Python up. The first Ctrl-C asks for the answer so far, the second does not wait for
/// it longer than it must. `progress` is called now and then with the latest event, as JSON.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    watch: &Arc<SearchWatch>,
    progress: Option<Py<PyAny>>,
    is_single: bool,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    match is_single {
        true => run_here(py, watch, progress, work),
        false => run_beside(py, work, || look_after(py, watch, progress.as_ref())),
    }
}

/// Does work that cannot be stopped, without holding Python up. After Ctrl-C nobody waits for it any more.
pub(crate) fn wait_or_abandon<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    run_beside(py, work, || py.check_signals())
}

/// In Python's own thread.
fn run_here<T: Send>(
    py: Python<'_>,
    watch: &Arc<SearchWatch>,
    progress: Option<Py<PyAny>>,
    work: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    let raised = Arc::new(Mutex::new(None));
    let last = Mutex::new(Instant::now());
    // The watch holds its own pulse: it must not hold the watch.
    let (weak, noted) = (Arc::downgrade(watch), Arc::clone(&raised));
    watch.set_pulse(Box::new(move || {
        let Some(watch) = weak.upgrade() else { return };
        let mut last = last.lock().unwrap_or_else(PoisonError::into_inner);
        if last.elapsed() < PAUSE {
            return;
        }
        if let Err(error) = Python::attach(|py| look_after(py, &watch, progress.as_ref())) {
            noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
        *last = Instant::now();
    }));
    let outcome = py.detach(|| catch_unwind(AssertUnwindSafe(work)));
    if let Some(error) = raised.lock().unwrap_or_else(PoisonError::into_inner).take() {
        return Err(error);
    }
    outcome.map_err(|panic| error::internal(&said(&*panic)))
}

/// In a thread of its own. Python is looked after meanwhile; where that fails, the thread is left to itself.
fn run_beside<T: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> T + Send + 'static,
    look_after: impl Fn() -> PyResult<()>,
) -> PyResult<T> {
    let (sender, receiver) = mpsc::sync_channel(1);
    let receiver = Mutex::new(receiver);
    let thread = std::thread::Builder::new().name("treeproof".to_owned()).stack_size(STACK_BYTES);
    // Nobody listens any more to what was not waited for.
    let work = move || drop(sender.send(catch_unwind(AssertUnwindSafe(work))));
    thread.spawn(work).map_err(|error| error::internal(&format!("a thread could not be started: {error}")))?;
    loop {
        let receive = || receiver.lock().unwrap_or_else(PoisonError::into_inner).recv_timeout(PAUSE);
        match py.detach(receive) {
            Ok(Ok(value)) => return Ok(value),
            Ok(Err(panic)) => return Err(error::internal(&said(&*panic))),
            Err(RecvTimeoutError::Disconnected) => return Err(error::internal("a thread ended without an answer")),
            Err(RecvTimeoutError::Timeout) => look_after()?,
        }
    }
}

/// Sees whether somebody pressed Ctrl-C, and shows how far the search is. An error ends the search and is the caller's.
fn look_after(py: Python<'_>, watch: &SearchWatch, progress: Option<&Py<PyAny>>) -> PyResult<()> {
    let show = || match (progress, watch.latest()) {
        (Some(progress), Some(event)) => progress.call1(py, (json(&event)?,)).map(drop),
        _ => Ok(()),
    };
    // Ctrl-C may arrive while it is shown, too: it is about the search.
    py.check_signals().and_then(|()| show()).or_else(|raised| {
        let is_first = !watch.is_stopped() && raised.is_instance_of::<PyKeyboardInterrupt>(py);
        watch.stop();
        if is_first { Ok(()) } else { Err(raised) }
    })
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").replace(|c: char| c.is_control(), " ")
}
