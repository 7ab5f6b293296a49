//! The strategy for every board size: uses the strongest method that the space, the history and the time limit allow.
//!
//! The first that applies:
//! 1. a proven tree shipped with the program;
//! 2. the guess of least expected further guesses, if few candidates are left in a space of a few thousand codes
//!    ([`exact`](crate::exact));
//! 3. a guess scored against all candidates, if the space can be listed (`scoring`);
//! 4. a guess found by hill climbing on the entropy of its answers over a [sample](pegwise_sampling::tempering) of
//!    consistent or nearly consistent codes (`sampling_player`, `entropy`). On large rows the color counts are sampled
//!    separately, and a guess asks about a window of colors or cells. If all candidates are known and few, guesses are
//!    compared two steps ahead by the expected number of further guesses (`endgame`);
//! 5. a guess whose answer is most uncertain by the [marginals](pegwise_sampling::beliefs) of each cell, on boards too
//!    large for sampling (`belief_player`).
//!
//! In a space that can be listed, the guess is a function of the position: it is computed for the canonical form of the
//! history ([`Renaming`]), with random numbers that depend on this form only. Equivalent positions, any seed and any number
//! of alternatives give the same guess.
//!
//! All constants are in `settings`.
//!
//! Cost: work is counted in moves and pairs, so a seed plays the same game on every machine; a short time limit ends the
//! work early, and a long one extends it. Limits: beyond a million cells times colors there are no marginals, and the
//! closest code found is played.

mod belief_player;
mod endgame;
mod entropy;
mod sampling_player;
mod scoring;
mod settings;

use std::{collections::HashMap, sync::Arc};

use pegwise_game::{Code, Count, History, HistoryTracker, Rules, Space, Table, Turn};

use self::belief_player::BeliefPlayer;
use self::sampling_player::{Sample, SamplingPlayer};
use self::scoring::EntropyScorer;
use self::settings::Settings;
use crate::exact::{ExactValues, RankedGuesses};
use crate::shipped::shipped;
use pegwise_sampling::tempering::TemperingSampler;
use pegwise_search::candidates::backtrack::{Backtrack, End, Order};
use pegwise_search::candidates::{self, CandidateTracker, listed};
use pegwise_search::one_step::WeightedOneStep;
use pegwise_search::renaming::Renaming;
use pegwise_search::row::{Arguments, Capability, Row, always};
use pegwise_search::secrets::SecretList;
use pegwise_search::{
    Alternative, Basis, Built, Parameter, ParameterKind, Position, Proposal, Rng, Search, Strategy, StrategyError,
    portable,
};
use pegwise_trees::TreePlayer;

/// The rows of this family.
pub(crate) const ROWS: &[Row] = &[Row {
    name: "adaptive",
    title: "Adaptive",
    family: "adaptive",
    paper: "Pegwise's own; see the documentation of its modules",
    about: "uses the strongest method that the board and the time allow, from a proven tree to belief propagation",
    plays: "every board",
    parameters: PARAMETERS,
    capabilities: &[
        (Capability::Tree, |rules, _| shipped(rules).is_some()),
        (Capability::Secrets, |rules, _| Table::new(rules).is_ok()),
        (Capability::Lies, always),
    ],
    build,
    ..Row::BLANK
}];

/// Creates a parameter whose default, zero, depends on the board.
const fn count(name: &'static str, max: u64, about: &'static str) -> Parameter {
    Parameter { name, kind: ParameterKind::Integer { min: 0, max }, default: "0", about }
}

/// The most important settings, for boards whose codes cannot be listed.
const PARAMETERS: &[Parameter] = &[
    Parameter {
        name: "method",
        kind: ParameterKind::Choice(&["auto", "walks", "beliefs"]),
        default: "auto",
        about: "method for boards whose codes cannot be listed: by size, parallel tempering, or belief propagation",
    },
    count("codes", 10_000, "sample size; 0 for this and the following parameters: by the board"),
    count("moves", 1_000_000_000_000, "moves of all replicas per guess"),
    count("ladders", 64, "replica sets that run in parallel"),
    count("rungs", 64, "replicas per set, from cold to hot"),
    count("climbs", 64, "hill climbs per guess"),
    count("steps", 1_000_000, "changes tried per climb and cell"),
    count("black", 10_000, "weight of the black-peg entropy relative to the full feedback entropy, in percent"),
    count("color-window", 65_535, "colors whose counts are asked about at a time"),
    count("cell-window", 65_535, "cells whose colors are asked about at a time"),
];

/// Maximum number of cached guesses of an exact search.
const MAX_SOLVED: usize = 1 << 16;

