//! Parallel tempering: replicas at increasing temperatures, with Metropolis-Hastings moves and replica exchange.
//!
//! The coldest replica is nearly always at consistent or almost consistent codes; the hottest moves freely. Neighbors
//! exchange their codes by the Metropolis rule, which preserves the distribution at each temperature, so the cold replicas
//! receive codes from everywhere.
//!
//! A move proposes a color from the marginal distribution of its cell over all replicas, mixed with a uniform one. The
//! Hastings ratio corrects for the bias: a move is accepted by the probability of proposing it backward over that of
//! proposing it forward.

use std::collections::BTreeSet;

#[cfg(target_arch = "x86_64")]
use pegwise_game::cpu::Avx2;
use pegwise_game::{Code, Rules};

use super::chain::{Chain, Move};
use super::constraints::{ConstraintMatrix, Domains};
use super::kernel::{Features, Number, Portable};
use pegwise_search::{Rng, Watch, clock, portable};

/// Denominator of the share of swap moves.
pub(super) const ALL_MOVES: u64 = 256;

/// Largest magnitude of an energy difference whose acceptance ratio is tabulated.
const MAX_TABULATED: i64 = 64;

/// Metropolis acceptance ratios by energy difference, at one temperature.
#[derive(Debug, Clone)]
pub(super) struct AcceptanceTable {
    inverse_temperature: f64,
    ratios: Vec<f32>,
}

impl AcceptanceTable {
    pub(super) fn new(temperature: f64) -> Self {
        let inverse_temperature = 1.0 / temperature;
        let differences = -MAX_TABULATED..=MAX_TABULATED;
        let ratios = differences.map(|cost| portable::exp(-cost as f64 * inverse_temperature) as f32).collect();
        Self { inverse_temperature, ratios }
    }

    #[inline(always)]
    fn ratio(&self, difference: i64) -> f32 {
        match self.ratios.get((difference + MAX_TABULATED) as usize) {
            Some(&ratio) => ratio,
            None => portable::exp((-difference as f64 * self.inverse_temperature).clamp(-80.0, 80.0)) as f32,
        }
    }
}

/// Parameters of one call of [`ReplicaSet::advance`].
#[derive(Debug, Clone, Copy)]
pub(super) struct Epoch<'a> {
    pub(super) proposals: &'a ProposalDistribution,
    /// The acceptance tables of all replicas.
    pub(super) tables: &'a [AcceptanceTable],
    /// Number of rounds, in each of which every replica tries `moves` moves, and neighbors may exchange.
    pub(super) rounds: u64,
    /// Number of moves per replica and round.
    pub(super) moves: u64,
    /// Number of swaps per [`ALL_MOVES`] moves that could also recolor. Kinds alternate in a fixed pattern, which the
    /// branch predictor learns.
    pub(super) swaps: u64,
    /// Number of moves after which two samples of a replica count as independent.
    pub(super) spacing: u64,
    /// Number of coldest replicas whose inconsistent codes are kept.
    pub(super) near_replicas: usize,
    /// Maximum number of inconsistent codes kept, and of consistent codes that are not independent samples.
    pub(super) max_extra: usize,
    /// True if codes with the same color counts are the same sample.
    pub(super) sorted: bool,
    pub(super) watch: Watch<'a>,
}

/// Replicas at increasing temperatures, the coldest first.
#[derive(Debug)]
pub(super) struct ReplicaSet<N, const L: usize> {
    replicas: Vec<Replica<N, L>>,
    /// Cells that may change.
    free: Vec<u16>,
    rng: Rng,
    /// Consistent codes that are independent samples.
    pub(super) independent: BTreeSet<Code>,
    /// The other consistent codes.
    pub(super) dependent: BTreeSet<Code>,
    /// Number of independent samples, with repetitions.
    pub(super) samples: u64,
    /// The latest codes of the coldest replicas, consistent or not, with their energies.
    pub(super) near: Vec<(i64, Code)>,
    oldest: usize,
    /// Number of observations of the color, for each cell and color.
    pub(super) observed: Vec<f32>,
    pub(super) moves: u64,
    /// Number of moves that the hottest replica accepted.
    pub(super) hot_acceptances: u64,
}

