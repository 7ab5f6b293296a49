//! `pegwise manual` and `pegwise completions`: manual pages and completion scripts, generated from the command line.

use std::{io::Write as _, path::PathBuf};

use anyhow::Context as _;
use clap::{
    Arg, Command, CommandFactory as _, ValueHint,
    builder::{PossibleValue, PossibleValuesParser, Str},
};
use clap_complete::Shell;
use clap_mangen::Man;
use pegwise_lab::papers::{Library, PublishedTable};

use crate::{Cli, exit::Exit, files, ui::Screen};

/// Print a manual page, or write all of them to a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise manual tree build
  pegwise manual -o man"))]
pub(crate) struct Args {
    /// Subcommand, as in tree build [default: the page of pegwise].
    #[arg(value_name = "COMMAND", conflicts_with = "output")]
    command: Vec<String>,

    /// Write the pages of all subcommands to this folder.
    #[arg(long, short, value_name = "FOLDER")]
    output: Option<PathBuf>,
}

/// Print the completion script of a shell.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
\x1b[1;4mInstallation:\x1b[0m
  bash   pegwise completions bash > ~/.local/share/bash-completion/completions/pegwise
  zsh    pegwise completions zsh > ~/.zfunc/_pegwise        (with ~/.zfunc in $fpath)
  fish   pegwise completions fish > ~/.config/fish/completions/pegwise.fish")]
pub(crate) struct CompletionArgs {
    /// Shell.
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let pages = pages();
    if let Some(folder) = &args.output {
        files::create_folder(folder)?;
        for (name, page) in &pages {
            files::write_file(&folder.join(format!("{name}.1")), page)?;
        }
        return Ok(Exit::Success);
    }
    let name = std::iter::once("pegwise").chain(args.command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let (_, page) = pages.iter().find(|(other, _)| *other == name).with_context(|| {
        let commands: Vec<&str> = pages.iter().filter_map(|(name, _)| name.strip_prefix("pegwise-")).collect();
        format!("no such subcommand; choose one of {}", commands.join(", ").replace('-', " "))
    })?;
    Screen::new().write_all(page)?;
    Ok(Exit::Success)
}

/// Returns the names and texts of all manual pages.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    let mut open = vec![("pegwise".to_owned(), program)];
    while let Some((name, command)) = open.pop() {
        let command = command.name(name.clone());
        let children = command.get_subcommands().filter(|child| !child.is_hide_set());
        open.extend(children.map(|child| (format!("{name}-{}", child.get_name()), child.clone())));
        let mut page = Vec::new();
        // Writing to memory does not fail.
        let _ = Man::new(command).manual("Pegwise").render(&mut page);
        pages.push((name, page));
    }
    pages.sort();
    pages
}

pub(crate) fn completions(args: &CompletionArgs) -> anyhow::Result<Exit> {
    // The generator panics if it cannot write, so it writes to memory.
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut with_values(Cli::command()), "pegwise", &mut script);
    Screen::new().write_all(&script)?;
    Ok(Exit::Success)
}

/// Well-known rules, offered for completion.
const RULES: [(&str, &str); 8] = [
    ("4x6", "the classic game"),
    ("5x8", "the larger classic"),
    ("4x10:no-repeats", "Bulls & Cows"),
    ("20x20:black-only", "black pegs only"),
    ("grid:4x4x6", "rows and columns"),
    ("triangle:4x6", "three directions"),
    ("cube:3x3x3x6", "three dimensions"),
    ("ring:8x6", "arcs of a circle"),
];

/// Adds completions of values, chosen by the names of the values.
fn with_values(command: Command) -> Command {
    let takes_exhibits = ["list", "reproduce"].contains(&command.get_name());
    let with_arguments = command.mut_args(|arg| {
        let names = arg.get_value_names().unwrap_or_default();
        match names.first().map(Str::as_str) {
            Some("FILE" | "STORE") => arg.value_hint(ValueHint::FilePath),
            Some("FOLDER") => arg.value_hint(ValueHint::DirPath),
            Some("RULES") => one_of(arg, RULES.map(|(rules, about)| PossibleValue::new(rules).help(about))),
            Some("NAME") if takes_exhibits => one_of(arg, exhibits()),
            Some("NAME|RULES") => {
                let names = pegwise_solve::catalog::rows().iter();
                one_of(arg, names.map(|row| PossibleValue::new(row.name).help(row.title)))
            }
            _ => arg,
        }
    });
    with_arguments.mut_subcommands(with_values)
}

fn one_of(arg: Arg, values: impl IntoIterator<Item = PossibleValue>) -> Arg {
    arg.value_parser(PossibleValuesParser::new(values)).hide_possible_values(false)
}

/// Returns the names of the published tables and figures.
fn exhibits() -> Vec<PossibleValue> {
    // A test of the lab reads every one of them.
    let Ok(library) = Library::built_in() else { return Vec::new() };
    let value = |exhibit: &PublishedTable| PossibleValue::new(exhibit.id.clone()).help(exhibit.title.clone());
    library.tables().iter().map(value).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_subcommand_has_a_page() {
        let pages = pages();
        let names: Vec<&str> = pages.iter().map(|(name, _)| name.as_str()).collect();
        for name in ["pegwise", "pegwise-solve", "pegwise-tree-build", "pegwise-lab-reproduce", "pegwise-manual"] {
            assert!(names.contains(&name), "{name} is not in {names:?}");
        }
        for (name, page) in &pages {
            let page = String::from_utf8(page.clone()).unwrap();
            assert!(page.contains(".SH SYNOPSIS"), "{name}");
            assert!(!page.contains('\u{1b}'), "{name} has colors in it");
        }
    }
}