struct Adaptive {
    rules: Rules,
    /// The candidates, if the space can be listed.
    candidates: Option<CandidateTracker>,
    scorer: Option<EntropyScorer>,
    /// The first guess, once computed.
    opening: Option<Code>,
    exact: ExactValues,
    /// Guesses by exact search, by canonical history.
    solved: HashMap<Vec<Turn>, Code>,
    settings: Settings,
    /// State of the sampler. Kept while the game continues as proposed.
    sampling: Option<SamplingPlayer>,
    /// State of the marginals, on larger boards.
    beliefs: Option<BeliefPlayer>,
    tracker: HistoryTracker,
}

fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    // Feedback that tempering does not support is listed or sampled by backtracking.
    let is_listed = listed::is_listable(rules) || !TemperingSampler::supports(rules);
    let player = Adaptive {
        rules: rules.clone(),
        candidates: if is_listed { CandidateTracker::new(rules).ok() } else { None },
        scorer: EntropyScorer::new(rules),
        opening: None,
        exact: ExactValues::default(),
        solved: HashMap::new(),
        settings: Settings::with(rules, arguments),
        sampling: None,
        beliefs: None,
        tracker: HistoryTracker::default(),
    };
    Ok(match shipped(rules) {
        Some(file) => Box::new(TreePlayer::new(file.clone(), Box::new(player))),
        None => Box::new(player),
    })
}

impl Strategy for Adaptive {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        // Replicas depend on all earlier turns, so they are only reused if the game continues as proposed.
        if !self.tracker.update(history).is_as_proposed() {
            (self.sampling, self.beliefs) = (None, None);
        }
        let proposal = if history.is_empty() { self.open(history, search)? } else { self.respond(history, search)? };
        self.tracker.propose(&proposal.guess);
        Ok(proposal)
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        Some(Box::new(WeightedOneStep::new(secrets, scoring::one_step_config())?))
    }

    fn searches_exactly(&self) -> bool {
        true
    }
}

impl Adaptive {
    fn open(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let opening = self.opening.clone().filter(|_| search.alternatives == 0);
        let all = self.candidates.as_ref().and_then(|candidates| candidates.all().cloned());
        let scored = match (&opening, all, &mut self.scorer) {
            (None, Some(all), Some(scorer)) => {
                let share = share(&self.settings, search);
                let position = Position { codes: &all, guesses: &[] };
                let mut rank =
                    |search: &mut Search<'_>| scorer.best_of_all(position, share, search.alternatives, search);
                // The first guess alone is kept for later games, which must have equal counts.
                let ranked = if search.alternatives == 0 { search.uncounted(rank) } else { rank(search) };
                ranked.map(|ranked| self.propose(ranked, &all, history, search))
            }
            _ => None,
        };
        let opening = opening.or_else(|| scored.as_ref().map(|scored| scored.guess.clone()));
        self.opening = opening.or_else(|| scoring::opening(&self.rules, self.scorer.as_mut()));
        let proposal = match (scored, &self.opening) {
            (Some(scored), _) => scored,
            (None, Some(opening)) => Proposal::new(opening.clone(), Basis::Scored),
            (None, None) => self.without_list(history, search)?,
        };
        Ok(Proposal { remaining: Some(Space::new(&self.rules).count()), ..proposal })
    }

    fn respond(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let Some(candidates) = &mut self.candidates else { return self.without_list(history, search) };
        let set = candidates.after(history, search)?;
        if set.codes.is_empty() {
            return Ok(Proposal::last_resort(&self.rules, set.stop, search));
        }
        let mut proposal = if candidates.all().is_some() {
            let (form, renaming) = Renaming::canonical(history, None);
            let codes = renaming.apply_to_all(&self.rules, &set.codes);
            let codes = codes.map_err(|error| StrategyError::unplayable("adaptive", &self.rules, &error))?;
            let text: String = form.turns().iter().map(|turn| turn.notation(&self.rules).to_string() + " ").collect();
            let rng = Rng::for_path(0, [self.rules.to_string().as_bytes(), text.as_bytes()]);
            let before = std::mem::replace(&mut search.rng, rng);
            let mut proposal = self.compare(&codes, &form, search);
            search.rng = before;
            proposal.guess = renaming.undo(&proposal.guess);
            for described in proposal.rated.iter_mut().chain(&mut proposal.alternatives) {
                described.guess = renaming.undo(&described.guess);
            }
            proposal
        } else {
            self.score_listed(&set.codes, history, search)
        };
        proposal.remaining = set.count;
        if set.complete && set.count == Some(Count::Exact(1)) {
            proposal.basis = Basis::Proven;
        }
        Ok(proposal)
    }

