//! Strategies that play the first eligible code they breed: the genetic algorithm of Bernier and others (1996), and
//! Genetic MasterMind of Merelo and others (1999).
//!
//! The better half of a generation survives. The other half is replaced by children of three kinds: two codes after a
//! two-point crossover, each with a probability of 1/4 of a mutation; a copy with one mutation; a copy with a reversed
//! range of cells. A mutation changes a color. The copies are of codes of the worse half. The frequency of each kind
//! follows the last feedback: the more pegs it lacks, the more codes are mutated; the more white pegs it has, the more
//! ranges are reversed.
//! The population continues from guess to guess; it is drawn again after [`PATIENCE`] generations without an eligible
//! code.
//!
//! # Bernier and others
//! A turn answered with `b` black and `w` white pegs is worth 10 b + w to a code that agrees with it, and nothing to
//! one that does not. A turn without pegs is worth nothing, so the fitness ignores it.
//!
//! A chromosome is a string of bits, of as few per cell as the number of colors needs; the color of a cell is its number
//! modulo the number of colors, so low colors are more likely unless that is a power of two. Crossovers cut between any
//! two bits, and a mutation flips one. If colors must not repeat, a repeated one is replaced in the chromosome, too. With
//! `encoding=colors`, a gene is a color instead.
//!
//! Known are this fitness, the encoding, the three kinds of children and what their frequencies depend on, that copies
//! are of codes not among the best, that part of each generation survives, and that an eligible code is played at once.
//! Van Oijen describes the third kind as a reversed range, Singley as two exchanged cells: `reordering`. Not known, and
//! chosen here: the population (150), the share that survives, and the probability of 1/4. The published mean is 5.62
//! guesses at 6x6.
//!
//! # Merelo and others
//! The cost is the number of black and white pegs by which a code misses the feedback, summed over all turns with a
//! weight per kind of peg. Colors that an empty feedback ruled out are removed from the population.
//!
//! Known are the fitness with its two weights, the excluded colors, and that an eligible code is played at once. Not
//! known, and chosen here: the weights (1 and 1), the population (30), and the kinds of children, taken from the
//! earlier paper. Published are 4.132 guesses at 4x6, which is below the optimum of any strategy, 5.904 at 5x8, and 279
//! and 2171 evaluations: the last is reproduced, the 279 is not.
//!
//! # Limits
//! If 20 populations of 50 generations have no eligible code, one found by backtracking is played.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, PPSN IV, LNCS 1141, 553-563, 1996.
//! - J. J. Merelo, J. Carpio, P. Castillo, V. M. Rivas, G. Romero, Finding a needle in a haystack using hints and
//!   evolutionary computation: the case of Genetic MasterMind, GECCO, 1999.
//! - As described by A. Temporel and T. Kovacs, 2003, S. Singley, 2005, and V. van Oijen, 2018.

use pegwise_game::{Code, Color, History, Rules};

use super::BASE;
use super::engine::{Algorithm, Evolution, EvolutionState};
use super::operators::{AllowedColors, invert, repair, swap, two_point_crossover};
use super::population::draw;
use pegwise_search::candidates::fallback::{StopCause, fallback_guess};
use pegwise_search::candidates::{Residual, TurnSet};
use pegwise_search::row::Row;
use pegwise_search::{Basis, Parameter, Proposal, Proposed, Rng, Search};

/// Number of generations without an eligible code after which the population is drawn again.
const PATIENCE: u32 = 50;
/// Maximum number of populations per guess.
const MAX_POPULATIONS: u32 = 20;
/// Reciprocal of the probability that a crossed child is mutated as well.
const CROSSED_PER_MUTATED: u64 = 4;

pub(super) const POPULATION: Parameter =
    Parameter::integer("population", 4..=10_000, "150", "number of codes in a generation");
pub(super) const FIRST: Parameter = Parameter::code_or("first", &["random"], "first guess");

