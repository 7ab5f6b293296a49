//! Guesses compared by how unsure their answers are, on boards where no consistent code is found in time.
//!
//! An answer tells as much as it is unsure, less what earlier answers tell already. Cells are taken as independent with the
//! chances that are [believed](crate::candidates::beliefs), and so are the numbers of cells that have each color. The black
//! pegs of a guess and all of its pegs are then sums whose covariances with those of earlier guesses are known, and what a
//! linear prediction from these explains is taken off their variance.
//!
//! Cost: some multiplications for each cell and pair of turns, and a sixth of the cube of the turns.

use std::sync::Arc;

use pegwise_game::{Code, Color, Rules, Turn};

use super::covariance::Covariance;
use crate::{candidates::beliefs::Beliefs, clock, parallel, portable, rng::Rng, search::Watch};

/// Guesses compared.
const GUESSES: usize = 10;
/// The most that likely colors are favored in a guess that is drawn: chances to this power.
const MOST_FAVOR: f64 = 1.8;
/// In a guess of few colors, each is shown at least and at most so many times.
const SHOWN: std::ops::RangeInclusive<usize> = 2..=5;
/// A color that is absent with this chance is a waste of pegs, but for one time in ten: it may be needed as a blank.
const SURELY_ABSENT: f64 = 0.98;
const ABSENT_ALL_THE_SAME: u64 = 10;
/// A color may always be in a cell, however unlikely it is believed to be.
const LEAST_CHANCE: f64 = 1e-9;
/// Variance below which an answer tells next to nothing.
const NOTHING: f64 = 0.3;

/// The questions asked so far, and what they leave open.
#[derive(Debug)]
pub(super) struct Questions<'a> {
    rules: &'a Rules,
    beliefs: &'a Beliefs,
    lines: Vec<Line<'a>>,
    watch: Watch<'a>,
}

impl<'a> Questions<'a> {
    /// The turns as questions. When the watch stops it, some are left out.
    pub(super) fn new(rules: &'a Rules, beliefs: &'a Beliefs, turns: &[Turn], watch: Watch<'a>) -> Self {
        let chances: Arc<[f64]> = beliefs.chances().into();
        let lines = rules.board().lines().enumerate();
        let lines =
            lines.map(|(number, cells)| Line::new(number, cells, rules, beliefs, &chances, turns, watch)).collect();
        Self { rules, beliefs, lines, watch }
    }

    /// The best of a few guesses: codes drawn by chance, and codes of few colors in likely places. When the watch stops it,
    /// of fewer.
    pub(super) fn best(&self, rng: &mut Rng) -> Code {
        let in_time = |number: &usize| *number == 0 || self.watch.stop().is_none();
        let guesses = (0..GUESSES).take_while(in_time).map(|number| {
            clock::work((self.rules.cells() * usize::from(self.rules.colors())) as u64);
            let favor = (1.0 + (MOST_FAVOR - 1.0) * rng.unit()) * self.beliefs.kept() * self.beliefs.kept();
            match self.beliefs.known() {
                Some(known) if number % 2 == 1 => self.arranged(known, favor, rng),
                None if number % 2 == 1 && self.rules.repeats() => self.of_few_colors(rng),
                _ => self.beliefs.draw(favor, rng),
            }
        });
        let guesses: Vec<Code> = guesses.collect();
        let worths = guesses.iter().map(|guess| self.lines.iter().map(|line| line.worth(guess)).sum::<f64>());
        // The first of equals.
        let best = guesses.iter().zip(worths).rev().max_by(|one, other| one.1.total_cmp(&other.1));
        best.map_or_else(|| self.beliefs.draw(1.0, rng), |(guess, _)| guess.clone())
    }

    /// A code with so many cells of each color, where they are likely.
    fn arranged(&self, times: &[i32], favor: f64, rng: &mut Rng) -> Code {
        let left = times.iter().map(|&times| times.into()).collect();
        self.placed(left, rng, |chance, left| {
            if left > 0.0 { portable::exp(favor * portable::ln(chance.max(LEAST_CHANCE))) } else { 0.0 }
        })
    }

