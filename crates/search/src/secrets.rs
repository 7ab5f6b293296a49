//! Lists of possible secrets with weights, such as a dictionary.
//!
//! A strategy that supports lists implements [`Strategy::for_secrets`](crate::strategy::Strategy::for_secrets).

use std::collections::{BTreeMap, btree_map::Entry};

use pegwise_game::{Code, Count, History, Judge, Rules};

use crate::rng::Rng;

/// Possible secrets, ascending, with weights proportional to their probabilities.
///
/// ```
/// use pegwise_search::{Rng, secrets::SecretList};
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
    /// Weights of the codes: positive, with a mean of one.
    weights: Vec<f64>,
    /// Codes that may be guessed, ascending; `None` if any code may be.
    guesses: Option<Vec<Code>>,
    /// What was ignored in the text of the list, for a warning.
    ignored: Option<String>,
}

/// Error in a list of secrets.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SecretListError {
    /// Invalid line or item: its one-based number, and what to write instead.
    #[error("{1}")]
    Item(usize, String),
    /// No code has a positive weight.
    #[error("no code is listed, or all weights are zero")]
    NoCode,
    /// The sum of the weights is not finite.
    #[error("the weights add up to more than the program can count; write smaller ones")]
    TooHeavy,
}

impl SecretListError {
    /// Returns the number of the invalid line or item.
    pub fn number(&self) -> Option<usize> {
        match self {
            Self::Item(number, _) => Some(*number),
            Self::NoCode | Self::TooHeavy => None,
        }
    }
}

impl SecretList {
    /// Creates a list from `(number, code, weight)`. Weights must not be negative; codes of weight zero are omitted, and
    /// repeated ones ignored. The number identifies the item in errors.
    pub fn new(rules: &Rules, items: impl IntoIterator<Item = (usize, Code, f64)>) -> Result<Self, SecretListError> {
        let mut listed: BTreeMap<Code, f64> = BTreeMap::new();
        let mut repeated: Vec<usize> = Vec::new();
        for (number, code, weight) in items {
            let wrong = |problem: String| SecretListError::Item(number, problem);
            rules.check_code(&code).map_err(|error| wrong(error.to_string()))?;
            if !(weight.is_finite() && weight >= 0.0) {
                return Err(wrong(format!("the weight {weight} is negative or not a number")));
            }
            match listed.entry(code) {
                Entry::Vacant(place) => drop(place.insert(weight)),
                Entry::Occupied(_) => repeated.push(number),
            }
        }
        let (codes, mut weights): (Vec<Code>, Vec<f64>) =
            listed.into_iter().filter(|&(_, weight)| weight > 0.0).unzip();
        if codes.is_empty() {
            return Err(SecretListError::NoCode);
        }
        let mean = weights.iter().sum::<f64>() / codes.len() as f64;
        if !mean.is_finite() {
            return Err(SecretListError::TooHeavy);
        }
        weights.iter_mut().for_each(|weight| *weight /= mean);
        let ignored = repeated.first().map(|first| {
            let codes = if repeated.len() == 1 { "code" } else { "codes" };
            format!("{} repeated {codes}, the first as number {first}", repeated.len())
        });
        Ok(Self { rules: rules.clone(), codes, weights, guesses: None, ignored })
    }

    /// Restricts the guesses of strategies to the codes of another list and of this one.
    #[must_use]
    pub fn with_guesses(mut self, guesses: &Self) -> Self {
        let mut codes = [&self.codes[..], &guesses.codes].concat();
        codes.sort_unstable();
        codes.dedup();
        self.guesses = Some(codes);
        self
    }

    /// Parses a list: one code per line, optionally followed by a space or comma and a weight (default: 1). `#` starts
    /// a comment; empty lines and a byte-order mark are ignored.
    pub fn parse(rules: &Rules, text: &str) -> Result<Self, SecretListError> {
        let (text, mark) = text.strip_prefix('\u{feff}').map_or((text, None), |rest| (rest, Some("a byte-order mark")));
        let mut items = Vec::new();
        for (number, line) in (1..).zip(text.lines()) {
            let line = line.split('#').next().unwrap_or_default().trim();
            if !line.is_empty() {
                let (code, weight) = item(rules, line).map_err(|problem| SecretListError::Item(number, problem))?;
                items.push((number, code, weight));
            }
        }
        let list = Self::new(rules, items)?;
        let ignored: Vec<&str> = mark.into_iter().chain(list.ignored.as_deref()).collect();
        Ok(Self { ignored: (!ignored.is_empty()).then(|| ignored.join(" and ")), ..list })
    }

    /// Returns what was ignored in the list, as in "2 repeated codes, the first as number 7".
    pub fn ignored(&self) -> Option<&str> {
        self.ignored.as_deref()
    }

    /// Returns the rules of the codes.
    pub fn rules(&self) -> &Rules {
        &self.rules
    }

    /// Returns the codes, ascending.
    pub fn codes(&self) -> &[Code] {
        &self.codes
    }

    /// Returns the codes that may be guessed, ascending; `None` if any code may be.
    pub fn guesses(&self) -> Option<&[Code]> {
        self.guesses.as_deref()
    }

    /// Returns the number of codes.
    pub fn len(&self) -> usize {
        self.codes.len()
    }

    /// Returns false: a list is never empty.
    pub fn is_empty(&self) -> bool {
        self.codes.is_empty()
    }

    /// Returns the weight of a code, with a mean of one over the list; zero if the code is not listed.
    pub fn weight(&self, code: &Code) -> f64 {
        self.codes.binary_search(code).map_or(0.0, |at| self.weights[at])
    }

    /// Returns the weights, with a mean of one, in the order of the codes.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }

