//! From a task to a report, and from the report to text and exit code.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use treeproof::Report;
use treeproof::file_kind::PROOF;
use treeproof::outputs::Outputs;
use treeproof::report::Verdict;
use treeproof::sources::{self, AskError, InputFiles, files_of};
use treeproof::task::{Question, Task, TaskError};
use treeproof_page::{About, Content, Saved, Spelling};

use crate::about::Told;
use crate::args::{AskArgs, OutputArgs, ReadingArgs, TableArgs};
use crate::files::{self, Files};
use crate::page::{self, PageFile};
use crate::progress::{self, Progress};
use crate::table::TableFile;
use crate::{about, check, hint, output, style};

/// Where a task comes from: errors call its fields as they are called there.
#[derive(Clone, Copy)]
pub(crate) enum Source<'a> {
    Flags,
    File(&'a Path),
    /// A check of an audit, by its name.
    Check(&'a Path, &'a str),
}

/// How a command ended.
pub(crate) struct Done {
    /// The exit code.
    pub(crate) code: u8,
    /// The answer, where it was to be kept.
    pub(crate) saved: Option<Saved>,
}

impl Done {
    pub(crate) fn new(code: u8) -> Self {
        Self { code, saved: None }
    }
}

/// Asks what flags mean.
pub(crate) fn run(task: Task, args: &AskArgs) -> anyhow::Result<Done> {
    ask(task, &args.model.reading, (&args.output, &TableArgs::default()), Source::Flags)
}

/// Asks what flags mean, perhaps about rows.
pub(crate) fn run_rows(task: Task, args: &AskArgs, table: &TableArgs) -> anyhow::Result<Done> {
    ask(task, &args.model.reading, (&args.output, table), Source::Flags)
}

/// Asks, and tells the answer.
pub(crate) fn ask(
    mut task: Task,
    reading: &ReadingArgs,
    (told, table): (&OutputArgs, &TableArgs),
    source: Source<'_>,
) -> anyhow::Result<Done> {
    task.reading = reading.said().over(task.reading);
    task.set_defaults();
    task.validate().map_err(|error| source.locate_in(error, &task))?;
    if told.print_task {
        return print_task(&task);
    }
    // A bad path must fail before the search, not after it.
    let own = if let Source::File(file) = source { Some(file) } else { None };
    let mut outputs = Outputs::new(files_of(&task).chain(own), told.force.force);
    let table = table.output.as_deref().map(|path| TableFile::create(path, &task, &mut outputs)).transpose()?;
    let page = told.report.as_deref().map(|path| PageFile::create("--report", path, &mut outputs)).transpose()?;
    let mut open = |option, path: &Option<PathBuf>, kind| {
        path.as_deref().map(|path| outputs.open(option, path, kind)).transpose().map_err(files::refused)
    };
    let (proof, trace) = (open("--proof", &told.proof, PROOF)?, open("--trace", &told.trace, progress::TRACE)?);
    let inputs = InputFiles::default();
    let since = Instant::now();
    let reading = progress::reading(told, task.model.as_deref().into_iter());
    let query = sources::read(task.clone(), &Files { source, inputs: &inputs }).map_err(|error| match error {
        AskError::Model(error) => files::perhaps_swapped(error, task.data.as_deref(), &task.reading),
        error => source.locate_unread(error),
    })?;
    let other = if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None };
    let models = || task.model.as_deref().into_iter().chain(other);
    inputs.forget_table();
    let begin = |file| check::begin(file, task.question.name(), models(), &task.reading, &inputs);
    let proof = proof.map(begin).transpose()?;
    drop(reading);
    let progress = Progress::new((told, trace), since)?.proving(proof);
    progress.tell_models(models().zip(query.models()));
    let report = query.run_with(&progress).map_err(|error| source.locate_in(error, &task))?;
    progress.tell_ends(&report);
    // What cannot be written beside the answer does not take the answer away.
    let written = progress.finish();
    let groups = task.groups_in(query.models()[0])?;
    let mut about = about::about(models().zip(query.models()), &inputs);
    about::add_task(&mut about, &task.with_names(&query.models()), &query.models(), &groups);
    about.trace = about::trace_of(&report, progress.recorded());
    let kept = table.map_or(Ok(()), |table| table.write(&report, &about, &task, query.models()[0]));
    if !told.json {
        hint::tell(query.models()[0], &groups, &query.all_rows());
    }
    let mut done = Done::new(exit_code(&report));
    let saved = tell(report, about, told, page)?;
    done.saved = saved.filter(|_| told.is_kept);
    written.and(kept).map(|()| done)
}

/// Prints a report, as JSON or in words, and writes its page, if there is one. Returns the answer, where it is more than printed.
pub(crate) fn tell(
    report: Report,
    about: About,
    told: &OutputArgs,
    page: Option<PageFile>,
) -> anyhow::Result<Option<Saved>> {
    let code = exit_code(&report);
    if told.json {
        let text = output::json(&Told { answer: &report, about: &about })? + "\n";
        output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
        if page.is_none() && !told.is_kept {
            return Ok(None);
        }
    }
    let saved = Saved { answer: page::value(report)?, about };
    if !told.json {
        let content = Content::of(&saved.answer, &saved.about, Spelling::Flags);
        output::written(anstream::stdout().write_all(style::answer(&content, code).as_bytes()))?;
    }
    page.map_or(Ok(()), |page| page.write(&saved))?;
    Ok(Some(saved))
}

/// Shows a task.
pub(crate) fn print_task(task: &impl Serialize) -> anyhow::Result<Done> {
    // A file name that is no text.
    let task = serde_json::to_string_pretty(task).context("--print-task")?;
    output::written(writeln!(std::io::stdout(), "{task}")).map(|()| Done::new(0))
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
