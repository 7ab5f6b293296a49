//! `pegwise analyze`: how well a game was played.

use std::{io::Write as _, path::PathBuf, time::Duration};

use anyhow::Context as _;
use pegwise_coach::{Analysis, AnalyzeError, ReferenceGame, TurnAnalysis, Uncertain, analyze_with_progress, plot};
use pegwise_game::{Rules, Space};
use pegwise_solve::{Limits, Search, clock::Moment};
use serde::Serialize;

use crate::{
    arguments::{self, DEFAULT_RULES, Format},
    exit::Exit,
    hint, mended,
    settings::Colors,
    tree::file::{check_place, write_whole},
    turns::Turns,
    ui::{Align, Block, Drawing, Progress, Screen, Table, number, style},
};

/// Tell how well a game was played, guess by guess.
///
/// Give every turn as GUESS=FEEDBACK, of a finished game or of one that goes on, with a question mark for what you forgot; or
/// guesses alone, with --secret. For each guess you see what it was expected to leave and what it left, how many guesses it
/// lost against the best guess there, and luck (how kind the answer was, from 0 to 100); and how others would have played
/// against the same secret.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    #[command(flatten)]
    turns: Turns,

    /// The secret, where the game was not finished; guesses without feedback are then answered by it.
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,

    #[command(flatten)]
    colors: Colors,

    /// A file for a picture of the shrinking possibilities.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// The longest to think about one guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "SECONDS", default_value = "2", value_parser = arguments::time_limit)]
    #[arg(allow_hyphen_values = true)]
    time_limit: Duration,

    /// Decides all that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0   a finished game
  pegwise analyze 5x8 11223=1,1 14256=1,2                        one that goes on
  pegwise analyze 1111=0,0 2345=2,1 --secret 2356                the secret told
  pegwise analyze 1122 1344 3526 --secret 3632                   guesses alone
  pegwise analyze '1122=1,?' 1344=0,1                            a number forgotten
  pegwise analyze 1122=1,1 1344=0,2 --svg game.svg               with a picture
  pegwise analyze 1122=1,1 1344=0,2 --format json                for programs";

/// An analysis for programs.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    #[serde(flatten)]
    analysis: &'a Analysis,
    seed: u64,
    seconds: f64,
}

pub(crate) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let rules = args.colors.of(args.turns.rules().map_or_else(|| DEFAULT_RULES.parse(), Ok)?)?;
    let secret = args.secret.as_ref().map(|secret| rules.parse_code(secret)).transpose().context("--secret")?;
    let notes = args.turns.read_answered(&rules, secret.as_ref())?;
    if let Some(file) = &args.svg {
        check_place(file)?;
    }
    let limits = Limits { time: Some(args.time_limit), ..Limits::default() };
    let mut search = Search::new(args.seed).with_limits(limits);
    let mut screen = Screen::new();
    let thinking = Moment::now();
    let progress = Progress::of_turns(notes.notes().len() as u64);
    let told = analyze_with_progress(&notes, secret.as_ref(), &mut search, |turns| progress.reach(turns as u64));
    drop(progress);
    let seconds = thinking.elapsed().as_secs_f64();
    let analysis = match told {
        Ok(analysis) => analysis,
        Err(AnalyzeError::Contradiction(contradiction)) => {
            if format == Format::Json {
                let (rules, turns) = (&rules, notes.notes());
                screen.json(&mended::Answer { rules, turns, contradiction: &contradiction, seconds })?;
            }
            anyhow::bail!(mended::text(&contradiction, &notes));
        }
        Err(error) => return Err(error.into()),
    };
    if let Some(file) = &args.svg {
        write_whole(file, |out| Ok(out.write_all(plot(&analysis).as_bytes())?))?;
    }
    match format {
        Format::Json => screen.json(&Answer { analysis: &analysis, seed: args.seed, seconds })?,
        Format::Text => show(&analysis, &mut screen)?,
    }
    Ok(Exit::Done)
}

