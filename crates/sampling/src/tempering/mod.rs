//! Samples of consistent codes by parallel tempering.
//!
//! The energy of a code is the sum of its residuals over turns and lines, absolute or squared; if the rules allow lies,
//! the turns with the largest energies are ignored. A move recolors a cell or swaps two. Its energy is computed by one
//! branch-free, vectorized pass over the turns for each line that it changes, whatever the number of cells
//! (`constraints`, `chain`, `kernel`). Colors that a single mark excludes are never proposed.
//!
//! Replicas at increasing temperatures exchange their codes, and propose colors by the observed marginals, corrected by
//! the Hastings ratio (`replicas`). At a given temperature codes of equal energy are then visited equally often in the
//! long run, so the consistent codes found are approximately a uniform sample. After a turn the replicas resume from their
//! codes, most of which are still nearly consistent. Several replica sets run in parallel with their own random
//! generators; the result depends on the number of moves and not on their timing. Supports every feedback kind whose marks
//! are sums over the cells of a line, every board and repeat rule.
//!
//! Cost: about twenty nanoseconds per move up to 32 turns. Limits: if very few codes of a large space are consistent, no
//! replica finds them in reasonable time, and the codes of the coldest replicas approximate them.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda and A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, Parallel Problem Solving from Nature IV, 1996.
//! - K. Hukushima and K. Nemoto, Exchange Monte Carlo method and application to spin glass simulations, Journal of the
//!   Physical Society of Japan 65, 1996.
//! - W. K. Hastings, Monte Carlo sampling methods using Markov chains and their applications, Biometrika 57, 1970.

mod chain;
mod constraints;
mod kernel;
mod replicas;

use std::collections::BTreeSet;

use pegwise_game::{Code, Color, History, Rules};

use self::constraints::{ConstraintMatrix, Target, fits_i8};
use self::kernel::Number;
use self::replicas::{ALL_MOVES, AcceptanceTable, Epoch, ProposalDistribution, ReplicaSet};
use pegwise_search::{Rng, Search, Watch, parallel, portable};

/// Limits of one call of [`TemperingSampler::sample`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Number of different codes to find.
    pub codes: usize,
    /// Number of moves to try.
    pub moves: u64,
}

/// Result of [`TemperingSampler::sample`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TemperingSample {
    /// Different consistent codes, ascending.
    pub codes: Vec<Code>,
    /// Codes of the coldest replicas, with their energies.
    pub near: Vec<(i64, Code)>,
    /// The code with the lowest energy.
    pub closest: Code,
    /// True if the codes were sampled so often that there are probably no others.
    pub complete: bool,
}

/// Parameters of parallel tempering.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TemperingConfig {
    /// Number of replica sets, which run in parallel.
    pub replica_sets: usize,
    /// Number of replicas per set. Their temperatures form a geometric sequence.
    pub replicas: usize,
    /// Temperature of the coldest replica, in pegs or squared pegs; scaled for distances.
    pub min_temperature: f64,
    /// Initial temperature of the hottest replica.
    pub max_temperature: f64,
    /// Acceptance rate below which the hottest replica is heated. After many turns, replicas that are too cold never
    /// leave their basin.
    pub target_acceptance: f64,
    /// Maximum temperature to which the hottest replica is heated.
    pub heating_limit: f64,
    /// True if the energy sums squared residuals. With absolute ones, a code that is off by one in many turns has the
    /// same energy as one that is far off in a few, and on large boards all replicas end in the wrong basins of the
    /// former.
    pub squared: bool,
    /// Number of moves of a replica between exchanges, per cell.
    pub moves_per_cell: u64,
    /// Number of uniform proposals per 256; the others are drawn from the marginal of the cell.
    pub uniform_proposals: u64,
    /// Number of swaps per 256 moves; the others recolor a cell.
    pub swaps: u64,
    /// Number of moves between independent samples of a replica, per cell.
    pub spacing_per_cell: u64,
    /// Number of coldest replicas whose codes approximate consistent ones.
    pub near_replicas: usize,
    /// Factor by which observed marginals decay after each epoch.
    pub marginal_decay: f32,
    /// Number of samples after which the codes found are considered complete, relative to the expected number for finding
    /// all of them.
    pub coverage: f64,
    /// Share of the moves to try before the codes found are considered complete.
    pub min_share: f64,
    /// Maximum number of moves that `min_share` requires.
    pub min_moves: u64,
}

/// Maximum length of a line for which the energy sums absolute residuals.
const MAX_ABSOLUTE: usize = 34;

