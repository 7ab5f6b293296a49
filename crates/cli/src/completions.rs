//! `pegwise completions`: the completion script of a shell.

use std::io::Write as _;

use clap::CommandFactory as _;
use clap_complete::Shell;

use crate::{Cli, exit::Exit, ui::Screen};

/// Print a shell's completion script.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The shell.
    shell: Shell,
}

const EXAMPLES: &str = "\
\x1b[1;4mWhere to put it:\x1b[0m
  bash   pegwise completions bash > ~/.local/share/bash-completion/completions/pegwise
  zsh    pegwise completions zsh > ~/.zfunc/_pegwise        (with ~/.zfunc in $fpath)
  fish   pegwise completions fish > ~/.config/fish/completions/pegwise.fish";

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    // The generator panics when it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "pegwise", &mut script);
    Screen::new().write_all(&script)?;
    Ok(Exit::Done)
}
