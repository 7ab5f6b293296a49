//! `pegwise tree diff`: where two trees part ways.

use std::io::Write as _;

use anyhow::{Context as _, ensure};
use pegwise_solve::tree;

use super::file::Source;
use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Screen, style},
};

/// Compare two trees of the same rules, position by position.
///
/// Each line names a position at which the trees part, and what each plays there: its guess, the codes left, the guesses
/// they need in all, and the most that any needs. What lies below such a position is not compared.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The first tree file, or - for the standard input.
    #[arg(value_name = "A")]
    first: Source,

    /// The second tree file, or - for the standard input.
    #[arg(value_name = "B")]
    second: Source,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree diff knuth.tree best.tree                 where they part
  pegwise tree diff knuth.tree best.tree --format json   for programs

Exits with 1 when they differ.";

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let Args { first, second } = args;
    ensure!(*first != Source::Stdin || *second != Source::Stdin, "only one of the trees can be on the standard input");
    let diff = tree::diff(&first.load()?.tree, &second.load()?.tree)
        .with_context(|| format!("{first} and {second} cannot be compared"))?;
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&diff)?,
        Format::Text if diff.is_empty() => {
            writeln!(
                screen,
                "{}",
                style::paint(style::GOOD, format!("The trees are alike in all {} positions.", diff.same))
            )?;
        }
        Format::Text => writeln!(screen, "{diff}")?,
    }
    Ok(if diff.is_empty() { Exit::Done } else { Exit::No })
}