impl TemperingConfig {
    /// Returns the default parameters for sampling codes of these rules.
    pub fn new(rules: &Rules) -> Self {
        let squared = rules.board().longest_line() > MAX_ABSOLUTE;
        let (replicas, min_temperature, max_temperature) = match (squared, rules.board().is_row()) {
            (true, _) => (8, 0.4, 4.0),
            (false, true) => (6, 0.28, 0.8),
            // A cell is on several lines, so a move changes the energy more.
            (false, false) => (6, 0.35, 1.0),
        };
        Self {
            replica_sets: 2,
            replicas,
            min_temperature,
            max_temperature,
            target_acceptance: 0.1,
            heating_limit: 40.0 * max_temperature,
            squared,
            moves_per_cell: 5,
            uniform_proposals: 40,
            swaps: 128,
            spacing_per_cell: 10,
            near_replicas: 2,
            marginal_decay: 0.7,
            coverage: 3.0,
            min_share: 0.125,
            min_moves: 1_000_000,
        }
    }

    /// Returns the default parameters for sampling color counts.
    pub fn of_counts(rules: &Rules) -> Self {
        Self {
            replicas: 8,
            min_temperature: 0.3,
            max_temperature: 1.5,
            target_acceptance: 0.0,
            squared: false,
            swaps: 0,
            ..Self::new(rules)
        }
    }
}

/// Samples codes consistent with `history`, which [must be supported](TemperingSampler::supports), from `start`. Moves
/// count as examined codes.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_sampling::tempering::{self, Effort};
/// use pegwise_search::Search;
/// let rules: Rules = "12x12".parse().unwrap();
/// let history = History::parse(&rules, ["AABBCCDDEEFF=2,4", "GGHHAABBIIJJ=1,5"]).unwrap();
/// let mut search = Search::new(1);
/// let start = search.rng.code(&rules);
/// let sample = tempering::sample(&history, &start, Effort { codes: 20, moves: 1_000_000 }, &mut search);
/// assert!(sample.codes.len() >= 20);
/// assert!(sample.codes.iter().all(|code| history.is_consistent(code)));
/// ```
pub fn sample(history: &History, start: &Code, effort: Effort, search: &mut Search<'_>) -> TemperingSample {
    let rules = history.rules();
    let mut sampler = TemperingSampler::new(rules, TemperingConfig::new(rules), &mut search.rng);
    sampler.start_at(start);
    sampler.sample(history, effort, search.watch(), search)
}

/// Parallel tempering through a game: the replicas resume from turn to turn.
#[derive(Debug, Clone)]
pub struct TemperingSampler {
    rules: Rules,
    config: TemperingConfig,
    target: Target,
    /// For each replica set, the codes of its replicas, the coldest first, and its random generator.
    replica_sets: Vec<(Vec<Code>, Rng)>,
    /// Decayed number of observations of the color, for each cell and color.
    observed: Vec<f32>,
    /// Current temperature of the hottest replica.
    max_temperature: f64,
    /// True if moves only swap cells.
    fixed_colors: bool,
}

impl TemperingSampler {
    /// Returns true if marks of these rules are sums over the cells of a line.
    pub fn supports(rules: &Rules) -> bool {
        rules.feedback().model().is_aggregate()
    }

    /// Creates a sampler of codes, with replicas at random codes.
    pub fn new(rules: &Rules, config: TemperingConfig, rng: &mut Rng) -> Self {
        Self::with_target(rules, config, Target::Codes, rng)
    }

    /// Creates a sampler of color counts. It represents them by codes with sorted colors.
    pub fn of_counts(rules: &Rules, config: TemperingConfig, rng: &mut Rng) -> Self {
        Self::with_target(rules, config, Target::ColorCounts, rng)
    }

    fn with_target(rules: &Rules, config: TemperingConfig, target: Target, rng: &mut Rng) -> Self {
        let replica_set = |_| {
            let mut rng = Rng::new(rng.word());
            let codes = (0..config.replicas).map(|_| rng.code(rules)).collect();
            (codes, rng)
        };
        Self {
            rules: rules.clone(),
            config,
            target,
            replica_sets: (0..config.replica_sets).map(replica_set).collect(),
            observed: vec![0.0; rules.cells() * usize::from(rules.colors())],
            max_temperature: config.max_temperature,
            fixed_colors: false,
        }
    }

    /// Moves all replicas to `start`.
    pub fn start_at(&mut self, start: &Code) {
        self.replica_sets.iter_mut().flat_map(|(codes, _)| codes).for_each(|code| *code = start.clone());
    }

