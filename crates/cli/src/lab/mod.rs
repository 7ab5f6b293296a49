//! `pegwise lab`: reproducible experiments. The larger subcommands have their own modules.

mod report;
mod reproduce;
mod run;

use std::{
    io::{self, Write as _},
    path::PathBuf,
};

use clap::Subcommand;
use pegwise_lab::{
    ExperimentDescription, Mixing, Origin, OriginSummary, Store,
    bench::{self, BenchResult},
    export::{self, GameExportError},
    papers::{Library, PublishedTable, TableContent},
};
use serde::Serialize;
use serde_json::{Value, json};

use crate::{
    arguments::{OutputFormat, one_of},
    exit::Exit,
    files::{self, FileArg},
    ui::{self, ProgressDisplay, Screen, TextBlock, TextTable, number, style},
};

/// Run experiments: strategies against the same secrets, with every game stored.
///
/// A run can be interrupted and resumed. The games do not depend on the number of threads, nor on how they are divided
/// between machines.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab run 4x6 -s knuth -s entropy --games 50 -o duel.db
  pegwise lab report duel.db                who plays better, and by how much
  pegwise lab info duel.db                  which programs played the games
  pegwise lab plot duel.db -o plots/        all plots
  pegwise lab export duel.db --format csv   one line per game"))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: LabCommand,
}

#[derive(Debug, Subcommand)]
enum LabCommand {
    Run(Box<run::Args>),
    Report(report::Args),
    Plot(report::PlotArgs),
    Export(GameExportArgs),
    Merge(MergeArgs),
    Info(InfoArgs),
    Bench(BenchArgs),
    List(ListArgs),
    Reproduce(reproduce::Args),
}

pub(crate) fn run(args: Args, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let format = given.unwrap_or(OutputFormat::Text);
    match args.command {
        LabCommand::Run(args) => run::run(*args, format),
        LabCommand::Report(args) => report::run(&args, given),
        LabCommand::Plot(args) => report::plot(&args, given),
        LabCommand::Export(args) => export(&args, given),
        LabCommand::Merge(args) => merge(&args, format),
        LabCommand::Info(args) => info(&args, format),
        LabCommand::Bench(args) => bench(&args, format),
        LabCommand::List(args) => list(&args, format),
        LabCommand::Reproduce(args) => reproduce::run(&args, format),
    }
}

/// Converts the option --allow-mixed.
fn mixing(allowed: bool) -> Mixing {
    if allowed { Mixing::Allowed } else { Mixing::Refused }
}

/// Write every game of a store, one per line.
///
/// Lines are ordered by rules, strategy and game. Games and repeats are numbered from 0.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab export duel.db -o duel.csv                    for spreadsheets
  pegwise lab export duel.db --format pandas -o duel.csv    codes as letters
  pegwise lab export duel.db --format jsonl                 for programs
  pegwise lab export duel.db --without-times                for comparisons"))]
struct GameExportArgs {
    /// Store.
    store: PathBuf,

    /// Output format [default: csv].
    #[arg(long, value_name = "FORMAT")]
    #[arg(value_parser = one_of(&[OutputFormat::Csv, OutputFormat::Pandas, OutputFormat::Jsonl, OutputFormat::Json]))]
    format: Option<OutputFormat>,

    /// Output file [default: standard output].
    #[arg(long, short, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: FileArg,

    /// Omit the times, so that the output is reproducible.
    #[arg(long)]
    without_times: bool,
}

fn export(args: &GameExportArgs, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let store = Store::open(&args.store)?;
    let format = match args.format.or(given) {
        Some(OutputFormat::Jsonl | OutputFormat::Json) => export::GameFormat::JsonLines,
        Some(OutputFormat::Pandas) => export::GameFormat::Letters,
        _ => export::GameFormat::Csv,
    };
    args.output.write(|out| {
        export::export(&store, format, !args.without_times, out).map_err(|error| match error {
            // Unwrapped, so that a closed pipe is recognized.
            GameExportError::Io(error) => error.into(),
            error => anyhow::Error::new(error),
        })
    })?;
    Ok(Exit::Success)
}

/// Merge stores with the same seed, limits and secrets.
///
/// They may have different rules, strategies and numbers of games. The inputs are not changed and may be read-only. Games that are in several inputs are stored once.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab merge part-1.db part-2.db -o whole.db"))]
struct MergeArgs {
    /// Stores to merge.
    #[arg(value_name = "STORE", required = true)]
    parts: Vec<PathBuf>,

    /// Store to write, or to add to.
    #[arg(long, short, value_name = "STORE")]
    output: PathBuf,

    /// Merge games of versions that play differently, under one name.
    #[arg(long)]
    allow_mixed: bool,
}

