//! Colors, and how they are written in codes.

use std::{fmt, hash, sync::Arc};

use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// Maximum number of colors in a game.
pub const MAX_COLORS: u16 = 4096;

/// A color: zero-based in memory, one-based in text and files.
///
/// ```
/// use pegwise_game::Color;
/// let red = Color::from_number(1).unwrap();
/// assert_eq!(red, Color::new(0));
/// assert_eq!(red.to_string(), "1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Color(u16);

impl Color {
    /// Returns the color with a zero-based index.
    #[inline]
    pub const fn new(index: u16) -> Self {
        Self(index)
    }

    /// Returns the color with a one-based number, or `None` for zero.
    pub const fn from_number(number: u16) -> Option<Self> {
        match number.checked_sub(1) {
            Some(index) => Some(Self(index)),
            None => None,
        }
    }

    /// Returns the zero-based index.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Returns the one-based number used in text.
    pub const fn number(self) -> u32 {
        self.0 as u32 + 1
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.number().fmt(f)
    }
}

impl Serialize for Color {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(self.number())
    }
}

impl<'de> Deserialize<'de> for Color {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let number = u16::deserialize(deserializer)?;
        Self::from_number(number).ok_or_else(|| D::Error::custom("colors are numbered from 1"))
    }
}

/// Notation of the colors of a game: numbers for up to nine colors, letters for up to 26, and numbers separated by commas for
/// more. Bulls and cows uses digits; colors with names are written by their initials, or by two letters of each name if
/// initials are equal.
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
    notation: ColorNotation,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum ColorNotation {
    Numbers,
    Letters,
    /// One to nine, and zero for the tenth color.
    Digits,
    Commas,
    Initials([u8; MAX_LETTERS]),
    /// Two letters of each name.
    LetterPairs([[u8; 2]; MAX_LETTERS]),
}

/// Maximum number of colors written as single letters.
const MAX_LETTERS: usize = 26;

impl Palette {
    /// Ten digits: one to nine, and zero for the tenth color.
    pub(crate) const DIGITS: Self = Self { colors: 10, notation: ColorNotation::Digits };

    /// Returns the text of a color.
    pub fn label(self, color: Color) -> String {
        let letter = |letters: &[u8]| letters.get(color.index()).map(|&letter| char::from(letter).to_string());
        let label = match self.notation {
            ColorNotation::Numbers | ColorNotation::Commas => None,
            ColorNotation::Letters => letter(b"ABCDEFGHIJKLMNOPQRSTUVWXYZ"),
            ColorNotation::Digits => letter(b"1234567890"),
            ColorNotation::Initials(letters) => letter(&letters),
            ColorNotation::LetterPairs(pairs) => {
                pairs.get(color.index()).map(|pair| pair.map(char::from).iter().collect())
            }
        };
        label.unwrap_or_else(|| color.to_string())
    }

    /// Returns the text between two colors.
    pub fn separator(self) -> &'static str {
        if self.notation == ColorNotation::Commas { "," } else { "" }
    }

    /// Formats the colors of cells, with a question mark for each unknown color.
    pub fn pegs(self, pegs: &[Option<Color>]) -> String {
        let label =
            |peg: &Option<Color>| peg.map_or_else(|| crate::code::UNKNOWN.to_owned(), |color| self.label(color));
        pegs.iter().map(label).collect::<Vec<_>>().join(self.separator())
    }

    /// Returns true if every color is written as a letter.
    pub fn has_letters(self) -> bool {
        matches!(self.notation, ColorNotation::Letters | ColorNotation::Initials(_))
    }

    /// Returns true if the ten colors are written as digits.
    pub fn has_digits(self) -> bool {
        self.notation == ColorNotation::Digits
    }

    /// Returns true if every color is written as two letters.
    pub(crate) fn has_letter_pairs(self) -> bool {
        matches!(self.notation, ColorNotation::LetterPairs(_))
    }

    /// Returns the color written as one letter (in either case) or digit; `None` if the notation has colors of several
    /// characters.
    pub fn color_for_key(self, key: char) -> Option<Color> {
        if !self.has_letters() && !self.has_digits() {
            return None;
        }
        let key = key.to_ascii_uppercase().to_string();
        (0..self.colors).map(Color::new).find(|&color| self.label(color) == key)
    }
}

/// The notation of a number of colors without names.
impl From<u16> for Palette {
    fn from(colors: u16) -> Self {
        let notation = match colors {
            0..=9 => ColorNotation::Numbers,
            10..=26 => ColorNotation::Letters,
            _ => ColorNotation::Commas,
        };
        Self { colors, notation }
    }
}

