//! Records of games, to save and to share.
//!
//! A record has two forms: a small TOML *file*, and a *line* of space-separated words for a message:
//!
//! ```text
//! pegwise/1 break 4x6 1122=1,0 seed:7 by:adaptive sealed:8a8538741957
//! ```
//!
//! The secret of an unfinished game is *sealed*: obfuscated, but exact. This is not encryption.

use std::fmt::{self, Write as _};
use std::str::FromStr;

use pegwise_game::{Code, CodeError, Color, Feedback, History, Judge, Rules, RulesError, Turn, TurnError, shorten};
use pegwise_solve::{Rng, Spec, SpecError};
use serde::{Deserialize, Serialize, Serializer, ser::SerializeStruct as _};

/// Version of both forms.
const VERSION: u32 = 1;

/// Role of the player.
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

    /// Returns the name.
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
        known.ok_or_else(|| RecordError::Mode(shorten(text)))
    }
}

/// A game that can be saved and shared.
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
    /// Role of the player.
    pub mode: Mode,
    /// The rules.
    pub rules: Rules,
    /// The turns so far, first to last.
    pub turns: Vec<Turn>,
    /// The secret. `None` only in [`Mode::Make`] while the player keeps the code, whose answers may then be
    /// contradictory, or before the first turn.
    pub secret: Option<Code>,
    /// True if the player gave up and saw the code.
    pub revealed: bool,
    /// Strategy of the computer: it breaks the code, or gives the hints.
    pub strategy: Option<Spec>,
    /// Random seed.
    pub seed: Option<u64>,
}

