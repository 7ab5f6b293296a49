//! Published tables and figures: content, measured quantities, and printed numbers.

use std::{fmt, num::NonZeroU32, str::FromStr};

use pegwise_game::{Code, Rules, Space, Table};
use pegwise_solve::{Spec, catalog};
use serde::{Deserialize, Serialize};

use super::structure::{PublishedPartitions, PublishedResponses, PublishedTranscript};
use crate::experiment::Secrets;

/// A published table or figure.
#[derive(Debug, Clone)]
pub struct PublishedTable {
    /// Paper and number, as in `merelo-2010/table-4`.
    pub id: String,
    /// Authors, title, publication and year.
    pub paper: String,
    /// Title.
    pub title: String,
    /// Place in the paper.
    pub source: String,
    /// Interpretation, where the paper is ambiguous.
    pub note: Option<String>,
    /// Content.
    pub content: TableContent,
}

/// Content of a table or figure.
#[derive(Debug, Clone)]
pub enum TableContent {
    /// Games of strategies.
    Games {
        /// Rows, each a strategy under some rules.
        rows: Vec<PublishedRow>,
        /// Published orders of the rows.
        orders: Vec<PublishedOrder>,
    },
    /// Partitions of a set of codes.
    Partitions(PublishedPartitions),
    /// A game turn by turn.
    Transcript(PublishedTranscript),
    /// List of possible feedbacks.
    Responses(PublishedResponses),
    /// Description of something that cannot be run, and where it is checked instead.
    Described(String),
}

impl PublishedTable {
    /// Returns the paper: the part of the id before the slash.
    pub fn paper_id(&self) -> &str {
        self.id.split_once('/').map_or(&self.id, |(paper, _)| paper)
    }

    /// Returns the rows, if the content is games.
    pub fn rows(&self) -> &[PublishedRow] {
        match &self.content {
            TableContent::Games { rows, .. } => rows,
            _ => &[],
        }
    }
}

/// One strategy under some rules, with its published numbers.
#[derive(Debug, Clone)]
pub struct PublishedRow {
    /// Name in the paper.
    pub label: String,
    /// Rules.
    pub rules: Rules,
    /// Strategy, or the reason why none is run. It need not be in the catalog.
    pub strategy: Result<String, String>,
    /// Selection of the secrets.
    pub games: PublishedSecrets,
    /// Number of games per secret (runs).
    pub repeats: NonZeroU32,
    /// True for a deterministic strategy on every secret.
    pub exact: bool,
    /// Number of games at level `quick`, if the default takes too long.
    pub quick: Option<u64>,
    /// Number of published games, if it differs from the number to play.
    pub published_games: Option<u64>,
    /// Published numbers.
    pub published: Vec<PublishedValue>,
    /// Description of an alternative reading of the paper, if the row is one.
    pub tried: Option<String>,
}

impl PublishedRow {
    /// Returns the strategy of the catalog, or the reason why there is none.
    pub fn spec(&self) -> Result<Spec, String> {
        let text = self.strategy.as_ref().map_err(Clone::clone)?;
        let spec: Spec = text.parse().map_err(|error: pegwise_solve::SpecError| match error {
            pegwise_solve::SpecError::UnknownStrategy(name, _) => format!("strategy {name} is not implemented"),
            other => other.to_string(),
        })?;
        catalog::check(&spec, &self.rules).map_err(|error| error.to_string())?;
        Ok(spec)
    }

    /// Returns the number of games at level `full`.
    pub fn games_in_full(&self) -> u64 {
        self.games.count(&self.rules).saturating_mul(self.repeats.get().into())
    }

    /// Returns true if the secrets are not drawn.
    pub(super) fn plays_all(&self) -> bool {
        !matches!(self.games, PublishedSecrets::Drawn(_))
    }

    /// Returns true if a number of this quantity is published.
    pub(super) fn measures(&self, quantity: MeasuredQuantity) -> bool {
        self.published.iter().any(|published| published.measure.quantity == quantity)
    }
}

/// Selection of the secrets of a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PublishedSecrets {
    /// Every code.
    All,
    /// This number of drawn secrets.
    Drawn(u64),
    /// Every code whose color counts are those of the letters of this word.
    Pattern(String),
}