fn show(analysis: &Analysis, screen: &mut Screen) -> std::io::Result<()> {
    let rules = &analysis.rules;
    let drawing = Drawing::new(rules, screen.look());
    let space = number::codes(Space::new(rules).count());
    let summary = format!("{space} · {}", analysis.summary);
    writeln!(screen, "{}\n", hint::heading(rules, &summary, screen))?;
    if analysis.turns.is_empty() {
        return Ok(());
    }
    writeln!(screen, "{}\n", verdicts(rules, &analysis.turns, &drawing).fitted(screen.look().width))?;
    let about = |verdict: &TurnAnalysis| {
        let figures = [verdict.expected, verdict.lost, verdict.luck];
        matches!(verdict.after, Uncertain::Estimate { .. })
            || figures.iter().any(|figure| matches!(figure, Uncertain::Estimate { .. }))
    };
    if analysis.turns.iter().any(about) {
        let note = "~ is an estimate from a sample, with the error it has 95 times out of 100; ? is not known.";
        writeln!(screen, "{}\n", Block::wrapped(style::DIM, note, screen.text_width(0)))?;
    }
    for (turn, verdict) in (1..).zip(&analysis.turns) {
        let label = Block::new(style::DIM, format!("turn {turn}"));
        let advice = Block::wrapped(style::PLAIN, &verdict.advice, screen.text_width(label.width() + 2));
        writeln!(screen, "{}", label.beside(2, advice))?;
    }
    if !analysis.possible.is_empty() {
        writeln!(screen, "\n{}", hint::still_possible(&analysis.possible, rules, screen))?;
    }
    if let (Some(secret), false) = (&analysis.secret, analysis.others.is_empty()) {
        let secret = secret.notation(rules.palette());
        writeln!(
            screen,
            "\nOthers against the secret {secret}\n{}",
            others(analysis, screen).fitted(screen.look().width)
        )?;
    }
    Ok(())
}

fn verdicts(rules: &Rules, verdicts: &[TurnAnalysis], drawing: &Drawing) -> Table<'static> {
    let mut table = Table::new([
        ("turn", Align::Right),
        ("guess", Align::Left),
        (hint::feedback_heading(rules), Align::Left),
        ("expected", Align::Right),
        ("left", Align::Right),
        ("lost", Align::Right),
        ("luck", Align::Right),
        ("best", Align::Left),
    ]);
    let plain = |text: String| Block::new(style::PLAIN, text);
    for (number, verdict) in (1..).zip(verdicts) {
        let own = verdict.note.code();
        table.row([
            Block::new(style::DIM, number.to_string()),
            drawing.guess(&verdict.note.guess),
            drawing.marks(&verdict.note.feedback),
            plain(verdict.expected.short()),
            plain(verdict.after.short()),
            lost(verdict.lost),
            luck(verdict.luck),
            match verdict.best.as_ref() {
                Some(best) if own.as_ref() == Some(&best.guess) => Block::new(style::GOOD, "this one"),
                Some(best) => drawing.notation(&best.guess),
                None => Block::new(style::DIM, "?"),
            },
        ]);
    }
    table
}

/// What stands before the numbers of codes left after each guess.
const BEFORE_LEFT: usize = 28;

/// Guesses lost: green when none is, yellow when much is.
fn lost(lost: Uncertain<f64>) -> Block {
    const NONE: f64 = 0.005;
    const MUCH: f64 = 0.25;
    let style = match lost.interval() {
        None => style::DIM,
        Some((_, high)) if high < NONE => style::GOOD,
        Some((low, _)) if low > MUCH => style::BAD,
        Some(_) => style::PLAIN,
    };
    Block::new(style, hint::lost(lost))
}

fn luck(luck: Uncertain<f64>) -> Block {
    match luck {
        Uncertain::Exact(luck) => Block::new(style::PLAIN, format!("{luck:.0}")),
        Uncertain::Estimate { value, .. } => Block::new(style::PLAIN, format!("~{value:.0}")),
        Uncertain::AtMost(_) | Uncertain::Unknown => Block::new(style::DIM, "-"),
    }
}

fn others(analysis: &Analysis, screen: &Screen) -> Table<'static> {
    let mut table = Table::new([("who", Align::Left), ("guesses", Align::Right), ("left after each", Align::Left)]);
    // Wrapped to what the longest name of a strategy leaves.
    let left = |text: String| Block::wrapped(style::DIM, &text, screen.text_width(BEFORE_LEFT));
    let own = analysis.turns.iter().map(|turn| turn.after.short()).collect::<Vec<_>>().join(" ");
    let guesses = |solved: bool, guesses: usize| {
        Block::new(style::PLAIN, if solved { guesses.to_string() } else { format!("over {guesses}") })
    };
    table.row([Block::new(style::HEADING, "you"), guesses(analysis.solved, analysis.turns.len()), left(own)]);
    for ReferenceGame { strategy, solved, guesses: number, turns } in &analysis.others {
        let after = turns.iter().map(|turn| turn.after.short()).collect::<Vec<_>>().join(" ");
        table.row([Block::new(style::NAME, strategy), guesses(*solved, *number), left(after)]);
    }
    table
}
