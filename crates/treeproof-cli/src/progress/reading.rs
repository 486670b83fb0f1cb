//! The progress line while files are read.

use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;

use indicatif::ProgressBar;

use super::PAUSE;

/// Shows the names of files being read, after a pause and until dropped.
pub(crate) struct ReadingLine {
    end: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl ReadingLine {
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
        // Without a thread there is only no line.
        let thread = std::thread::Builder::new().spawn(show).ok();
        Self { end: Some(end), thread }
    }
}

impl Drop for ReadingLine {
    fn drop(&mut self) {
        drop(self.end.take());
        // The line is cleared before something else is written there.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