fn merge(args: &MergeArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    files::check_store(&args.output)?;
    let games = Store::merge(&args.output, &args.parts, mixing(args.allow_mixed))?.count()?;
    ui::print(format, &json!({ "store": args.output, "games": games }), |screen| {
        let games = number::things(games as usize, "game", "games");
        writeln!(screen, "{games} in {}.", args.output.display())
    })
}

/// Show the experiment of a store, the number of games, and the programs that played them.
///
/// The behavior of a strategy is a hash of its games on a few small boards; versions with the same behavior play alike
/// there.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab info duel.db          which programs played the games
  pegwise lab info duel.db --json   for programs"))]
struct InfoArgs {
    /// Store.
    store: PathBuf,
}

fn origin_json(of: &OriginSummary) -> serde_json::Result<Value> {
    let behavior = |(rules, strategy, behavior): &(String, String, String)| json!({ "rules": rules, "strategy": strategy, "behavior": behavior });
    let behaviors: Vec<Value> = of.behaviors.iter().map(behavior).collect();
    let known = json!({ "known": of.origin.is_some(), "games": of.games, "behaviors": behaviors });
    ui::merged(&known, json!(of.origin))
}

fn info(args: &InfoArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let store = Store::open(&args.store)?;
    let experiment = store.description();
    let expected = store.planned_games();
    let (origins, games, layout) = (store.origins()?, store.count()?, store.layout());
    let output = json!({
        "store": args.store, "layout": layout, "experiment": experiment, "games": games, "expected": expected,
        "origins": origins.iter().map(origin_json).collect::<Result<Vec<_>, _>>()?,
    });
    let games = format!("{} of {}", number::grouped(games), number::grouped(expected));
    ui::print(format, &output, |screen| show_info(experiment, games, layout, &origins, screen))
}

fn show_info(
    experiment: &ExperimentDescription,
    games: String,
    layout: i64,
    origins: &[OriginSummary],
    screen: &mut Screen,
) -> io::Result<()> {
    const LABELS: usize = 12;
    let ExperimentDescription { rules, strategies, secrets, repeats, seed, limits, .. } = experiment;
    let facts = [
        ("rules", rules.join(", ")),
        ("strategies", strategies.join(", ")),
        ("secrets", secrets.clone()),
        ("repeats", repeats.to_string()),
        ("seed", seed.to_string()),
        ("limits", limits.clone()),
        ("games", games),
        ("layout", layout.to_string()),
    ];
    screen.facts(LABELS, &facts)?;
    for played in origins {
        let games = style::paint(style::HEADING, number::things(played.games as usize, "game", "games"));
        let Some(origin) = &played.origin else {
            writeln!(screen, "\n{games} of unknown origin: the store is older than the record of origins")?;
            continue;
        };
        writeln!(screen, "\n{games} played by")?;
        let Origin { program, commit, compiler, machine, threads, date } = origin;
        let facts = [
            ("program", format!("{program}, commit {commit}")),
            ("compiler", compiler.clone()),
            ("machine", format!("{machine}, {}", number::things(*threads as usize, "thread", "threads"))),
            ("from", date.clone()),
        ];
        screen.facts(LABELS, &facts)?;
        let mut table = TextTable::new(["rules", "strategy", "behavior"]);
        for (rules, strategy, behavior) in &played.behaviors {
            table.row([rules, strategy, behavior].map(|text| TextBlock::new(style::PLAIN, text)));
        }
        screen.table(table)?;
    }
    Ok(())
}

/// Play a small fixed set of games with every strategy.
///
/// The signature, the total numbers of guesses and of examined codes, is the same on every machine. It changes when a
/// strategy plays differently.
#[derive(Debug, clap::Args)]
struct BenchArgs {
    /// Write the counts to bench.txt in this folder of results, such as crates/lab/results of the repository.
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,
}

#[derive(Debug, Default, Serialize)]
struct BenchOutput {
    signature: String,
    guesses: u64,
    examined: u64,
    strategies: Vec<BenchResult>,
}

impl BenchOutput {
    /// Returns the counts without times, one line per strategy and rules.
    fn record(&self) -> String {
        let about =
            "Guesses and codes examined of every strategy in the fixed games of `pegwise lab bench`, and their sums";
        let mut text = format!("# {about}, the signature.\n");
        for BenchResult { rules, strategy, games, guesses, examined, .. } in &self.strategies {
            text += &format!("{rules}\t{strategy}\t{games}\t{guesses}\t{examined}\n");
        }
        text + &format!("signature\t{}\n", self.signature)
    }
}

