//! The `treeproof` command: parse, run, exit code, without arithmetic or algorithms. It is a library so that the Python package
//! installs the same command.
//!
//! Exit codes: 0 done, 1 violated, 2 bad usage, bad input or an internal error, 3 undecided within the limits, 4 no input meets
//! the conditions. An error is one line on standard error.
//!
//! The modules, lowest first:
//!
//! - `typed`, `output`, `panics`, `style`, `hint`: the command line as typed; standard output; panics as one line; colours; hints
//! - `task_source`, `exit`: the origin of a task, for errors; exit codes
//! - `files`: models and data, with their notes
//! - `args`: commands, flags and help texts
//! - `progress`: the progress line, `--verbose`, the trace, Ctrl-C
//! - `about`, `page`, `table`, `proof_file`: what stands beside an answer: facts, the report, the table of rows, the proof
//! - `ask`: one question, from a task to the printed answer
//! - `solve`, `audit`, `check`, `inspect`, `predict`, `convert`, `completions`, `demo`: the other commands
//! - `usage`: usage errors

mod about;
mod args;
mod ask;
mod audit;
mod check;
mod completions;
mod convert;
mod demo;
mod exit;
mod files;
mod hint;
mod inspect;
mod output;
mod page;
mod panics;
mod predict;
mod progress;
mod proof_file;
mod solve;
mod style;
mod table;
mod task_source;
mod typed;
mod usage;

use std::ffi::OsString;
use std::io::Write;

use clap::Parser;
use clap::error::ErrorKind;

use treeproof::task::Question;

use crate::args::{Command, Treeproof};
use crate::exit::Done;

/// Exit code of bad usage, bad input and internal errors.
const BAD_INPUT: u8 = 2;

/// Runs a command line, the name of the program first, and returns the exit code. It takes over Ctrl-C and the panic hook of the
/// process.
pub fn command_line(typed: Vec<OsString>) -> u8 {
    panics::silence();
    let outcome = match Treeproof::try_parse_from(typed::remember(typed)) {
        Ok(treeproof) => {
            style::set_colours(treeproof.colour);
            panics::guard(|| progress::catch_interrupts().and_then(|()| run(&treeproof.command)))
        }
        Err(error) if !error.use_stderr() => {
            // `--help` and `--version` are answers, not errors, even if the reader closes the pipe early.
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
            // A failure to print the error is ignored.
            let _ = writeln!(anstream::stderr(), "{}: {line}", style::paint(style::BAD.bold(), "treeproof"));
            BAD_INPUT
        }
    }
}

/// Runs a command that was typed or that the demo shows.
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
