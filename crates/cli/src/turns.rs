//! The rules and the turns of a game on somebody's table, as arguments.

use anyhow::Context as _;
use pegwise_coach::{Note, Notes};
use pegwise_game::{Code, Judge, Rules, Turn, TurnError};

use crate::rules;

/// The rules, and the turns so far.
#[derive(Debug, clap::Args)]
pub(crate) struct Turns {
    /// The rules [default: 4x6].
    #[arg(value_parser = First::parse)]
    rules: Option<First>,

    /// The turns so far, first to last.
    #[arg(value_name = "TURN")]
    turns: Vec<String>,
}

/// The first argument: the rules, or the first turn of a classic game.
#[derive(Debug, Clone)]
enum First {
    Rules(Rules),
    Turn(String),
}

impl First {
    fn parse(text: &str) -> Result<Self, String> {
        // Rules have options with a value too, but those come after a colon. A bare guess of digits needs the secret.
        if text.contains('=') && !text.contains(':') || text.parse::<u64>().is_ok() {
            return Ok(Self::Turn(text.to_owned()));
        }
        rules::parse(text).map(Self::Rules)
    }
}

impl Turns {
    /// The rules, where they were given.
    pub(crate) fn rules(&self) -> Option<Rules> {
        match &self.rules {
            Some(First::Rules(rules)) => Some(rules.clone()),
            Some(First::Turn(_)) | None => None,
        }
    }

    /// The turns, under these rules.
    pub(crate) fn read(&self, rules: &Rules) -> anyhow::Result<Notes> {
        self.read_answered(rules, None)
    }

    /// The turns, under these rules; guesses without feedback are answered by the secret.
    pub(crate) fn read_answered(&self, rules: &Rules, secret: Option<&Code>) -> anyhow::Result<Notes> {
        let first = match &self.rules {
            Some(First::Turn(turn)) => Some(turn),
            Some(First::Rules(_)) | None => None,
        };
        let mut notes = Notes::new(rules.clone());
        for (number, text) in (1..).zip(first.into_iter().chain(&self.turns)) {
            let note = match secret.filter(|_| !text.contains('=')) {
                Some(secret) => rules.parse_code(text).map_err(TurnError::from).map(|guess| {
                    let feedback = Judge::new(rules).feedback(&guess, secret);
                    Note::from(Turn { guess, feedback })
                }),
                None => Note::parse(rules, text),
            };
            notes.push(note.with_context(|| format!("turn {number}"))?)?;
        }
        Ok(notes)
    }
}
