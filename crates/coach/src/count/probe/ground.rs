//! The turns of a history, ready to put codes together: how likely it seems that a line comes to its numbers.

use pegwise_game::{CellTerm, History, Rules};

use super::drawing::Begun;

/// The least chance that a peg is given.
const LEAST: f64 = 1e-3;
/// How often pegs in common are taken to have nothing to do with the black ones.
const APART: f64 = 0.3;
/// How far it is trusted what seems likely, as a power of it: what seems unlikely must not be left out.
const TRUST: f64 = 0.8;

/// The turns of a history, ready to put codes together.
pub(super) struct Ground {
    pub(super) rules: Rules,
    pub(super) lines_of: Vec<Vec<usize>>,
    pub(super) lengths: Vec<usize>,
    pub(super) guesses: Vec<Vec<u16>>,
    /// For each turn, line and color, how often the guess shows it.
    shown: Vec<u16>,
    pub(super) goals: Vec<[i64; 2]>,
    /// For each turn, line and number of cells still open on it: what random colors add to the sums, and the variance.
    ahead: Vec<Vec<Ahead>>,
    /// The mean of the smaller of a number and of how often random colors of so many cells are a given one.
    met: Vec<Vec<f64>>,
    log_choose: Vec<Vec<f64>>,
}

#[derive(Clone, Copy, Default)]
struct Ahead {
    mean: [f64; 2],
    variance: f64,
}

impl Ground {
    pub(super) fn new(history: &History) -> Self {
        let rules = history.rules().clone();
        let (board, model, colors) = (rules.board(), rules.feedback().model(), usize::from(rules.colors()));
        let lines = board.line_count();
        let lengths: Vec<usize> = board.lines().map(<[usize]>::len).collect();
        let longest = lengths.iter().copied().max().unwrap_or(0);
        let mut lines_of = vec![Vec::new(); rules.cells()];
        for (number, line) in board.lines().enumerate() {
            line.iter().for_each(|&cell| lines_of[cell].push(number));
        }
        let turns = history.turns();
        let mut shown = vec![0u16; turns.len() * lines * colors];
        let mut ahead = Vec::new();
        for (turn, played) in turns.iter().enumerate() {
            for (number, line) in board.lines().enumerate() {
                for &cell in line {
                    shown[(turn * lines + number) * colors + played.guess[cell].index()] += 1;
                }
                // Cells are set in the order of their numbers.
                let mut cells = line.to_vec();
                cells.sort_unstable_by(|one, other| other.cmp(one));
                let mut open = vec![Ahead::default()];
                for cell in cells {
                    let adds = |color: usize| model.cell.contribution(played.guess[cell].index() as u64, color as u64);
                    let mean = |of: &dyn Fn([u64; 2]) -> f64| {
                        (0..colors).map(|color| of(adds(color))).sum::<f64>() / colors as f64
                    };
                    let first = mean(&|sums| sums[0] as f64);
                    let last = *open.last().unwrap_or(&Ahead::default());
                    open.push(Ahead {
                        mean: [last.mean[0] + first, last.mean[1] + mean(&|sums| sums[1] as f64)],
                        variance: last.variance + mean(&|sums| (sums[0] as f64 - first).powi(2)),
                    });
                }
                ahead.push(open);
            }
        }
        let log_choose: Vec<Vec<f64>> = {
            let mut factorials = vec![0.0f64];
            (1..=longest).for_each(|number| factorials.push(factorials[number - 1] + (number as f64).ln()));
            (0..=longest)
                .map(|n| (0..=n).map(|k| factorials[n] - factorials[k] - factorials[n - k]).collect())
                .collect()
        };
        let chance = 1.0 / colors as f64;
        let pmf = |n: usize, k: usize| {
            let rest = if n == k { 0.0 } else { (n - k) as f64 * (1.0 - chance).max(f64::MIN_POSITIVE).ln() };
            (log_choose[n][k] + k as f64 * chance.ln() + rest).exp()
        };
        // The mean of what is cut off at `most` is the sum of the chances of each number up to it, or more.
        let met = (0..=longest).map(|n| {
            let mut tails: Vec<f64> = (0..=n).map(|k| pmf(n, k)).collect();
            (0..n).rev().for_each(|k| tails[k] += tails[k + 1]);
            let sums = tails.iter().enumerate().scan(0.0, |sum, (most, tail)| {
                *sum += if most == 0 { 0.0 } else { *tail };
                Some(*sum)
            });
            sums.collect()
        });
        let met = met.collect();
        let sums = |sums: [u64; 2]| sums.map(|sum| sum as i64);
        Self {
            lines_of,
            lengths,
            guesses: turns.iter().map(|turn| turn.guess.iter().map(|color| color.index() as u16).collect()).collect(),
            shown,
            goals: turns.iter().flat_map(|turn| turn.feedback.marks()).map(|mark| sums(mark.sums())).collect(),
            ahead,
            met,
            log_choose,
            rules,
        }
    }

