//! Numbers with their uncertainty.
//!
//! An [`Uncertain`] value is exact, an estimate with a 95 % confidence interval, an upper bound, or unknown, and every
//! output says which. Text uses words, table cells use a sign, and JSON adds companion fields: `remaining` comes with
//! `remaining_is` and, for an estimate, `remaining_interval`.

use std::fmt;

use pegwise_game::Count;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

/// A number and its uncertainty.
///
/// ```
/// use pegwise_coach::{Amount, Size, Uncertain};
/// use pegwise_game::Count;
/// assert_eq!(Amount::count(37).to_string(), "37");
/// let about = Uncertain::Estimate { value: Size::Log10(40.5), low: Size::Log10(40.4), high: Size::Log10(40.6) };
/// assert_eq!(about.to_string(), "about 3.2e40 (2.5e40 to 4.0e40)");
/// assert_eq!(Uncertain::AtMost(12.0).to_string(), "at most 12.0");
/// assert_eq!(Uncertain::<f64>::Unknown.to_string(), "unknown");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Uncertain<T> {
    /// The exact value.
    Exact(T),
    /// An estimate with a 95 % confidence interval.
    Estimate {
        /// Point estimate.
        value: T,
        /// Lower end of the interval.
        low: T,
        /// Upper end of the interval.
        high: T,
    },
    /// An upper bound.
    AtMost(T),
    /// Unknown.
    #[default]
    Unknown,
}

/// Number of codes.
pub type Amount = Uncertain<Size>;

/// Value that an [`Uncertain`] can hold.
pub trait Magnitude: Copy + PartialOrd {
    /// Returns the full text of the number.
    fn text(self) -> String;
    /// Returns the short text, for tables.
    fn short(self) -> String {
        self.text()
    }
    /// Returns the text with the precision of an estimate.
    fn rough(self) -> String {
        self.text()
    }
    /// Returns the value as a double; infinite if it is too large.
    fn to_f64(self) -> f64;
}

/// Number of codes, which may exceed the range of a double.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// Exact count.
    Count(Count),
    /// Base-10 logarithm of the number.
    Log10(f64),
}

/// Base-10 logarithm above which sizes are serialized as text: JSON readers lose integers beyond 2^53.
const MAX_NUMBER_LOG10: f64 = 15.0;
/// Base-10 logarithm below which inexact sizes are written without an exponent.
const MAX_PLAIN_LOG10: f64 = 4.0;

impl Size {
    /// Returns the base-10 logarithm; negative infinity for zero.
    pub fn log10(self) -> f64 {
        match self {
            Self::Count(count) => count.log10(),
            Self::Log10(log10) => log10,
        }
    }
}

impl PartialOrd for Size {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Self::Count(Count::Exact(one)), Self::Count(Count::Exact(other))) => Some(one.cmp(other)),
            _ => self.log10().partial_cmp(&other.log10()),
        }
    }
}

impl Magnitude for Size {
    fn text(self) -> String {
        match self {
            Self::Count(Count::Exact(count)) => group_digits(count),
            Self::Count(count) => count.to_string(),
            Self::Log10(log10) if log10 < MAX_PLAIN_LOG10 => format!("{:.0}", 10f64.powf(log10)),
            Self::Log10(log10) => {
                // A mantissa that would be rounded to 10.0 belongs to the next exponent.
                let (mantissa, exponent) = (10f64.powf(log10 - log10.floor()), log10.floor());
                let (mantissa, exponent) = if mantissa >= 9.95 { (1.0, exponent + 1.0) } else { (mantissa, exponent) };
                format!("{mantissa:.1}e{exponent:.0}")
            }
        }
    }

    fn short(self) -> String {
        const READABLE: u128 = 1_000_000_000_000_000;
        match self {
            Self::Count(Count::Exact(count)) if count >= READABLE => format!("{:.1e}", count as f64),
            Self::Count(Count::Exact(_)) => self.text(),
            _ => Self::Log10(self.log10()).text(),
        }
    }

    fn to_f64(self) -> f64 {
        match self {
            Self::Count(Count::Exact(count)) => count as f64,
            _ => 10f64.powf(self.log10()),
        }
    }
}

impl Magnitude for f64 {
    fn text(self) -> String {
        match self {
            ..10.0 => format!("{self:.2}"),
            ..1000.0 => format!("{self:.1}"),
            ..1e9 => group_digits(self.round() as u128),
            _ => format!("{self:.1e}"),
        }
    }

