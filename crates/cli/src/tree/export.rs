//! `pegwise tree export`: a tree in a format of others.

use std::{io, path::PathBuf};

use clap::ValueEnum;
use pegwise_solve::tree::{
    TreeFile,
    formats::{self, ExportError, Format},
};

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
  pegwise tree export knuth.tree --to html -o knuth.html     a page that walks it
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
    /// One page that asks what the answer was, and walks
    Html,
    /// The notation in which Knuth, and Koyama and Lai, printed their trees
    Knuth,
}

fn write(tree: &TreeFile, to: To, mut out: &mut dyn io::Write) -> Result<(), Box<ExportError>> {
    let format = match to {
        To::Html => return pegwise_web::tree_page(tree, &mut out),
        To::Json => Format::Json,
        To::Dot => Format::Dot,
        To::Contest => Format::Contest,
        To::Knuth => Format::Knuth,
    };
    formats::export(tree, format, out).map_err(Box::new)
}

pub(super) fn run(args: &Args) -> anyhow::Result<Exit> {
    let tree = args.file.load()?;
    let write = |out: &mut dyn io::Write| {
        write(&tree, args.to, out).map_err(|error| match *error {
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