/// Error in a record.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RecordError {
    /// Not TOML, or a field that is missing, unknown or of the wrong type.
    #[error("this is not a record of a game: {0}")]
    Text(String),
    /// Not a record line.
    #[error("'{0}' is not a game as a line of text; it is written as pegwise/{VERSION} break 4x6 1122=1,1 …")]
    Line(String),
    /// Unknown word in a line.
    #[error(
        "'{0}' in the line of a game is neither a turn such as 1122=1,1 nor seed:N, by:STRATEGY, secret:CODE or \
         sealed:TEXT"
    )]
    Word(String),
    /// Duplicate field.
    #[error("'{0}' is given twice")]
    Twice(&'static str),
    /// Unsupported version.
    #[error("the record has version {0}, but this program reads version {VERSION}")]
    Version(String),
    /// Unknown mode.
    #[error("'{0}' is not a mode; use break, make or watch")]
    Mode(String),
    /// Invalid rules.
    #[error("the rules of the record: {0}")]
    Rules(#[from] RulesError),
    /// Invalid turn, by its one-based number, and the reason.
    #[error("turn {0} of the record: {1}")]
    Turn(usize, TurnError),
    /// Invalid strategy.
    #[error("the strategy of the record: {0}")]
    Strategy(#[from] SpecError),
    /// Invalid seed.
    #[error("'{0}' is not a seed; write a whole number from 0 to {max}", max = u64::MAX)]
    Seed(String),
    /// Invalid secret.
    #[error("invalid secret in the record: {0}")]
    Secret(#[from] CodeError),
    /// Turns without a secret in a mode that needs one.
    #[error("the record has turns but no secret; use mode make if the player keeps the secret")]
    NoSecret,
    /// The seal cannot be opened.
    #[error("the sealed code is damaged, or belongs to other rules; copy the whole code")]
    Sealed,
    /// An answer that does not match the secret: the one-based number of the turn, the answer of the secret, and that of the turn.
    #[error("turn {0} of the record is impossible: the code answers {1}, not {2}")]
    Disagrees(usize, Feedback, Feedback),
}

impl Record {
    /// Creates a record of the turns, without secret, strategy and seed.
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

    /// Returns the turns as a history.
    ///
    /// # Errors
    /// Returns an error if a turn is not valid for the rules.
    pub fn history(&self) -> Result<History, TurnError> {
        let mut history = History::new(self.rules.clone());
        self.turns.iter().try_for_each(|turn| history.push(turn.clone()))?;
        Ok(history)
    }

    /// Returns true if the game has ended: solved, revealed, or out of guesses. The secret is then written in plain
    /// text.
    pub fn is_over(&self) -> bool {
        let solved = self.turns.last().is_some_and(|turn| turn.feedback.is_winning(&self.rules));
        let used_up = self.rules.max_guesses().is_some_and(|most| self.turns.len() >= most as usize);
        solved || used_up || self.revealed
    }

    /// Returns the rules without custom color names, which are not saved.
    fn plain_rules(&self) -> Rules {
        self.rules.clone().without_color_names()
    }

    /// Returns the field of the secret and its text: `secret`, or `sealed` while the game is unfinished.
    fn written_secret(&self) -> Option<(&'static str, String)> {
        let secret = self.secret.as_ref()?;
        Some(if self.is_over() {
            ("secret", secret.notation(self.plain_rules().palette()).to_string())
        } else {
            ("sealed", seal(&self.rules, secret))
        })
    }
}

/// Fields of a record before parsing.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordParts {
    /// Version; checked before the other fields are parsed.
    #[serde(rename = "pegwise")]
    _version: u32,
    mode: Option<String>,
    rules: String,
    strategy: Option<String>,
    seed: Option<SeedValue>,
    secret: Option<String>,
    sealed: Option<String>,
    turns: Vec<String>,
}

/// Seed of a record. Integers of TOML are signed: larger seeds are text.
#[derive(Deserialize)]
#[serde(untagged)]
enum SeedValue {
    Number(u64),
    Text(String),
}

impl RecordParts {
    fn record(self) -> Result<Record, RecordError> {
        let seed = match self.seed {
            Some(SeedValue::Number(seed)) => Some(seed),
            Some(SeedValue::Text(text)) => Some(parse_seed(&text)?),
            None => None,
        };
        let rules: Rules = self.rules.parse()?;
        let turns = (1..)
            .zip(&self.turns)
            .map(|(number, text)| Turn::parse(&rules, text).map_err(|error| RecordError::Turn(number, error)));
        let turns = turns.collect::<Result<Vec<Turn>, _>>()?;
        let mode: Mode = self.mode.as_deref().map_or(Ok(Mode::default()), str::parse)?;
        let secret = match (&self.secret, &self.sealed) {
            (Some(_), Some(_)) => return Err(RecordError::Twice("secret")),
            (Some(code), None) => Some(rules.parse_code(code)?),
            (None, Some(sealed)) => Some(unseal(&rules, sealed).ok_or(RecordError::Sealed)?),
            // The last turn of a solved game holds the code, unless a person gave contradictory answers.
            (None, None) => turns
                .last()
                .filter(|turn| turn.feedback.is_winning(&rules))
                .map(|turn| turn.guess.clone())
                .filter(|code| mode != Mode::Make || first_mismatch(&rules, &turns, code).is_none()),
        };
        if secret.is_none() && mode != Mode::Make && !turns.is_empty() {
            return Err(RecordError::NoSecret);
        }
        if let Some((number, expected)) = secret.as_ref().and_then(|secret| first_mismatch(&rules, &turns, secret)) {
            let found = turns[number - 1].feedback.clone();
            return Err(RecordError::Disagrees(number, expected, found));
        }
        let mut record = Record {
            mode,
            rules,
            turns,
            secret,
            revealed: false,
            strategy: self.strategy.as_deref().map(str::parse).transpose()?,
            seed,
        };
        // A plain secret in an unfinished game means that the player gave up.
        record.revealed = self.secret.is_some() && !record.is_over();
        Ok(record)
    }
}

fn parse_seed(text: &str) -> Result<u64, RecordError> {
    text.parse().map_err(|_| RecordError::Seed(shorten(text)))
}

/// Returns the first turn whose answer differs from that of `secret`, beyond the lies that the rules allow, and the
/// true answer.
fn first_mismatch(rules: &Rules, turns: &[Turn], secret: &Code) -> Option<(usize, Feedback)> {
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
            Some((name @ "sealed", sealed)) => fields.serialize_field(name, &sealed)?,
            _ => fields.serialize_field("secret", &self.secret)?,
        }
        fields.serialize_field("over", &self.is_over())?;
        fields.serialize_field("strategy", &self.strategy)?;
        fields.serialize_field("seed", &self.seed)?;
        fields.end()
    }
}

