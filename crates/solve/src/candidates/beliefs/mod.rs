//! What the turns say about each cell: chances for every color, by belief propagation.
//!
//! Every black mark is a sum over the cells of its line, one for each cell that has the color guessed there; every count of
//! pegs is a sum over colors of how often each is held, and that in turn is a sum over cells. Each sum tells each of its
//! terms how likely it is, given what all other sums say of the other terms, and so on round and round until nothing
//! changes. Black sums are exact for independent cells; sums of pegs are taken as normal.
//!
//! The chances say nothing about how cells depend on each other, so a code drawn from them rarely fits all turns. But it
//! tells much when it is played, on boards where finding one that fits is out of reach; and as turns go on the chances
//! become certainties. This works best on turns that were themselves drawn like this.
//!
//! Cost: a round takes `turns * cells * (1 + black pegs)` and `cells * colors` steps. Memory: three numbers for each cell and
//! color. Limits: near the end of a game the rounds may swing rather than settle; they then start afresh.
//!
//! # References
//! - M. Mézard and A. Montanari, Information, Physics, and Computation, Oxford University Press, 2009, chapter 14.
//! - A. El Alaoui, A. Ramdas, F. Krzakala, L. Zdeborová and M. I. Jordan, Decoding from pooled data: phase transitions of
//!   message passing, IEEE Transactions on Information Theory 65(1), 2019.

mod pegs;
mod sums;

use pegwise_game::{Code, Color, FeedbackKind, History, Mark, Rules, Turn};

use self::{
    pegs::{Pegs, held_width},
    sums::Sums,
};
use crate::{
    portable,
    rng::Rng,
    search::{Search, Stop, Watch},
};

/// Chances for the color of every cell, and what each turn says about them.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::{Search, Watch, candidates::beliefs::Beliefs};
/// let rules: Rules = "20x20".parse().unwrap();
/// let history = History::parse(&rules, ["AAAAABBBBBCCCCCDDDDD=5,0"]).unwrap();
/// let mut beliefs = Beliefs::new(&rules).expect("black and white pegs");
/// beliefs.follow(&history);
/// beliefs.settle(30, Watch::default(), &mut Search::new(1));
/// assert!((beliefs.chance(0, 0) - 0.25).abs() < 0.02);
/// assert!(beliefs.chance(0, 0) > beliefs.chance(0, 1));
/// ```
#[derive(Debug, Clone)]
pub struct Beliefs {
    rules: Rules,
    /// For each cell and color, the logarithm of its weight, and the weight; weights of a cell sum to `sums`.
    logs: Vec<f64>,
    weights: Vec<f64>,
    sums: Vec<f64>,
    turns: Vec<Turn>,
    /// For each turn, line and cell of the line, what the black pegs say of the guessed color.
    black: Vec<f64>,
    /// For each turn and line, its pegs; empty without white pegs.
    pegs: Vec<Pegs>,
    /// For each line, color and number of times it may be held: what the pegs say of it, and what the cells say.
    told: Vec<f64>,
    held: Vec<f64>,
    /// How many numbers that takes for each color.
    width: usize,
    /// For each line, color and cell of the line, what the counts say of the cell having the color.
    counted: Vec<f64>,
    scratch: Sums,
    /// How much the chances changed in the last round, for each cell.
    change: f64,
}

/// A round that changes less than this, for each cell, has settled.
const SETTLED: f64 = 5e-3;
/// From here on the rounds swing, and what was said is better forgotten.
const SWINGING: f64 = 0.05;
/// Weights are summed anew when a message is this many times what it was.
const BIG_STEP: f64 = 100.0;
/// The most cells times colors for which chances are kept: tens of megabytes.
const MOST_CHANCES: usize = 1 << 20;

