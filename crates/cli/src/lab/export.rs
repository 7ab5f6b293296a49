//! `pegwise lab export`: the games of a store, for other programs.

use std::{io, path::PathBuf};

use clap::ValueEnum;
use pegwise_lab::{
    Store,
    export::{self, GameExportError},
};

use crate::{exit::Exit, tree::file::write_whole};

/// Write every game of a store, a line each.
///
/// Lines are in the order of rules, strategy and game. Games and repeats are numbered from 0.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,

    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: To,

    /// The file to write [default: the standard output].
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,

    /// Leave out the seconds: all that is left can be repeated to the byte.
    #[arg(long)]
    without_times: bool,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab export --store duel.db --to csv -o duel.csv       for tables
  pegwise lab export --store duel.db --to pandas -o duel.csv    codes as letters
  pegwise lab export --store duel.db --to jsonl                 for programs
  pegwise lab export --store duel.db --to csv --without-times   to compare";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// A heading, and a line a game
    Csv,
    /// The same with codes in letters, which pandas and spreadsheets keep as text
    Pandas,
    /// A JSON object a line
    Jsonl,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let store = Store::open(&args.store)?;
    let format = match args.to {
        To::Csv => export::GameFormat::Csv,
        To::Pandas => export::GameFormat::Letters,
        To::Jsonl => export::GameFormat::JsonLines,
    };
    let write = |out: &mut dyn io::Write| {
        export::export(&store, format, !args.without_times, out).map_err(|error| match error {
            // As itself, so that a closed pipe is known for what it is.
            GameExportError::Io(error) => error.into(),
            error => anyhow::Error::new(error),
        })
    };
    match &args.output {
        Some(path) => write_whole(path, |out| write(out))?,
        None => write(&mut io::stdout().lock())?,
    }
    Ok(Exit::Done)
}
