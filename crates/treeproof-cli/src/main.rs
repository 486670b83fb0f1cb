//! The `treeproof` command.

use std::process::ExitCode;

fn main() -> ExitCode {
    ExitCode::from(treeproof_cli::command_line(std::env::args_os().collect()))
}