impl Beliefs {
    /// Beliefs before the first turn, where every color is as likely as another; `None` for feedback without black pegs, and
    /// for boards that would take too much memory.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Self> {
        let kind = rules.feedback();
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let visits: usize = rules.board().lines().map(<[usize]>::len).sum();
        let has_pegs = matches!(kind, FeedbackKind::BlackWhite | FeedbackKind::BlackOnly);
        if !has_pegs || visits * colors > MOST_CHANCES {
            return None;
        }
        let counts = if kind == FeedbackKind::BlackWhite { rules.board().line_count() * colors } else { 0 };
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let width = held_width(longest, colors);
        Some(Self {
            rules: rules.clone(),
            logs: vec![0.0; cells * colors],
            weights: vec![1.0; cells * colors],
            sums: vec![colors as f64; cells],
            turns: Vec::new(),
            black: Vec::new(),
            pegs: Vec::new(),
            told: vec![1.0; counts * width],
            held: vec![1.0; counts * width],
            width,
            counted: vec![1.0; if counts > 0 { visits * colors } else { 0 }],
            scratch: Sums::default(),
            change: 0.0,
        })
    }

    /// Takes on the turns of a history: those that are new, or all of them when it is another game or when the last rounds
    /// did not settle.
    pub fn follow(&mut self, history: &History) {
        let goes_on = history.turns().starts_with(&self.turns) && self.change <= SWINGING;
        if !goes_on && let Some(fresh) = Self::new(&self.rules) {
            *self = fresh;
        }
        for turn in &history.turns()[self.turns.len()..] {
            for (line, &mark) in self.rules.board().lines().zip(turn.feedback.marks()) {
                self.black.extend(line.iter().map(|_| 1.0));
                if let Mark::BlackWhite { black, white } = mark {
                    let mut shown = std::collections::BTreeMap::new();
                    for &cell in line {
                        *shown.entry(turn.guess[cell].index()).or_insert(0) += 1;
                    }
                    self.pegs.push(Pegs::new(black + white, shown, self.width));
                }
            }
            self.turns.push(turn.clone());
        }
    }

    /// Goes round until the chances settle, so many rounds, or until the watch stops it. What the turns of a round say
    /// counts as a step of the search each.
    pub fn settle(&mut self, rounds: usize, watch: Watch<'_>, search: &mut Search<'_>) -> Option<Stop> {
        for _ in 0..rounds {
            self.change = 0.0;
            if let Some(stop) = self.round(watch, search) {
                return Some(stop);
            }
            self.change /= self.rules.cells() as f64;
            if self.change < SETTLED {
                break;
            }
        }
        None
    }

    /// The chance that a cell has a color.
    #[must_use]
    pub fn chance(&self, cell: usize, color: usize) -> f64 {
        self.weights[cell * usize::from(self.rules.colors()) + color] / self.sums[cell]
    }

    /// How many cells the likeliest colors are expected to get right.
    #[must_use]
    pub fn expected_right(&self) -> f64 {
        let rows = self.weights.chunks(self.rules.colors().into()).zip(&self.sums);
        rows.map(|(weights, sum)| weights.iter().copied().fold(0.0, f64::max) / sum).sum()
    }

    /// A code drawn cell by cell, with likely colors favored a little more than their chances say.
    pub fn draw(&self, rng: &mut Rng) -> Code {
        const STEPS: u64 = 1 << 53;
        let colors = usize::from(self.rules.colors());
        let mut taken = vec![false; if self.rules.repeats() { 0 } else { colors }];
        let mut favored = vec![0.0; colors];
        let drawn = (0..self.rules.cells()).map(|cell| {
            for (color, favored) in favored.iter_mut().enumerate() {
                let chance = self.chance(cell, color);
                let open = taken.get(color).is_none_or(|&taken| !taken);
                *favored = if open { chance * chance.sqrt() + f64::MIN_POSITIVE } else { 0.0 };
            }
            let whole: f64 = favored.iter().sum();
            let mut left = rng.below(STEPS) as f64 / STEPS as f64 * whole;
            let mut picked = favored.iter().position(|&favored| favored > 0.0).unwrap_or(0);
            for (color, &favored) in favored.iter().enumerate().filter(|&(_, &favored)| favored > 0.0) {
                picked = color;
                left -= favored;
                if left < 0.0 {
                    break;
                }
            }
            if let Some(taken) = taken.get_mut(picked) {
                *taken = true;
            }
            Color::new(picked as u16)
        });
        Code::new(drawn.collect::<Vec<Color>>())
    }

    /// Every sum speaks once.
    fn round(&mut self, watch: Watch<'_>, search: &mut Search<'_>) -> Option<Stop> {
        let mut scratch = std::mem::take(&mut self.scratch);
        let (rules, turns) = (self.rules.clone(), std::mem::take(&mut self.turns));
        search.counts.nodes += turns.len() as u64;
        let stopped = self.blacks_speak(&rules, &turns, &mut scratch, watch);
        let stopped = stopped.or_else(|| self.counts_speak(&rules, &mut scratch, watch)).or_else(|| {
            let (lines, numbers) = (rules.board().line_count(), usize::from(rules.colors()) * self.width);
            for (at, pegs) in self.pegs.iter_mut().enumerate() {
                let line = at % lines * numbers..(at % lines + 1) * numbers;
                pegs.speak(self.width, &self.held[line.clone()], &mut self.told[line]);
            }
            None
        });
        (self.scratch, self.turns) = (scratch, turns);
        self.weigh();
        stopped
    }

    fn blacks_speak(&mut self, rules: &Rules, turns: &[Turn], scratch: &mut Sums, watch: Watch<'_>) -> Option<Stop> {
        let colors = usize::from(rules.colors());
        let (mut said, mut chances, mut likelihoods) = (std::mem::take(&mut self.black), Vec::new(), Vec::new());
        let (mut at, mut stopped) = (0, None);
        for turn in turns {
            stopped = watch.stop();
            if stopped.is_some() {
                break;
            }
            for (line, mark) in rules.board().lines().zip(turn.feedback.marks()) {
                let black = match *mark {
                    Mark::BlackWhite { black, .. } | Mark::BlackOnly { black } => usize::from(black),
                    _ => unreachable!("beliefs are for feedback with pegs"),
                };
                let said = &mut said[at..][..line.len()];
                at += line.len();
                chances.clear();
                let place = |cell: usize| cell * colors + turn.guess[cell].index();
                chances.extend(line.iter().zip(&*said).map(|(&cell, &said)| self.without(cell, place(cell), said)));
                likelihoods.clear();
                likelihoods.resize(black + 2, 0.0);
                likelihoods[black] = 1.0;
                scratch.messages(&chances, &likelihoods, |term, ratio| {
                    self.hear(line[term], place(line[term]), &mut said[term], ratio);
                });
            }
        }
        self.black = said;
        stopped
    }

    fn counts_speak(&mut self, rules: &Rules, scratch: &mut Sums, watch: Watch<'_>) -> Option<Stop> {
        let colors = usize::from(rules.colors());
        let (mut counted, mut chances) = (std::mem::take(&mut self.counted), Vec::new());
        let mut likelihoods = Vec::new();
        let (mut at, mut stopped) = (0, None);
        for (number, line) in rules.board().lines().enumerate() {
            for color in 0..if counted.is_empty() { 0 } else { colors } {
                stopped = stopped.or_else(|| watch.stop());
                if stopped.is_some() {
                    break;
                }
                let said = &mut counted[at..][..line.len()];
                at += line.len();
                chances.clear();
                let place = |cell: usize| cell * colors + color;
                chances.extend(line.iter().zip(&*said).map(|(&cell, &said)| self.without(cell, place(cell), said)));
                let own = (number * colors + color) * self.width..(number * colors + color + 1) * self.width;
                likelihoods.clear();
                likelihoods.extend_from_slice(&self.told[own.clone()]);
                likelihoods.extend(self.told[own.clone()].last());
                scratch.messages(&chances, &likelihoods, |term, ratio| {
                    self.hear(line[term], place(line[term]), &mut said[term], ratio);
                });
                self.held[own].copy_from_slice(scratch.distribution(self.width));
            }
        }
        self.counted = counted;
        stopped
    }

    /// The chance of a color in a cell without what one sum said of it.
    #[inline]
    fn without(&self, cell: usize, place: usize, said: f64) -> f64 {
        const CERTAIN: f64 = 1e-9;
        let weight = self.weights[place];
        let others = (self.sums[cell] - weight).max(self.sums[cell] * 1e-13);
        let own = weight / said;
        (own / (own + others)).clamp(CERTAIN, 1.0 - CERTAIN)
    }

    /// A sum says something else than before; half of it is believed, since whole steps overshoot.
    #[inline]
    fn hear(&mut self, cell: usize, place: usize, said: &mut f64, ratio: f64) {
        let new = (ratio * *said).sqrt();
        let factor = new / *said;
        *said = new;
        let (old, sum) = (self.weights[place], self.sums[cell]);
        self.weights[place] = old * factor;
        self.logs[place] += portable::ln(factor);
        let colors = usize::from(self.rules.colors());
        self.sums[cell] = if (1.0 / BIG_STEP..BIG_STEP).contains(&factor) {
            sum + old * (factor - 1.0)
        } else {
            self.weights[cell * colors..][..colors].iter().sum()
        };
        self.change += (old * factor / self.sums[cell] - old / sum).abs();
    }

    /// Makes the weights anew from their logarithms, which lose nothing.
    fn weigh(&mut self) {
        let colors = usize::from(self.rules.colors());
        let rows = self.logs.chunks_mut(colors).zip(self.weights.chunks_mut(colors));
        for ((logs, weights), sum) in rows.zip(&mut self.sums) {
            let most = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            for (log, weight) in logs.iter_mut().zip(&mut *weights) {
                *log -= most;
                *weight = portable::exp(*log);
            }
            *sum = weights.iter().sum();
        }
    }
}

#[cfg(test)]
mod tests;
