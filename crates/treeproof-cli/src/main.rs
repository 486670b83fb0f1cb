//! The `treeproof` command: parse, run, exit code. No arithmetic and no algorithm lives here.

mod args;
mod convert;
mod inspect;
mod predict;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Command, Treeproof};

/// Bad usage or bad input.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    let outcome = match Treeproof::try_parse() {
        Ok(treeproof) => run(treeproof),
        Err(error) if !error.use_stderr() => {
            // `--help` and `--version` are answers, not errors.
            return if error.print().is_ok() { ExitCode::SUCCESS } else { ExitCode::from(BAD_INPUT) };
        }
        Err(error) => Err(anyhow::anyhow!(args::one_line(&error))),
    };
    match outcome {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let line = format!("{error:#}").replace(|c: char| c.is_control(), " ");
            // Nothing is left to be done if even this fails.
            let _ = writeln!(std::io::stderr(), "treeproof: {line}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn run(treeproof: Treeproof) -> anyhow::Result<ExitCode> {
    match treeproof.command {
        Command::Inspect(args) => inspect::run(&args),
        Command::Predict(args) => predict::run(&args),
        Command::Convert(args) => convert::run(&args),
    }?;
    Ok(ExitCode::SUCCESS)
}

/// The reader of our output has seen enough (`treeproof … | head`).
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let is_pipe = |error: &std::io::Error| error.kind() == std::io::ErrorKind::BrokenPipe;
    let from_csv = error
        .downcast_ref::<csv::Error>()
        .is_some_and(|error| matches!(error.kind(), csv::ErrorKind::Io(io) if is_pipe(io)));
    from_csv || error.downcast_ref::<std::io::Error>().is_some_and(is_pipe)
}
