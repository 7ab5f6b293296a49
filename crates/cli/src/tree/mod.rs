//! `pegwise tree`: strategies as decision trees. `build` has its own module.

mod build;

use std::{
    fmt::Display,
    io::{self, Write as _},
    num::NonZeroU16,
    path::PathBuf,
};

use anyhow::{Context as _, ensure};
use clap::{Subcommand, ValueEnum};
use pegwise_game::{Count, Rules, Turn};
use pegwise_solve::tree::{
    self, PathError, PositionReport, Summary, Tree, TreeFile, TreePath, VerifyError, beam,
    formats::{self, ExportError},
    verify_list, verify_part,
};
use serde::Serialize;
use serde_json::json;

pub(crate) use self::build::position_strategy;
use crate::{
    arguments::{self, OutputFormat, SecretsArg, one_of},
    exit::Exit,
    files::{self, FileArg},
    ui::{self, BoardRenderer, Screen, TextBlock, TextTable, number, style},
};

/// Build, verify and inspect strategies as decision trees.
///
/// A tree has a guess for every position that can occur, so that its results over all codes can be counted and checked.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree build 4x6 --strategy knuth -o knuth.tree   the tree of Knuth's strategy
  pegwise tree verify knuth.tree                          its results
  pegwise tree show knuth.tree 1122=1,0                   its guess after a turn
  pegwise solve --tree knuth.tree --secret 3632           a game played from it"))]
pub(crate) struct Args {
    #[command(subcommand)]
    command: TreeCommand,
}

#[derive(Debug, Subcommand)]
enum TreeCommand {
    Build(Box<build::Args>),
    Verify(VerifyArgs),
    Show(ShowArgs),
    Export(TreeExportArgs),
    Import(ImportArgs),
    Diff(DiffArgs),
    Split(SplitArgs),
    Join(JoinArgs),
}

pub(crate) fn run(args: Args, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let format = given.unwrap_or(OutputFormat::Text);
    match args.command {
        TreeCommand::Build(args) => build::run(*args, format),
        TreeCommand::Verify(args) => verify(&args, format),
        TreeCommand::Show(args) => show(&args, format),
        TreeCommand::Export(args) => export(&args, given),
        TreeCommand::Import(args) => import(&args, format),
        TreeCommand::Diff(args) => diff(&args, format),
        TreeCommand::Split(args) => split(&args, format),
        TreeCommand::Join(args) => join(&args, format),
    }
}

/// Results of a tree over all codes.
#[derive(Debug, Serialize)]
struct TreeReport {
    rules: Rules,
    made_by: String,
    /// Guesses summed over all codes.
    total: u64,
    codes: u64,
    mean: f64,
    /// Maximum number of guesses per code.
    max: u32,
    /// Number of codes that need `max` guesses.
    deepest: u64,
    /// Number of codes that need one guess, two guesses, and so on.
    histogram: Vec<u64>,
    /// True if the file claims that no better tree exists.
    proven: bool,
    lower_bound: Option<u64>,
}

impl TreeReport {
    fn of(file: &TreeFile) -> Self {
        Self::new(file, file.tree.stats().histogram)
    }

    fn new(file: &TreeFile, histogram: Vec<u64>) -> Self {
        let codes: u64 = histogram.iter().sum();
        let total = (1..).zip(&histogram).map(|(guesses, codes): (u64, &u64)| guesses * codes).sum();
        Self {
            rules: file.tree.rules.clone(),
            made_by: file.made_by.clone(),
            total,
            codes,
            mean: total as f64 / codes as f64,
            max: histogram.len() as u32,
            deepest: histogram.last().copied().unwrap_or(0),
            histogram,
            proven: file.proven,
            lower_bound: file.lower_bound,
        }
    }

    /// Writes the report, with additional facts.
    fn show(&self, more: &[(&str, String)], screen: &mut Screen) -> io::Result<()> {
        let codes = number::codes(Count::Exact(self.codes.into()));
        let made_by = style::paint(style::NAME, &self.made_by);
        writeln!(screen, "{} · {codes} · {made_by}\n", style::paint(style::HEADING, &self.rules))?;

        let max = number::things(self.max as usize, "guess", "guesses");
        let deepest = number::codes(Count::Exact(self.deepest.into()));
        let facts = [
            ("total", format!("{} guesses", number::grouped(self.total))),
            ("mean", format!("{:.4} guesses", self.mean)),
            ("deepest", format!("{max}, for {deepest}")),
        ];
        let facts: Vec<(&str, String)> = facts.iter().chain(more).cloned().collect();
        let width = facts.iter().map(|(label, _)| label.len()).max().unwrap_or(0);
        screen.facts(width + 3, &facts)?;
        writeln!(screen, "\n{}", self.distribution(screen))
    }

