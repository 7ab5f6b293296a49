//! A walk that is heated and cooled, time and again.

use std::collections::BTreeSet;

use pegwise_game::{Code, Color};

use super::{
    field::Field,
    number::Number,
    walk::{Move, Walk},
};
use crate::{portable, rng::Rng, search::Watch};

/// The temperatures of a cycle, where moves change pegs. While it is hot any code is as good as another, and what is found
/// next has little to do with what was found before; codes that are hard to find are found between warm and cold.
#[derive(Debug, Clone, Copy)]
struct Temperatures {
    hot: f64,
    warm: f64,
    cold: f64,
}

const OF_A_ROW: Temperatures = Temperatures { hot: 1.2, warm: 0.5, cold: 0.4 };
/// On boards of several lines each peg is counted by several marks.
const OF_LINES: Temperatures = Temperatures { hot: 1.0, warm: 0.7, cold: 0.3 };
/// Temperatures of a cycle, and how many of them are hot.
const STEPS: u64 = 16;
const HOT_STEPS: u64 = 4;
/// How many times longer a cycle is than one that found nothing.
const GROWTH: u64 = 4;
/// The shortest cycle, in moves for each cell.
const SHORTEST_A_CELL: u64 = 16;
/// Moves between looks at the clock.
const MOVES_A_LOOK: u64 = 1 << 10;

/// What a chain may spend, and what it looks for.
#[derive(Debug, Clone, Copy)]
pub(super) struct Goal<'a> {
    /// Moves to try in all.
    pub(super) moves: u64,
    /// Moves after which no new cycle begins for now.
    pub(super) stretch: u64,
    /// Different codes to find.
    pub(super) codes: usize,
    pub(super) watch: Watch<'a>,
}

/// What a random number allows a move to cost, in units of the temperature: minus its logarithm.
static PATIENCE: std::sync::LazyLock<Vec<f32>> = std::sync::LazyLock::new(|| {
    let numbers = f64::from(1u32 << PATIENCE_BITS);
    (0..1u32 << PATIENCE_BITS).map(|step| -portable::ln((f64::from(step) + 0.5) / numbers) as f32).collect()
});
const PATIENCE_BITS: u32 = 12;

pub(super) struct Chain<'f, N> {
    field: &'f Field<N>,
    walk: Walk<N>,
    rng: Rng,
    /// Moves of the next cycle.
    length: u64,
    /// Moves tried.
    pub(super) moves: u64,
    /// Codes that fit.
    pub(super) codes: BTreeSet<Code>,
    /// The closest code, and how far it is from fitting.
    pub(super) closest: (i64, Code),
}

impl<'f, N: Number> Chain<'f, N> {
    pub(super) fn new(field: &'f Field<N>, start: &[Color], mut rng: Rng) -> Self {
        let start = field.domains.admit(&field.rules, start, &mut rng);
        let walk = Walk::new(field, &start);
        let length = SHORTEST_A_CELL * field.rules.cells() as u64;
        Self { field, closest: (walk.cost(), start), walk, rng, length, moves: 0, codes: BTreeSet::new() }
    }

