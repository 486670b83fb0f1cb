//! From a task to a report, and from the report to text and exit code.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use treeproof::Report;
use treeproof::report::Verdict;
use treeproof::sources::{AskError, Given};
use treeproof::task::{Question, Task, TaskError};

use crate::args::{AskArgs, OutputArgs, ReadingArgs, TableArgs};
use crate::files::Files;
use crate::progress::Progress;
use crate::table::TableFile;
use crate::{answer, check, hint, output};

/// Where a task comes from: errors call its fields as they are called there.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Flags,
    File(&'a Path),
    /// A check of an audit, by its name.
    Check(&'a Path, &'a str),
}

/// Asks what flags mean.
pub(crate) fn run(task: Task, args: &AskArgs) -> anyhow::Result<ExitCode> {
    ask(task, &args.model.reading, (&args.output, &TableArgs::default()), Source::Flags)
}

/// Asks what flags mean, perhaps about rows.
pub(crate) fn run_rows(task: Task, args: &AskArgs, table: &TableArgs) -> anyhow::Result<ExitCode> {
    ask(task, &args.model.reading, (&args.output, table), Source::Flags)
}

/// Asks, and tells the answer.
pub(crate) fn ask(
    mut task: Task,
    reading: &ReadingArgs,
    (told, table): (&OutputArgs, &TableArgs),
    source: Source<'_>,
) -> anyhow::Result<ExitCode> {
    task.set_defaults();
    task.validate().map_err(|error| source.locate_in(error, &task))?;
    if told.print_task {
        return print_task(&task);
    }
    // A bad path must fail before the search, not after it.
    let table = table.output.as_deref().map(|path| TableFile::create(path, &task)).transpose()?;
    let given = Given::read(&task, &Files { reading, source }).map_err(|error| source.locate_unread(error))?;
    let other = if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None };
    let models = || task.model.as_deref().into_iter().chain(other);
    let proof =
        told.proof.as_deref().map(|path| check::begin(path, task.question.name(), models(), reading)).transpose()?;
    let progress = Progress::new(told.trace.as_deref(), told.json)?.proving(proof);
    let report = given.answer(&task, &progress).map_err(|error| source.locate_in(error, &task))?;
    // What cannot be written beside the answer does not take the answer away.
    let written = progress.finish();
    let kept = table.map_or(Ok(()), |table| table.write(&report, &task, given.models()[0]));
    if !told.json {
        hint::tell(given.models()[0], &task.groups_in(given.models()[0])?);
    }
    let code = tell(&report, told.json, || answer::describe(&report, &given.models(), &task))?;
    written.and(kept).map(|()| code)
}

/// Prints a report as JSON, or else in words, and says with what code to exit.
pub(crate) fn tell(report: &Report, is_json: bool, words: impl FnOnce() -> String) -> anyhow::Result<ExitCode> {
    let text = if is_json { serde_json::to_string(report)? + "\n" } else { words() };
    output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    Ok(ExitCode::from(exit_code(report)))
}

/// Shows a task.
pub(crate) fn print_task(task: &impl Serialize) -> anyhow::Result<ExitCode> {
    // A file name that is no text.
    let task = serde_json::to_string_pretty(task).context("--print-task")?;
    output::written(writeln!(std::io::stdout(), "{task}")).map(|()| ExitCode::SUCCESS)
}

impl Source<'_> {
    /// An error about what a task names.
    pub(crate) fn locate_unread(self, error: AskError) -> anyhow::Error {
        match (self, error) {
            (_, AskError::Task(error)) => self.locate(error),
            (Self::File(path), AskError::NoModel { name }) => {
                let what = format!("the file of the model `{name}` is not named: name it there or after TASK");
                anyhow::anyhow!("{}: {what}", path.display())
            }
            (_, error) => error.into(),
        }
    }

    /// An error about a field, or the file that it is about.
    pub(crate) fn locate(self, error: TaskError) -> anyhow::Error {
        match (self, error) {
            (_, error @ TaskError::WitnessRefused { .. }) => error.into(),
            // The text of an error has all of its causes.
            (Self::File(path), error) => anyhow::anyhow!("{}: {error}", path.display()),
            (Self::Check(path, name), error) => anyhow::anyhow!("{}: check `{name}`: {error}", path.display()),
            (Self::Flags, TaskError::Condition(error)) => anyhow::anyhow!("--where: {error}"),
            (Self::Flags, TaskError::Field { field, what }) => anyhow::anyhow!("--{} {what}", flag(field)),
            (Self::Flags, TaskError::Value { field, what }) => anyhow::anyhow!("--{}: {what}", flag(field)),
            (Self::Flags, error) => error.into(),
        }
    }

    /// The same; errors about a model or data name their files.
    pub(crate) fn locate_in(self, error: TaskError, task: &Task) -> anyhow::Error {
        if let TaskError::Condition(_)
        | TaskError::Field { .. }
        | TaskError::Value { .. }
        | TaskError::WitnessRefused { .. } = error
        {
            return self.locate(error);
        }
        let model = task.model.as_deref().unwrap_or(Path::new("the model")).display();
        let files = match (&error, &task.question, &task.data) {
            (TaskError::Row { .. }, _, Some(data)) => data.display().to_string(),
            (_, Question::Diff(diff), _) => {
                let other = diff.other_model.as_deref().unwrap_or(Path::new("the other"));
                format!("{model} and {}", other.display())
            }
            _ => model.to_string(),
        };
        anyhow::Error::from(error).context(files)
    }
}

/// The flag that sets a field.
fn flag(field: &str) -> String {
    match field {
        // A flag names one, a task lists them.
        "features" => "feature".to_owned(),
        field => field.trim_start_matches("limits.").replace('_', "-"),
    }
}

/// 0 done or it holds, 1 violated, 3 undecided, 4 nothing meets the conditions.
pub(crate) fn exit_code(report: &Report) -> u8 {
    match report.verdict() {
        Verdict::Infeasible => 4,
        Verdict::Violated => 1,
        _ if report.is_done() => 0,
        _ => 3,
    }
}
