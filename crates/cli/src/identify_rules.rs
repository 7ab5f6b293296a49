//! `pegwise identify-rules`: which scoring rules explain the answers of finished games.

use std::io::Write as _;

use anyhow::{Context as _, ensure};
use pegwise_coach::{Explanation, ScoredGuess, ScorerAnswer, explain_answers};
use pegwise_game::{Code, Rules, TurnError};
use serde_json::json;

use crate::{
    arguments::{DEFAULT_RULES, GameArgs, OutputFormat},
    check_scorer::refuse_lies,
    exit::Exit,
    files::FileArg,
    ui::{self, Screen, TextBlock, TextTable, number, style},
};

/// Find the scoring rules that explain the answers of a game.
///
/// Answers may be impossible: the known rules are the kinds of feedback, and ways to misunderstand black and white pegs,
/// as in check-scorer. With --games, each line of the file is a game: its secret, then its turns.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise identify-rules 1122=0,4 2413=1,3 --secret 2341   a game, after its secret was shown
  pegwise identify-rules 5x8 11223=1,2 --secret 21345      other rules
  pegwise identify-rules --games games.txt --json          games of a file

Exits with 1 if no known rules explain all answers."))]
pub(crate) struct Args {
    #[command(flatten)]
    game: GameArgs,

    /// Secret of the game.
    #[arg(long, value_name = "CODE", required_unless_present = "games", conflicts_with = "games")]
    secret: Option<String>,

    /// File with a game per line, as in 2341 1122=0,2 2344=3,0 (- for standard input).
    #[arg(long, value_name = "FILE")]
    games: Option<FileArg>,
}

pub(crate) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let rules = args.game.rules().map_or_else(|| DEFAULT_RULES.parse(), Ok)?;
    refuse_lies(&rules)?;
    let turns: Vec<&str> = args.game.turns().map(String::as_str).collect();
    let mut answers = Vec::new();
    if let Some(secret) = &args.secret {
        let secret = rules.parse_code(secret).context("--secret")?;
        answers.extend(game(&rules, &secret, &turns)?);
    }
    if let Some(file) = &args.games {
        ensure!(turns.is_empty(), "--games has the turns: omit {}", turns.join(" "));
        for (number, line) in (1..).zip(file.read_text().context("--games")?.lines()) {
            let mut words = line.split('#').next().unwrap_or_default().split_whitespace();
            let Some(secret) = words.next() else { continue };
            let place = || format!("{file}:{number}");
            let secret = rules.parse_code(secret).with_context(place)?;
            answers.extend(game(&rules, &secret, &words.collect::<Vec<_>>()).with_context(place)?);
        }
    }
    ensure!(!answers.is_empty(), "no turns to explain; write them as GUESS=ANSWER, as in 1122=0,2");
    let explanations = explain_answers(&rules, &answers);
    let found = explanations.iter().any(|one| one.difference.is_none());
    let output = json!({ "rules": rules, "answers": answers, "explanations": explanations });
    ui::print(format, &output, |screen| show(&rules, &answers, &explanations, screen))?;
    Ok(Exit::from_result(found))
}

/// Parses the turns of a game.
fn game(rules: &Rules, secret: &Code, turns: &[&str]) -> anyhow::Result<Vec<ScoredGuess>> {
    let turn = |text: &str| {
        let (guess, answer) = text.split_once('=').ok_or_else(|| TurnError::NoFeedback(text.to_owned()))?;
        let answer = ScorerAnswer::parse(rules, answer.trim())?;
        Ok::<_, TurnError>(ScoredGuess { guess: rules.parse_code(guess)?, secret: secret.clone(), answer })
    };
    (1..).zip(turns).map(|(number, text)| turn(text).with_context(|| format!("turn {number}"))).collect()
}

fn show(
    rules: &Rules,
    answers: &[ScoredGuess],
    explanations: &[Explanation],
    screen: &mut Screen,
) -> std::io::Result<()> {
    let title = style::paint(style::HEADING, rules);
    writeln!(screen, "{title} · {}\n", number::things(answers.len(), "answer", "answers"))?;
    let complete: Vec<&Explanation> = explanations.iter().filter(|one| one.difference.is_none()).collect();
    for one in &complete {
        writeln!(screen, "{}", style::paint(style::NAME, one.rule.name))?;
        screen.paragraph(style::PLAIN, one.rule.title)?;
        writeln!(screen)?;
    }
    if complete.is_empty() {
        writeln!(screen, "No known rules explain all answers.\n")?;
    } else if complete.len() > 1 {
        screen.paragraph(style::DIM, "Turns with repeated colors would distinguish these rules.")?;
        writeln!(screen)?;
    }
    let mut table = TextTable::new(["rules", ">explained", "first other answer"]);
    let code = |code: &Code| code.notation(rules.palette()).to_string();
    for one in explanations {
        let other =
            |other: &ScoredGuess| format!("{}={} against {}", code(&other.guess), other.answer, code(&other.secret));
        table.row([
            TextBlock::new(style::NAME, one.rule.name),
            TextBlock::new(style::PLAIN, format!("{} of {}", one.explained, answers.len())),
            TextBlock::new(style::DIM, one.difference.as_ref().map(other).unwrap_or_default()),
        ]);
    }
    screen.table(table)
}
