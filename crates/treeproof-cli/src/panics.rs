//! Panics, reported on one line. The Parquet decoder panics on some damaged files, which becomes an error there, so that the hook
//! must be silent. An uncaught panic is a defect of treeproof and is reported as one.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;

/// The place of the last panic, which the payload that [`guard`] catches lacks.
static PLACE: Mutex<Option<String>> = Mutex::new(None);

/// Replaces the panic hook by one that only stores the place.
pub(crate) fn silence() {
    std::panic::set_hook(Box::new(|info| {
        if let Ok(mut place) = PLACE.lock() {
            *place = info.location().map(|location| format!("{}:{}", location.file(), location.line()));
        }
    }));
}

/// Runs a command; a panic in it becomes an error.
pub(crate) fn guard<T>(command: impl FnOnce() -> anyhow::Result<T>) -> anyhow::Result<T> {
    catch_unwind(AssertUnwindSafe(command)).unwrap_or_else(|payload| Err(report(payload.as_ref())))
}

fn report(payload: &(dyn Any + Send)) -> anyhow::Error {
    let text = payload.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no message");
    let place = PLACE.lock().ok().and_then(|mut place| place.take());
    let place = place.map(|place| format!(" at {place}")).unwrap_or_default();
    anyhow::anyhow!("internal error{place}: {text}; please report it with the command and the files")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_an_error_and_results_pass_through() {
        let error = guard::<()>(|| panic!("seven is {}", 7)).unwrap_err().to_string();
        assert_eq!(error, "internal error: seven is 7; please report it with the command and the files");
        assert_eq!(guard(|| Ok(7)).unwrap(), 7);
        assert_eq!(guard::<()>(|| anyhow::bail!("bad")).unwrap_err().to_string(), "bad");
    }
}
