//! Walks at rising temperatures that exchange places: parallel tempering.
//!
//! The walk on the lowest rung is nearly always at codes that fit or nearly do, the one on the highest moves about freely.
//! Neighbors exchange their codes by the Metropolis rule, which leaves every rung at its own balance, so that the cold
//! rungs are fed with codes from everywhere.

use std::collections::BTreeSet;

use pegwise_game::Code;
#[cfg(target_arch = "x86_64")]
use pegwise_game::cpu::Avx2;

use super::{
    field::Field,
    number::{Number, Plain, Vectors},
    proposals::Proposals,
    walk::{Move, Walk},
};
use crate::{clock, portable, rng::Rng, search::Watch};

/// Of so many moves, the number that exchange cells is given.
pub(super) const ALL_MOVES: u64 = 256;

/// Costs whose chances are kept in a table, up and down.
const TABLED: i64 = 64;

/// The chance to accept a move by what it costs, at one temperature.
#[derive(Debug, Clone)]
pub(super) struct Temper {
    coldness: f64,
    chances: Vec<f32>,
}

impl Temper {
    pub(super) fn new(temperature: f64) -> Self {
        let coldness = 1.0 / temperature;
        let chances = (-TABLED..=TABLED).map(|cost| portable::exp(-cost as f64 * coldness) as f32).collect();
        Self { coldness, chances }
    }

    #[inline(always)]
    fn chance(&self, cost: i64) -> f32 {
        match self.chances.get((cost + TABLED) as usize) {
            Some(&chance) => chance,
            None => portable::exp((-cost as f64 * self.coldness).clamp(-80.0, 80.0)) as f32,
        }
    }
}

/// What a ladder does in one stretch.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch<'a> {
    /// Rounds: in each, every walk tries `moves` moves, and neighbors may exchange.
    pub(super) rounds: u64,
    pub(super) moves: u64,
    /// Of [`ALL_MOVES`] moves that could do either, how many exchange two cells. They take turns, so that the processor
    /// foresees which is next.
    pub(super) swaps: u64,
    /// Moves between two codes of one walk that count as seen independently.
    pub(super) spacing: u64,
    /// Rungs whose codes are kept although they do not fit.
    pub(super) cold: usize,
    /// The most codes kept that were not seen far enough apart, and that do not fit.
    pub(super) most_others: usize,
    /// Whether codes that show the same colors count as the same.
    pub(super) sorted: bool,
    pub(super) watch: Watch<'a>,
}

/// Walks, the coldest first.
#[derive(Debug)]
pub(super) struct Ladder<N, const L: usize> {
    walks: Vec<Rung<N, L>>,
    /// Cells that may change.
    free: Vec<u16>,
    rng: Rng,
    /// Codes that fit, seen far enough apart, and all others that fit.
    pub(super) apart: BTreeSet<Code>,
    pub(super) others: BTreeSet<Code>,
    /// How often a code that fits was seen, far enough apart.
    pub(super) sightings: u64,
    /// Codes of the coldest rungs, whether or not they fit, with their costs.
    pub(super) near: Vec<(i64, Code)>,
    oldest: usize,
    /// For each cell and color, how often walks were seen with it.
    pub(super) seen: Vec<f32>,
    pub(super) moves: u64,
    /// Of the moves that the highest rung tried, how many it made.
    pub(super) lively: u64,
}

/// A walk, and how many moves ago it last showed a code that fits.
#[derive(Debug)]
struct Rung<N, const L: usize> {
    walk: Walk<N, L>,
    since: u64,
}

impl<N: Number, const L: usize> Ladder<N, L> {
    /// Walks that begin at these codes. Colors that are ruled out are changed, unless walks are to keep their colors; those
    /// exchange them as they go.
    pub(super) fn new(field: &Field<N, L>, codes: &[Code], keep_colors: bool, mut rng: Rng) -> Self {
        let cells = field.rules.cells();
        let free = if keep_colors { (0..cells as u16).collect() } else { field.domains.free().to_vec() };
        let rungs = codes.iter().map(|code| {
            let admitted = if keep_colors { code.clone() } else { field.domains.admit(&field.rules, code, &mut rng) };
            Rung { walk: Walk::new(field, &admitted), since: u64::MAX / 2 }
        });
        let walks = rungs.collect();
        let seen = vec![0.0; field.rules.cells() * usize::from(field.rules.colors())];
        let (apart, others, near) = (BTreeSet::new(), BTreeSet::new(), Vec::new());
        Self { walks, free, rng, apart, others, sightings: 0, near, oldest: 0, seen, moves: 0, lively: 0 }
    }

    pub(super) fn advance(
        &mut self,
        field: &Field<N, L>,
        proposals: &Proposals,
        tempers: &[Temper],
        stretch: Stretch<'_>,
    ) {
        #[cfg(target_arch = "x86_64")]
        if let Some(avx2) = Avx2::detect() {
            // SAFETY: the processor has AVX2.
            return unsafe { self.advance_avx2(field, proposals, tempers, stretch, avx2) };
        }
        self.go(field, proposals, tempers, stretch, Plain);
    }

