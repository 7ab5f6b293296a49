//! `pegwise lab info`: what a store holds, and who played it.

use std::{io::Write as _, path::PathBuf};

use pegwise_lab::{Description, Origin, OriginSummary, Store};
use serde::Serialize;

use crate::{
    arguments::Format,
    exit::Exit,
    ui::{Align, Block, Screen, Table, number, style},
};

/// Show what a store holds: the experiment, how many games, and which programs played them.
///
/// A behavior is the games of a strategy on a few small boards as one number: programs in which it is the same play alike
/// there.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store.
    #[arg(value_name = "STORE")]
    store: PathBuf,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab info duel.db                 who played it, when and where
  pegwise lab info duel.db --format json   for programs";

/// What a store holds, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    store: &'a PathBuf,
    layout: i64,
    experiment: &'a Description,
    games: u64,
    expected: u64,
    origins: Vec<Played>,
}

#[derive(Debug, Serialize)]
struct Played {
    #[serde(flatten)]
    origin: Option<Origin>,
    known: bool,
    games: u64,
    behaviors: Vec<Behaves>,
}

#[derive(Debug, Serialize)]
struct Behaves {
    rules: String,
    strategy: String,
    behavior: String,
}

impl From<OriginSummary> for Played {
    fn from(of: OriginSummary) -> Self {
        let behaves = |(rules, strategy, behavior)| Behaves { rules, strategy, behavior };
        let behaviors = of.behaviors.into_iter().map(behaves).collect();
        Self { known: of.origin.is_some(), origin: of.origin, games: of.games, behaviors }
    }
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let store = Store::open(&args.store)?;
    let experiment = store.description();
    let strategies = experiment.strategies.len() as u64;
    let expected = experiment.counts.iter().sum::<u64>() * strategies * u64::from(experiment.repeats);
    let answer = Answer {
        store: &args.store,
        layout: store.layout(),
        experiment,
        games: store.count()?,
        expected,
        origins: store.origins()?.into_iter().map(Played::from).collect(),
    };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text => show(&answer, &mut screen)?,
    }
    Ok(Exit::Done)
}

fn show(answer: &Answer<'_>, screen: &mut Screen) -> anyhow::Result<()> {
    let Description { rules, strategies, secrets, repeats, seed, limits, .. } = answer.experiment;
    let games = format!("{} of {}", number::grouped(answer.games), number::grouped(answer.expected));
    let facts = [
        ("rules", rules.join(", ")),
        ("strategies", strategies.join(", ")),
        ("secrets", secrets.clone()),
        ("repeats", repeats.to_string()),
        ("seed", seed.to_string()),
        ("limits", limits.clone()),
        ("games", games),
        ("layout", answer.layout.to_string()),
    ];
    list(screen, &facts)?;
    for played in &answer.origins {
        let games = number::things(played.games as usize, "game", "games");
        let Some(origin) = &played.origin else {
            let unknown = "of unknown origin: the store is older than the record of who plays";
            writeln!(screen, "\n{} {unknown}", style::paint(style::HEADING, games))?;
            continue;
        };
        writeln!(screen, "\n{} played by", style::paint(style::HEADING, games))?;
        let Origin { program, commit, compiler, machine, threads, date } = origin;
        let facts = [
            ("program", format!("{program}, commit {commit}")),
            ("compiler", compiler.clone()),
            ("machine", format!("{machine}, {}", number::things(*threads as usize, "thread", "threads"))),
            ("from", date.clone()),
        ];
        list(screen, &facts)?;
        let mut table = Table::new(vec![("rules", Align::Left), ("strategy", Align::Left), ("behavior", Align::Left)]);
        for Behaves { rules, strategy, behavior } in &played.behaviors {
            table.row([rules, strategy, behavior].map(|text| Block::new(style::PLAIN, text)));
        }
        writeln!(screen, "{}", table.fitted(screen.look().width))?;
    }
    Ok(())
}

/// Names and what they stand for, a line each, the long ones wrapped.
fn list(screen: &mut Screen, facts: &[(&str, String)]) -> anyhow::Result<()> {
    const INDENT: usize = 12;
    for (name, text) in facts {
        let name = Block::new(style::DIM, name).widen(INDENT - 2);
        let text = Block::wrapped(style::PLAIN, text, screen.text_width(INDENT));
        writeln!(screen, "{}", name.beside(2, text))?;
    }
    Ok(())
}
