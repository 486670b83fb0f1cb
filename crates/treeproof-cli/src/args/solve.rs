//! Flags of `solve`.

use std::path::PathBuf;

use clap::Args;

use super::{CellArgs, LimitArgs, OutputArgs, ReadingArgs, TableArgs};

pub(super) const HELP: &str = "Examples:\n  treeproof solve task.json\n  treeproof solve task.json old.ubj new.ubj --time 5min\n\n\
    The general form maximises a sum of margins, each of one of two models at one of two inputs, under conditions that \
    relate the inputs; see docs/tasks.md. A task with a `question` is equivalent to the flags of that question. File names \
    in a task are relative to the folder of the task file.\n\n\
    Exit code: 0 optimal, a target reached or it holds; 1 violated; 3 undecided within the limits; 4 no input meets the \
    conditions.";

#[derive(Args)]
pub(crate) struct SolveArgs {
    /// JSON file of the task.
    #[arg(value_name = "TASK")]
    pub(crate) task: PathBuf,
    /// Models to use instead of those in the task, in order of their names.
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
