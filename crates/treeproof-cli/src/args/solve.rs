//! The flags of `solve`.

use std::path::PathBuf;

use clap::Args;

use super::{CellArgs, LimitArgs, OutputArgs, ReadingArgs, TableArgs};

pub(super) const HELP: &str = "Examples:\n  treeproof solve task.json\n  treeproof solve task.json old.ubj new.ubj --time 5min\n\n\
    The general form is the largest sum of margins, each of one of two models at one of two inputs, under conditions that \
    tie the inputs; docs/tasks.md describes it with examples. A task with a `question` gets the same answer as the flags \
    that mean it. File names in a task are relative to the task's own folder.\n\n\
    Exit code: 0 optimal, a target reached or it holds; 1 violated; 3 undecided within the limits; 4 nothing meets the \
    conditions.";

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// The task: JSON.
    #[arg(value_name = "TASK")]
    pub(crate) task: PathBuf,
    /// Models instead of those that the task names, in order of the names.
    #[arg(value_name = "MODEL")]
    pub(crate) models: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) output: OutputArgs,
    #[command(flatten)]
    pub(crate) table: TableArgs,
}