    /// Returns the proof, or the lower bound and the gap.
    fn proof(&self) -> Option<(&'static str, String)> {
        match (self.proven, self.lower_bound) {
            (true, _) => Some(("proven", "no tree is better".to_owned())),
            (false, Some(bound)) => {
                let gap = 100.0 * (self.total as f64 / bound as f64 - 1.0);
                Some(("not proven", format!("lower bound {} (gap {gap:.2} %)", number::grouped(bound))))
            }
            (false, None) => None,
        }
    }

    /// Returns the proof as a claim of the file, which a replay cannot check.
    fn claims(&self) -> Vec<(&'static str, String)> {
        let claim =
            |(word, text): (&str, String)| ("claimed", if word == "proven" { text } else { format!("{word}: {text}") });
        self.proof().map(claim).into_iter().collect()
    }

    fn distribution(&self, screen: &Screen) -> TextBlock {
        /// Length of the bar of all codes.
        const BAR: f64 = 40.0;
        let mut table = TextTable::new([">guesses", ">codes", ""]);
        for (guesses, &codes) in (1..).zip(&self.histogram) {
            let bar = (codes as f64 / self.codes as f64 * BAR).ceil() as usize;
            let bar = if screen.info().color { "▬".repeat(bar) } else { String::new() };
            table.row([
                TextBlock::new(style::DIM, format!("{guesses}")),
                TextBlock::new(style::PLAIN, number::grouped(codes)),
                TextBlock::new(style::BAR, bar),
            ]);
        }
        table.block()
    }
}

/// Check a tree by playing it against every code.
///
/// The tree of a list of secrets is played against the codes that it finds; --secrets checks that they are those of a list.
/// Every code must be reached exactly once and won, every branch must be a possible feedback, and the totals must be
/// those that the file claims. A replay cannot check the claim that no better tree exists.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree verify knuth.tree          its results
  pegwise tree verify knuth.tree --json   for programs

Exits with 1 if the tree is wrong, and with 2 if the file cannot be read."))]
struct VerifyArgs {
    /// Tree file, or - for standard input.
    file: FileArg,

    /// The tree must find exactly these secrets, by guesses of these lists.
    #[command(flatten)]
    secrets: SecretsArg,
}

fn verify(args: &VerifyArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let file = args.file.load_tree()?;
    let secrets = args.secrets.load(&file.tree.rules)?;
    let verdict = secrets.as_ref().map_or_else(|| tree::verify(&file), |list| verify_list(&file, list));
    match verdict {
        Err(error @ VerifyError::Table(_)) => Err(error.into()),
        Ok(verdict) => {
            let report = TreeReport::new(&file, verdict.histogram);
            let output = ui::merged(&report, json!({ "verified": true, "positions": verdict.nodes }))?;
            ui::print(format, &output, |screen| {
                report.show(&report.claims(), screen)?;
                let codes = if file.claim.listed { "listed secret" } else { "code" };
                let verified = format!("Verified: every {codes} is reached once and won.");
                writeln!(screen, "\n{}", style::paint(style::GOOD, verified))
            })
        }
        Err(error) => {
            let (rules, made_by, reason) = (&file.tree.rules, &file.made_by, error.to_string());
            let output = json!({ "verified": false, "rules": rules, "made_by": made_by, "reason": reason });
            ui::print(format, &output, |screen| {
                let what = style::paint(style::BAD, format!("{} is not verified:", args.file));
                writeln!(screen, "{what} {error}")
            })?;
            Ok(Exit::Negative)
        }
    }
}

/// Show a position of a tree: its guess, and the next guess for each feedback.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree show knuth.tree                               the first guess
  pegwise tree show knuth.tree 1122=1,0                      after one turn
  pegwise tree show knuth.tree 1122=1,0 1344=0,1 --depth 3   a whole branch
  pegwise tree show knuth.tree 1122=1,0 --json               for programs"))]
struct ShowArgs {
    /// Tree file, or - for standard input.
    file: FileArg,

    /// Turns that lead to the position, as in 1122=1,0 [default: the first position].
    #[arg(value_name = "TURN")]
    turns: Vec<String>,

