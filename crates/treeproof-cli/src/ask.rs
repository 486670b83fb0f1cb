//! Asking a question: from a task to a report, and from the report to text.

use std::io::Write;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use treeproof::outputs::{Outputs, PROOF};
use treeproof::sources::{self, AskError, InputFiles, files_of};
use treeproof::task::{Question, Task};
use treeproof_render::{Content, Spelling};
use treeproof_report::{About, Report, SavedAnswer};

use crate::args::{AskArgs, OutputArgs, ReadingArgs, TableArgs};
use crate::exit::{Done, exit_code};
use crate::files::{self, Files};
use crate::page::PageFile;
use crate::progress::{self, Progress};
use crate::table::TableFile;
use crate::task_source::TaskSource;
use crate::{about, hint, output, proof_file, style};

/// Asks the question of flags.
pub(crate) fn run(task: Task, args: &AskArgs) -> anyhow::Result<Done> {
    ask(task, &args.model.reading, (&args.output, &TableArgs::default()), TaskSource::Flags)
}

/// Asks the question of flags, with a table of rows.
pub(crate) fn run_rows(task: Task, args: &AskArgs, table: &TableArgs) -> anyhow::Result<Done> {
    ask(task, &args.model.reading, (&args.output, table), TaskSource::Flags)
}

/// Asks a question and prints the answer.
pub(crate) fn ask(
    mut task: Task,
    reading: &ReadingArgs,
    (told, table): (&OutputArgs, &TableArgs),
    source: TaskSource<'_>,
) -> anyhow::Result<Done> {
    task.reading = reading.said().over(task.reading);
    task.set_defaults();
    task.validate().map_err(|error| source.locate_in(error, &task))?;
    if told.print_task {
        return print_task(&task);
    }
    // A bad path must fail before the search, not after it.
    let own = if let TaskSource::File(file) = source { Some(file) } else { None };
    let mut outputs = Outputs::new(files_of(&task).chain(own), told.force.force);
    let table = table.output.as_deref().map(|path| TableFile::create(path, &task, &mut outputs)).transpose()?;
    let page = told.report.as_deref().map(|path| PageFile::create("--report", path, &mut outputs)).transpose()?;
    let mut open = |option, path: &Option<PathBuf>, kind| {
        path.as_deref().map(|path| outputs.open(option, path, kind)).transpose().map_err(files::refused)
    };
    let (proof, trace) = (open("--proof", &told.proof, PROOF)?, open("--trace", &told.trace, progress::TRACE)?);
    let inputs = InputFiles::default();
    let since = Instant::now();
    let reading = progress::reading(told.json, task.model.as_deref().into_iter());
    let query = sources::read(task.clone(), &Files { source, inputs: &inputs }).map_err(|error| match error {
        AskError::Model(error) => files::perhaps_swapped(error, task.data.as_deref(), &task.reading),
        error => source.locate_unread(error),
    })?;
    let other = if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None };
    let models = || task.model.as_deref().into_iter().chain(other);
    inputs.forget_table();
    let begin = |file| proof_file::begin(file, task.question.name(), models(), &task.reading, &inputs);
    let proof = proof.map(begin).transpose()?;
    let facts = about::models(models().zip(query.models()), &inputs);
    drop(reading);
    let progress = Progress::new((told, trace), since)?.proving(proof);
    progress.tell_models(models().zip(query.models()));
    let report = query.run_with(&progress).map_err(|error| source.locate_in(error, &task))?;
    progress.tell_ends(&report);
    // A failure to write beside the answer does not suppress the answer.
    let written = progress.finish();
    let groups = task.groups_in(query.models()[0])?;
    let mut about = about::about(facts);
    about::add_task(&mut about, &task.with_names(&query.models()), &query.models(), &groups);
    let (code, saved) = saved(report, about, &progress);
    let kept = table.map_or(Ok(()), |table| table.write(&saved, &task, query.models()[0]));
    if !told.json {
        hint::tell(query.models()[0], &groups, &query.all_rows());
    }
    tell(&saved, code, told, page)?;
    let saved = told.is_kept.then_some(saved);
    written.and(kept).map(|()| Done { code, saved })
}

/// An answer with its exit code, its origin and the improvement of its bounds.
pub(crate) fn saved(report: Report, mut about: About, progress: &Progress) -> (u8, SavedAnswer) {
    let trace = progress.recorded();
    about.trace = if report.is_of_one_search() { trace } else { vec![] };
    (exit_code(&report), SavedAnswer { report: report.into(), about })
}

/// Prints an answer, as JSON or in words, and writes its page, if there is one.
pub(crate) fn tell(saved: &SavedAnswer, code: u8, told: &OutputArgs, page: Option<PageFile>) -> anyhow::Result<()> {
    if told.json {
        let text = output::json(saved)? + "\n";
        output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    } else {
        let content = Content::of(&saved.report, &saved.about, Spelling::Flags);
        output::written(anstream::stdout().write_all(style::answer(&content, code).as_bytes()))?;
    }
    page.map_or(Ok(()), |page| page.write(saved))
}

/// Prints a task.
pub(crate) fn print_task(task: &impl Serialize) -> anyhow::Result<Done> {
    // A file name may be no UTF-8.
    let task = serde_json::to_string_pretty(task).context("--print-task")?;
    output::written(writeln!(std::io::stdout(), "{task}")).map(|()| Done::new(0))
}
