//! `pegwise lab reproduce`: published tables and figures, run again.

use std::{
    io::{self, Write as _},
    path::{Path, PathBuf},
    sync::{Arc, atomic::Ordering},
    time::Duration,
};

use anstyle::Style;
use pegwise_lab::papers::{
    Finding, FindingCause, Level, PublishedTable, PublishedVerdict, ReproduceError, ReproduceOptions, Reproducer,
    TableReport, VerdictCounts, record,
};
use pegwise_solve::Limits;
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
/// A number is reproduced if the 95 % confidence interval of ours lies within three standard errors of the paper's own sample
/// and no other row of the table would pass, compatible if another would, refuted if it lies outside, and undecided
/// otherwise; without randomness, the printed digits must be equal. Claims are tested by differences on the same secrets.
/// Exits with 0 if every verdict is the recorded one, else with 1.
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
    let sentence = counts.sentence();
    // The user's own tables have no records.
    let own = args.papers.is_some();
    let changes: Vec<String> = reports.iter().flat_map(|report| changes(report, level, args.seed, own)).collect();
    let unchanged = changes.is_empty() || args.record.is_some();
    if let Some(output) = &args.output {
        output.write(|out| Ok(out.write_all(markdown(&reports, &sentence).as_bytes())?))?;
        if *output == FileArg::Stdio {
            return Ok(Exit::from_result(unchanged));
        }
    }
    let about = json!({ "level": level.name(), "seed": args.seed, "changes": changes, "exhibits": reports });
    ui::print(format, &ui::merged(&counts, about)?, |screen| {
        reports.iter().try_for_each(|report| show(report, screen))?;
        changes.iter().try_for_each(|change| screen.paragraph(style::ERROR, &format!("changed: {change}")))?;
        screen.paragraph(style::HEADING, &sentence)
    })?;
    Ok(Exit::from_result(unchanged))
}

/// Returns the differences from the record; without a record, the contradictions.
fn changes(report: &TableReport, level: Level, seed: u64, own: bool) -> Vec<String> {
    match record::recorded(level, &report.id).filter(|_| !own) {
        Some(text) => record::changes(report, text, level, seed == RECORDED_SEED),
        None => {
            let contradictions = report.verdicts().filter(|(verdict, ..)| verdict.contradicts());
            contradictions.map(|(verdict, what, ..)| format!("{}: {what} is {}", report.id, verdict.name())).collect()
        }
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

const HEADINGS: [&str; 6] = ["row", "measure", ">printed", ">accepted", ">ours", "verdict"];

/// Texts below a table, numbered from one, each once.
#[derive(Default)]
struct Footnotes(Vec<String>);

impl Footnotes {
    /// Adds a text and returns its mark.
    fn mark(&mut self, text: String) -> String {
        let place = self.0.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.0.push(text);
            self.0.len() - 1
        });
        format!(" [{}]", place + 1)
    }
}

/// Writes one table or figure.
fn show(report: &TableReport, screen: &mut Screen) -> io::Result<()> {
    let TableReport { id, title, source, reading, .. } = report;
    let width = screen.text_width(0);
    writeln!(screen, "{}", TextBlock::new(style::NAME, id))?;
    write!(screen, "{}", TextBlock::wrapped(style::HEADING, &format!("{title} ({source})"), width))?;
    writeln!(screen)?;
    for text in reading.iter().cloned().chain(repeats(report)) {
        writeln!(screen, "{}", TextBlock::wrapped(style::DIM, &text, width))?;
    }
    let (lines, notes) = lines(report);
    if !lines.is_empty() {
        let column = |index: usize| {
            let cells = lines.iter().map(|(cells, _)| cells[index].chars().count());
            cells.chain([HEADINGS[index].trim_start_matches('>').len()]).max().unwrap_or(0) + 2
        };
        // The name of the row gets the columns that are left.
        let others: usize = (1..HEADINGS.len()).map(column).sum();
        let left = width.saturating_sub(others).max(MIN_NAME_WIDTH);
        let mut table = TextTable::new(HEADINGS);
        for (cells, verdict) in &lines {
            let mut blocks = cells.each_ref().map(|cell| TextBlock::new(style::PLAIN, cell));
            blocks[0] = TextBlock::wrapped(style::PLAIN, &cells[0], left);
            blocks[5] = TextBlock::new(verdict.map_or(style::DIM, style_of), &cells[5]);
            table.row(blocks);
        }
        screen.table(table)?;
    }
    for (number, note) in notes.iter().enumerate() {
        writeln!(screen, "{}", TextBlock::wrapped(style::DIM, &format!("[{}] {note}", number + 1), width))?;
    }
    writeln!(screen)
}

/// Smallest width of a column of names.
const MIN_NAME_WIDTH: usize = 12;

