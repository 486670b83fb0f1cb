//! Memory that is given back beside other work.

/// Freeing more allocations than this takes long.
const MANY: usize = 100_000;

/// Frees a value of about this many allocations; many are freed by another thread, so that an answer does not wait.
pub(super) fn free(value: impl Send + 'static, num_allocations: usize) {
    if num_allocations > MANY {
        // Without a thread it is freed here.
        let _ = std::thread::Builder::new().spawn(move || drop(value));
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;
    use std::thread::{self, ThreadId};

    use super::*;

    /// Tells by which thread it was freed.
    struct Tells(mpsc::Sender<ThreadId>);

    impl Drop for Tells {
        fn drop(&mut self) {
            self.0.send(thread::current().id()).expect("somebody listens");
        }
    }

    #[test]
    fn much_is_freed_by_another_thread_and_little_at_once() {
        let (sender, freed) = mpsc::channel();
        free(Tells(sender.clone()), MANY);
        assert_eq!(freed.try_recv(), Ok(thread::current().id()));
        free(Tells(sender), MANY + 1);
        assert_ne!(freed.recv(), Ok(thread::current().id()));
    }
}
