//! The one-step strategies: four criteria, and the settings of the papers that introduced them.

use std::sync::Arc;

use pegwise_game::partition::{MarkEncoding, Partitioner, SLOWDOWN_WITHOUT_KERNEL};
use pegwise_game::symmetry::Symmetry;
use pegwise_game::{Code, History, Rules, Space, Table};

use super::cost::{CostFunction, Criterion};
use super::horizon::Lookahead;
use super::solver::{Guesses, OneStepSolver, Ties};
use super::weighted::{OneStepConfig, WeightedOneStep};
use super::weighted_entropy;
use crate::candidates::{CandidateSet, CandidateTracker, listed};
use crate::device::{Device, DeviceError};
use crate::parameter::Parameter;
use crate::rng::Rng;
use crate::row::{Arguments, Build, Capability, Condition, Row, always};
use crate::search::{Search, Watch};
use crate::secrets::SecretList;
use crate::strategy::{Basis, Built, Position, PositionStrategy, Proposal, Proposed, Strategy, StrategyError};

const GUESSES: Parameter = Parameter::choice(
    "guesses",
    &["all", "consistent"],
    "codes that may be guessed: all, or only those consistent with the history",
);

pub(super) const FIRST: Parameter =
    Parameter::code_or("first", &["best"], "first guess: the best by the criterion of the strategy, or this code");

const TIES: Parameter =
    Parameter::choice("ties", &["consistent-lowest", "lowest", "random"], "order of equally good guesses");

/// Parameter for the bonus of a consistent guess, by default [`CONSISTENT_BONUS_BITS`](super::CONSISTENT_BONUS_BITS).
const BONUS: Parameter =
    Parameter::integer("bonus", 0..=64, "2", "bonus of a guess that can win at once, in bits summed over all codes");

const HORIZON: Parameter = Parameter::integer(
    "horizon",
    1..=3,
    "1",
    "number of turns to look ahead; positions of more than 100,000 pairs of guess and candidate look one turn ahead",
);

const PARAMETERS: &[Parameter] = &[GUESSES, FIRST, TIES];
const WITH_BONUS: &[Parameter] = &[GUESSES, FIRST, TIES, BONUS];
const WITH_HORIZON: &[Parameter] = &[GUESSES, FIRST, TIES, HORIZON];
const WITH_BOTH: &[Parameter] = &[GUESSES, FIRST, TIES, BONUS, HORIZON];

const NO_BONUS: &[(&str, &str)] = &[("bonus", "0")];
const CONSISTENT_NO_BONUS: &[(&str, &str)] = &[("guesses", "consistent"), ("bonus", "0")];
const CONSISTENT: &[(&str, &str)] = &[("guesses", "consistent")];

const BASE: Row = Row {
    family: "one-step",
    plays: "spaces of up to 10^13 codes on boards of up to 255 cells in up to 255 colors",
    parameters: PARAMETERS,
    capabilities: &[
        (Capability::Deterministic, |rules, arguments| !draws(arguments) && never_samples(rules)),
        (Capability::ByPosition, |rules, arguments| !draws(arguments) && fits_a_tree(rules)),
        (Capability::Secrets, always),
        (Capability::Lies, always),
    ],
    can_play: |rules| {
        Table::new(rules).is_ok() && Space::new(rules).count().exact().is_some_and(|count| count <= MAX_CODES)
    },
    ..Row::BLANK
};

/// Capabilities of the rows with a horizon. Above one turn, a strategy has no tree and plays no lists.
const ONE_TURN_AHEAD: &[(Capability, Condition)] = &[
    (Capability::Deterministic, |rules, arguments| !draws(arguments) && never_samples(rules)),
    (Capability::ByPosition, |rules, arguments| {
        !draws(arguments) && fits_a_tree(rules) && arguments.integer(HORIZON.name) == 1
    }),
    (Capability::Secrets, |_, arguments| arguments.integer(HORIZON.name) == 1),
    (Capability::Lies, always),
];

