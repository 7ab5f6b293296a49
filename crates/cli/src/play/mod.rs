//! `pegwise play`: the game in the terminal.
//!
//! The [`model`] is the state of the game and its update function, the [`view`] draws it, and [`mod@run`] has the terminal,
//! the background [`queries`] and the clock.

mod model;
mod queries;
mod run;
mod terminal;
mod view;

use std::{
    ffi::OsString,
    io::{self, IsTerminal as _, Write as _},
    path::{Path, PathBuf},
    time::Duration,
};

use anstream::ColorChoice;
use anyhow::{Context as _, ensure};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pegwise_coach::{Mode, Record};
use pegwise_game::Rules;
use pegwise_solve::Spec;

use self::{
    model::{Model, PlaySetup, event::SaveError},
    view::Theme,
};
use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_STRATEGY, ExternalStrategyArgs, SecretsArg, StrategyParser, Threads},
    exit::Exit,
    files::{self, FileArg},
    settings::ColorNamesArg,
    solve::random_seed,
    ui::Screen,
};

/// Play in the terminal: break a code, make one, or watch a game.
///
/// Without rules and without a mode, it starts with a menu. Use the keyboard or the mouse; press ? for a list of keys.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise play                             a menu
  pegwise play 4x6                         you break the computer's code
  pegwise play 5x8 --mode make             the computer breaks your code
  pegwise play --mode watch -s knuth       watch Knuth's strategy
  pegwise play grid:3x3x6                  rows and columns
  pegwise play 5x26:per-cell --secrets answers.txt --guesses words.txt
  pegwise play --load game.toml            a saved game
  pegwise play --load 'pegwise/1 break …'  a shared game

Requires a terminal; in scripts, use `pegwise solve` and `pegwise hint`."))]
pub(crate) struct Args {
    /// Rules [default: a menu].
    #[arg(value_parser = arguments::rules)]
    rules: Option<Rules>,

    /// Game mode.
    #[arg(long, short, value_name = "MODE", value_parser = modes())]
    mode: Option<Mode>,

    /// Strategy that guesses or gives hints.
    #[arg(long, short, value_name = "SPEC", default_value = DEFAULT_STRATEGY)]
    #[arg(value_parser = StrategyParser, hide_possible_values = true)]
    strategy: Spec,

    #[command(flatten)]
    external: ExternalStrategyArgs,

    /// Time limit per guess of the computer, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "TIME", value_parser = arguments::duration, allow_hyphen_values = true)]
    time_per_guess: Option<Duration>,

    #[command(flatten)]
    threads: Threads,

    /// Random seed [default: a random one].
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// The code to break, or the code that you make.
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,

    #[command(flatten)]
    secrets: SecretsArg,

    #[command(flatten)]
    colors: ColorNamesArg,

    /// Resume a saved game, or a game as a line of text.
    #[arg(long, value_name = "FILE|LINE", conflicts_with_all = ["rules", "mode", "secret"])]
    load: Option<OsString>,
}

fn modes() -> impl TypedValueParser<Value = Mode> {
    let help = |mode: Mode| match mode {
        Mode::Break => "You break the computer's code",
        Mode::Make => "The computer breaks your code",
        Mode::Watch => "You watch the computer break a code",
    };
    let values = Mode::ALL.map(|mode| PossibleValue::new(mode.to_string()).help(help(mode)));
    let named = |name: String| Mode::ALL.into_iter().find(|mode| mode.to_string() == name);
    PossibleValuesParser::new(values).try_map(move |name| named(name).ok_or("no such mode"))
}