    /// A code in some colors, each about as often as the others, where they are likely.
    fn of_few_colors(&self, rng: &mut Rng) -> Code {
        let (cells, colors) = (self.rules.cells(), usize::from(self.rules.colors()));
        let times = SHOWN.start() + rng.index(SHOWN.count());
        let mut chosen: Vec<usize> = (0..colors).collect();
        rng.shuffle(&mut chosen);
        chosen.truncate(cells.div_ceil(times));
        let first = chosen[0];
        chosen.retain(|&color| {
            let absent = self.lines.iter().all(|line| line.beliefs.times_held(line.number, color)[0] > SURELY_ABSENT);
            !absent || rng.below(ABSENT_ALL_THE_SAME) == 0
        });
        if chosen.is_empty() {
            chosen.push(first);
        }
        let mut left = vec![0.0; colors];
        for cell in 0..cells {
            left[chosen[cell / times % chosen.len()]] += 1.0;
        }
        self.placed(left, rng, |chance, left| (chance + LEAST_CHANCE) * left)
    }

    /// A code with so many cells of each color, filled cell by cell in any order. A color is as likely as its weight, by its
    /// chance in the cell and by how many are left of it.
    fn placed(&self, mut left: Vec<f64>, rng: &mut Rng, weigh: impl Fn(f64, f64) -> f64) -> Code {
        let mut order: Vec<usize> = (0..self.rules.cells()).collect();
        rng.shuffle(&mut order);
        let mut code = vec![Color::new(0); order.len()];
        let mut weights = vec![0.0; left.len()];
        for cell in order {
            for (color, weight) in weights.iter_mut().enumerate() {
                *weight = weigh(self.beliefs.chance(cell, color), left[color]);
            }
            let color = rng.weighted(&weights);
            left[color] -= 1.0;
            code[cell] = Color::new(color as u16);
        }
        Code::new(code)
    }
}

/// What was asked on one line.
#[derive(Debug)]
struct Line<'a> {
    number: usize,
    cells: &'a [usize],
    colors: usize,
    beliefs: &'a Beliefs,
    /// For each cell and color, its chance.
    chances: Arc<[f64]>,
    /// For each color and number of times shown, the variance of its pegs; empty where only black pegs are given.
    spreads: Vec<f64>,
    most_held: usize,
    asked: Vec<Asked>,
    black: Covariance,
    pegs: Covariance,
}

/// What a guess shows on a line: the color of each cell, and how often it shows each color.
#[derive(Debug)]
struct Asked {
    colors: Vec<usize>,
    shown: Vec<usize>,
}

impl<'a> Line<'a> {
    fn new(
        number: usize,
        cells: &'a [usize],
        rules: &Rules,
        beliefs: &'a Beliefs,
        chances: &Arc<[f64]>,
        turns: &[Turn],
        watch: Watch<'_>,
    ) -> Self {
        let (colors, most_held) = (usize::from(rules.colors()), beliefs.most_held());
        let mut spreads = Vec::new();
        for color in 0..if rules.feedback().model().colors { colors } else { 0 } {
            let held = beliefs.times_held(number, color);
            spreads.extend((0..=most_held).map(|shown| spread(&held, shown)));
        }
        let (black, pegs) = (Covariance::default(), Covariance::default());
        let chances = Arc::clone(chances);
        let mut line =
            Self { number, cells, colors, beliefs, chances, spreads, most_held, asked: Vec::new(), black, pegs };
        let asked: Vec<Asked> = turns.iter().map(|turn| line.ask(&turn.guess)).collect();
        let (black, pegs) = parallel::join(
            || Covariance::new(asked.len(), watch, |one, other| line.black(&asked[one], &asked[other])),
            || Covariance::new(asked.len(), watch, |one, other| line.pegs(&asked[one], &asked[other])),
        );
        (line.asked, line.black, line.pegs) = (asked, black, pegs);
        line
    }

