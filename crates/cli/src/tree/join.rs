//! `pegwise tree join`: a tree with those of its parts that got better.

use std::{io::Write as _, path::PathBuf};

use anyhow::Context as _;
use pegwise_game::Rules;
use pegwise_solve::tree::{TreeFile, verify_part};
use serde::Serialize;

use super::file::{self, Source};
use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Align, Block, Screen, Table, number, style},
};

/// Take parts that got better into a tree.
///
/// Every part is replayed over the codes of its position before it is taken, and compared with what the tree has there. One
/// that is no better is left; one that is of other rules, that does not win every game, or whose position the tree does
/// not come to is refused, and the others are taken all the same.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tree file.
    tree: PathBuf,

    /// The parts, as `pegwise tree split` writes them.
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// The tree file to write; it may be the one that is read.
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree join knuth.tree parts/001.tree parts/002.tree -o better.tree
  pegwise tree join better.tree parts/003.tree -o better.tree

Exits with 1 when a part was refused, and with 2, nothing written, when a file
cannot be read.";

/// What came of it, for programs.
#[derive(Debug, Serialize)]
struct Answer {
    rules: Rules,
    /// The guesses of the tree summed over its codes, before and now.
    before: u64,
    total: u64,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Part {
    file: PathBuf,
    /// Guesses that it saves; none where it was no better or refused.
    saved: u64,
    /// Why it was refused.
    refused: Option<String>,
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let Args { tree: path, parts, output } = args;
    file::check_place(output)?;
    let load = |path: &PathBuf| Source::File(path.clone()).load();
    let mut whole = load(path)?;
    verify_part(&whole).with_context(|| format!("{} is not verified", path.display()))?;
    let files = parts.iter().map(load).collect::<anyhow::Result<Vec<TreeFile>>>()?;

    let before = whole.claim.total;
    let joined: Vec<Part> = (parts.iter().zip(&files))
        .map(|(path, part)| {
            let (saved, refused) = match whole.tree.join(part) {
                Ok(saved) => (saved, None),
                Err(error) => (0, Some(error.to_string())),
            };
            Part { file: path.clone(), saved, refused }
        })
        .collect();
    if joined.iter().any(|part| part.saved > 0) {
        let bound = whole.lower_bound;
        whole = TreeFile::new(whole.tree, "best");
        // A bound that the tree is below was none.
        let bound = bound.filter(|&bound| bound <= whole.claim.total);
        whole = whole.with_proof(false, bound);
    }
    file::save(&whole, output)?;

    let refused = joined.iter().any(|part| part.refused.is_some());
    let answer = Answer { rules: whole.tree.rules, before, total: whole.claim.total, parts: joined };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text => tell(&answer, args, &mut screen)?,
    }
    Ok(if refused { Exit::No } else { Exit::Done })
}

fn tell(answer: &Answer, args: &Args, screen: &mut Screen) -> anyhow::Result<()> {
    let mut table = Table::new([("part", Align::Left), ("saves", Align::Right), ("", Align::Left)]);
    for part in &answer.parts {
        let (saves, word) = match &part.refused {
            Some(_) => ("-".to_owned(), "refused"),
            None if part.saved == 0 => ("0".to_owned(), "no better"),
            None => (number::grouped(part.saved), "taken"),
        };
        table.row([
            Block::new(style::NAME, part.file.display().to_string()),
            Block::new(style::PLAIN, saves),
            Block::new(style::DIM, word),
        ]);
    }
    let width = screen.look().width;
    writeln!(screen, "{}\n", table.fitted(width))?;
    for part in &answer.parts {
        if let Some(reason) = &part.refused {
            let what = format!("{} is refused:", part.file.display());
            writeln!(screen, "{} {reason}", style::paint(style::BAD, what))?;
        }
    }
    let [before, now] = [answer.before, answer.total].map(number::grouped);
    writeln!(screen, "{}: {before} guesses before, {now} now", style::paint(style::HEADING, &answer.rules))?;
    writeln!(screen, "{}", style::paint(style::DIM, format!("Saved as {}.", args.output.display())))?;
    Ok(())
}
