//! `pegwise tree import`: a tree from a format of others.

use std::{io::Write as _, path::PathBuf};

use clap::ValueEnum;
use pegwise_game::Rules;
use pegwise_solve::tree::{formats, verify};

use super::{
    file::{self, Source},
    report::Report,
};
use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Screen, style},
};

/// Read a tree from another format.
///
/// The tree is saved whether it wins every game or not, so that it can be looked at; the answer says which.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The file to read, or - for the standard input.
    file: Source,

    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: Origin,

    /// The rules; the contest format and Knuth's do not name them.
    #[arg(long, value_name = "RULES", value_parser = crate::rules::parse)]
    #[arg(required_if_eq_any([("from", "contest"), ("from", "knuth")]))]
    rules: Option<Rules>,

    /// The tree file to write.
    #[arg(long, short, value_name = "TREE")]
    output: PathBuf,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree import knuth.txt --from contest --rules 4x6 -o imported.tree
  pegwise tree import printed.txt --from knuth --rules 4x6 -o imported.tree

Exits with 1 when the tree does not win every game, or is not what it claims.";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Origin {
    /// Nested objects, as `pegwise tree export` writes them
    Json,
    /// The grammar of the public contest for 5 pegs and 8 colors
    Contest,
    /// The notation in which Knuth, and Koyama and Lai, printed their trees
    Knuth,
}

impl From<Origin> for formats::Format {
    fn from(origin: Origin) -> Self {
        match origin {
            Origin::Json => Self::Json,
            Origin::Contest => Self::Contest,
            Origin::Knuth => Self::Knuth,
        }
    }
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let Args { file, from, rules, output } = args;
    file::check_place(output)?;
    let tree = file.read_with(|input| Ok(formats::import((*from).into(), rules.as_ref(), input)?))?;
    let verdict = verify(&tree);
    file::save(&tree, output)?;

    let mut screen = Screen::new();
    let report = Report::of(&tree);
    match format {
        Format::Json => screen.json(&report)?,
        Format::Text => {
            report.show(&report.claims(), &mut screen)?;
            let saved = format!("Saved as {}.", output.display());
            writeln!(screen, "\n{}", style::paint(style::DIM, saved))?;
        }
    }
    drop(screen);
    let Err(error) = verdict else { return Ok(Exit::Done) };
    let warning = style::paint(style::BAD, "not verified:");
    writeln!(anstream::stderr(), "{warning} {error}")?;
    Ok(Exit::No)
}
