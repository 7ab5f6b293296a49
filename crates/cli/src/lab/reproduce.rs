//! `pegwise lab reproduce`: published tables and figures, run again.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anstyle::Style;
use pegwise_lab::papers::{
    Finding, Level, OrderFinding, PublishedTable, PublishedVerdict, ReproduceError, ReproduceOptions, Reproducer,
    TableReport, record,
};
use pegwise_solve::Limits;
use serde::Serialize;
use serde_json::json;

use super::{library, mixing};
use crate::{
    arguments::{self, OutputFormat, Threads},
    exit::{self, Exit},
    files::{self, FileArg},
    ui::{self, ProgressDisplay, Screen, TextBlock, TextTable, number, style},
};

/// Reproduce published tables and figures, and compare each number.
///
/// A number is supported if the 95 % confidence interval of ours lies within a margin around it, refuted if it lies
/// outside, and undecided otherwise. The margin is 2 % for guesses, 10 % for evaluations, or three standard errors of the
/// paper's own sample; without randomness, the printed digits must be equal. Exits with 0 if every verdict is the
/// recorded one, else with 1.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab reproduce merelo-2010/table-2
  pegwise lab reproduce merelo-2010/table-1 singley-2005/figure-3-1
  pegwise lab reproduce singley-2005/section-3-1 --quick --keep games
  pegwise lab reproduce merelo-2010/table-2 --quick --record results"))]
pub(super) struct Args {
    /// Tables, figures or papers, as `pegwise lab list` shows them, or all.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Play about a thousand games per row at most, and judge by the wider interval.
    #[arg(long)]
    quick: bool,

    /// Play a few games per row, to check whether a strategy plays as recorded.
    #[arg(long, conflicts_with = "quick")]
    slice: bool,

    /// Write the results to this folder, such as crates/lab/results of the repository.
    #[arg(long, value_name = "FOLDER")]
    record: Option<PathBuf>,

    /// Random seed; the records use 0.
    #[arg(long, value_name = "N", value_parser = arguments::seed, allow_negative_numbers = true)]
    #[arg(default_value_t = RECORDED_SEED)]
    seed: u64,

    #[command(flatten)]
    threads: Threads,

    /// Time limit per guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "TIME", value_parser = arguments::duration, allow_hyphen_values = true)]
    time_per_guess: Option<Duration>,

    /// Store finished games in this folder; the same command resumes from there.
    #[arg(long, value_name = "FOLDER")]
    keep: Option<PathBuf>,

    /// Use stored games of a version that plays differently.
    #[arg(long, requires = "keep")]
    allow_mixed: bool,

    /// Also write the tables to this file, as Markdown.
    #[arg(long, short, value_name = "FILE")]
    output: Option<FileArg>,

    /// Read the tables from this folder instead of the built-in ones.
    #[arg(long, value_name = "FOLDER")]
    papers: Option<PathBuf>,
}

/// Seed of all recorded results.
const RECORDED_SEED: u64 = 0;

/// Number of verdicts of each kind.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct VerdictCounts {
    supported: usize,
    refuted: usize,
    /// Number of refuted numbers without a known cause.
    unexplained: usize,
    undecided: usize,
    missing: usize,
    not_judged: usize,
    /// Number of numbers judged by their correction.
    corrected: usize,
}