/// Says which tables a figure repeats.
fn repeats(report: &TableReport) -> Option<String> {
    let tables = &report.same_as;
    (!tables.is_empty()).then(|| format!("The numbers are counted in {}.", tables.join(", ")))
}

/// Formats all tables and figures as Markdown.
fn markdown(reports: &[TableReport], sentence: &str) -> String {
    let mut text = format!("# Published numbers beside ours\n\n{sentence}\n");
    for report in reports {
        let TableReport { id, title, source, reading, .. } = report;
        text += &format!("\n## {id}: {title} ({source})\n\n");
        for paragraph in reading.iter().cloned().chain(repeats(report)) {
            text += &format!("{paragraph}\n\n");
        }
        let (lines, notes) = lines(report);
        if !lines.is_empty() {
            text += &format!("| {} |\n|---|---|---:|---:|---:|---|\n", HEADINGS.join(" | ").replace('>', ""));
        }
        for (cells, _) in lines {
            text += &format!("| {} |\n", cells.map(|cell| cell.replace('|', "\\|")).join(" | "));
        }
        for (number, note) in notes.iter().enumerate() {
            text += &format!("\n[{}] {note}\n", number + 1);
        }
    }
    text
}

type TableLine = ([String; 6], Option<PublishedVerdict>);

/// Returns the cells of every line, and the footnotes.
fn lines(report: &TableReport) -> (Vec<TableLine>, Vec<String>) {
    let mut notes = Footnotes::default();
    let mut lines = Vec::new();
    let mut last = None;
    for finding in &report.findings {
        // A row names itself once.
        let name = if last == Some(&finding.row) { String::new() } else { finding.row.clone() };
        last = Some(&finding.row);
        lines.push(line(finding, name, &mut notes));
    }
    for claim in &report.claims {
        let verdict = claim.verdict.name().to_owned() + &cause_mark(claim.cause.as_ref(), &mut notes);
        let cells = [claim.says.clone(), claim.measure.clone(), String::new(), String::new(), String::new(), verdict];
        lines.push((cells, Some(claim.verdict)));
        let links =
            claim.links.iter().filter(|_| claim.links.len() > 1 || claim.verdict != PublishedVerdict::Reproduced);
        for link in links {
            let (mut cells, verdict) = line(link, String::new(), &mut notes);
            cells[0] = format!("  {}", std::mem::take(&mut cells[2]));
            lines.push((cells, verdict));
        }
    }
    (lines, notes.0)
}

fn cause_mark(cause: Option<&FindingCause>, notes: &mut Footnotes) -> String {
    cause.map_or(String::new(), |FindingCause { why, met_by }| {
        notes.mark(match met_by {
            Some(row) => format!("tested, met by {row}: {why}"),
            None => format!("conjectured: {why}"),
        })
    })
}

fn line(finding: &Finding, name: String, notes: &mut Footnotes) -> TableLine {
    let Finding { measure, published, ours, interval, window, needs, note, cause, verdict, .. } = finding.clone();
    let half = interval.map_or(String::new(), |[low, high]| format!(" ± {}", short((high - low) / 2.0)));
    let decimals = published.as_deref().and_then(|text| text.split_once('.')).map_or(0, |(_, decimals)| decimals.len());
    let unit = 10f64.powi(-(decimals as i32));
    let window = window.map_or(String::new(), |[low, high]| match high - low < 1.5 * unit {
        true => "digits".to_owned(),
        false => format!("{} to {}", short(low), short(high)),
    });
    let mut judged = verdict.map_or("", PublishedVerdict::name).to_owned();
    let Some(ours) = ours.filter(|ours| verdict.is_some() || !ours.contains(' ')) else {
        // Several numbers, or a reason, do not fit a column.
        let text = [finding.ours.clone(), note].into_iter().flatten().collect::<Vec<_>>().join("; ");
        judged += &notes.mark(text);
        return ([name, measure, published.unwrap_or_default(), window, String::new(), judged], verdict);
    };
    if let Some(needs) = needs {
        judged += &format!(": {} games", number::grouped(needs));
    }
    judged += &cause_mark(cause.as_ref(), notes);
    if let Some(note) = note {
        judged += &notes.mark(note);
    }
    ([name, measure, published.unwrap_or_default(), window, ours + &half, judged], verdict)
}

/// Formats a number with a few significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        ..0.1 => format!("{value:.4}"),
        ..10.0 => format!("{value:.3}"),
        ..1000.0 => format!("{value:.1}"),
        _ => format!("{value:.0}"),
    }
}

fn style_of(verdict: PublishedVerdict) -> Style {
    match verdict {
        PublishedVerdict::Reproduced | PublishedVerdict::Compatible => style::GOOD,
        PublishedVerdict::Refuted | PublishedVerdict::Reversed | PublishedVerdict::PaperWrong => style::ERROR,
        PublishedVerdict::Undecided => style::BAD,
        PublishedVerdict::NotComparable => style::DIM,
    }
}
