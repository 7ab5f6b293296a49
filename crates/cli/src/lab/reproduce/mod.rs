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
use pegwise_lab::papers::{Exhibit, Options, Report, ReproduceError, Reproducer, Verdict};
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
/// A number agrees when it is within three standard errors of ours, the luck of both samples and rounding allowed for; where
/// nothing is left to luck, when its printed digits are ours. The exit code is 1 when any number disagrees. What cannot be
/// run yet is shown and counted as missing, and is no disagreement.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// Tables and figures, or whole papers, as `pegwise lab list` shows them; or all.
    #[arg(value_name = "NAME", required = true)]
    names: Vec<String>,

    /// Play at most about a thousand games a row, and judge by the wider interval.
    #[arg(long)]
    quick: bool,

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
  pegwise lab reproduce singley-2005/section-3-1 --quick --keep games";

/// All that was reproduced, for programs.
#[derive(Debug, Serialize)]
struct Answer {
    quick: bool,
    seed: u64,
    #[serde(flatten)]
    counts: Counts,
    exhibits: Vec<Report>,
}

/// How many numbers came to each verdict.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Counts {
    agree: usize,
    disagree: usize,
    paper_errs: usize,
    missing: usize,
    information: usize,
}

impl Counts {
    fn of(reports: &[Report]) -> Self {
        let mut counts = Self::default();
        for verdict in reports.iter().flat_map(Report::verdicts) {
            *match verdict {
                Verdict::Agrees => &mut counts.agree,
                Verdict::Disagrees => &mut counts.disagree,
                Verdict::PaperErrs(_) => &mut counts.paper_errs,
                Verdict::Missing(_) => &mut counts.missing,
                Verdict::Information(_) => &mut counts.information,
            } += 1;
        }
        counts
    }

    fn sentence(self) -> String {
        let Self { agree, disagree, paper_errs, missing, information } = self;
        format!(
            "{}: {agree} agree, {disagree} disagree, {paper_errs} where the paper errs, {missing} missing, \
             {information} for information.",
            number::things(agree + disagree + paper_errs + missing + information, "number", "numbers")
        )
    }
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let library = library(args.papers.as_ref())?;
    let mut exhibits: Vec<&Exhibit> = Vec::new();
    for name in &args.names {
        let found = library.find(name)?;
        let new = found.into_iter().filter(|new| exhibits.iter().all(|known| known.id != new.id));
        exhibits.extend(new.collect::<Vec<_>>());
    }
    if let Some(folder) = &args.keep {
        std::fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    }
    let threads = args.threads.map(|threads| threads.get().into());
    let options = Options {
        quick: args.quick,
        seed: args.seed,
        threads: threads.or_else(|| thread::available_parallelism().ok().map(Into::into)).unwrap_or(1),
        limits: Limits { time: args.time_limit, ..Limits::default() },
        keep: args.keep.clone(),
        mixing: mixing(args.allow_mixed),
        cancel: interrupt::flag().context("interrupts cannot be watched for")?,
        progress: Arc::default(),
    };
    let mut screen = Screen::new();
    let reports = match reproduce(&exhibits, options, |report| match format {
        Format::Json => Ok(()),
        Format::Text => show::text(report, &mut screen),
    })? {
        Some(reports) => reports,
        None => return Ok(interrupted(args)),
    };
    let counts = Counts::of(&reports);
    if let Some(path) = &args.markdown {
        write_whole(path, |out| Ok(out.write_all(show::markdown(&reports, &counts.sentence()).as_bytes())?))?;
    }
    match format {
        Format::Json => screen.json(&Answer { quick: args.quick, seed: args.seed, counts, exhibits: reports })?,
        Format::Text => {
            let of = if counts.disagree > 0 { style::BAD } else { style::HEADING };
            writeln!(screen, "{}", style::paint(of, counts.sentence()))?;
        }
    }
    Ok(if counts.disagree > 0 { Exit::No } else { Exit::Done })
}

/// Reproduces one after the other, each shown when it is done; `None` where an interrupt came first.
fn reproduce(
    exhibits: &[&Exhibit],
    options: Options,
    mut each: impl FnMut(&Report) -> anyhow::Result<()>,
) -> anyhow::Result<Option<Vec<Report>>> {
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
