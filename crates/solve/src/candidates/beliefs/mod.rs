//! What the turns say about each cell: chances for every color, by belief propagation.
//!
//! Every black mark is a sum over the cells of its line, one for each cell that has the color guessed there; every count of
//! pegs is a sum over colors of how often each is held, and that in turn is a sum over cells. Each sum tells each of its
//! terms how likely it is, given what all other sums say of the other terms, and so on round and round until nothing
//! changes. Black sums are exact for independent cells; sums of pegs are taken as normal, until they nearly tell how often each
//! color is held: then the very numbers are looked for.
//!
//! The chances say nothing about how cells depend on each other, so a code drawn from them rarely fits all turns. But it
//! tells much when it is played, on boards where finding one that fits is out of reach; and as turns go on the chances
//! become certainties. This works best on turns that were themselves drawn like this.
//!
//! Cost: a round takes `turns * cells * (1 + black pegs)` and `cells * colors` steps. Memory: two numbers for each cell and
//! color. Limits: near the end of a game the rounds may swing rather than settle.
//!
//! # References
//! - M. Mézard and A. Montanari, Information, Physics, and Computation, Oxford University Press, 2009, chapter 14.
//! - A. El Alaoui, A. Ramdas, F. Krzakala, L. Zdeborová and M. I. Jordan, Decoding from pooled data: phase transitions of
//!   message passing, IEEE Transactions on Information Theory 65(1), 2019.

mod counts;
mod pegs;
mod sums;

use pegwise_game::{CellTerm, Code, Color, History, HistoryChange, Mark, Rules, Turn};

use self::{
    counts::Counts,
    pegs::{Pegs, held_width},
    sums::Sums,
};
use crate::{
    clock, portable,
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
    /// For each cell and color its weight: all that was said of it, multiplied. Weights of a cell sum to `sums`.
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
    /// For each line, its turns and how often each color is on it, once known; empty without white pegs.
    counts: Vec<Counts>,
    known: Vec<Option<Vec<i32>>>,
    /// How many of the black pegs expected of the last guesses there were, for each that was expected.
    kept: f64,
    scratch: Sums,
    /// How much the chances changed in the last round, for each cell.
    change: f64,
}

/// A round that changes less than this, for each cell, has settled.
const SETTLED: f64 = 5e-3;
/// How much the last guess counts among the last guesses.
const PACE: f64 = 0.15;
/// Fewer black pegs than expected by this many deviations are a surprise.
const SURPRISE: f64 = 3.0;
/// Where the likeliest numbers of cells of each color have this chance on average, the true ones are near.
const NEARLY: f64 = 0.8;
/// The weight of a number of cells that is known not to be.
const IMPOSSIBLE: f64 = 1e-12;
/// To no sum is a cell surer than this. Sums that hear certainties have nobody to blame when they do not add up, and then
/// tell all cells at once that they are wrong.
const LEAST_CHANCE: f64 = 1e-5;
/// A color without a chance may be drawn where no other is left.
const LEAST_DRAWN: f64 = 1e-30;
/// Weights stay above this, so that what was said can be taken back.
const LEAST_WEIGHT: f64 = 1e-200;
/// The most cells times colors for which chances are kept: tens of megabytes.
const MOST_CHANCES: usize = 1 << 20;

impl Beliefs {
    /// Beliefs before the first turn, where every color is as likely as another; `None` for feedback without black pegs, and
    /// for boards that would take too much memory.
    #[must_use]
    pub fn new(rules: &Rules) -> Option<Self> {
        let model = rules.feedback().model();
        let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
        let visits: usize = rules.board().lines().map(<[usize]>::len).sum();
        let has_pegs = model.cell == CellTerm::Equal && model.is_aggregate();
        if !has_pegs || visits * colors > MOST_CHANCES {
            return None;
        }
        let lines = if model.colors { rules.board().line_count() } else { 0 };
        let counts = lines * colors;
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let width = held_width(longest, colors);
        Some(Self {
            rules: rules.clone(),
            weights: vec![1.0; cells * colors],
            sums: vec![colors as f64; cells],
            turns: Vec::new(),
            black: Vec::new(),
            pegs: Vec::new(),
            told: vec![1.0; counts * width],
            held: vec![1.0; counts * width],
            width,
            counted: vec![1.0; if counts > 0 { visits * colors } else { 0 }],
            counts: vec![Counts::new(colors); lines],
            known: vec![None; lines],
            kept: 1.0,
            scratch: Sums::default(),
            change: 0.0,
        })
    }