impl VerdictCounts {
    fn of(reports: &[TableReport]) -> Self {
        let mut counts = Self::default();
        for verdict in reports.iter().flat_map(TableReport::verdicts) {
            *match verdict {
                PublishedVerdict::Supported => &mut counts.supported,
                PublishedVerdict::Refuted => &mut counts.refuted,
                PublishedVerdict::Undecided { .. } => &mut counts.undecided,
                PublishedVerdict::Missing { .. } => &mut counts.missing,
                PublishedVerdict::Information { .. } => &mut counts.not_judged,
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

pub(super) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let library = library(args.papers.as_ref())?;
    let mut exhibits: Vec<&PublishedTable> = Vec::new();
    for name in &args.names {
        let found = library.find(name)?;
        let new = found.into_iter().filter(|new| exhibits.iter().all(|known| known.id != new.id));
        exhibits.extend(new.collect::<Vec<_>>());
    }
    if let Some(folder) = &args.keep {
        files::create_folder(folder)?;
    }
    let threads = args.threads.count();
    let level = match (args.slice, args.quick) {
        (true, _) => Level::Slice,
        (_, true) => Level::Quick,
        _ => Level::Full,
    };
    let options = ReproduceOptions {
        level,
        seed: args.seed,
        threads,
        limits: Limits { time: args.time_per_guess, ..Limits::default() },
        keep: args.keep.clone(),
        mixing: mixing(args.allow_mixed),
        cancel: exit::interrupt_flag()?,
        progress: Arc::default(),
    };
    let write = |report: &TableReport| match &args.record {
        Some(folder) => write_record(folder, report, level, args.seed, threads),
        None => Ok(()),
    };
    let Some(reports) = reproduce(&exhibits, options, write)? else { return Ok(interrupted(args)) };
    let counts = VerdictCounts::of(&reports);
    // The user's own tables have no records.
    let own = args.papers.is_some();
    let changes: Vec<String> = reports.iter().flat_map(|report| changes(report, level, args.seed, own)).collect();
    let unchanged = changes.is_empty() || args.record.is_some();
    if let Some(output) = &args.output {
        output.write(|out| Ok(out.write_all(markdown(&reports, &counts.sentence()).as_bytes())?))?;
        if *output == FileArg::Stdio {
            return Ok(Exit::from_result(unchanged));
        }
    }
    let about = json!({ "level": level.name(), "seed": args.seed, "changes": changes, "exhibits": reports });
    ui::print(format, &ui::merged(&counts, about)?, |screen| {
        conclusion(&reports, &counts.sentence(), &changes, screen)?;
        reports.iter().try_for_each(|report| show(report, screen))
    })?;
    Ok(Exit::from_result(unchanged))
}

/// Returns the differences from the record; without a record, the refuted numbers.
fn changes(report: &TableReport, level: Level, seed: u64, own: bool) -> Vec<String> {
    match record::recorded(level, &report.id).filter(|_| !own) {
        Some(text) => record::changes(report, text, level, seed == RECORDED_SEED),
        None => report.refuted().map(|(what, _)| format!("{}: {what} is refuted", report.id)).collect(),
    }
}

fn write_record(folder: &Path, report: &TableReport, level: Level, seed: u64, threads: usize) -> anyhow::Result<()> {
    let path = folder.join(level.name()).join(format!("{}.txt", report.id));
    if let Some(folder) = path.parent() {
        files::create_folder(folder)?;
    }
    files::write_file(&path, record::format_report(report, level, seed, threads))
}

/// Reproduces tables and figures in order, calling `each` for each report; `None` if interrupted.
fn reproduce(
    exhibits: &[&PublishedTable],
    options: ReproduceOptions,
    mut each: impl FnMut(&TableReport) -> anyhow::Result<()>,
) -> anyhow::Result<Option<Vec<TableReport>>> {
    let done = Arc::clone(&options.progress);
    let mut reproducer = Reproducer::new(options);
    let progress = ProgressDisplay::of_games();
    progress.set_total(reproducer.games(exhibits));
    let mut reports = Vec::new();
    for exhibit in exhibits {
        progress.set_message(|| exhibit.id.clone());
        let poll = || done.done.load(Ordering::Relaxed);
        match progress.poll(poll, || reproducer.reproduce(exhibit)) {
            Ok(report) => {
                progress.suspend(|| each(&report))?;
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
        Some(folder) => format!("the same command resumes from {}", folder.display()),
        None => "with --keep FOLDER, the same command can resume".to_owned(),
    };
    exit::warn("interrupted", advice);
    Exit::Interrupted
}

const HEADINGS: [&str; 7] = ["row", "measure", ">published", ">ours", ">margin", ">games", "verdict"];

/// Writes the number of verdicts, the refuted numbers, and the changes.
fn conclusion(reports: &[TableReport], sentence: &str, changes: &[String], screen: &mut Screen) -> io::Result<()> {
    screen.paragraph(style::HEADING, sentence)?;
    for report in reports {
        for (what, cause) in report.refuted() {
            let line = format!("refuted: {}, {what}: {}", report.id, cause.unwrap_or("unknown cause"));
            screen.paragraph(style::BAD, &line)?;
        }
    }
    for change in changes {
        screen.paragraph(style::ERROR, &format!("changed: {change}"))?;
    }
    writeln!(screen)
}

/// Writes one table or figure.
fn show(report: &TableReport, screen: &mut Screen) -> io::Result<()> {
    let TableReport { id, title, source, note, claims, .. } = report;
    let name = TextBlock::new(style::NAME, id);
    let about = TextBlock::wrapped(style::HEADING, title, screen.text_width(0));
    let source = TextBlock::wrapped(style::DIM, source, screen.text_width(0));
    let whole = name.width() + about.width() + source.width() + 4;
    if screen.info().width.is_none_or(|width| whole <= width) {
        writeln!(screen, "{}", name.beside(2, about).beside(2, source))?;
    } else {
        writeln!(screen, "{name}\n{about}\n{source}")?;
    }
    if let Some(note) = note {
        write!(screen, "{}", TextBlock::wrapped(style::DIM, note, screen.text_width(0)))?;
    }
    let lines = lines(report);
    let width = |column: usize| lines.iter().map(|(cells, _)| cells[column].chars().count()).max().unwrap_or(0);
    // The verdict gets the columns that are left.
    let before: usize = (0..HEADINGS.len() - 1)
        .map(|column| width(column).max(HEADINGS[column].trim_start_matches('>').len()) + 2)
        .sum();
    let stacked = screen.info().width.is_some_and(|width| width < before + HEADINGS[HEADINGS.len() - 1].len());
    let left = screen.text_width(if stacked { TextTable::INDENT } else { before });
    let mut table = TextTable::new(HEADINGS);
    for (cells, verdict) in &lines {
        let plain = cells[..HEADINGS.len() - 1].iter().map(|cell| TextBlock::new(style::PLAIN, cell));
        let last = TextBlock::wrapped(style_of(verdict), &cells[HEADINGS.len() - 1], left);
        table.row(plain.chain([last]).collect::<Vec<_>>());
    }
    writeln!(screen)?;
    screen.table(table)?;
    for claim in claims {
        let OrderFinding { says, measure, verdict, .. } = claim;
        writeln!(screen, "{says}: {}", style::paint(style_of(verdict), verdict))?;
        writeln!(screen, "{}", style::paint(style::DIM, format!("  {measure}: {}", order(claim))))?;
    }
    if claims.is_empty() { Ok(()) } else { writeln!(screen) }
}

/// Formats all tables and figures as Markdown.
fn markdown(reports: &[TableReport], sentence: &str) -> String {
    let mut text = format!("# Published numbers beside ours\n\n{sentence}\n");
    for report in reports {
        let TableReport { id, title, source, note, claims, .. } = report;
        text += &format!("\n## {id}: {title} ({source})\n\n");
        if let Some(note) = note {
            text += &format!("{note}\n\n");
        }
        text += &format!("| {} |\n|---|---|---:|---:|---:|---:|---|\n", HEADINGS.join(" | ").replace('>', ""));
        for (cells, _) in lines(report) {
            text += &format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
        }
        for claim in claims {
            text += &format!("\n- {}: **{}** ({}: {})\n", claim.says, claim.verdict, claim.measure, order(claim));
        }
    }
    text
}

/// Returns the cells of every line. Numbers of a row that are all missing for one reason share a line.
fn lines(report: &TableReport) -> Vec<([String; 7], PublishedVerdict)> {
    let rows = report.findings.chunk_by(|one, other| one.row == other.row);
    let of_row = |row: &[Finding]| match row {
        [first, _, ..] if row.iter().all(|finding| is_missing(finding) && finding.verdict == first.verdict) => {
            let measure = number::things(row.len(), "number", "numbers");
            vec![line(&Finding { measure, published: None, ..first.clone() })]
        }
        row => row.iter().map(line).collect(),
    };
    rows.flat_map(of_row).collect()
}

/// Returns true if nothing was run for a number.
fn is_missing(finding: &Finding) -> bool {
    finding.ours.is_none() && finding.games.is_none() && matches!(finding.verdict, PublishedVerdict::Missing { .. })
}

fn line(finding: &Finding) -> ([String; 7], PublishedVerdict) {
    let Finding { row, measure, published, ours, margin, tolerance, games, cause, correction, verdict, .. } =
        finding.clone();
    let games = games.map_or(String::new(), number::grouped);
    let half = finding.interval.map(|[low, high]| (high - low) / 2.0);
    let ours = ours.unwrap_or_default() + &half.map_or(String::new(), |half| format!(" ± {}", short(half)));
    let published = match &correction {
        Some(correction) => format!("{}, right {}", published.unwrap_or_default(), correction.right),
        None => published.unwrap_or_default(),
    };
    let margin = match (margin, tolerance) {
        (Some(margin), Some(tolerance)) if tolerance != "digits" => format!("{} ({tolerance})", short(margin)),
        (_, tolerance) => tolerance.unwrap_or_default(),
    };
    let reason = correction.map(|correction| correction.reason);
    let why =
        reason.into_iter().chain(cause.filter(|_| verdict == PublishedVerdict::Refuted)).collect::<Vec<_>>().join("; ");
    let judged = if why.is_empty() { verdict.to_string() } else { format!("{verdict}: {why}") };
    ([row, measure, published, ours, margin, games, judged], verdict)
}

/// Formats a number with a few significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        ..0.1 => format!("{value:.4}"),
        ..10.0 => format!("{value:.3}"),
        ..1000.0 => format!("{value:.1}"),
        _ => number::grouped(value as u64),
    }
}

/// Writes the rows of a claim in the published order, with our numbers.
fn order(claim: &OrderFinding) -> String {
    if claim.ours.len() < claim.rows.len() {
        return claim.rows.join(" < ");
    }
    let pairs = claim.rows.iter().zip(&claim.ours).map(|(row, mean)| format!("{row} ({mean:.3})"));
    pairs.collect::<Vec<_>>().join(" < ")
}

fn style_of(verdict: &PublishedVerdict) -> Style {
    match verdict {
        PublishedVerdict::Supported => style::GOOD,
        PublishedVerdict::Refuted => style::ERROR,
        PublishedVerdict::Undecided { .. } | PublishedVerdict::Missing { .. } => style::BAD,
        PublishedVerdict::Information { .. } => style::DIM,
    }
}