    fn rough(self) -> String {
        if self < 1e4 { self.text() } else { format!("{self:.1e}") }
    }

    fn to_f64(self) -> f64 {
        self
    }
}

/// Writes a number with commas between groups of three digits.
fn group_digits(number: u128) -> String {
    let digits = number.to_string();
    let with_comma = |(at, digit): (usize, char)| {
        let comma = (at > 0 && (digits.len() - at).is_multiple_of(3)).then_some(',');
        comma.into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(with_comma).collect()
}

impl<T: Magnitude> Uncertain<T> {
    /// Returns the exact value or the point estimate.
    pub fn value(self) -> Option<T> {
        match self {
            Self::Exact(value) | Self::Estimate { value, .. } => Some(value),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// Returns the value if it is exact.
    pub fn exact_value(self) -> Option<T> {
        match self {
            Self::Exact(value) => Some(value),
            _ => None,
        }
    }

    /// Returns true if the value is exact.
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Returns true if nothing is known, not even a bound.
    pub const fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// Returns the confidence interval; both ends are equal for an exact value.
    pub fn interval(self) -> Option<(T, T)> {
        match self {
            Self::Exact(value) => Some((value, value)),
            Self::Estimate { low, high, .. } => Some((low, high)),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// Returns true if the interval lies entirely below that of `other`.
    pub fn is_below(self, other: Self) -> bool {
        self.interval().zip(other.interval()).is_some_and(|((_, high), (low, _))| high < low)
    }

    /// Returns the text for a table cell: `~` marks an estimate, followed by its relative error, `≤` marks a bound, and
    /// `?` an unknown value.
    pub fn short(self) -> String {
        match self {
            Self::Exact(value) => value.short(),
            Self::Estimate { value, low, high } => match relative_error(value, low, high) {
                Some(percent) => format!("~{} ±{percent}%", value.rough()),
                None => format!("~{} to {}", low.rough(), high.rough()),
            },
            Self::AtMost(value) => format!("≤{}", value.short()),
            Self::Unknown => "?".to_owned(),
        }
    }

    /// Applies a monotonic function to the value and its interval.
    pub(crate) fn map<U: Magnitude>(self, of: impl Fn(T) -> U) -> Uncertain<U> {
        match self {
            Self::Exact(value) => Uncertain::Exact(of(value)),
            Self::Estimate { value, low, high } => {
                let (value, low, high) = (of(value), of(low), of(high));
                let (low, high) = if high < low { (high, low) } else { (low, high) };
                Uncertain::Estimate { value, low, high }
            }
            Self::AtMost(value) => Uncertain::AtMost(of(value)),
            Self::Unknown => Uncertain::Unknown,
        }
    }
}

/// Returns the larger relative distance of the interval's ends in percent, if it is below 50.
fn relative_error<T: Magnitude>(value: T, low: T, high: T) -> Option<u32> {
    let [value, low, high] = [value, low, high].map(T::to_f64);
    let percent = 100.0 * (high - value).max(value - low) / value;
    (percent.is_finite() && percent < 50.0).then(|| percent.ceil() as u32)
}

impl Amount {
    /// Creates an exact count.
    pub const fn count(count: u128) -> Self {
        Self::Exact(Size::Count(Count::Exact(count)))
    }

    /// Returns the exact count, if it fits a `u128`.
    pub const fn exact(self) -> Option<u128> {
        match self {
            Self::Exact(Size::Count(count)) => count.exact(),
            _ => None,
        }
    }

    /// Returns the text with its noun: `1 code`, `about 300 codes (270 to 330)`, `an unknown number of codes`.
    pub fn codes(self) -> String {
        match self {
            Self::Unknown => "an unknown number of codes".to_owned(),
            Self::Estimate { value, low, high } => {
                format!("about {} codes ({} to {})", value.text(), low.text(), high.text())
            }
            _ if self.exact() == Some(1) => "1 code".to_owned(),
            Self::Exact(size) => format!("{} codes", size.short()),
            Self::AtMost(size) => format!("at most {} codes", size.short()),
        }
    }

    /// Tightens an upper bound that exceeds the exact value or the bound of `other`.
    pub(crate) fn capped_by(self, other: Self) -> Self {
        match (self, other) {
            (Self::AtMost(own), Self::Exact(most) | Self::AtMost(most)) if most < own => Self::AtMost(most),
            _ => self,
        }
    }
}

impl From<Count> for Amount {
    fn from(count: Count) -> Self {
        Self::Exact(Size::Count(count))
    }
}

impl<T: Magnitude> fmt::Display for Uncertain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact(value) => f.write_str(&value.text()),
            Self::Estimate { value, low, high } => {
                write!(f, "about {} ({} to {})", value.rough(), low.rough(), high.rough())
            }
            Self::AtMost(value) => write!(f, "at most {}", value.text()),
            Self::Unknown => f.write_str("unknown"),
        }
    }
}

/// Returns `1 code` or `2 codes`.
pub(crate) fn pluralize(number: impl Into<u128>, singular: &str, plural: &str) -> String {
    let number = number.into();
    format!("{number} {}", if number == 1 { singular } else { plural })
}

/// Serializes as a number up to 2^53, as text beyond, like [`Count`].
impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Count(count) => count.serialize(serializer),
            Self::Log10(log10) if log10 < MAX_NUMBER_LOG10 => serializer.serialize_f64(10f64.powf(log10).round()),
            Self::Log10(_) => serializer.collect_str(&self.text()),
        }
    }
}

