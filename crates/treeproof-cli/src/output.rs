//! What every command does with standard output: numbers as text, and failures that say where.

use std::io;

use anyhow::Context;

/// A failure to write the answer, so that the message says what could not be written.
pub(crate) fn written(outcome: io::Result<()>) -> anyhow::Result<()> {
    outcome.context("standard output")
}

/// Whether the reader of our output has seen enough (`treeproof … | head`), which is no error.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &io::Error| error.kind() == io::ErrorKind::BrokenPipe;
    let from_csv = error
        .downcast_ref::<csv::Error>()
        .is_some_and(|error| matches!(error.kind(), csv::ErrorKind::Io(io) if is_pipe(io)));
    from_csv || error.downcast_ref::<io::Error>().is_some_and(is_pipe)
}

/// The shortest text that reads back to the same number, with an exponent where there would be many zeros.
pub(crate) fn number(x: f64) -> String {
    let is_plain = x == 0.0 || !x.is_finite() || (1e-5..1e16).contains(&x.abs());
    if is_plain { x.to_string() } else { format!("{x:e}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_read_back() {
        for (x, text) in [(0.1, "0.1"), (-0.0, "-0"), (1e300, "1e300"), (-2.5e-9, "-2.5e-9"), (12.0, "12")] {
            assert_eq!(number(x), text);
            assert_eq!(number(x).parse::<f64>().unwrap().to_bits(), x.to_bits());
        }
        assert_eq!((number(f64::NAN), number(f64::NEG_INFINITY)), ("NaN".into(), "-inf".into()));
    }
}