const ENCODING: Parameter =
    Parameter::choice("encoding", &["bits", "colors"], "genes of a code: the bits of its colors, or the colors");
const REORDERING: Parameter = Parameter::choice(
    "reordering",
    &["inversion", "transposition"],
    "copies in another order: with a reversed range of cells, or with two cells exchanged",
);

pub(super) const BERNIER: Row = Row {
    name: "bernier-ga",
    title: "Bernier et al.'s genetic algorithm",
    paper: "J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda, A. Prieto, Solving MasterMind using GAs and \
            simulated annealing: a case of dynamic constraint optimization, PPSN IV, 1996",
    about: "breeds codes that agree with the most informative turns, and plays the first that agrees with all",
    parameters: &[POPULATION, ENCODING, REORDERING, FIRST],
    build: |_, rules, arguments| {
        let genes = match arguments.text("encoding") {
            "colors" => Genes::Colors,
            _ => Genes::Bits(rules.colors().next_power_of_two().trailing_zeros() as usize),
        };
        let exchange = arguments.text("reordering") == "transposition";
        let fitness = Fitness::Agreement { worth: Vec::new() };
        Evolution::build(FirstEligible { genes, exchange, ..FirstEligible::new(rules, fitness) }, rules, arguments)
    },
    ..BASE
};

pub(super) const MERELO: Row = Row {
    name: "merelo-1999",
    title: "Genetic MasterMind",
    paper: "J. J. Merelo, J. Carpio, P. Castillo, V. M. Rivas, G. Romero, Finding a needle in a haystack using \
            hints and evolutionary computation: the case of Genetic MasterMind, GECCO, 1999",
    about: "breeds codes that miss the feedback by few pegs, and plays the first eligible one",
    parameters: &[
        POPULATION,
        Parameter::integer("position-weight", 0..=1_000, "1", "weight of a missing or surplus black peg"),
        Parameter::integer("color-weight", 0..=1_000, "1", "weight of a missing or surplus white peg"),
        FIRST,
    ],
    presets: &[("population", "30")],
    build: |_, rules, arguments| {
        let weight = |name| arguments.integer(name) as u32;
        let fitness = Fitness::Distance { position: weight("position-weight"), color: weight("color-weight") };
        Evolution::build(FirstEligible::new(rules, fitness), rules, arguments)
    },
    ..BASE
};

/// Cost of a code: zero if and only if it is consistent.
enum Fitness {
    /// Bernier: worth of the turns that the code does not agree with, plus one. `worth` has one entry per mark.
    Agreement { worth: Vec<u32> },
    /// Merelo: weighted number of missing and surplus pegs.
    Distance { position: u32, color: u32 },
}

impl Fitness {
    fn follow(&mut self, turns: &TurnSet) {
        if let Self::Agreement { worth } = self {
            let marks = turns.turns().iter().flat_map(|turn| turn.feedback.marks());
            worth.clear();
            worth.extend(marks.map(|mark| {
                // Capped, so that the sum does not overflow.
                let mut numbers = mark.numbers().map(|number| number.min(1_000) as u32);
                10 * numbers.next().unwrap_or(0) + numbers.next().unwrap_or(0)
            }));
        }
    }

    fn cost(&self, code: &[Color], turns: &mut TurnSet) -> u32 {
        let (mut cost, mut is_consistent) = (0u32, true);
        match self {
            Self::Agreement { worth } => {
                let mut worth = worth.iter();
                turns.visit_residuals(code, |misfit| {
                    let worth = worth.next().copied().unwrap_or(0);
                    if misfit != Residual::default() {
                        cost = cost.saturating_add(worth);
                        is_consistent = false;
                    }
                });
                // Plus one, because a turn may be worth nothing.
                if is_consistent { 0 } else { cost.saturating_add(1) }
            }
            Self::Distance { position, color } => {
                turns.visit_residuals(code, |misfit| {
                    let black = misfit.black.unsigned_abs().saturating_mul(*position);
                    let white = misfit.white.unsigned_abs().saturating_mul(*color);
                    cost = cost.saturating_add(black).saturating_add(white);
                    is_consistent &= misfit.size() == 0;
                });
                // At least one, because a weight may be zero.
                if is_consistent { 0 } else { cost.max(1) }
            }
        }
    }
}

