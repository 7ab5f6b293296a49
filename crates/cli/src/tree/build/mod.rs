//! `pegwise tree build`: the tree of a strategy, a tree that is proven best, or the best that can be found in a time.
//!
//! One file a way to build. Each makes a [`TreeFile`]; here it is saved and told about.

mod best;
mod optimal;
mod strategy;

use std::{
    fmt::Display,
    io::Write as _,
    num::NonZeroU16,
    path::{Path, PathBuf},
    sync::atomic::AtomicBool,
    time::Duration,
};

use anyhow::Context as _;
use clap::ArgGroup;
use pegwise_game::{Code, Rules};
use pegwise_solve::{
    Spec, Watch,
    clock::Moment,
    tree::{TreeFile, TreePath},
};
use serde::Serialize;

pub(crate) use self::strategy::position_strategy;
use super::{file, report::Report};
use crate::{
    arguments::{Format, StrategyParser, time_limit},
    exit::Exit,
    interrupt,
    ui::{Screen, number, style},
};

/// Build a whole tree: of a strategy, proven optimal, or the best found.
///
/// --strategy builds the tree of a strategy; --optimal searches all trees until one is proven the best; --best improves a
/// tree for as long as it is given, where a proof is out of reach. An interrupt loses nothing that is finished.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES, group = ArgGroup::new("way").required(true))]
pub(super) struct Args {
    /// The rules: PEGSxCOLORS, and what differs from the classic game.
    #[arg(value_parser = crate::rules::parse)]
    rules: Rules,

    /// Build the tree of this strategy; `pegwise strategies` lists them all.
    #[arg(long, short, value_name = "SPEC", group = "way")]
    #[arg(value_parser = StrategyParser, hide_possible_values = true)]
    strategy: Option<Spec>,

    /// Find a tree that is proven to be the best.
    #[arg(long, group = "way")]
    optimal: bool,

    /// Find as good a tree as time allows, going on from FILE if it is there.
    #[arg(long, group = "way")]
    best: bool,

    /// The first guess.
    #[arg(long, value_name = "CODE")]
    first_guess: Option<String>,

    /// The tree file to write; without it, the tree is only told about.
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,

    /// The longest to work, in seconds or with a unit: 2, 0.5, 500ms, 90m [default: 60 with --best, else no limit].
    #[arg(long, short, value_name = "SECONDS", value_parser = time_limit, allow_hyphen_values = true)]
    time_limit: Option<Duration>,

    /// How many threads work [default: one a core]; a tree that is finished is the same with any number.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroU16>,

    #[command(flatten)]
    strategy_options: strategy::Strategy,

    #[command(flatten)]
    optimal_options: optimal::Optimal,

    #[command(flatten)]
    best_options: best::Best,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise tree build 4x6 --strategy knuth -o knuth.tree    every game of Knuth's
  pegwise tree build 4x6 -s entropy --first-guess 1123     its numbers only
  pegwise tree build 3x5 --optimal -o optimal.tree         no tree is better
  pegwise tree build 3x5 --optimal --objective worst       the fewest at worst
  pegwise tree build 4x6 --best --time-limit 1 -o best.tree

An interrupted --strategy goes on from FILE.journal when it is run again, and an
--optimal without its proof from FILE.bounds.
Exits with 1 when --optimal has no proof.";

/// What to do about a search that was stopped before it had anything.
const MORE_TIME: &str = "give it more time with --time-limit";

/// What every way to build needs to know.
struct Task<'a> {
    rules: Rules,
    first_guess: Option<Code>,
    output: Option<&'a Path>,
    watch: Watch<'a>,
    /// The longest to work, and whether to stop at once: what the watch looks at.
    time: Option<Duration>,
    interrupted: &'a AtomicBool,
}

/// What a build came to.
enum Built {
    Tree(Box<Made>),
    /// There is no such tree, and why.
    NoTree {
        made_by: String,
        reason: String,
    },
    /// It did not come to its end; what was finished is safe, and has been told.
    Unfinished(Exit),
}