const KNUTH: &str = "D. E. Knuth, The computer as Master Mind, J. Recreational Mathematics 9(1), 1976-77";
const IRVING: &str = "R. W. Irving, Towards an optimum Mastermind strategy, J. Recreational Mathematics 11(2), 1978-79";
const NORVIG: &str = "P. Norvig, Playing Mastermind optimally, SIGART Newsletter 90, 1984";
const NEUWIRTH: &str = "E. Neuwirth, Some strategies for Mastermind, Zeitschrift für Operations Research B 26(8), 1982";
const BESTAVROS: &str =
    "A. Bestavros and A. Belal, Mastermind, a game of diagnosis strategies, Alexandria University, 1986";
const KOOI: &str = "B. Kooi, Yet another Mastermind strategy, ICGA Journal 28(1), 2005";

type Text = &'static str;

const fn row(name: Text, title: Text, paper: Text, build: Build, about: Text) -> Row {
    Row { name, title, paper, about, build, ..BASE }
}

/// Catalog rows of this family.
pub const ROWS: &[Row] = &[
    row(
        "worst-case",
        "Smallest largest part",
        KNUTH,
        WORST_CASE,
        "minimizes the largest number of codes that can remain",
    ),
    row(
        "expected-size",
        "Smallest expected size",
        IRVING,
        EXPECTED_SIZE,
        "minimizes the expected number of codes that remain",
    ),
    Row {
        parameters: WITH_BONUS,
        about: "maximizes the entropy of the feedback, with a small bonus for guesses that can win at once",
        ..row("entropy", "Largest entropy", NEUWIRTH, ENTROPY, "")
    },
    row("most-parts", "Most parts", KOOI, MOST_PARTS, "maximizes the number of possible feedbacks"),
    row("knuth", "Knuth", KNUTH, WORST_CASE, "worst-case over all codes: at most five guesses at 4x6"),
    row("irving", "Irving", IRVING, EXPECTED_SIZE, "expected-size over all codes"),
    Row { presets: CONSISTENT, ..row("norvig", "Norvig", NORVIG, WORST_CASE, "worst-case over consistent codes") },
    Row {
        parameters: WITH_BONUS,
        presets: NO_BONUS,
        about: "entropy over all codes, without the bonus for winning at once",
        ..row("neuwirth", "Neuwirth", NEUWIRTH, ENTROPY, "")
    },
    Row {
        parameters: WITH_BOTH,
        presets: CONSISTENT_NO_BONUS,
        capabilities: ONE_TURN_AHEAD,
        about: "entropy over consistent codes; its authors count guesses until one code is left",
        ..row("bestavros-max-entropy", "Bestavros & Belal, MaxEnt", BESTAVROS, ENTROPY_AHEAD, "")
    },
    Row {
        parameters: WITH_HORIZON,
        presets: CONSISTENT,
        capabilities: ONE_TURN_AHEAD,
        about: "worst-case over consistent codes; its authors count guesses until one code is left",
        ..row("bestavros-max-min", "Bestavros & Belal, MaxMin", BESTAVROS, WORST_CASE_AHEAD, "")
    },
    row("kooi", "Kooi", KOOI, MOST_PARTS, "most-parts over all codes"),
    weighted_entropy::ROW,
];

const WORST_CASE: Build = |name, rules, arguments| build(name, Criterion::WorstCase, 1, rules, arguments);
const EXPECTED_SIZE: Build = |name, rules, arguments| build(name, Criterion::ExpectedSize, 1, rules, arguments);
const ENTROPY: Build = |name, rules, arguments| build(name, Criterion::Entropy, 1, rules, arguments);
const MOST_PARTS: Build = |name, rules, arguments| build(name, Criterion::MostParts, 1, rules, arguments);
const WORST_CASE_AHEAD: Build =
    |name, rules, arguments| build(name, Criterion::WorstCase, arguments.integer(HORIZON.name), rules, arguments);
