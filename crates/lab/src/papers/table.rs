//! Published tables and figures: content, measured quantities, and printed numbers.

use std::{fmt, num::NonZeroU32, str::FromStr};

use pegwise_game::{Code, Feedback, Rules, Space, Table, feedback};
use pegwise_solve::{Spec, catalog};
use serde::{Deserialize, Serialize};

use super::structure::{PublishedFormula, PublishedPartitions, PublishedResponses, PublishedTranscript};
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
    /// Interpretation of the paper, with its section, declared before the run.
    pub reading: Option<String>,
    /// Names of the tables of the same paper that a figure repeats.
    pub same_as: Vec<String>,
    /// Content.
    pub content: TableContent,
    /// Reasons for refutations.
    pub causes: Vec<RefutationCause>,
}

/// Reason why numbers or claims of a table are refuted.
#[derive(Debug, Clone)]
pub struct RefutationCause {
    /// Explanation.
    pub why: String,
    /// Refuted numbers: a measure, a row, or both as in `row: measure`; or the statement of a claim.
    pub of: Vec<String>,
    /// Label of the row that meets the numbers, if the cause is tested.
    pub met_by: Option<String>,
}

impl RefutationCause {
    /// Returns true if this is the cause of a refutation of `measure` in the row, or of a claim.
    pub(super) fn covers(&self, row: &str, measure: &str) -> bool {
        let quantity = measure.split(' ').next().unwrap_or_default();
        self.of.iter().any(|of| match of.rsplit_once(": ") {
            Some((own, of)) if own == row => of == measure || of == quantity,
            _ => [row, measure, quantity].contains(&of.as_str()),
        })
    }
}

/// Content of a table or figure.
#[derive(Debug, Clone)]
pub enum TableContent {
    /// Games of strategies.
    Games {
        /// Rows, each a strategy under some rules.
        rows: Vec<PublishedRow>,
        /// Claims about the rows.
        claims: Vec<PublishedClaim>,
    },
    /// Partitions of a set of codes.
    Partitions(PublishedPartitions),
    /// A game turn by turn.
    Transcript(PublishedTranscript),
    /// List of possible feedbacks.
    Responses(PublishedResponses),
    /// Numbers that follow from others by arithmetic.
    Arithmetic(Vec<PublishedFormula>),
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
    pub reading: Option<String>,
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
    /// Every code that gives one of these answers to a guess.
    Answered(Code, Vec<Feedback>),
}

impl PublishedSecrets {
    /// Returns the number of secrets, saturating at `u64::MAX`.
    pub fn count(&self, rules: &Rules) -> u64 {
        match self {
            Self::All => Space::new(rules).count().exact().and_then(|count| count.try_into().ok()).unwrap_or(u64::MAX),
            Self::Drawn(count) => *count,
            Self::Pattern(_) | Self::Answered(..) => self.codes(rules).len() as u64,
        }
    }

    /// Returns the secrets as those of an experiment.
    pub(super) fn secrets(&self, rules: &Rules) -> Secrets {
        match self {
            Self::All => Secrets::All,
            Self::Drawn(count) => Secrets::Drawn(*count),
            Self::Pattern(_) | Self::Answered(..) => {
                let colors = rules.colors();
                let codes = self.codes(rules);
                Secrets::Listed(codes.iter().map(|code| code.notation(colors).to_string()).collect())
            }
        }
    }

    /// Returns the codes of a space that can be listed, in ascending order. A pattern gives the color counts: `aabc` has one
    /// color twice and two once.
    fn codes(&self, rules: &Rules) -> Vec<Code> {
        let wanted = match self {
            Self::Pattern(pattern) => value_counts(&pattern.chars().map(u32::from).collect::<Vec<_>>()),
            _ => Vec::new(),
        };
        let has = |code: &Code| match self {
            Self::All | Self::Drawn(_) => true,
            Self::Pattern(_) => value_counts(&code.iter().map(|color| color.number()).collect::<Vec<_>>()) == wanted,
            Self::Answered(guess, answers) => answers.contains(&feedback(rules, guess, code)),
        };
        let codes = Table::all(rules).map(|table| table.codes().collect::<Vec<_>>()).unwrap_or_default();
        codes.into_iter().filter(has).collect()
    }
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
    /// Reason why the number cannot be right, whatever the strategy does.
    pub wrong: Option<String>,
}

/// A claim that compares means of rows.
#[derive(Debug, Clone)]
pub struct PublishedClaim {
    /// Statement of the paper.
    pub says: String,
    /// Compared quantity.
    pub quantity: MeasuredQuantity,
    /// Comparisons; the claim holds if all of them do.
    pub links: Vec<ClaimLink>,
    /// True if the links are the two bounds of a ratio of means.
    pub is_ratio: bool,
}

/// One comparison of a claim: the mean of the first rows is less than `factor` times that of the others.
#[derive(Debug, Clone)]
pub struct ClaimLink {
    /// Text of the comparison.
    pub says: String,
    /// Labels of the rows with the smaller mean.
    pub less: Vec<String>,
    /// Labels of the rows with the larger mean.
    pub more: Vec<String>,
    /// Factor of the larger mean.
    pub factor: f64,
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
    const NOISE: f64 = 1e-11;

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
