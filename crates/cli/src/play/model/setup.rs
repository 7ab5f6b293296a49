//! What a game is about to be: rules, mode, who plays, and the seed.

use pegwise_coach::{Mode, Record};
use pegwise_game::{Code, Rules};
use pegwise_solve::{Rng, Spec};

/// A game about to be played.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Setup {
    pub(crate) rules: Rules,
    pub(crate) mode: Mode,
    /// Who breaks codes and gives hints.
    pub(crate) spec: Spec,
    pub(crate) seed: u64,
    /// The code, where somebody gave it.
    pub(crate) secret: Option<Code>,
}

impl Setup {
    /// The game of a record goes on with these; what the record does not say stays as it is here.
    pub(crate) fn of_record(self, record: &Record) -> Self {
        Self {
            rules: record.rules.clone().with_names_of(&self.rules),
            mode: record.mode,
            spec: record.strategy.clone().unwrap_or(self.spec),
            seed: record.seed.unwrap_or(self.seed),
            secret: record.secret.clone(),
        }
    }

    /// The code of the computer: the one given, or one drawn from the seed as `pegwise solve` draws it. Who makes a
    /// code has it in mind.
    pub(crate) fn hidden(&self) -> Option<Code> {
        let drawn = || Rng::for_path(self.seed, [&b"secret"[..]]).code(&self.rules);
        match self.mode {
            Mode::Make => self.secret.clone(),
            Mode::Break | Mode::Watch => Some(self.secret.clone().unwrap_or_else(drawn)),
        }
    }

    /// The same game with another code.
    pub(crate) fn again(&self) -> Self {
        // The next seed follows from this one, so that an evening is as repeatable as a game.
        let seed = Rng::for_path(self.seed, [&b"again"[..]]).below(1_000_000);
        Self { seed, secret: None, ..self.clone() }
    }
}