    /// Colors that are weighed to put one code together, over all cells, turns and lines.
    pub(super) fn work_a_code(&self) -> usize {
        let visits: usize = self.lines_of.iter().map(Vec::len).sum();
        (visits * self.guesses.len()).max(self.rules.cells()) * usize::from(self.rules.colors())
    }

    /// How many pegs in common random colors of so many cells would add.
    pub(super) fn met_ahead(&self, begun: &Begun, at: usize, open: usize) -> f64 {
        if !self.rules.feedback().model().colors {
            return 0.0;
        }
        let (line, colors) = (at % self.lengths.len(), usize::from(self.rules.colors()));
        let lacking = |color: usize| self.shown[at * colors + color].saturating_sub(begun.held[line * colors + color]);
        (0..colors).map(|color| self.met[open][usize::from(lacking(color)).min(open)]).sum()
    }

    /// The logarithm of how likely it seems that a line adds what it lacks, with so many cells open.
    pub(super) fn likely(&self, at: usize, lacking: [i64; 2], open: usize, met: f64) -> f64 {
        let model = self.rules.feedback().model();
        let n = open as i64;
        let binomial = |n: i64, k: i64, mean: f64| -> f64 {
            if k < 0 || k > n {
                return f64::NEG_INFINITY;
            }
            let p = (mean / n.max(1) as f64).clamp(LEAST, 1.0 - LEAST);
            self.log_choose[n as usize][k as usize] + k as f64 * p.ln() + (n - k) as f64 * (1.0 - p).ln()
        };
        if open == 0 {
            let second = model.colors || model.cell == CellTerm::Ordered;
            return if lacking[0] == 0 && (!second || lacking[1] == 0) { 0.0 } else { f64::NEG_INFINITY };
        }
        let ahead = self.ahead[at][open];
        let likely = match model.cell {
            CellTerm::Distance | CellTerm::SquaredDistance => {
                let most = n as u64 * model.cell.max_contribution(self.rules.colors());
                if lacking[0] < 0 || lacking[0] as u64 > most {
                    return f64::NEG_INFINITY;
                }
                let off = lacking[0] as f64 - ahead.mean[0];
                // Tails are given more than they would have: what can be must never seem impossible.
                let variance = ahead.variance.max(0.25);
                let normal = (-off * off / (2.0 * variance)).exp() / variance.sqrt();
                (normal + 1e-6).ln()
            }
            CellTerm::Ordered => {
                let [equal, higher] = lacking;
                if equal < 0 || higher < 0 || equal + higher > n {
                    return f64::NEG_INFINITY;
                }
                binomial(n, equal, ahead.mean[0]) + binomial(n - equal, higher, ahead.mean[1])
            }
            CellTerm::Nothing => binomial(n, lacking[1], met),
            _ if !model.colors => binomial(n, lacking[0], ahead.mean[0]),
            _ => {
                let [black, common] = lacking;
                if black < 0 || black > n || common < 0 || common > n {
                    return f64::NEG_INFINITY;
                }
                // Mostly a black peg is also a peg in common; one whose color was met before is not.
                let apart = binomial(n, common, met).exp();
                let others = (met - ahead.mean[0]).max(0.0) / (1.0 - 1.0 / f64::from(self.rules.colors())).max(LEAST);
                let joined = if common < black {
                    0.0
                } else {
                    binomial(n - black, common - black, others * (n - black) as f64 / n as f64).exp()
                };
                binomial(n, black, ahead.mean[0]) + ((1.0 - APART) * joined + APART * apart).ln()
            }
        };
        TRUST * likely
    }

    /// What a line lacks after a color, and how many pegs in common random colors would then add.
    pub(super) fn after(
        &self,
        begun: &Begun,
        at: usize,
        guessed: u64,
        color: usize,
        open: usize,
        met: f64,
    ) -> ([i64; 2], f64) {
        let (model, colors) = (self.rules.feedback().model(), usize::from(self.rules.colors()));
        let line = at % self.lengths.len();
        let [first, mut second] = model.cell.contribution(guessed, color as u64);
        let mut met = met;
        if model.colors {
            let lacking = self.shown[at * colors + color].saturating_sub(begun.held[line * colors + color]);
            if lacking > 0 {
                second += 1;
                let of = |lacking: u16| self.met[open][usize::from(lacking).min(open)];
                met += of(lacking - 1) - of(lacking);
            }
        }
        let [reached, goal] = [begun.reached[at], self.goals[at]];
        ([goal[0] - reached[0] - first as i64, goal[1] - reached[1] - second as i64], met)
    }
}
