//! `treeproof solve`: a task in a file, of either form.

use treeproof::sources::Folder;
use treeproof::task::{GeneralTask, Reading, Task, TaskFile};

use crate::args::SolveArgs;
use crate::exit::Done;
use crate::task_source::TaskSource;
use crate::{ask, files};

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
    ask::answer(&task.into(), (&args.output, &args.table), source)
}
