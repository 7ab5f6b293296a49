//! How colors are written.

use std::{fmt, hash, sync::Arc};

use crate::color::Color;

/// How the colors of a game are written: as numbers up to nine, as letters up to 26, as numbers with commas beyond; as
/// digits where the game is bulls and cows; or by the first letters of their names, where they have names.
///
/// ```
/// use pegwise_game::Rules;
/// let rules: Rules = "4x10:no-repeats".parse().unwrap();
/// let code = rules.parse_code("1230").unwrap();
/// assert_eq!(code, rules.parse_code("ABCJ").unwrap());
/// assert_eq!(code.notation(rules.palette()).to_string(), "1230");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Palette {
    colors: u16,
    writing: Writing,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Writing {
    Numbers,
    Letters,
    /// One to nine, and zero for the tenth color.
    Digits,
    Commas,
    Initials([u8; MOST_LETTERS]),
}

/// The most colors that have a letter each.
const MOST_LETTERS: usize = 26;

impl Palette {
    /// Ten digits: one to nine, and zero for the tenth color.
    pub(crate) const DIGITS: Self = Self { colors: 10, writing: Writing::Digits };

    /// One color as it is written.
    #[must_use]
    pub fn label(self, color: Color) -> String {
        let letter = |letters: &[u8]| letters.get(color.index()).map(|&letter| char::from(letter).to_string());
        let letter = match self.writing {
            Writing::Numbers | Writing::Commas => None,
            Writing::Letters => letter(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            Writing::Digits => letter(b"1234567890"),
            Writing::Initials(letters) => letter(&letters),
        };
        letter.unwrap_or_else(|| color.to_string())
    }

    /// What stands between two colors.
    #[must_use]
    pub fn separator(self) -> &'static str {
        if self.writing == Writing::Commas { "," } else { "" }
    }

    /// The colors of cells as they are written, with a question mark for each that is not known.
    #[must_use]
    pub fn pegs(self, pegs: &[Option<Color>]) -> String {
        let label =
            |peg: &Option<Color>| peg.map_or_else(|| crate::code::UNKNOWN.to_owned(), |color| self.label(color));
        pegs.iter().map(label).collect::<Vec<_>>().join(self.separator())
    }

    /// Whether every color is a letter.
    #[must_use]
    pub fn has_letters(self) -> bool {
        matches!(self.writing, Writing::Letters | Writing::Initials(_))
    }

    /// Whether every color is one of ten digits.
    #[must_use]
    pub fn has_digits(self) -> bool {
        self.writing == Writing::Digits
    }

    /// The color of a letter or a digit that stands alone, in either case; `None` where a color may need several.
    #[must_use]
    pub fn color_for_key(self, key: char) -> Option<Color> {
        if !self.has_letters() && !self.has_digits() {
            return None;
        }
        let key = key.to_ascii_uppercase().to_string();
        (0..self.colors).map(Color::new).find(|&color| self.label(color) == key)
    }
}

/// So many colors without names.
impl From<u16> for Palette {
    fn from(colors: u16) -> Self {
        let writing = match colors {
            0..=9 => Writing::Numbers,
            10..=26 => Writing::Letters,
            _ => Writing::Commas,
        };
        Self { colors, writing }
    }
}

/// The colors there are, in words.
impl fmt::Display for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = Color::new(self.colors.saturating_sub(1));
        match self.writing {
            Writing::Initials(_) => {
                let labels: Vec<String> = (0..self.colors).map(|color| self.label(Color::new(color))).collect();
                write!(f, "the colors are {}", labels.join(", "))
            }
            Writing::Digits => write!(f, "the colors are 0 to 9, or A to J"),
            _ if self.colors == 1 => write!(f, "the only color is 1"),
            Writing::Commas => write!(f, "the colors are 1 to {last}"),
            Writing::Numbers | Writing::Letters => {
                write!(f, "the colors are 1 to {last}, or A to {}", char::from(b'A' + last.index() as u8))
            }
        }
    }
}

/// The names of colors, as somebody's set has them. What colors are called changes no game, so rules are the same whatever
/// the names.
#[derive(Debug, Clone, Default)]
pub(crate) struct Names(Option<Arc<[String]>>);

impl PartialEq for Names {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Names {}

impl hash::Hash for Names {
    fn hash<H: hash::Hasher>(&self, _: &mut H) {}
}

/// Why words cannot be the names of colors.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColorNameError {
    /// Too few or too many.
    #[error("{} given, and the game has {}", counted(*found, "name was", "names were"), counted(*expected, "color", "colors"))]
    WrongNumber {
        /// Colors of the game.
        expected: usize,
        /// Names given.
        found: usize,
    },
    /// Not a word.
    #[error("'{name}' is no name of a color: write a word that begins with a letter, such as red")]
    NoWord {
        /// The name given.
        name: String,
    },
    /// Two names that begin with the same letter.
    #[error(
        "{one} and {other} both begin with {initial}, and a code is written by first letters: call one of them otherwise"
    )]
    SameInitial {
        /// The first of the two.
        one: String,
        /// The other.
        other: String,
        /// The letter.
        initial: char,
    },
}

fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

impl Names {
    /// Checks names: words with different first letters.
    pub(crate) fn new(names: &[String]) -> Result<Self, ColorNameError> {
        let initial = |name: &str| name.chars().next().map(|first| first.to_ascii_uppercase());
        for (at, name) in names.iter().enumerate() {
            let word = name.chars().all(|char| char.is_alphanumeric() || char == '-');
            if !word || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                return Err(ColorNameError::NoWord { name: crate::code::shorten(name) });
            }
            if let Some(one) = names[..at].iter().find(|other| initial(other) == initial(name)) {
                let (one, other) = (one.clone(), name.clone());
                let initial = initial(&other).unwrap_or_default();
                return Err(ColorNameError::SameInitial { one, other, initial });
            }
        }
        Ok(Self(Some(names.into())))
    }

    /// The palette of first letters, where there are names.
    pub(crate) fn palette(&self) -> Option<Palette> {
        let names = self.0.as_ref()?;
        let mut letters = [b'?'; MOST_LETTERS];
        for (letter, name) in letters.iter_mut().zip(names.iter()) {
            *letter = name.as_bytes()[0].to_ascii_uppercase();
        }
        Some(Palette { colors: names.len() as u16, writing: Writing::Initials(letters) })
    }

    /// The color of a name.
    pub(crate) fn find(&self, word: &str) -> Option<Color> {
        let names = self.0.as_ref()?;
        let at = names.iter().position(|name| name.eq_ignore_ascii_case(word))?;
        Some(Color::new(at as u16))
    }
}
