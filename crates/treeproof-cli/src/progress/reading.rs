//! The line that is seen while files are read, which may take long where they are large.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;

use indicatif::ProgressBar;

use super::PAUSE;

/// Shows what is being read, until it is dropped; nothing at all where that is soon.
pub(crate) struct Reading {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Reading {
    /// Shows a text on a line.
    pub(super) fn on(line: ProgressBar, text: String) -> Self {
        if line.is_hidden() {
            return Self { end: None, thread: None };
        }
        let (end, ended) = mpsc::channel();
        let show = move || {
            if ended.recv_timeout(PAUSE) == Err(RecvTimeoutError::Timeout) {
                line.set_message(text);
                // Nothing is sent: the other end is dropped.
                let _ = ended.recv();
            }
            line.finish_and_clear();
        };
        // Without a thread there is no line, and all else is the same.
        let thread = std::thread::Builder::new().spawn(show).ok();
        Self { end: Some(end), thread }
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        drop(self.end.take());
        // The line is cleared before something else is written there.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
