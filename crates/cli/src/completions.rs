//! `pegwise completions`: the completion script of a shell.

use std::io::Write as _;

use clap::{
    Arg, Command, CommandFactory as _, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, Str},
};
use clap_complete::Shell;
use pegwise_lab::papers::{Library, PublishedTable};

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
    clap_complete::generate(args.shell, &mut informed(Cli::command()), "pegwise", &mut script);
    Screen::new().write_all(&script)?;
    Ok(Exit::Done)
}

/// Games that people know, to begin from.
const RULES: [(&str, &str); 8] = [
    ("4x6", "the classic game"),
    ("5x8", "the larger classic"),
    ("4x10:no-repeats", "Bulls & Cows"),
    ("20x20:black-only", "black pegs alone"),
    ("grid:4x4x6", "rows and columns"),
    ("triangle:4x6", "three directions"),
    ("cube:3x3x3x6", "three dimensions"),
    ("ring:8x6", "arcs of a circle"),
];

/// The command with what its arguments can be, as the names of their values say it. Strategies name themselves.
fn informed(command: Command) -> Command {
    let is_list = ["list", "reproduce"].contains(&command.get_name());
    let with_arguments = command.mut_args(|arg| {
        let names = arg.get_value_names().unwrap_or_default();
        match names.first().map(Str::as_str) {
            Some("FILE") => arg.value_hint(ValueHint::FilePath),
            Some("FOLDER") => arg.value_hint(ValueHint::DirPath),
            Some("RULES") => one_of(arg, RULES.map(|(rules, about)| PossibleValue::new(rules).help(about))),
            Some("NAME") if is_list => one_of(arg, exhibits()),
            _ => arg,
        }
    });
    with_arguments.mut_subcommands(informed)
}

fn one_of(arg: Arg, values: impl IntoIterator<Item = PossibleValue>) -> Arg {
    arg.value_parser(PossibleValuesParser::new(values)).hide_possible_values(false)
}

/// Published tables and figures by their name.
fn exhibits() -> Vec<PossibleValue> {
    // A test reads every one of them.
    let Ok(library) = Library::built_in() else { return Vec::new() };
    let value = |exhibit: &PublishedTable| PossibleValue::new(exhibit.id.clone()).help(exhibit.title.clone());
    library.tables().iter().map(value).collect()
}
