//! The flags of `audit`.

use std::path::PathBuf;

use clap::Args;

use super::{CellArgs, ForceArgs, ReadingArgs};

pub(super) const HELP: &str = "Examples:\n  treeproof audit model.audit.toml\n  treeproof audit model.audit.toml --json\n\n\
    The file names a model and lists [[check]]s: each has a name, a question with its fields as in tasks, and what is \
    expected of the answer; docs/audits.md describes it with examples. File names are relative to the file's own folder.\n\n\
    Exit code: 0 all pass, 1 some fail, 3 none fails but some are undecided within the limits, 4 none fails but nothing \
    meets the conditions of some.";

#[derive(Args)]
pub(crate) struct AuditArgs {
    /// The checks: TOML.
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,
    #[command(flatten)]
    pub(crate) reading: ReadingArgs,
    #[command(flatten)]
    pub(crate) cells: CellArgs,
    /// Write proofs of all answers to this file, which `treeproof check` validates without the search.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) proof: Option<PathBuf>,
    /// Write a page about all checks to this file: a table of all, then each with its answer, in one HTML file.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub(crate) report: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) force: ForceArgs,
    /// Print one JSON object and nothing else.
    #[arg(long, help_heading = "Output")]
    pub(crate) json: bool,
    /// Say on standard error what is left to search, how bounds improve and why it ends.
    #[arg(short, long, help_heading = "Output")]
    pub(crate) verbose: bool,
}
