//! Records of games: saved, loaded, and shared.
//!
//! A record has two forms. The *text* is a small TOML file that people can read and edit; the *line* is the same game
//! in words parted by spaces, for a message to a friend:
//!
//! ```text
//! pegwise/1 break 4x6 1122=1,0 seed:7 by:adaptive sealed:8a8538741957
//! ```
//!
//! The code of a game that still runs is *sealed*: not readable at a glance, and still exact. Sealing keeps an honest
//! player honest; it is no encryption.

mod line;
mod seal;
mod text;

use std::{fmt, str::FromStr};

use pegwise_game::{Code, CodeError, Feedback, History, Judge, Rules, RulesError, Turn, TurnError};
use pegwise_solve::{Spec, SpecError};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};

pub use self::seal::{open, seal};

/// The version of both forms.
const VERSION: u32 = 1;

/// Who breaks whose code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// The player breaks the computer's code.
    #[default]
    Break,
    /// The computer breaks the player's code.
    Make,
    /// The computer breaks its own code, and the player watches.
    Watch,
}

impl Mode {
    /// Every mode, in the order of the documentation.
    pub const ALL: [Self; 3] = [Self::Break, Self::Make, Self::Watch];

    /// The word for it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Break => "break",
            Self::Make => "make",
            Self::Watch => "watch",
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Mode {
    type Err = RecordError;

    fn from_str(text: &str) -> Result<Self, RecordError> {
        let known = Self::ALL.into_iter().find(|mode| mode.name() == text);
        known.ok_or_else(|| RecordError::Mode { text: shorten(text) })
    }
}

/// A game that can be saved, loaded and shared.
///
/// ```
/// use pegwise_coach::{Mode, Record};
/// use pegwise_game::{History, Rules};
/// let rules: Rules = "4x6".parse()?;
/// let history = History::parse(&rules, ["1122=1,0", "1344=0,1"])?;
/// let record = Record { secret: Some(rules.parse_code("3632")?), ..Record::new(Mode::Break, &history) };
/// assert!(!record.line().contains("3632"), "the code of a game that runs is sealed");
/// assert_eq!(Record::from_line(&record.line())?, record);
/// assert_eq!(Record::from_text(&record.to_text())?, record);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Who breaks whose code.
    pub mode: Mode,
    /// The rules.
    pub rules: Rules,
    /// The turns so far, first to last.
    pub turns: Vec<Turn>,
    /// The code, where there is one: who keeps a code in mind has none here, and may be wrong about answers. In the
    /// other modes turns have a code that they were answered for.
    pub secret: Option<Code>,
    /// Whether the player gave up and was shown the code.
    pub revealed: bool,
    /// Who breaks the code, where the computer does; who gives hints, where the player does.
    pub strategy: Option<Spec>,
    /// What decides all that is random.
    pub seed: Option<u64>,
}