    /// Number of guesses to look ahead.
    #[arg(long, value_name = "N", default_value = "1", value_parser = arguments::whole::<NonZeroU16>(1..=1024))]
    #[arg(allow_negative_numbers = true)]
    depth: NonZeroU16,
}

/// Position and those below it, to the requested depth.
#[derive(Debug, Serialize)]
struct PositionOutput {
    #[serde(flatten)]
    shown: PositionReport,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    below: Vec<Self>,
}

impl PositionOutput {
    fn new(tree: &Tree, turns: &[Turn], depth: u16) -> Result<Self, PathError> {
        let shown = tree.show(turns)?;
        let mut below = Vec::new();
        if depth > 1 {
            for row in &shown.rows {
                let turn = Turn { guess: shown.guess.clone(), feedback: row.feedback.clone() };
                let turns: Vec<Turn> = turns.iter().cloned().chain([turn]).collect();
                below.push(Self::new(tree, &turns, depth - 1)?);
            }
        }
        Ok(Self { shown, below })
    }
}

fn show(args: &ShowArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let file = args.file.load_tree()?;
    let tree = &file.tree;
    let turn =
        |(number, text): (usize, &String)| Turn::parse(&tree.rules, text).with_context(|| format!("turn {number}"));
    let turns: Vec<Turn> = (1..).zip(&args.turns).map(turn).collect::<anyhow::Result<_>>()?;
    let missing = |error: PathError| {
        let advice = format!("`pegwise tree show {}` shows the first position", args.file);
        anyhow::anyhow!("{}: {error}\n  {advice}", args.file)
    };
    let mut screen = Screen::new();
    match (format, args.depth.get()) {
        (OutputFormat::Json, depth) => screen.json(&PositionOutput::new(tree, &turns, depth).map_err(missing)?)?,
        (_, 1) => show_position(&tree.show(&turns).map_err(missing)?, &file.made_by, &mut screen)?,
        (_, depth) => write!(screen, "{}", tree.list(&turns, depth.into()).map_err(missing)?)?,
    }
    Ok(Exit::Success)
}

fn show_position(shown: &PositionReport, made_by: &str, screen: &mut Screen) -> io::Result<()> {
    let renderer = BoardRenderer::new(&shown.rules, screen.info());
    let (rules, made_by) = (style::paint(style::HEADING, &shown.rules), style::paint(style::NAME, made_by));
    writeln!(screen, "{rules} · {made_by} · {}\n", shown.place)?;

    let mut guess = renderer.code(&shown.guess);
    if screen.info().color {
        guess = guess.beside(3, renderer.notation(&shown.guess));
    }
    guess.below(TextBlock::wrapped(style::DIM, &outlook(shown), screen.text_width(7)));
    writeln!(screen, "{}", TextBlock::new(style::GOOD, "Play").beside(3, guess))?;
    if !shown.rows.is_empty() {
        writeln!(screen, "\n{}", branches(shown, &renderer))?;
    }
    Ok(())
}

/// Describes the guesses needed from a position.
fn outlook(shown: &PositionReport) -> String {
    let summary = &shown.summary;
    if summary.codes == 1 && shown.wins {
        return "the only code left".to_owned();
    }
    let codes = number::codes(Count::Exact(summary.codes.into()));
    let cannot_win = if shown.wins { "" } else { "; this guess cannot be the code" };
    format!("{codes} left, {:.4} more guesses on average, {} at most{cannot_win}", shown.mean, summary.max)
}

fn branches(shown: &PositionReport, renderer: &BoardRenderer) -> TextBlock {
    let mut table = TextTable::new(["feedback", ">codes", "next guess", ">mean", ">most"]);
    let plain = |text: String| TextBlock::new(style::PLAIN, text);
    // On boards with several lines, drawn feedback would take several lines per row.
    let is_row = shown.rules.board().line_count() == 1;
    for row in &shown.rows {
        let (feedback, guess) = if is_row {
            (renderer.feedback(&row.feedback), renderer.code(&row.guess))
        } else {
            (plain(row.feedback.to_string()), renderer.notation(&row.guess))
        };
        table.row([
            feedback,
            plain(number::grouped(row.summary.codes)),
            guess,
            plain(format!("{:.4}", row.mean)),
            plain(row.summary.max.to_string()),
        ]);
    }
    table.block()
}

/// Convert a tree to another format.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree export knuth.tree --format contest -o knuth.txt   one line of text
  pegwise tree export knuth.tree --format html -o knuth.html     an interactive page
  pegwise tree export knuth.tree --format knuth -o printed.txt   as in the literature
  pegwise tree export knuth.tree                                 JSON for programs"))]