/// Encoding of codes in the population.
#[derive(Debug, Clone, Copy)]
enum Genes {
    /// A gene is a color.
    Colors,
    /// A gene is a bit. Number of bits per cell; the color of a cell is their value modulo the number of colors.
    Bits(usize),
}

struct FirstEligible {
    fitness: Fitness,
    allowed: AllowedColors,
    genes: Genes,
    /// Exchanges two cells of a copy instead of reversing a range.
    exchange: bool,
    /// Code of the last chromosome.
    code: Vec<Color>,
}

impl FirstEligible {
    fn new(rules: &Rules, fitness: Fitness) -> Self {
        let code = vec![Color::default(); rules.cells()];
        Self { fitness, allowed: AllowedColors::new(rules), genes: Genes::Colors, exchange: false, code }
    }

    /// Draws a chromosome in place.
    fn draw(&self, chromosome: &mut [Color], rules: &Rules, rng: &mut Rng) {
        match self.genes {
            Genes::Colors => draw(chromosome, rules, rng),
            Genes::Bits(width) => chromosome.fill_with(|| Color::new(rng.below(1 << width) as u16)),
        }
    }

    /// Crosses two chromosomes at two points, of which both can be within a cell.
    fn cross(&self, pair: &mut [Vec<Color>; 2], rng: &mut Rng) {
        let [one, other] = pair;
        match self.genes {
            Genes::Colors => two_point_crossover(one, other, rng),
            Genes::Bits(width) => cross_bits(one, other, width, rng),
        }
    }

    fn mutate(&self, chromosome: &mut [Color], rng: &mut Rng) {
        match self.genes {
            Genes::Colors => self.allowed.recolor(chromosome, rng),
            Genes::Bits(0) => {}
            Genes::Bits(width) => {
                let bit = rng.index(chromosome.len() * width);
                let cell = &mut chromosome[bit / width];
                *cell = Color::new(cell.index() as u16 ^ 1 << (bit % width));
            }
        }
    }

    /// Makes a child valid and adds it to the next generation. Its code stays in `code`. Returns true if it is eligible.
    fn admit(&mut self, state: &mut EvolutionState, child: usize, search: &mut Search<'_>) -> bool {
        let chromosome = &mut state.pair[child];
        match self.genes {
            Genes::Colors => {
                self.allowed.purge(chromosome, &mut search.rng);
                repair(chromosome, &state.rules, &mut search.rng);
                self.code.copy_from_slice(chromosome);
            }
            Genes::Bits(_) => {
                decode(&mut self.code, chromosome, &state.rules);
                if !state.rules.repeats() {
                    repair(&mut self.code, &state.rules, &mut search.rng);
                    chromosome.copy_from_slice(&self.code);
                }
            }
        }
        let cost = self.fitness.cost(&self.code, &mut state.turns);
        search.examine(1);
        state.next.push(chromosome, cost);
        cost == 0
    }

    /// Draws a new population or updates the costs of the present one, unless a code is eligible before.
    fn begin(&mut self, state: &mut EvolutionState, fresh: bool, search: &mut Search<'_>) -> Option<Code> {
        state.next.clear();
        for index in 0..state.size {
            let code = &mut state.pair[0];
            match fresh {
                true => self.draw(code, &state.rules, &mut search.rng),
                false => code.copy_from_slice(state.population.member(index)),
            }
            if self.admit(state, 0, search) {
                return Some(Code::new(&self.code[..]));
            }
        }
        state.advance();
        None
    }

