//! `pegwise lab`: experiments that anyone can repeat. One file a subcommand.

mod bench;
mod export;
mod info;
mod list;
mod merge;
mod plot;
mod report;
mod reproduce;
mod run;

use clap::Subcommand;

use pegwise_lab::Mixing;

use crate::{arguments::Format, exit::Exit};

/// Run experiments: strategies against the same secrets, every game kept.
///
/// A run can be stopped at any moment and goes on where it was. The games are the same on any number of threads, and in
/// parts on several machines.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    Run(Box<run::Args>),
    Report(report::Args),
    Plot(plot::Args),
    Export(export::Args),
    Merge(merge::Args),
    Info(info::Args),
    Bench(bench::Args),
    List(list::Args),
    Reproduce(reproduce::Args),
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab run --strategy knuth --strategy entropy --games 50 --store duel.db
  pegwise lab report --store duel.db            who plays better, and how surely
  pegwise lab info duel.db                      who played it, when and where
  pegwise lab plot --store duel.db -o plots/    every plot there is
  pegwise lab export --store duel.db --to csv   every game, a line each";

pub(crate) fn run(args: Args, format: Format) -> anyhow::Result<Exit> {
    match args.command {
        Command::Run(args) => run::run(*args, format),
        Command::Report(args) => report::run(&args, format),
        Command::Plot(args) => plot::run(&args, format),
        Command::Export(args) => export::run(&args),
        Command::Merge(args) => merge::run(&args, format),
        Command::Info(args) => info::run(&args, format),
        Command::Bench(args) => bench::run(&args, format),
        Command::List(args) => list::run(&args, format),
        Command::Reproduce(args) => reproduce::run(&args, format),
    }
}

/// Whether games of programs that behave differently may be mixed.
fn mixing(allowed: bool) -> Mixing {
    if allowed { Mixing::Allowed } else { Mixing::Refused }
}
