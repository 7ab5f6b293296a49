//! `pegwise lab report` and `pegwise lab plot`: statistics and plots of a store.

use std::{
    io::Write as _,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use pegwise_game::Rules;
use pegwise_lab::Store;
use pegwise_labstats::{
    plot::pdf,
    report::{self, ExperimentReport, ReportFigure},
};
use serde_json::json;

use crate::{
    arguments::{self, OutputFormat, one_of},
    exit::{self, Exit},
    files::{self, FileArg},
    ui::{self, Screen, TextBlock, TextTable, number, style},
};

/// Summarize stored games: tables, comparisons, and HTML with plots.
///
/// Strategies are compared on the secrets they share. If every code was played and nothing was random, totals are exact
/// and nothing is tested; otherwise each difference has a 95 % confidence interval, an effect size, and a test corrected
/// for multiple comparisons.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab report duel.db                  tables in the terminal
  pegwise lab report duel.db -o duel.html     a page with plots
  pegwise lab report duel.db --format latex   tables for a paper
  pegwise lab report duel.db --json           for programs"))]
pub(super) struct Args {
    /// Store.
    store: PathBuf,

    /// Output format [default: text, or that of the ending of FILE].
    #[arg(long, value_name = "FORMAT", value_parser = one_of(REPORT_FORMATS))]
    format: Option<OutputFormat>,

    /// Write the report to this file, and print only the conclusions. Markdown puts its plots in a folder beside it.
    #[arg(long, short, value_name = "FILE")]
    output: Option<FileArg>,
}

const REPORT_FORMATS: &[OutputFormat] = &[
    OutputFormat::Text,
    OutputFormat::Json,
    OutputFormat::Html,
    OutputFormat::Markdown,
    OutputFormat::Latex,
    OutputFormat::Csv,
];

pub(super) fn run(args: &Args, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let store = Store::open(&args.store)?;
    let report = pegwise_lab::report(&store)?;
    let title = args.store.file_stem().map_or("Experiment".to_owned(), |name| name.to_string_lossy().into_owned());
    let format = args.format.or(given);
    let output = args.output.clone().unwrap_or(FileArg::Stdio);
    let format = match (format, output.path()) {
        (Some(format), _) => format,
        (None, None) => OutputFormat::Text,
        (None, Some(path)) => format_of(path, REPORT_FORMATS).with_context(|| {
            format!("{}: use an ending .html, .md, .tex, .csv or .json, or --format", path.display())
        })?,
    };
    let text = match (format, output.regular_path()) {
        (OutputFormat::Text, _) if output == FileArg::Stdio => {
            show(&report, None, &mut Screen::new())?;
            return Ok(Exit::Success);
        }
        (OutputFormat::Text, _) => bail!("--format text cannot be written to a file; redirect the output instead"),
        (OutputFormat::Json, _) => {
            let (unfinished, origins) = (&report.unfinished, store.origins()?);
            let value =
                json!({ "store": args.store, "unfinished": unfinished, "origins": origins, "boards": report.boards });
            format!("{value}\n")
        }
        (OutputFormat::Latex, _) => report.latex(&title),
        (OutputFormat::Csv, path) => {
            // A table for programs has no place for a sentence, and with a file it is on standard output.
            if let (Some(unfinished), None) = (&report.unfinished, path) {
                exit::warn(unfinished, "the same `pegwise lab run` command resumes");
            }
            report.csv()
        }
        (OutputFormat::Html, _) => report.html(&title),
        (_, Some(path)) => {
            let folder = path.with_extension("plots");
            files::create_folder(&folder)?;
            for figure in report.figures() {
                files::write_file(&folder.join(format!("{}.svg", figure.name)), &figure.svg)?;
            }
            let name = folder.file_name().map(|name| name.to_string_lossy().into_owned());
            report.markdown(&title, name.as_deref())
        }
        (_, None) => report.markdown(&title, None),
    };
    output.write(|out| Ok(out.write_all(text.as_bytes())?))?;
    if let Some(path) = output.path() {
        show(&report, Some(path), &mut Screen::new())?;
    }
    Ok(Exit::Success)
}

/// Returns the format that the ending of a path stands for, if it is one of `formats`.
fn format_of(path: &Path, formats: &[OutputFormat]) -> Option<OutputFormat> {
    let format = match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "html" => OutputFormat::Html,
        "md" => OutputFormat::Markdown,
        "tex" => OutputFormat::Latex,
        "csv" => OutputFormat::Csv,
        "json" => OutputFormat::Json,
        "svg" => OutputFormat::Svg,
        "png" => OutputFormat::Png,
        "pdf" => OutputFormat::Pdf,
        _ => return None,
    };
    Some(format).filter(|format| formats.contains(format))
}

