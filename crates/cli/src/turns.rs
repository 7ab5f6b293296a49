//! The rules and the turns of a game on somebody's table, as arguments.

use anyhow::Context as _;
use pegwise_coach::{Note, Notes};
use pegwise_game::Rules;

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
        // Rules have options with a value too, but those come after a colon.
        if text.contains('=') && !text.contains(':') {
            return Ok(Self::Turn(text.to_owned()));
        }
        rules::parse(text).map(Self::Rules).map_err(|error| match text.parse::<u64>() {
            Ok(_) => format!("a turn needs its feedback, as in {text}=2,1"),
            Err(_) => error,
        })
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
        let first = match &self.rules {
            Some(First::Turn(turn)) => Some(turn),
            Some(First::Rules(_)) | None => None,
        };
        let mut notes = Notes::new(rules.clone());
        for (number, text) in (1..).zip(first.into_iter().chain(&self.turns)) {
            let note = Note::parse(rules, text).with_context(|| format!("turn {number}"))?;
            notes.push(note)?;
        }
        Ok(notes)
    }
}
