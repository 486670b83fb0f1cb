//! Questions about a region: a task to a report, the report to text and exit code.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use treeproof::observed::Observed;
use treeproof::report::Verdict;
use treeproof::rows::RowOptions;
use treeproof::task::{Bytes, Task, TaskError};
use treeproof::{Report, solve, solve_rows, solve_two};
use treeproof_ensemble::ensemble::Ensemble;

use crate::args::{AskArgs, ModelArgs};
use crate::progress::Progress;
use crate::{answer, output, rows};

/// Asks about one model.
pub(crate) fn run(task: Task, args: &AskArgs) -> anyhow::Result<ExitCode> {
    ask(task, args, About::One)
}

/// Asks about two models.
pub(crate) fn run_two(task: Task, args: &AskArgs, other: &ModelArgs) -> anyhow::Result<ExitCode> {
    ask(task, args, About::Two(other))
}

/// Asks about one model, and about each row of data if there is any.
pub(crate) fn run_rows(task: Task, args: &AskArgs, data: Option<&Path>) -> anyhow::Result<ExitCode> {
    ask(task, args, data.map_or(About::One, About::Rows))
}

/// What is asked about, beside the first model.
#[derive(Clone, Copy)]
enum About<'a> {
    /// Nothing more.
    One,
    /// Another model.
    Two(&'a ModelArgs),
    /// The rows of a file.
    Rows(&'a Path),
}

fn ask(mut task: Task, args: &AskArgs, about: About<'_>) -> anyhow::Result<ExitCode> {
    let located = |error: TaskError| located(error, args, about);
    task.limits.memory = task.limits.memory.or_else(|| half_of_memory().map(Bytes));
    task.validate().map_err(located)?;
    if args.print_task {
        let task = serde_json::to_string_pretty(&task)?;
        return output::written(writeln!(std::io::stdout(), "{task}")).map(|()| ExitCode::SUCCESS);
    }
    let ensemble = args.model.load()?;
    let mut other = None;
    if let About::Two(model) = about {
        other = Some(model.load()?);
    }
    let mut rows = None;
    if let About::Rows(path) = about {
        let read = rows::read(path, &ensemble, &RowOptions::default())?;
        anyhow::ensure!(!read.is_empty(), "{}: there are no rows to ask about", path.display());
        rows = Some(read);
    }
    let observed = args.domain.as_deref().map(|path| observe(path, &ensemble)).transpose()?;
    // A bad path must fail before the search, not after it.
    let progress = Progress::new(args.trace.as_deref(), args.json)?;
    let report = match (&other, &rows) {
        (Some(other), _) => solve_two(&task, [&ensemble, other], observed.as_ref(), &progress),
        (None, Some(rows)) => solve_rows(&task, &ensemble, rows, observed.as_ref(), &progress),
        (None, None) => solve(&task, &ensemble, observed.as_ref(), &progress),
    };
    let report = report.map_err(located)?;
    let models: Vec<&Ensemble> = [&ensemble].into_iter().chain(&other).collect();
    progress.finish()?;
    let text =
        if args.json { serde_json::to_string(&report)? + "\n" } else { answer::describe(&report, &models, &task) };
    output::written(std::io::stdout().lock().write_all(text.as_bytes()))?;
    Ok(exit_code(&report))
}

pub(crate) fn observe(path: &Path, ensemble: &Ensemble) -> anyhow::Result<Observed> {
    let rows = rows::read(path, ensemble, &RowOptions::default())?;
    let named = || path.display().to_string();
    anyhow::ensure!(!rows.is_empty(), "{}: there are no rows to take a domain from", named());
    Observed::new(format!("--domain {}", named()), &rows, ensemble)
        .map_err(|(row, error)| anyhow::anyhow!("row {row}: {error}"))
        .with_context(named)
}

/// Errors about the model name its file, others the flag.
fn located(error: TaskError, args: &AskArgs, about: About<'_>) -> anyhow::Error {
    let flag = |field: &str| match field {
        // A flag names one, a task lists them.
        "features" => "feature".to_owned(),
        field => field.trim_start_matches("limits.").replace('_', "-"),
    };
    let path = args.model.path.display();
    match error {
        TaskError::Condition(error) => anyhow::anyhow!("--where: {error}"),
        TaskError::Field { field, what } => anyhow::anyhow!("--{} {what}", flag(field)),
        TaskError::Value { field, what } => anyhow::anyhow!("--{}: {what}", flag(field)),
        TaskError::WitnessRefused { .. } => error.into(),
        _ => {
            let files = match (&error, about) {
                (TaskError::Row { .. }, About::Rows(data)) => data.display().to_string(),
                (_, About::Two(other)) => format!("{path} and {}", other.path.display()),
                _ => path.to_string(),
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
pub(crate) fn half_of_memory() -> Option<u64> {
    use sysinfo::{MemoryRefreshKind, RefreshKind, System};
    let system =
        System::new_with_specifics(RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()));
    let total = system.cgroup_limits().map_or(u64::MAX, |limits| limits.total_memory).min(system.total_memory());
    Some(total / 2).filter(|bytes| *bytes > 0)
}
