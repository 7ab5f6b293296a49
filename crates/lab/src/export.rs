//! Games for other programs: CSV, or JSON with an object a line.
//!
//! Rows are in the order of rules, strategy and game, so that two stores with the same games give the same bytes, but for
//! the time that games took; without times, they are the same to the byte.

use std::io::{self, Write};

use pegwise_game::{Code, Rules, Turn};
use pegwise_solve::Counts;
use serde::Serialize;

use crate::store::{Ending, Store, StoreError, Trial};

/// How games are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Format {
    /// A line a game, with a heading.
    Csv,
    /// The same with codes in letters: table programs take `1122` for a number.
    Letters,
    /// A JSON object a line.
    JsonLines,
}

/// Why games could not be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The store cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The output cannot be written.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// A game as JSON.
#[derive(Serialize)]
struct Line<'a> {
    rules: &'a str,
    strategy: &'a str,
    game: u64,
    repeat: u64,
    secret: &'a Code,
    solved: bool,
    guesses: usize,
    examined: u64,
    consistent: u64,
    scored: u64,
    nodes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
    stop: Ending,
    turns: &'a [Turn],
}

/// Writes every game of a store.
pub fn export(store: &Store, format: Format, times: bool, out: impl Write) -> Result<(), ExportError> {
    let mut out = io::BufWriter::with_capacity(1 << 16, out);
    if format != Format::JsonLines {
        let seconds = if times { "seconds," } else { "" };
        writeln!(
            out,
            "rules,strategy,game,repeat,secret,solved,guesses,examined,consistent,scored,nodes,{seconds}stop,turns"
        )?;
    }
    store.each_trial::<ExportError>(|rules_text, strategy, rules, trial| {
        match format {
            Format::Csv | Format::Letters => {
                csv(&mut out, rules_text, strategy, rules, trial, times, format == Format::Letters)?;
            }
            Format::JsonLines => {
                let line = Line {
                    rules: rules_text,
                    strategy,
                    game: trial.game,
                    repeat: trial.repeat,
                    secret: &trial.secret,
                    solved: trial.ending == Ending::Solved,
                    guesses: trial.turns.len(),
                    examined: trial.counts.examined,
                    consistent: trial.counts.consistent,
                    scored: trial.counts.scored,
                    nodes: trial.counts.nodes,
                    seconds: times.then_some(trial.seconds),
                    stop: trial.ending,
                    turns: &trial.turns,
                };
                serde_json::to_writer(&mut out, &line).map_err(io::Error::from)?;
                out.write_all(b"\n")?;
            }
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(())
}

fn csv(
    out: &mut impl Write,
    rules_text: &str,
    strategy: &str,
    rules: &Rules,
    trial: &Trial,
    times: bool,
    letters: bool,
) -> io::Result<()> {
    let Trial { game, repeat, secret, turns, ending, counts, seconds, .. } = trial;
    let (rules_text, strategy) = (field(rules_text), field(strategy));
    let written = |code: &Code| match letters && rules.colors() <= 26 {
        true => code.iter().map(|color| char::from(b'A' + color.index() as u8)).collect(),
        false => code.notation(rules.colors()).to_string(),
    };
    let secret = field(&written(secret));
    let (solved, guesses) = (*ending == Ending::Solved, turns.len());
    write!(out, "{rules_text},{strategy},{game},{repeat},{secret},{solved},{guesses},")?;
    let Counts { examined, consistent, scored, nodes } = counts;
    write!(out, "{examined},{consistent},{scored},{nodes},")?;
    if times {
        write!(out, "{seconds},")?;
    }
    let turn = |turn: &Turn| match letters {
        true => format!("{}={}", written(&turn.guess), turn.feedback),
        false => turn.notation(rules).to_string(),
    };
    let turns: Vec<String> = turns.iter().map(turn).collect();
    writeln!(out, "{},{}", ending.text(), field(&turns.join(" ")))
}

/// A field of a line, in quotes where its text would be taken for several.
fn field(text: &str) -> String {
    if text.contains([',', '"', '\n']) { format!("\"{}\"", text.replace('"', "\"\"")) } else { text.to_owned() }
}
