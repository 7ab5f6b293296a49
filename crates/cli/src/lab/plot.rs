//! `pegwise lab plot`: the games of a store as pictures.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail};
use clap::{
    ValueEnum,
    builder::{PossibleValue, PossibleValuesParser, TypedValueParser},
};
use pegwise_game::Rules;
use pegwise_lab::{Store, samples};
use pegwise_labstats::{
    plot::pdf,
    report::{self, ExperimentReport, ReportFigure},
};
use serde::Serialize;

use crate::{
    arguments::Format,
    exit::Exit,
    tree::file::write_whole,
    ui::{Screen, number},
};

/// Draw the games of a store, as SVG, PNG or PDF.
///
/// One plot goes to the standard output or to a file, several go to a folder. A kind of plot is there where the games have
/// something to show: a sweep needs three values of a parameter, and scaling two boards.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(super) struct Args {
    /// The store.
    #[arg(long, value_name = "FILE")]
    store: PathBuf,

    /// What to show [default: every kind].
    #[arg(long, short, value_name = "KIND", value_parser = kinds())]
    kind: Option<report::PlotKind>,

    /// Only plots of these rules.
    #[arg(long, value_name = "RULES", value_parser = crate::rules::parse)]
    rules: Option<Rules>,

    /// A file for one plot, as SVG, PNG or PDF by its ending, or a folder [default: the standard output, as SVG].
    #[arg(long, short, value_name = "OUT")]
    output: Option<PathBuf>,

    /// The format of plots that go to a folder.
    #[arg(long, value_enum, value_name = "FORMAT", default_value_t = Picture::Svg)]
    to: Picture,

    /// The width of a PDF, in millimeters.
    #[arg(long, value_name = "MM", default_value_t = 120.0, value_parser = millimeters)]
    width: f64,

    /// The height of a PDF, in millimeters [default: as the plot has it].
    #[arg(long, value_name = "MM", value_parser = millimeters)]
    height: Option<f64>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise lab plot --store duel.db --kind histogram -o duel.svg
  pegwise lab plot --store duel.db --kind box -o duel.pdf --width 85
  pegwise lab plot --store duel.db -o plots/          every plot there is";

/// A length that a page can have.
fn millimeters(text: &str) -> Result<f64, String> {
    let length = text.parse().ok().filter(|length| (10.0..=2000.0).contains(length));
    length.ok_or_else(|| "write millimeters, from 10 to 2000".to_owned())
}

/// How large a PDF is, in millimeters.
#[derive(Debug, Clone, Copy)]
struct Page {
    width: f64,
    height: Option<f64>,
}

/// Reads the name of a kind of plot.
fn kinds() -> impl TypedValueParser<Value = report::PlotKind> {
    let names = report::PlotKind::ALL.map(|kind| PossibleValue::new(kind.name()).help(kind.about()));
    let named = |name: String| report::PlotKind::ALL.into_iter().find(|kind| kind.name() == name);
    PossibleValuesParser::new(names).try_map(move |name| named(name).ok_or("no such kind"))
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Picture {
    /// Scales to any size, and follows the light or dark mode of its reader
    Svg,
    /// Pixels, twice as many each way as the SVG says
    Png,
    /// A page for a paper, as large as --width and --height say
    Pdf,
}

/// What was drawn, for programs.
#[derive(Debug, Serialize)]
struct Drawn<'a> {
    file: PathBuf,
    title: &'a str,
}