impl Built {
    /// Tells why the build did not come to its end, and what to do.
    fn unfinished(what: impl Display, advice: impl Display, exit: Exit) -> Self {
        // Nobody is left to tell when this cannot be written.
        let _ = writeln!(anstream::stderr(), "{}\n  {advice}", style::paint(style::BAD, what));
        Self::Unfinished(exit)
    }
}

/// A tree that was made.
struct Made {
    file: TreeFile,
    /// Positions looked at to find it, where they were counted.
    nodes: Option<u64>,
    /// Pairs of guess and code that were scored, where they were counted.
    pairs: Option<u64>,
    /// How the program ends.
    exit: Exit,
}

/// A tree for programs.
#[derive(Debug, Serialize)]
struct Answer {
    #[serde(flatten)]
    report: Report,
    /// The position of a part.
    #[serde(skip_serializing_if = "Option::is_none")]
    place: Option<TreePath>,
    /// Positions looked at to find it, where they were counted.
    nodes: Option<u64>,
    /// Pairs of guess and code that were scored, where they were counted.
    pairs: Option<u64>,
    seconds: f64,
}

/// That there is no tree, for programs.
#[derive(Debug, Serialize)]
struct Refusal {
    rules: Rules,
    made_by: String,
    reason: String,
}

pub(super) fn run(args: Args, format: Format) -> anyhow::Result<Exit> {
    let output = args.output.as_deref();
    output.map_or(Ok(()), file::check_place)?;
    let first_guess = args.first_guess.map(|code| args.rules.parse_code(&code)).transpose().context("--first-guess")?;
    let interrupted = interrupt::flag().context("interrupts cannot be watched for")?;
    let time = args.time_limit.or(args.best.then_some(best::TIME));
    let watch = Watch::new(time, Some(&interrupted));
    let task = Task { rules: args.rules, first_guess, output, watch, time, interrupted: &interrupted };
    // Zero stands for one a core.
    let threads = args.threads.map_or(0, |threads| threads.get().into());
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().context("--threads")?;

    let working = Moment::now();
    let built = pool.install(|| match &args.strategy {
        Some(strategy) => strategy::build(&task, strategy, &args.strategy_options),
        None if args.optimal => optimal::build(&task, &args.optimal_options),
        None => best::build(&task, &args.best_options),
    })?;
    let mut screen = Screen::new();
    match built {
        Built::Tree(made) => {
            tell(&made, output, working.elapsed().as_secs_f64(), format, &mut screen)?;
            Ok(made.exit)
        }
        Built::NoTree { made_by, reason } => {
            match format {
                Format::Json => screen.json(&Refusal { rules: task.rules, made_by, reason })?,
                Format::Text => writeln!(screen, "{}", style::paint(style::BAD, format!("There is none: {reason}.")))?,
            }
            Ok(Exit::No)
        }
        Built::Unfinished(exit) => Ok(exit),
    }
}

fn tell(made: &Made, output: Option<&Path>, seconds: f64, format: Format, screen: &mut Screen) -> anyhow::Result<()> {
    let report = Report::of(&made.file);
    let place = Some(made.file.tree.place()).filter(|place| !place.turns().is_empty());
    if format == Format::Json {
        return screen.json(&Answer { report, place, nodes: made.nodes, pairs: made.pairs, seconds });
    }
    let time = number::seconds(seconds);
    let effort = match made.nodes {
        Some(nodes) => ("searched", format!("{} positions in {time}", number::grouped(nodes))),
        None => ("took", time),
    };
    let proof = report.proof().map(|proof| ("proven", proof));
    let pairs = made.pairs.map(|pairs| ("scored", format!("{} pairs of guess and code", number::grouped(pairs))));
    let part = place.map(|place| ("part", place.to_string()));
    report.show(&part.into_iter().chain(proof).chain([effort]).chain(pairs).collect::<Vec<_>>(), screen)?;
    if let Some(output) = output {
        let saved = format!("Saved as {}.", output.display());
        writeln!(screen, "\n{}", style::paint(style::DIM, saved))?;
    }
    Ok(())
}
