//! Searches run in a thread of their own while Python's waits: so that it can be interrupted, and can show how far they are.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use pyo3::exceptions::PyKeyboardInterrupt;
use pyo3::prelude::*;

use crate::error;
use crate::model::json;
use crate::watch::Watch;

/// Between two looks at whether somebody pressed Ctrl-C.
const PAUSE: Duration = Duration::from_millis(50);

/// Models may be deep, and Python's own threads have small stacks.
const STACK_BYTES: usize = 16 << 20;

/// Does work that is watched, without holding Python up. The first Ctrl-C asks for the answer so far, the second does not wait for
/// it. `progress` is called now and then with the latest event, as JSON.
pub(crate) fn wait<T: Send + 'static>(
    py: Python<'_>,
    watch: &Arc<Watch>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce() -> T + Send + 'static,
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
            Err(RecvTimeoutError::Disconnected) => return Err(error::internal("a search ended without an answer")),
            Err(RecvTimeoutError::Timeout) => {}
        }
        if let Err(raised) = py.check_signals() {
            if watch.is_stopped() || !raised.is_instance_of::<PyKeyboardInterrupt>(py) {
                watch.stop();
                return Err(raised);
            }
            watch.stop();
        }
        if let (Some(progress), Some(event)) = (progress, watch.latest())
            && let Err(raised) = progress.call1(py, (json(&event)?,))
        {
            watch.stop();
            return Err(raised);
        }
    }
}

/// What a panic said.
fn said(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without words").replace(|c: char| c.is_control(), " ")
}
