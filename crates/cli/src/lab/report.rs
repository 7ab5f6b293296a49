//! `pegwise lab report`: what the games of a store say.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use clap::ValueEnum;
use pegwise_lab::{OriginSummary, Store, samples};
use pegwise_labstats::report::{self, BoardReport, ExperimentReport};
use serde::Serialize;

use crate::{
    arguments::Format,
    exit::Exit,
    tree::file::write_whole,
    ui::{Align, Block, Screen, Table, number, style},
};

/// Sum up the games of a store: what each board comes to, then tables, comparisons, and pages with plots.
///
/// Strategies are compared on the secrets they share. Where every code was played and nothing drawn, totals are exact and
/// nothing is tested; otherwise each difference has its 95 % interval, its effect size, and a test that allows for how many
/// comparisons there are.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,

    /// Print the whole report in this format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    to: Option<To>,

    /// Write the report as one page with plots that needs nothing else, and print only what it comes to.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the report as Markdown, with its plots as SVG files in a folder beside it, and print only what it comes to.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab report --store duel.db                    tables in the terminal
  pegwise lab report --store duel.db --html duel.html   a page with plots
  pegwise lab report --store duel.db --to latex         tables for a paper
  pegwise lab report --store duel.db --format json      for programs";

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum To {
    /// Tables for a paper
    Latex,
    /// Tables for a document
    Markdown,
    /// A page with plots
    Html,
    /// Everything, for programs
    Json,
    /// A line for each strategy at each rules
    Csv,
}

/// The whole analysis, for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    store: &'a Path,
    origins: Vec<OriginSummary>,
    boards: &'a [BoardReport],
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let store = Store::open(&args.store)?;
    let report = ExperimentReport::new(&samples(&store)?);
    let title = args.store.file_stem().map_or("Experiment".to_owned(), |name| name.to_string_lossy().into_owned());
    let mut written = Vec::new();
    if let Some(path) = &args.html {
        write_whole(path, |out| Ok(out.write_all(report.html(&title).as_bytes())?))?;
        written.push(path);
    }
    if let Some(path) = &args.markdown {
        let folder = path.with_extension("plots");
        std::fs::create_dir_all(&folder)?;
        for figure in report.figures() {
            let svg = folder.join(format!("{}.svg", figure.name));
            write_whole(&svg, |out| Ok(out.write_all(figure.svg.as_bytes())?))?;
        }
        let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
        let text = report.markdown(&title, name.as_deref());
        write_whole(path, |out| Ok(out.write_all(text.as_bytes())?))?;
        written.push(path);
    }
    let mut screen = Screen::new();
    let to = args.to.or((format == Format::Json).then_some(To::Json));
    match to {
        Some(To::Json) => {
            screen.json(&Answer { store: &args.store, origins: store.origins()?, boards: &report.boards })?;
        }
        Some(To::Latex) => write!(screen, "{}", report.latex(&title))?,
        Some(To::Markdown) => write!(screen, "{}", report.markdown(&title, None))?,
        Some(To::Html) => write!(screen, "{}", report.html(&title))?,
        Some(To::Csv) => write!(screen, "{}", report.csv())?,
        None => show(&report, &written, &mut screen)?,
    }
    Ok(Exit::Done)
}

fn show(report: &ExperimentReport, written: &[&PathBuf], screen: &mut Screen) -> anyhow::Result<()> {
    if report.rows.is_empty() {
        writeln!(screen, "No games yet.")?;
    }
    for conclusion in report.conclusions() {
        writeln!(screen, "{}", Block::wrapped(style::HEADING, conclusion, screen.text_width(0)))?;
    }
    for path in written {
        writeln!(screen, "Written to {}.", path.display())?;
    }
    if !written.is_empty() {
        return Ok(());
    }
    writeln!(screen)?;
    let said = |text: &str| report.conclusions().any(|conclusion| conclusion == text);
    for block in &report.blocks {
        match block {
            report::ReportBlock::Heading(text) => writeln!(screen, "{}\n", style::paint(style::HEADING, text))?,
            // What a board comes to stands above all of them.
            report::ReportBlock::Text(text) if said(text) => {}
            report::ReportBlock::Text(text) => {
                writeln!(screen, "{}\n", Block::wrapped(style::DIM, text, screen.text_width(0)))?;
            }
            report::ReportBlock::Table(table) => {
                writeln!(screen, "{}\n{}\n", table.caption, drawn(table).fitted(screen.look().width))?;
            }
            report::ReportBlock::Figure(_) => {}
        }
    }
    let figures = report.figures().count();
    if figures > 0 {
        let plots = number::things(figures, "plot", "plots");
        writeln!(screen, "{}", style::paint(style::DIM, format!("--html FILE writes a page with {plots}.")))?;
    }
    Ok(())
}

fn drawn(table: &report::ReportTable) -> Table<'_> {
    let align = |names: bool| if names { Align::Left } else { Align::Right };
    let mut drawn = Table::new(
        table.columns.iter().map(|column| (column.heading.as_str(), align(column.names))).collect::<Vec<_>>(),
    );
    for row in &table.rows {
        drawn.row(row.iter().map(|text| Block::new(style::PLAIN, text)).collect::<Vec<_>>());
    }
    drawn
}