struct TreeExportArgs {
    /// Tree file, or - for standard input.
    file: FileArg,

    /// Output format [default: json].
    #[arg(long, value_name = "FORMAT")]
    #[arg(value_parser = one_of(&[OutputFormat::Json, OutputFormat::Dot, OutputFormat::Contest, OutputFormat::Html, OutputFormat::Knuth]))]
    format: Option<OutputFormat>,

    /// Output file [default: standard output].
    #[arg(long, short, value_name = "FILE", default_value = "-", hide_default_value = true)]
    output: FileArg,
}

fn export(args: &TreeExportArgs, given: Option<OutputFormat>) -> anyhow::Result<Exit> {
    let tree = args.file.load_tree()?;
    let format = match args.format.or(given) {
        Some(OutputFormat::Html) => None,
        Some(OutputFormat::Dot) => Some(formats::Format::Dot),
        Some(OutputFormat::Contest) => Some(formats::Format::Contest),
        Some(OutputFormat::Knuth) => Some(formats::Format::Knuth),
        _ => Some(formats::Format::Json),
    };
    args.output.write(|mut out| {
        let written = match format {
            Some(format) => formats::export(&tree, format, out).map_err(Box::new),
            None => pegwise_web::tree_page(&tree, &mut out),
        };
        written.map_err(|error| match *error {
            // Unwrapped, so that a closed pipe is recognized.
            ExportError::Io(error) => error.into(),
            error => anyhow::Error::new(error),
        })
    })?;
    Ok(Exit::Success)
}

/// Convert a tree from another format.
///
/// The tree is saved and verified; it is also saved if it does not win every game, so that it can be inspected.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree import knuth.txt 4x6 --from contest -o imported.tree
  pegwise tree import printed.txt 4x6 --from knuth -o imported.tree

Exits with 1 if the tree does not win every game, or contradicts its claims."))]
struct ImportArgs {
    /// Input file, or - for standard input.
    file: FileArg,

    /// Rules; required for the contest format and Knuth's, which do not name them.
    #[arg(value_name = "RULES", value_parser = arguments::rules)]
    #[arg(required_if_eq_any([("from", "contest"), ("from", "knuth")]))]
    rules: Option<Rules>,

    /// Input format.
    #[arg(long, value_enum, value_name = "FORMAT")]
    from: ImportFormat,

    /// Tree file to write.
    #[arg(long, short, value_name = "FILE")]
    output: FileArg,

    /// Replace an existing file.
    #[arg(long, short)]
    force: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum ImportFormat {
    /// JSON, as `pegwise tree export` writes it
    Json,
    /// The grammar of the public contest for 5 pegs and 8 colors
    Contest,
    /// The notation in which Knuth, and Koyama and Lai, printed their trees
    Knuth,
}

fn import(args: &ImportArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let ImportArgs { file, from, rules, output, force } = args;
    output.check(*force)?;
    let from = match from {
        ImportFormat::Json => formats::Format::Json,
        ImportFormat::Contest => formats::Format::Contest,
        ImportFormat::Knuth => formats::Format::Knuth,
    };
    let tree = file.read_with(|input| Ok(formats::import(from, rules.as_ref(), input)?))?;
    let verdict = tree::verify(&tree);
    output.save_tree(&tree)?;
    if let Some(path) = output.path() {
        let report = TreeReport::of(&tree);
        ui::print(format, &report, |screen| {
            report.show(&report.claims(), screen)?;
            screen.note(format!("\nSaved as {}.", path.display()))
        })?;
    }
    let Err(error) = verdict else { return Ok(Exit::Success) };
    writeln!(anstream::stderr(), "{} {error}", style::paint(style::BAD, "not verified:"))?;
    Ok(Exit::Negative)
}

/// Compare two trees of the same rules.
///
/// Each line names a position where the trees play different guesses, and for each tree its guess, the number of codes,
/// the total number of guesses and the maximum for any code. Positions after it are not compared.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree diff knuth.tree best.tree          where they differ
  pegwise tree diff knuth.tree best.tree --json   for programs

Exits with 1 if the trees differ."))]
struct DiffArgs {
    /// First tree file, or - for standard input.
    #[arg(value_name = "A")]
    first: FileArg,

