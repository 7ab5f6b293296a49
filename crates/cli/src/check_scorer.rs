//! `pegwise check-scorer`: finds and names the mistake of a scoring function.
//!
//! The program reads each case as a line such as `{"guess":[1,1,2,2],"rules":"4x6","secret":[2,1,2,3]}`, which is also a
//! question of the HTTP API, and answers with a line such as `[2,1]`.

use std::{io::Write as _, time::Duration};

use anyhow::{Context as _, anyhow, ensure};
use pegwise_coach::{ScorerAnswer, ScorerCheck, check_scorer};
use pegwise_game::{Code, Rules, shorten};
use pegwise_lab::external::{Program, ProgramConnection, ProgramError};
use serde_json::{Value, json};

use crate::{
    arguments::{self, DEFAULT_RULES, DEFAULT_SEED, OutputFormat, duration},
    exit::{self, Exit},
    ui::{self, Screen, number, style},
};

/// Check a scoring function, and name its mistake.
///
/// The program reads one JSON line per case, {"guess":[1,1,2,2],"rules":"4x6","secret":[2,1,2,3]}, and answers each with
/// a line: [2,1], "2,1", {"black":2,"white":1}, or an object with one of these as "feedback". It is asked until an answer
/// is wrong, and then until it is clear which misunderstanding explains all of its answers.
#[derive(Debug, clap::Args)]
#[command(after_help = examples!("
  pegwise check-scorer ./scorer                      a program for the classic game
  pegwise check-scorer ./scorer 5x6                  other rules
  pegwise check-scorer ./scorer --cases 100 --json   for programs

Exits with 1 if an answer is wrong."))]
pub(crate) struct Args {
    /// Program that scores guesses, with its arguments, as in 'python3 scorer.py'.
    #[arg(value_parser = Program::parse)]
    command: Program,

    /// Rules [default: 4x6].
    #[arg(value_parser = arguments::rules)]
    rules: Option<Rules>,

    /// Number of cases that a right program is asked.
    #[arg(long, value_name = "N", default_value_t = 1000, allow_negative_numbers = true)]
    #[arg(value_parser = arguments::whole::<usize>(1..=100_000))]
    cases: usize,

    /// Timeout for each answer.
    #[arg(long, value_name = "TIME", default_value = "30", value_parser = duration, allow_hyphen_values = true)]
    reply_timeout: Duration,

    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = DEFAULT_SEED)]
    #[arg(value_parser = arguments::seed, allow_negative_numbers = true)]
    seed: u64,
}

pub(crate) fn run(args: &Args, format: OutputFormat) -> anyhow::Result<Exit> {
    let rules = args.rules.clone().map_or_else(|| DEFAULT_RULES.parse(), Ok)?;
    refuse_lies(&rules)?;
    exit::kill_programs_on_interrupt()?;
    let mut program = ProgramConnection::start(&args.command)?;
    let check = check_scorer(&rules, args.seed, args.cases, |guess, secret| {
        let answer = ask(&mut program, &rules, guess, secret, args.reply_timeout);
        answer.with_context(|| {
            let [guess, secret] = [guess, secret].map(|code| code.notation(rules.palette()));
            format!("'{}', asked to score {guess} against {secret}", args.command)
        })
    })?;
    program.close();
    let output = ui::merged(&check, json!({ "rules": rules, "seed": args.seed, "right": check.failure.is_none() }))?;
    ui::print(format, &output, |screen| show(&check, &rules, screen))?;
    Ok(Exit::from_result(check.failure.is_none()))
}

/// Refuses rules under which an answer depends on earlier turns.
pub(crate) fn refuse_lies(rules: &Rules) -> anyhow::Result<()> {
    ensure!(rules.lies() == 0, "an answer that may be a lie cannot be checked; omit lies= from the rules");
    Ok(())
}

fn ask(
    program: &mut ProgramConnection,
    rules: &Rules,
    guess: &Code,
    secret: &Code,
    timeout: Duration,
) -> anyhow::Result<ScorerAnswer> {
    let question = json!({ "rules": rules, "guess": guess, "secret": secret });
    let line = program.ask(&question, timeout).map_err(|error| match error {
        ProgramError::Slow(_) => anyhow!("{error}; increase --reply-timeout"),
        error => error.into(),
    })?;
    answer(rules, line.get("feedback").unwrap_or(&line)).ok_or_else(|| {
        let names: Vec<&str> = rules.feedback().number_names().collect();
        let excerpt = shorten(&line.to_string());
        anyhow!("wrote '{excerpt}'; write the numbers ({}) of each line, as in [2,1] or \"2,1\"", names.join(", "))
    })
}

/// Reads an answer: text, numbers, an object with named numbers, or a list with one of these for each line.
fn answer(rules: &Rules, value: &Value) -> Option<ScorerAnswer> {
    let one = |value: &Value| match value {
        Value::Object(fields) => rules.feedback().number_names().map(|name| fields.get(name)?.as_i64()).collect(),
        Value::Array(numbers) => numbers.iter().map(Value::as_i64).collect(),
        Value::Number(number) => number.as_i64().map(|number| vec![number]),
        _ => None,
    };
    match value {
        Value::String(text) => ScorerAnswer::parse(rules, text).ok(),
        Value::Array(lines) if !lines.iter().all(Value::is_number) => {
            lines.iter().map(one).collect::<Option<_>>().map(ScorerAnswer)
        }
        value => Some(ScorerAnswer(vec![one(value)?])),
    }
}

fn show(check: &ScorerCheck, rules: &Rules, screen: &mut Screen) -> std::io::Result<()> {
    let title = style::paint(style::HEADING, rules);
    let cases = number::things(check.cases, "case", "cases");
    let (Some(failure), Some(expected)) = (&check.failure, &check.expected) else {
        writeln!(screen, "{title} · {cases} · {}", style::paint(style::GOOD, "All answers are right."))?;
        if !check.explanations.is_empty() {
            let names: Vec<&str> = check.explanations.iter().map(|rule| rule.name).collect();
            writeln!(screen)?;
            let note = "These misunderstandings give the same answers here; other rules reveal them:";
            screen.paragraph(style::PLAIN, note)?;
            screen.paragraph(style::DIM, &names.join(", "))?;
        }
        return Ok(());
    };
    writeln!(screen, "{title} · {cases} · {}\n", style::paint(style::BAD, "An answer is wrong."))?;
    let code = |code: &Code| code.notation(rules.palette()).to_string();
    let facts = [
        ("guess", code(&failure.guess)),
        ("secret", code(&failure.secret)),
        ("answer", failure.answer.to_string()),
        ("right is", expected.to_string()),
    ];
    screen.facts(10, &facts)?;
    writeln!(screen)?;
    if check.explanations.is_empty() {
        return screen.paragraph(style::PLAIN, "No known misunderstanding explains the answers.");
    }
    for rule in &check.explanations {
        writeln!(screen, "{}", style::paint(style::NAME, rule.name))?;
        screen.paragraph(style::PLAIN, rule.title)?;
    }
    Ok(())
}
