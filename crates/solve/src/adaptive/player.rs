//! The adaptive strategy in a game.

use std::sync::Arc;

use pegwise_game::{Code, History, Rules, Space, Table, Trail};

use super::{
    opening,
    questions::Questions,
    scoring::{self, Scorer},
};
use crate::{
    candidates::{
        self, Remaining,
        anneal::{Annealer, Effort},
        backtrack::{Backtrack, End, Order},
        beliefs::Beliefs,
        listed,
    },
    one_step::Weighted,
    rng::Rng,
    search::Search,
    secrets::SecretList,
    spec::Arguments,
    strategy::{Basis, Position, Proposal, Strategy, StrategyError},
    tree::{TreePlayer, shipped},
};

struct Adaptive {
    rules: Rules,
    /// The codes still possible, where the space can be listed.
    remaining: Option<Remaining>,
    scorer: Option<Scorer>,
    /// The first guess, once it was looked for.
    opening: Option<Code>,
    /// What is believed of each cell, and the turns that led there. Kept as long as the game goes on as proposed.
    beliefs: Option<Beliefs>,
    trail: Trail,
}

/// Up to this many bits in the space, consistent codes are looked for from the start; beyond, the game is played by beliefs
/// and a consistent code is looked for when they are firm.
const BITS_TO_ANNEAL: f64 = 150.0;
/// The same for boards of many lines.
const BITS_TO_ANNEAL_LINES: f64 = 400.0;
/// Up to this many bits, backtracking has a chance to prove that no code fits.
const BITS_TO_PROVE: f64 = 60.0;
/// Moves for each cell cubed, and at most, that annealing may try for a guess.
const MOVES_A_CUBE: u64 = 600;
const MOST_MOVES: u64 = 20_000_000;
const MOST_MOVES_LINES: u64 = 2_000_000;
/// Moves times cells cubed for a consistent code where beliefs are firm: on larger boards they find it themselves.
const CUBES_WHEN_FIRM: u64 = 54_000_000_000;
/// Beliefs are firm when they expect this share of the cells to be right.
const FIRM: f64 = 0.2;
/// Rounds in which beliefs may settle. More make them too sure of themselves.
const ROUNDS: f64 = 12.0;
/// Beliefs that expect fewer wrong cells than this are played as they are, with likely colors favored this much.
const ALL_BUT_SURE: f64 = 0.5;
const SURELY: f64 = 2.0;
/// Steps of backtracking that may prove that no code fits.
const STEPS_TO_PROVE: u64 = 2_000_000;
/// The time that the usual counts take about, in seconds; other time limits stretch or cut the counts.
const USUAL_SECONDS: f64 = 0.25;
/// The most that a long time limit stretches the counts.
const MOST_STRETCH: f64 = 1000.0;
/// The share of the time that goes into finding codes; the rest is for scoring them.
const SEARCH_SHARE: f64 = 0.6;
/// Draws from beliefs before a code that was played already is given up.
const DRAWS: usize = 20;

pub(super) fn build(_: &'static str, rules: &Rules, _: &Arguments) -> Result<Box<dyn Strategy>, StrategyError> {
    // Where no walk can be led, backtracking lists or samples what fits.
    let is_listed = listed::is_listable(rules) || !Annealer::can_lead(rules);
    let remaining = if is_listed { Remaining::new(rules).ok() } else { None };
    let player = Adaptive {
        rules: rules.clone(),
        remaining,
        scorer: Scorer::new(rules),
        opening: None,
        beliefs: Beliefs::new(rules),
        trail: Trail::default(),
    };
    Ok(match shipped(rules) {
        Some(file) => Box::new(TreePlayer::new(file.clone(), Box::new(player))),
        None => Box::new(player),
    })
}

impl Strategy for Adaptive {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        self.forget_other_games(history);
        let proposal = if history.is_empty() { self.open(search) } else { self.go_on(history, search)? };
        self.trail.propose(&proposal.guess);
        Ok(proposal)
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(Weighted::new(secrets, scoring::manner())?))
    }
}

impl Adaptive {
    /// Beliefs depend on the order in which turns came in, so they are kept only while a game goes on as proposed.
    fn forget_other_games(&mut self, history: &History) {
        if !self.trail.follow(history).is_as_proposed() {
            self.beliefs = Beliefs::new(&self.rules);
        }
    }

    fn open(&mut self, search: &mut Search<'_>) -> Proposal {
        if self.opening.is_none() {
            self.opening = opening::opening(&self.rules, self.scorer.as_mut());
        }
        let remaining = Some(Space::new(&self.rules).count());
        let (guess, basis) = match &self.opening {
            Some(opening) => (opening.clone(), Basis::Scored),
            None => (search.rng.code(&self.rules), Basis::Consistent),
        };
        Proposal { remaining, ..Proposal::new(guess, basis) }
    }

