//! `treeproof completions`: completion scripts for shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::generate;

use crate::args::{CompletionsArgs, Treeproof};
use crate::output;

pub(crate) fn run(args: &CompletionsArgs) -> anyhow::Result<()> {
    let mut script = vec![];
    generate(args.shell, &mut Treeproof::command(), "treeproof", &mut script);
    output::written(std::io::stdout().lock().write_all(&script))
}
