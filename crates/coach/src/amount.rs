//! How many codes, where they may be too many to count.

use std::fmt;

use pegwise_game::Count;
use serde::{Serialize, Serializer};

/// How many codes there are: counted, or estimated from a sample.
///
/// ```
/// use pegwise_coach::Amount;
/// use pegwise_game::Count;
/// assert_eq!(Amount::Exact(Count::Exact(37)).to_string(), "37");
/// assert_eq!(Amount::About { log10: 3.0 }.to_string(), "about 1000");
/// assert_eq!(Amount::About { log10: 40.5 }.to_string(), "about 3.2e40");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Amount {
    /// Counted.
    Exact(Count),
    /// Estimated.
    About {
        /// The logarithm to base ten of the estimate.
        log10: f64,
    },
}

/// From here on, an estimate has more digits than it knows.
const KNOWN_LOG10: f64 = 4.0;
/// From here on, JSON readers no longer hold every whole number.
const HELD_LOG10: f64 = 15.0;

impl Amount {
    /// The logarithm to base ten; minus infinity for none.
    #[must_use]
    pub fn log10(self) -> f64 {
        match self {
            Self::Exact(count) => count.log10(),
            Self::About { log10 } => log10,
        }
    }

    /// The number, rounded where it is large; infinite where it is past what a double holds.
    #[must_use]
    pub fn value(self) -> f64 {
        match self {
            Self::Exact(Count::Exact(count)) => count as f64,
            _ => 10f64.powf(self.log10()),
        }
    }

    /// Whether it was counted.
    #[must_use]
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::Exact(_))
    }

    /// The number, where it was counted and fits.
    #[must_use]
    pub const fn exact(self) -> Option<u128> {
        match self {
            Self::Exact(count) => count.exact(),
            Self::About { .. } => None,
        }
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Exact(count) => count.fmt(f),
            Self::About { log10 } if log10 < KNOWN_LOG10 => write!(f, "about {:.0}", 10f64.powf(log10).max(1.0)),
            Self::About { log10 } => {
                let mantissa = 10f64.powf(log10 - log10.floor());
                write!(f, "about {mantissa:.1}e{:.0}", log10.floor())
            }
        }
    }
}

/// A number while it can be read as one, and text beyond, as for a [`Count`].
impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Exact(count) => count.serialize(serializer),
            Self::About { log10 } if log10 < HELD_LOG10 => serializer.serialize_f64(10f64.powf(log10).round().max(1.0)),
            Self::About { .. } => serializer.collect_str(self),
        }
    }
}