    /// Allows moves to change the color counts again.
    pub fn release_colors(&mut self) {
        self.fixed_colors = false;
    }

    /// Gives all replicas the color counts of `counts`, with as few changes as possible, and fixes them.
    pub fn fix_colors(&mut self, counts: &Code) {
        self.fixed_colors = true;
        let counts = counts_of(&self.rules, counts);
        for (codes, rng) in &mut self.replica_sets {
            codes.iter_mut().for_each(|code| set_color_counts(code, counts.clone(), rng));
        }
    }

    /// Gives each replica whose color counts do not explain the number of pegs of every turn the nearest of the color
    /// counts in `counts`. For boards with a single line.
    pub fn repair_colors(&mut self, history: &History, counts: &[Code]) {
        let rules = &self.rules;
        let counts: Vec<Vec<i32>> = counts.iter().map(|code| counts_of(rules, code)).collect();
        let turns: Vec<(Vec<i32>, i32)> = history
            .turns()
            .iter()
            .map(|turn| (counts_of(rules, &turn.guess), turn.feedback.marks()[0].sums()[1] as i32))
            .collect();
        for (codes, rng) in &mut self.replica_sets {
            for code in codes {
                let own = counts_of(rules, code);
                if turns.iter().all(|(guess, pegs)| common_pegs(&own, guess) == *pegs) {
                    continue;
                }
                let distance = |counts: &&Vec<i32>| code.len() as i32 - common_pegs(counts, &own);
                if let Some(nearest) = counts.iter().min_by_key(distance) {
                    set_color_counts(code, nearest.clone(), rng);
                }
            }
        }
    }

    /// Resumes the replicas until `effort` is reached or `watch` stops them. Moves count as examined codes.
    pub fn sample(
        &mut self,
        history: &History,
        effort: Effort,
        watch: Watch<'_>,
        search: &mut Search<'_>,
    ) -> TemperingSample {
        let effort = Effort { moves: effort.moves.min(search.examined_left()), ..effort };
        let (sample, moves) = match self.rules.feedback().model().cell.is_count() {
            false => self.sample_with::<i64, 8>(history, effort, watch),
            true if fits_i8(&self.rules) => self.sample_with::<i8, 32>(history, effort, watch),
            true => self.sample_with::<i16, 16>(history, effort, watch),
        };
        search.add_examined(moves);
        search.find(sample.codes.len() as u64);
        sample
    }

    fn sample_with<N: Number, const L: usize>(
        &mut self,
        history: &History,
        effort: Effort,
        watch: Watch<'_>,
    ) -> (TemperingSample, u64) {
        let matrix = ConstraintMatrix::<N, L>::new(history, self.config.squared, self.target);
        if matrix.domains.is_empty() {
            let closest = self.replica_sets[0].0[0].clone();
            return (TemperingSample { codes: Vec::new(), near: Vec::new(), closest, complete: true }, 0);
        }
        let sets = self.replica_sets.iter();
        let mut sets: Vec<ReplicaSet<N, L>> =
            sets.map(|(codes, rng)| ReplicaSet::new(&matrix, codes, self.fixed_colors, rng.clone())).collect();
        let (found, complete) = self.run(&matrix, &mut sets, effort, watch);
        let near: Vec<(i64, Code)> = sets.iter_mut().flat_map(|set| std::mem::take(&mut set.near)).collect();
        let nearest = near.iter().min().map(|(_, code)| code);
        let closest = found.first().or(nearest).unwrap_or(&self.replica_sets[0].0[0]).clone();
        let moves = sets.iter().map(|set| set.moves).sum();
        self.replica_sets = sets.into_iter().map(ReplicaSet::into_codes).collect();
        (TemperingSample { codes: found.into_iter().collect(), near, closest, complete }, moves)
    }

    fn acceptance_tables(&self, energy_scale: f64) -> Vec<AcceptanceTable> {
        let TemperingConfig { replicas, min_temperature, .. } = self.config;
        let steps = (replicas.max(2) - 1) as f64;
        let factor = portable::exp(portable::ln(self.max_temperature / min_temperature) / steps);
        let coldest = min_temperature * energy_scale;
        let temperatures = std::iter::successors(Some(coldest), |temperature| Some(temperature * factor));
        temperatures.take(replicas).map(AcceptanceTable::new).collect()
    }

