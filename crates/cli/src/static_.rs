//! `pegwise static`: sets of guesses that are played at once and determine every code.

use std::{
    io::{self, Write as _},
    time::Duration,
};

use anyhow::Context as _;
use pegwise_game::{Code, Count, History, Rules, Space};
use pegwise_solve::{
    Search, Watch,
    candidates::CandidateTracker,
    clock::Moment,
    static_game::{self, GoddardNumber, StaticOptions, StaticSolution, StaticVerdict},
};
use serde_json::json;

use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_SEED, OutputFormat},
    contradiction,
    exit::Exit,
    ui::{self, BoardRenderer, Screen, TextBlock, number, style},
};

/// Find a set of guesses that, played at once, determines every code.
///
/// The answers identify the secret, which takes one more guess to play. In small games the set is proven minimal.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise static 2x6                                            four guesses; three are not enough
  pegwise static 4x6 --verify 1221 2354 3311 4524 5656 6643     Greenwell's six guesses
  pegwise static 3x3 --decode 112=2,0 122=2,0 123=1,2           the code of these answers
  pegwise static 3x4 --json                                     for programs

Exits with 1 if the guesses to verify do not determine every code, or the turns
to decode leave more than one."))]
pub(crate) struct Args {
    /// Rules.
    #[arg(default_value = DEFAULT_RULES)]
    #[arg(value_parser = arguments::rules)]
    rules: Rules,

    /// Check whether these guesses determine every code.
    #[arg(long, value_name = "CODE", num_args = 1.., conflicts_with = "decode")]
    verify: Option<Vec<String>>,

    /// Find the code that these turns determine.
    #[arg(long, value_name = "TURN", num_args = 1..)]
    decode: Option<Vec<String>>,

    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,

    /// Node limit of the proof that no smaller set exists.
    #[arg(long, value_name = "N", default_value_t = StaticOptions::default().nodes, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<u64>(0..=u64::MAX))]
    max_nodes: u64,

    /// Time limit, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "TIME", value_parser = arguments::duration, allow_hyphen_values = true)]
    time_limit: Option<Duration>,
}

/// Number of undetermined groups, or of codes, that are shown.
const SHOWN: usize = 10;

pub(crate) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    if let Some(guesses) = &args.verify {
        return verify(&args.rules, guesses, format);
    }
    if let Some(turns) = &args.decode {
        return decode(&args.rules, turns, format);
    }
    let start = Moment::now();
    let options = StaticOptions { seed: args.seed, nodes: args.max_nodes };
    let report = static_game::solve(&args.rules, &options, Watch::new(args.time_limit, None))?;
    let seconds = start.elapsed().as_secs_f64();
    let mut output = ui::merged(&report, json!({ "rules": args.rules, "seed": args.seed, "seconds": seconds }))?;
    if let Some(goddard) = static_game::goddard(&args.rules) {
        output["goddard"] = json!(goddard);
    }
    ui::print(format, &output, |screen| show(&args.rules, &report, seconds, screen))
}

fn show(rules: &Rules, report: &StaticSolution, seconds: f64, screen: &mut Screen) -> io::Result<()> {
    let codes = number::codes(Space::new(rules).count());
    let guesses = number::things(report.guesses.len(), "guess", "guesses");
    let verb = if report.guesses.len() == 1 { "determines" } else { "determine" };
    writeln!(screen, "{} · {guesses} {verb} all {codes}\n", style::paint(style::HEADING, rules))?;
    let renderer = BoardRenderer::new(rules, screen.info());
    for (number, guess) in (1..).zip(&report.guesses) {
        let number = TextBlock::new(style::DIM, format!("{number}")).pad_left(4);
        writeln!(screen, "{}", number.beside(3, renderer.code(guess)))?;
    }
    let verdict = match report.minimal {
        true => style::paint(style::GOOD, "Proven: no smaller set exists."),
        false => style::paint(style::BAD, format!("Not proven: at least {} are needed.", report.at_least)),
    };
    let published = static_game::goddard(rules).map(|GoddardNumber { guesses, for_many_colors }| {
        let many = if for_many_colors { ", proven only for many colors" } else { "" };
        style::paint(style::DIM, format!("Goddard's formula: {guesses}{many}.\n"))
    });
    let published = published.unwrap_or_default();
    let gap = if report.guesses.is_empty() { "" } else { "\n" };
    writeln!(screen, "{gap}{verdict}\n{published}{}", style::paint(style::DIM, number::seconds(seconds)))
}

