//! `pegwise tree split`: parts of a tree that other machines can work on.

use std::{
    fs,
    io::Write as _,
    num::NonZeroU16,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, ensure};
use pegwise_game::Rules;
use pegwise_solve::tree::{Summary, TreeFile, TreePath, beam, verify_part};
use serde::Serialize;

use super::file::{self, Source};
use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Align, Block, Screen, Table, number, style},
};

/// Write parts of a tree as files, for other machines to work on.
///
/// A part is a position and what the tree does from there on. Parts are as large as their number allows, and none lies inside
/// another; those that lose most against what sets of as many codes usually take come first. `pegwise tree build --best`
/// works on a part as on a whole tree, and `pegwise tree join` takes back what got better.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tree file, or - for the standard input.
    file: Source,

    /// The most parts to write.
    #[arg(long, short, value_name = "N", default_value = "16")]
    parts: NonZeroU16,

    /// The folder to write them into, as 001.tree and so on; it is made if it is not there.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree split knuth.tree -o parts                       what to work on
  pegwise tree build 4x6 --best -t 1 -o parts/001.tree         on any machine
  pegwise tree join knuth.tree parts/001.tree -o better.tree   what got better

Exits with 1 when no part is worth it.";

/// The parts for programs.
#[derive(Debug, Serialize)]
struct Answer {
    rules: Rules,
    parts: Vec<Part>,
}

#[derive(Debug, Serialize)]
struct Part {
    file: PathBuf,
    /// The turns that lead there.
    place: TreePath,
    codes: u64,
    /// Guesses from there on, summed over the codes.
    total: u64,
    /// Guesses above what as many codes usually take.
    loss: f64,
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let Args { file, parts: most, output: folder } = args;
    let whole = file.load()?;
    verify_part(&whole).with_context(|| format!("{file} is not verified"))?;
    let tree = &whole.tree;
    let mut parts = Vec::new();
    let mut files = Vec::new();
    for (number, losing) in (1..).zip(beam::losing_parts(tree, most.get().into())?) {
        let beam::LosingPart { place, loss } = losing;
        let Summary { codes, total, .. } = Summary::of(tree.position(place.turns())?);
        files.push(TreeFile::new(tree.part(place.turns())?, whole.made_by.as_str()));
        parts.push(Part { file: folder.join(format!("{number:03}.tree")), place, codes, total, loss });
    }
    if !parts.is_empty() {
        make(folder)?;
    }
    for part in &parts {
        let path = part.file.display();
        ensure!(!part.file.exists(), "{path} is there already: join it first, or give another folder");
    }
    for (part, file) in parts.iter().zip(&files) {
        file::save(file, &part.file)?;
    }
    let exit = if parts.is_empty() { Exit::No } else { Exit::Done };
    let answer = Answer { rules: tree.rules.clone(), parts };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text if answer.parts.is_empty() => {
            let small = "every position is small enough to be solved in no time: work on the whole tree";
            writeln!(screen, "{}", style::paint(style::BAD, format!("There is no part worth it: {small}.")))?;
        }
        Format::Text => tell(&answer, &mut screen)?,
    }
    Ok(exit)
}

/// Makes the folder if it is not there.
fn make(folder: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(folder).with_context(|| format!("the folder {} cannot be made", folder.display()))
}

fn tell(answer: &Answer, screen: &mut Screen) -> anyhow::Result<()> {
    let columns = [
        ("file", Align::Left),
        ("codes", Align::Right),
        ("total", Align::Right),
        ("loss", Align::Right),
        ("position", Align::Left),
    ];
    let mut table = Table::new(columns);
    for part in &answer.parts {
        table.row([
            Block::new(style::NAME, part.file.display().to_string()),
            Block::new(style::PLAIN, number::grouped(part.codes)),
            Block::new(style::PLAIN, number::grouped(part.total)),
            Block::new(style::PLAIN, format!("{:+.1}", part.loss)),
            Block::new(style::DIM, part.place.to_string()),
        ]);
    }
    let width = screen.look().width;
    writeln!(screen, "{}", table.fitted(width))?;
    let next = format!(
        "pegwise tree build {} --best -o FILE works on one, and pegwise tree join takes it back.",
        answer.rules
    );
    writeln!(screen, "\n{}", style::paint(style::DIM, next))?;
    Ok(())
}
