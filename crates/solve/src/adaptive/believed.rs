//! Games on boards too large for walks, by the chances of each color in each cell.

use pegwise_game::{Code, History, Rules};

use super::{questions::Questions, settings::Settings};
use crate::{
    candidates::{
        anneal::{Annealer, Effort},
        beliefs::Beliefs,
    },
    search::Search,
    strategy::{Basis, Proposal},
};

/// What is believed of each cell, kept from turn to turn.
#[derive(Debug)]
pub(super) struct Believed {
    rules: Rules,
    settings: Settings,
    beliefs: Beliefs,
}

impl Believed {
    /// Beliefs before the first turn; `None` for rules that have none.
    pub(super) fn new(rules: &Rules, settings: Settings) -> Option<Self> {
        Some(Self { rules: rules.clone(), settings, beliefs: Beliefs::new(rules)? })
    }

    /// A guess that tells much, with this share of the usual work; one that fits, where beliefs are firm and one is found.
    pub(super) fn guess(&mut self, history: &History, share: f64, search: &mut Search<'_>) -> Proposal {
        let guess = self.ask(history, share, search);
        let firm = self.beliefs.expected_right() > self.settings.beliefs.firm * self.rules.cells() as f64;
        if firm && let Some(code) = self.near(&guess, history, share, search) {
            return Proposal::new(code, Basis::Consistent);
        }
        let why = "no code that fits is known; this one tells much by what is likely in each cell";
        let fits = history.is_consistent(&guess);
        Proposal::new(guess, if fits { Basis::Consistent } else { Basis::BestEffort(why.to_owned()) })
    }

    /// A guess whose answer tells much by what is likely in each cell, not played before.
    fn ask(&mut self, history: &History, share: f64, search: &mut Search<'_>) -> Code {
        let own = self.settings.beliefs;
        self.beliefs.follow(history);
        let rounds = (own.rounds * share.max(0.05)).ceil() as usize;
        self.beliefs.settle(rounds, search.watch_share(self.settings.search_share), search);
        let mut guess = if self.beliefs.expected_right() > self.rules.cells() as f64 - own.all_but_sure {
            self.beliefs.draw(own.surely, &mut search.rng)
        } else {
            Questions::new(&self.rules, &self.beliefs, history.turns(), search.watch()).best(&mut search.rng)
        };
        for _ in 0..own.draws {
            if history.turns().iter().all(|turn| turn.guess != guess) {
                return guess;
            }
            guess = self.beliefs.draw(1.0, &mut search.rng);
        }
        search.rng.code(&self.rules)
    }

    /// A consistent code, looked for from a guess.
    fn near(&self, guess: &Code, history: &History, share: f64, search: &mut Search<'_>) -> Option<Code> {
        if search.watch().stop().is_some() {
            return None;
        }
        let cubed = (self.rules.cells() as u64).pow(3);
        let moves = (self.settings.beliefs.cubes_when_firm / cubed) as f64 * share;
        let effort = Effort { codes: 1, moves: moves as u64 };
        Annealer::new(history).sample(guess, effort, search).codes.into_iter().next()
    }
}
