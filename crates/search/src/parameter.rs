//! Parameters of strategies.

use std::ops::RangeInclusive;

use serde::Serialize;

/// Parameter of a strategy, such as `guesses` in `entropy(guesses=consistent)`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Parameter {
    /// Name.
    pub name: &'static str,
    /// Allowed values.
    pub kind: ParameterKind,
    /// Default value.
    pub default: &'static str,
    /// Description in one phrase.
    pub about: &'static str,
}

impl Parameter {
    /// Creates a parameter that is one of `words`; the first is the default.
    pub const fn choice(name: &'static str, words: &'static [&'static str], about: &'static str) -> Self {
        Self { name, kind: ParameterKind::Choice(words), default: words[0], about }
    }

    /// Creates a parameter that is a code or one of `words`; the first is the default.
    pub const fn code_or(name: &'static str, words: &'static [&'static str], about: &'static str) -> Self {
        Self { name, kind: ParameterKind::CodeOr(words), default: words[0], about }
    }

    /// Creates a parameter that is `true` or `false`.
    pub const fn flag(name: &'static str, default: bool, about: &'static str) -> Self {
        Self { name, kind: ParameterKind::FLAG, default: if default { "true" } else { "false" }, about }
    }

    /// Creates an integer parameter.
    pub const fn integer(
        name: &'static str,
        range: RangeInclusive<u64>,
        default: &'static str,
        about: &'static str,
    ) -> Self {
        let kind = ParameterKind::Integer { min: *range.start(), max: *range.end() };
        Self { name, kind, default, about }
    }

    /// Creates a decimal parameter.
    pub const fn decimal(
        name: &'static str,
        range: RangeInclusive<f64>,
        default: &'static str,
        about: &'static str,
    ) -> Self {
        let kind = ParameterKind::Decimal { min: *range.start(), max: *range.end() };
        Self { name, kind, default, about }
    }
}

/// Allowed values of a parameter.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum ParameterKind {
    /// One of these words.
    Choice(&'static [&'static str]),
    /// An integer in a range.
    Integer {
        /// Minimum.
        min: u64,
        /// Maximum.
        max: u64,
    },
    /// A number in a range, such as `0.25`.
    Decimal {
        /// Minimum.
        min: f64,
        /// Maximum.
        max: f64,
    },
    /// A valid code, or one of these words.
    CodeOr(&'static [&'static str]),
}

impl ParameterKind {
    /// `true` or `false`.
    pub const FLAG: Self = Self::Choice(&["true", "false"]);

    /// Parses a value. The error states the allowed values. Words take precedence over codes whose colors are letters.
    pub fn read(self, text: &str) -> Result<Value, String> {
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

/// Parsed value of a parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// A word or a number.
    Plain(String),
    /// A code, not yet checked against rules. Its colors are separated by spaces, because commas separate parameters.
    Code(String),
}

impl Value {
    /// Returns the text of the value.
    pub fn text(&self) -> &str {
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
