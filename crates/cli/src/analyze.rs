//! `pegwise analyze`: a rating of each guess of a game.

use std::{io::Write as _, time::Duration};

use anyhow::Context as _;
use pegwise_coach::{
    Analysis, AnalyzeError, ReferenceGame, TurnAnalysis, Uncertain, analyze_among, analyze_with_progress, plot,
};
use pegwise_game::Rules;
use pegwise_solve::{Limits, Search, clock::Moment};
use serde_json::json;

use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_SEED, GameArgs, OutputFormat, SecretsArg, Threads},
    contradiction,
    exit::Exit,
    files::FileArg,
    hint,
    settings::ColorNamesArg,
    ui::{self, BoardRenderer, ProgressDisplay, Screen, TextBlock, TextTable, style},
};

/// Rate each guess of a game.
///
/// Write every turn as GUESS=FEEDBACK, with a question mark for what you do not remember; or guesses alone, with
/// --secret. The game may be unfinished. For each guess you see how many codes it was expected to leave and how many it
/// left, how many guesses it lost compared with the best guess, and luck (how helpful the answer was, from 0 to 100);
/// then how other strategies play against the same secret.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise analyze 1122=1,0 1344=0,1 3526=1,2 1462=1,1 3632=4,0   a finished game
  pegwise analyze 5x8 11223=1,1 14256=1,2                        an unfinished game
  pegwise analyze 1111=0,0 2345=2,1 --secret 2356                with its secret
  pegwise analyze 1122 1344 3526 --secret 3632                   guesses without feedback
  pegwise analyze '1122=1,?' 1344=0,1                            an unknown number
  pegwise analyze 1122=1,1 1344=0,2 -o game.svg                  with a plot
  pegwise analyze 1122=1,1 1344=0,2 --json                       for programs"))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Secret of an unfinished game; answers guesses without feedback.
    #[arg(long, value_name = "CODE")]
    secret: Option<String>,

    #[command(flatten)]
    secrets: SecretsArg,

    #[command(flatten)]
    colors: ColorNamesArg,

    /// Write a plot of the remaining codes (SVG) to this file.
    #[arg(long, short, value_name = "FILE")]
    output: Option<FileArg>,

    /// Time limit per guess, in seconds or with a unit: 2, 0.5, 500ms, 1m.
    #[arg(long, short, value_name = "TIME", default_value = "2", value_parser = arguments::duration)]
    #[arg(allow_hyphen_values = true)]
    time_per_guess: Duration,

    #[command(flatten)]
    threads: Threads,

    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,
}

pub(crate) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    args.threads.install(|| rate_game(args, format))
}

fn rate_game(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let rules = args.colors.apply(args.game.rules().map_or_else(|| DEFAULT_RULES.parse(), Ok)?)?;
    let secret = args.secret.as_ref().map(|secret| rules.parse_code(secret)).transpose().context("--secret")?;
    let notes = args.game.notes(&rules, secret.as_ref())?;
    let secrets = args.secrets.load(&rules)?;
    if let Some(output) = &args.output {
        output.check(true)?;
    }
    let limits = Limits { time: Some(args.time_per_guess), ..Limits::default() };
    let mut search = Search::new(args.seed).with_limits(limits);
    let start = Moment::now();
    let progress = ProgressDisplay::of_turns(notes.notes().len() as u64);
    let report = |turns| progress.set_done(turns as u64);
    let result = match &secrets {
        Some(secrets) => analyze_among(&notes, secret.as_ref(), secrets, &mut search, report),
        None => analyze_with_progress(&notes, secret.as_ref(), &mut search, report),
    };
    drop(progress);
    let seconds = start.elapsed().as_secs_f64();
    let analysis = match result {
        Ok(analysis) => analysis,
        Err(AnalyzeError::Contradiction(found)) => return contradiction::report(&found, &notes, seconds, format),
        Err(error) => return Err(error.into()),
    };
    if let Some(output) = &args.output {
        output.write(|out| Ok(out.write_all(plot(&analysis).as_bytes())?))?;
        if *output == FileArg::Stdio {
            return Ok(Exit::Success);
        }
    }
    let mut more = json!({ "seed": args.seed, "seconds": seconds });
    let listed = secrets.map(|secrets| secrets.len());
    if let Some(listed) = listed {
        more["listed"] = json!(listed);
    }
    let output = ui::merged(&analysis, more)?;
    ui::print(format, &output, |screen| show(&analysis, listed, screen))
}

