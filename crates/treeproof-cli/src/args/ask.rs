//! The flags of every question about a region: the model, the region, the limits, the output.

use std::path::PathBuf;

use clap::Args;
use treeproof::task::{Bytes, GroupColumns, Question, Span, Task, TaskLimits};

use super::{CellArgs, ModelArgs, count, whole};

/// What the help text of every such question says about regions.
macro_rules! regions_help {
    () => {
        "Conditions: `age >= 30`, `30 <= age < 50`, `sex == 1`, `colour in {red, blue}`, `missing(x)`, `maybemissing(x)`, \
         `2*x - y <= 5`, `atmost(2, word_*)`, `integer(age)`, joined by `and`, `or`, `not`, `implies`; names that are no plain words \
         in backquotes, or f0, f1, … by position. docs/constraints.md is the manual.\n\n\
         Without --where and --domain every finite number and every known category is allowed, missing is not. --domain DATA \
         keeps to the ranges, whole numbers, categories and missing values that occur in data, and is recommended: inputs far \
         outside the data convince nobody."
    };
}
pub(super) use regions_help;

#[derive(Args)]
pub(crate) struct AskArgs {
    #[command(flatten)]
    pub(crate) model: ModelArgs,
    /// The class, by name or number, whose margin is meant; needed where the model has several.
    #[arg(long, value_name = "K")]
    class: Option<String>,
    /// A condition on the input; may be given several times, and all must hold.
    #[arg(long = "where", value_name = "EXPR", allow_hyphen_values = true)]
    conditions: Vec<String>,
    /// Columns that are one feature, as in sex='sex_*': exactly one of them is 1, all others 0; may be given several times. A
    /// pattern after `!` leaves columns out.
    #[arg(long = "group", value_name = "NAME=GLOB", value_parser = group)]
    groups: Vec<(String, String)>,
    /// Confine each feature to what occurs in this data: its range, whether all its numbers are whole, its categories, and
    /// whether it is ever missing.
    #[arg(long, value_name = "DATA")]
    domain: Option<PathBuf>,
    #[command(flatten)]
    cells: CellArgs,
    #[command(flatten)]
    limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
}

/// What bounds every search.
#[derive(Args)]
pub(crate) struct LimitArgs {
    /// Stop after this time, as in 500ms, 30s, 2min; 60s by default, over DATA 10s for each row.
    #[arg(long, value_name = "TIME", allow_hyphen_values = true, help_heading = "Limits")]
    time: Option<Span>,
    /// Memory for what is open, as in 500MB or 4GiB; half of the machine's by default.
    #[arg(long, value_name = "SIZE", allow_hyphen_values = true, help_heading = "Limits")]
    memory: Option<Bytes>,
    /// Threads; all cores by default, and over DATA shared by the rows. With one, every run takes the same steps.
    #[arg(long, value_name = "N", value_parser = count, allow_hyphen_values = true, help_heading = "Limits")]
    threads: Option<usize>,
    /// Where random numbers begin, 0 by default: they change how soon good inputs are found, never what is proved.
    #[arg(long, value_name = "N", value_parser = whole, allow_hyphen_values = true, help_heading = "Limits")]
    seed: Option<u64>,
}

/// How the answer is told.
#[derive(Args)]
pub(crate) struct OutputArgs {
    /// Print one JSON object and nothing else.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Write a line of JSON to this file whenever a bound improves; over DATA, whenever a row is answered.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) trace: Option<PathBuf>,
    /// Write a proof of the answer to this file, which `treeproof check` validates without the search.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a page about the answer to this file: what was proved and what was not, with plots and tables, in one HTML file.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
    /// Say on standard error what is read, what is left to search, how bounds improve and why it ends.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
    /// Print the task that these flags mean, and do not run it.
    #[arg(long, help_heading = "Output")]
    pub(crate) print_task: bool,
    /// Whether the caller wants the answer itself.
    #[arg(skip)]
    pub(crate) is_kept: bool,
}

/// Permission to overwrite.
#[derive(Args)]
pub(crate) struct ForceArgs {
    /// Overwrite files of other kinds. By default a proof replaces a proof, a page a page, and any other file is kept; a file
    /// that is read is never overwritten.
    #[arg(long, help_heading = "Output")]
    pub(crate) force: bool,
}

/// Where the answers about rows go, beside what is printed.
#[derive(Args, Default)]
pub(crate) struct TableArgs {
    /// Also write the answers about rows to this file, one line each: .csv, .parquet, or .json as --json prints it. After
    /// Ctrl-C it has the rows that were answered.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) output: Option<PathBuf>,
}

impl AskArgs {
    /// The task that the flags mean.
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
    /// Sets what is given.
    pub(crate) fn set(&self, limits: &mut TaskLimits) {
        limits.time = self.time.or(limits.time);
        limits.memory = self.memory.or(limits.memory);
        limits.threads = self.threads.or(limits.threads);
        limits.seed = self.seed.unwrap_or(limits.seed);
    }
}

/// A group and a pattern of its columns.
fn group(text: &str) -> Result<(String, String), &'static str> {
    let (name, pattern) = text.split_once('=').ok_or("write NAME=GLOB, as in sex='sex_*'")?;
    match (name.trim(), pattern.trim()) {
        ("", _) | (_, "") => Err("write NAME=GLOB, as in sex='sex_*'"),
        (name, pattern) => Ok((name.to_owned(), pattern.to_owned())),
    }
}