    /// Proposes the guess that loses least by an exact search, or else the best one by one-step scores.
    fn compare(&mut self, codes: &Table, history: &History, search: &mut Search<'_>) -> Proposal {
        let (watch, wanted) = (search.watch(), search.alternatives + 1);
        if let Some(guess) = self.solved.get(history.turns()).filter(|_| wanted == 1) {
            return Proposal::new(guess.clone(), Basis::Scored);
        }
        let guesses = history.guesses();
        let position = Position { codes, guesses: &guesses };
        let ranked = self.exact.ranked(&self.rules, position, watch, |ranked, _| ranked < wanted);
        let Some(RankedGuesses { lost, .. }) = ranked else { return self.score_listed(codes, history, search) };
        if self.solved.len() < MAX_SOLVED {
            self.solved.insert(history.turns().to_vec(), lost[0].0.clone());
        }
        let missing = wanted - lost.len();
        let mut described: Vec<Alternative> = Vec::new();
        if let (Some(scorer), true) = (&mut self.scorer, wanted > 1) {
            let describe = |(guess, lost): (Code, f64)| {
                let consistent = history.is_consistent(&guess);
                Alternative { lost: Some(lost), ..scorer.describe(guess, consistent, codes) }
            };
            described = lost.iter().cloned().map(describe).collect();
        }
        let mut proposal = Proposal::new(lost[0].0.clone(), Basis::Scored);
        // Guesses that the search did not reach follow by score.
        if missing > 0 {
            let others = self.score_listed(codes, history, search);
            let others = others.rated.into_iter().chain(others.alternatives);
            described.extend(others.filter(|other| lost.iter().all(|(guess, _)| *guess != other.guess)).take(missing));
        }
        let mut described = described.into_iter();
        proposal.rated = described.next();
        proposal.alternatives = described.collect();
        proposal
    }

    /// Proposes a guess if the codes cannot be listed.
    fn without_list(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if !TemperingSampler::supports(&self.rules) {
            return candidates::draw(history, search);
        }
        if bits(&self.rules) > self.settings.max_sampling_bits {
            let share = share(&self.settings, search);
            let beliefs = self.beliefs.take().or_else(|| BeliefPlayer::new(&self.rules, self.settings));
            if let Some(mut beliefs) = beliefs {
                let proposal = beliefs.guess(history, share, search);
                self.beliefs = Some(beliefs);
                return Ok(proposal);
            }
        }
        self.guess_by_sample(history, search)
    }

    /// Proposes a guess scored on a sample of codes.
    fn guess_by_sample(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        let settings = self.settings;
        let work = settings.work_factor(search.limits().time, self.rules.cells());
        let sampling = self.sampling.take();
        let mut sampling = sampling.unwrap_or_else(|| SamplingPlayer::new(&self.rules, &settings, &mut search.rng));
        let watch = search.watch_share(settings.sampling_share);
        let sample = sampling.sample(history, &settings, work, watch, search);
        if sample.consistent == 0
            && let Some(decided) = self.prove(&sample, history, search)
        {
            return decided;
        }
        let ranked = if sampling.can_climb() {
            sampling.rank(&sample, history, &settings, work, search)
        } else {
            Some(self.rank(&sample.codes, history, search.alternatives, search))
        };
        let proposal = ranked.and_then(|ranked| {
            let codes = Table::from_codes(&self.rules, &sample.codes).ok();
            match codes {
                Some(codes) => Some(self.propose(ranked, &codes, history, search)),
                None => Some(Proposal::new(ranked.into_iter().next()?, Basis::Scored)),
            }
        });
        self.sampling = Some(sampling);
        let mut proposal = proposal.unwrap_or_else(|| Proposal::new(search.rng.code(&self.rules), Basis::Scored));
        if history.turns().iter().any(|turn| turn.guess == proposal.guess) {
            proposal = Proposal::new(search.rng.code(&self.rules), Basis::Scored);
        }
        if sample.consistent == 0 {
            let why = "no code that fits was found; this guess is informative about codes that nearly fit".to_owned();
            proposal.basis = Basis::BestEffort(why);
        }
        Ok(proposal)
    }

    /// Tries to find a consistent code by backtracking, or to prove that there is none, after sampling found none.
    fn prove(
        &self,
        sample: &Sample,
        history: &History,
        search: &mut Search<'_>,
    ) -> Option<Result<Proposal, StrategyError>> {
        let mut is_contradiction = sample.complete;
        if !is_contradiction && bits(&self.rules) <= self.settings.max_proof_bits {
            let steps = self.settings.max_proof_steps;
            match Backtrack::new(history).first(Order::AscendingFrom(None), steps, search) {
                (Some(guess), _) => return Some(Ok(Proposal::new(guess, Basis::Consistent))),
                (None, end) => is_contradiction = end == End::NoMore,
            }
        }
        is_contradiction.then_some(Err(StrategyError::NO_CODE_FITS))
    }

