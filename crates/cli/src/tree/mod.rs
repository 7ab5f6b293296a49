//! `pegwise tree`: whole strategies, as trees. One file a subcommand.

mod build;
mod diff;
mod export;
pub(crate) mod file;
mod import;
mod join;
mod report;
mod show;
mod split;
mod verify;

use clap::Subcommand;

pub(crate) use self::build::position_strategy;

use crate::{arguments::Format, exit::Exit};

/// Build, verify and look at whole strategies, as trees.
///
/// A tree holds a guess for every position that can arise. What it achieves over all codes can be counted, so that a
/// strategy built here, or a tree from elsewhere, can be checked by anyone.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Build(Box<build::Args>),
    Verify(verify::Args),
    Show(show::Args),
    Export(export::Args),
    Import(import::Args),
    Diff(diff::Args),
    Split(split::Args),
    Join(join::Args),
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree build 4x6 --strategy knuth -o knuth.tree   every game of Knuth's
  pegwise tree verify knuth.tree                          what it achieves
  pegwise tree show knuth.tree 1122=1,0                   how it goes on
  pegwise solve --tree knuth.tree --secret 3632           a game played from it";

pub(crate) fn run(args: Args, format: Format) -> anyhow::Result<Exit> {
    match args.command {
        Command::Build(args) => build::run(*args, format),
        Command::Verify(args) => verify::run(&args, format),
        Command::Show(args) => show::run(&args, format),
        Command::Export(args) => export::run(&args),
        Command::Import(args) => import::run(&args, format),
        Command::Diff(args) => diff::run(&args, format),
        Command::Split(args) => split::run(&args, format),
        Command::Join(args) => join::run(&args, format),
    }
}