fn verify(rules: &Rules, guesses: &[String], format: OutputFormat) -> anyhow::Result<Exit> {
    let guesses: Vec<Code> =
        guesses.iter().map(|code| rules.parse_code(code)).collect::<Result<_, _>>().context("--verify")?;
    let StaticVerdict { codes, decided, undecided } = static_game::verify(rules, &guesses)?;
    let decides = undecided.is_empty();
    let shown = &undecided[..undecided.len().min(SHOWN)];
    let output = json!({
        "rules": rules, "guesses": guesses, "decides": decides, "codes": codes, "decided": decided, "undecided": shown,
    });
    ui::print(format, &output, |screen| {
        let count = number::things(guesses.len(), "guess", "guesses");
        let (some, all) = (number::grouped(decided as u128), number::codes(Count::Exact(codes as u128)));
        let verdict = match decides {
            true => style::paint(style::GOOD, format!("Yes: {count} determine all {all}.")),
            false => style::paint(style::BAD, format!("No: {count} determine {some} of {all}.")),
        };
        writeln!(screen, "{verdict}")?;
        for group in shown {
            writeln!(screen, "  same answers: {}", list(group, rules))?;
        }
        Ok(())
    })?;
    Ok(Exit::from_result(decides))
}

fn decode(rules: &Rules, turns: &[String], format: OutputFormat) -> anyhow::Result<Exit> {
    let history = History::parse(rules, turns.iter().map(String::as_str)).context("--decode")?;
    let (codes, remaining) = fitting(&history)?;
    let code = codes.first().filter(|_| remaining.and_then(Count::exact) == Some(1));
    let shown = &codes[..codes.len().min(SHOWN)];
    let output = json!({
        "rules": rules, "turns": history.turns(), "code": code, "remaining": remaining, "codes": shown,
    });
    ui::print(format, &output, |screen| {
        if let Some(code) = code {
            return writeln!(screen, "{}", style::paint(style::GOOD, code.notation(rules.palette())));
        }
        let count = remaining.map_or_else(|| "many codes".to_owned(), number::codes);
        let verdict = style::paint(style::BAD, format!("Not determined: {count} fit."));
        writeln!(screen, "{verdict}\n  {}", list(shown, rules))
    })?;
    Ok(Exit::from_result(code.is_some()))
}

/// Returns the consistent codes, or a sample of them, and their number, if known.
fn fitting(history: &History) -> anyhow::Result<(Vec<Code>, Option<Count>)> {
    // A winning guess is the code, unless it contradicts the other turns.
    let won = history.turns().iter().find(|turn| turn.feedback.is_winning(history.rules()));
    if let Some(won) = won.filter(|won| history.is_consistent(&won.guess)) {
        return Ok((vec![won.guess.clone()], Some(Count::Exact(1))));
    }
    let view = CandidateTracker::new(history.rules())?.after(history, &mut Search::new(1));
    let view = view.map_err(|error| contradiction::explain(error, history, None))?;
    Ok((view.codes.codes().collect(), view.count))
}

fn list(codes: &[Code], rules: &Rules) -> String {
    let texts = codes.iter().take(SHOWN).map(|code| code.notation(rules.palette()).to_string());
    let more = if codes.len() > SHOWN { " …" } else { "" };
    format!("{}{more}", texts.collect::<Vec<_>>().join(" "))
}
