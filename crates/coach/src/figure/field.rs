//! Figures in JSON: a number keeps its name, and gets companions that say what it is.

use pegwise_game::Count;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

use super::{Figure, HELD_LOG10, Quantity as _, Size};

/// A number while it can be read as one, and text beyond, as for a [`Count`].
impl Serialize for Size {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Self::Count(count) => count.serialize(serializer),
            Self::Log10(log10) if log10 < HELD_LOG10 => serializer.serialize_f64(10f64.powf(log10).round()),
            Self::Log10(_) => serializer.collect_str(&self.text()),
        }
    }
}

/// A whole number is a count; one with a point, or with an exponent in a text, is as exact as it was written.
impl<'de> Deserialize<'de> for Size {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged)]
        enum Written {
            Count(Count),
            Number(f64),
            Text(String),
        }
        let (log10, text) = match Written::deserialize(deserializer)? {
            Written::Count(count) => return Ok(Self::Count(count)),
            Written::Number(number) => ((number >= 0.0).then(|| number.log10()), number.to_string()),
            Written::Text(text) => (read_log10(&text), text),
        };
        log10.map(Self::Log10).ok_or_else(|| D::Error::custom(format!("'{text}' is no number of codes")))
    }
}

/// Reads `3.2e40`, also past what a double holds.
fn read_log10(text: &str) -> Option<f64> {
    let (mantissa, exponent) = text.split_once('e')?;
    let (mantissa, exponent): (f64, u32) = (mantissa.parse().ok()?, exponent.parse().ok()?);
    (mantissa >= 1.0).then(|| mantissa.log10() + f64::from(exponent))
}

/// What a number is, in JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Is {
    Exact,
    Estimate,
    Bound,
}

impl<T> Figure<T> {
    /// The value, what it is, and its interval, as JSON has them.
    pub(crate) fn parts(self) -> (Option<T>, Option<Is>, Option<[T; 2]>) {
        match self {
            Self::Exact(value) => (Some(value), Some(Is::Exact), None),
            Self::Estimate { value, low, high } => (Some(value), Some(Is::Estimate), Some([low, high])),
            Self::AtMost(value) => (Some(value), Some(Is::Bound), None),
            Self::Unknown => (None, None, None),
        }
    }

    pub(crate) fn from_parts(value: Option<T>, is: Option<Is>, interval: Option<[T; 2]>) -> Option<Self> {
        match (value, is, interval) {
            (Some(value), Some(Is::Exact), None) => Some(Self::Exact(value)),
            (Some(value), Some(Is::Estimate), Some([low, high])) => Some(Self::Estimate { value, low, high }),
            (Some(value), Some(Is::Bound), None) => Some(Self::AtMost(value)),
            (None, None, None) => Some(Self::Unknown),
            _ => None,
        }
    }
}

/// Modules for `#[serde(flatten, with = "...")]`: a figure as a field and its companions.
macro_rules! fields {
    ($($module:ident: $value:literal, $is:literal, $interval:literal;)*) => {
        $(pub(crate) mod $module {
            use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

            use super::{Figure, Is};

            #[derive(Serialize, Deserialize)]
            struct Written<T> {
                #[serde(rename = $value)]
                value: Option<T>,
                #[serde(rename = $is)]
                is: Option<Is>,
                #[serde(rename = $interval, default = "none", skip_serializing_if = "Option::is_none")]
                interval: Option<[T; 2]>,
            }

            fn none<T>() -> Option<[T; 2]> {
                None
            }

            pub(crate) fn serialize<T: Copy + Serialize, S: Serializer>(
                figure: &Figure<T>,
                serializer: S,
            ) -> Result<S::Ok, S::Error> {
                let (value, is, interval) = figure.parts();
                Written { value, is, interval }.serialize(serializer)
            }

            #[allow(dead_code, reason = "what is only told is not read")]
            pub(crate) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
                deserializer: D,
            ) -> Result<Figure<T>, D::Error> {
                let Written { value, is, interval } = Written::deserialize(deserializer)?;
                let wrong = concat!($value, " says what it is in ", $is);
                Figure::from_parts(value, is, interval).ok_or_else(|| D::Error::custom(wrong))
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Amount;

    #[derive(Debug, PartialEq, Serialize, Deserialize)]
    struct Both {
        #[serde(flatten, with = "super::remaining")]
        remaining: Amount,
        #[serde(flatten, with = "super::lost")]
        lost: Figure<f64>,
        name: String,
    }

    fn both(remaining: Amount, lost: Figure<f64>) -> Both {
        Both { remaining, lost, name: "x".to_owned() }
    }

    #[test]
    fn figures_say_in_json_what_they_are() {
        let json = |remaining, lost| serde_json::to_string(&both(remaining, lost)).unwrap();
        assert_eq!(
            json(Amount::count(37), Figure::Unknown),
            r#"{"remaining":37,"remaining_is":"exact","lost":null,"lost_is":null,"name":"x"}"#
        );
        let [value, low, high] = [3.0, 2.0, 4.0].map(Size::from_log10);
        assert_eq!(
            json(Figure::Estimate { value, low, high }, Figure::AtMost(0.5)),
            r#"{"remaining":1000.0,"remaining_is":"estimate","remaining_interval":[100.0,10000.0],"lost":0.5,"lost_is":"bound","name":"x"}"#
        );
    }

    #[test]
    fn figures_come_back_from_json() {
        let counts =
            [Count::Exact(0), Count::Exact(1296), Count::Exact(1 << 60), Count::Power { base: 100, exponent: 100 }];
        for remaining in counts.map(Amount::from).into_iter().chain([Figure::Unknown]) {
            for lost in [Figure::Exact(0.25), Figure::Estimate { value: 0.5, low: 0.0, high: 1.0 }, Figure::Unknown] {
                let figures = both(remaining, lost);
                let json = serde_json::to_string(&figures).unwrap();
                assert_eq!(serde_json::from_str::<Both>(&json).unwrap(), figures, "{json}");
            }
        }
        for log10 in [0.0, 2.3, 7.7, 14.9, 40.5, 5000.25] {
            let size = Size::from_log10(log10);
            let figures = both(Figure::AtMost(size), Figure::Unknown);
            let json = serde_json::to_string(&figures).unwrap();
            let Figure::AtMost(back) = serde_json::from_str::<Both>(&json).unwrap().remaining else { panic!("{json}") };
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