/// Why a text is not a record of a game.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Not TOML, or a field that is missing, unknown or of the wrong type.
    #[error("this is not a record of a game: {0}")]
    Text(String),
    /// Not a line.
    #[error("'{text}' is not a game as a line of text; it is written as pegwise/{VERSION} break 4x6 1122=1,1 …")]
    Line {
        /// The text given.
        text: String,
    },
    /// A word of a line that is neither a turn nor anything else.
    #[error(
        "'{word}' in the line of a game is neither a turn such as 1122=1,1 nor seed:N, by:STRATEGY, secret:CODE or \
         sealed:TEXT"
    )]
    Word {
        /// The word given.
        word: String,
    },
    /// The same thing twice.
    #[error("'{name}' is given twice")]
    Twice {
        /// What is given twice.
        name: &'static str,
    },
    /// Of another version.
    #[error("the record is of version {found}, and this program reads version {VERSION}")]
    Version {
        /// The version given.
        found: String,
    },
    /// No such mode.
    #[error("'{text}' is not a mode; use break, make or watch")]
    Mode {
        /// The text given.
        text: String,
    },
    /// The rules are wrong.
    #[error("the rules of the record: {0}")]
    Rules(#[from] RulesError),
    /// A turn is wrong.
    #[error("turn {number} of the record: {error}")]
    Turn {
        /// One-based number of the turn.
        number: usize,
        /// What is wrong with it.
        error: TurnError,
    },
    /// The strategy is wrong.
    #[error("the strategy of the record: {0}")]
    Strategy(#[from] SpecError),
    /// The seed is wrong.
    #[error("'{text}' is not a seed; write a whole number from 0 to {}", u64::MAX)]
    Seed {
        /// The text given.
        text: String,
    },
    /// The code is wrong.
    #[error("the secret of the record: {0}")]
    Secret(#[from] CodeError),
    /// Turns without the code that they were answered for.
    #[error("the record has turns and no code; turns about a code that somebody has in mind are of the mode make")]
    NoSecret,
    /// The sealed code does not open.
    #[error("the sealed code is damaged, or of other rules; it must be copied whole")]
    Sealed,
    /// An answer is not the one that the code gives.
    #[error("turn {number} of the record cannot be: the code answers {expected}, not {found}")]
    Disagrees {
        /// One-based number of the turn.
        number: usize,
        /// What the code answers.
        expected: Feedback,
        /// What the record says.
        found: Feedback,
    },
}

impl Record {
    /// A record of turns, with nothing else known.
    #[must_use]
    pub fn new(mode: Mode, history: &History) -> Self {
        Self {
            mode,
            rules: history.rules().clone(),
            turns: history.turns().to_vec(),
            secret: None,
            revealed: false,
            strategy: None,
            seed: None,
        }
    }

    /// The turns as a history.
    ///
    /// # Errors
    /// When a guess or its feedback is none of the rules.
    pub fn history(&self) -> Result<History, TurnError> {
        let mut history = History::new(self.rules.clone());
        self.turns.iter().try_for_each(|turn| history.push(turn.clone()))?;
        Ok(history)
    }

    /// Whether the game has ended, so that nothing is given away: the code was found or shown, or the guesses that the
    /// rules allow are used up.
    #[must_use]
    pub fn is_over(&self) -> bool {
        let solved = self.turns.last().is_some_and(|turn| turn.feedback.is_winning(&self.rules));
        let used_up = self.rules.max_guesses().is_some_and(|most| self.turns.len() >= most as usize);
        solved || used_up || self.revealed
    }

    /// The rules as files have them: the names of somebody's colors are in no record.
    fn plain_rules(&self) -> Rules {
        self.rules.clone().without_color_names()
    }

    /// The code as a record writes it down: sealed while the game runs.
    fn written_secret(&self) -> Option<Written> {
        let secret = self.secret.as_ref()?;
        Some(if self.is_over() {
            Written::Open(secret.notation(self.plain_rules().palette()).to_string())
        } else {
            Written::Sealed(seal(&self.rules, secret))
        })
    }
}

/// The code of a record.
enum Written {
    Open(String),
    Sealed(String),
}

/// The parts of a record as they were written, before anybody looked at what they mean.
#[derive(Default)]
struct Parts<'a> {
    mode: Option<&'a str>,
    rules: &'a str,
    turns: Vec<&'a str>,
    secret: Option<&'a str>,
    sealed: Option<&'a str>,
    strategy: Option<&'a str>,
    seed: Option<u64>,
}

impl Parts<'_> {
    fn record(self) -> Result<Record, RecordError> {
        let rules: Rules = self.rules.parse()?;
        let turns = (1..)
            .zip(self.turns)
            .map(|(number, text)| Turn::parse(&rules, text).map_err(|error| RecordError::Turn { number, error }));
        let turns = turns.collect::<Result<Vec<Turn>, _>>()?;
        let mode: Mode = self.mode.map_or(Ok(Mode::default()), str::parse)?;
        let secret = match (self.secret, self.sealed) {
            (Some(_), Some(_)) => return Err(RecordError::Twice { name: "secret" }),
            (Some(open), None) => Some(rules.parse_code(open)?),
            (None, Some(sealed)) => Some(open(&rules, sealed).ok_or(RecordError::Sealed)?),
            // Whoever found the code has it in the last turn, unless it was a person who answered and not all of it can be true.
            (None, None) => turns
                .last()
                .filter(|turn| turn.feedback.is_winning(&rules))
                .map(|turn| turn.guess.clone())
                .filter(|code| mode != Mode::Make || first_lie(&rules, &turns, code).is_none()),
        };
        if secret.is_none() && mode != Mode::Make && !turns.is_empty() {
            return Err(RecordError::NoSecret);
        }
        if let Some((number, expected)) = secret.as_ref().and_then(|secret| first_lie(&rules, &turns, secret)) {
            let found = turns[number - 1].feedback.clone();
            return Err(RecordError::Disagrees { number, expected, found });
        }
        let mut record = Record {
            mode,
            rules,
            turns,
            secret,
            revealed: false,
            strategy: self.strategy.map(str::parse).transpose()?,
            seed: self.seed,
        };
        // A code that lies open while there is more to play was shown to a player who gave up.
        record.revealed = self.secret.is_some() && !record.is_over();
        Ok(record)
    }
}

/// The first turn that a secret answers otherwise, and how, when that is more than the rules allow.
fn first_lie(rules: &Rules, turns: &[Turn], secret: &Code) -> Option<(usize, Feedback)> {
    let mut judge = Judge::new(rules);
    let answers = (1..).zip(turns).map(|(number, turn)| (number, turn, judge.feedback(&turn.guess, secret)));
    let mut lies =
        answers.filter(|(_, turn, answer)| *answer != turn.feedback).map(|(number, _, answer)| (number, answer));
    lies.nth(rules.lies().into())
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Record", 7)?;
        fields.serialize_field("mode", &self.mode)?;
        fields.serialize_field("rules", &self.rules)?;
        fields.serialize_field("turns", &self.turns)?;
        match self.written_secret() {
            Some(Written::Sealed(sealed)) => fields.serialize_field("sealed", &sealed)?,
            _ => fields.serialize_field("secret", &self.secret)?,
        }
        fields.serialize_field("over", &self.is_over())?;
        fields.serialize_field("strategy", &self.strategy)?;
        fields.serialize_field("seed", &self.seed)?;
        fields.end()
    }
}

/// Keeps an error message readable whatever was given.
fn shorten(text: &str) -> String {
    const MOST: usize = 40;
    if text.chars().count() <= MOST { text.to_owned() } else { text.chars().take(MOST).chain(['…']).collect() }
}

#[cfg(test)]
mod tests;
