//! Numbers as they were printed.

use std::{fmt, str::FromStr};

/// A printed number: its digits say how precise it is.
///
/// ```
/// use pegwise_lab::papers::Printed;
/// let printed: Printed = "4.60".parse().unwrap();
/// assert!((printed.value() - 4.6).abs() < 1e-12);
/// assert!(printed.is(4.604) && !printed.is(4.606));
/// let bound: Printed = "<=560".parse().unwrap();
/// assert!(bound.is(528.0) && !bound.is(561.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Printed {
    text: String,
    value: f64,
    half_unit: f64,
    /// Whether the text only says that the number is no larger.
    bound: bool,
}

/// Why a text is no printed number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a printed number; write its digits, as in \"4.60\", or a bound, as in \"<=560\"")]
pub struct PrintedError(String);

impl Printed {
    /// Numbers computed in another order differ in their last bits.
    const NOISE: f64 = 1e-9;

    /// The number.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Half a unit of the last digit: how far off the number may be by rounding.
    #[must_use]
    pub fn half_unit(&self) -> f64 {
        self.half_unit
    }

    /// Whether it only says that the number is no larger.
    #[must_use]
    pub fn is_bound(&self) -> bool {
        self.bound
    }

    /// Whether a number would be printed like this.
    #[must_use]
    pub fn is(&self, number: f64) -> bool {
        let noise = Self::NOISE * self.value.abs().max(1.0);
        match self.bound {
            true => number <= self.value + noise,
            false => (number - self.value).abs() <= self.half_unit + noise,
        }
    }

    /// How many decimals it has.
    #[must_use]
    pub fn decimals(&self) -> usize {
        self.text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
    }
}

impl FromStr for Printed {
    type Err = PrintedError;

    fn from_str(text: &str) -> Result<Self, PrintedError> {
        const MOST_DIGITS: usize = 15;
        let number = text.strip_prefix("<=");
        let digits = number.unwrap_or(text);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let readable = plain(whole) && plain(decimals) && digits.len() <= MOST_DIGITS;
        let value = digits.parse().ok().filter(|_| readable).ok_or_else(|| PrintedError(text.to_owned()))?;
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let half_unit = 0.5 * 10f64.powi(-(decimals as i32));
        Ok(Self { text: text.to_owned(), value, half_unit, bound: number.is_some() })
    }
}

impl serde::Serialize for Printed {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_precision() {
        for (text, number, is) in [
            ("4.340", 5625.0 / 1296.0, true),
            ("4.341", 5625.0 / 1296.0, false),
            ("85", 85.49, true),
            ("85", 85.51, false),
            ("10.80015432", 13997.0 / 1296.0, true),
            ("14", 14.0, true),
            ("0.5", 0.55, true),
        ] {
            assert_eq!(text.parse::<Printed>().unwrap().is(number), is, "{text} and {number}");
        }
    }

    #[test]
    fn other_texts_are_no_numbers() {
        for text in ["", ".", "4.", ".5", "-1", "1e3", "4,5", "inf", "<=", ">=3", "1 295", "12345678901234567"] {
            assert!(text.parse::<Printed>().is_err(), "{text}");
        }
    }
}