/// A sentence that lists the valid colors.
impl fmt::Display for Palette {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let last = Color::new(self.colors.saturating_sub(1));
        match self.notation {
            ColorNotation::Initials(_) | ColorNotation::LetterPairs(_) => {
                let labels: Vec<String> = (0..self.colors).map(|color| self.label(Color::new(color))).collect();
                write!(f, "the colors are {}", labels.join(", "))
            }
            ColorNotation::Digits => write!(f, "the colors are 0 to 9, or A to J"),
            _ if self.colors == 1 => write!(f, "the only color is 1"),
            ColorNotation::Commas => write!(f, "the colors are 1 to {last}"),
            ColorNotation::Numbers | ColorNotation::Letters => {
                write!(f, "the colors are 1 to {last}, or A to {}", char::from(b'A' + last.index() as u8))
            }
        }
    }
}

/// Names of the colors, if they have any. Names do not affect the game, so all values compare equal.
#[derive(Debug, Clone, Default)]
pub(crate) struct ColorNames(Option<Arc<(Vec<String>, ColorNotation)>>);

impl PartialEq for ColorNames {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for ColorNames {}

impl hash::Hash for ColorNames {
    fn hash<H: hash::Hasher>(&self, _: &mut H) {}
}

/// Error for words that cannot be color names.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ColorNameError {
    /// The number of colors differs from the number of names.
    #[error("{} given, and the game has {}", counted(*.1, "name was", "names were"), counted(*.0, "color", "colors"))]
    WrongNumber(usize, usize),
    /// A name that is not a word.
    #[error("'{0}' is not a valid color name; use a word that begins with a letter, such as red")]
    InvalidName(String),
    /// A name without two letters that no other name has.
    #[error(
        "codes are written with one or two letters per color, and no such letters distinguish {0} from the other names; choose another name"
    )]
    NotDistinct(String),
    /// More names than letters.
    #[error("at most {MAX_LETTERS} colors can have names")]
    TooMany,
}

pub(crate) fn counted(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Chooses the initials of names, or the initial and a later letter of each if initials are equal.
fn notation(names: &[String]) -> Result<ColorNotation, ColorNameError> {
    let initial = |name: &String| name.as_bytes()[0].to_ascii_uppercase();
    let mut initials = [b'?'; MAX_LETTERS];
    let mut pairs = [[b'?'; 2]; MAX_LETTERS];
    for (at, name) in names.iter().enumerate() {
        if names[..at].iter().any(|other| other.eq_ignore_ascii_case(name)) {
            return Err(ColorNameError::NotDistinct(name.clone()));
        }
        initials[at] = initial(name);
        let pair = |second: u8| [initial(name), second.to_ascii_lowercase()];
        let letters = name.bytes().skip(1).filter(u8::is_ascii_alphanumeric).map(pair);
        pairs[at] = letters.into_iter().find(|pair| !pairs[..at].contains(pair)).unwrap_or([b'?'; 2]);
    }
    let is_distinct = |at: usize| !initials[..at].contains(&initials[at]);
    if (0..names.len()).all(is_distinct) {
        return Ok(ColorNotation::Initials(initials));
    }
    match names.iter().zip(&pairs).find(|(_, pair)| **pair == [b'?'; 2]) {
        Some((name, _)) => Err(ColorNameError::NotDistinct(name.clone())),
        None => Ok(ColorNotation::LetterPairs(pairs)),
    }
}

impl ColorNames {
    /// Checks that one or two letters distinguish each name, and that names are words.
    pub(crate) fn new(names: &[String]) -> Result<Self, ColorNameError> {
        for name in names {
            let word = name.chars().all(|char| char.is_alphanumeric() || char == '-');
            if !word || !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                return Err(ColorNameError::InvalidName(crate::code::shorten(name)));
            }
        }
        if names.len() > MAX_LETTERS {
            return Err(ColorNameError::TooMany);
        }
        notation(names).map(|notation| Self(Some(Arc::new((names.to_vec(), notation)))))
    }

    /// Returns the notation by letters of the names, if the colors have names.
    pub(crate) fn palette(&self) -> Option<Palette> {
        let (names, notation) = self.0.as_deref()?;
        Some(Palette { colors: names.len() as u16, notation: *notation })
    }

    pub(crate) fn find(&self, word: &str) -> Option<Color> {
        let (names, _) = self.0.as_deref()?;
        let at = names.iter().position(|name| name.eq_ignore_ascii_case(word))?;
        Some(Color::new(at as u16))
    }
}
