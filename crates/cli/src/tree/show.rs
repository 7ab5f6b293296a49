//! `pegwise tree show`: a position of a tree, or a branch.

use std::{io::Write as _, num::NonZeroU16};

use anyhow::Context as _;
use pegwise_game::{Count, Rules, Turn};
use pegwise_solve::tree::{PathError, PositionReport, Tree};
use serde::Serialize;

use super::file::Source;
use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Align, Block, Drawing, Screen, Table, number, style},
};

/// Show a position of a tree: its guess, and what follows each feedback.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The tree file, or - for the standard input.
    file: Source,

    /// The turns that lead to the position, as in 1122=1,0; none for the first.
    #[arg(value_name = "TURN")]
    turns: Vec<String>,

    /// How many guesses to look ahead.
    #[arg(long, short, value_name = "N", default_value = "1")]
    depth: NonZeroU16,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree show knuth.tree                              the first guess
  pegwise tree show knuth.tree 1122=1,0                     after one turn
  pegwise tree show knuth.tree 1122=1,0 1344=0,1 -d 3       a whole branch
  pegwise tree show knuth.tree 1122=1,0 --format json       for programs";

/// A position for programs, and those below it as far as was asked.
#[derive(Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    shown: PositionReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    below: Vec<Self>,
}

impl Answer {
    fn new(tree: &Tree, turns: &[Turn], depth: u16) -> Result<Self, PathError> {
        let shown = tree.show(turns)?;
        let mut below = Vec::new();
        if depth > 1 {
            for row in &shown.rows {
                let turn = Turn { guess: shown.guess.clone(), feedback: row.feedback.clone() };
                let turns: Vec<Turn> = turns.iter().cloned().chain([turn]).collect();
                below.push(Self::new(tree, &turns, depth - 1)?);
            }
        }
        Ok(Self { shown, below })
    }
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let file = args.file.load()?;
    let tree = &file.tree;
    let turn =
        |(number, text): (usize, &String)| Turn::parse(&tree.rules, text).with_context(|| format!("turn {number}"));
    let turns: Vec<Turn> = (1..).zip(&args.turns).map(turn).collect::<anyhow::Result<_>>()?;
    let lost = |error: PathError| {
        let advice = format!("`pegwise tree show {}` shows where to begin", args.file);
        anyhow::anyhow!("{}: {error}\n  {advice}", args.file)
    };
    let mut screen = Screen::new();
    match (format, args.depth.get()) {
        (Format::Json, depth) => screen.json(&Answer::new(tree, &turns, depth).map_err(lost)?)?,
        (Format::Text, 1) => show(&tree.show(&turns).map_err(lost)?, &file.made_by, &mut screen)?,
        (Format::Text, depth) => write!(screen, "{}", tree.list(&turns, depth.into()).map_err(lost)?)?,
    }
    Ok(Exit::Done)
}

fn show(shown: &PositionReport, made_by: &str, screen: &mut Screen) -> std::io::Result<()> {
    let drawing = Drawing::new(&shown.rules, screen.look());
    let (rules, made_by) = (style::paint(style::HEADING, &shown.rules), style::paint(style::NAME, made_by));
    writeln!(screen, "{rules} · {made_by} · {}\n", shown.place)?;

    let mut guess = drawing.code(&shown.guess);
    if screen.look().color {
        guess = guess.beside(3, drawing.notation(&shown.guess));
    }
    guess.below(Block::wrapped(style::DIM, &prospect(shown), screen.text_width(7)));
    writeln!(screen, "{}", Block::new(style::GOOD, "Play").beside(3, guess))?;
    if !shown.rows.is_empty() {
        writeln!(screen, "\n{}", rows(shown, &drawing, &shown.rules))?;
    }
    Ok(())
}

/// What the guess is good for.
fn prospect(shown: &PositionReport) -> String {
    let summary = &shown.summary;
    if summary.codes == 1 && shown.wins {
        return "the only code left".to_owned();
    }
    let codes = number::codes(Count::Exact(summary.codes.into()));
    let cannot_win = if shown.wins { "" } else { "; this one cannot be the code" };
    format!("{codes} left, {:.4} more guesses on average, {} at most{cannot_win}", shown.mean, summary.max)
}

fn rows(shown: &PositionReport, drawing: &Drawing, rules: &Rules) -> Block {
    let mut table = Table::new([
        ("feedback", Align::Left),
        ("codes", Align::Right),
        ("next guess", Align::Left),
        ("mean", Align::Right),
        ("most", Align::Right),
    ]);
    let plain = |text: String| Block::new(style::PLAIN, text);
    // Boards of several lines have feedbacks of several lines too, which would hide the rows of the table.
    let is_row = rules.board().line_count() == 1;
    for row in &shown.rows {
        let (feedback, guess) = if is_row {
            (drawing.feedback(&row.feedback), drawing.code(&row.guess))
        } else {
            (plain(row.feedback.to_string()), drawing.notation(&row.guess))
        };
        table.row([
            feedback,
            plain(number::grouped(row.summary.codes)),
            guess,
            plain(format!("{:.4}", row.mean)),
            plain(row.summary.max.to_string()),
        ]);
    }
    table.block()
}
