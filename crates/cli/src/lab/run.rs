//! `pegwise lab run`: plays the games of an experiment.

use std::{
    ffi::OsStr,
    fs,
    io::Write as _,
    num::NonZeroU32,
    path::{Path, PathBuf},
    str::FromStr,
    sync::atomic::Ordering,
    time::Duration,
};

use anyhow::bail;
use clap::{
    Arg,
    builder::{PossibleValue, TypedValueParser},
};
use pegwise_game::Rules;
use pegwise_lab::{
    Experiment, ExperimentDescription, Failure, RunEnd, RunProgress, Runner, Secrets, Shard, Store, StoreError,
    external::Program, sweep,
};
use pegwise_solve::{Limits, Spec, SpecError, clock::Moment};
use serde_json::json;

use super::mixing;
use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_SEED, GuessTimeout, OutputFormat, StrategyParser, Threads},
    exit::{self, Exit},
    files,
    ui::{self, ProgressDisplay, number, style},
};

/// Play the games of an experiment and store them.
///
/// Every strategy plays all rules against the same secrets. Games that are already in the store are not played again, so
/// the same command resumes an interrupted run, and several at the same time divide the games. A command with other rules
/// or strategies, more games or more repeats extends the store.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab run -s knuth -s entropy --games 50 --seed 7 -o seven.db
  pegwise lab run 3x4 -s 'entropy(bonus=[0|2])' --games all -o s.db
  pegwise lab run -s knuth -s kooi --games 80 --seed 7 -o seven.db   extends it
  pegwise lab run -s random-consistent --games 50 --shard 1/2 -o part-1.db
  pegwise lab run -s random-consistent --games 50 --shard 2/2 -o part-2.db
  pegwise lab run --strategy-command ./bot --games 50 -o bot.db

An experiment in a file:
  rules = [\"4x6\", \"5x8\"]
  strategies = [\"knuth\", { strategy = \"entropy\", sweep = { bonus = [0, 2] } }]
  games = 1000          # or \"all\"; or secrets = \"codes.txt\", or both
  repeats = 1
  seed = 7
  limits = { seconds = 0.5, examined = 100000, nodes = 100000 }"))]
pub(super) struct Args {
    /// Rules [default: 4x6].
    #[arg(value_name = "RULES", value_parser = arguments::rules)]
    rules: Vec<Rules>,

    /// Store to write, to resume, or to extend.
    #[arg(long, short, value_name = "STORE")]
    output: PathBuf,

    /// Replace the store unless it has exactly this experiment.
    #[arg(long, short)]
    force: bool,

    /// Print the number of games, and play none.
    #[arg(long, short = 'n')]
    dry_run: bool,

    /// Read the experiment from a TOML file.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["rules", "strategy", "strategy_command", "games", "secrets", "repeats", "seed", "time_per_guess"])]
    experiment: Option<PathBuf>,

    /// Strategy, or several with a list of values as in 'entropy(bonus=[0|2])'. May be repeated.
    #[arg(long, short, value_name = "SPEC", value_parser = SweepParser, hide_possible_values = true)]
    #[arg(required_unless_present_any = ["experiment", "strategy_command"])]
    strategy: Vec<Sweep>,

    /// External program as a strategy, with its arguments (engine protocol). May be repeated.
    #[arg(long, value_name = "PROGRAM", value_parser = Program::parse)]
    strategy_command: Vec<Program>,

    #[command(flatten)]
    timeout: GuessTimeout,

    /// Number of secrets to draw, or all for every code.
    #[arg(long, value_name = "N|all", required_unless_present_any = ["experiment", "secrets"])]
    games: Option<GamesArg>,

    /// File that lists the possible secrets, one per line, each with an optional weight. Strategies that support
    /// lists of secrets are given the list. Each secret is played once, or secrets are drawn by weight with --games.
    #[arg(long, value_name = "FILE")]
    secrets: Option<PathBuf>,

    /// Number of games per secret [default: 1].
    #[arg(long, value_name = "N", value_parser = arguments::whole::<NonZeroU32>(1..=u32::MAX.into()))]
    #[arg(allow_negative_numbers = true)]
    repeats: Option<NonZeroU32>,

    /// Random seed [default: 1].
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: Option<u64>,

    /// Time limit per guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "TIME", value_parser = arguments::duration, allow_hyphen_values = true)]
    time_per_guess: Option<Duration>,

    #[command(flatten)]
    threads: Threads,

    /// Play one part of the games, as in 1/4; `pegwise lab merge` merges the parts.
    #[arg(long, value_name = "I/N", default_value_t)]
    shard: Shard,

    /// Add to games of a version that plays differently, under one name.
    #[arg(long)]
    allow_mixed: bool,
}

#[derive(Debug, Clone, Copy)]
enum GamesArg {
    All,
    Count(u64),
}

impl FromStr for GamesArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "all" => Ok(Self::All),
            _ => match arguments::whole(1..=Experiment::MAX_GAMES)(text) {
                Ok(count) => Ok(Self::Count(count)),
                Err(expected) => Err(format!("{expected}, or all")),
            },
        }
    }
}