    /// Breeds one generation, unless a child is eligible before it is complete. `kinds` are the relative frequencies of
    /// crossed, mutated and reordered children.
    fn breed(&mut self, state: &mut EvolutionState, kinds: [u64; 3], search: &mut Search<'_>) -> Option<Code> {
        let order = state.population.by_cost();
        let (best, others) = order.split_at(state.size / 2);
        let highest = state.population.max_cost();
        state.wheel.load(state.population.costs().iter().map(|&cost| u64::from(highest - cost) + 1));
        state.next.clear();
        for &index in best {
            state.next.push(state.population.member(index), state.population.cost(index));
        }
        while state.next.len() < state.size {
            let kind = search.rng.below(kinds.iter().sum());
            let children = if kind < kinds[0] { 2 } else { 1 };
            if children == 2 {
                state.select_parents(&mut search.rng);
                self.cross(&mut state.pair, &mut search.rng);
                for child in &mut state.pair {
                    if search.rng.below(CROSSED_PER_MUTATED) == 0 {
                        self.mutate(child, &mut search.rng);
                    }
                }
            } else {
                let child = &mut state.pair[0];
                child.copy_from_slice(state.population.member(others[search.rng.index(others.len())]));
                match kind < kinds[0] + kinds[1] {
                    true => self.mutate(child, &mut search.rng),
                    false if self.exchange => swap(child, &mut search.rng),
                    false => invert(child, &mut search.rng),
                }
            }
            for child in 0..children.min(state.size - state.next.len()) {
                if self.admit(state, child, search) {
                    return Some(Code::new(&self.code[..]));
                }
            }
        }
        state.advance();
        None
    }

    fn find(&mut self, state: &mut EvolutionState, search: &mut Search<'_>) -> Result<Code, StopCause> {
        let kinds = kinds(state);
        let mut fresh = !state.continues || state.population.len() != state.size;
        for _ in 0..MAX_POPULATIONS {
            if let Some(code) = self.begin(state, fresh, search) {
                return Ok(code);
            }
            for _ in 0..PATIENCE {
                if let Some(stop) = search.stop() {
                    return Err(StopCause::Limit(stop));
                }
                if let Some(code) = self.breed(state, kinds, search) {
                    return Ok(code);
                }
            }
            fresh = true;
        }
        Err(StopCause::Effort)
    }
}

/// Returns the relative frequencies of crossed, recolored and reversed children after the last feedback.
fn kinds(state: &EvolutionState) -> [u64; 3] {
    let cells = state.rules.cells() as u64;
    match state.turns.turns().last().map(|turn| turn.feedback.marks()) {
        Some(&[mark]) if mark.kind().model().is_classic() => {
            let [black, pegs] = mark.sums();
            [cells, cells.saturating_sub(pegs), pegs - black]
        }
        _ => [2, 1, 1],
    }
}

impl Algorithm for FirstEligible {
    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed {
        self.fitness.follow(&state.turns);
        if let Fitness::Distance { .. } = self.fitness {
            self.allowed.follow(history.turns());
        }
        match self.find(state, search) {
            Ok(guess) => {
                search.find(1);
                Ok(Proposal::new(guess, Basis::Consistent))
            }
            Err(cause) => {
                let nearest = state.cheapest(|_| true).map(|mut chromosome| {
                    if let Genes::Bits(_) = self.genes {
                        decode(&mut self.code, &chromosome, &state.rules);
                        chromosome.colors_mut().copy_from_slice(&self.code);
                    }
                    chromosome
                });
                fallback_guess(history, cause, nearest, search)
            }
        }
    }
}

/// Writes the code of a chromosome of bits.
fn decode(code: &mut [Color], chromosome: &[Color], rules: &Rules) {
    for (color, cell) in code.iter_mut().zip(chromosome) {
        *color = Color::new((cell.index() % usize::from(rules.colors())) as u16);
    }
}

