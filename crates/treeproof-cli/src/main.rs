//! The `treeproof` command: parse, run, exit code. No arithmetic and no algorithm lives here.
//!
//! Exit codes: 0 done, 1 violated, 2 bad usage, bad input or an internal error, 3 undecided within the limits, 4 nothing meets the
//! conditions. An error is one line on standard error.

mod answer;
mod args;
mod ask;
mod audit;
mod check;
mod convert;
mod files;
mod hint;
mod inspect;
mod output;
mod panics;
mod predict;
mod progress;
mod rows;
mod solve;
mod table;
mod usage;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;
use clap::error::ErrorKind;

use treeproof::task::Question;

use crate::args::{Command, Treeproof};

/// Bad usage or bad input; also what treeproof itself got wrong, as then nothing is known about the model either.
const BAD_INPUT: u8 = 2;

fn main() -> ExitCode {
    panics::silence();
    let outcome = match Treeproof::try_parse() {
        Ok(treeproof) => panics::guard(|| run(&treeproof)),
        Err(error) if !error.use_stderr() => {
            // `--help` and `--version` are answers, not errors, even if nobody reads them to the end.
            let _ = error.print();
            return ExitCode::SUCCESS;
        }
        Err(error) => {
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = write!(std::io::stdout(), "{}", error.render());
            }
            Err(anyhow::anyhow!(usage::one_line(&error)))
        }
    };
    match outcome {
        Ok(code) => code,
        Err(error) if output::is_closed_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            let line = format!("{error:#}").replace(|c: char| c.is_control(), " ");
            // Nothing is left to be done if even this fails.
            let _ = writeln!(std::io::stderr(), "treeproof: {line}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

fn run(treeproof: &Treeproof) -> anyhow::Result<ExitCode> {
    let done = |()| ExitCode::SUCCESS;
    match &treeproof.command {
        Command::Inspect(args) => inspect::run(args).map(done),
        Command::Predict(args) => predict::run(args).map(done),
        Command::Convert(args) => convert::run(args).map(done),
        Command::Max(args) => ask::run(args.task(Question::Max), &args.ask),
        Command::Min(args) => ask::run(args.task(Question::Min), &args.ask),
        Command::Range(args) => ask::run(args.task(Question::Range), &args.ask),
        Command::Robust(args) => ask::run_rows(args.task()?, &args.distance.ask, &args.distance.table),
        Command::Closest(args) => ask::run_rows(args.task()?, &args.distance.ask, &args.distance.table),
        Command::Enumerate(args) => ask::run(args.task(), &args.ask),
        Command::Diff(args) => ask::run(args.task(), &args.ask),
        Command::Monotone(args) => ask::run(args.task(), &args.ask),
        Command::Fair(args) => ask::run_rows(args.task(), &args.ask, &args.table),
        Command::Stable(args) => ask::run(args.task()?, &args.ask),
        Command::Dominant(args) => ask::run(args.task()?, &args.ask),
        Command::Solve(args) => solve::run(args),
        Command::Audit(args) => audit::run(args),
        Command::Check(args) => check::run(args),
    }
}