const ENTROPY_AHEAD: Build =
    |name, rules, arguments| build(name, Criterion::Entropy, arguments.integer(HORIZON.name), rules, arguments);

/// Largest space in which listing or sampling by backtracking is reliable.
const MAX_CODES: u128 = 10u128.pow(13);

fn draws(arguments: &Arguments) -> bool {
    arguments.text(TIES.name) == "random"
}

struct OneStep {
    rules: Rules,
    first: Option<Code>,
    remaining: CandidateTracker,
    solver: OneStepSolver,
    /// The best first guess, once computed.
    opening: Option<Code>,
    /// Number of turns whose information is maximized.
    horizon: u64,
    partitioner: Partitioner,
}

/// Maximum number of pairs of guess and candidate per guess: about one second.
pub(super) const MAX_PAIRS: usize = 2_000_000_000;
const SAMPLED_CODES: usize = 8192;
const SAMPLED_GUESSES: usize = 20_000;

fn build(name: &'static str, criterion: Criterion, horizon: u64, rules: &Rules, arguments: &Arguments) -> Built {
    let guesses = match arguments.text("guesses") {
        "consistent" => Guesses::Consistent,
        _ => Guesses::All,
    };
    let ties = match arguments.text("ties") {
        "lowest" => Ties::LowestCandidate,
        "random" => Ties::Random,
        _ => Ties::ConsistentLowest,
    };
    if horizon > 1 && guesses == Guesses::All {
        return Err(StrategyError::unplayable(
            name,
            rules,
            &"horizon=2 and horizon=3 look at consistent guesses only; add guesses=consistent",
        ));
    }
    // Only entropy has this parameter.
    let bonus = if criterion == Criterion::Entropy { arguments.integer("bonus") } else { 0 };
    let remaining = CandidateTracker::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
    Ok(Box::new(OneStep {
        rules: rules.clone(),
        first: arguments.code("first", rules),
        remaining,
        solver: OneStepSolver::new(rules, CostFunction::new(criterion, bonus), guesses, ties),
        opening: None,
        horizon,
        partitioner: Partitioner::new(rules),
    }))
}

fn slowdown(rules: &Rules, has_kernel: bool) -> usize {
    if has_kernel { 1 } else { SLOWDOWN_WITHOUT_KERNEL * rules.board().line_count() }
}

/// Returns true if all pairs of codes can be evaluated, so that nothing is sampled.
fn never_samples(rules: &Rules) -> bool {
    let max_pairs = MAX_PAIRS / slowdown(rules, MarkEncoding::new(rules).is_some());
    let codes = Space::new(rules).count().exact().filter(|_| listed::is_listable(rules));
    codes.is_some_and(|codes| codes.saturating_mul(codes) <= max_pairs as u128)
}

/// Returns true if the space can be listed for building a tree, however long that takes.
fn fits_a_tree(rules: &Rules) -> bool {
    Space::new(rules).count().exact().is_some_and(|codes| codes <= Table::MAX_CODES.into())
}

impl Strategy for OneStep {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        if let (true, Some(first)) = (history.is_empty(), &self.first) {
            let remaining = Some(Space::new(&self.rules).count());
            return Ok(Proposal { remaining, ..Proposal::new(first.clone(), Basis::Scored) });
        }
        let view = self.remaining.after(history, search)?;
        if view.codes.is_empty() {
            return Ok(Proposal::last_resort(&self.rules, view.stop, search));
        }
        let guesses = history.guesses();
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
        if self.horizon > 1 {
            return None;
        }
        let config = OneStepConfig {
            criterion: self.solver.cost_function.criterion(),
            guesses: self.solver.guesses,
            ties: self.solver.ties,
            first: self.first.clone(),
            bonus: self.solver.cost_function.bonus_bits(),
        };
        Some(Box::new(WeightedOneStep::new(secrets, config)?))
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        let listed = fits_a_tree(&self.rules) && self.solver.ties != Ties::Random && self.horizon == 1;
        let by_position = || OnPosition { first: self.first.clone(), solver: self.solver.clone() };
        listed.then(|| Box::new(by_position()) as Box<dyn PositionStrategy>)
    }
}

