//! `pegwise lab run`: plays the games of an experiment.

use std::{
    ffi::OsStr,
    io::Write as _,
    num::{NonZeroU16, NonZeroU32},
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::Ordering,
    thread,
    time::Duration,
};

use anyhow::{Context as _, bail};
use clap::{
    Arg,
    builder::{PossibleValue, TypedValueParser},
};
use pegwise_game::Rules;
use pegwise_lab::{
    Experiment, Failure, RunEnd, RunProgress as Done, Runner, Secrets, Shard, Store, external::Program, sweep,
};
use pegwise_solve::{Limits, Spec, SpecError, clock::Moment};
use serde::Serialize;

use super::mixing;
use crate::{
    arguments::{self, DEFAULT_RULES, Format, StrategyParser, time_limit},
    exit::Exit,
    interrupt,
    outsider::Patience,
    tree::file::check_place,
    ui::{Progress, Screen, number, style},
};

/// Play the games of an experiment, and keep them.
///
/// Every strategy plays every rules against the same secrets. Games that the store has already are not played again, so the
/// same command goes on where it was stopped.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store: a file that every finished game is kept in.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,

    /// The experiment, from a TOML file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "strategy", "strategy_command", "games", "secrets", "repeats", "seed", "time_limit"])]
    experiment: Option<PathBuf>,

    /// Rules to play; may be given several times [default: 4x6].
    #[arg(long, value_name = "RULES", value_parser = crate::rules::parse)]
    rules: Vec<Rules>,

    /// A strategy, or several with a list of values as in 'entropy(bonus=[0|2])'; may be given several times.
    #[arg(long, short, value_name = "SPEC", value_parser = SweepParser, hide_possible_values = true)]
    #[arg(required_unless_present_any = ["experiment", "strategy_command"])]
    strategy: Vec<Sweep>,

    /// A program that plays too, with its arguments; it speaks the engine protocol. May be given several times.
    #[arg(long, value_name = "PROGRAM", value_parser = Program::parse)]
    strategy_command: Vec<Program>,

    #[command(flatten)]
    patience: Patience,

    /// How many secrets are drawn by the seed, or all for every code.
    #[arg(long, value_name = "N|all", required_unless_present_any = ["experiment", "secrets"])]
    games: Option<Games>,

    /// The secret is on the list in this file, one code a line, and strategies that can make use of it know that: each is
    /// played once or, with --games, so many are drawn, each as often as the weight after it says.
    #[arg(long, value_name = "FILE")]
    secrets: Option<PathBuf>,

    /// How often each secret is played [default: 1].
    #[arg(long, value_name = "N")]
    repeats: Option<NonZeroU32>,

    /// Decides all that is random [default: 0].
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// The longest to think about one guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "SECONDS", value_parser = time_limit, allow_hyphen_values = true)]
    time_limit: Option<Duration>,

    /// How many threads play [default: one a core]; the games are the same with any number.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroU16>,

    /// Play a part of the games, as in 1/4; `pegwise lab merge` joins the parts.
    #[arg(long, value_name = "I/N", default_value_t)]
    shard: Shard,

    /// Add to games of a program that behaves otherwise: the store then holds two strategies under one name.
    #[arg(long)]
    allow_mixed: bool,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab run -s knuth -s entropy --games 50 --seed 7 --store seven.db
  pegwise lab run --rules 3x4 -s 'entropy(bonus=[0|2])' --games all --store s.db
  pegwise lab run -s random-consistent --games 50 --shard 1/2 --store part-1.db
  pegwise lab run -s random-consistent --games 50 --shard 2/2 --store part-2.db
  pegwise lab run --strategy-command ./bot --games 50 --store bot.db

