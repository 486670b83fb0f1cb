//! `treeproof solve`: a task in a file, of either form.

use std::path::PathBuf;
use std::process::ExitCode;

use treeproof::sources::{Folder, GeneralGiven};
use treeproof::task::{GeneralTask, Task, TaskFile};

use crate::args::SolveArgs;
use crate::ask::{self, Source};
use crate::files::{self, Files};
use crate::progress::Progress;
use crate::{answer, check};

pub(crate) fn run(args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let named = || args.task.display().to_string();
    let text = files::read_text(&args.task)?;
    match TaskFile::read(&text).map_err(|what| anyhow::anyhow!("{}: {what}", named()))? {
        TaskFile::Named(task) => named_question(*task, args),
        TaskFile::General(task) => general(*task, args),
    }
}

fn named_question(mut task: Task, args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let source = Source::File(&args.task);
    Folder::of(&args.task).locate_all(&mut task);
    task.set_models(args.models.iter().cloned()).map_err(|error| source.locate(error))?;
    args.limits.set(&mut task.limits);
    ask::ask(task, &args.reading, (&args.output, &args.table), source)
}

fn general(mut task: GeneralTask, args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let source = Source::File(&args.task);
    let located = |error| source.locate(error);
    anyhow::ensure!(args.table.output.is_none(), "--output: no rows are asked about by the general form");
    task.validate().map_err(located)?;
    Folder::of(&args.task).locate_all_of(&mut task);
    task.set_models(args.models.iter().cloned()).map_err(located)?;
    args.limits.set(&mut task.limits);
    task.set_defaults();
    if args.output.print_task {
        return ask::print_task(&task);
    }
    let files = Files { reading: &args.reading, source };
    let given = GeneralGiven::read(&task, &files).map_err(|error| source.locate_unread(error))?;
    let files = task.models.values().flatten().map(PathBuf::as_path);
    let proof =
        args.output.proof.as_deref().map(|path| check::begin(path, "solve", files, &args.reading)).transpose()?;
    let progress = Progress::new(args.output.trace.as_deref(), args.output.json)?.proving(proof);
    let report = given.answer(&task, &progress).map_err(located)?;
    let written = progress.finish();
    let code = ask::tell(&report, args.output.json, || answer::describe_general(&report, &given.models(), &task))?;
    written.map(|()| code)
}