// Line form.

impl Record {
    /// Returns the line form: words separated by single spaces, safe within single quotes in a shell.
    pub fn line(&self) -> String {
        let rules = self.plain_rules();
        let mut words = vec![format!("pegwise/{VERSION}"), self.mode.to_string(), self.rules.to_string()];
        words.extend(self.turns.iter().map(|turn| turn.notation(&rules).to_string()));
        words.extend(self.seed.map(|seed| format!("seed:{seed}")));
        words.extend(self.strategy.as_ref().map(|strategy| format!("by:{strategy}")));
        words.extend(self.written_secret().map(|(name, secret)| format!("{name}:{secret}")));
        words.join(" ")
    }

    /// Parses a line.
    pub fn from_line(line: &str) -> Result<Self, RecordError> {
        let no_line = || RecordError::Line(shorten(line.trim()));
        let mut words = line.split_whitespace();
        let version = words.next().and_then(|word| word.strip_prefix("pegwise/")).ok_or_else(no_line)?;
        if version != VERSION.to_string() {
            return Err(RecordError::Version(shorten(version)));
        }
        let (Some(mode), Some(rules)) = (words.next(), words.next()) else { return Err(no_line()) };
        let mut parts = RecordParts { mode: Some(mode.to_owned()), rules: rules.to_owned(), ..RecordParts::default() };
        for word in words {
            let (place, name, value) = match word.split_once(':') {
                // A strategy's parameters contain `=` too, but only after a colon.
                None if word.contains('=') => {
                    parts.turns.push(word.to_owned());
                    continue;
                }
                Some(("seed", value)) => {
                    if parts.seed.replace(SeedValue::Number(parse_seed(value)?)).is_some() {
                        return Err(RecordError::Twice("seed"));
                    }
                    continue;
                }
                Some(("by", value)) => (&mut parts.strategy, "by", value),
                Some(("secret", value)) => (&mut parts.secret, "secret", value),
                Some(("sealed", value)) => (&mut parts.sealed, "sealed", value),
                _ => return Err(RecordError::Word(shorten(word))),
            };
            if place.replace(value.to_owned()).is_some() {
                return Err(RecordError::Twice(name));
            }
        }
        parts.record()
    }
}

// File form.

/// Field that every version of the file has.
#[derive(Deserialize)]
struct Version {
    pegwise: u32,
}

impl Record {
    /// Returns the file form. The turns are mandatory and come last, so that a truncated file does not parse.
    pub fn to_text(&self) -> String {
        let mut text = "# A game of Pegwise; `pegwise play --load FILE` resumes it.\n".to_owned();
        let mut line = |name: &str, value: &dyn fmt::Display| {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{name} = {value}");
        };
        let quoted = |value: &dyn fmt::Display| format!("\"{value}\"");
        line("pegwise", &VERSION);
        line("mode", &quoted(&self.mode));
        line("rules", &quoted(&self.rules));
        if let Some(strategy) = &self.strategy {
            line("strategy", &quoted(strategy));
        }
        match self.seed {
            Some(seed) if i64::try_from(seed).is_ok() => line("seed", &seed),
            Some(seed) => line("seed", &quoted(&seed)),
            None => {}
        }
        if let Some((name, secret)) = self.written_secret() {
            line(name, &quoted(&secret));
        }
        let rules = self.plain_rules();
        let turns = self.turns.iter().map(|turn| format!("  \"{}\",\n", turn.notation(&rules)));
        let turns: String = turns.collect();
        line("turns", &if turns.is_empty() { "[]".to_owned() } else { format!("[\n{turns}]") });
        text
    }