/// Swaps the bits between two different random cuts, neither of them at an end. Fewer than three bits do not change.
fn cross_bits(one: &mut [Color], other: &mut [Color], width: usize, rng: &mut Rng) {
    let bits = one.len() * width;
    if bits < 3 {
        return;
    }
    let (from, to) = rng.two_of(bits - 1);
    for (cell, (one, other)) in one.iter_mut().zip(other).enumerate() {
        let swapped = (0..width).filter(|bit| (from + 1..to + 1).contains(&(cell * width + bit)));
        let mask = swapped.fold(0, |mask, bit| mask | 1 << bit);
        let difference = (one.index() as u16 ^ other.index() as u16) & mask;
        [*one, *other] = [*one, *other].map(|gene| Color::new(gene.index() as u16 ^ difference));
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::Rules;

    use super::*;

    #[test]
    fn turns_are_worth_ten_per_black_peg_and_one_per_white_peg() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=1,1", "3344=0,2", "5555=0,0"]).unwrap();
        let mut turns = TurnSet::new(&rules);
        turns.follow(&history);
        let mut fitness = Fitness::Agreement { worth: Vec::new() };
        fitness.follow(&turns);
        assert!(matches!(&fitness, Fitness::Agreement { worth } if *worth == [11, 2, 0]));
        for (code, cost) in [("1431", 0), ("1166", 14), ("1435", 12), ("5431", 12), ("1425", 14), ("6666", 14)] {
            let code = rules.parse_code(code).unwrap();
            assert_eq!(fitness.cost(&code, &mut turns), cost, "{code:?}");
            assert_eq!(cost == 0, history.is_consistent(&code));
        }
    }

    #[test]
    fn bits_are_swapped_between_two_cuts_and_decoded_modulo_the_colors() {
        let rules: Rules = "3x6".parse().unwrap();
        let mut rng = Rng::new(1);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..11_200 {
            let (mut one, mut other) = ([Color::new(0); 3], [Color::new(7); 3]);
            cross_bits(&mut one, &mut other, 3, &mut rng);
            assert!(one.iter().zip(&other).all(|(one, other)| one.index() + other.index() == 7), "a bit was lost");
            let swapped = one.iter().rev().fold(0, |bits, cell| bits << 3 | cell.index());
            *seen.entry(swapped).or_insert(0u32) += 1;
        }
        // Each run of bits that touches neither end: two of the eight inner cuts.
        assert_eq!(seen.len(), 28);
        assert!(
            seen.keys()
                .all(|bits| bits & 0b1_0000_0001 == 0 && ((bits >> bits.trailing_zeros()) + 1).is_power_of_two())
        );
        assert!(seen.values().all(|count| count.abs_diff(400) < 90), "{seen:?}");
        let mut code = [Color::default(); 3];
        decode(&mut code, &[5, 6, 7].map(Color::new), &rules);
        assert_eq!(code, [5, 0, 1].map(Color::new));
    }

    #[test]
    fn a_mutation_flips_one_bit() {
        let rules: Rules = "2x5".parse().unwrap();
        let fitness = Fitness::Agreement { worth: Vec::new() };
        let strategy = FirstEligible { genes: Genes::Bits(3), ..FirstEligible::new(&rules, fitness) };
        let mut rng = Rng::new(1);
        let mut seen = std::collections::BTreeMap::new();
        for _ in 0..6_000 {
            let mut chromosome = [4, 1].map(Color::new);
            strategy.mutate(&mut chromosome, &mut rng);
            *seen.entry(chromosome.map(Color::index)).or_insert(0u32) += 1;
        }
        let expected = [[0, 1], [4, 0], [4, 3], [4, 5], [5, 1], [6, 1]];
        assert_eq!(seen.keys().copied().collect::<Vec<_>>(), expected);
        assert!(seen.values().all(|count| count.abs_diff(1_000) < 145), "{seen:?}");
    }
}
