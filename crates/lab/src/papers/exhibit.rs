//! Published tables and figures.

use std::num::NonZeroU32;

use pegwise_game::{Code, Rules, Space, Table};
use pegwise_solve::{Spec, catalog};
use serde::Serialize;

use crate::experiment::Secrets;

use super::{
    measure::Measure,
    printed::Printed,
    structure::{Partitions, Responses, Transcript},
};

/// One published table or figure.
#[derive(Debug, Clone)]
pub struct Exhibit {
    /// Paper and number, as in `merelo-2010/table-4`.
    pub id: String,
    /// Authors, title, where and when.
    pub paper: String,
    /// What it shows.
    pub title: String,
    /// Where in the paper it stands.
    pub source: String,
    /// How it was read, where it can be read in several ways.
    pub note: Option<String>,
    /// What it holds.
    pub content: Content,
}

/// What a table or figure holds.
#[derive(Debug, Clone)]
pub enum Content {
    /// Games of strategies.
    Games {
        /// A strategy at some rules each.
        rows: Vec<Row>,
        /// What is said of the rows together.
        orders: Vec<Order>,
    },
    /// How guesses part a set of codes.
    Partitions(Partitions),
    /// A game, turn by turn.
    Transcript(Transcript),
    /// The feedbacks there are.
    Responses(Responses),
    /// Nothing that can be run; the text says what, and where it is checked.
    Described(String),
}

impl Exhibit {
    /// The paper it is from: the part of the id before the slash.
    #[must_use]
    pub fn paper_id(&self) -> &str {
        self.id.split_once('/').map_or(&self.id, |(paper, _)| paper)
    }

    /// The rows of games, if it holds games.
    #[must_use]
    pub fn rows(&self) -> &[Row] {
        match &self.content {
            Content::Games { rows, .. } => rows,
            _ => &[],
        }
    }
}

/// One strategy at one rules, with what was published of it.
#[derive(Debug, Clone)]
pub struct Row {
    /// What the paper calls it.
    pub label: String,
    /// The rules.
    pub rules: Rules,
    /// The strategy, or why none is run. It need not be in the catalog yet.
    pub strategy: Result<String, String>,
    /// The secrets.
    pub games: Amount,
    /// How often each secret is played: the runs.
    pub repeats: NonZeroU32,
    /// Whether nothing is left to luck: a deterministic strategy on every secret.
    pub exact: bool,
    /// How many games are enough for a quick look, where the usual number takes too long.
    pub quick: Option<u64>,
    /// How many games were published, where it is not how many are to be played.
    pub published_games: Option<u64>,
    /// The published numbers.
    pub published: Vec<Published>,
    /// What is read otherwise, where the row is a reading that was tried beside the one that is judged.
    pub tried: Option<String>,
}

impl Row {
    /// The strategy as the catalog knows it, or why there is nothing to run.
    pub fn spec(&self) -> Result<Spec, String> {
        let text = self.strategy.as_ref().map_err(Clone::clone)?;
        let spec: Spec = text.parse().map_err(|error: pegwise_solve::SpecError| match error {
            pegwise_solve::SpecError::UnknownStrategy { name, .. } => format!("strategy {name} is not built"),
            other => other.to_string(),
        })?;
        catalog::check(&spec, &self.rules).map_err(|error| error.to_string())?;
        Ok(spec)
    }
}

impl Row {
    /// How many games are played when none are left out.
    #[must_use]
    pub fn games_in_full(&self) -> u64 {
        self.games.count(&self.rules).saturating_mul(self.repeats.get().into())
    }

    /// Whether every code is a secret.
    pub(super) fn plays_all(&self) -> bool {
        !matches!(self.games, Amount::Drawn(_))
    }
}

/// Which secrets are played.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Amount {
    /// Every code.
    All,
    /// So many, drawn.
    Drawn(u64),
    /// Every code whose colors repeat like the letters of this word, in any places.
    Pattern(String),
}

impl Amount {
    /// How many secrets there are; more than can be counted is as many as can be.
    #[must_use]
    pub fn count(&self, rules: &Rules) -> u64 {
        match self {
            Self::All => Space::new(rules).count().exact().and_then(|count| count.try_into().ok()).unwrap_or(u64::MAX),
            Self::Drawn(count) => *count,
            Self::Pattern(pattern) => codes_like(pattern, rules).len() as u64,
        }
    }

    /// The secrets of an experiment.
    pub(super) fn secrets(&self, rules: &Rules) -> Secrets {
        match self {
            Self::All => Secrets::All,
            Self::Drawn(count) => Secrets::Drawn(*count),
            Self::Pattern(pattern) => {
                let colors = rules.colors();
                let codes = codes_like(pattern, rules);
                Secrets::Listed(codes.iter().map(|code| code.notation(colors).to_string()).collect())
            }
        }
    }
}

/// The codes whose colors repeat like the letters of a word: `aabc` is any code with one color twice and two once.
fn codes_like(pattern: &str, rules: &Rules) -> Vec<Code> {
    let letters: Vec<u32> = pattern.chars().map(u32::from).collect();
    let wanted = repeats(&letters);
    let codes = Table::all(rules).map(|table| table.codes().collect::<Vec<_>>()).unwrap_or_default();
    let like = |code: &Code| repeats(&code.iter().map(|color| color.number()).collect::<Vec<_>>()) == wanted;
    codes.into_iter().filter(like).collect()
}

/// How often each thing occurs, the most frequent first.
fn repeats(things: &[u32]) -> Vec<usize> {
    let mut counts = std::collections::BTreeMap::new();
    for thing in things {
        *counts.entry(thing).or_insert(0) += 1;
    }
    let mut counts: Vec<usize> = counts.into_values().collect();
    counts.sort_unstable_by(|one, other| other.cmp(one));
    counts
}

/// One published number.
#[derive(Debug, Clone)]
pub struct Published {
    /// Of what.
    pub measure: Measure,
    /// The number.
    pub printed: Printed,
    /// The share that is granted instead of the digits where nothing is left to luck: it depends on what the paper does not
    /// say.
    pub within: Option<f64>,
    /// What is judged instead, where the paper errs.
    pub correction: Option<Correction>,
    /// Why it is not judged, if it is not.
    pub information: Option<String>,
    /// Why it is refuted, where that is known.
    pub cause: Option<String>,
}

/// A number that is held to be right instead of a printed one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Correction {
    /// The number.
    pub right: Printed,
    /// Why the paper errs.
    pub reason: String,
}

/// Something said of several rows: each has at most as much of a measure as the next.
#[derive(Debug, Clone)]
pub struct Order {
    /// What the paper says.
    pub says: String,
    /// Of what.
    pub measure: Measure,
    /// Labels of rows, the least first.
    pub rows: Vec<String>,
    /// Why it is not judged, if it is not.
    pub information: Option<String>,
    /// Why it is refuted, where that is known.
    pub cause: Option<String>,
}