    /// Parses a file.
    pub fn from_text(text: &str) -> Result<Self, RecordError> {
        let wrong = |error: toml::de::Error| RecordError::Text(error.to_string().trim().to_owned());
        // Checks the version first, because other versions may have other fields.
        let Version { pegwise } = toml::from_str(text).map_err(wrong)?;
        if pegwise != VERSION {
            return Err(RecordError::Version(pegwise.to_string()));
        }
        toml::from_str::<RecordParts>(text).map_err(wrong)?.record()
    }
}

// Sealed codes.
//
// The colors are combined by XOR with a random stream seeded by the rules and a checksum of the code. The seal is the
// checksum and the result in hexadecimal. Equal codes of equal rules have equal seals, similar codes have unrelated
// seals, and a damaged seal fails the checksum.

/// Stream number reserved for seals.
const SEAL_STREAM: u64 = 0x5EA1;

/// Seals a code.
///
/// ```
/// use pegwise_coach::{unseal, seal};
/// use pegwise_game::Rules;
/// let rules: Rules = "4x6".parse()?;
/// let code = rules.parse_code("3632")?;
/// let sealed = seal(&rules, &code);
/// assert_eq!(unseal(&rules, &sealed), Some(code));
/// assert_eq!(unseal(&rules, &sealed[1..]), None);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn seal(rules: &Rules, code: &Code) -> String {
    let mut bytes: Vec<u8> = code.iter().flat_map(|color| (color.index() as u16).to_be_bytes()).collect();
    if fits_in_byte(rules) {
        bytes = bytes.into_iter().skip(1).step_by(2).collect();
    }
    let check = checksum(rules, &bytes);
    apply_stream(rules, check, &mut bytes);
    check.iter().chain(&bytes).map(|byte| format!("{byte:02x}")).collect()
}

/// Opens a seal. Returns `None` if it is damaged or belongs to other rules.
pub fn unseal(rules: &Rules, text: &str) -> Option<Code> {
    let digits: Vec<u8> = text.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let (pairs, []) = digits.as_chunks::<2>() else { return None };
    let bytes: Vec<u8> = pairs.iter().map(|[high, low]| high << 4 | low).collect();
    let (&check, mixed) = bytes.split_first_chunk::<2>()?;
    let mut bytes = mixed.to_vec();
    apply_stream(rules, check, &mut bytes);
    if checksum(rules, &bytes) != check {
        return None;
    }
    let code = if fits_in_byte(rules) {
        Code::from_indices(bytes)
    } else {
        let (pairs, []) = bytes.as_chunks::<2>() else { return None };
        Code::new(pairs.iter().map(|&pair| Color::new(u16::from_be_bytes(pair))).collect::<Vec<_>>())
    };
    rules.check_code(&code).ok().map(|()| code)
}

/// Returns true if a color fits into one byte.
fn fits_in_byte(rules: &Rules) -> bool {
    rules.colors() <= 256
}

/// Applies the stream by XOR, which is its own inverse.
fn apply_stream(rules: &Rules, check: [u8; 2], bytes: &mut [u8]) {
    let mut stream = Rng::for_path(SEAL_STREAM, [rules.to_string().as_bytes(), &check]);
    for chunk in bytes.chunks_mut(8) {
        for (byte, mask) in chunk.iter_mut().zip(stream.word().to_be_bytes()) {
            *byte ^= mask;
        }
    }
}

