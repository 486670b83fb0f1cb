//! `treeproof solve`: a task in a file, of either form.

use std::path::PathBuf;
use std::time::Instant;

use treeproof::outputs::{Outputs, PROOF};
use treeproof::sources::{self, Folder, InputFiles, files_of_general};
use treeproof::task::{GeneralTask, Reading, Task, TaskFile};

use crate::args::SolveArgs;
use crate::ask;
use crate::exit::Done;
use crate::files::{self, Files};
use crate::page::PageFile;
use crate::progress::{self, Progress};
use crate::task_source::TaskSource;
use crate::{about, proof_file};

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<Done> {
    let named = || args.task.display().to_string();
    let text = files::read_text(&args.task)?;
    match TaskFile::read(&text).map_err(|what| anyhow::anyhow!("{}: {what}", named()))? {
        TaskFile::Named(task) => named_question(*task, args),
        TaskFile::General(task) => general(*task, args),
    }
}

fn named_question(mut task: Task, args: &SolveArgs) -> anyhow::Result<Done> {
    let source = TaskSource::File(&args.task);
    Folder::of(&args.task).locate_all(&mut task);
    task.set_models(args.models.iter().cloned()).map_err(|error| source.locate(error))?;
    args.limits.set(&mut task.limits);
    task.reading = reading(args).over(task.reading);
    ask::ask(task, &args.reading, (&args.output, &args.table), source)
}

/// Reading options given as flags.
fn reading(args: &SolveArgs) -> Reading {
    Reading { categories: args.cells.said(), ..args.reading.said() }
}

fn general(mut task: GeneralTask, args: &SolveArgs) -> anyhow::Result<Done> {
    let source = TaskSource::File(&args.task);
    let located = |error| source.locate(error);
    anyhow::ensure!(args.table.output.is_none(), "--output: the general form has no rows");
    task.reading = reading(args).over(task.reading);
    task.validate().map_err(located)?;
    Folder::of(&args.task).locate_all_of(&mut task);
    task.set_models(args.models.iter().cloned()).map_err(located)?;
    args.limits.set(&mut task.limits);
    task.set_defaults();
    if args.output.print_task {
        return ask::print_task(&task);
    }
    let named = || task.models.values().flatten().map(PathBuf::as_path);
    let mut outputs = Outputs::new(files_of_general(&task).chain([args.task.as_path()]), args.output.force.force);
    let page = args.output.report.as_deref();
    let page = page.map(|path| PageFile::create("--report", path, &mut outputs)).transpose()?;
    let mut open = |option, path: &Option<PathBuf>, kind| {
        path.as_deref().map(|path| outputs.open(option, path, kind)).transpose().map_err(files::refused)
    };
    let proof = open("--proof", &args.output.proof, PROOF)?;
    let trace = open("--trace", &args.output.trace, progress::TRACE)?;
    let inputs = InputFiles::default();
    let files = Files { source, inputs: &inputs };
    let since = Instant::now();
    let reading = progress::reading(args.output.json, named());
    let query = sources::read(task.clone(), &files).map_err(|error| source.locate_unread(error))?;
    inputs.forget_table();
    let proof = proof.map(|file| proof_file::begin(file, "solve", named(), &task.reading, &inputs)).transpose()?;
    let facts = about::models(named().zip(query.models()), &inputs);
    drop(reading);
    let progress = Progress::new((&args.output, trace), since)?.proving(proof);
    progress.tell_models(named().zip(query.models()));
    let report = query.run_with(&progress).map_err(located)?;
    progress.tell_ends(&report);
    let written = progress.finish();
    let mut about = about::about(facts);
    let groups = task.groups_in(query.models()[0])?;
    about::add_task(&mut about, &task.with_names(&query.models()), &query.models(), &groups);
    let (code, saved) = ask::saved(report, about, &progress);
    ask::tell(&saved, code, &args.output, page)?;
    written.map(|()| Done::new(code))
}
