//! The adaptive strategy in a game.

use std::sync::Arc;

use pegwise_game::{Code, History, Rules, Space, Table, Trail};

use super::{
    believed::Believed,
    opening,
    sampled::{Sample, Sampled},
    scoring::{self, Scorer},
    settings::Settings,
};
use crate::{
    candidates::{
        self, Remaining,
        anneal::Annealer,
        backtrack::{Backtrack, End, Order},
        listed,
    },
    one_step::WeightedOneStep,
    search::Search,
    secrets::SecretList,
    spec::Arguments,
    strategy::{Basis, Built, Position, Proposal, Strategy, StrategyError},
    tree::{TreePlayer, shipped},
};

struct Adaptive {
    rules: Rules,
    /// The codes still possible, where the space can be listed.
    remaining: Option<Remaining>,
    scorer: Option<Scorer>,
    /// The first guess, once it was looked for.
    opening: Option<Code>,
    settings: Settings,
    /// Walks through the codes of a game, and the turns that led there. Kept as long as the game goes on as proposed.
    sampled: Option<Sampled>,
    /// What is believed of each cell, on larger boards.
    believed: Option<Believed>,
    trail: Trail,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    // Where no walk can be led, backtracking lists or samples what fits.
    let is_listed = listed::is_listable(rules) || !Annealer::can_lead(rules);
    let remaining = if is_listed { Remaining::new(rules).ok() } else { None };
    let player = Adaptive {
        rules: rules.clone(),
        remaining,
        scorer: Scorer::new(rules),
        opening: None,
        settings: Settings::with(rules, arguments),
        sampled: None,
        believed: None,
        trail: Trail::default(),
    };
    Ok(match shipped(rules) {
        Some(file) => Box::new(TreePlayer::new(file.clone(), Box::new(player))),
        None => Box::new(player),
    })
}

impl Strategy for Adaptive {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        // Where walks are depends on the turns as they came in, so they are kept only while a game goes on as proposed.
        if !self.trail.follow(history).is_as_proposed() {
            (self.sampled, self.believed) = (None, None);
        }
        let proposal = if history.is_empty() { self.open(history, search)? } else { self.go_on(history, search)? };
        self.trail.propose(&proposal.guess);
        Ok(proposal)
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(WeightedOneStep::new(secrets, scoring::manner())?))
    }
}

impl Adaptive {
    fn open(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if self.opening.is_none() {
            self.opening = opening::opening(&self.rules, self.scorer.as_mut());
        }
        let proposal = match &self.opening {
            Some(opening) => Proposal::new(opening.clone(), Basis::Scored),
            None => self.beyond_lists(history, search)?,
        };
        Ok(Proposal { remaining: Some(Space::new(&self.rules).count()), ..proposal })
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
        self.beyond_lists(history, search)
    }

    /// A guess where codes cannot be listed.
    fn beyond_lists(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if !Annealer::can_lead(&self.rules) {
            return candidates::draw(history, search);
        }
        if bits(&self.rules) > self.settings.bits_to_walk {
            let share = self.share(search);
            let believed = self.believed.take().or_else(|| Believed::new(&self.rules, self.settings));
            if let Some(mut believed) = believed {
                let proposal = believed.guess(history, share, search);
                self.believed = Some(believed);
                return Ok(proposal);
            }
        }
        self.sample(history, search)
    }

    /// A guess scored on a sample that walks find.
    fn sample(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let settings = self.settings;
        let stretch = settings.stretch(search.limits().time, self.rules.cells());
        let mut sampled = self.sampled.take().unwrap_or_else(|| Sampled::new(&self.rules, &settings, &mut search.rng));
        let watch = search.watch_share(settings.search_share);
        let sample = sampled.sample(history, &settings, stretch, watch, search);
        if sample.fitting == 0
            && let Some(decided) = self.prove(&sample, history, search)
        {
            return decided;
        }
        let proposal = if sampled.can_climb() {
            let asked = sampled.ask(&sample, history, &settings, stretch, search);
            asked.map(|ranked| self.propose(ranked, &sample.codes, history, search))
        } else {
            let ranked = self.rank(&sample.codes, history, search);
            Some(self.propose(ranked, &sample.codes, history, search))
        };
        self.sampled = Some(sampled);
        let mut proposal = proposal.unwrap_or_else(|| Proposal::new(search.rng.code(&self.rules), Basis::Scored));
        if history.turns().iter().any(|turn| turn.guess == proposal.guess) {
            proposal = Proposal::new(search.rng.code(&self.rules), Basis::Scored);
        }
        if sample.fitting == 0 {
            let why = "no code that fits was found; this one tells much about codes that nearly do".to_owned();
            proposal.basis = Basis::BestEffort(why);
        }
        Ok(proposal)
    }

    /// Where walks find nothing, backtracking may: a code that fits, or a proof that there is none.
    fn prove(
        &self,
        sample: &Sample,
        history: &History,
        search: &mut Search<'_>,
    ) -> Option<Result<Proposal, StrategyError>> {
        let mut contradicted = sample.all;
        if !contradicted && bits(&self.rules) <= self.settings.bits_to_prove {
            let steps = self.settings.steps_to_prove;
            match Backtrack::new(history).first(Order::AscendingFrom(None), steps, search) {
                (Some(guess), _) => return Some(Ok(Proposal::new(guess, Basis::Consistent))),
                (None, end) => contradicted = end == End::NoMore,
            }
        }
        contradicted.then_some(Err(StrategyError::NO_CODE_FITS))
    }

    /// The best guess for all codes still possible: of all guesses, or of some against some where there are too many.
    fn score_listed(&mut self, codes: &Table, history: &History, search: &mut Search<'_>) -> Proposal {
        let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess.clone()).collect();
        let position = Position { codes, guesses: &guesses };
        let (share, more) = (self.share(search), search.alternatives);
        let Some(scorer) = &mut self.scorer else { return Proposal::new(codes.code(0), Basis::Consistent) };
        let ranked = scorer.best_of_all(position, share, more, search);
        let sample = search.rng.sample(codes.len() as u32, scorer.sample_size());
        let sample: Vec<Code> = sample.into_iter().map(|row| codes.code(row as usize)).collect();
        let share = codes.len() as f64 / sample.len() as f64;
        let ranked = match ranked {
            Some(ranked) => ranked,
            None => self.rank(&sample, history, search),
        };
        let mut proposal = self.propose(ranked, &sample, history, search);
        for described in proposal.rated.iter_mut().chain(&mut proposal.alternatives) {
            described.expected_remaining *= share;
        }
        proposal
    }

    /// The best guesses for some codes, of those and variations of them.
    fn rank(&mut self, codes: &[Code], history: &History, search: &mut Search<'_>) -> Vec<Code> {
        let share = self.share(search);
        let Some(scorer) = &mut self.scorer else { return codes[..1].to_vec() };
        let guesses = scorer.guesses_for(codes.len(), share);
        let pool = scoring::pool(&self.rules, codes, guesses, &mut search.rng);
        search.score((pool.len() * codes.len()) as u64);
        let is_consistent = |code: &Code| codes.binary_search(code).is_ok() || history.is_consistent(code);
        scorer.best(codes, pool, is_consistent, search.alternatives)
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

    /// The share of the usual work that a time limit leaves time for, where nobody looks at the clock meanwhile.
    fn share(&self, search: &Search<'_>) -> f64 {
        search.limits().time.map_or(1.0, |time| (time.as_secs_f64() / self.settings.unhurried_seconds).min(1.0))
    }
}

/// The size of a space, in bits.
pub(super) fn bits(rules: &Rules) -> f64 {
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
    }
}