    /// Second tree file, or - for standard input.
    #[arg(value_name = "B")]
    second: FileArg,
}

fn diff(args: &DiffArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let DiffArgs { first, second } = args;
    ensure!([first, second].iter().any(|file| file.path().is_some()), "only one of the trees can be standard input");
    let diff = tree::diff(&first.load_tree()?.tree, &second.load_tree()?.tree)
        .with_context(|| format!("{first} and {second} cannot be compared"))?;
    ui::print(format, &diff, |screen| {
        if diff.is_empty() {
            let same = format!("The trees are equal in all {} positions.", diff.same);
            return writeln!(screen, "{}", style::paint(style::GOOD, same));
        }
        writeln!(screen, "{diff}")
    })?;
    Ok(Exit::from_result(diff.is_empty()))
}

/// Split a tree into parts that other machines can improve.
///
/// A part is a position and the tree below it. Parts are as large as their number allows and do not overlap; those that
/// lose most compared with the usual total of as many codes come first. `pegwise tree build --best` improves a part, and
/// `pegwise tree join` puts it back.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree split knuth.tree -o parts                       write the parts
  pegwise tree build 4x6 --best -t 1 -o parts/001.tree         improve one
  pegwise tree join knuth.tree parts/001.tree -o better.tree   put it back

Exits with 1 if every position is too small to be worth a part."))]
struct SplitArgs {
    /// Tree file, or - for standard input.
    file: FileArg,

    /// Maximum number of parts.
    #[arg(long, value_name = "N", default_value = "16", value_parser = arguments::whole::<NonZeroU16>(1..=65_535))]
    #[arg(allow_negative_numbers = true)]
    parts: NonZeroU16,

    /// Folder to write to, as 001.tree and so on; created if needed.
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,

    /// Replace existing files.
    #[arg(long, short)]
    force: bool,
}

#[derive(Debug, Serialize)]
struct SplitPart {
    file: PathBuf,
    /// Turns that lead to the position.
    place: TreePath,
    codes: u64,
    /// Guesses from the position on, summed over its codes.
    total: u64,
    /// Number of guesses above the estimate for as many codes.
    loss: f64,
}

fn split(args: &SplitArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let SplitArgs { file, parts: max, output: folder, force } = args;
    let whole = file.load_tree()?;
    verify_part(&whole).with_context(|| format!("{file} is not verified"))?;
    check_parts(&whole, file)?;
    let tree = &whole.tree;
    let mut parts = Vec::new();
    let mut files = Vec::new();
    for (number, losing) in (1..).zip(beam::losing_parts(tree, max.get().into())?) {
        let beam::LosingPart { place, loss } = losing;
        let Summary { codes, total, .. } = Summary::of(tree.position(place.turns())?);
        files.push(TreeFile::new(tree.part(place.turns())?, whole.made_by.as_str()));
        parts.push(SplitPart { file: folder.join(format!("{number:03}.tree")), place, codes, total, loss });
    }
    if !parts.is_empty() {
        files::create_folder(folder)?;
    }
    for part in &parts {
        let path = part.file.display();
        ensure!(
            *force || !part.file.exists(),
            "{path} already exists\n  join it first, choose another folder, or use -f"
        );
    }
    for (part, file) in parts.iter().zip(&files) {
        files::save_tree(file, &part.file)?;
    }
    let output = json!({ "rules": tree.rules, "parts": parts });
    ui::print(format, &output, |screen| show_split(&tree.rules, &parts, screen))?;
    Ok(Exit::from_result(!parts.is_empty()))
}

/// Checks that a tree has parts: it is not one for a list of secrets.
fn check_parts(file: &TreeFile, source: impl Display) -> anyhow::Result<()> {
    ensure!(
        !file.claim.listed,
        "{source} is for a list of secrets, and only trees for all codes have parts\n  improve it with `pegwise tree \
         build {} --best --secrets LIST -o {source}`",
        file.tree.rules
    );
    Ok(())
}

fn show_split(rules: &Rules, parts: &[SplitPart], screen: &mut Screen) -> io::Result<()> {
    if parts.is_empty() {
        let text = "Every position is small enough to be solved at once: improve the whole tree.";
        return writeln!(screen, "{}", style::paint(style::BAD, text));
    }
    let mut table = TextTable::new(["file", ">codes", ">total", ">loss", "position"]);
    for part in parts {
        table.row([
            TextBlock::new(style::NAME, part.file.display().to_string()),
            TextBlock::new(style::PLAIN, number::grouped(part.codes)),
            TextBlock::new(style::PLAIN, number::grouped(part.total)),
            TextBlock::new(style::PLAIN, format!("{:+.1}", part.loss)),
            TextBlock::new(style::DIM, part.place.to_string()),
        ]);
    }
    screen.table(table)?;
    let improve = format!("pegwise tree build {rules} --best -o FILE");
    screen.note(format!("\nImprove a part with {improve}, and put it back with pegwise tree join."))
}

/// Put improved parts back into a tree.
///
/// Every part is verified and compared with the tree below its position. Parts that are not better are skipped. Parts of
/// other rules, parts that do not win every game, and parts whose position is not in the tree are rejected; the others
/// are still joined.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise tree join knuth.tree parts/001.tree parts/002.tree -o better.tree
  pegwise tree join better.tree parts/003.tree -o better.tree

Exits with 1 if a part was rejected, and with 2, without writing, if a file
cannot be read."))]
struct JoinArgs {
    /// Tree file.
    #[arg(value_name = "FILE")]
    tree: PathBuf,

