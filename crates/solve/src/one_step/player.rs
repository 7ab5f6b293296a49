//! A one-step strategy in a game.

use std::sync::Arc;

use pegwise_game::{Code, History, Rules, Space, Table, partition::Coding, symmetry::Symmetry};

use super::{
    chooser::{Guesses, OneStepSolver, Priced, Ties},
    criterion::{CostFunction, Criterion},
    weighted::{OneStepConfig, Weighted},
};
use crate::{
    candidates::{Remaining, View, listed},
    device::{Device, DeviceError},
    rng::Rng,
    search::{Search, Watch},
    secrets::SecretList,
    spec::Arguments,
    strategy::{Basis, Built, Position, PositionStrategy, Proposal, Strategy, StrategyError},
};

struct OneStep {
    rules: Rules,
    first: Option<Code>,
    remaining: Remaining,
    chooser: OneStepSolver,
    /// The best first guess, once it was looked for.
    opening: Option<Code>,
}

/// The most pairs that are priced for one guess in a game: about a second's work.
const MAX_PAIRS: usize = 2_000_000_000;
/// How much longer each line of a pair takes on boards without a kernel.
const SLOWDOWN_WITHOUT_KERNEL: usize = 100;
/// The most codes of a sample that guesses are priced against.
const SAMPLED_CODES: usize = 8192;
/// The most guesses of a sample.
const SAMPLED_GUESSES: usize = 20_000;

pub(super) fn build(name: &'static str, criterion: Criterion, rules: &Rules, arguments: &Arguments) -> Built {
    let guesses = match arguments.text("guesses") {
        "consistent" => Guesses::Consistent,
        _ => Guesses::All,
    };
    let ties = match arguments.text("ties") {
        "lowest" => Ties::Lowest,
        "random" => Ties::Random,
        _ => Ties::ConsistentLowest,
    };
    // Only entropy has this parameter.
    let bonus = if criterion == Criterion::Entropy { arguments.integer("bonus") } else { 0 };
    let remaining = Remaining::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
    Ok(Box::new(OneStep {
        rules: rules.clone(),
        first: arguments.code("first", rules),
        remaining,
        chooser: OneStepSolver::new(rules, CostFunction::new(criterion, bonus), guesses, ties),
        opening: None,
    }))
}

fn slowdown(rules: &Rules, has_kernel: bool) -> usize {
    if has_kernel { 1 } else { SLOWDOWN_WITHOUT_KERNEL * rules.board().line_count() }
}

/// Whether all pairs of codes can be priced in a game, so that nothing is ever drawn.
pub(super) fn never_samples(rules: &Rules) -> bool {
    let most = MAX_PAIRS / slowdown(rules, Coding::new(rules).is_some());
    let codes = Space::new(rules).count().exact().filter(|_| listed::is_listable(rules));
    codes.is_some_and(|codes| codes.saturating_mul(codes) <= most as u128)
}

/// Whether the space can be listed as a tree needs it, however long that takes.
pub(super) fn fits_a_tree(rules: &Rules) -> bool {
    Space::new(rules).count().exact().is_some_and(|codes| codes <= Table::MAX_CODES.into())
}

impl Strategy for OneStep {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        if let (true, Some(first)) = (history.is_empty(), &self.first) {
            let remaining = Some(Space::new(&self.rules).count());
            return Ok(Proposal { remaining, ..Proposal::new(first.clone(), Basis::Scored) });
        }
        let view = self.remaining.after(history, search)?;
        if view.codes.is_empty() {
            return Ok(Proposal::last_resort(&self.rules, view.stop, search));
        }
        let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess.clone()).collect();
        let mut proposal = match self.exact(&view, &guesses, search) {
            Some(proposal) => proposal,
            None => self.sampled(&view, history, search),
        };
        proposal.remaining = view.count;
        if view.complete && view.codes.len() == 1 {
            proposal.basis = Basis::Proven;
        }
        Ok(proposal)
    }

    fn for_secrets(&self, secrets: &Arc<SecretList>) -> Option<Box<dyn Strategy>> {
        let manner = OneStepConfig {
            criterion: self.chooser.pricing().criterion(),
            guesses: self.chooser.guesses(),
            ties: self.chooser.ties(),
            first: self.first.clone(),
            bonus: self.chooser.pricing().bonus_bits(),
        };
        Some(Box::new(Weighted::new(secrets, manner)?))
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        let listed = fits_a_tree(&self.rules) && self.chooser.ties() != Ties::Random;
        let by_position = || OnPosition { first: self.first.clone(), chooser: self.chooser.clone() };
        listed.then(|| Box::new(by_position()) as Box<dyn PositionStrategy>)
    }
}

impl OneStep {
    /// How many pairs may be priced within the time of a guess. By the limit, not by the clock, so that a game can be
    /// repeated.
    fn most_pairs(&self, search: &Search<'_>) -> usize {
        let share = search.limits().time.map_or(1.0, |time| (time.as_secs_f64() / 4.0).min(1.0));
        (MAX_PAIRS as f64 * share) as usize / slowdown(&self.rules, self.chooser.has_kernel())
    }

