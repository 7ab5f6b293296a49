//! `pegwise lab reproduce`: published tables and figures, run again.

mod show;

use std::{
    io::Write as _,
    num::NonZeroU16,
    path::PathBuf,
    sync::{Arc, atomic::Ordering},
    thread,
    time::Duration,
};

use anyhow::Context as _;
use pegwise_lab::papers::{
    Level, PublishedTable, ReproduceError, ReproduceOptions, Reproducer, TableReport, Verdict, record,
};
use pegwise_solve::Limits;
use serde::Serialize;

use super::{list::library, mixing};
use crate::{
    arguments::{self, Format, time_limit},
    exit::Exit,
    interrupt,
    tree::file::write_whole,
    ui::{Progress, Screen, number, style},
};

/// Run published tables and figures again, each number beside ours.
///
/// A number is supported when the 95 % interval of ours lies within a margin around it, refuted when it lies outside, and
/// undecided otherwise. The margin is 2 % of guesses, 10 % of evaluations, or three standard errors of the paper's own sample;
/// where nothing is left to luck, the printed digits must be ours. The exit code is 0 when every verdict is the recorded one,
/// and 1 otherwise.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tables and figures, or whole papers, as `pegwise lab list` shows them; or all.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Play at most about a thousand games a row, and judge by the wider interval.
    #[arg(long)]
    quick: bool,

    /// Play a handful of games a row, to see whether any strategy behaves otherwise than recorded.
    #[arg(long, conflicts_with = "quick")]
    slice: bool,

    /// Write what is found to the files of a folder of results, as in crates/lab/results of the repository.
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,

    /// Decides all that is random.
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true, default_value_t = 0)]
    seed: u64,

    /// How many threads play [default: one a core]; the numbers are the same with any number.
    #[arg(long, value_name = "N")]
    threads: Option<NonZeroU16>,

    /// The longest to think about one guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "SECONDS", value_parser = time_limit, allow_hyphen_values = true)]
    time_limit: Option<Duration>,

    /// Keep finished games in this folder; the same command goes on from there.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,

    /// Take kept games of a program that behaves otherwise.
    #[arg(long, requires = "keep")]
    allow_mixed: bool,

    /// Write the tables as Markdown, too.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,

    /// Read the tables from this folder instead of those built in.
    #[arg(long, value_name = "FOLDER")]
    papers: Option<PathBuf>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab reproduce merelo-2010/table-2
  pegwise lab reproduce merelo-2010/table-1 singley-2005/figure-3-1
  pegwise lab reproduce singley-2005/section-3-1 --quick --keep games
  pegwise lab reproduce merelo-2010/table-2 --quick --record results";

/// All that was reproduced, for programs.
#[derive(Debug, Serialize)]
struct Answer {
    level: &'static str,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    /// What differs from what is recorded.
    changes: Vec<String>,
    exhibits: Vec<TableReport>,
}

/// How many numbers and claims came to each verdict.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Counts {
    supported: usize,
    refuted: usize,
    /// Those of them without a known cause.
    unexplained: usize,
    undecided: usize,
    missing: usize,
    not_judged: usize,
    /// How many were judged by a corrected number.
    corrected: usize,
}

impl Counts {
    fn of(reports: &[TableReport]) -> Self {
        let mut counts = Self::default();
        for verdict in reports.iter().flat_map(TableReport::verdicts) {
            *match verdict {
                Verdict::Supported => &mut counts.supported,
                Verdict::Refuted => &mut counts.refuted,
                Verdict::Undecided { .. } => &mut counts.undecided,
                Verdict::Missing { .. } => &mut counts.missing,
                Verdict::Information { .. } => &mut counts.not_judged,
            } += 1;
        }
        let refuted = reports.iter().flat_map(TableReport::refuted);
        counts.unexplained = refuted.filter(|(_, cause)| cause.is_none()).count();
        let findings = reports.iter().flat_map(|report| &report.findings);
        counts.corrected = findings.filter(|finding| finding.correction.is_some()).count();
        counts
    }