    /// Runs epochs. After each, merges the codes and marginals of the replica sets; ends when there are enough codes or
    /// probably no others. Returns the codes, and whether they are probably complete.
    fn run<N: Number, const L: usize>(
        &mut self,
        matrix: &ConstraintMatrix<N, L>,
        sets: &mut [ReplicaSet<N, L>],
        effort: Effort,
        watch: Watch<'_>,
    ) -> (BTreeSet<Code>, bool) {
        let config = self.config;
        let (cells, chains) = (self.rules.cells() as u64, (config.replicas * sets.len()) as u64);
        // A small budget shortens the rounds, a large one adds rounds.
        let moves = (config.moves_per_cell * cells).min(effort.moves / chains).max(1);
        let all_rounds = effort.moves / (moves * chains);
        let min_rounds = (config.min_share * all_rounds as f64).min((config.min_moves / (moves * chains)) as f64);
        let (mut rounds, mut done, mut complete) = (FIRST_ROUNDS, 0, false);
        let mut found: BTreeSet<Code> = BTreeSet::new();
        while done < all_rounds && found.len() < effort.codes && !complete && watch.stop().is_none() {
            let epoch = Epoch {
                proposals: &ProposalDistribution::new(
                    &matrix.domains, &self.rules, &self.observed, config.uniform_proposals,
                ),
                tables: &self.acceptance_tables(matrix.energy_scale()),
                rounds: rounds.min(all_rounds - done),
                moves,
                swaps: if self.fixed_colors { ALL_MOVES } else { config.swaps },
                spacing: config.spacing_per_cell * cells,
                near_replicas: config.near_replicas,
                max_extra: effort.codes,
                sorted: self.target == Target::ColorCounts,
                watch,
            };
            parallel::for_each(sets.iter_mut().collect(), |set| set.advance(matrix, epoch));
            let accepted: u64 = sets.iter_mut().map(|set| std::mem::take(&mut set.hot_acceptances)).sum();
            let acceptance = accepted as f64 / (epoch.rounds * epoch.moves * sets.len() as u64) as f64;
            let heated = if acceptance < config.target_acceptance {
                self.max_temperature * HEATING
            } else {
                self.max_temperature / HEATING
            };
            self.max_temperature = heated.clamp(config.max_temperature, config.heating_limit);
            done += epoch.rounds;
            rounds = (rounds * 2).min(MAX_ROUNDS);
            self.observed.iter_mut().for_each(|observed| *observed *= config.marginal_decay);
            for set in &mut *sets {
                self.observed.iter_mut().zip(&mut set.observed).for_each(|(all, own)| *all += std::mem::take(own));
                found.append(&mut set.independent);
            }
            // Coupon collector: sampling each of n codes once takes about n (ln n + 1) samples.
            let samples: u64 = sets.iter().map(|set| set.samples).sum();
            let enough = found.len() as f64 * (portable::ln(found.len().max(1) as f64) + 3.0) * config.coverage;
            complete = !found.is_empty() && samples as f64 > enough && done as f64 >= min_rounds;
        }
        for set in sets {
            for code in std::mem::take(&mut set.dependent) {
                if found.len() >= effort.codes {
                    break;
                }
                found.insert(code);
            }
        }
        (found, complete)
    }
}

/// Number of rounds of the first epoch; each epoch has twice as many as the previous one.
const FIRST_ROUNDS: u64 = 16;
/// Maximum number of rounds of an epoch.
const MAX_ROUNDS: u64 = 256;

/// Factor by which the hottest replica is heated or cooled after an epoch.
const HEATING: f64 = 1.1;

/// Returns the number of cells with each color.
fn counts_of(rules: &Rules, code: &[Color]) -> Vec<i32> {
    let mut counts = vec![0; rules.colors().into()];
    code.iter().for_each(|color| counts[color.index()] += 1);
    counts
}

/// Returns the number of black and white pegs between two codes with these color counts.
fn common_pegs(one: &[i32], other: &[i32]) -> i32 {
    one.iter().zip(other).map(|(one, other)| one.min(other)).sum()
}

/// Recolors as few cells as possible, at random, to give `code` the color counts `counts`.
fn set_color_counts(code: &mut Code, mut counts: Vec<i32>, rng: &mut Rng) {
    let mut order: Vec<usize> = (0..code.len()).collect();
    rng.shuffle(&mut order);
    let mut excess = Vec::new();
    for cell in order {
        let count = &mut counts[code[cell].index()];
        *count -= 1;
        if *count < 0 {
            excess.push(cell);
        }
    }
    let missing = (0..).zip(&counts).flat_map(|(color, &count)| (0..count).map(move |_| Color::new(color)));
    for (cell, color) in excess.into_iter().zip(missing) {
        code.colors_mut()[cell] = color;
    }
}

#[cfg(test)]
mod tests;