    /// Proposes the best guess for all candidates: of all guesses or, if there are too many, of a pool and a sample. The
    /// best ones of the pool are compared by all candidates.
    fn score_listed(&mut self, codes: &Table, history: &History, search: &mut Search<'_>) -> Proposal {
        let guesses = history.guesses();
        let position = Position { codes, guesses: &guesses };
        let (share, more) = (share(&self.settings, search), search.alternatives);
        let Some(scorer) = &mut self.scorer else { return Proposal::new(codes.code(0), Basis::Consistent) };
        if let Some(ranked) = scorer.best_of_all(position, share, more, search) {
            return self.propose(ranked, codes, history, search);
        }
        let sample = codes.select(&search.rng.sample(codes.len() as u32, scorer.sample_size()));
        let finalists = scorer.finalists(codes.len(), share);
        let sampled: Vec<Code> = sample.codes().collect();
        let ranked = self.rank(&sampled, history, finalists.max(more + 1) - 1, search);
        let Some(scorer) = self.scorer.as_mut().filter(|_| finalists > 1) else {
            let mut proposal = self.propose(ranked, &sample, history, search);
            for described in proposal.rated.iter_mut().chain(&mut proposal.alternatives) {
                described.expected_remaining *= codes.len() as f64 / sample.len() as f64;
            }
            return proposal;
        };
        let ranked = ranked.into_iter().take(finalists).collect();
        let ranked = scorer.best_exactly(codes, ranked, more);
        self.propose(ranked, codes, history, search)
    }

    /// Returns the best guess and up to `more` others for some codes, of these codes and variations of them.
    fn rank(&mut self, codes: &[Code], history: &History, more: usize, search: &mut Search<'_>) -> Vec<Code> {
        let share = share(&self.settings, search);
        let Some(scorer) = &mut self.scorer else { return codes[..1].to_vec() };
        let guesses = scorer.guesses_for(codes.len(), share);
        let pool = scoring::pool(&self.rules, codes, guesses, &mut search.rng);
        search.score((pool.len() * codes.len()) as u64);
        let is_consistent = |code: &Code| codes.binary_search(code).is_ok() || history.is_consistent(code);
        scorer.best(codes, pool, is_consistent, more)
    }

    /// Proposes the first of these guesses and the others as alternatives, rated on `codes`.
    fn propose(&mut self, ranked: Vec<Code>, codes: &Table, history: &History, search: &Search<'_>) -> Proposal {
        let mut ranked = ranked.into_iter().take(search.alternatives + 1);
        let Some(guess) = ranked.next() else { return Proposal::new(codes.code(0), Basis::Consistent) };
        let mut proposal = Proposal::new(guess, Basis::Scored);
        if let (Some(scorer), true) = (&mut self.scorer, search.alternatives > 0) {
            let mut describe = |guess: Code| {
                let consistent = history.is_consistent(&guess);
                scorer.describe(guess, consistent, codes)
            };
            proposal.alternatives = ranked.map(&mut describe).collect();
            proposal.rated = Some(describe(proposal.guess.clone()));
        }
        proposal
    }
}

/// Returns the share of the default work that fits the time limit, for work that does not check the clock.
fn share(settings: &Settings, search: &Search<'_>) -> f64 {
    search.limits().time.map_or(1.0, |time| (time.as_secs_f64() / settings.full_work_seconds).min(1.0))
}

/// Returns the binary logarithm of the number of codes.
fn bits(rules: &Rules) -> f64 {
    let choices = |used: usize| portable::ln(f64::from(rules.colors()) - used as f64);
    let cells = rules.cells();
    let nats = if rules.repeats() { cells as f64 * choices(0) } else { (0..cells).map(choices).sum() };
    nats / std::f64::consts::LN_2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_agree_with_the_number_of_codes() {
        for text in ["4x6", "4x10:no-repeats", "20x20", "31x31:no-repeats", "100x100", "60x90:no-repeats", "grid:4x4x6"]
        {
            let rules: Rules = text.parse().unwrap();
            let expected = Space::new(&rules).count().log10() * std::f64::consts::LOG2_10;
            assert!((bits(&rules) - expected).abs() < 1e-9 * expected, "{text}: {} != {expected}", bits(&rules));
        }
    }
}
