//! `pegwise tree export`: a tree in a format of others.

use std::{io, path::PathBuf};

use clap::ValueEnum;
use pegwise_solve::tree::formats::{self, ExportError};

use super::file::{self, Source};
use crate::exit::Exit;

/// Write a tree in another format.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tree file, or - for the standard input.
    file: Source,

    /// The format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: To,

    /// The file to write [default: the standard output].
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree export knuth.tree --to contest -o knuth.txt   one line of text
  pegwise tree export knuth.tree --to html -o knuth.html     a page that folds
  pegwise tree export knuth.tree --to knuth -o printed.txt   as in the literature
  pegwise tree export knuth.tree --to json                   for programs";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// Nested objects, for programs of any kind
    Json,
    /// A drawing for Graphviz
    Dot,
    /// The grammar of the public contest for 5 pegs and 8 colors
    Contest,
    /// One page that folds, for reading
    Html,
    /// The notation in which Knuth, and Koyama and Lai, printed their trees
    Knuth,
}

impl From<To> for formats::Format {
    fn from(to: To) -> Self {
        match to {
            To::Json => Self::Json,
            To::Dot => Self::Dot,
            To::Contest => Self::Contest,
            To::Html => Self::Html,
            To::Knuth => Self::Knuth,
        }
    }
}

pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let tree = args.file.load()?;
    let write = |out: &mut dyn io::Write| {
        formats::export(&tree, args.to.into(), out).map_err(|error| match error {
            // As itself, so that a closed pipe is known for what it is.
            ExportError::Io(error) => error.into(),
            error => anyhow::Error::new(error),
        })
    };
    match &args.output {
        Some(path) => file::write_whole(path, |out| write(out))?,
        None => write(&mut io::stdout().lock())?,
    }
    Ok(Exit::Done)
}
