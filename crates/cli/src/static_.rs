//! `pegwise static`: guesses that are played all at once, and decide every code.

use std::{
    io::{self, Write as _},
    time::Duration,
};

use anyhow::Context as _;
use pegwise_game::{Code, Count, History, Rules, Space, Turn};
use pegwise_solve::{
    Search, Watch,
    candidates::Remaining,
    clock::Moment,
    static_game::{self, GoddardNumber, StaticOptions, StaticSolution, StaticVerdict},
};
use serde::Serialize;

use crate::{
    arguments::{self, DEFAULT_RULES, Format},
    exit::Exit,
    mended,
    ui::{Block, Drawing, Screen, number, style},
};

/// Find guesses that are played all at once and decide every code.
///
/// The answers to all of them leave one code, whatever the secret is; playing it is one guess more. Where the game is
/// small, it is proven that fewer guesses do not.
#[derive(Debug, clap::Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Args {
    /// The rules.
    #[arg(default_value = DEFAULT_RULES)]
    #[arg(value_parser = crate::rules::parse)]
    rules: Rules,

    /// Tell whether these guesses decide every code, instead.
    #[arg(long, value_name = "CODE", num_args = 1.., conflicts_with = "decode")]
    verify: Option<Vec<String>>,

    /// Tell the code that the answers to all guesses leave, instead.
    #[arg(long, value_name = "TURN", num_args = 1..)]
    decode: Option<Vec<String>>,

    /// Decides all that is random.
    #[arg(long, value_name = "N", default_value_t = 1)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,

    /// Sets of guesses to look at for the proof that fewer do not.
    #[arg(long, value_name = "SETS", default_value_t = StaticOptions::default().nodes, allow_negative_numbers = true)]
    proof: u64,

    /// The longest to look for fewer guesses and a proof, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "SECONDS", value_parser = arguments::time_limit, allow_hyphen_values = true)]
    time_limit: Option<Duration>,
}

const EXAMPLES: &str = "\
\x1b[1;4mExamples:\x1b[0m
  pegwise static 2x6                                            four guesses, and no three
  pegwise static 4x6 --verify 1221 2354 3311 4524 5656 6643     Greenwell's six
  pegwise static 3x3 --decode 112=2,0 122=2,0 123=1,2           answers in, code out
  pegwise static 3x4 --format json                              for programs

Exits with 1 when the guesses to verify leave codes undecided, or the answers
to decode leave more than one.";

/// Groups of codes that are shown when guesses do not decide them, and codes when answers leave several.
const SHOWN: usize = 10;

/// Guesses for programs.
#[derive(Debug, Serialize)]
struct Found<'a> {
    rules: &'a Rules,
    seed: u64,
    #[serde(flatten)]
    report: &'a StaticSolution,
    /// What is published.
    #[serde(skip_serializing_if = "Option::is_none")]
    goddard: Option<GoddardNumber>,
    seconds: f64,
}

/// A verdict for programs.
#[derive(Debug, Serialize)]
struct Verified<'a> {
    rules: &'a Rules,
    guesses: &'a [Code],
    decides: bool,
    codes: usize,
    decided: usize,
    /// The first groups of codes that are answered alike.
    undecided: &'a [Vec<Code>],
}

/// A decoded code for programs.
#[derive(Debug, Serialize)]
struct Decoded<'a> {
    rules: &'a Rules,
    turns: &'a [Turn],
    /// The code, if the answers leave one.
    code: Option<&'a Code>,
    remaining: Option<Count>,
    /// The first codes that are left.
    codes: &'a [Code],
}

pub(crate) fn run(args: &Args, format: Format) -> anyhow::Result<Exit> {
    let mut screen = Screen::new();
    if let Some(guesses) = &args.verify {
        return verify(&args.rules, guesses, format, &mut screen);
    }
    if let Some(turns) = &args.decode {
        return decode(&args.rules, turns, format, &mut screen);
    }
    let start = Moment::now();
    let options = StaticOptions { seed: args.seed, nodes: args.proof };
    let report = static_game::solve(&args.rules, &options, Watch::new(args.time_limit, None))?;
    let seconds = start.elapsed().as_secs_f64();
    match format {
        Format::Json => {
            let goddard = static_game::goddard(&args.rules);
            screen.json(&Found { rules: &args.rules, seed: args.seed, report: &report, goddard, seconds })?;
        }
        Format::Text => show(&args.rules, &report, seconds, &mut screen)?,
    }
    Ok(Exit::Done)
}