/// Writes the conclusions and, if the report was not written to a file, its tables.
fn show(report: &ExperimentReport, written: Option<&Path>, screen: &mut Screen) -> anyhow::Result<()> {
    if report.rows.is_empty() {
        writeln!(screen, "No games yet.")?;
    }
    for conclusion in report.unfinished.as_deref().into_iter().chain(report.conclusions()) {
        screen.paragraph(style::HEADING, conclusion)?;
    }
    if let Some(path) = written {
        screen.note(format!("Written to {}.", path.display()))?;
        return Ok(());
    }
    writeln!(screen)?;
    let is_conclusion = |text: &str| {
        report.unfinished.as_deref() == Some(text) || report.conclusions().any(|conclusion| conclusion == text)
    };
    for block in &report.blocks {
        match block {
            report::ReportBlock::Heading(text) => writeln!(screen, "{}\n", style::paint(style::HEADING, text))?,
            // Conclusions were written above.
            report::ReportBlock::Text(text) if is_conclusion(text) => {}
            report::ReportBlock::Text(text) => {
                screen.paragraph(style::DIM, text)?;
                writeln!(screen)?;
            }
            report::ReportBlock::Table(table) => {
                writeln!(screen, "{}", table.caption)?;
                screen.table(drawn(table))?;
                writeln!(screen)?;
            }
            report::ReportBlock::Figure(_) => {}
        }
    }
    let figures = report.figures().count();
    if figures > 0 {
        let plots = number::things(figures, "plot", "plots");
        screen.note(format!("Write a page with {plots}: -o FILE.html"))?;
    }
    Ok(())
}

fn drawn(table: &report::ReportTable) -> TextTable {
    let headings =
        table.columns.iter().map(|column| format!("{}{}", if column.names { "" } else { ">" }, column.heading));
    let mut drawn = TextTable::new(headings);
    for row in &table.rows {
        drawn.row(row.iter().map(|text| TextBlock::new(style::PLAIN, text)).collect::<Vec<_>>());
    }
    drawn
}

/// Plot stored games as SVG, PNG or PDF.
///
/// One plot is written to standard output or a file, several to a folder. Some kinds need enough data: a sweep needs
/// three values of a parameter, scaling needs two boards.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise lab plot duel.db --kind histogram -o duel.svg
  pegwise lab plot duel.db --kind box -o duel.pdf --width 85
  pegwise lab plot duel.db -o plots/          all plots"))]
pub(super) struct PlotArgs {
    /// Store.
    store: PathBuf,

    /// Only plots of these rules.
    #[arg(value_name = "RULES", value_parser = arguments::rules)]
    rules: Option<Rules>,

    /// Kind of plot [default: all].
    #[arg(long, short, value_name = "KIND", value_parser = kinds())]
    kind: Option<report::PlotKind>,

    /// Output file, whose ending (.svg, .png, .pdf) is the format, or a folder [default: standard output, as SVG].
    #[arg(long, short, value_name = "FILE")]
    output: Option<FileArg>,

    /// Format of plots in a folder [default: svg]; json lists the files written.
    #[arg(long, value_name = "FORMAT", value_parser = one_of(&[OutputFormat::Svg, OutputFormat::Png, OutputFormat::Pdf, OutputFormat::Json]))]
    format: Option<OutputFormat>,

    /// Width of a PDF, in millimeters.
    #[arg(long, value_name = "MM", default_value_t = 120.0, value_parser = millimeters)]
    width: f64,

    /// Height of a PDF, in millimeters [default: that of the plot].
    #[arg(long, value_name = "MM", value_parser = millimeters)]
    height: Option<f64>,
}

fn millimeters(text: &str) -> Result<f64, &'static str> {
    text.parse().ok().filter(|length| (10.0..=2000.0).contains(length)).ok_or("write millimeters, from 10 to 2000")
}