    fn go_on(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if let Some(remaining) = &mut self.remaining {
            let view = remaining.after(history, search)?;
            if view.codes.is_empty() {
                return Ok(Proposal::last_resort(&self.rules, view.stop, search));
            }
            let only = view.complete && view.codes.len() == 1;
            let mut proposal = self.score_listed(&view.codes, history, search);
            proposal.remaining = view.count;
            if only {
                proposal.basis = Basis::Proven;
            }
            return Ok(proposal);
        }
        if !Annealer::can_lead(&self.rules) {
            return candidates::draw(history, search);
        }
        if let Some(beliefs) = self.beliefs.take_if(|_| !is_annealed(&self.rules)) {
            return Ok(self.believe(beliefs, history, search));
        }
        self.sample(history, search)
    }

    /// A guess scored on a sample that annealing finds.
    fn sample(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let annealer = Annealer::new(history);
        if annealer.is_impossible() {
            return Err(StrategyError::NO_CODE_FITS);
        }
        let start = history.turns().last().map_or_else(|| search.rng.code(&self.rules), |turn| turn.guess.clone());
        let cells = self.rules.cells() as u64;
        let most = if self.rules.board().is_row() { MOST_MOVES } else { MOST_MOVES_LINES };
        let moves = (MOVES_A_CUBE * cells.saturating_pow(3)).min(most) as f64 * stretch(search);
        let codes = self.scorer.as_ref().map_or(1, Scorer::sample_size);
        let watch = search.watch_share(SEARCH_SHARE);
        let found = annealer.sample_until(&start, Effort { codes, moves: moves as u64 }, watch, search);
        if !found.codes.is_empty() {
            return Ok(self.score(found.codes, history, search));
        }
        if bits(&self.rules) <= BITS_TO_PROVE {
            let (code, end) = Backtrack::new(history).first(Order::AscendingFrom(None), STEPS_TO_PROVE, search);
            match (code, end) {
                (Some(guess), _) => return Ok(Proposal::new(guess, Basis::Consistent)),
                (None, End::NoMore) => return Err(StrategyError::NO_CODE_FITS),
                (None, _) => {}
            }
        }
        if let Some(mut beliefs) = self.beliefs.take() {
            let guess = self.ask(&mut beliefs, history, search);
            self.beliefs = Some(beliefs);
            return Ok(asked(guess, history));
        }
        let why = "no code that fits was found, and this one comes closest".to_owned();
        let guess = self.not_played(history, search, found.closest, |rng| rng.code(&self.rules));
        Ok(Proposal::new(guess, Basis::BestEffort(why)))
    }