fn show(analysis: &Analysis, listed: Option<usize>, screen: &mut Screen) -> std::io::Result<()> {
    let rules = &analysis.rules;
    let renderer = BoardRenderer::new(rules, screen.info());
    let space = hint::space(rules, listed);
    let summary = format!("{space} · {}", analysis.summary);
    writeln!(screen, "{}\n", hint::heading(rules, &summary, screen))?;
    if analysis.turns.is_empty() {
        return Ok(());
    }
    screen.table(verdicts(rules, &analysis.turns, &renderer))?;
    writeln!(screen)?;
    let is_estimate = |verdict: &TurnAnalysis| {
        let figures = [verdict.expected, verdict.lost, verdict.luck];
        matches!(verdict.after, Uncertain::Estimate { .. })
            || figures.iter().any(|figure| matches!(figure, Uncertain::Estimate { .. }))
    };
    if analysis.turns.iter().any(is_estimate) {
        let note = "~ marks an estimate from a sample with its 95 % confidence interval; ? is unknown.";
        screen.paragraph(style::DIM, note)?;
        writeln!(screen)?;
    }
    for (turn, verdict) in (1..).zip(&analysis.turns) {
        let label = TextBlock::new(style::DIM, format!("turn {turn}"));
        let advice = TextBlock::wrapped(style::PLAIN, &verdict.advice, screen.text_width(label.width() + 2));
        writeln!(screen, "{}", label.beside(2, advice))?;
    }
    if !analysis.possible.is_empty() {
        writeln!(screen, "\n{}", hint::still_possible(&analysis.possible, rules, screen))?;
    }
    if let (Some(secret), false) = (&analysis.secret, analysis.others.is_empty()) {
        let secret = secret.notation(rules.palette());
        writeln!(screen, "\nOther strategies against {secret}")?;
        let others = others(analysis, screen);
        screen.table(others)?;
    }
    Ok(())
}

fn verdicts(rules: &Rules, verdicts: &[TurnAnalysis], renderer: &BoardRenderer) -> TextTable {
    let feedback = hint::feedback_heading(rules);
    let mut table = TextTable::new([">turn", "guess", feedback, ">expected", ">left", ">lost", ">luck", "best"]);
    let plain = |text: String| TextBlock::new(style::PLAIN, text);
    for (number, verdict) in (1..).zip(verdicts) {
        let own = verdict.note.code();
        table.row([
            TextBlock::new(style::DIM, number.to_string()),
            renderer.guess(&verdict.note.guess),
            renderer.marks(&verdict.note.feedback),
            plain(verdict.expected.short()),
            plain(verdict.after.short()),
            lost(verdict.lost),
            luck(verdict.luck),
            match verdict.best.as_ref() {
                Some(best) if own.as_ref() == Some(&best.guess) => TextBlock::new(style::GOOD, "this one"),
                Some(best) => renderer.notation(&best.guess),
                None => TextBlock::new(style::DIM, "?"),
            },
        ]);
    }
    table
}

/// Columns before the numbers of codes left after each guess.
const BEFORE_LEFT: usize = 28;

/// Colors the guesses lost: green for none, yellow for many.
fn lost(lost: Uncertain<f64>) -> TextBlock {
    const NONE: f64 = 0.005;
    const MUCH: f64 = 0.25;
    let style = match lost.interval() {
        None => style::DIM,
        Some((_, high)) if high < NONE => style::GOOD,
        Some((low, _)) if low > MUCH => style::BAD,
        Some(_) => style::PLAIN,
    };
    TextBlock::new(style, hint::lost(lost))
}

fn luck(luck: Uncertain<f64>) -> TextBlock {
    match luck {
        Uncertain::Exact(luck) => TextBlock::new(style::PLAIN, format!("{luck:.0}")),
        Uncertain::Estimate { value, .. } => TextBlock::new(style::PLAIN, format!("~{value:.0}")),
        Uncertain::AtMost(_) | Uncertain::Unknown => TextBlock::new(style::DIM, "-"),
    }
}

fn others(analysis: &Analysis, screen: &Screen) -> TextTable {
    let mut table = TextTable::new(["player", ">guesses", "left after each"]);
    let left = |text: String| TextBlock::wrapped(style::DIM, &text, screen.text_width(BEFORE_LEFT));
    let own = analysis.turns.iter().map(|turn| turn.after.short()).collect::<Vec<_>>().join(" ");
    let guesses = |solved: bool, guesses: usize| {
        TextBlock::new(style::PLAIN, if solved { guesses.to_string() } else { format!("over {guesses}") })
    };
    table.row([TextBlock::new(style::HEADING, "you"), guesses(analysis.solved, analysis.turns.len()), left(own)]);
    for ReferenceGame { strategy, solved, guesses: number, turns } in &analysis.others {
        let after = turns.iter().map(|turn| turn.after.short()).collect::<Vec<_>>().join(" ");
        table.row([TextBlock::new(style::NAME, strategy), guesses(*solved, *number), left(after)]);
    }
    table
}