pub(super) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let report = ExperimentReport::new(&samples(&Store::open(&args.store)?)?);
    let rules = args.rules.as_ref().map(ToString::to_string);
    let asked = |figure: &&ReportFigure| {
        args.kind.is_none_or(|kind| figure.kind == kind) && (rules.is_none() || figure.rules == rules)
    };
    let figures: Vec<&ReportFigure> = report.figures().filter(asked).collect();
    let page = Page { width: args.width, height: args.height };
    let files = match &args.output {
        None => {
            io::stdout().lock().write_all(only(&figures, &report)?.svg.as_bytes())?;
            return Ok(Exit::Done);
        }
        Some(path) if is_folder(path) => to_folder(path, args.to, page, &figures, &report)?,
        Some(path) => {
            let figure = only(&figures, &report)?;
            write(path, picture_of(path)?, page, figure)?;
            vec![Drawn { file: path.clone(), title: &figure.title }]
        }
    };
    let mut screen = Screen::new();
    match format {
        Format::Json => screen.json(&files)?,
        Format::Text => {
            for Drawn { file, title } in &files {
                writeln!(screen, "{}: {title}", file.display())?;
            }
        }
    }
    Ok(Exit::Done)
}

/// Whether a path is to hold several plots: it is a folder, or written like one.
fn is_folder(path: &Path) -> bool {
    path.is_dir() || path.to_string_lossy().ends_with(std::path::is_separator)
}

/// The format that the name of a file asks for.
fn picture_of(path: &Path) -> anyhow::Result<Picture> {
    match path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase).as_deref() {
        Some("svg") => Ok(Picture::Svg),
        Some("png") => Ok(Picture::Png),
        Some("pdf") => Ok(Picture::Pdf),
        _ => bail!("{}: give a name that ends in .svg, .png or .pdf, or a folder with a / at its end", path.display()),
    }
}

/// The one plot that was asked for.
fn only<'a>(figures: &[&'a ReportFigure], report: &ExperimentReport) -> anyhow::Result<&'a ReportFigure> {
    match figures {
        [] => bail!(nothing(report)),
        [figure] => Ok(figure),
        several => bail!(
            "{} fit: {}\n  choose by --kind and --rules, or give a folder with -o",
            number::things(several.len(), "plot", "plots"),
            names(several.iter().copied())
        ),
    }
}

fn to_folder<'a>(
    folder: &Path,
    picture: Picture,
    page: Page,
    figures: &[&'a ReportFigure],
    report: &ExperimentReport,
) -> anyhow::Result<Vec<Drawn<'a>>> {
    if figures.is_empty() {
        bail!(nothing(report));
    }
    fs::create_dir_all(folder).with_context(|| format!("{}: the folder cannot be made", folder.display()))?;
    let ending = match picture {
        Picture::Svg => "svg",
        Picture::Png => "png",
        Picture::Pdf => "pdf",
    };
    let draw = |figure: &&'a ReportFigure| {
        let file = folder.join(format!("{}.{ending}", figure.name));
        write(&file, picture, page, figure)?;
        Ok(Drawn { file, title: &figure.title })
    };
    figures.iter().map(draw).collect()
}

fn nothing(report: &ExperimentReport) -> String {
    match names(report.figures()).as_str() {
        "" => "the store has no games to draw; `pegwise lab run` plays some".to_owned(),
        names => format!("the games have no such plot to show; there are {names}"),
    }
}

fn names<'a>(figures: impl Iterator<Item = &'a ReportFigure>) -> String {
    figures.map(|figure| figure.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn write(path: &Path, picture: Picture, page: Page, figure: &ReportFigure) -> anyhow::Result<()> {
    let bytes = match picture {
        Picture::Svg => figure.svg.as_bytes().to_vec(),
        Picture::Png => png(&figure.svg)?,
        Picture::Pdf => pdf(&figure.svg, page.width, page.height).context("the plot cannot be drawn as PDF")?,
    };
    write_whole(path, |out| Ok(out.write_all(&bytes)?))
}

#[cfg(feature = "png")]
fn png(svg: &str) -> anyhow::Result<Vec<u8>> {
    /// Sharp on the screens of today.
    const SCALE: f32 = 2.0;
    Ok(pegwise_labstats::plot::png(svg, SCALE)?)
}

#[cfg(not(feature = "png"))]
fn png(_: &str) -> anyhow::Result<Vec<u8>> {
    bail!(
        "this program was built without PNG: give a name that ends in .svg, or install it with\n  \
         cargo install --path crates/cli --features png"
    )
}
