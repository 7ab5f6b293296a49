//! Numbers that say how sure they are.
//!
//! A [`Figure`] is exact, an estimate with its interval, a bound, or not known. It cannot be printed without saying which: as
//! text it says so in words, in a table by a sign, and in JSON by companions of its field: `remaining` has `remaining_is`
//! and, for an estimate, `remaining_interval`.

pub(crate) mod field;

use std::fmt;

use pegwise_game::Count;
use pegwise_labstats::grouped;

/// A number, and how sure it is.
///
/// ```
/// use pegwise_coach::{Amount, Figure, Size};
/// use pegwise_game::Count;
/// assert_eq!(Amount::count(37).to_string(), "37");
/// let about = Figure::Estimate { value: Size::from_log10(40.5), low: Size::from_log10(40.4), high: Size::from_log10(40.6) };
/// assert_eq!(about.to_string(), "about 3.2e40 (2.5e40 to 4.0e40)");
/// assert_eq!(Figure::AtMost(12.0).to_string(), "at most 12.0");
/// assert_eq!(Figure::<f64>::Unknown.to_string(), "unknown");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub enum Figure<T> {
    /// The number itself.
    Exact(T),
    /// An estimate, and an interval that holds the number 95 times out of 100.
    Estimate {
        /// The estimate.
        value: T,
        /// The lower end of the interval.
        low: T,
        /// The upper end.
        high: T,
    },
    /// The number is certainly no larger.
    AtMost(T),
    /// Nobody knows.
    #[default]
    Unknown,
}

/// How many codes there are.
pub type Amount = Figure<Size>;

/// What a figure can be about.
pub trait Quantity: Copy + PartialOrd {
    /// The number as it is written.
    fn text(self) -> String;
    /// The number of a table, where there is little room.
    fn short(self) -> String {
        self.text()
    }
    /// The number with no more digits than an estimate knows.
    fn rough(self) -> String {
        self.text()
    }
    /// The number as a double, where it fits one.
    fn double(self) -> f64;
}

/// A number of codes, which may be past what a double holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// Counted.
    Count(Count),
    /// The logarithm to base ten.
    Log10(f64),
}

/// From here on, JSON readers no longer hold every whole number.
const HELD_LOG10: f64 = 15.0;
/// Up to here, numbers that are not exact are written out.
const WRITTEN_LOG10: f64 = 4.0;

impl Size {
    /// A size by its logarithm to base ten.
    #[must_use]
    pub const fn from_log10(log10: f64) -> Self {
        Self::Log10(log10)
    }