fn checksum(rules: &Rules, bytes: &[u8]) -> [u8; 2] {
    let word = Rng::for_path(SEAL_STREAM, [rules.to_string().as_bytes(), bytes]).word();
    [(word >> 8) as u8, word as u8]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::{Just, any, prop_assert_eq, prop_oneof, proptest};
    use proptest::{collection, sample};

    use super::*;

    fn record(line: &str) -> Result<Record, String> {
        Record::from_line(line).map_err(|error| error.to_string())
    }

    const RULES: [&str; 12] = [
        "4x6", "1x1", "4x10:no-repeats", "5x26", "3x27", "4x300", "8x12:max-guesses=4", "4x6:higher-lower",
        "4x6:distance", "grid:3x3x4", "triangle:3x5", "lines:1.2.3/3.4.5x6",
    ];

    #[test]
    fn both_forms_are_as_documented() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=1,0", "1344=0,1"]).unwrap();
        let mut record = Record {
            secret: Some(rules.parse_code("3632").unwrap()),
            strategy: Some("entropy(guesses=consistent)".parse().unwrap()),
            seed: Some(7),
            ..Record::new(Mode::Break, &history)
        };
        let words = "pegwise/1 break 4x6 1122=1,0 1344=0,1 seed:7 by:entropy(guesses=consistent)";
        let line = record.line();
        assert!(line.strip_prefix(words).is_some_and(|rest| rest.starts_with(" sealed:")), "{line}");
        record.revealed = true;
        assert_eq!(record.line(), format!("{words} secret:3632"));
        let text = "# A game of Pegwise; `pegwise play --load FILE` resumes it.\npegwise = 1\n\
        mode = \"break\"\n\
        rules = \"4x6\"\nstrategy = \"entropy(guesses=consistent)\"\nseed = 7\nsecret = \"3632\"\n\
        turns = [\n  \"1122=1,0\",\n  \"1344=0,1\",\n]\n";
        assert_eq!(record.to_text(), text);
        for end in (0..text.len() - 1).filter(|&end| text.is_char_boundary(end)) {
            assert!(Record::from_text(&text[..end]).is_err(), "cut off at {end}");
        }
        let json = serde_json::to_value(&record).unwrap();
        assert_eq!(json["turns"][0]["guess"], serde_json::json!([1, 1, 2, 2]));
        assert_eq!(json["secret"], serde_json::json!([3, 6, 3, 2]));
    }

    #[test]
    fn damage_is_named() {
        let error = |line: &str| record(line).unwrap_err();
        assert!(error("hello").starts_with("'hello' is not a game as a line of text"));
        assert!(error("").starts_with("'' is not a game"));
        assert_eq!(error("pegwise/2 break 4x6"), "the record has version 2, but this program reads version 1");
        assert!(error("pegwise/1 break").contains("is not a game"));
        assert_eq!(error("pegwise/1 bake 4x6"), "'bake' is not a mode; use break, make or watch");
        assert!(error("pegwise/1 break 4x").starts_with("the rules of the record: '4x' is not a size"));
        assert!(error("pegwise/1 break 4x6 1122=5,0").starts_with("turn 1 of the record: mark 1 of '5,0'"));
        assert!(error("pegwise/1 break 4x6 1122").starts_with("'1122' in the line of a game is neither"));
        assert!(error("pegwise/1 break 4x6 seed:x").starts_with("'x' is not a seed"));
        assert_eq!(error("pegwise/1 break 4x6 seed:1 seed:2"), "'seed' is given twice");
        assert_eq!(error("pegwise/1 break 4x6 secret:1111 sealed:00"), "'secret' is given twice");
        assert!(error("pegwise/1 break 4x6 sealed:0000").starts_with("the sealed code is damaged"));
        assert_eq!(
            error("pegwise/1 break 4x6 1122=0,0 secret:1111"),
            "turn 1 of the record is impossible: the code answers 2,0, not 0,0"
        );
        for text in
            ["", "pegwise = 1", "pegwise = 1\nrules = 4", "pegwise = 1\nrules = \"4x6\"\nfoo = 1", "\u{0}", "turns = ["]
        {
            assert!(Record::from_text(text).unwrap_err().to_string().starts_with("this is not a record"), "{text}");
        }
        let version = Record::from_text("pegwise = 9\nrules = \"4x6\"").unwrap_err();
        assert_eq!(version, RecordError::Version("9".to_owned()));
    }

    #[test]
    fn seals_hide_what_codes_share() {
        let rules: Rules = "8x6".parse().unwrap();
        let sealed = |code: &str| seal(&rules, &rules.parse_code(code).unwrap());
        let (one, other) = (sealed("11111111"), sealed("11111112"));
        let same = one.bytes().zip(other.bytes()).filter(|(one, other)| one == other).count();
        assert!(same < one.len() / 2, "{one} {other}");
        assert_eq!(unseal(&rules, &one), rules.parse_code("11111111").ok());
        assert_eq!(unseal(&"8x7".parse().unwrap(), &one), None, "of other rules");
        assert_eq!(unseal(&rules, &one[..one.len() - 2]), None, "cut off");
    }

    proptest! {
        #[test]
        fn records_come_back_as_they_were(
            rules in sample::select(&RULES[..]),
            seed in any::<u64>(),
            turns in 0..6usize,
            hidden in any::<bool>(),
            revealed in any::<bool>(),
            mode in sample::select(&Mode::ALL[..]),
            strategy in prop_oneof![Just(None), Just(Some("knuth")), Just(Some("entropy(ties=random)"))],
        ) {
            let rules: Rules = rules.parse().unwrap();
            let mut rng = Rng::new(seed);
            let secret = rng.code(&rules);
            let history = History::against(&rules, &secret, (0..turns).map(|_| rng.code(&rules)));
            // Only a player who makes the code may keep it to themselves, and only until it is found.
            let hidden = hidden || mode != Mode::Make || history.is_solved();
            let mut record = Record {
                secret: hidden.then_some(secret),
                strategy: strategy.map(|strategy| strategy.parse().unwrap()),
                seed: Some(seed),
                ..Record::new(mode, &history)
            };
            record.revealed = hidden && revealed && !record.is_over();
            prop_assert_eq!(record.history().unwrap(), history);
            prop_assert_eq!(&Record::from_line(&record.line()).unwrap(), &record);
            prop_assert_eq!(&Record::from_text(&record.to_text()).unwrap(), &record);
        }

        #[test]
        fn no_text_breaks_the_readers(
            text in any::<String>(),
            cut in any::<sample::Index>(),
            flips in collection::vec(any::<(sample::Index, char)>(), 0..4),
        ) {
            let line = "pegwise/1 break 4x6 1122=1,0 1344=0,1 seed:7 by:knuth secret:3632";
            let file = record(line).unwrap().to_text();
            for whole in [line, &file] {
                let mut damaged: Vec<char> = whole.chars().collect();
                for (place, char) in &flips {
                    let place = place.index(damaged.len());
                    damaged[place] = *char;
                }
                damaged.truncate(cut.index(damaged.len()) + 1);
                let damaged: String = damaged.into_iter().collect();
                for text in [&text, &damaged, &format!("pegwise/1 {text}")] {
                    if let Ok(read) = Record::from_line(text) {
                        prop_assert_eq!(&Record::from_line(&read.line()).unwrap(), &read);
                    }
                    if let Ok(read) = Record::from_text(text) {
                        prop_assert_eq!(&Record::from_text(&read.to_text()).unwrap(), &read);
                    }
                }
            }
        }
    }

    /// Contradictory answers of a person are kept.
    #[test]
    fn answers_that_cannot_be_true_are_kept() {
        let record = Record::from_line("pegwise/1 make 3x6 112=0,0 123=3,0").unwrap();
        assert_eq!((record.turns.len(), record.secret), (2, None));
        assert!(Record::from_line("pegwise/1 break 3x6 112=0,0 123=3,0").is_err());
    }
}
