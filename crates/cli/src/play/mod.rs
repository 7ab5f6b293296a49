//! `pegwise play`: the game in the terminal.
//!
//! Three parts, each of which knows nothing of the next: the [`model`] is the game, `update` by `update`; the [`view`]
//! draws it; [`mod@run`] has the terminal, the threads ([`errands`]) and the clock.

mod errands;
mod file;
mod model;
mod run;
mod terminal;
mod view;

use std::{
    io::{self, IsTerminal as _, Write as _},
    path::PathBuf,
    time::Duration,
};

use anstream::ColorChoice;
use anyhow::{Context as _, ensure};
use clap::ValueEnum;
use pegwise_coach::{Mode, Record};
use pegwise_game::Rules;
use pegwise_solve::Spec;

use self::{
    model::{Model, Setup},
    run::End,
    view::Look,
};
use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_STRATEGY, StrategyParser},
    exit::Exit,
    game,
    outsider::Outsider,
    settings::Colors,
    ui::Screen,
};

/// Play in the terminal: break a code, make one, or watch.
///
/// Without rules and without a mode it starts with a menu. Keys and mouse both work; ? shows what the keys do.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The rules [default: a menu].
    rules: Option<Rules>,

    /// Who breaks whose code.
    #[arg(long, short, value_enum, value_name = "MODE")]
    mode: Option<ModeName>,

    /// Who breaks your code, who is watched, or who gives the hints.
    #[arg(long, short, value_name = "SPEC", default_value = DEFAULT_STRATEGY)]
    #[arg(value_parser = StrategyParser, hide_possible_values = true)]
    strategy: Spec,

    #[command(flatten)]
    outsider: Outsider,

    /// The longest the computer may think about one guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "SECONDS", value_parser = arguments::time_limit, allow_hyphen_values = true)]
    time_limit: Option<Duration>,

    /// Decides all that is random.
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// The code: the one to be broken, or the one that you make.
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,

    #[command(flatten)]
    colors: Colors,

    /// A saved game to go on with.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "mode", "secret"])]
    load: Option<PathBuf>,

    /// A game as a line of text, to go on with.
    #[arg(long, value_name = "LINE", conflicts_with_all = ["rules", "mode", "secret", "load"])]
    from: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ModeName {
    /// You break the computer's code
    Break,
    /// The computer breaks your code
    Make,
    /// The computer breaks its own code, and you watch
    Watch,
}

impl From<ModeName> for Mode {
    fn from(name: ModeName) -> Self {
        match name {
            ModeName::Break => Self::Break,
            ModeName::Make => Self::Make,
            ModeName::Watch => Self::Watch,
        }
    }
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise play                             a menu
  pegwise play 4x6                         break the computer's code
  pegwise play 5x8 --mode make             the computer breaks yours
  pegwise play --mode watch -s knuth       see how Knuth plays
  pegwise play grid:3x3x6                  rows and columns
  pegwise play --load game.toml            a saved game
  pegwise play --from 'pegwise/1 break …'  a game from a friend

It needs a terminal; scripts use `pegwise solve` and `pegwise hint`.";

pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let started = args.rules.is_some() || args.mode.is_some() || args.secret.is_some();
    let record = match (&args.load, &args.from) {
        (Some(path), _) => Some(file::load(path).context("--load")?),
        (None, Some(line)) => Some(Record::from_line(line).context("--from")?),
        (None, None) => None,
    };
    let rules = args.colors.of(args.rules.map_or_else(|| DEFAULT_RULES.parse(), Ok)?)?;
    let secret = args.secret.map(|secret| rules.parse_code(&secret)).transpose().context("--secret")?;
    let setup = Setup {
        rules,
        mode: args.mode.map_or(Mode::Break, Mode::from),
        spec: args.outsider.or(args.strategy)?,
        seed: args.seed.unwrap_or_else(game::draw_seed),
        secret,
    };
    // Better here than in the middle of the game: who cannot play these rules is not asked to.
    let chosen = record.as_ref().map_or(setup.clone(), |record| setup.clone().of_record(record));
    arguments::build(&chosen.spec, &chosen.rules)?;

    ensure!(
        io::stdin().is_terminal() && io::stdout().is_terminal(),
        "`pegwise play` needs a terminal, and this is none\n  \
         `pegwise solve` and `pegwise hint` work in scripts and pipes"
    );
    let (model, effects) = match &record {
        Some(record) => Model::in_record(setup, record),
        None if started => Model::in_game(setup),
        None => (Model::in_menu(setup), Vec::new()),
    };
    let look = Look::of_environment(|name| match (name, ColorChoice::global()) {
        ("NO_COLOR", ColorChoice::Never) => Some("1".to_owned()),
        ("NO_COLOR", ColorChoice::Always) => None,
        _ => std::env::var(name).ok(),
    });
    let (model, end) = run::play(model, effects, look, args.time_limit)?;
    let told = farewell(&model);
    if end == End::Interrupted {
        // The terminal may be gone, and then there is nobody to tell.
        return Ok(Exit::Interrupted);
    }
    told?;
    Ok(Exit::Done)
}

/// Leaves a line with which the game can be gone on with, or shown to a friend.
fn farewell(model: &Model) -> io::Result<()> {
    let Some(game) = model.game.as_ref().filter(|game| !game.history.is_empty()) else { return Ok(()) };
    let word = if game.is_over() { "See it again" } else { "Go on" };
    writeln!(Screen::new(), "{word}: pegwise play --from '{}'", game.record().line())
}