impl OneStep {
    /// Returns the maximum number of pairs within the time limit of a guess. Depends on the limit and not on the clock,
    /// so that games are reproducible.
    fn max_pairs(&self, search: &Search<'_>) -> usize {
        let share = search.limits().time.map_or(1.0, |time| (time.as_secs_f64() / 4.0).min(1.0));
        (MAX_PAIRS as f64 * share) as usize / slowdown(&self.rules, self.solver.has_kernel())
    }

    /// Evaluates every guess against every candidate; `None` if there are too many pairs.
    fn exact(&mut self, view: &CandidateSet, guesses: &[Code], search: &mut Search<'_>) -> Option<Proposal> {
        let codes = &view.codes;
        let max_pairs = self.max_pairs(search);
        let position = Position { codes, guesses };
        let all = self.solver.guesses == Guesses::All;
        if !view.complete || all && self.remaining.all().is_none() {
            return None;
        }
        // Checked first, because listing a pool that is too large takes long.
        if !guesses.is_empty() && codes.len().saturating_mul(codes.len()) > max_pairs {
            return None;
        }
        let pool = if all { self.solver.pool(position) } else { Arc::clone(codes) };
        if pool.len().saturating_mul(codes.len()) > max_pairs {
            return None;
        }
        // A cached opening counts like a computed one: the counters of a game do not depend on earlier games.
        search.score((pool.len() * codes.len()) as u64);
        let guess = match &self.opening {
            Some(opening) if guesses.is_empty() && self.solver.ties != Ties::Random => opening.clone(),
            _ => match self.look_ahead(position, search) {
                Some(guess) => guess,
                None => self.solver.choose(position, &mut search.rng),
            },
        };
        if guesses.is_empty() && search.watch().stop().is_none() {
            self.opening = Some(guess.clone());
        }
        let mut proposal = Proposal::new(guess, Basis::Scored);
        // Costs of one turn do not explain a guess that looks further ahead.
        if search.alternatives > 0 && self.horizon == 1 {
            let is_consistent = |code: &Code| codes.codes().any(|other| other == *code);
            let ranked = self.solver.rank(codes, &pool, is_consistent, search.alternatives + 1);
            self.compare(&mut proposal, ranked, codes, search.alternatives);
        }
        Some(proposal)
    }

    /// Returns the best candidate after the turns of the horizon; `None` if it is one turn or there are too many codes.
    fn look_ahead(&mut self, position: Position<'_>, search: &mut Search<'_>) -> Option<Code> {
        if self.horizon == 1 {
            return None;
        }
        let openings =
            || Table::from_codes(&self.rules, &Symmetry::new(&self.rules, []).representatives().collect::<Vec<_>>());
        let guesses = if position.guesses.is_empty() { openings().ok()? } else { position.codes.clone() };
        let function = &mut self.solver.cost_function;
        function.prepare(position.codes.len());
        let mut lookahead = Lookahead { function, partitioner: &mut self.partitioner, search, stopped: false };
        let best = lookahead.best(&guesses, position.codes, self.horizon)?;
        let chosen = if self.solver.ties == Ties::Random { search.rng.index(best.len()) } else { 0 };
        Some(guesses.code(best[chosen]))
    }

