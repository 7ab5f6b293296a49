//! `pegwise manual`: manual pages, made from the definition of the command line.

use std::{io::Write as _, path::PathBuf};

use anyhow::Context as _;
use clap::{Command, CommandFactory as _};
use clap_mangen::Man;

use crate::{Cli, exit::Exit, tree::file::write_whole, ui::Screen};

/// Print a manual page, or write them all into a folder.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The subcommand, as in tree build; without one, the page of the whole program.
    #[arg(value_name = "COMMAND", conflicts_with = "folder")]
    command: Vec<String>,

    /// Write the page of every subcommand into this folder.
    #[arg(long, value_name = "FOLDER")]
    folder: Option<PathBuf>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise manual tree build
  pegwise manual --folder man";

pub(crate) fn run(args: &Args) -> anyhow::Result<Exit> {
    let pages = pages();
    if let Some(folder) = &args.folder {
        std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
        for (name, page) in &pages {
            write_whole(&folder.join(format!("{name}.1")), |file| Ok(file.write_all(page)?))?;
        }
        return Ok(Exit::Done);
    }
    let name = std::iter::once("pegwise").chain(args.command.iter().map(String::as_str)).collect::<Vec<_>>().join("-");
    let (_, page) = pages.iter().find(|(other, _)| *other == name).with_context(|| {
        let commands: Vec<&str> = pages.iter().filter_map(|(name, _)| name.strip_prefix("pegwise-")).collect();
        format!("there is no such subcommand; there are {}", commands.join(", ").replace('-', " "))
    })?;
    Screen::new().write_all(page)?;
    Ok(Exit::Done)
}

/// The name and the text of every page.
fn pages() -> Vec<(String, Vec<u8>)> {
    let mut program = Cli::command().disable_help_subcommand(true);
    program.build();
    let mut pages = Vec::new();
    let mut open = vec![("pegwise".to_owned(), program)];
    while let Some((name, command)) = open.pop() {
        let command = command.name(name.clone());
        let children = command.get_subcommands().filter(|child| !child.is_hide_set());
        open.extend(children.map(|child| (format!("{name}-{}", child.get_name()), child.clone())));
        pages.push((name, page(command)));
    }
    pages.sort();
    pages
}

fn page(command: Command) -> Vec<u8> {
    let mut page = Vec::new();
    // Nothing can go wrong in writing to memory.
    let _ = Man::new(command).manual("Pegwise").render(&mut page);
    page
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
