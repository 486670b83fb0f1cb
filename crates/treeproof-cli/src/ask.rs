//! From a task to a report, and from the report to text and exit code.

use std::io::Write;
use std::process::ExitCode;

use treeproof::Report;
use treeproof::report::Verdict;
use treeproof::task::{Bytes, Question, Span, Task, TaskError};

use crate::args::{AskArgs, OutputArgs, ReadingArgs};
use crate::files::Files;
use crate::progress::Progress;
use crate::{answer, output};

/// Asks what flags mean.
pub(crate) fn run(task: Task, args: &AskArgs) -> anyhow::Result<ExitCode> {
    ask(task, &args.model.reading, &args.output)
}

fn ask(mut task: Task, reading: &ReadingArgs, told: &OutputArgs) -> anyhow::Result<ExitCode> {
    task.limits.memory = task.limits.memory.or_else(|| half_of_memory().map(Bytes));
    task.limits.time = Some(Span(task.time()));
    task.validate().map_err(|error| located(error, &task))?;
    if told.print_task {
        let task = serde_json::to_string_pretty(&task)?;
        return output::written(writeln!(std::io::stdout(), "{task}")).map(|()| ExitCode::SUCCESS);
    }
    let files = Files::read(&task, reading)?;
    // A bad path must fail before the search, not after it.
    let progress = Progress::new(told.trace.as_deref(), told.json)?;
    let report = files.answer(&task, &progress).map_err(|error| located(error, &task))?;
    progress.finish()?;
    let text = match told.json {
        true => serde_json::to_string(&report)? + "\n",
        false => answer::describe(&report, &files.models(), &task),
    };
    output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    Ok(exit_code(&report))
}

/// Errors about the model name its file, others the flag.
fn located(error: TaskError, task: &Task) -> anyhow::Error {
    let flag = |field: &str| match field {
        // A flag names one, a task lists them.
        "features" => "feature".to_owned(),
        field => field.trim_start_matches("limits.").replace('_', "-"),
    };
    match error {
        TaskError::Condition(error) => anyhow::anyhow!("--where: {error}"),
        TaskError::Field { field, what } => anyhow::anyhow!("--{} {what}", flag(field)),
        TaskError::Value { field, what } => anyhow::anyhow!("--{}: {what}", flag(field)),
        TaskError::WitnessRefused { .. } => error.into(),
        _ => {
            let model = task.model.as_deref().unwrap_or("the model");
            let files = match (&error, &task.question, &task.data) {
                (TaskError::Row { .. }, _, Some(data)) => data.clone(),
                (_, Question::Diff(diff), _) => {
                    format!("{model} and {}", diff.other_model.as_deref().unwrap_or("the other"))
                }
                _ => model.to_owned(),
            };
            anyhow::Error::from(error).context(files)
        }
    }
}

fn exit_code(report: &Report) -> ExitCode {
    match report.verdict() {
        Verdict::Infeasible => ExitCode::from(4),
        Verdict::Violated => ExitCode::from(1),
        _ if report.is_done() => ExitCode::SUCCESS,
        _ => ExitCode::from(3),
    }
}

/// Half of the memory that this process may have.
fn half_of_memory() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let system =
        System::new_with_specifics(RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()));
    let total = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory).min(system.total_memory());
    Some(total / 2).filter(|bytes| *bytes > 0)
}
