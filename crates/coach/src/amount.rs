//! How many codes, where they may be too many to count.

use std::fmt;

use pegwise_game::Count;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

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

/// A whole number was counted; one with a point, or "about" so many, was estimated and is as exact as it was written.
impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Count(Count),
            Number(f64),
            Text(String),
        }
        let about = |number: f64| (number >= 1.0).then(|| Self::About { log10: number.log10() });
        let (amount, text) = match Written::deserialize(deserializer)? {
            Written::Count(count) => return Ok(Self::Exact(count)),
            Written::Number(number) => (about(number), number.to_string()),
            Written::Text(text) => (read_estimate(&text), text),
        };
        amount.ok_or_else(|| D::Error::custom(format!("'{text}' is no number of codes")))
    }
}

/// Reads `about 1000` and `about 3.2e40`, also past what a double holds.
fn read_estimate(text: &str) -> Option<Amount> {
    let number = text.strip_prefix("about ")?;
    let (mantissa, exponent) = number.split_once('e').unwrap_or((number, "0"));
    let (mantissa, exponent): (f64, u32) = (mantissa.parse().ok()?, exponent.parse().ok()?);
    (mantissa >= 1.0).then(|| Amount::About { log10: mantissa.log10() + f64::from(exponent) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_come_back_from_json() {
        let exact =
            [Count::Exact(0), Count::Exact(1296), Count::Exact(1 << 60), Count::Power { base: 100, exponent: 100 }];
        for amount in exact.map(Amount::Exact) {
            let json = serde_json::to_string(&amount).unwrap();
            assert_eq!(serde_json::from_str::<Amount>(&json).unwrap(), amount, "{json}");
        }
        for log10 in [0.0, 2.3, 7.7, 14.9, 40.5, 5000.25] {
            let json = serde_json::to_string(&Amount::About { log10 }).unwrap();
            let Amount::About { log10: back } = serde_json::from_str(&json).unwrap() else { panic!("{json}") };
            assert!((back - log10).abs() < 0.03, "{json}: {back} instead of {log10}");
        }
        for wrong in ["\"about\"", "\"about x\"", "\"about 0\"", "0.5", "-3", "null"] {
            assert!(serde_json::from_str::<Amount>(wrong).is_err(), "{wrong}");
        }
    }
}