    /// The logarithm to base ten; minus infinity for none.
    #[must_use]
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

impl Quantity for Size {
    fn text(self) -> String {
        match self {
            Self::Count(Count::Exact(count)) => grouped(count),
            Self::Count(count) => count.to_string(),
            Self::Log10(log10) if log10 < WRITTEN_LOG10 => format!("{:.0}", 10f64.powf(log10)),
            Self::Log10(log10) => {
                // A mantissa that rounds up to ten belongs to the next power.
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

    fn double(self) -> f64 {
        match self {
            Self::Count(Count::Exact(count)) => count as f64,
            _ => 10f64.powf(self.log10()),
        }
    }
}

impl Quantity for f64 {
    fn text(self) -> String {
        match self {
            ..10.0 => format!("{self:.2}"),
            ..1000.0 => format!("{self:.1}"),
            ..1e9 => grouped(self.round() as u128),
            _ => format!("{self:.1e}"),
        }
    }

    fn rough(self) -> String {
        if self < 1e4 { self.text() } else { format!("{self:.1e}") }
    }

    fn double(self) -> f64 {
        self
    }
}

impl<T: Quantity> Figure<T> {
    /// The number or its estimate, for pictures and comparisons that say how sure they are in another way.
    #[must_use]
    pub fn value(self) -> Option<T> {
        match self {
            Self::Exact(value) | Self::Estimate { value, .. } => Some(value),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// The number, where it is exact.
    #[must_use]
    pub fn known(self) -> Option<T> {
        match self {
            Self::Exact(value) => Some(value),
            _ => None,
        }
    }

    /// Whether it is exact.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// Whether nothing is known, not even a bound.
    #[must_use]
    pub const fn is_unknown(self) -> bool {
        matches!(self, Self::Unknown)
    }

    /// The least and the most that it may be, as far as is known.
    #[must_use]
    pub fn interval(self) -> Option<(T, T)> {
        match self {
            Self::Exact(value) => Some((value, value)),
            Self::Estimate { low, high, .. } => Some((low, high)),
            Self::AtMost(_) | Self::Unknown => None,
        }
    }

    /// Whether it is certainly less than another, as far as the intervals tell.
    #[must_use]
    pub fn is_below(self, other: Self) -> bool {
        self.interval().zip(other.interval()).is_some_and(|((_, high), (low, _))| high < low)
    }

    /// Text for a table: `~` stands before an estimate, with how far it may be off, `≤` before a bound, `?` for nothing.
    #[must_use]
    pub fn short(self) -> String {
        match self {
            Self::Exact(value) => value.short(),
            Self::Estimate { value, low, high } => match off(value, low, high) {
                Some(percent) => format!("~{} ±{percent}%", value.rough()),
                None => format!("~{} to {}", low.rough(), high.rough()),
            },
            Self::AtMost(value) => format!("≤{}", value.short()),
            Self::Unknown => "?".to_owned(),
        }
    }

    /// The figure of something that grows or shrinks with this one.
    pub(crate) fn map<U: Quantity>(self, of: impl Fn(T) -> U) -> Figure<U> {
        match self {
            Self::Exact(value) => Figure::Exact(of(value)),
            Self::Estimate { value, low, high } => {
                let (value, low, high) = (of(value), of(low), of(high));
                let (low, high) = if high < low { (high, low) } else { (low, high) };
                Figure::Estimate { value, low, high }
            }
            Self::AtMost(value) => Figure::AtMost(of(value)),
            Self::Unknown => Figure::Unknown,
        }
    }
}

/// How far the ends of an interval are off in percent, where they are off by less than half.
fn off<T: Quantity>(value: T, low: T, high: T) -> Option<u32> {
    let [value, low, high] = [value, low, high].map(T::double);
    let off = 100.0 * (high - value).max(value - low) / value;
    (off.is_finite() && off < 50.0).then(|| off.ceil() as u32)
}

impl Amount {
    /// So many codes, counted.
    #[must_use]
    pub const fn count(count: u128) -> Self {
        Self::Exact(Size::Count(Count::Exact(count)))
    }

    /// The number, where it was counted and fits.
    #[must_use]
    pub const fn exact(self) -> Option<u128> {
        match self {
            Self::Exact(Size::Count(count)) => count.exact(),
            _ => None,
        }
    }

    /// With the word: `1 code`, `about 300 codes (270 to 330)`, `an unknown number of codes`.
    #[must_use]
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

    /// What is known of this number when it cannot be more than another: a bound is no wider than what bounds the other.
    pub(crate) fn no_more_than(self, other: Self) -> Self {
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

impl<T: Quantity> fmt::Display for Figure<T> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_text_hides_what_a_figure_is() {
        let about = Figure::Estimate { value: 10.0, low: 9.0, high: 11.5 };
        assert_eq!(
            (about.to_string(), about.short()),
            ("about 10.0 (9.00 to 11.5)".to_owned(), "~10.0 ±15%".to_owned())
        );
        let wide = Figure::Estimate { value: 10.0, low: 1.0, high: 30.0 };
        assert_eq!(wide.short(), "~1.00 to 30.0");
        let bound = Figure::AtMost(Size::from_log10(12.9999));
        assert_eq!((bound.to_string(), bound.short()), ("at most 1.0e13".to_owned(), "≤1.0e13".to_owned()));
        assert_eq!(Figure::Exact(0.0).short(), "0.00");
        assert_eq!(Amount::count(1_234_567).codes(), "1,234,567 codes");
        assert!(Figure::Exact(1.0).is_below(about) && !about.is_below(wide));
    }
}