/// Strategies that one argument expands to.
#[derive(Debug, Clone)]
struct Sweep(Vec<Spec>);

/// Parser of strategies with lists of values.
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

pub(super) fn run(args: Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let path = &args.output;
    if path.as_os_str() == ":memory:" {
        bail!("-o :memory: would not store the games; give a file");
    }
    files::check_store(path)?;
    let experiment = experiment(&args)?;
    if args.dry_run {
        return dry_run(&experiment, path, format);
    }
    let is_other = |store: Store| *store.description() != ExperimentDescription::of(&experiment);
    if args.force && Store::open(path).is_ok_and(is_other) {
        // A link is followed to the store.
        let named = path.canonicalize()?;
        for ending in ["", "-wal", "-shm"] {
            // Only the first of the three must exist.
            let _ = fs::remove_file(files::beside(&named, ending));
        }
    }
    let mut store = Store::create(path, &experiment)?;
    let interrupted = exit::interrupt_flag()?;
    let (threads, mixing) = (args.threads.count(), mixing(args.allow_mixed));
    let cancel = Some(&*interrupted);
    let runner = Runner { threads, shard: args.shard, mixing, cancel, ..Runner::new(&experiment) };

    let start = Moment::now();
    let done = RunProgress::default();
    let progress = ProgressDisplay::of_games();
    let poll = || {
        progress.set_total(done.total.load(Ordering::Relaxed));
        progress.set_message(|| done.mean().map_or_else(String::new, |mean| format!("mean {mean:.3} guesses")));
        done.done.load(Ordering::Relaxed)
    };
    let end = progress.poll(poll, || runner.run(&mut store, &done))?;
    drop(progress);

    let (games, total) = (done.done.load(Ordering::Relaxed), done.total.load(Ordering::Relaxed));
    if end == RunEnd::Cancelled && games < total {
        let what = format!("interrupted after {} of {} games", number::grouped(games), number::grouped(total));
        exit::warn(what, format!("the same command resumes from {}", path.display()));
        return Ok(Exit::Interrupted);
    }
    let [played, elsewhere] = [&done.played, &done.played_elsewhere].map(|games| games.load(Ordering::Relaxed));
    let (added, failures) = (store.added_games(), store.failures()?);
    let (solved, mean, seconds) = (done.solved.load(Ordering::Relaxed), done.mean(), start.elapsed().as_secs_f64());
    let mut output = json!({
        "store": path, "games": games, "played": played, "solved": solved, "mean": mean, "seconds": seconds
    });
    for (name, games) in [("added", added), ("played_elsewhere", elsewhere)] {
        if games > 0 {
            output[name] = json!(games);
        }
    }
    if !failures.is_empty() {
        output["failures"] = json!(failures);
    }
    ui::print(format, &output, |screen| {
        let (stored, time) = (number::things(games as usize, "game", "games"), number::seconds(seconds));
        let solved = match mean {
            None => ", none solved".to_owned(),
            Some(mean) if solved == games => format!(", {mean:.3} guesses on average"),
            Some(mean) => format!(", {} solved in {mean:.3} guesses on average", number::grouped(solved)),
        };
        writeln!(screen, "{stored} in {}{solved}.", path.display())?;
        if let Some(Failure { strategy, rules, game, reason, .. }) = failures.first() {
            let lost = number::things(failures.len(), "game was", "games were");
            let first = format!("{strategy} at {rules}, game {game}: {reason}");
            let text = format!("{lost} lost because a strategy failed, the first by {first}");
            writeln!(screen, "{}", style::paint(style::BAD, text))?;
        }
        let games = |games: u64| number::things(games as usize, "game", "games");
        if added > 0 {
            screen.note(format!("The store was extended by {}.", games(added)))?;
        }
        screen.note(match (played, elsewhere) {
            (0, 0) => "Already complete.".to_owned(),
            (played, 0) => format!("{} played in {time}.", games(played)),
            (played, elsewhere) => {
                format!("{} played in {time}, {} by other processes.", games(played), number::grouped(elsewhere))
            }
        })
    })?;
    Ok(Exit::from_result(failures.is_empty()))
}