    /// Takes on the turns of a history: those that are new, or all of them afresh when it is another game or what was
    /// believed is in doubt. It is when an answer is far from what was expected, and as long as it is not known how often
    /// each color is there: what is believed of that early on is too sure of itself, and hard to unlearn.
    pub fn follow(&mut self, history: &History) {
        let same_game = HistoryChange::between(&self.turns, history).is_extension();
        let mut surprised = false;
        if let (true, Some(turn)) = (same_game, history.turns().get(self.turns.len())) {
            let (expected, black) = self.expected(turn);
            self.kept += PACE * (((black + 1.0) / (expected + 1.0)).min(1.0) - self.kept);
            surprised = expected - black > SURPRISE * (expected + 1.0).sqrt();
        }
        let (kept, known) = (self.kept, std::mem::take(&mut self.known));
        let in_doubt = surprised || known.contains(&None);
        if (!same_game || in_doubt)
            && let Some(fresh) = Self::new(&self.rules)
        {
            *self = fresh;
        }
        if same_game {
            (self.kept, self.known) = (kept, known);
        }
        for turn in &history.turns()[self.turns.len()..] {
            for (number, (line, &mark)) in self.rules.board().lines().zip(turn.feedback.marks()).enumerate() {
                self.black.extend(line.iter().map(|_| 1.0));
                if let Some(pegs) = mark.pegs() {
                    let mut shown = std::collections::BTreeMap::new();
                    for &cell in line {
                        *shown.entry(turn.guess[cell].index()).or_insert(0) += 1;
                    }
                    self.counts[number].push(&shown, pegs as u16);
                    self.pegs.push(Pegs::new(pegs as u16, shown, self.width));
                }
            }
            self.turns.push(turn.clone());
        }
        for line in 0..self.known.len() {
            self.known[line].take_if(|held| !self.counts[line].fit(held));
            self.tell_known(line);
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
        self.count(watch, &mut search.rng);
        None
    }

    /// Looks for how often each color is there, on lines where the chances nearly tell.
    fn count(&mut self, watch: Watch<'_>, rng: &mut Rng) {
        let colors = usize::from(self.rules.colors());
        for (number, line) in self.rules.clone().board().lines().enumerate().take(self.known.len()) {
            let nearly = NEARLY * colors as f64;
            let held: Vec<Vec<f64>> = (0..colors).map(|color| self.times_held(number, color)).collect();
            let sure = |held: &Vec<f64>| held.iter().copied().fold(0.0, f64::max);
            if self.known[number].is_some() || held.iter().map(sure).sum::<f64>() < nearly {
                continue;
            }
            let likeliest = |held: &Vec<f64>| {
                (0..held.len()).rev().max_by(|&one, &other| held[one].total_cmp(&held[other])).unwrap_or(0) as i32
            };
            let most = if self.rules.repeats() { line.len() as i32 } else { 1 };
            let likely = held.iter().map(likeliest).collect();
            self.known[number] = self.counts[number].near(likely, line.len() as i32, most, watch, rng);
            self.tell_known(number);
        }
    }

    /// What is known of a line is told as such.
    fn tell_known(&mut self, line: usize) {
        let Some(held) = &self.known[line] else { return };
        let numbers = held.len() * self.width;
        let told = &mut self.told[line * numbers..][..numbers];
        told.fill(IMPOSSIBLE);
        for (color, &held) in held.iter().enumerate() {
            told[color * self.width + (held as usize).min(self.width - 1)] = 1.0;
        }
    }

    /// The black pegs expected of a guess on all lines, and those that there were. Firm but wrong beliefs always expect too
    /// many.
    fn expected(&self, turn: &Turn) -> (f64, f64) {
        let lines = self.rules.board().lines().zip(turn.feedback.marks());
        lines.fold((0.0, 0.0), |(expected, there), (line, mark)| {
            let black = black_pegs(*mark);
            let chances: f64 = line.iter().map(|&cell| self.chance(cell, turn.guess[cell].index())).sum();
            (expected + chances, there + black as f64)
        })
    }

    /// The chances that a color is held by no cell of a line, by one, and so on.
    pub(crate) fn times_held(&self, line: usize, color: usize) -> Vec<f64> {
        let at = (line * usize::from(self.rules.colors()) + color) * self.width;
        let Some(held) = self.held.get(at..at + self.width) else { return vec![0.0; self.width] };
        let weights: Vec<f64> = held.iter().zip(&self.told[at..]).map(|(held, told)| held * told).collect();
        let sum: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / sum.max(f64::MIN_POSITIVE)).collect()
    }

    /// The most cells of a line that a color is taken to be held by.
    pub(crate) fn most_held(&self) -> usize {
        self.width - 1
    }

    /// The chance that a cell has a color.
    #[must_use]
    pub fn chance(&self, cell: usize, color: usize) -> f64 {
        self.weights[cell * usize::from(self.rules.colors()) + color] / self.sums[cell]
    }