    /// Parts, as `pegwise tree split` writes them.
    #[arg(value_name = "PART", required = true)]
    parts: Vec<PathBuf>,

    /// Tree file to write; may be the input.
    #[arg(long, short, value_name = "FILE")]
    output: FileArg,

    /// Replace an existing file other than the input.
    #[arg(long, short)]
    force: bool,
}

#[derive(Debug, Serialize)]
struct JoinOutput {
    rules: Rules,
    /// Guesses summed over all codes, before and after.
    before: u64,
    total: u64,
    parts: Vec<JoinedPart>,
}

#[derive(Debug, Serialize)]
struct JoinedPart {
    file: PathBuf,
    /// Guesses saved; 0 if the part was not better or was rejected.
    saved: u64,
    /// Reason for the rejection; `None` if the part was not rejected.
    refused: Option<String>,
}

fn join(args: &JoinArgs, format: OutputFormat) -> anyhow::Result<Exit> {
    let JoinArgs { tree: path, parts, output, force } = args;
    output.check(*force || output.path() == Some(path))?;
    let load = |path: &PathBuf| FileArg::Path(path.clone()).load_tree();
    let mut whole = load(path)?;
    verify_part(&whole).with_context(|| format!("{} is not verified", path.display()))?;
    check_parts(&whole, path.display())?;
    let files = parts.iter().map(load).collect::<anyhow::Result<Vec<TreeFile>>>()?;

    let before = whole.claim.total;
    let mut joined = Vec::new();
    for (path, part) in parts.iter().zip(&files) {
        let (saved, refused) = match tree::join(&mut whole.tree, part) {
            Ok(saved) => (saved, None),
            Err(error) => (0, Some(error.to_string())),
        };
        joined.push(JoinedPart { file: path.clone(), saved, refused });
    }
    if joined.iter().any(|part| part.saved > 0) {
        let bound = whole.lower_bound;
        whole = TreeFile::new(whole.tree, "best");
        // A total below the bound shows that the bound was wrong.
        let bound = bound.filter(|&bound| bound <= whole.claim.total);
        whole = whole.with_proof(false, bound);
    }
    output.save_tree(&whole)?;

    let complete = joined.iter().all(|part| part.refused.is_none());
    if let Some(path) = output.path() {
        let output = JoinOutput { rules: whole.tree.rules, before, total: whole.claim.total, parts: joined };
        ui::print(format, &output, |screen| {
            show_join(&output, screen)?;
            screen.note(format!("Saved as {}.", path.display()))
        })?;
    }
    Ok(Exit::from_result(complete))
}

fn show_join(output: &JoinOutput, screen: &mut Screen) -> io::Result<()> {
    let mut table = TextTable::new(["part", ">saves", ""]);
    for part in &output.parts {
        let (saves, word) = match &part.refused {
            Some(_) => ("-".to_owned(), "rejected"),
            None if part.saved == 0 => ("0".to_owned(), "not better"),
            None => (number::grouped(part.saved), "joined"),
        };
        table.row([
            TextBlock::new(style::NAME, part.file.display().to_string()),
            TextBlock::new(style::PLAIN, saves),
            TextBlock::new(style::DIM, word),
        ]);
    }
    screen.table(table)?;
    writeln!(screen)?;
    for part in &output.parts {
        if let Some(reason) = &part.refused {
            let what = format!("{} was rejected:", part.file.display());
            writeln!(screen, "{} {reason}", style::paint(style::BAD, what))?;
        }
    }
    let [before, after] = [output.before, output.total].map(number::grouped);
    writeln!(screen, "{}: {before} guesses before, {after} now", style::paint(style::HEADING, &output.rules))
}
