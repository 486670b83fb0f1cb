//! What every command does with standard output: numbers as text, and failures that say where.

use std::io;

use anyhow::Context;

/// A failure to write the answer, so that the message says what could not be written. A reader that has seen enough
/// (`treeproof … | head`) is none: the exit code says the same whether or not the answer is read to its end.
pub(crate) fn written(outcome: io::Result<()>) -> anyhow::Result<()> {
    match outcome {
        Err(error) if is_pipe(&error) => Ok(()),
        outcome => outcome.context("standard output"),
    }
}

fn is_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// Whether the reader of our output has seen enough, so that nothing more need be computed.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
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
