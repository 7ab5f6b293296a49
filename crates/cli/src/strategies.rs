//! `pegwise strategies`: the catalog.

use std::io::{self, Write as _};

use pegwise_game::Rules;
use pegwise_solve::{
    Spec,
    catalog::{self, Row, StrategyDescription},
};

use crate::{
    arguments::{self, OutputFormat},
    exit::Exit,
    ui::{self, Screen, TextBlock, style},
};

/// List the strategies, or describe one.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise strategies              every strategy, by family
  pegwise strategies entropy      its parameters, and the rules it supports
  pegwise strategies grid:4x4x6   the strategies that support these rules
  pegwise strategies --json       for programs"))]
pub(crate) struct Args {
    /// Strategy to describe, or rules to list the strategies for.
    #[arg(value_name = "NAME|RULES", value_parser = NameOrRules::parse)]
    query: Option<NameOrRules>,
}

#[derive(Debug, Clone)]
enum NameOrRules {
    Strategy(Spec),
    Rules(Rules),
}

impl NameOrRules {
    fn parse(text: &str) -> Result<Self, String> {
        // No name of a strategy begins with a digit or contains a colon.
        match arguments::rules(text) {
            Ok(rules) => Ok(Self::Rules(rules)),
            Err(error) if text.starts_with(|char: char| char.is_ascii_digit()) || text.contains(':') => Err(error),
            Err(_) => text.parse().map(Self::Strategy).map_err(|error: pegwise_solve::SpecError| error.to_string()),
        }
    }
}

pub(crate) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    if let Some(NameOrRules::Strategy(spec)) = &args.query {
        let entry = StrategyDescription::new(spec.row());
        return ui::print(format, &entry, |screen| describe(&entry, screen));
    }
    let can = |row: &&Row| !matches!(&args.query, Some(NameOrRules::Rules(rules)) if !row.can_play(rules));
    let rows: Vec<&'static Row> = catalog::rows().iter().filter(can).collect();
    let entries: Vec<StrategyDescription> = rows.iter().map(|row| StrategyDescription::new(row)).collect();
    ui::print(format, &entries, |screen| list(&rows, screen))
}

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
        let mut text = TextBlock::new(style::HEADING, row.title);
        text.below(TextBlock::wrapped(style::PLAIN, row.about, width));
        text.below(TextBlock::wrapped(style::DIM, row.paper, width));
        writeln!(screen, "{}", labeled(TextBlock::new(style::NAME, row.name), names + 2, text))?;
    }
    screen.note("\nDetails: pegwise strategies NAME. In a game: pegwise solve 4x6 --strategy NAME")
}

fn describe(StrategyDescription { row, parameters }: &StrategyDescription, screen: &mut Screen) -> io::Result<()> {
    writeln!(screen, "{}  {}\n", style::paint(style::NAME, row.name), style::paint(style::HEADING, row.title))?;
    let facts = [("about", row.about), ("family", row.family), ("plays", row.plays), ("paper", row.paper)];
    let labels = parameters.iter().map(|parameter| parameter.name).chain(facts.map(|(label, _)| label));
    let labels = labels.map(str::len).max().unwrap_or(0) + 2;
    let width = screen.text_width(labels + 2);
    for (label, fact) in facts {
        let fact = TextBlock::wrapped(style::PLAIN, fact, width);
        writeln!(screen, "{}", labeled(TextBlock::new(style::DIM, label), labels, fact))?;
    }
    let [first, ..] = &parameters[..] else { return Ok(()) };

    writeln!(screen, "\n{}", style::paint(style::HEADING, "Parameters"))?;
    for parameter in parameters {
        let mut text = TextBlock::new(style::PLAIN, parameter.kind.to_string());
        text.push(style::DIM, format!("  (default: {})", parameter.default));
        text.below(TextBlock::wrapped(style::DIM, parameter.about, width));
        writeln!(screen, "{}", labeled(TextBlock::new(style::NAME, parameter.name), labels, text))?;
    }
    screen.note(format!("\nExample: pegwise solve 4x6 --strategy '{}({}={})'", row.name, first.name, first.default))
}

/// Puts a text beside its label.
fn labeled(label: TextBlock, width: usize, text: TextBlock) -> TextBlock {
    TextBlock::new(style::PLAIN, " ").beside(1, label).widen(width).beside(2, text)
}