    /// [`Ladder::go`], compiled for wider vectors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn advance_avx2(
        &mut self,
        field: &Field<N, L>,
        proposals: &Proposals,
        tempers: &[Temper],
        stretch: Stretch<'_>,
        avx2: Avx2,
    ) {
        self.go(field, proposals, tempers, stretch, avx2);
    }

    #[inline(always)]
    fn go<V: Vectors>(
        &mut self,
        field: &Field<N, L>,
        proposals: &Proposals,
        tempers: &[Temper],
        stretch: Stretch<'_>,
        vectors: V,
    ) {
        // A walk may be at a code that fits before it moves, and stay there.
        (0..self.walks.len()).for_each(|rung| self.look(field, rung, stretch.sorted));
        if self.free.is_empty() {
            self.moves += 1;
            return;
        }
        for round in 0..stretch.rounds {
            if stretch.watch.stop().is_some() {
                break;
            }
            for (rung, temper) in tempers.iter().enumerate() {
                self.try_moves(field, proposals, temper, rung, stretch, vectors);
            }
            self.exchange(tempers, round % 2);
            self.tally(stretch);
        }
    }

    /// Notes the code of a walk if it fits.
    fn look(&mut self, field: &Field<N, L>, rung: usize, sorted: bool) {
        let rung = &mut self.walks[rung];
        if rung.walk.cost() == 0 && field.is_open(rung.walk.code()) {
            self.apart.insert(shown(&rung.walk, sorted));
            self.sightings += 1;
            rung.since = 0;
        }
    }

    #[inline(always)]
    fn try_moves<V: Vectors>(
        &mut self,
        field: &Field<N, L>,
        proposals: &Proposals,
        temper: &Temper,
        rung: usize,
        stretch: Stretch<'_>,
        vectors: V,
    ) {
        let domains = &field.domains;
        let free = &self.free;
        let repeats = field.rules.repeats();
        self.moves += stretch.moves;
        clock::work(stretch.moves * clock::STEP_COST);
        let mut made = 0;
        let top = rung + 1 == self.walks.len();
        let Rung { walk, since } = &mut self.walks[rung];
        for number in 0..stretch.moves {
            *since += 1;
            let word = self.rng.word();
            let cell = usize::from(free[((word & 0xFFFF) as usize * free.len()) >> 16]);
            let to = proposals.color(domains, cell, word >> 16);
            let own = walk.code()[cell].index();
            if to == own {
                continue;
            }
            let holders = walk.holders(to);
            let swap = if repeats { number * stretch.swaps % ALL_MOVES < stretch.swaps } else { !holders.is_empty() };
            let (step, there, back);
            if swap {
                if holders.is_empty() {
                    continue;
                }
                let other = usize::from(holders[((word >> 48) as usize * holders.len()) >> 16]);
                if !domains.allows(other, own) {
                    continue;
                }
                step = Move::Swap { one: cell, other };
                // The same exchange can be tried from either cell.
                let (of_to, of_own) = (holders.len() as f32, walk.holders(own).len() as f32);
                there = proposals.chance(cell, to) * of_own + proposals.chance(other, own) * of_to;
                back = proposals.chance(cell, own) * of_to + proposals.chance(other, to) * of_own;
            } else {
                step = Move::Recolor { cell, to };
                there = proposals.chance(cell, to);
                back = proposals.chance(cell, own);
            }
            let cost = walk.judge(field, step, vectors);
            let luck = (self.rng.word() >> 40) as f32 * (1.0 / (1u32 << 24) as f32);
            if luck * there >= back * temper.chance(cost - walk.cost()) {
                continue;
            }
            walk.make(field, step, vectors);
            made += 1;
            if cost == 0 && field.is_open(walk.code()) {
                let code = shown(walk, stretch.sorted);
                if *since >= stretch.spacing {
                    self.apart.insert(code);
                    self.sightings += 1;
                    *since = 0;
                } else if self.others.len() < stretch.most_others {
                    self.others.insert(code);
                }
            }
        }
        if top {
            self.lively += made;
        }
    }

    /// The codes of the walks and the random numbers, for the next stretch of the game.
    pub(super) fn into_codes(self) -> (Vec<Code>, Rng) {
        (self.walks.iter().map(|rung| rung.walk.to_code()).collect(), self.rng)
    }

    /// Neighbors exchange places, every second pair each time.
    fn exchange(&mut self, tempers: &[Temper], first: u64) {
        for cold in (first as usize..tempers.len().saturating_sub(1)).step_by(2) {
            let gain = (self.walks[cold].walk.cost() - self.walks[cold + 1].walk.cost()) as f64;
            let chance = portable::exp(gain * (tempers[cold].coldness - tempers[cold + 1].coldness));
            if self.rng.unit() < chance {
                self.walks.swap(cold, cold + 1);
            }
        }
    }

    /// Notes the colors of all walks, and the codes of the coldest.
    fn tally(&mut self, stretch: Stretch<'_>) {
        let colors = self.seen.len() / self.walks[0].walk.code().len();
        for rung in &self.walks {
            for (cell, color) in rung.walk.code().iter().enumerate() {
                self.seen[cell * colors + color.index()] += 1.0;
            }
        }
        for rung in &self.walks[..stretch.cold.min(self.walks.len())] {
            let near = (rung.walk.cost(), rung.walk.to_code());
            // The latest are kept.
            if self.near.len() < stretch.most_others {
                self.near.push(near);
            } else if let Some(oldest) = self.near.get_mut(self.oldest) {
                *oldest = near;
                self.oldest = (self.oldest + 1) % stretch.most_others;
            }
        }
    }
}

/// The code of a walk; with its colors in order, where nothing but their counts matters.
fn shown<N: Number, const L: usize>(walk: &Walk<N, L>, sorted: bool) -> Code {
    let mut code = walk.to_code();
    if sorted {
        code.colors_mut().sort_unstable();
    }
    code
}