pub(crate) fn run(args: Args) -> anyhow::Result<Exit> {
    let started = args.rules.is_some() || args.mode.is_some() || args.secret.is_some() || args.secrets.is_present();
    let record = match args.load.as_ref().map(|load| (load.to_str(), load)) {
        Some((Some(line), _)) if line.starts_with("pegwise/") => Some(Record::from_line(line).context("--load")?),
        Some((_, file)) => Some(load(file.into()).context("--load")?),
        None => None,
    };
    let rules = args.colors.apply(args.rules.map_or_else(|| DEFAULT_RULES.parse(), Ok)?)?;
    let secret = args.secret.map(|secret| rules.parse_code(&secret)).transpose().context("--secret")?;
    let secrets = args.secrets.load(&rules)?;
    if let (Some(secret), Some(secrets)) = (&secret, &secrets) {
        ensure!(secrets.weight(secret) > 0.0, "--secret: this code is not listed in --secrets");
    }
    let setup = PlaySetup {
        rules,
        mode: args.mode.unwrap_or(Mode::Break),
        spec: args.external.or(args.strategy)?,
        seed: args.seed.unwrap_or_else(random_seed),
        secret,
        secrets,
    };
    // Report an unsupported strategy now rather than in the middle of the game.
    let chosen = record.as_ref().map_or(setup.clone(), |record| setup.clone().of_record(record));
    arguments::build_for(&chosen.spec, &chosen.rules, chosen.listed())?;

    ensure!(
        io::stdin().is_terminal() && io::stdout().is_terminal(),
        "`pegwise play` must be run in a terminal\n  \
         in scripts and pipes, use `pegwise solve` and `pegwise hint`"
    );
    args.threads.set_global()?;
    let (model, effects) = match &record {
        Some(record) => Model::in_record(setup, record),
        None if started => Model::in_game(setup),
        None => (Model::in_menu(setup), Vec::new()),
    };
    let theme = Theme::of_environment(|name| match (name, ColorChoice::global()) {
        ("NO_COLOR", ColorChoice::Never) => Some("1".to_owned()),
        ("NO_COLOR", ColorChoice::Always) => None,
        _ => std::env::var(name).ok(),
    });
    let (model, end) = run::play(model, effects, theme, args.time_per_guess)?;
    let printed = print_record(&model);
    if end == Exit::Interrupted {
        // The terminal may be gone, so an error is not reported.
        return Ok(Exit::Interrupted);
    }
    printed?;
    Ok(Exit::Success)
}

/// Prints a line with which the game can be resumed or shared.
fn print_record(model: &Model) -> io::Result<()> {
    let Some(game) = model.game.as_ref().filter(|game| !game.history.is_empty()) else { return Ok(()) };
    let word = if game.is_over() { "Show again" } else { "Resume" };
    writeln!(Screen::new(), "{word}: pegwise play --load '{}'", game.record().line())
}

/// Reads a saved game.
fn load(path: PathBuf) -> anyhow::Result<Record> {
    let name = path.display().to_string();
    Record::from_text(&FileArg::Path(path).read_text()?).context(name)
}

fn save(path: &Path, text: &str, overwrite: bool) -> Result<(), SaveError> {
    if !overwrite && path.exists() {
        return Err(SaveError::Exists);
    }
    files::write_file(path, text).map_err(|error| SaveError::Failed(format!("{error:#}")))
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const GAME: &str = "pegwise = 1\nmode = \"make\"\nrules = \"4x6\"\nturns = [\"1122=1,0\"]\n";

    #[test]
    fn saves_and_loads_games() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("game.toml");
        assert_eq!(save(&path, GAME, false), Ok(()));
        assert_eq!(load(path.clone()).unwrap().turns.len(), 1);
        assert_eq!(save(&path, "other", false), Err(SaveError::Exists));
        assert_eq!(fs::read_to_string(&path).unwrap(), GAME);
        assert_eq!(save(&path, "other", true), Ok(()));
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left behind");
    }

    #[test]
    fn reports_invalid_files() {
        let folder = tempfile::tempdir().unwrap();
        let error = |name: &str, bytes: &[u8]| {
            let path = folder.path().join(name);
            fs::write(&path, bytes).unwrap();
            format!("{:#}", load(path).unwrap_err())
        };
        assert!(error("cut", &GAME.as_bytes()[..40]).contains("is not a record of a game"));
        assert!(error("binary", &[0xFF, 0xFE, 0]).contains("is not UTF-8 text"));
        assert!(error("empty", b"").contains("is not a record of a game"));
        assert!(format!("{:#}", load(folder.path().join("none")).unwrap_err()).contains("no such file"));
        assert!(load(folder.path().to_owned()).is_err(), "a folder");
        let nowhere = folder.path().join("no").join("game.toml");
        assert!(matches!(save(&nowhere, GAME, false), Err(SaveError::Failed(_))));
    }
}