    /// The guess that every code of the pool and every code still possible have a say in, where there are not too many.
    fn exact(&mut self, view: &View, guesses: &[Code], search: &mut Search<'_>) -> Option<Proposal> {
        let codes = &view.codes;
        let most = self.most_pairs(search);
        let position = Position { codes, guesses };
        let all = self.chooser.guesses() == Guesses::All;
        if !view.complete || all && self.remaining.all().is_none() {
            return None;
        }
        // Cheaper to ask first than to list a pool that is too large.
        if !guesses.is_empty() && codes.len().saturating_mul(codes.len()) > most {
            return None;
        }
        let pool = if all { self.chooser.pool(position) } else { Arc::clone(codes) };
        if pool.len().saturating_mul(codes.len()) > most {
            return None;
        }
        // A remembered opening counts like one that was looked for: what a game costs does not depend on the games before.
        search.score((pool.len() * codes.len()) as u64);
        let guess = match &self.opening {
            Some(opening) if guesses.is_empty() && self.chooser.ties() != Ties::Random => opening.clone(),
            _ => self.chooser.choose(position, &mut search.rng),
        };
        if guesses.is_empty() {
            self.opening = Some(guess.clone());
        }
        let mut proposal = Proposal::new(guess, Basis::Scored);
        if search.alternatives > 0 {
            let is_consistent = |code: &Code| codes.codes().any(|other| other == *code);
            let ranked = self.chooser.rank(codes, &pool, is_consistent, search.alternatives + 1);
            self.compare(&mut proposal, ranked, codes, search.alternatives);
        }
        Some(proposal)
    }

    /// The best of a sample of guesses against a sample of codes.
    fn sampled(&mut self, view: &View, history: &History, search: &mut Search<'_>) -> Proposal {
        let sample = search.rng.sample(view.codes.len() as u32, SAMPLED_CODES);
        let codes = view.codes.select(&sample);
        let guesses = (self.most_pairs(search) / 4 / codes.len()).clamp(1, SAMPLED_GUESSES);
        let pool = self.sampled_pool(view, history, guesses, &mut search.rng);
        search.score((pool.len() * codes.len()) as u64);
        let consistent = |code: &Code| history.is_consistent(code);
        let ranked = self.chooser.rank(&codes, &pool, consistent, search.alternatives + 1);
        let guess = ranked.first().map_or_else(|| codes.code(0), |best| best.guess.clone());
        let basis = if view.complete && codes.len() == view.codes.len() {
            Basis::Scored
        } else {
            Basis::BestEffort(format!("the best of {} guesses against a sample of {} codes", pool.len(), codes.len()))
        };
        let mut proposal = Proposal::new(guess, basis);
        if search.alternatives > 0 {
            self.compare(&mut proposal, ranked, &codes, search.alternatives);
        }
        proposal
    }

    /// Codes that fit the history, and as many others where the strategy may guess them.
    fn sampled_pool(&self, view: &View, history: &History, guesses: usize, rng: &mut Rng) -> Table {
        let all = self.chooser.guesses() == Guesses::All;
        let mut codes: Vec<Code> = Vec::new();
        if history.is_empty() && all {
            codes.extend(Symmetry::new(&self.rules, []).representatives().take(guesses));
        } else {
            let fitting = if all { guesses.div_ceil(2) } else { guesses };
            codes.extend(rng.sample(view.codes.len() as u32, fitting).iter().map(|&row| view.codes.code(row as usize)));
            // Of one or two codes, no other guess is better.
            if all && view.codes.len() > 2 {
                codes.extend((0..guesses / 2).map(|_| rng.code(&self.rules)));
            }
        }
        codes.sort_unstable();
        codes.dedup();
        Table::from_codes(&self.rules, &codes).unwrap_or_else(|_| (*view.codes).clone())
    }

    /// Tells how a guess and those next to it compare.
    fn compare(&mut self, proposal: &mut Proposal, ranked: Vec<Priced>, codes: &Table, most: usize) {
        let mut describe = |guess: Code| {
            let consistent = codes.codes().any(|code| code == guess);
            self.chooser.describe(guess, consistent, codes)
        };
        let others = ranked.into_iter().map(|priced| priced.guess).filter(|guess| *guess != proposal.guess);
        proposal.alternatives = others.take(most).map(&mut describe).collect();
        proposal.rated = Some(describe(proposal.guess.clone()));
    }
}

/// A one-step strategy over all codes as a function of the position, without a bonus.
pub(crate) fn on_position(rules: &Rules, criterion: Criterion, first: Option<Code>) -> Box<dyn PositionStrategy> {
    let chooser = OneStepSolver::new(rules, CostFunction::new(criterion, 0), Guesses::All, Ties::ConsistentLowest);
    Box::new(OnPosition { first, chooser })
}

/// A one-step strategy as a function of the position.
struct OnPosition {
    first: Option<Code>,
    chooser: OneStepSolver,
}

impl PositionStrategy for OnPosition {
    fn choose(&mut self, position: Position<'_>) -> Code {
        self.choose_within(position, Watch::default())
    }

    fn choose_within(&mut self, position: Position<'_>, watch: Watch<'_>) -> Code {
        match &self.first {
            Some(first) if position.guesses.is_empty() => first.clone(),
            // Ties are never random here, so nothing is drawn.
            _ => self.chooser.choose_within(position, &mut Rng::new(0), watch),
        }
    }

    fn prefers_batches(&self) -> bool {
        self.chooser.has_device()
    }

    fn choose_batch(&mut self, positions: &[Position<'_>], watch: Watch<'_>) -> Vec<Code> {
        match (&self.first, positions) {
            (Some(first), [root]) if root.guesses.is_empty() => vec![first.clone()],
            _ => self.chooser.choose_batch(positions, watch),
        }
    }

    fn use_device(&mut self, device: Arc<dyn Device>) -> bool {
        self.chooser.use_device(device)
    }

    fn device_error(&self) -> Option<DeviceError> {
        self.chooser.device_error()
    }

    fn scored(&self) -> u64 {
        self.chooser.scored()
    }

    fn duplicate(&self) -> Box<dyn PositionStrategy> {
        Box::new(Self { first: self.first.clone(), chooser: self.chooser.clone() })
    }
}