/// Reads an integer as an exact count, and a decimal number or scientific notation as a logarithm.
impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum JsonSize {
            Count(Count),
            Number(f64),
            Text(String),
        }
        let (log10, text) = match JsonSize::deserialize(deserializer)? {
            JsonSize::Count(count) => return Ok(Self::Count(count)),
            JsonSize::Number(number) => ((number >= 0.0).then(|| number.log10()), number.to_string()),
            JsonSize::Text(text) => (parse_log10(&text), text),
        };
        log10.map(Self::Log10).ok_or_else(|| D::Error::custom(format!("'{text}' is not a number of codes")))
    }
}

/// Parses scientific notation such as `3.2e40`, also beyond the range of a double.
fn parse_log10(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('e')?;
    let (mantissa, exponent): (f64, u32) = (mantissa.parse().ok()?, exponent.parse().ok()?);
    (mantissa >= 1.0).then(|| mantissa.log10() + f64::from(exponent))
}

/// Kind of an [`Uncertain`] value, as written in its `_is` field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Certainty {
    Exact,
    Estimate,
    Bound,
}

impl<T> Uncertain<T> {
    /// Splits into the values of the three JSON fields.
    fn parts(self) -> (Option<T>, Option<Certainty>, Option<[T; 2]>) {
        match self {
            Self::Exact(value) => (Some(value), Some(Certainty::Exact), None),
            Self::Estimate { value, low, high } => (Some(value), Some(Certainty::Estimate), Some([low, high])),
            Self::AtMost(value) => (Some(value), Some(Certainty::Bound), None),
            Self::Unknown => (None, None, None),
        }
    }

