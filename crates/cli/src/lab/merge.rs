//! `pegwise lab merge`: parts of an experiment, joined.

use std::{io::Write as _, path::PathBuf};

use pegwise_lab::Store;
use serde::Serialize;

use super::mixing;
use crate::{
    arguments::Format,
    exit::Exit,
    tree::file::check_place,
    ui::{Screen, number},
};

/// Join parts of one experiment into one store.
///
/// The parts stay as they are, and may lie where nothing can be written. A game that several parts hold is taken once.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store to write, or to add to.
    #[arg(value_name = "OUT")]
    output: PathBuf,

    /// The stores to join.
    #[arg(value_name = "IN", required = true)]
    parts: Vec<PathBuf>,

    /// Join games of programs that behave differently: the store then holds several strategies under one name.
    #[arg(long)]
    allow_mixed: bool,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab merge whole.db part-1.db part-2.db";

#[derive(Debug, Serialize)]
struct Answer {
    store: PathBuf,
    games: u64,
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    check_place(&args.output)?;
    let store = Store::merge(&args.output, &args.parts, mixing(args.allow_mixed))?;
    let answer = Answer { store: args.output.clone(), games: store.count()? };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text => {
            let games = number::things(answer.games as usize, "game", "games");
            writeln!(screen, "{games} in {}.", answer.store.display())?;
        }
    }
    Ok(Exit::Done)
}