    /// Heats and cools until the goal is reached. A cycle that finds nothing is followed by a longer one, and one that
    /// does by a shorter one: how long it takes depends on the turns in ways that nothing tells beforehand.
    pub(super) fn advance(&mut self, goal: Goal<'_>) {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            // SAFETY: the processor has AVX2.
            return unsafe { self.advance_avx2(goal) };
        }
        self.walk_on(goal);
    }

    /// [`Chain::walk_on`], compiled for wider vectors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn advance_avx2(&mut self, goal: Goal<'_>) {
        self.walk_on(goal);
    }

    #[inline(always)]
    fn walk_on(&mut self, goal: Goal<'_>) {
        let shortest = SHORTEST_A_CELL * self.field.rules.cells() as u64;
        while self.moves < goal.stretch && self.codes.len() < goal.codes && goal.watch.stop().is_none() {
            // A last cycle takes all that is left: a longer one would not be finished.
            let left = goal.moves.saturating_sub(self.moves);
            if self.length.saturating_mul(1 + GROWTH) > left {
                self.length = left;
            }
            if self.cycle(goal) {
                self.codes.insert(self.walk.to_code());
                self.length = (self.length - self.length / 4).max(shortest);
            } else {
                self.length = self.length.saturating_mul(GROWTH);
            }
        }
    }

    /// One cycle; whether it ended at a code that fits.
    #[inline(always)]
    fn cycle(&mut self, goal: Goal<'_>) -> bool {
        let usual = self.field.usual_change();
        let Temperatures { hot, warm, cold } = if self.field.has_lines() { OF_LINES } else { OF_A_ROW };
        let mut temperature = hot * usual;
        // Cooling by equal factors, found without a power function.
        let factor = |ratio: f64, steps: u64| portable::exp(portable::ln(ratio) / steps as f64);
        let (at_first, later) = (factor(warm / hot, HOT_STEPS), factor(cold / (warm * usual), STEPS - 1 - HOT_STEPS));
        for step in 0..STEPS {
            // The hottest step comes first, and leaves the code before it may come back.
            let moves = (self.length / STEPS).max(1).min(goal.moves.saturating_sub(self.moves));
            if self.try_moves(temperature as f32, moves, step > 0 || self.walk.cost() > 0, goal.watch) {
                return true;
            }
            temperature *= if step < HOT_STEPS { at_first } else { later };
        }
        false
    }

    /// Tries moves at one temperature; stops early, with yes, at a code that fits, where `may_end` allows.
    #[inline(always)]
    fn try_moves(&mut self, temperature: f32, moves: u64, may_end: bool, watch: Watch<'_>) -> bool {
        if may_end && self.walk.cost() == 0 {
            return true;
        }
        let free = self.field.domains.free();
        if free.is_empty() {
            self.moves += 1;
            return self.walk.cost() == 0;
        }
        let patience = &*PATIENCE;
        for number in 0..moves {
            if number % MOVES_A_LOOK == MOVES_A_LOOK - 1 && watch.stop().is_some() {
                return false;
            }
            self.moves += 1;
            let word = self.rng.word();
            let Some(step) = self.propose(word, free) else { continue };
            let cost = self.walk.judge(self.field, step);
            let allowed = temperature * patience[(word >> (64 - PATIENCE_BITS)) as usize];
            if (cost - self.walk.cost()) as f32 > allowed {
                continue;
            }
            self.walk.make(self.field, step);
            if cost < self.closest.0 {
                self.closest = (cost, self.walk.to_code());
            }
            if cost == 0 && may_end {
                return true;
            }
        }
        may_end && self.walk.cost() == 0
    }

    /// A move picked by random bits, if they pick one that changes anything.
    #[inline(always)]
    fn propose(&self, word: u64, free: &[u16]) -> Option<Move> {
        let pick = |bits: u64, length: usize| ((bits & 0xF_FFFF) as usize * length) >> 20;
        let domains = &self.field.domains;
        let color_of = |cell: usize| self.walk.code()[cell].index();
        let cell = usize::from(free[pick(word, free.len())]);
        let own = color_of(cell);
        let swap = |other: usize| {
            let color = color_of(other);
            let fits = color != own && domains.allows(cell, color) && domains.allows(other, own);
            fits.then_some(Move::Swap { one: cell, other })
        };
        if word & (1 << 40) == 0 {
            return swap(free[pick(word >> 20, free.len())].into());
        }
        let colors = domains.of(cell);
        let to = usize::from(colors[pick(word >> 20, colors.len())]);
        if to == own {
            return None;
        }
        if !self.field.rules.repeats() {
            // A color that another cell has can only be had in exchange.
            if let Some(holder) = self.walk.code().iter().position(|color| color.index() == to) {
                return swap(holder);
            }
        }
        Some(Move::Recolor { cell, to })
    }
}
