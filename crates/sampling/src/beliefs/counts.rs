//! Exact color counts of a line, once belief propagation has nearly determined them.
//!
//! The pegs of a turn depend only on the color counts, so the counts satisfy a system of equations: one per turn. Belief
//! propagation comes close to the solution and is then overconfident; simulated annealing from there, moving one cell from
//! one color to another at a time, finds a solution or none.

use pegwise_search::{Rng, Watch, clock, portable};

/// Number of annealing runs that must agree: a solution that only one of them finds may not be unique.
const RUNS: usize = 2;
/// Number of moves per pair of colors in a run, within the given limits.
const MOVES_PER_PAIR: usize = 10;
const MOVES: std::ops::RangeInclusive<usize> = 1_000..=1_000_000;
/// Number of moves between checks of the clock.
const MOVES_PER_CLOCK_CHECK: usize = 1 << 10;
/// Temperature at the start of a run.
const MAX_TEMPERATURE: f64 = 0.6;
/// Temperature at the end of a run.
const MIN_TEMPERATURE: f64 = 0.2;

/// The equations of the color counts of one line.
#[derive(Debug, Clone, Default)]
pub(super) struct CountEquations {
    /// Number of guessed cells, for each color and turn.
    guessed: Vec<Vec<i32>>,
    pegs: Vec<i32>,
}

impl CountEquations {
    pub(super) fn new(colors: usize) -> Self {
        Self { guessed: vec![Vec::new(); colors], pegs: Vec::new() }
    }

    /// Adds a turn with `pegs`, whose guess shows color `i` in `counts[i]` cells.
    pub(super) fn push(&mut self, counts: &[u16], pegs: u16) {
        for (guessed, &count) in self.guessed.iter_mut().zip(counts) {
            guessed.push(count.into());
        }
        self.pegs.push(pegs.into());
    }

    pub(super) fn are_satisfied_by(&self, counts: &[i32]) -> bool {
        self.residuals(counts).iter().all(|&residual| residual == 0)
    }

    /// Returns color counts that satisfy all equations, if all annealing runs from `start` find the same. The counts sum
    /// to `cells`, and none exceeds `max`.
    pub(super) fn solve(
        &self,
        mut start: Vec<i32>,
        cells: i32,
        max: i32,
        watch: Watch<'_>,
        rng: &mut Rng,
    ) -> Option<Vec<i32>> {
        let mut missing = cells - start.iter().sum::<i32>();
        while missing != 0 {
            let count = &mut start[rng.index(self.guessed.len())];
            let before = std::mem::replace(count, (*count + missing.signum()).clamp(0, max));
            missing -= *count - before;
        }
        let found = self.anneal(start.clone(), max, watch, rng)?;
        let agreed = (1..RUNS).all(|_| self.anneal(start.clone(), max, watch, rng).as_ref() == Some(&found));
        agreed.then_some(found)
    }

    fn anneal(&self, mut counts: Vec<i32>, max: i32, watch: Watch<'_>, rng: &mut Rng) -> Option<Vec<i32>> {
        let mut residuals = self.residuals(&counts);
        let mut energy: i32 = residuals.iter().map(|residual| residual.abs()).sum();
        let moves = (MOVES_PER_PAIR * counts.len() * counts.len()).clamp(*MOVES.start(), *MOVES.end());
        for number in 0..moves {
            if energy == 0 {
                return Some(counts);
            }
            if number % MOVES_PER_CLOCK_CHECK == MOVES_PER_CLOCK_CHECK - 1 && watch.stop().is_some() {
                return None;
            }
            clock::work(clock::STEP_COST);
            let (from, to) = (rng.index(counts.len()), rng.index(counts.len()));
            let (less, more) = (counts[from], counts[to]);
            if from == to || less == 0 || more >= max {
                continue;
            }
            let changes = || {
                let guessed = self.guessed[from].iter().zip(&self.guessed[to]);
                guessed.map(|(&from, &to)| i32::from(to > more) - i32::from(from >= less))
            };
            let after: i32 = residuals.iter().zip(changes()).map(|(residual, change)| (residual + change).abs()).sum();
            let temperature = MAX_TEMPERATURE + (MIN_TEMPERATURE - MAX_TEMPERATURE) * number as f64 / moves as f64;
            if after > energy && rng.unit() > portable::exp(f64::from(energy - after) / temperature) {
                continue;
            }
            residuals.iter_mut().zip(changes()).for_each(|(residual, change)| *residual += change);
            (counts[from], counts[to], energy) = (less - 1, more + 1, after);
        }
        None
    }

    /// Returns the excess of pegs in each turn for these counts.
    fn residuals(&self, counts: &[i32]) -> Vec<i32> {
        let mut residuals: Vec<i32> = self.pegs.iter().map(|pegs| -pegs).collect();
        for (guessed, &count) in self.guessed.iter().zip(counts) {
            residuals.iter_mut().zip(guessed).for_each(|(residual, &guessed)| *residual += guessed.min(count));
        }
        residuals
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLORS: usize = 30;

    /// Returns the color counts of a line with as many cells as colors, and the equations of random turns.
    fn played(turns: usize, rng: &mut Rng) -> (Vec<i32>, CountEquations) {
        let draw = |rng: &mut Rng| {
            let mut counts = vec![0; COLORS];
            (0..COLORS).for_each(|_| counts[rng.index(COLORS)] += 1);
            counts
        };
        let secret: Vec<u16> = draw(rng);
        let mut equations = CountEquations::new(COLORS);
        for _ in 0..turns {
            let guess = draw(rng);
            let pegs = guess.iter().zip(&secret).map(|(one, other)| one.min(other)).sum();
            equations.push(&guess, pegs);
        }
        (secret.into_iter().map(i32::from).collect(), equations)
    }

    /// A run rarely fails, and rarely finds another solution, which exists if no turn shows a color as often as the
    /// code.
    #[test]
    fn counts_that_are_nearly_right_are_corrected() {
        let mut corrected = 0;
        for seed in 0..20 {
            let mut rng = Rng::new(seed);
            let (secret, equations) = played(60, &mut rng);
            assert!(equations.are_satisfied_by(&secret));
            let mut start = secret.clone();
            (0..6).for_each(|_| start[rng.index(COLORS)] += 1);
            let found = equations.solve(start, COLORS as i32, COLORS as i32, Watch::default(), &mut rng);
            assert!(found.as_ref().is_none_or(|found| equations.are_satisfied_by(found)), "seed {seed}");
            corrected += usize::from(found == Some(secret));
        }
        assert!(corrected >= 15, "{corrected} of 20");
    }

    #[test]
    fn ambiguous_counts_stay_unknown() {
        for seed in 0..10 {
            let mut rng = Rng::new(seed);
            let (_, equations) = played(3, &mut rng);
            let start = vec![1; COLORS];
            assert_eq!(equations.solve(start, COLORS as i32, COLORS as i32, Watch::default(), &mut rng), None);
        }
    }

    #[test]
    fn contradictory_turns_have_no_solution() {
        let mut rng = Rng::new(1);
        let (secret, mut equations) = played(60, &mut rng);
        let mut one_color = vec![0; COLORS];
        one_color[0] = COLORS as u16;
        equations.push(&one_color, COLORS as u16);
        assert!(!equations.are_satisfied_by(&secret));
        assert_eq!(equations.solve(secret, COLORS as i32, COLORS as i32, Watch::default(), &mut rng), None);
    }
}
