//! Flags of every question about a region: the model, the region, the limits, the output.

use std::path::PathBuf;

use clap::Args;
use treeproof::task::{Bytes, GroupColumns, Question, Span, Task, TaskLimits};

use super::{CellArgs, ModelArgs, count, whole};

/// The paragraph on regions in the help text of every such question.
macro_rules! regions_help {
    () => {
        "Conditions: `age >= 30`, `30 <= age < 50`, `sex == 1`, `colour in {red, blue}`, `missing(x)`, `maybemissing(x)`, \
         `2*x - y <= 5`, `atmost(2, word_*)`, `integer(age)`, joined by `and`, `or`, `not`, `implies`. Put other names than plain words \
         in backquotes, or write f0, f1, … by position. See docs/constraints.md for the syntax.\n\n\
         Without --where and --domain, all finite numbers and all known categories are allowed, but no missing values. \
         --domain DATA restricts inputs to the ranges, integers, categories and missing values that occur in data. It is \
         recommended: answers far outside the data are rarely useful."
    };
}
pub(super) use regions_help;

#[derive(Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// Class whose margin is optimised, by name or number; required if the model has several.
    #[arg(long, value_name = "K")]
    class: Option<String>,
    /// Condition on the input; repeat the flag for several, all of which must hold.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    conditions: Vec<String>,
    /// One-hot columns of one feature, as in sex='sex_*': exactly one of them is 1, all others 0. Repeat the flag for several
    /// groups; a pattern after `!` excludes columns.
    #[arg(long = "group", value_name = "NAME=GLOB", value_parser = group)]
    groups: Vec<(String, String)>,
    /// Restrict each feature to the values in this data: its range, integers only if all are, its categories, and missing only
    /// if it occurs.
    #[arg(long, value_name = "DATA")]
    domain: Option<PathBuf>,
    #[command(flatten)]
    cells: CellArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// The limits of every search.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Time limit, such as 500ms, 30s or 2min (default: 60s; 10s per row of DATA).
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help_heading = "Limits")]
    time: Option<Span>,
    /// Memory limit of the search, such as 500MB or 4GiB (default: half of the machine's memory).
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    memory: Option<Bytes>,
    /// Number of threads (default: all cores; shared by the rows of DATA). With one thread, runs are reproducible.
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true, help_heading = "Limits")]
    threads: Option<usize>,
    /// Random seed (default: 0). It affects how soon good inputs are found, never the proved bounds.
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, help_heading = "Limits")]
    seed: Option<u64>,
}

/// The output of an answer.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// Print the answer as one JSON object.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write a line of JSON to this file whenever a bound improves or, with DATA, a row is answered.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a proof of the answer to this file, for `treeproof check`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a report on the answer to this file: one HTML page with the proved bounds, plots and tables.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
    /// Log to standard error: the files read, the size of the search, improved bounds and the reason for the end.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// Print the task as JSON instead of running it.
    #[arg(long, help_heading = "Output")]
    pub(crate) print_task: bool,
}

/// Permission to overwrite.
#[derive(Args)]
pub(crate) struct ForceArgs {
    /// Overwrite files of other kinds. By default a proof only replaces a proof, a report only a report, and so on. Input files
    /// are never overwritten.
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
}

/// The file of answers about rows.
#[derive(Args, Default)]
pub(crate) struct TableArgs {
    /// Write the answers about rows to this file, one line per row: .csv, .parquet, or .json as printed by --json. After
    /// Ctrl-C it has the rows answered so far.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

impl AskArgs {
    /// The task of the flags.
    pub(super) fn task(&self, question: impl Into<Question>) -> Task {
        let mut task = Task::new(question);
        task.model = Some(self.model.path.clone());
        task.class.clone_from(&self.class);
        task.conditions.clone_from(&self.conditions);
        for (name, pattern) in &self.groups {
            match task.groups.get_mut(name) {
                Some(columns) => columns.add(pattern.clone()),
                None => drop(task.groups.insert(name.clone(), GroupColumns::Like(pattern.clone()))),
            }
        }
        task.domain.clone_from(&self.domain);
        task.reading.categories = self.cells.said();
        self.limits.set(&mut task.limits);
        task
    }
}

impl LimitArgs {
    /// Sets the given limits.
    pub(crate) fn set(&self, limits: &mut TaskLimits) {
        limits.time = self.time.or(limits.time);
        limits.memory = self.memory.or(limits.memory);
        limits.threads = self.threads.or(limits.threads);
        limits.seed = self.seed.unwrap_or(limits.seed);
    }
}

/// Parses a group and a pattern of its columns.
fn group(text: &str) -> Result<(String, String), &'static str> {
    let (name, pattern) = text.split_once('=').ok_or("write NAME=GLOB, as in sex='sex_*'")?;
    match (name.trim(), pattern.trim()) {
        ("", _) | (_, "") => Err("write NAME=GLOB, as in sex='sex_*'"),
        (name, pattern) => Ok((name.to_owned(), pattern.to_owned())),
    }
}