impl PublishedSecrets {
    /// Returns the number of secrets, saturating at `u64::MAX`.
    pub fn count(&self, rules: &Rules) -> u64 {
        match self {
            Self::All => Space::new(rules).count().exact().and_then(|count| count.try_into().ok()).unwrap_or(u64::MAX),
            Self::Drawn(count) => *count,
            Self::Pattern(pattern) => codes_with_pattern(pattern, rules).len() as u64,
        }
    }

    /// Returns the secrets as those of an experiment.
    pub(super) fn secrets(&self, rules: &Rules) -> Secrets {
        match self {
            Self::All => Secrets::All,
            Self::Drawn(count) => Secrets::Drawn(*count),
            Self::Pattern(pattern) => {
                let colors = rules.colors();
                let codes = codes_with_pattern(pattern, rules);
                Secrets::Listed(codes.iter().map(|code| code.notation(colors).to_string()).collect())
            }
        }
    }
}

/// Returns the codes whose color counts are those of the letters of a word: `aabc` has one color twice and two once.
fn codes_with_pattern(pattern: &str, rules: &Rules) -> Vec<Code> {
    let letters: Vec<u32> = pattern.chars().map(u32::from).collect();
    let wanted = value_counts(&letters);
    let codes = Table::all(rules).map(|table| table.codes().collect::<Vec<_>>()).unwrap_or_default();
    let like = |code: &Code| value_counts(&code.iter().map(|color| color.number()).collect::<Vec<_>>()) == wanted;
    codes.into_iter().filter(like).collect()
}

/// Returns the counts of equal values in decreasing order.
fn value_counts(values: &[u32]) -> Vec<usize> {
    let mut counts = std::collections::BTreeMap::new();
    for value in values {
        *counts.entry(value).or_insert(0) += 1;
    }
    let mut counts: Vec<usize> = counts.into_values().collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    counts
}

/// A published number.
#[derive(Debug, Clone)]
pub struct PublishedValue {
    /// Quantity and statistic.
    pub measure: PublishedMeasure,
    /// Printed number.
    pub printed: PrintedNumber,
    /// Relative tolerance of a deterministic number that depends on details that the paper omits.
    pub within: Option<f64>,
    /// Correction of a printing error.
    pub correction: Option<PrintingCorrection>,
    /// Reason why the number is not judged.
    pub information: Option<String>,
    /// Known cause of a refutation.
    pub cause: Option<String>,
}

/// Correct number in place of a printing error.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PrintingCorrection {
    /// Correct number.
    pub right: PrintedNumber,
    /// Explanation of the error.
    pub reason: String,
}

/// A statement that rows are in increasing order of a mean.
#[derive(Debug, Clone)]
pub struct PublishedOrder {
    /// Statement of the paper.
    pub says: String,
    /// Compared quantity.
    pub measure: PublishedMeasure,
    /// Labels of the rows in increasing order.
    pub rows: Vec<String>,
    /// Reason why the statement is not judged.
    pub information: Option<String>,
    /// Known cause of a refutation.
    pub cause: Option<String>,
}

/// Quantity measured of each game or run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum MeasuredQuantity {
    /// Guesses until the code was played.
    Guesses,
    /// Guesses until one code was left, whether or not it was played.
    Identified,
    /// Codes tested against the history, called evaluations in papers.
    Examined,
    /// Distinct consistent codes found.
    Consistent,
    /// Nodes of a search, or questions of a plan, excluding a deduced code that is played last.
    Nodes,
    /// Milliseconds per game.
    Milliseconds,
    /// Mean guesses of each run over the same secrets.
    RunMeans,
    /// Number of secrets.
    Codes,
}

/// Summary statistic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Statistic {
    /// Mean.
    Mean,
    /// Standard deviation.
    Sd,
    /// Median.
    Median,
    /// Minimum.
    Min,
    /// Maximum.
    Max,
}

impl MeasuredQuantity {
    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Guesses => "guesses",
            Self::Identified => "identified",
            Self::Examined => "examined",
            Self::Consistent => "consistent",
            Self::Nodes => "nodes",
            Self::Milliseconds => "milliseconds",
            Self::RunMeans => "run-means",
            Self::Codes => "codes",
        }
    }
}