/// A chain, and the number of moves since its last independent sample.
#[derive(Debug)]
struct Replica<N, const L: usize> {
    chain: Chain<N, L>,
    since: u64,
}

impl<N: Number, const L: usize> ReplicaSet<N, L> {
    /// Starts one replica at each code. Excluded colors are replaced, unless the color counts are fixed; swaps then
    /// move them.
    pub(super) fn new(matrix: &ConstraintMatrix<N, L>, codes: &[Code], fixed_colors: bool, mut rng: Rng) -> Self {
        let cells = matrix.rules.cells();
        let free = if fixed_colors { (0..cells as u16).collect() } else { matrix.domains.free().to_vec() };
        let replicas = codes.iter().map(|code| {
            let start = if fixed_colors { code.clone() } else { matrix.domains.admit(&matrix.rules, code, &mut rng) };
            Replica { chain: Chain::new(matrix, &start), since: u64::MAX / 2 }
        });
        Self {
            replicas: replicas.collect(),
            free,
            rng,
            independent: BTreeSet::new(),
            dependent: BTreeSet::new(),
            samples: 0,
            near: Vec::new(),
            oldest: 0,
            observed: vec![0.0; cells * matrix.colors],
            moves: 0,
            hot_acceptances: 0,
        }
    }

    /// Runs all replicas for an epoch.
    pub(super) fn advance(&mut self, matrix: &ConstraintMatrix<N, L>, epoch: Epoch<'_>) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            // SAFETY: the token proves that the processor has AVX2.
            return unsafe { self.advance_avx2(matrix, epoch, avx2) };
        }
        self.advance_with(matrix, epoch, Portable);
    }

    /// Like [`ReplicaSet::advance_with`], compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn advance_avx2(&mut self, matrix: &ConstraintMatrix<N, L>, epoch: Epoch<'_>, avx2: Avx2) {
        self.advance_with(matrix, epoch, avx2);
    }

    #[inline(always)]
    fn advance_with<F: Features>(&mut self, matrix: &ConstraintMatrix<N, L>, epoch: Epoch<'_>, features: F) {
        // A replica may start at a consistent code and never leave it.
        for replica in &mut self.replicas {
            if replica.chain.energy() == 0 && matrix.agrees_with_wins(replica.chain.code()) {
                self.independent.insert(sampled_code(&replica.chain, epoch.sorted));
                self.samples += 1;
                replica.since = 0;
            }
        }
        if self.free.is_empty() {
            self.moves += 1;
            return;
        }
        for round in 0..epoch.rounds {
            if epoch.watch.stop().is_some() {
                break;
            }
            for replica in 0..epoch.tables.len() {
                self.try_moves(matrix, replica, epoch, features);
            }
            self.exchange(epoch.tables, round % 2);
            self.observe(epoch);
        }
    }

    /// Tries the moves of one replica in one round.
    #[inline(always)]
    fn try_moves<F: Features>(
        &mut self,
        matrix: &ConstraintMatrix<N, L>,
        replica: usize,
        epoch: Epoch<'_>,
        features: F,
    ) {
        let (proposals, table) = (epoch.proposals, &epoch.tables[replica]);
        let domains = &matrix.domains;
        let free = &self.free;
        let repeats = matrix.rules.repeats();
        self.moves += epoch.moves;
        clock::work(epoch.moves * clock::STEP_COST);
        let mut accepted = 0;
        let is_hottest = replica + 1 == self.replicas.len();
        let Replica { chain, since } = &mut self.replicas[replica];
        for number in 0..epoch.moves {
            *since += 1;
            let word = self.rng.word();
            let cell = usize::from(free[((word & 0xFFFF) as usize * free.len()) >> 16]);
            let to = proposals.color(domains, cell, word >> 16);
            let own = chain.code()[cell].index();
            if to == own {
                continue;
            }
            let others = chain.cells_of(to);
            let swap = if repeats { number * epoch.swaps % ALL_MOVES < epoch.swaps } else { !others.is_empty() };
            let (step, forward, backward);
            if swap {
                if others.is_empty() {
                    continue;
                }
                let other = usize::from(others[((word >> 48) as usize * others.len()) >> 16]);
                if !domains.allows(other, own) {
                    continue;
                }
                step = Move::Swap { one: cell, other };
                // The same swap can be proposed from either cell.
                let (of_to, of_own) = (others.len() as f32, chain.cells_of(own).len() as f32);
                forward = proposals.probability(cell, to) * of_own + proposals.probability(other, own) * of_to;
                backward = proposals.probability(cell, own) * of_to + proposals.probability(other, to) * of_own;
            } else {
                step = Move::Recolor { cell, to };
                forward = proposals.probability(cell, to);
                backward = proposals.probability(cell, own);
            }
            let energy = chain.energy_after(matrix, step, features);
            let uniform = (self.rng.word() >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
            if uniform * forward >= backward * table.ratio(energy - chain.energy()) {
                continue;
            }
            chain.apply(matrix, step, features);
            accepted += 1;
            if energy == 0 && matrix.agrees_with_wins(chain.code()) {
                let code = sampled_code(chain, epoch.sorted);
                if *since >= epoch.spacing {
                    self.independent.insert(code);
                    self.samples += 1;
                    *since = 0;
                } else if self.dependent.len() < epoch.max_extra {
                    self.dependent.insert(code);
                }
            }
        }
        if is_hottest {
            self.hot_acceptances += accepted;
        }
    }

    /// Returns the codes of the replicas and the random generator, to resume from after the next turn.
    pub(super) fn into_codes(self) -> (Vec<Code>, Rng) {
        (self.replicas.iter().map(|replica| replica.chain.to_code()).collect(), self.rng)
    }

    /// Exchanges neighbors by the Metropolis rule, in alternating pairs.
    fn exchange(&mut self, tables: &[AcceptanceTable], first: u64) {
        for cold in (first as usize..tables.len().saturating_sub(1)).step_by(2) {
            let gain = (self.replicas[cold].chain.energy() - self.replicas[cold + 1].chain.energy()) as f64;
            let probability =
                portable::exp(gain * (tables[cold].inverse_temperature - tables[cold + 1].inverse_temperature));
            if self.rng.unit() < probability {
                self.replicas.swap(cold, cold + 1);
            }
        }
    }

    /// Records the colors of all replicas, and the codes of the coldest.
    fn observe(&mut self, epoch: Epoch<'_>) {
        let colors = self.observed.len() / self.replicas[0].chain.code().len();
        for replica in &self.replicas {
            for (cell, color) in replica.chain.code().iter().enumerate() {
                self.observed[cell * colors + color.index()] += 1.0;
            }
        }
        for replica in &self.replicas[..epoch.near_replicas.min(self.replicas.len())] {
            let near = (replica.chain.energy(), replica.chain.to_code());
            // A ring buffer.
            if self.near.len() < epoch.max_extra {
                self.near.push(near);
            } else if let Some(oldest) = self.near.get_mut(self.oldest) {
                *oldest = near;
                self.oldest = (self.oldest + 1) % epoch.max_extra;
            }
        }
    }
}