    fn from_parts(value: Option<T>, certainty: Option<Certainty>, interval: Option<[T; 2]>) -> Option<Self> {
        match (value, certainty, interval) {
            (Some(value), Some(Certainty::Exact), None) => Some(Self::Exact(value)),
            (Some(value), Some(Certainty::Estimate), Some([low, high])) => Some(Self::Estimate { value, low, high }),
            (Some(value), Some(Certainty::Bound), None) => Some(Self::AtMost(value)),
            (None, None, None) => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// Modules for `#[serde(flatten, with = "...")]` that serialize an [`Uncertain`] as a field and its companions.
pub(crate) mod field {
    use super::{Certainty, Uncertain};

    macro_rules! fields {
    ($($module:ident: $value:literal, $is:literal, $interval:literal;)*) => {
        $(pub(crate) mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

            use super::{Certainty, Uncertain};

            #[derive(Serialize, Deserialize)]
            struct Fields<T> {
                #[serde(rename = $value)]
                value: Option<T>,
                #[serde(rename = $is)]
                certainty: Option<Certainty>,
                #[serde(rename = $interval, default = "none", skip_serializing_if = "Option::is_none")]
                interval: Option<[T; 2]>,
            }

            fn none<T>() -> Option<[T; 2]> {
                None
            }

            pub(crate) fn serialize<T: Copy + Serialize, S: Serializer>(
                figure: &Uncertain<T>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let (value, certainty, interval) = figure.parts();
                Fields { value, certainty, interval }.serialize(serializer)
            }

            #[allow(dead_code, reason = "some fields are only serialized")]
            pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Uncertain<T>, D::Error> {
                let Fields { value, certainty, interval } = Fields::deserialize(deserializer)?;
                let wrong = concat!($value, " needs its certainty in ", $is);
                Uncertain::from_parts(value, certainty, interval).ok_or_else(|| D::Error::custom(wrong))
            }
        })*
    };
}

    fields! {
        remaining: "remaining", "remaining_is", "remaining_interval";
        expected_remaining: "expected_remaining", "expected_remaining_is", "expected_remaining_interval";
        score: "score", "score_is", "score_interval";
        chance: "chance", "chance_is", "chance_interval";
        lost: "lost", "lost_is", "lost_interval";
        before: "before", "before_is", "before_interval";
        after: "after", "after_is", "after_interval";
        expected: "expected", "expected_is", "expected_interval";
        skill: "skill", "skill_is", "skill_interval";
        luck: "luck", "luck_is", "luck_interval";
        leaves: "leaves", "leaves_is", "leaves_interval";
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_text_shows_the_uncertainty() {
        let about = Uncertain::Estimate { value: 10.0, low: 9.0, high: 11.5 };
        assert_eq!(
            (about.to_string(), about.short()),
            ("about 10.0 (9.00 to 11.5)".to_owned(), "~10.0 ±15%".to_owned())
        );
        let wide = Uncertain::Estimate { value: 10.0, low: 1.0, high: 30.0 };
        assert_eq!(wide.short(), "~1.00 to 30.0");
        let bound = Uncertain::AtMost(Size::Log10(12.9999));
        assert_eq!((bound.to_string(), bound.short()), ("at most 1.0e13".to_owned(), "≤1.0e13".to_owned()));
        assert_eq!(Uncertain::Exact(0.0).short(), "0.00");
        assert_eq!(Amount::count(1_234_567).codes(), "1,234,567 codes");
        assert!(Uncertain::Exact(1.0).is_below(about) && !about.is_below(wide));
    }

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        #[serde(flatten, with = "field::remaining")]
        remaining: Amount,
        #[serde(flatten, with = "field::lost")]
        lost: Uncertain<f64>,
        name: String,
    }

    fn both(remaining: Amount, lost: Uncertain<f64>) -> Both {
        Both { remaining, lost, name: "x".to_owned() }
    }

    #[test]
    fn json_has_companion_fields() {
        let json = |remaining, lost| serde_json::to_string(&both(remaining, lost)).unwrap();
        assert_eq!(
            json(Amount::count(37), Uncertain::Unknown),
            r#"{"remaining":37,"remaining_is":"exact","lost":null,"lost_is":null,"name":"x"}"#
        );
        let [value, low, high] = [3.0, 2.0, 4.0].map(Size::Log10);
        assert_eq!(
            json(Uncertain::Estimate { value, low, high }, Uncertain::AtMost(0.5)),
            r#"{"remaining":1000.0,"remaining_is":"estimate","remaining_interval":[100.0,10000.0],"lost":0.5,"lost_is":"bound","name":"x"}"#
        );
    }

    #[test]
    fn json_round_trips() {
        let counts =
            [Count::Exact(0), Count::Exact(1296), Count::Exact(1 << 60), Count::Power { base: 100, exponent: 100 }];
        for remaining in counts.map(Amount::from).into_iter().chain([Uncertain::Unknown]) {
            for lost in
                [Uncertain::Exact(0.25), Uncertain::Estimate { value: 0.5, low: 0.0, high: 1.0 }, Uncertain::Unknown]
            {
                let figures = both(remaining, lost);
                let json = serde_json::to_string(&figures).unwrap();
                assert_eq!(serde_json::from_str::<Both>(&json).unwrap(), figures, "{json}");
            }
        }
        for log10 in [0.0, 2.3, 7.7, 14.9, 40.5, 5000.25] {
            let size = Size::Log10(log10);
            let figures = both(Uncertain::AtMost(size), Uncertain::Unknown);
            let json = serde_json::to_string(&figures).unwrap();
            let Uncertain::AtMost(back) = serde_json::from_str::<Both>(&json).unwrap().remaining else {
                panic!("{json}")
            };
            assert!((back.log10() - log10).abs() < 0.03, "{json}: {back:?} instead of {log10}");
        }
        for wrong in [
            r#"{"remaining":3,"remaining_is":null,"lost":null,"lost_is":null,"name":"x"}"#,
            r#"{"remaining":3,"remaining_is":"estimate","lost":null,"lost_is":null,"name":"x"}"#,
            r#"{"remaining":null,"remaining_is":"exact","lost":null,"lost_is":null,"name":"x"}"#,
        ] {
            assert!(serde_json::from_str::<Both>(wrong).is_err(), "{wrong}");
        }
    }
}
