//! `pegwise lab report`: what the games of a store say.

use std::{io::Write as _, path::PathBuf};

use pegwise_lab::{Store, samples};
use pegwise_labstats::report::{self, Report};

use crate::{
    arguments::Format,
    exit::Exit,
    tree::file::write_whole,
    ui::{Align, Block, Screen, Table, number, style},
};

/// Sum up the games of a store: tables, comparisons, and pages with plots.
///
/// Strategies are compared on the secrets they share, by paired tests that allow for how many comparisons there are.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,

    /// Write the report as one page with plots that needs nothing else.
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    /// Write the report as Markdown, with its plots as SVG files in a folder beside it.
    #[arg(long, value_name = "FILE")]
    markdown: Option<PathBuf>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab report --store duel.db                    tables in the terminal
  pegwise lab report --store duel.db --html duel.html   a page with plots
  pegwise lab report --store duel.db --format json      for programs";

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let report = Report::new(&samples(&Store::open(&args.store)?)?);
    let title = args.store.file_stem().map_or("Experiment".to_owned(), |name| name.to_string_lossy().into_owned());
    if let Some(path) = &args.html {
        write_whole(path, |out| Ok(out.write_all(report.html(&title).as_bytes())?))?;
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
    }
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&report.rows)?,
        Format::Text => show(&report, &mut screen)?,
    }
    Ok(Exit::Done)
}

fn show(report: &Report, screen: &mut Screen) -> anyhow::Result<()> {
    if report.rows.is_empty() {
        writeln!(screen, "No games yet.")?;
    }
    for block in &report.blocks {
        match block {
            report::Block::Heading(text) => writeln!(screen, "{}\n", style::paint(style::HEADING, text))?,
            report::Block::Text(text) => {
                writeln!(screen, "{}\n", Block::wrapped(style::DIM, text, screen.text_width(0)))?;
            }
            report::Block::Table(table) => writeln!(screen, "{}\n{}\n", table.caption, drawn(table))?,
            report::Block::Figure(_) => {}
        }
    }
    let figures = report.figures().count();
    if figures > 0 {
        let plots = number::things(figures, "plot", "plots");
        writeln!(screen, "{}", style::paint(style::DIM, format!("--html FILE writes a page with {plots}.")))?;
    }
    Ok(())
}

fn drawn(table: &report::Table) -> Block {
    let align = |names: bool| if names { Align::Left } else { Align::Right };
    let mut drawn = Table::new(
        table.columns.iter().map(|column| (column.heading.as_str(), align(column.names))).collect::<Vec<_>>(),
    );
    for row in &table.rows {
        drawn.row(row.iter().map(|text| Block::new(style::PLAIN, text)).collect::<Vec<_>>());
    }
    drawn.block()
}