/// Returns the code of a chain, with its colors sorted if only their counts matter.
fn sampled_code<N: Number, const L: usize>(chain: &Chain<N, L>, sorted: bool) -> Code {
    let mut code = chain.to_code();
    if sorted {
        code.colors_mut().sort_unstable();
    }
    code
}

/// Number of slots per cell: each stores a color, so that its marginal distribution is drawn from by one table lookup.
const SLOTS: usize = 64;

/// Proposal distribution of the color of each cell.
#[derive(Debug, Clone)]
pub(super) struct ProposalDistribution {
    colors: usize,
    /// Number of uniform draws per 256.
    uniform: u64,
    slots: Vec<u16>,
    probabilities: Vec<f32>,
}

impl ProposalDistribution {
    /// Mixes the observed marginals with uniform draws from the allowed colors, `uniform` per 256.
    pub(super) fn new(domains: &Domains, rules: &Rules, observed: &[f32], uniform: u64) -> Self {
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let mut all = Self { colors, uniform, slots: vec![0; cells * SLOTS], probabilities: vec![0.0; cells * colors] };
        let mut rng = Rng::new(0);
        for cell in 0..cells {
            let allowed = domains.of(cell);
            if allowed.is_empty() {
                continue;
            }
            let observed = &observed[cell * colors..][..colors];
            let probabilities = &mut all.probabilities[cell * colors..][..colors];
            let slots = &mut all.slots[cell * SLOTS..][..SLOTS];
            let total: f32 = allowed.iter().map(|&color| observed[usize::from(color)]).sum();
            let share = uniform as f32 / 256.0;
            // Excluded colors are never proposed, but need a probability for the backward move of a chain that has one.
            probabilities.fill(share / allowed.len() as f32);
            // Systematic sampling: each color gets its share of the slots, rounded up or down.
            let step = total / SLOTS as f32;
            let (mut reached, mut next) = (0.0, step * rng.unit() as f32);
            let mut filled = 0;
            for &color in allowed {
                reached += observed[usize::from(color)];
                while filled < SLOTS && (next < reached || total == 0.0) {
                    let color = if total == 0.0 { allowed[filled * allowed.len() / SLOTS] } else { color };
                    slots[filled] = color;
                    probabilities[usize::from(color)] += (1.0 - share) / SLOTS as f32;
                    filled += 1;
                    next += step;
                }
            }
            let last = allowed[allowed.len() - 1];
            for slot in &mut slots[filled..] {
                *slot = last;
                probabilities[usize::from(last)] += (1.0 - share) / SLOTS as f32;
            }
        }
        all
    }