    /// Returns the indices of the codes that are consistent with a history, ascending.
    pub fn consistent(&self, history: &History) -> impl Iterator<Item = usize> {
        let mut judge = Judge::new(&self.rules);
        let listed = self.codes.iter().enumerate();
        listed.filter_map(move |(index, code)| history.is_consistent_by(&mut judge, code).then_some(index))
    }

    /// Returns the number of codes left: those that are consistent with a history, and none once the code is found.
    pub fn remaining(&self, history: &History) -> Count {
        Count::Exact(if history.is_solved() { 0 } else { self.consistent(history).count() as u128 })
    }

    /// Draws a code with a probability proportional to its weight.
    pub fn draw(&self, rng: &mut Rng) -> &Code {
        &self.codes[rng.weighted(&self.weights)]
    }
}

/// Parses the code and the weight of a line. A code may contain spaces and commas, too, but has a known number of
/// cells.
fn item(rules: &Rules, line: &str) -> Result<(Code, f64), String> {
    let alone = match rules.parse_code(line) {
        Ok(code) => return Ok((code, 1.0)),
        Err(error) => error,
    };
    let parts = |char: char| char.is_whitespace() || char == ',';
    let Some((code, weight)) = line.rsplit_once(parts) else { return Err(alone.to_string()) };
    // A line with one word per cell is an invalid code rather than a shorter one with a weight.
    let words = line.split(parts).filter(|word| !word.is_empty()).count();
    let wrong =
        |error: pegwise_game::CodeError| if words == rules.cells() { alone.to_string() } else { error.to_string() };
    let code = rules.parse_code(code.trim_end_matches(parts)).map_err(wrong)?;
    let digits = weight.starts_with(|char: char| char.is_ascii_digit() || char == '.');
    let number = weight.parse::<f64>().ok().filter(|weight| digits && weight.is_finite());
    let shown: String = weight.chars().take(20).collect();
    Ok((code, number.ok_or_else(|| format!("the weight '{shown}' is not a nonnegative number, such as 2 or 0.5"))?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::rng::Rng;

    #[test]
    fn codes_are_drawn_by_weight() {
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
    fn invalid_weights_are_refused() {
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
        let other: Rules = "3x3".parse().unwrap();
        assert_eq!(SecretList::new(&other, [(2, code("12"), 1.0)]).unwrap_err().number(), Some(2));
    }

    fn read(rules: &str, text: &str) -> Result<Vec<(String, f64)>, String> {
        let rules: Rules = rules.parse().unwrap();
        let list = SecretList::parse(&rules, text).map_err(|error| format!("{:?}: {error}", error.number()))?;
        let weight = |code: &Code| (code.notation(rules.colors()).to_string(), list.weight(code));
        Ok(list.codes().iter().map(weight).collect())
    }

    #[test]
    fn a_line_has_a_code_and_an_optional_weight() {
        let list = read("4x6", "# known\n\n1122\n3456 2 # likely\n 1 2 3 4, 3 \n1,1,1,1\t0\n").unwrap();
        let expected = [("1122", 0.5), ("1234", 1.5), ("3456", 1.0)];
        assert_eq!(list, expected.map(|(code, weight)| (code.to_owned(), weight)));
        let list = read("2x300", "1 2\r\n12, 300, 1\n").unwrap();
        assert_eq!(list.len(), 2);
    }

    #[test]
    fn errors_name_the_line() {
        for (text, expected) in [
            ("", "None: no code is listed"),
            ("# nothing\n", "None: no code is listed"),
            ("1122 0\n", "None: no code is listed"),
            ("1122\n1177\n", "Some(2): "),
            ("1 1 7 2\n", "Some(1): '1 1 7 2' is not a valid code"),
            ("1122 -1", "Some(1): the weight '-1' is not a nonnegative number"),
            ("1122 nan", "Some(1): the weight 'nan'"),
            ("1122 inf", "Some(1): the weight 'inf'"),
            ("1122 1e999", "Some(1): the weight '1e999'"),
            ("1122 1 1", "Some(1): "),
            ("\u{0}\u{1}", "Some(1): "),
        ] {
            let error = read("4x6", text).unwrap_err();
            assert!(error.starts_with(expected), "{text:?}: {error}");
        }
    }

    #[test]
    fn repeated_codes_and_a_byte_order_mark_are_ignored() {
        let words: Rules = "5x26:per-cell".parse().unwrap();
        let ignored = |text: &str| SecretList::parse(&words, text).unwrap().ignored().map(str::to_owned);
        assert_eq!(ignored("crane\nslate\n"), None);
        assert_eq!(ignored("\u{feff}crane\n").as_deref(), Some("a byte-order mark"));
        let both = "a byte-order mark and 2 repeated codes, the first as number 2";
        assert_eq!(ignored("\u{feff}crane\nCRANE\nslate 2\r\nSlate\n").as_deref(), Some(both));
        let list = SecretList::parse(&words, "crane 3\nslate\nCRANE 9\n").unwrap();
        assert_eq!(list.weights(), [1.5, 0.5], "the first weight counts");
        let guesses = SecretList::parse(&words, "crane\nADIEU\n").unwrap();
        let list = list.with_guesses(&guesses);
        assert_eq!((list.len(), list.guesses().map(<[Code]>::len)), (2, Some(3)));
    }

    proptest! {
        #[test]
        fn any_text_is_parsed_or_refused(text in "[1-7 ,.#a\\-\n]{0,40}") {
            if let Ok(list) = SecretList::parse(&"2x6".parse().unwrap(), &text) {
                prop_assert!(!list.is_empty() && list.codes().is_sorted());
            }
        }
    }
}