fn bench(args: &BenchArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let progress = ProgressDisplay::of_search("playing");
    let mut output = BenchOutput::default();
    bench::run(|measured| {
        progress.set_message(|| format!("{} at {}", measured.strategy, measured.rules));
        output.guesses += measured.guesses;
        output.examined += measured.examined;
        output.strategies.push(measured);
    })?;
    drop(progress);
    output.signature = format!("{}:{}", output.guesses, output.examined);

    if let Some(folder) = &args.record {
        files::create_folder(folder)?;
        files::write_file(&folder.join("bench.txt"), output.record())?;
    }
    ui::print(format, &output, |screen| {
        let mut table = TextTable::new(["rules", "strategy", ">games", ">guesses", ">examined", ">games/s"]);
        for measured in &output.strategies {
            let numbers = [measured.games, measured.guesses, measured.examined, measured.games_per_second as u64];
            let numbers = numbers.map(|number| TextBlock::new(style::PLAIN, number::grouped(number)));
            let names =
                [TextBlock::new(style::PLAIN, &measured.rules), TextBlock::new(style::NAME, &measured.strategy)];
            table.row(names.into_iter().chain(numbers).collect::<Vec<_>>());
        }
        screen.table(table)?;
        writeln!(screen, "signature {}", style::paint(style::HEADING, &output.signature))
    })
}

/// List the published tables and figures that can be reproduced.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab list               all tables and figures
  pegwise lab list merelo-2010   those of one paper
  pegwise lab list --json        for programs"))]
struct ListArgs {
    /// Paper, or name of a table or figure.
    #[arg(value_name = "NAME", default_value = "all")]
    name: String,

    /// Read the tables from this folder instead of the built-in ones.
    #[arg(long, value_name = "FOLDER")]
    papers: Option<PathBuf>,
}

#[derive(Debug, Serialize)]
struct ListedExhibit<'a> {
    id: &'a str,
    paper: &'a str,
    title: &'a str,
    source: &'a str,
    reading: Option<&'a str>,
    /// Number of rows with games.
    rows: usize,
    /// Number of rows whose strategy is available.
    runnable: usize,
    /// Number of games of these rows.
    games: u64,
    /// Reasons why the other rows cannot be run.
    missing: Vec<String>,
}

impl<'a> ListedExhibit<'a> {
    fn new(exhibit: &'a PublishedTable) -> Self {
        let PublishedTable { id, paper, title, source, reading, .. } = exhibit;
        let (reading, missing) = (reading.as_deref(), Vec::new());
        let mut listed = Self { id, paper, title, source, reading, rows: 0, runnable: 0, games: 0, missing };
        for row in exhibit.rows() {
            listed.rows += 1;
            match row.spec() {
                Ok(_) => {
                    listed.runnable += 1;
                    listed.games = listed.games.saturating_add(row.games_in_full());
                }
                Err(reason) if !listed.missing.contains(&reason) => listed.missing.push(reason),
                Err(_) => {}
            }
        }
        listed
    }

    fn cells(&self, content: &TableContent) -> [TextBlock; 4] {
        let rows = match content {
            TableContent::Games { .. } => format!("{} of {}", self.runnable, self.rows),
            TableContent::Described(_) => "not run".to_owned(),
            _ => "exact".to_owned(),
        };
        let complete = self.runnable == self.rows;
        let games = if self.games > 0 { number::grouped(self.games) } else { String::new() };
        [
            TextBlock::new(style::NAME, self.id),
            TextBlock::new(if complete { style::PLAIN } else { style::BAD }, rows),
            TextBlock::new(style::PLAIN, games),
            TextBlock::new(style::PLAIN, self.title),
        ]
    }
}

/// Returns the built-in library of papers, or that of a folder.
fn library(folder: Option<&PathBuf>) -> anyhow::Result<Library> {
    Ok(folder.map_or_else(Library::built_in, |folder| Library::load(folder))?)
}

fn list(args: &ListArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let library = library(args.papers.as_ref())?;
    let exhibits = library.find(&args.name)?;
    let output: Vec<ListedExhibit<'_>> = exhibits.iter().map(|exhibit| ListedExhibit::new(exhibit)).collect();
    ui::print(format, &output, |screen| {
        let listed: Vec<(&ListedExhibit<'_>, &PublishedTable)> = output.iter().zip(exhibits.iter().copied()).collect();
        for paper in listed.chunk_by(|(one, _), (other, _)| one.paper == other.paper) {
            let mut table = TextTable::new(["name", ">rows", ">games", "shows"]);
            for (listed, exhibit) in paper {
                table.row(listed.cells(&exhibit.content));
            }
            screen.paragraph(style::HEADING, paper[0].0.paper)?;
            screen.table(table)?;
            writeln!(screen)?;
        }
        let note = "Run one with: pegwise lab reproduce NAME --quick. Rows: runnable of all.";
        screen.paragraph(style::DIM, note)
    })
}
