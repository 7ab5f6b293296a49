//! `pegwise` with no arguments: what it can do, and a code broken before the newcomer's eyes.

use std::io::Write as _;

use clap::CommandFactory as _;
use pegwise_solve::Limits;
use serde::Serialize;

use crate::{
    Cli,
    arguments::{DEFAULT_RULES, DEFAULT_STRATEGY, Format},
    exit::Exit,
    game::{self, Record, Setup},
    solve,
    ui::{Block, Screen, style},
};

/// The welcome for programs.
#[derive(Debug, Serialize)]
struct Answer {
    name: &'static str,
    version: &'static str,
    about: String,
    commands: Vec<CommandLine>,
    example: Record,
}

#[derive(Debug, Serialize)]
struct CommandLine {
    name: String,
    about: String,
}

const LEGEND: &str = "(● right color, right place; ○ right color, wrong place)";

/// Commands worth trying next, and what they do.
const NEXT: [(&str, &str); 5] = [
    ("pegwise solve --secret 3632", "a secret of your own"),
    ("pegwise solve 5x8 --strategy knuth", "any size, any strategy"),
    ("pegwise play", "a game in the terminal"),
    ("pegwise hint 1122=1,1 1344=0,2", "the next guess for the game on your table"),
    ("pegwise --help", "all the rest"),
];

pub(crate) fn run(format: Format) -> anyhow::Result<Exit> {
    let command = Cli::command();
    let about = command.get_about().map(ToString::to_string).unwrap_or_default();
    let commands = command.get_subcommands().map(|command| CommandLine {
        name: command.get_name().to_owned(),
        about: command.get_about().map(ToString::to_string).unwrap_or_default(),
    });
    let commands: Vec<CommandLine> = commands.collect();
    let (rules, strategy) = (DEFAULT_RULES.parse()?, DEFAULT_STRATEGY.parse()?);
    let setup = Setup::new(rules, strategy, None, game::draw_seed(), Limits::default())?;

    let mut screen = Screen::new();
    if format == Format::Json {
        let (name, version) = (env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
        screen.json(&Answer { name, version, about, commands, example: setup.play(|_| Ok(()))? })?;
        return Ok(Exit::Done);
    }
    writeln!(screen, "{} {}\n", style::paint(style::NAME, "Pegwise"), lower_first(&about))?;
    writeln!(screen, "A code is being broken, just now:\n")?;
    solve::show(setup, &mut screen)?;
    writeln!(screen, "{}", style::paint(style::DIM, LEGEND))?;
    let commands = commands.iter().map(|command| (command.name.as_str(), command.about.as_str()));
    writeln!(screen, "\n{}\n{}", style::paint(style::HEADING, "Commands"), pairs(commands))?;
    writeln!(screen, "\n{}\n{}", style::paint(style::HEADING, "Try"), pairs(NEXT.into_iter()))?;
    Ok(Exit::Done)
}

fn pairs<'a>(pairs: impl Iterator<Item = (&'a str, &'a str)> + Clone) -> Block {
    let width = pairs.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut block = Block::default();
    for (name, about) in pairs {
        let name = Block::new(style::NAME, name).widen(width);
        block.below(Block::new(style::PLAIN, " ").beside(1, name).beside(3, Block::new(style::PLAIN, about)));
    }
    block
}

fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or(String::new(), |first| first.to_lowercase().chain(chars).collect())
}
