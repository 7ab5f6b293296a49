//! What can be set on a strategy.

use serde::Serialize;

/// Something that can be set on a strategy, as in `entropy(guesses=consistent)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Parameter {
    /// Its name.
    pub name: &'static str,
    /// What it may be.
    pub kind: ParameterKind,
    /// What it is when it is not set.
    pub default: &'static str,
    /// What it does.
    pub about: &'static str,
}

/// The values a parameter may take.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ParameterKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// A whole number in a range.
    Integer {
        /// The least.
        min: u64,
        /// The most.
        max: u64,
    },
    /// A number in a range, such as `0.25`.
    Decimal {
        /// The least.
        min: f64,
        /// The most.
        max: f64,
    },
    /// A code of the rules, or one of these words.
    CodeOr(&'static [&'static str]),
}

impl ParameterKind {
    /// Yes or no.
    pub const FLAG: Self = Self::Choice(&["true", "false"]);

    /// The value that a text means; if it means none, what it should be. A word is a word also where its letters are colors.
    pub(crate) fn read(self, text: &str) -> Result<Value, String> {
        match self {
            Self::Choice(words) | Self::CodeOr(words) if words.contains(&text) => Ok(Value::Plain(text.to_owned())),
            Self::Choice(words) => Err(format!("use {}", words.join(", "))),
            Self::Integer { min, max } => match text.parse::<u64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Plain(number.to_string())),
                _ => Err(format!("use a whole number from {min} to {max}")),
            },
            Self::Decimal { min, max } => match text.parse::<f64>() {
                Ok(number) if (min..=max).contains(&number) => Ok(Value::Plain(number.to_string())),
                _ => Err(format!("use a number from {min} to {max}")),
            },
            Self::CodeOr(words) => {
                let colors: Vec<&str> =
                    text.split([',', ' ']).map(str::trim).filter(|color| !color.is_empty()).collect();
                let readable = |color: &&str| color.chars().all(char::is_alphanumeric);
                match !colors.is_empty() && colors.iter().all(readable) {
                    true => Ok(Value::Code(colors.join(" "))),
                    false => Err(format!("use {} or a code", words.join(", "))),
                }
            }
        }
    }
}

/// The value of a parameter. It is read once, so that nobody who asks for it later has to guess what the text meant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Value {
    /// A word or a number.
    Plain(String),
    /// A code of rules that are not known yet. Commas part parameters, so its colors are parted by spaces.
    Code(String),
}

impl Value {
    pub(crate) fn text(&self) -> &str {
        match self {
            Self::Plain(text) | Self::Code(text) => text,
        }
    }
}

impl std::fmt::Display for ParameterKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Choice(words) => f.write_str(&words.join(" | ")),
            Self::Integer { min, max } => write!(f, "{min} to {max}"),
            Self::Decimal { min, max } => write!(f, "{min} to {max}, with decimals"),
            Self::CodeOr(words) => write!(f, "{} | a code", words.join(" | ")),
        }
    }
}
