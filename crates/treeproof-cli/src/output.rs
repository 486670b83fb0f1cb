//! Standard output of every command: failures, JSON, numbers as text.

use std::io;

use anyhow::Context;
use serde::Serialize;

/// The outcome of writing to standard output. A closed pipe (`treeproof … | head`) is no failure: the exit code does not depend
/// on the reader.
pub(crate) fn written(outcome: io::Result<()>) -> anyhow::Result<()> {
    match outcome {
        Err(error) if is_pipe(&error) => Ok(()),
        outcome => outcome.context("standard output"),
    }
}

fn is_pipe(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::BrokenPipe
}

/// True if the reader has closed the pipe: the command can end.
pub(crate) fn is_closed_pipe(error: &anyhow::Error) -> bool {
    let from_csv = error
        .downcast_ref::<csv::Error>()
        .is_some_and(|error| matches!(error.kind(), csv::ErrorKind::Io(io) if is_pipe(io)));
    from_csv || error.downcast_ref::<io::Error>().is_some_and(is_pipe)
}

/// JSON on one line, with control, bidirectional and invisible characters escaped.
pub(crate) fn json(answer: &impl Serialize) -> serde_json::Result<String> {
    Ok(escaped(&serde_json::to_string(answer)?))
}

/// Escapes JSON given as text.
pub(crate) fn escaped(json: &str) -> String {
    let is_hidden = |sign: char| !sign.is_ascii_graphic() && sign != ' ' && sign.escape_debug().len() > 1;
    let mut text = String::with_capacity(json.len());
    for sign in json.chars() {
        if is_hidden(sign) {
            let mut units = [0; 2];
            sign.encode_utf16(&mut units).iter().for_each(|unit| text.push_str(&format!("\\u{unit:04x}")));
        } else {
            text.push(sign);
        }
    }
    text
}

/// The shortest text that reads back to the same number, with an exponent instead of many zeros.
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