    /// The best guess for all codes still possible: of all guesses, or of some against some where there are too many.
    fn score_listed(&mut self, codes: &Table, history: &History, search: &mut Search<'_>) -> Proposal {
        let Some(scorer) = &mut self.scorer else { return Proposal::new(codes.code(0), Basis::Consistent) };
        let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess.clone()).collect();
        let position = Position { codes, guesses: &guesses };
        let (share, more) = (stretch(search).min(1.0), search.alternatives);
        let ranked = scorer.best_of_all(position, share, more, search);
        let sample = search.rng.sample(codes.len() as u32, scorer.sample_size());
        let sample: Vec<Code> = sample.into_iter().map(|row| codes.code(row as usize)).collect();
        let share = codes.len() as f64 / sample.len() as f64;
        let mut proposal = match ranked {
            Some(ranked) => self.propose(ranked, &sample, history, search),
            None => self.score(sample, history, search),
        };
        for described in proposal.rated.iter_mut().chain(&mut proposal.alternatives) {
            described.expected_remaining *= share;
        }
        proposal
    }

    /// The best guess for codes that fit, of those and variations of them.
    fn score(&mut self, codes: Vec<Code>, history: &History, search: &mut Search<'_>) -> Proposal {
        let Some(scorer) = &mut self.scorer else { return Proposal::new(codes[0].clone(), Basis::Consistent) };
        let guesses = scorer.guesses_for(codes.len(), stretch(search).min(1.0));
        let pool = scoring::pool(&self.rules, &codes, guesses, &mut search.rng);
        search.score((pool.len() * codes.len()) as u64);
        let is_consistent = |code: &Code| codes.binary_search(code).is_ok() || history.is_consistent(code);
        let ranked = scorer.best(&codes, pool, is_consistent, search.alternatives);
        self.propose(ranked, &codes, history, search)
    }

    /// Proposes the first of these guesses, and the others as alternatives, with what they tell about a sample.
    fn propose(&mut self, ranked: Vec<Code>, sample: &[Code], history: &History, search: &Search<'_>) -> Proposal {
        let mut ranked = ranked.into_iter();
        let Some(guess) = ranked.next() else { return Proposal::new(sample[0].clone(), Basis::Consistent) };
        let mut proposal = Proposal::new(guess, Basis::Scored);
        if let (Some(scorer), true) = (&mut self.scorer, search.alternatives > 0) {
            let mut describe = |guess: Code| {
                let consistent = history.is_consistent(&guess);
                scorer.describe(guess, consistent, sample)
            };
            proposal.alternatives = ranked.filter_map(&mut describe).collect();
            proposal.rated = describe(proposal.guess.clone());
        }
        proposal
    }

    /// A code drawn from what is believed of each cell; one that fits, where beliefs are firm and one is found.
    fn believe(&mut self, mut beliefs: Beliefs, history: &History, search: &mut Search<'_>) -> Proposal {
        let guess = self.ask(&mut beliefs, history, search);
        let firm = beliefs.expected_right() > FIRM * self.rules.cells() as f64;
        self.beliefs = Some(beliefs);
        if firm && let Some(code) = self.near(&guess, history, search) {
            return Proposal::new(code, Basis::Consistent);
        }
        asked(guess, history)
    }

    /// A guess whose answer tells much by what is likely in each cell, not played before.
    fn ask(&self, beliefs: &mut Beliefs, history: &History, search: &mut Search<'_>) -> Code {
        beliefs.follow(history);
        let rounds = (ROUNDS * stretch(search).clamp(0.05, 5.0)).ceil() as usize;
        beliefs.settle(rounds, search.watch_share(SEARCH_SHARE), search);
        let guess = if beliefs.expected_right() > self.rules.cells() as f64 - ALL_BUT_SURE {
            beliefs.draw(SURELY, &mut search.rng)
        } else {
            Questions::new(&self.rules, beliefs, history.turns()).best(&mut search.rng)
        };
        self.not_played(history, search, guess, |rng| beliefs.draw(1.0, rng))
    }

    /// A consistent code, looked for from a guess.
    fn near(&self, guess: &Code, history: &History, search: &mut Search<'_>) -> Option<Code> {
        if search.watch().stop().is_some() {
            return None;
        }
        let moves = (CUBES_WHEN_FIRM / (self.rules.cells() as u64).pow(3)) as f64 * stretch(search).min(1.0);
        let effort = Effort { codes: 1, moves: moves as u64 };
        Annealer::new(history).sample(guess, effort, search).codes.into_iter().next()
    }

    /// This code if it was not played before, or else one that is drawn.
    fn not_played(
        &self,
        history: &History,
        search: &mut Search<'_>,
        code: Code,
        draw: impl Fn(&mut Rng) -> Code,
    ) -> Code {
        let played = |code: &Code| history.turns().iter().any(|turn| turn.guess == *code);
        let mut code = code;
        for _ in 0..DRAWS {
            if !played(&code) {
                return code;
            }
            code = draw(&mut search.rng);
        }
        search.rng.code(&self.rules)
    }
}

/// A guess that tells much, and that may fit by luck.
fn asked(guess: Code, history: &History) -> Proposal {
    let why = "no code that fits is known; this one tells much by what is likely in each cell";
    let fits = history.is_consistent(&guess);
    Proposal::new(guess, if fits { Basis::Consistent } else { Basis::BestEffort(why.to_owned()) })
}

/// By how much the time limit stretches what is usually counted.
fn stretch(search: &Search<'_>) -> f64 {
    search.limits().time.map_or(1.0, |time| (time.as_secs_f64() / USUAL_SECONDS).min(MOST_STRETCH))
}

/// Whether consistent codes are looked for by annealing from the start. A walk is judged line by line, so that many lines
/// make it no harder to lead.
fn is_annealed(rules: &Rules) -> bool {
    let most = if rules.board().is_row() { BITS_TO_ANNEAL } else { BITS_TO_ANNEAL_LINES };
    bits(rules) <= most
}

/// The size of a space, in bits.
fn bits(rules: &Rules) -> f64 {
    let choices = |used: usize| crate::portable::ln(f64::from(rules.colors()) - used as f64);
    let cells = rules.cells();
    let nats = if rules.repeats() { cells as f64 * choices(0) } else { (0..cells).map(choices).sum() };
    nats / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_those_of_the_count() {
        for text in ["4x6", "4x10:no-repeats", "20x20", "31x31:no-repeats", "100x100", "60x90:no-repeats", "grid:4x4x6"]
        {
            let rules: Rules = text.parse().unwrap();
            let counted = Space::new(&rules).count().log10() * std::f64::consts::LOG2_10;
            assert!((bits(&rules) - counted).abs() < 1e-9 * counted, "{text}: {} instead of {counted}", bits(&rules));
        }
        assert!(is_annealed(&"31x31:no-repeats".parse().unwrap()), "113 bits");
    }
}