    fn ask(&self, guess: &Code) -> Asked {
        let colors: Vec<usize> = self.cells.iter().map(|&cell| guess[cell].index()).collect();
        let mut shown = vec![0; self.colors];
        for &color in &colors {
            shown[color] += 1;
        }
        Asked { colors, shown }
    }

    /// The covariance of the black pegs of two guesses.
    fn black(&self, one: &Asked, other: &Asked) -> f64 {
        let pairs = self.cells.iter().zip(one.colors.iter().zip(&other.colors));
        let covariances = pairs.map(|(&cell, (&one, &other))| {
            let chances = &self.chances[cell * self.colors..][..self.colors];
            chances[one] * (f64::from(u8::from(one == other)) - chances[other])
        });
        covariances.sum()
    }

    /// The covariance of all pegs of two guesses, as if a color shown more often by one were shown as often by both.
    fn pegs(&self, one: &Asked, other: &Asked) -> f64 {
        let spreads = self.spreads.chunks(self.most_held + 1).zip(one.shown.iter().zip(&other.shown));
        spreads.map(|(spreads, (&one, &other))| spreads[one.min(other).min(self.most_held)]).sum()
    }

    /// How much the answer to a guess is expected to tell.
    fn worth(&self, guess: &Code) -> f64 {
        let asked = self.ask(guess);
        let open = |covariance: &dyn Fn(&Asked, &Asked) -> f64, before: &Covariance| {
            let covariances: Vec<f64> = self.asked.iter().map(|other| covariance(&asked, other)).collect();
            (covariance(&asked, &asked) - before.explained(&covariances)).max(0.0)
        };
        let black = open(&|one, other| self.black(one, other), &self.black);
        let pegs = open(&|one, other| self.pegs(one, other), &self.pegs);
        portable::ln(black + NOTHING) + portable::ln(pegs + NOTHING)
    }
}

/// The variance of the pegs of a color that is shown so many times, by the chances of how often it is held.
fn spread(held: &[f64], shown: usize) -> f64 {
    let (mut mean, mut square) = (0.0, 0.0);
    for (times, chance) in held.iter().enumerate() {
        let pegs = times.min(shown) as f64;
        mean += chance * pegs;
        square += chance * pegs * pegs;
    }
    (square - mean * mean).max(0.0)
}

#[cfg(test)]
mod tests {
    use pegwise_game::History;

    use super::*;
    use crate::{Search, Watch};

    #[test]
    fn a_question_asked_before_tells_nothing_new() {
        let rules: Rules = "20x20".parse().unwrap();
        let (secret, first, second) = (Rng::new(1).code(&rules), Rng::new(2).code(&rules), Rng::new(3).code(&rules));
        let mut history = History::new(rules.clone());
        let feedback = pegwise_game::feedback(&rules, &first, &secret);
        history.push(Turn { guess: first.clone(), feedback }).unwrap();
        let mut beliefs = Beliefs::new(&rules).unwrap();
        beliefs.follow(&history);
        beliefs.settle(20, Watch::default(), &mut Search::new(0));
        let questions = Questions::new(&rules, &beliefs, history.turns(), Watch::default());
        let worth = |guess: &Code| questions.lines[0].worth(guess);
        assert!(worth(&first) < worth(&second) - 1.0, "{} {}", worth(&first), worth(&second));
    }

    #[test]
    fn guesses_fit_the_rules() {
        for text in ["30x30", "30x4", "4x100", "20x30:no-repeats", "20x20:black-only", "grid:5x6x8", "ring:9x5"] {
            let rules: Rules = text.parse().unwrap();
            let beliefs = Beliefs::new(&rules).unwrap();
            let questions = Questions::new(&rules, &beliefs, &[], Watch::default());
            for seed in 0..10 {
                rules.check_code(&questions.best(&mut Rng::new(seed))).unwrap();
            }
        }
    }
}