    fn sentence(self) -> String {
        let Self { supported, refuted, unexplained, undecided, missing, not_judged, .. } = self;
        let all = supported + refuted + undecided + missing + not_judged;
        format!(
            "{}: {supported} supported, {refuted} refuted ({unexplained} without a known cause), {undecided} undecided, \
             {not_judged} not judged, {missing} missing.",
            number::things(all, "number", "numbers")
        )
    }
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let library = library(args.papers.as_ref())?;
    let mut exhibits: Vec<&PublishedTable> = Vec::new();
    for name in &args.names {
        let found = library.find(name)?;
        let new = found.into_iter().filter(|new| exhibits.iter().all(|known| known.id != new.id));
        exhibits.extend(new.collect::<Vec<_>>());
    }
    if let Some(folder) = &args.keep {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let threads = args.threads.map(|threads| threads.get().into());
    let threads = threads.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1);
    let level = match (args.slice, args.quick) {
        (true, _) => Level::Slice,
        (_, true) => Level::Quick,
        _ => Level::Full,
    };
    let options = ReproduceOptions {
        level,
        seed: args.seed,
        threads,
        limits: Limits { time: args.time_limit, ..Limits::default() },
        keep: args.keep.clone(),
        mixing: mixing(args.allow_mixed),
        cancel: interrupt::flag().context("interrupts cannot be watched for")?,
        progress: Arc::default(),
    };
    let write = |report: &TableReport| match &args.record {
        Some(folder) => write_record(folder, report, level, args.seed, threads),
        None => Ok(()),
    };
    let Some(reports) = reproduce(&exhibits, options, write)? else { return Ok(interrupted(args)) };
    let counts = Counts::of(&reports);
    // Tables of one's own are not recorded: what is refuted there is the change.
    let own = args.papers.is_some();
    let changes: Vec<String> = reports.iter().flat_map(|report| changes(report, level, args.seed, own)).collect();
    if let Some(path) = &args.markdown {
        write_whole(path, |out| Ok(out.write_all(show::markdown(&reports, &counts.sentence()).as_bytes())?))?;
    }
    let unchanged = changes.is_empty() || args.record.is_some();
    let mut screen = Screen::new();
    match format {
        Format::Json => {
            screen.json(&Answer { level: level.name(), seed: args.seed, counts, changes, exhibits: reports })?;
        }
        Format::Text => {
            show::conclusion(&reports, &counts.sentence(), &changes, &mut screen)?;
            reports.iter().try_for_each(|report| show::text(report, &mut screen))?;
        }
    }
    Ok(if unchanged { Exit::Done } else { Exit::No })
}

/// What differs from what is recorded; where nothing is, what is refuted.
fn changes(report: &TableReport, level: Level, seed: u64, own: bool) -> Vec<String> {
    /// The seed of all records.
    const RECORDED: u64 = 0;
    match record::recorded(level, &report.id).filter(|_| !own) {
        Some(text) => record::changes(report, text, level, seed == RECORDED),
        None => report.refuted().map(|(what, _)| format!("{}: {what} is refuted", report.id)).collect(),
    }
}

fn write_record(
    folder: &std::path::Path,
    report: &TableReport,
    level: Level,
    seed: u64,
    threads: usize,
) -> anyhow::Result<()> {
    let path = folder.join(level.name()).join(format!("{}.txt", report.id));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let text = record::format_report(report, level, seed, threads);
    write_whole(&path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// Reproduces one after the other, each handed on when it is done; `None` where an interrupt came first.
fn reproduce(
    exhibits: &[&PublishedTable],
    options: ReproduceOptions,
    mut each: impl FnMut(&TableReport) -> anyhow::Result<()>,
) -> anyhow::Result<Option<Vec<TableReport>>> {
    let done = Arc::clone(&options.progress);
    let mut reproducer = Reproducer::new(options);
    let progress = Progress::of_games();
    progress.expect(reproducer.games(exhibits));
    let mut reports = Vec::new();
    for exhibit in exhibits {
        progress.say(|| exhibit.id.clone());
        let look = || done.done.load(Ordering::Relaxed);
        match progress.while_counting(look, || reproducer.reproduce(exhibit)) {
            Ok(report) => {
                progress.aside(|| each(&report))?;
                reports.push(report);
            }
            Err(ReproduceError::Cancelled) => return Ok(None),
            Err(error) => return Err(error.into()),
        }
    }
    Ok(Some(reports))
}

fn interrupted(args: &Args) -> Exit {
    let advice = match &args.keep {
        Some(folder) => format!("the same command goes on from there, with what is in {}", folder.display()),
        None => "with --keep FOLDER the same command would go on from here".to_owned(),
    };
    // Nobody is left to tell when this cannot be written.
    let _ = writeln!(anstream::stderr(), "{}\n  {advice}", style::paint(style::BAD, "interrupted"));
    Exit::Interrupted
}