    /// The chances of all colors in the first cell, in the second, and so on.
    pub(crate) fn chances(&self) -> Vec<f64> {
        let rows = self.weights.chunks(self.rules.colors().into()).zip(&self.sums);
        rows.flat_map(|(weights, sum)| weights.iter().map(move |weight| weight / sum)).collect()
    }

    /// How many of the black pegs expected of the last guesses there were, for each that was expected: one while beliefs
    /// are as good as they claim.
    pub(crate) fn kept(&self) -> f64 {
        self.kept
    }

    /// How many cells of a row have each color, once that is known.
    pub(crate) fn known(&self) -> Option<&[i32]> {
        match self.known.as_slice() {
            [known] => known.as_deref(),
            _ => None,
        }
    }

    /// How many cells the likeliest colors are expected to get right.
    #[must_use]
    pub fn expected_right(&self) -> f64 {
        let rows = self.weights.chunks(self.rules.colors().into()).zip(&self.sums);
        rows.map(|(weights, sum)| weights.iter().copied().fold(0.0, f64::max) / sum).sum()
    }

    /// A code drawn cell by cell, by the chances to some power: more than one favors likely colors.
    pub fn draw(&self, favor: f64, rng: &mut Rng) -> Code {
        let colors = usize::from(self.rules.colors());
        let mut taken = vec![false; if self.rules.repeats() { 0 } else { colors }];
        let mut favored = vec![0.0; colors];
        let drawn = (0..self.rules.cells()).map(|cell| {
            for (color, favored) in favored.iter_mut().enumerate() {
                let chance = self.chance(cell, color).max(LEAST_DRAWN);
                let open = taken.get(color).is_none_or(|&taken| !taken);
                *favored = if open { portable::exp(favor * portable::ln(chance)) } else { 0.0 };
            }
            let picked = rng.weighted(&favored);
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
        search.step(turns.len() as u64);
        let stopped = self.blacks_speak(&rules, &turns, &mut scratch, watch);
        let stopped = stopped.or_else(|| self.counts_speak(&rules, &mut scratch, watch)).or_else(|| {
            let (lines, numbers) = (rules.board().line_count(), usize::from(rules.colors()) * self.width);
            for (at, pegs) in self.pegs.iter_mut().enumerate() {
                if self.known[at % lines].is_some() {
                    continue;
                }
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
                clock::work((line.len() * line.len()) as u64);
                let black = black_pegs(*mark);
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
                clock::work((line.len() * line.len()) as u64);
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
        let weight = self.weights[place];
        let others = (self.sums[cell] - weight).max(self.sums[cell] * 1e-13);
        let own = weight / said;
        (own / (own + others)).clamp(LEAST_CHANCE, 1.0 - LEAST_CHANCE)
    }

    /// A sum says something else than before; half of it is believed, since whole steps overshoot.
    #[inline]
    fn hear(&mut self, cell: usize, place: usize, said: &mut f64, ratio: f64) {
        let new = (ratio * *said).sqrt();
        let factor = new / *said;
        *said = new;
        let (old, sum) = (self.weights[place], self.sums[cell]);
        self.weights[place] = (old * factor).max(LEAST_WEIGHT);
        self.sums[cell] = (sum + self.weights[place] - old).max(LEAST_WEIGHT);
        self.change += (self.weights[place] / self.sums[cell] - old / sum).abs();
    }

    /// Makes the weights anew from all that was said, since steps one by one lose digits.
    fn weigh(&mut self) {
        let colors = usize::from(self.rules.colors());
        self.weights.fill(1.0);
        let mut at = 0;
        for line in self.rules.board().lines() {
            for color in 0..if self.counted.is_empty() { 0 } else { colors } {
                for &cell in line {
                    self.weights[cell * colors + color] *= self.counted[at];
                    at += 1;
                }
            }
        }
        let mut said = self.black.iter();
        for turn in &self.turns {
            for line in self.rules.board().lines() {
                for (&cell, said) in line.iter().zip(&mut said) {
                    let weight = &mut self.weights[cell * colors + turn.guess[cell].index()];
                    *weight = (*weight * said).clamp(LEAST_WEIGHT, 1.0 / LEAST_WEIGHT);
                }
            }
        }
        for (weights, sum) in self.weights.chunks_mut(colors).zip(&mut self.sums) {
            let most = weights.iter().copied().fold(0.0, f64::max);
            weights.iter_mut().for_each(|weight| *weight = (*weight / most).max(LEAST_WEIGHT));
            *sum = weights.iter().sum();
        }
    }
}

fn black_pegs(mark: Mark) -> usize {
    mark.black().unwrap_or(0)
}

#[cfg(test)]
mod tests;
