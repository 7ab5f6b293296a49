//! The secrets of an experiment.

use std::sync::Arc;

use pegwise_game::{Code, Rules, Space};
use pegwise_solve::{secrets::SecretList, seeds};

use super::{Experiment, ExperimentError};

/// Which codes are to be broken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Secrets {
    /// Every code of the space, in order.
    All,
    /// This many, drawn by the seed; a code may be drawn twice.
    Drawn(u64),
    /// So many for each of the rules, drawn by the seed.
    DrawnEach(Vec<(String, u64)>),
    /// These, as written; strategies play as if any code could be the secret.
    Listed(Vec<String>),
    /// Each code of a list once, as [`SecretList::parse`] reads it. Strategies that can make use of the list know it.
    Each(Arc<str>),
    /// Drawn by the seed from a list, each code as often as its weight says. Strategies that can make use of the list know
    /// it.
    Weighted {
        /// The list, as [`SecretList::parse`] reads it.
        list: Arc<str>,
        /// How many are drawn.
        games: u64,
    },
}

/// The secrets at some rules: any of them by its number, without a list where none is needed.
#[derive(Debug, Clone)]
pub struct Deck {
    rules: Rules,
    /// The text of the rules, which the streams are named by.
    name: String,
    seed: u64,
    kind: Kind,
}

#[derive(Debug, Clone)]
enum Kind {
    All(u64),
    Drawn(u64),
    Listed(Arc<[Code]>),
    Each(Arc<SecretList>),
    Weighted(Arc<SecretList>, u64),
}

impl Deck {
    pub(crate) fn new(rules: &Rules, secrets: &Secrets, seed: u64) -> Result<Self, ExperimentError> {
        let name = rules.to_string();
        let too_many = |games: String| ExperimentError::TooManyGames { rules: rules.to_string(), games };
        let list = |list: &str| {
            let wrong = |error| ExperimentError::List { rules: rules.to_string(), error };
            SecretList::parse(rules, list).map(Arc::new).map_err(wrong)
        };
        let kind = match secrets {
            Secrets::All => {
                let count = Space::new(rules).count();
                let exact = count.exact().and_then(|count| u64::try_from(count).ok());
                Kind::All(exact.ok_or_else(|| too_many(count.to_string()))?)
            }
            Secrets::Drawn(count) => Kind::Drawn(*count),
            Secrets::DrawnEach(counts) => {
                let count = counts.iter().find(|(rules, _)| *rules == name).map(|(_, count)| *count);
                Kind::Drawn(count.ok_or(ExperimentError::Missing("number of games for some rules"))?)
            }
            Secrets::Listed(texts) => {
                let code = |(number, text): (usize, &String)| {
                    let rejected = |error| ExperimentError::Secret { number, rules: rules.to_string(), error };
                    rules.parse_code(text).map_err(rejected)
                };
                Kind::Listed((1..).zip(texts).map(code).collect::<Result<_, _>>()?)
            }
            Secrets::Each(text) => Kind::Each(list(text)?),
            Secrets::Weighted { list: text, games } => Kind::Weighted(list(text)?, *games),
        };
        let deck = Self { rules: rules.clone(), name, seed, kind };
        match deck.len() {
            0 => Err(ExperimentError::Missing("secret")),
            games if games > Experiment::MOST_GAMES => Err(too_many(games.to_string())),
            _ => Ok(deck),
        }
    }

    pub(super) fn reseed(&mut self, seed: u64) {
        self.seed = seed;
    }

    /// How many secrets there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.kind {
            Kind::All(count) | Kind::Drawn(count) | Kind::Weighted(_, count) => *count,
            Kind::Listed(codes) => codes.len() as u64,
            Kind::Each(list) => list.len() as u64,
        }
    }

    /// Whether there are none: never, in an experiment.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The secret with this number; numbers past the end start over.
    #[must_use]
    pub fn secret(&self, number: u64) -> Code {
        let number = number % self.len().max(1);
        match &self.kind {
            Kind::All(_) => Space::new(&self.rules).unrank(number.into()).unwrap_or_else(|| self.drawn(number)),
            Kind::Drawn(_) => self.drawn(number),
            Kind::Listed(codes) => codes[number as usize].clone(),
            Kind::Each(list) => list.codes()[number as usize].clone(),
            Kind::Weighted(list, _) => list.draw(&mut seeds::secret_stream(self.seed, &self.name, number)).clone(),
        }
    }

    /// The list that strategies may know the secret to be on, where there is one.
    #[must_use]
    pub fn list(&self) -> Option<&Arc<SecretList>> {
        match &self.kind {
            Kind::Each(list) | Kind::Weighted(list, _) => Some(list),
            Kind::All(_) | Kind::Drawn(_) | Kind::Listed(_) => None,
        }
    }

    fn drawn(&self, number: u64) -> Code {
        seeds::secret_stream(self.seed, &self.name, number).code(&self.rules)
    }
}
