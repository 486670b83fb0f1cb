//! `treeproof solve`: a task in a file, of either form.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use treeproof::task::{GeneralTask, Question, Task, TaskFile};
use treeproof::{ObservedInputs, solve_general};
use treeproof_ensemble::ensemble::Ensemble;

use crate::args::SolveArgs;
use crate::ask::{self, Source};
use crate::files::{self, Folder};
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
    let mut models = args.models.iter().cloned();
    let folder = Folder::of(&args.task);
    folder.locate_all(&mut task);
    task.model = models.next().or(task.model);
    if let Question::Diff(diff) = &mut task.question {
        diff.other_model = models.next().or(diff.other_model.take());
    }
    refuse_surplus(models.next().is_some(), if matches!(task.question, Question::Diff(_)) { 2 } else { 1 }, args)?;
    args.limits.set(&mut task.limits);
    ask::ask(task, &args.reading, (&args.output, &args.table), Source::File(&args.task))
}

fn general(mut task: GeneralTask, args: &SolveArgs) -> anyhow::Result<ExitCode> {
    let source = Source::File(&args.task);
    let located = |error| source.locate(error);
    anyhow::ensure!(args.table.output.is_none(), "--output: no rows are asked about by the general form");
    task.validate().map_err(located)?;
    refuse_surplus(args.models.len() > task.models.len(), task.models.len(), args)?;
    let folder = Folder::of(&args.task);
    let mut given = args.models.iter().cloned();
    for file in task.models.values_mut() {
        folder.locate(file.as_mut());
        *file = given.next().or(file.take());
    }
    for input in task.inputs.values_mut() {
        folder.locate(input.domain.as_mut());
    }
    args.limits.set(&mut task.limits);
    let time = task.time();
    ask::set_defaults(&mut task.limits, time);
    if args.output.print_task {
        return ask::print_task(&task);
    }
    let mut models = vec![];
    for (name, file) in &task.models {
        let file = file.as_deref().with_context(|| {
            format!("{}: the file of the model `{name}` is not named: name it there or after TASK", args.task.display())
        })?;
        models.push(args.reading.load(file)?);
    }
    let models: Vec<&Ensemble> = models.iter().collect();
    let domains = task.domains();
    let mut observed = BTreeMap::new();
    for path in domains.iter().copied().flatten() {
        if !observed.contains_key(path) {
            observed.insert(path, files::observe(path, models[0], source)?);
        }
    }
    let of_input = |input: usize| domains.get(input).copied().flatten().and_then(|path| observed.get(path));
    let observed = ObservedInputs { first: of_input(0), second: of_input(1) };
    let files = task.models.values().flatten().map(PathBuf::as_path);
    let proof =
        args.output.proof.as_deref().map(|path| check::begin(path, "solve", files, &args.reading)).transpose()?;
    let progress = Progress::new(args.output.trace.as_deref(), args.output.json)?.proving(proof);
    let report = solve_general(&task, &models, observed, &progress).map_err(located)?;
    let written = progress.finish();
    let code = ask::tell(&report, args.output.json, || answer::describe_general(&report, &models, &task))?;
    written.map(|()| code)
}

fn refuse_surplus(is_surplus: bool, most: usize, args: &SolveArgs) -> anyhow::Result<()> {
    let models = if most == 1 { "one model" } else { "two models" };
    anyhow::ensure!(!is_surplus, "{}: the task is about {models}, but more are given", args.task.display());
    Ok(())
}