fn show(rules: &Rules, report: &StaticSolution, seconds: f64, screen: &mut Screen) -> io::Result<()> {
    let codes = number::codes(Space::new(rules).count());
    let guesses = number::things(report.guesses.len(), "guess", "guesses");
    let verb = if report.guesses.len() == 1 { "decides" } else { "decide" };
    writeln!(screen, "{} · {guesses} {verb} all {codes}\n", style::paint(style::HEADING, rules))?;
    let drawing = Drawing::new(rules, screen.look());
    for (number, guess) in (1..).zip(&report.guesses) {
        let number = Block::new(style::DIM, format!("{number}")).pad_left(4);
        writeln!(screen, "{}", number.beside(3, drawing.code(guess)))?;
    }
    let verdict = match report.minimal {
        true => style::paint(style::GOOD, "Proven: no fewer do."),
        false => style::paint(style::BAD, format!("Not proven: at least {} are needed.", report.at_least)),
    };
    let published = static_game::goddard(rules).map(|GoddardNumber { guesses, for_many_colors }| {
        let many = if for_many_colors { ", proven for many colors alone" } else { "" };
        style::paint(style::DIM, format!("Goddard's formula: {guesses}{many}.\n"))
    });
    let published = published.unwrap_or_default();
    let gap = if report.guesses.is_empty() { "" } else { "\n" };
    writeln!(screen, "{gap}{verdict}\n{published}{}", style::paint(style::DIM, number::seconds(seconds)))
}

fn verify(rules: &Rules, guesses: &[String], format: Format, screen: &mut Screen) -> anyhow::Result<Exit> {
    let guesses: Vec<Code> =
        guesses.iter().map(|code| rules.parse_code(code)).collect::<Result<_, _>>().context("--verify")?;
    let StaticVerdict { codes, decided, undecided } = static_game::verify(rules, &guesses)?;
    let decides = undecided.is_empty();
    let shown = &undecided[..undecided.len().min(SHOWN)];
    match format {
        Format::Json => {
            screen.json(&Verified { rules, guesses: &guesses, decides, codes, decided, undecided: shown })?;
        }
        Format::Text => {
            let count = number::things(guesses.len(), "guess", "guesses");
            let (of, all) = (number::grouped(decided as u128), number::codes(Count::Exact(codes as u128)));
            let verdict = match decides {
                true => style::paint(style::GOOD, format!("Yes: {count} decide all {all}.")),
                false => style::paint(style::BAD, format!("No: {count} decide {of} of {all}.")),
            };
            writeln!(screen, "{verdict}")?;
            for group in shown {
                writeln!(screen, "  answered alike: {}", list(group, rules))?;
            }
        }
    }
    Ok(if decides { Exit::Done } else { Exit::No })
}

fn decode(rules: &Rules, turns: &[String], format: Format, screen: &mut Screen) -> anyhow::Result<Exit> {
    let history = History::parse(rules, turns.iter().map(String::as_str)).context("--decode")?;
    let (codes, remaining) = fitting(&history)?;
    let code = codes.first().filter(|_| remaining.and_then(Count::exact) == Some(1));
    let shown = &codes[..codes.len().min(SHOWN)];
    match (format, code) {
        (Format::Json, _) => screen.json(&Decoded { rules, turns: history.turns(), code, remaining, codes: shown })?,
        (Format::Text, Some(code)) => {
            writeln!(screen, "{}", style::paint(style::GOOD, code.notation(rules.palette())))?;
        }
        (Format::Text, None) => {
            let count = remaining.map_or_else(|| "many codes".to_owned(), number::codes);
            let verdict = format!("Not decided: {count} fit.");
            writeln!(screen, "{}\n  {}", style::paint(style::BAD, verdict), list(shown, rules))?;
        }
    }
    Ok(if code.is_some() { Exit::Done } else { Exit::No })
}

/// The codes that fit answers, or a sample of them, and how many fit, where that is known.
fn fitting(history: &History) -> anyhow::Result<(Vec<Code>, Option<Count>)> {
    // The guess that won is the code, unless the others say otherwise.
    let won = history.turns().iter().find(|turn| turn.feedback.is_winning(history.rules()));
    if let Some(won) = won.filter(|won| history.is_consistent(&won.guess)) {
        return Ok((vec![won.guess.clone()], Some(Count::Exact(1))));
    }
    let view = Remaining::new(history.rules())?.after(history, &mut Search::new(1));
    let view = view.map_err(|error| mended::explain(error, history, None))?;
    Ok((view.codes.codes().collect(), view.count))
}

fn list(codes: &[Code], rules: &Rules) -> String {
    let texts = codes.iter().take(SHOWN).map(|code| code.notation(rules.palette()).to_string());
    let more = if codes.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", texts.collect::<Vec<_>>().join(" "))
}