    /// Draws a color for a cell from 24 random bits.
    #[inline(always)]
    pub(super) fn color(&self, domains: &Domains, cell: usize, bits: u64) -> usize {
        let (component, rest) = (bits & 0xFF, bits >> 8 & 0xFFFF);
        let color = if component < self.uniform {
            let allowed = domains.of(cell);
            allowed[(rest as usize * allowed.len()) >> 16]
        } else {
            self.slots[cell * SLOTS + rest as usize % SLOTS]
        };
        color.into()
    }

    /// Returns the probability of proposing a color in a cell.
    #[inline(always)]
    pub(super) fn probability(&self, cell: usize, color: usize) -> f32 {
        self.probabilities[cell * self.colors + color]
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;

    /// The Hastings ratio requires that colors are drawn with the stated probabilities.
    #[test]
    fn colors_are_drawn_with_the_stated_probabilities() {
        let rules: Rules = "3x6".parse().unwrap();
        let history = History::parse(&rules, ["112=0,1"]).unwrap();
        let domains = Domains::new(&history);
        let observed: Vec<f32> = (0..18).map(|place| [0.0, 1.0, 5.0, 0.25][place % 4]).collect();
        let proposals = ProposalDistribution::new(&domains, &rules, &observed, 64);
        let (draws, mut rng) = (400_000, Rng::new(1));
        for cell in 0..3 {
            let mut drawn = [0u32; 6];
            for _ in 0..draws {
                drawn[proposals.color(&domains, cell, rng.word())] += 1;
            }
            for (color, &drawn) in drawn.iter().enumerate() {
                let share = f64::from(drawn) / f64::from(draws);
                let stated = if domains.allows(cell, color) { proposals.probability(cell, color) } else { 0.0 };
                assert!((share - f64::from(stated)).abs() < 0.004, "{cell} {color}: {share} {stated}");
            }
        }
    }
}