An experiment in a file:
  rules = [\"4x6\", \"5x8\"]
  strategies = [\"knuth\", { strategy = \"entropy\", sweep = { bonus = [0, 2] } }]
  games = 1000          # or \"all\"; or secrets = \"codes.txt\", or both
  repeats = 1
  seed = 7
  limits = { seconds = 0.5, examined = 100000, nodes = 100000 }";

/// How many games are played.
#[derive(Debug, Clone, Copy)]
enum Games {
    All,
    Count(u64),
}

impl FromStr for Games {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let count = || text.parse().ok().filter(|&count| count > 0).map(Self::Count);
        if text == "all" { Ok(Self::All) } else { count().ok_or("write a number of games from 1 on, or all") }
    }
}

/// The strategies that one argument stands for.
#[derive(Debug, Clone)]
struct Sweep(Vec<Spec>);

/// Reads strategies, and completes their names from the catalog.
#[derive(Debug, Clone, Copy)]
struct SweepParser;

impl TypedValueParser for SweepParser {
    type Value = Sweep;

    fn parse_ref(&self, command: &clap::Command, arg: Option<&Arg>, value: &OsStr) -> Result<Sweep, clap::Error> {
        let expand = |text: &str| sweep::expand(text).map(Sweep);
        (expand as fn(&str) -> Result<Sweep, SpecError>).parse_ref(command, arg, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        StrategyParser.possible_values().map(|values| Box::new(values.collect::<Vec<_>>().into_iter()) as _)
    }
}

/// What a run came to, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    store: &'a Path,
    /// Games of this experiment, or of its shard, that are kept.
    games: u64,
    /// Those that were played now.
    played: u64,
    /// Those in the store that were lost because a strategy failed.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    failures: Vec<Failure>,
    /// Guesses a game.
    mean: f64,
    seconds: f64,
}

pub(super) fn run(args: Args, format: Format) -> anyhow::Result<Exit> {
    if args.store.as_os_str() == ":memory:" {
        bail!("--store :memory: would keep no game; give a file");
    }
    check_place(&args.store)?;
    let experiment = experiment(&args)?;
    let mut store = Store::create(&args.store, &experiment)?;
    let interrupted = interrupt::flag().context("interrupts cannot be watched for")?;
    let threads = args.threads.map(|threads| threads.get().into());
    let threads = threads.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let runner = Runner::new(&experiment).with_threads(threads).with_shard(args.shard).with_cancel(&interrupted);
    let runner = runner.with_mixing(mixing(args.allow_mixed));

    let working = Moment::now();
    let before = store.count()?;
    let done = Done::default();
    let progress = Progress::of_games();
    let look = || {
        progress.expect(done.total.load(Ordering::Relaxed));
        progress.say(|| format!("mean {:.3} guesses", done.mean()));
        done.done.load(Ordering::Relaxed)
    };
    let end = progress.while_counting(look, || runner.run(&mut store, &done))?;
    drop(progress);

    let (games, total) = (done.done.load(Ordering::Relaxed), done.total.load(Ordering::Relaxed));
    if end == RunEnd::Cancelled && games < total {
        let what = format!("interrupted with {} of {} games done", number::grouped(games), number::grouped(total));
        let advice = format!("the same command goes on from there, with what is in {}", args.store.display());
        // Nobody is left to tell when this cannot be written.
        let _ = writeln!(anstream::stderr(), "{}\n  {advice}", style::paint(style::BAD, what));
        return Ok(Exit::Interrupted);
    }
    let answer = Answer {
        store: &args.store,
        games,
        played: store.count()?.saturating_sub(before),
        failures: store.failures()?,
        mean: done.mean(),
        seconds: working.elapsed().as_secs_f64(),
    };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&answer)?,
        Format::Text => {
            let games = number::things(answer.games as usize, "game", "games");
            let played = number::things(answer.played as usize, "was", "were");
            let (mean, time) = (answer.mean, number::seconds(answer.seconds));
            let path = args.store.display();
            writeln!(screen, "{games} in {path}, {mean:.3} guesses on average.")?;
            if let Some(Failure { strategy, rules, game, reason, .. }) = answer.failures.first() {
                let lost = number::things(answer.failures.len(), "game was", "games were");
                let first = format!("{strategy} at {rules}, game {game}: {reason}");
                let text = format!("{lost} lost by failing to guess, the first by {first}");
                writeln!(screen, "{}", style::paint(style::BAD, text))?;
            }
            writeln!(screen, "{}", style::paint(style::DIM, format!("{played} played now, in {time}.")))?;
        }
    }
    Ok(Exit::Done)
}

/// The experiment of a file, or of the arguments.
fn experiment(args: &Args) -> anyhow::Result<Experiment> {
    if let Some(path) = &args.experiment {
        return Ok(Experiment::load(path)?);
    }
    let rules = if args.rules.is_empty() { vec![DEFAULT_RULES.parse()?] } else { args.rules.clone() };
    let mut strategies: Vec<Spec> = args.strategy.iter().flat_map(|sweep| sweep.0.iter().cloned()).collect();
    for program in &args.strategy_command {
        strategies.push(args.patience.admit(program)?);
    }
    for rules in &rules {
        for strategy in &strategies {
            arguments::build(strategy, rules)?;
        }
    }
    let secrets = match (&args.secrets, args.games) {
        (Some(path), None) => Secrets::load(path, &rules, None)?,
        (Some(path), Some(Games::Count(count))) => Secrets::load(path, &rules, Some(count))?,
        (Some(_), Some(Games::All)) => {
            bail!("--games all: leave it away to play each listed code once, or write how many are drawn")
        }
        (None, Some(Games::Count(count))) => Secrets::Drawn(count),
        (None, _) => Secrets::All,
    };
    let limits = Limits { time: args.time_limit, ..Limits::default() };
    let experiment = Experiment::new(rules, strategies, secrets)?;
    let experiment = experiment.with_repeats(args.repeats.unwrap_or(NonZeroU32::MIN))?;
    Ok(experiment.with_seed(args.seed.unwrap_or(0)).with_limits(limits))
}
