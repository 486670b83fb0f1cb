//! The `treeproof` command: parse, run, exit code. No arithmetic and no algorithm lives here. It is a library so that the Python
//! package installs the same command.
//!
//! Exit codes: 0 done, 1 violated, 2 bad usage, bad input or an internal error, 3 undecided within the limits, 4 nothing meets the
//! conditions. An error is one line on standard error.

mod about;
mod args;
mod ask;
mod audit;
mod check;
mod completions;
mod convert;
mod demo;
mod files;
mod hint;
mod inspect;
mod output;
mod page;
mod panics;
mod predict;
mod progress;
mod rows;
mod solve;
mod style;
mod table;
mod typed;
mod usage;

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;
use clap::error::ErrorKind;

use treeproof::task::Question;

use crate::args::{Command, Treeproof};
use crate::ask::Done;

/// Bad usage or bad input; also what treeproof itself got wrong, as then nothing is known about the model either.
const BAD_INPUT: u8 = 2;

/// Runs what was typed, the name of the program first, and returns the exit code. Of a process it is the only thing: it takes over
/// Ctrl-C and what panics print.
pub fn command_line(typed: Vec<OsString>) -> u8 {
    panics::silence();
    let outcome = match Treeproof::try_parse_from(typed::remember(typed)) {
        Ok(treeproof) => {
            treeproof.colour.set();
            panics::guard(|| progress::catch_interrupts().and_then(|()| run(&treeproof.command)))
        }
        Err(error) if !error.use_stderr() => {
            // `--help` and `--version` are answers, not errors, even if nobody reads them to the end.
            let _ = error.print();
            return 0;
        }
        Err(error) => {
            if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
                let _ = write!(std::io::stdout(), "{}", error.render());
            }
            Err(anyhow::anyhow!(usage::one_line(&error)))
        }
    };
    match outcome {
        Ok(done) => done.code,
        Err(error) if output::is_closed_pipe(&error) => 0,
        Err(error) => {
            let line = format!("{error:#}").replace(|c: char| c.is_control(), " ");
            // Nothing is left to be done if even this fails.
            let _ = writeln!(anstream::stderr(), "{}: {line}", style::paint(style::BAD.bold(), "treeproof"));
            BAD_INPUT
        }
    }
}

/// Runs a command that was typed, or that the demo shows.
fn run(command: &Command) -> anyhow::Result<Done> {
    let done = |()| Done::new(0);
    match command {
        Command::Demo(args) => demo::run_all(args),
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
        Command::Report(args) => page::run(args).map(done),
        Command::Completions(args) => completions::run(args).map(done),
    }
}
