//! Flags of `completions`.

use clap::Args;
use clap_complete::Shell;

pub(super) const HELP: &str = "Install for new shells:\n  \
    bash        treeproof completions bash > ~/.local/share/bash-completion/completions/treeproof\n  \
    zsh         treeproof completions zsh > ~/.zfunc/_treeproof    (with `fpath+=~/.zfunc` before compinit in ~/.zshrc)\n  \
    fish        treeproof completions fish > ~/.config/fish/completions/treeproof.fish\n  \
    powershell  treeproof completions powershell >> $PROFILE\n  \
    elvish      treeproof completions elvish >> ~/.config/elvish/rc.elv\n\n\
    The folders must exist. `source <(treeproof completions bash)` enables it in the current shell.";

#[derive(Args)]
pub(crate) struct CompletionsArgs {
    /// The shell.
    #[arg(value_name = "SHELL")]
    pub(crate) shell: Shell,
}