/// Prints the number of games and how many of them are stored.
fn dry_run(experiment: &Experiment, path: &Path, format: OutputFormat) -> anyhow::Result<Exit> {
    let games = experiment.games();
    let stored = if path.exists() {
        let store = Store::open(path)?;
        if let Some(difference) = store.description().contradiction(&ExperimentDescription::of(experiment)) {
            return Err(StoreError::OtherExperiment(path.to_owned(), difference).into());
        }
        store.stored(experiment, Shard::default())?.games
    } else {
        0
    };
    ui::print(format, &json!({ "games": games, "stored": stored }), |screen| {
        let total = number::things(games as usize, "game", "games");
        writeln!(screen, "{total}, {} of them in {}.", number::grouped(stored), path.display())
    })
}

/// Reads the experiment from a file or from the arguments.
fn experiment(args: &Args) -> anyhow::Result<Experiment> {
    if let Some(path) = &args.experiment {
        return Ok(Experiment::load(path)?);
    }
    let rules = if args.rules.is_empty() { vec![DEFAULT_RULES.parse()?] } else { args.rules.clone() };
    let mut strategies: Vec<Spec> = args.strategy.iter().flat_map(|sweep| sweep.0.iter().cloned()).collect();
    for program in &args.strategy_command {
        strategies.push(args.timeout.register(program)?);
    }
    for rules in &rules {
        for strategy in &strategies {
            arguments::build(strategy, rules)?;
        }
    }
    let secrets = match (&args.secrets, args.games) {
        (Some(_), Some(GamesArg::All)) => {
            bail!(
                "--games all cannot be used with --secrets; omit it to play each listed secret once, or give a number of secrets to draw"
            )
        }
        (Some(path), games) => {
            let games = games.and_then(|games| if let GamesArg::Count(count) = games { Some(count) } else { None });
            Secrets::from_list(path, files::read_text(path)?, &rules, games)?
        }
        (None, Some(GamesArg::Count(count))) => Secrets::Drawn(count),
        (None, _) => Secrets::All,
    };
    let limits = Limits { time: args.time_per_guess, ..Limits::default() };
    let experiment = Experiment::new(rules, strategies, secrets)?;
    let experiment = experiment.with_repeats(args.repeats.unwrap_or(NonZeroU32::MIN))?;
    Ok(experiment.with_seed(args.seed.unwrap_or(DEFAULT_SEED)).with_limits(limits))
}