fn kinds() -> impl TypedValueParser<Value = report::PlotKind> {
    let names = report::PlotKind::ALL.map(|kind| PossibleValue::new(kind.name()).help(kind.about()));
    let named = |name: String| report::PlotKind::ALL.into_iter().find(|kind| kind.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("no such kind"))
}

pub(super) fn plot(args: &PlotArgs, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let report = pegwise_lab::report(&Store::open(&args.store)?)?;
    let rules = args.rules.as_ref().map(ToString::to_string);
    let selected = |figure: &&ReportFigure| {
        args.kind.is_none_or(|kind| figure.kind == kind) && (rules.is_none() || figure.rules == rules)
    };
    let figures: Vec<&ReportFigure> = report.figures().filter(selected).collect();
    let format = args.format.or(given);
    let Some(path) = args.output.as_ref().and_then(FileArg::path) else {
        match format {
            None | Some(OutputFormat::Svg) => {}
            _ => bail!("give a file or a folder with -o for this format"),
        }
        FileArg::Stdio.write(|out| Ok(out.write_all(only(&figures, &report)?.svg.as_bytes())?))?;
        return Ok(Exit::Success);
    };
    let mut files = Vec::new();
    if path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator) {
        if figures.is_empty() {
            bail!(nothing(&report));
        }
        files::create_folder(path)?;
        let (format, ending) = match format {
            Some(OutputFormat::Png) => (OutputFormat::Png, "png"),
            Some(OutputFormat::Pdf) => (OutputFormat::Pdf, "pdf"),
            _ => (OutputFormat::Svg, "svg"),
        };
        for figure in figures {
            let file = path.join(format!("{}.{ending}", figure.name));
            draw(&file, format, args, figure)?;
            files.push((file, &figure.title));
        }
    } else {
        let figure = only(&figures, &report)?;
        let format = format_of(path, &[OutputFormat::Svg, OutputFormat::Png, OutputFormat::Pdf])
            .with_context(|| format!("{}: use an ending .svg, .png or .pdf, or a folder/", path.display()))?;
        draw(path, format, args, figure)?;
        files.push((path.to_owned(), &figure.title));
    }
    let output: Vec<_> = files.iter().map(|(file, title)| json!({ "file": file, "title": title })).collect();
    ui::print(format.unwrap_or(OutputFormat::Text), &output, |screen| {
        files.iter().try_for_each(|(file, title)| writeln!(screen, "{}: {title}", file.display()))
    })
}

/// Returns the only selected plot, or an error.
fn only<'a>(figures: &[&'a ReportFigure], report: &ExperimentReport) -> anyhow::Result<&'a ReportFigure> {
    match figures {
        [] => bail!(nothing(report)),
        [figure] => Ok(figure),
        several => bail!(
            "{} are available: {}\n  choose by --kind and RULES, or give a folder with -o",
            number::things(several.len(), "plot", "plots"),
            names(several.iter().copied())
        ),
    }
}

fn nothing(report: &ExperimentReport) -> String {
    match names(report.figures()).as_str() {
        "" => "the store has no games; `pegwise lab run` plays some".to_owned(),
        names => format!("not enough data for this plot; available: {names}"),
    }
}

fn names<'a>(figures: impl Iterator<Item = &'a ReportFigure>) -> String {
    figures.map(|figure| figure.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn draw(path: &Path, format: OutputFormat, args: &PlotArgs, figure: &ReportFigure) -> anyhow::Result<()> {
    let bytes = match format {
        OutputFormat::Png => png(&figure.svg)?,
        OutputFormat::Pdf => pdf(&figure.svg, args.width, args.height).context("the plot cannot be drawn as PDF")?,
        _ => figure.svg.as_bytes().to_vec(),
    };
    files::write_file(path, bytes)
}

#[cfg(feature = "png")]
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    /// Pixels per unit of the SVG, for high-resolution screens.
    const SCALE: f32 = 2.0;
    Ok(pegwise_labstats::plot::png(svg, SCALE)?)
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> anyhow::Result<Vec<u8>> {
    bail!(
        "this program was built without PNG: use an ending .svg, or install it with\n  \
         cargo install --path crates/cli --features png"
    )
}
