//! `pegwise strategies`: the catalog.

use std::io::{self, Write as _};

use pegwise_game::Rules;
use pegwise_solve::{
    Spec,
    catalog::{self, Entry, Row},
};

use crate::{
    arguments::{Format, StrategyParser},
    exit::Exit,
    ui::{Block, Screen, style},
};

/// List every strategy, or tell all about one.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The strategy to tell about.
    #[arg(value_name = "NAME", value_parser = StrategyParser, hide_possible_values = true)]
    strategy: Option<Spec>,

    /// Only strategies that can play these rules.
    #[arg(long, value_name = "RULES", value_parser = crate::rules::parse, conflicts_with = "strategy")]
    rules: Option<Rules>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise strategies                      every strategy, by family
  pegwise strategies entropy              its parameters, and which rules it can play
  pegwise strategies --rules grid:4x4x6   those that can play a game
  pegwise strategies --format json        for programs";

pub(crate) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let mut screen = Screen::new();
    let can = |row: &&Row| args.rules.as_ref().is_none_or(|rules| row.can_play(rules));
    let rows: Vec<&Row> = catalog::rows().iter().filter(can).collect();
    match (&args.strategy, format) {
        (None, Format::Json) => screen.json(&rows.into_iter().map(Entry::new).collect::<Vec<_>>())?,
        (None, Format::Text) => list(&rows, &mut screen)?,
        (Some(spec), Format::Json) => screen.json(&Entry::new(spec.row()))?,
        (Some(spec), Format::Text) => tell(&Entry::new(spec.row()), &mut screen)?,
    }
    Ok(Exit::Done)
}

/// Strategies under the names of their families.
fn list(rows: &[&Row], screen: &mut Screen) -> io::Result<()> {
    let names = rows.iter().map(|row| row.name.len()).max().unwrap_or(0);
    let mut family = "";
    for row in rows {
        if row.family != family {
            let gap = if family.is_empty() { "" } else { "\n" };
            writeln!(screen, "{gap}{}", style::paint(style::HEADING, row.family))?;
            family = row.family;
        }
        let width = screen.text_width(names + 4);
        let mut text = Block::new(style::HEADING, row.title);
        text.below(Block::wrapped(style::PLAIN, row.about, width));
        text.below(Block::wrapped(style::DIM, row.paper, width));
        writeln!(screen, "{}", labeled(Block::new(style::NAME, row.name), names + 2, text))?;
    }
    let more = "\nAll about one: pegwise strategies NAME. In a game: pegwise solve 4x6 --strategy NAME";
    writeln!(screen, "{}", style::paint(style::DIM, more))
}

fn tell(entry: &Entry, screen: &mut Screen) -> io::Result<()> {
    writeln!(screen, "{}  {}\n", style::paint(style::NAME, entry.name), style::paint(style::HEADING, entry.title))?;
    let facts = [("about", entry.about), ("family", entry.family), ("plays", entry.plays), ("paper", entry.paper)];
    let labels = entry.parameters.iter().map(|parameter| parameter.name).chain(facts.map(|(label, _)| label));
    let labels = labels.map(str::len).max().unwrap_or(0) + 2;
    let width = screen.text_width(labels + 2);
    for (label, fact) in facts {
        writeln!(
            screen,
            "{}",
            labeled(Block::new(style::DIM, label), labels, Block::wrapped(style::PLAIN, fact, width))
        )?;
    }
    let [first, ..] = &entry.parameters[..] else { return Ok(()) };

    writeln!(screen, "\n{}", style::paint(style::HEADING, "Parameters"))?;
    for parameter in &entry.parameters {
        let mut text = Block::new(style::PLAIN, parameter.kind.to_string());
        text.push(style::DIM, format!("  (default: {})", parameter.default));
        text.below(Block::wrapped(style::DIM, parameter.about, width));
        writeln!(screen, "{}", labeled(Block::new(style::NAME, parameter.name), labels, text))?;
    }
    let example = format!("\nAs in: pegwise solve 4x6 --strategy '{}({}={})'", entry.name, first.name, first.default);
    writeln!(screen, "{}", style::paint(style::DIM, example))
}

/// A text beside its label.
fn labeled(label: Block, width: usize, text: Block) -> Block {
    Block::new(style::PLAIN, " ").beside(1, label).widen(width).beside(2, text)
}