impl Statistic {
    #[cfg(test)]
    pub(super) const ALL: [Self; 5] = [Self::Mean, Self::Sd, Self::Median, Self::Min, Self::Max];

    /// Returns the name in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mean => "mean",
            Self::Sd => "sd",
            Self::Median => "median",
            Self::Min => "min",
            Self::Max => "max",
        }
    }
}

/// A statistic of a quantity, such as the mean of the guesses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PublishedMeasure {
    /// Quantity.
    pub quantity: MeasuredQuantity,
    /// Statistic of the quantity.
    pub statistic: Statistic,
}

impl fmt::Display for PublishedMeasure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.quantity {
            MeasuredQuantity::Codes => f.write_str(self.quantity.name()),
            quantity => write!(f, "{} {}", quantity.name(), self.statistic.name()),
        }
    }
}

/// A printed number with its precision.
///
/// ```
/// use pegwise_lab::papers::PrintedNumber;
/// let printed: PrintedNumber = "4.60".parse().unwrap();
/// assert!((printed.value() - 4.6).abs() < 1e-12);
/// assert!(printed.matches(4.604) && !printed.matches(4.606));
/// let bound: PrintedNumber = "<=560".parse().unwrap();
/// assert!(bound.matches(528.0) && !bound.matches(561.0));
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PrintedNumber {
    text: String,
    value: f64,
    half_unit: f64,
    /// True for an upper bound.
    bound: bool,
}

/// Error for a text that is not a printed number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a printed number; write its digits, as in \"4.60\", or a bound, as in \"<=560\"")]
pub struct PrintedNumberError(String);

impl PrintedNumber {
    /// Relative rounding error of a different order of summation.
    const NOISE: f64 = 1e-9;

    /// Returns the value.
    pub fn value(&self) -> f64 {
        self.value
    }

    /// Returns half a unit of the last digit: the largest rounding error.
    pub fn half_unit(&self) -> f64 {
        self.half_unit
    }

    /// Returns true for an upper bound.
    pub fn is_bound(&self) -> bool {
        self.bound
    }

    /// Returns true if `number` rounds to this number, or is within the bound.
    pub fn matches(&self, number: f64) -> bool {
        let noise = Self::NOISE * self.value.abs().max(1.0);
        match self.bound {
            true => number <= self.value + noise,
            false => (number - self.value).abs() <= self.half_unit + noise,
        }
    }

    /// Returns the number of decimals.
    pub fn decimals(&self) -> usize {
        self.text.split_once('.').map_or(0, |(_, decimals)| decimals.len())
    }
}

impl FromStr for PrintedNumber {
    type Err = PrintedNumberError;

    fn from_str(text: &str) -> Result<Self, PrintedNumberError> {
        const MAX_DIGITS: usize = 15;
        let number = text.strip_prefix("<=");
        let digits = number.unwrap_or(text);
        let (whole, decimals) = digits.split_once('.').unwrap_or((digits, "0"));
        let plain = |digits: &str| !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        let readable = plain(whole) && plain(decimals) && digits.len() <= MAX_DIGITS;
        let value = digits.parse().ok().filter(|_| readable).ok_or_else(|| PrintedNumberError(text.to_owned()))?;
        let decimals = digits.split_once('.').map_or(0, |(_, decimals)| decimals.len());
        let half_unit = 0.5 * 10f64.powi(-(decimals as i32));
        Ok(Self { text: text.to_owned(), value, half_unit, bound: number.is_some() })
    }
}

impl Serialize for PrintedNumber {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl fmt::Display for PrintedNumber {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_give_the_precision() {
        for (text, number, is) in [
            ("4.340", 5625.0 / 1296.0, true),
            ("4.341", 5625.0 / 1296.0, false),
            ("85", 85.49, true),
            ("85", 85.51, false),
            ("10.80015432", 13997.0 / 1296.0, true),
            ("14", 14.0, true),
            ("0.5", 0.55, true),
        ] {
            assert_eq!(text.parse::<PrintedNumber>().unwrap().matches(number), is, "{text} and {number}");
        }
        for text in ["", ".", "4.", ".5", "-1", "1e3", "4,5", "inf", "<=", ">=3", "1 295", "12345678901234567"] {
            assert!(text.parse::<PrintedNumber>().is_err(), "{text}");
        }
    }
}
