//! Codes with their weights.

use std::collections::BTreeMap;

use pegwise_game::{Code, Count, History, Judge, Rules};

use crate::rng::Rng;

/// The codes that can be the secret, ascending, each with its weight.
///
/// ```
/// use pegwise_solve::{Rng, secrets::SecretList};
/// let rules: pegwise_game::Rules = "4x6".parse()?;
/// let list = SecretList::parse(&rules, "1122 3  # three times as likely\n3456\n")?;
/// assert_eq!(list.len(), 2);
/// assert_eq!(list.weight(&rules.parse_code("1122")?), 1.5, "weights are scaled to one on average");
/// assert_eq!(list.weight(&rules.parse_code("1111")?), 0.0);
/// assert!(list.codes().contains(list.draw(&mut Rng::new(1))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct SecretList {
    rules: Rules,
    codes: Vec<Code>,
    /// Above zero, and one on average.
    weights: Vec<f64>,
}

/// Why something is not a list of secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretListError {
    /// Something is wrong with a line of text, or with an item of a list.
    #[error("{problem}")]
    Item {
        /// Its one-based number.
        number: usize,
        /// What is wrong with it, and what to write instead.
        problem: String,
    },
    /// There is no code, or none that can be.
    #[error("no code is listed with a weight above zero")]
    NoCode,
    /// The weights are too large to be added up.
    #[error("the weights add up to more than the program can count; write smaller ones")]
    TooHeavy,
}

impl SecretListError {
    /// The number of the line or item that is wrong, where it is one.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        match self {
            Self::Item { number, .. } => Some(*number),
            Self::NoCode | Self::TooHeavy => None,
        }
    }
}

impl SecretList {
    /// A list of codes with their weights, which are numbers from zero on; a code of weight zero is as good as not listed.
    /// The number that comes with each is its line or place, for errors.
    pub fn new(rules: &Rules, items: impl IntoIterator<Item = (usize, Code, f64)>) -> Result<Self, SecretListError> {
        let mut listed: BTreeMap<Code, (usize, f64)> = BTreeMap::new();
        for (number, code, weight) in items {
            let wrong = |problem: String| SecretListError::Item { number, problem };
            rules.check_code(&code).map_err(|error| wrong(error.to_string()))?;
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(wrong(format!("the weight {weight} is not a number from zero on")));
            }
            if let Some((first, _)) = listed.get(&code) {
                let code = code.notation(rules.colors());
                return Err(wrong(format!("{code} is listed already, as number {first}: list each code once")));
            }
            listed.insert(code, (number, weight));
        }
        let (codes, mut weights): (Vec<Code>, Vec<f64>) =
            listed.into_iter().map(|(code, (_, weight))| (code, weight)).filter(|&(_, weight)| weight > 0.0).unzip();
        if codes.is_empty() {
            return Err(SecretListError::NoCode);
        }
        let mean = weights.iter().sum::<f64>() / codes.len() as f64;
        if !mean.is_finite() {
            return Err(SecretListError::TooHeavy);
        }
        weights.iter_mut().for_each(|weight| *weight /= mean);
        Ok(Self { rules: rules.clone(), codes, weights })
    }

    /// The rules that the codes are of.
    #[must_use]
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The codes, ascending.
    #[must_use]
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// How many codes there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Whether there are none: never.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// How likely a code is: one on average over the list, and zero for a code that is not listed.
    #[must_use]
    pub fn weight(&self, code: &Code) -> f64 {
        self.codes.binary_search(code).map_or(0.0, |at| self.weights[at])
    }

    /// The weights, one on average, in the order of the codes.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// The places in the list of the codes that fit a history, ascending.
    pub fn fitting(&self, history: &History) -> impl Iterator<Item = usize> {
        let mut judge = Judge::new(&self.rules);
        let listed = self.codes.iter().enumerate();
        listed.filter_map(move |(place, code)| history.is_consistent_by(&mut judge, code).then_some(place))
    }

    /// How many codes fit a history.
    #[must_use]
    pub fn count_fitting(&self, history: &History) -> Count {
        Count::Exact(self.fitting(history).count() as u128)
    }

    /// Draws a code, each as often as its weight says.
    #[must_use]
    pub fn draw(&self, rng: &mut Rng) -> &Code {
        let total: f64 = self.weights.iter().sum();
        // 53 bits are a number that a float holds exactly.
        let mut left = (rng.word() >> 11) as f64 / (1u64 << 53) as f64 * total;
        let drawn = self.weights.iter().position(|weight| {
            left -= weight;
            left < 0.0
        });
        // Rounding may leave a little after the last.
        &self.codes[drawn.unwrap_or(self.codes.len() - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_drawn_as_often_as_their_weights_say() {
        let rules: Rules = "2x3".parse().unwrap();
        let list = SecretList::parse(&rules, "11 1\n12 0\n13 3\n33 4\n").unwrap();
        let mut rng = Rng::new(7);
        let mut drawn: BTreeMap<String, f64> = BTreeMap::new();
        for _ in 0..8000 {
            *drawn.entry(list.draw(&mut rng).notation(3).to_string()).or_default() += 1.0;
        }
        assert_eq!(drawn.len(), 3);
        for (code, expected) in [("11", 1000.0f64), ("13", 3000.0), ("33", 4000.0)] {
            let sd = (expected * (1.0 - expected / 8000.0)).sqrt();
            assert!((drawn[code] - expected).abs() < 4.0 * sd, "{code}: {}", drawn[code]);
        }
    }

    #[test]
    fn weights_that_cannot_be_are_refused() {
        let rules: Rules = "2x3".parse().unwrap();
        let code = |text: &str| rules.parse_code(text).unwrap();
        for weight in [-1.0, f64::NAN, f64::INFINITY] {
            let error = SecretList::new(&rules, [(1, code("12"), weight)]).unwrap_err();
            assert_eq!(error.number(), Some(1), "{weight}");
        }
        assert_eq!(SecretList::new(&rules, []), Err(SecretListError::NoCode));
        assert_eq!(SecretList::new(&rules, [(1, code("12"), 0.0)]), Err(SecretListError::NoCode));
        let heavy = [(1, code("12"), f64::MAX), (2, code("13"), f64::MAX)];
        assert_eq!(SecretList::new(&rules, heavy), Err(SecretListError::TooHeavy));
        let twice = SecretList::new(&rules, [(1, code("12"), 1.0), (4, code("12"), 1.0)]).unwrap_err();
        assert_eq!(twice.to_string(), "12 is listed already, as number 1: list each code once");
        let other: Rules = "3x3".parse().unwrap();
        assert_eq!(SecretList::new(&other, [(2, code("12"), 1.0)]).unwrap_err().number(), Some(2));
    }
}
