//! The codes that are possible at each point of a game.

use std::sync::Arc;

use pegwise_game::{Code, Count, History, Rules, Space};
use pegwise_solve::{
    Search,
    candidates::{
        anneal::{Annealer, Effort},
        listed,
    },
};

use crate::{amount::Amount, notes::Notes, possible};

/// Codes that are possible: all of them, or a sample.
#[derive(Debug, Clone)]
pub(super) struct Codes {
    pub(super) codes: Arc<[Code]>,
    pub(super) complete: bool,
    /// How many there are.
    pub(super) amount: Amount,
}

/// Follows the codes through a game.
pub(super) struct Field {
    listed: bool,
    /// A code that fits every turn, where one is known.
    secret: Option<Code>,
    /// How many codes there are, as far as it follows from the turns so far.
    estimate: f64,
}

/// Steps that backtracking may take to list what is possible.
const STEPS: u64 = 2_000_000;
const MOST_LISTED: usize = 50_000;
/// Codes of a sample, and the moves of annealing for them.
const SAMPLE: usize = 2_000;
const MOVES: u64 = 4_000_000;
/// Up to so many codes are named.
const FEW: usize = 20;

impl Codes {
    /// Whether it is certain that no code is possible.
    pub(super) fn is_contradiction(&self) -> bool {
        self.complete && self.codes.is_empty()
    }

    /// All codes, where they are few.
    pub(super) fn few(&self) -> Vec<Code> {
        if self.complete && self.codes.len() <= FEW { self.codes.to_vec() } else { Vec::new() }
    }
}

impl Field {
    pub(super) fn new(rules: &Rules, secret: Option<&Code>) -> Self {
        let estimate = Space::new(rules).count().log10();
        Self { listed: listed::is_listable(rules), secret: secret.cloned(), estimate }
    }

    /// The codes that fit a history.
    pub(super) fn at(&mut self, history: &History, search: &mut Search<'_>) -> Codes {
        let notes = Notes::from(history);
        let all = if self.listed {
            possible::listed(&notes).map(|table| table.codes().collect())
        } else {
            let (codes, complete) = possible::backtrack(&notes, STEPS, MOST_LISTED, search);
            complete.then_some(codes)
        };
        if let Some(codes) = all {
            let amount = Amount::Exact(Count::Exact(codes.len() as u128));
            return Codes { codes: codes.into(), complete: true, amount };
        }
        let codes = self.sample(history, search);
        let amount = if history.is_empty() {
            Amount::Exact(Space::new(history.rules()).count())
        } else {
            Amount::About { log10: self.estimate }
        };
        Codes { codes: codes.into(), complete: false, amount }
    }

    fn sample(&self, history: &History, search: &mut Search<'_>) -> Vec<Code> {
        if history.is_empty() {
            return (0..SAMPLE).map(|_| search.rng.code(history.rules())).collect();
        }
        let start = self.secret.clone().unwrap_or_else(|| search.rng.code(history.rules()));
        Annealer::new(history).sample(&start, Effort { codes: SAMPLE, moves: MOVES }, search).codes
    }

    /// Takes on that a guess was answered by this share of the codes.
    pub(super) fn answered(&mut self, codes: &Codes, share: f64) {
        self.estimate = codes.amount.log10() + share.log10();
    }
}
