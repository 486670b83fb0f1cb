//! Flags of `audit`.

use std::path::PathBuf;

use clap::Args;

use super::{CellArgs, ForceArgs, ReadingArgs};

pub(super) const HELP: &str = "Examples:\n  treeproof audit model.audit.toml\n  treeproof audit model.audit.toml --json\n\n\
    The file names a model and lists [[check]]s. Each has a name, a question with its fields as in tasks, and the expected \
    answer; see docs/audits.md. File names are relative to the folder of the file.\n\n\
    Exit code: 0 all pass, 1 some fail, 3 none fails but some are undecided within the limits, 4 none fails but some \
    have conditions that no input meets.";

#[derive(Args)]
pub(crate) struct AuditArgs {
    /// TOML file of checks.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
    /// Write proofs of all answers to this file, for `treeproof check`.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a report on all checks to this file: one HTML page with a summary table and every answer.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
    /// Print the answer as one JSON object.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Log to standard error: the size of each search, improved bounds and the reason for the end.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}
