//! Asking a question: from a task to a report, and from the report to text.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;
use treeproof::outputs::{Outputs, PROOF};
use treeproof::sources::{self, AskError, InputFiles, files_of, files_of_general};
use treeproof::task::{Question, Task, TaskFile};
use treeproof_render::{Content, Spelling};
use treeproof_report::SavedAnswer;

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
    answer(&task.into(), (told, table), source)
}

/// Answers a task whose fields are valid, of either form, and shows the answer.
pub(crate) fn answer(
    task: &TaskFile,
    (told, table): (&OutputArgs, &TableArgs),
    source: TaskSource<'_>,
) -> anyhow::Result<Done> {
    if told.print_task {
        return match task {
            TaskFile::Named(task) => print_task(task),
            TaskFile::General(task) => print_task(task),
        };
    }
    let (files, models): (Vec<&Path>, Vec<&Path>) = match task {
        TaskFile::Named(task) => (files_of(task).collect(), models_of(task).collect()),
        TaskFile::General(task) => {
            (files_of_general(task).collect(), task.models.values().flatten().map(PathBuf::as_path).collect())
        }
    };
    // A bad path must fail before the search, not after it.
    let own = if let TaskSource::File(file) = source { Some(file) } else { None };
    let mut outputs = Outputs::new(files.into_iter().chain(own), told.force.force);
    let table = match task {
        TaskFile::Named(task) => table.output.as_deref().map(|path| TableFile::create(path, task, &mut outputs)),
        TaskFile::General(_) => None,
    };
    let table = table.transpose()?;
    let page = told.report.as_deref().map(|path| PageFile::create("--report", path, &mut outputs)).transpose()?;
    let mut open = |option, path: &Option<PathBuf>, kind| {
        path.as_deref().map(|path| outputs.open(option, path, kind)).transpose().map_err(files::refused)
    };
    let (proof, trace) = (open("--proof", &told.proof, PROOF)?, open("--trace", &told.trace, progress::TRACE)?);
    let inputs = InputFiles::default();
    let since = Instant::now();
    let reading = progress::reading(told.json, models.iter().copied());
    let query =
        sources::read(task.clone(), &Files { source, inputs: &inputs }).map_err(|error| match (error, task) {
            (AskError::Model(error), TaskFile::Named(task)) => {
                files::perhaps_swapped(error, task.data.as_deref(), &task.reading)
            }
            (error, _) => source.locate_unread(error),
        })?;
    inputs.forget_table();
    let read_as = match task {
        TaskFile::Named(task) => &task.reading,
        TaskFile::General(task) => &task.reading,
    };
    let begin = |file| proof_file::begin(file, task.name(), models.iter().copied(), read_as, &inputs);
    let proof = proof.map(begin).transpose()?;
    let ensembles = query.models();
    let models = || models.iter().copied().zip(ensembles.iter().copied());
    let facts = about::models(models(), &inputs);
    drop(reading);
    let progress = Progress::new((told, trace), since)?.proving(proof);
    progress.tell_models(models());
    let report = query.run_with(&progress).map_err(|error| match task {
        TaskFile::Named(task) => source.locate_in(error, task),
        TaskFile::General(_) => source.locate(error),
    })?;
    progress.tell_ends(&report);
    // A failure to write beside the answer does not suppress the answer.
    let written = progress.finish();
    let groups = task.groups_in(ensembles[0])?;
    let mut about = about::about(facts);
    match task {
        TaskFile::Named(task) => about::add_task(&mut about, &task.with_names(&ensembles), &ensembles, &groups),
        TaskFile::General(task) => about::add_task(&mut about, &task.with_names(&ensembles), &ensembles, &groups),
    }
    let trace = progress.recorded();
    about.trace = if report.is_of_one_search() { trace } else { vec![] };
    let (code, saved) = (exit_code(&report), SavedAnswer { report: report.into(), about });
    let kept = match (table, task) {
        (Some(table), TaskFile::Named(task)) => table.write(&saved, task, ensembles[0]),
        _ => Ok(()),
    };
    if !told.json && matches!(task, TaskFile::Named(_)) {
        hint::tell(ensembles[0], &groups, &query.all_rows());
    }
    tell(&saved, code, told, page)?;
    written.and(kept).map(|()| Done { code, saved: Some(saved) })
}

/// The models of a question, in order.
fn models_of(task: &Task) -> impl Iterator<Item = &Path> {
    let other = if let Question::Diff(diff) = &task.question { diff.other_model.as_deref() } else { None };
    task.model.as_deref().into_iter().chain(other)
}

/// Prints an answer, as JSON or in words, and writes its page, if there is one.
fn tell(saved: &SavedAnswer, code: u8, told: &OutputArgs, page: Option<PageFile>) -> anyhow::Result<()> {
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
fn print_task(task: &impl Serialize) -> anyhow::Result<Done> {
    // A file name may be no UTF-8.
    let task = serde_json::to_string_pretty(task).context("--print-task")?;
    output::written(writeln!(std::io::stdout(), "{task}")).map(|()| Done::new(0))
}