    /// Evaluates a sample of the guesses against a sample of the candidates.
    fn sampled(&mut self, view: &CandidateSet, history: &History, search: &mut Search<'_>) -> Proposal {
        let sample = search.rng.sample(view.codes.len() as u32, SAMPLED_CODES);
        let codes = view.codes.select(&sample);
        let guesses = (self.max_pairs(search) / 4 / codes.len()).clamp(1, SAMPLED_GUESSES);
        let pool = self.sampled_pool(view, history, guesses, &mut search.rng);
        search.score((pool.len() * codes.len()) as u64);
        let consistent = |code: &Code| history.is_consistent(code);
        let ranked = self.solver.rank(&codes, &pool, consistent, search.alternatives + 1);
        let guess = ranked.first().cloned().unwrap_or_else(|| codes.code(0));
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

    /// Samples consistent guesses and, if the strategy may guess any code, as many arbitrary ones.
    fn sampled_pool(&self, view: &CandidateSet, history: &History, guesses: usize, rng: &mut Rng) -> Table {
        let all = self.solver.guesses == Guesses::All;
        let mut codes: Vec<Code> = Vec::new();
        if history.is_empty() && all {
            codes.extend(Symmetry::new(&self.rules, []).representatives().take(guesses));
        } else {
            let fitting = if all { guesses.div_ceil(2) } else { guesses };
            codes.extend(rng.sample(view.codes.len() as u32, fitting).iter().map(|&row| view.codes.code(row as usize)));
            // With one or two candidates, no other guess is better.
            if all && view.codes.len() > 2 {
                codes.extend((0..guesses / 2).map(|_| rng.code(&self.rules)));
            }
        }
        codes.sort_unstable();
        codes.dedup();
        Table::from_codes(&self.rules, &codes).unwrap_or_else(|_| (*view.codes).clone())
    }

    /// Adds the rating of the guess and of the best alternatives to a proposal.
    fn compare(&mut self, proposal: &mut Proposal, ranked: Vec<Code>, codes: &Table, count: usize) {
        let mut describe = |guess: Code| {
            let consistent = codes.codes().any(|code| code == guess);
            self.solver.describe(guess, consistent, codes)
        };
        let others = ranked.into_iter().filter(|guess| *guess != proposal.guess);
        proposal.alternatives = others.take(count).map(&mut describe).collect();
        proposal.rated = Some(describe(proposal.guess.clone()));
    }
}

/// Creates a position strategy over all guesses, without a bonus.
pub fn on_position(rules: &Rules, criterion: Criterion, first: Option<Code>) -> Box<dyn PositionStrategy> {
    let solver = OneStepSolver::new(rules, CostFunction::new(criterion, 0), Guesses::All, Ties::ConsistentLowest);
    Box::new(OnPosition { first, solver })
}

struct OnPosition {
    first: Option<Code>,
    solver: OneStepSolver,
}

impl PositionStrategy for OnPosition {
    fn choose(&mut self, position: Position<'_>) -> Code {
        self.choose_within(position, Watch::default())
    }

    fn choose_within(&mut self, position: Position<'_>, watch: Watch<'_>) -> Code {
        match &self.first {
            Some(first) if position.guesses.is_empty() => first.clone(),
            // Ties are not random here, so the generator is not used.
            _ => self.solver.choose_within(position, &mut Rng::new(0), watch),
        }
    }

    fn prefers_batches(&self) -> bool {
        self.solver.has_device()
    }

    fn choose_batch(&mut self, positions: &[Position<'_>], watch: Watch<'_>) -> Vec<Code> {
        match (&self.first, positions) {
            (Some(first), [root]) if root.guesses.is_empty() => vec![first.clone()],
            _ => self.solver.choose_batch(positions, watch),
        }
    }

    fn use_device(&mut self, device: Arc<dyn Device>) -> bool {
        self.solver.use_device(device)
    }

    fn device_error(&self) -> Option<DeviceError> {
        self.solver.device_error()
    }

    fn scored(&self) -> u64 {
        self.solver.scored()
    }

    fn duplicate(&self) -> Box<dyn PositionStrategy> {
        Box::new(Self { first: self.first.clone(), solver: self.solver.clone() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_default_bonus_is_the_constant() {
        assert_eq!(BONUS.default, super::super::CONSISTENT_BONUS_BITS.to_string());
    }
}
