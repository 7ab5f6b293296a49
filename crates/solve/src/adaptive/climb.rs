//! Guesses that are climbed to: cells of a guess are changed as long as its answers tell more about a sample of codes.
//!
//! The best question is often no code that fits. So a guess is changed cell by cell, by a new color or by exchanging two
//! cells, and a change is kept when it raises the entropy of the marks over the sample, summed over the lines. The sample
//! lies in columns: what a change does to the answers of all codes is a pass over two or three columns.
//!
//! All the pegs of an answer tell how often each color is there, and that is known long before the places are. So what black
//! pegs alone tell counts once more: guesses that tell as much in all, and more of it by black pegs, leave more to be told by
//! totals later on.

use pegwise_game::{CellTerm, Code, Color, Rules};

use crate::{portable, rng::Rng};

/// A sample of codes, and a guess with its answers.
#[derive(Debug, Clone)]
pub(super) struct Climber {
    rules: Rules,
    /// Marks of a line are counted under their own numbers, the first times this plus the second.
    side: usize,
    codes: usize,
    lines_of: Vec<Vec<usize>>,
    /// For each cell, the colors of the codes there.
    pegs: Vec<u8>,
    /// For each line and color, how often each code shows it; for black and white pegs alone.
    held: Vec<u8>,
    /// The guess, and how often it shows each color on each line.
    guess: Vec<u8>,
    shown: Vec<u8>,
    /// For each line, what each code answers the guess with: black pegs, and all pegs or those that must be higher.
    first: Vec<u8>,
    second: Vec<u8>,
    costs: Vec<f64>,
    /// The same for a change that is tried, line after line.
    tried_first: Vec<u8>,
    tried_second: Vec<u8>,
    tried: Vec<(usize, f64)>,
    counts: Vec<u16>,
    places: Vec<u16>,
    /// For counts of codes, the count times its logarithm to base two.
    weighted: Vec<f64>,
    /// How much what the first numbers of marks alone leave open counts beside what both do.
    first_alone: f64,
}

/// Cells that get another color, at most two: cell, color before, color after.
type Change<'a> = &'a [(usize, u8, u8)];

impl Climber {
    /// Whether marks and colors of these rules fit the columns.
    pub(super) fn can(rules: &Rules) -> bool {
        let longest = rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let model = rules.feedback().model();
        let pegs = model.cell.is_count() && model.is_aggregate();
        pegs && longest < 255 && rules.colors() <= 255
    }

    pub(super) fn new(rules: &Rules, first_alone: f64) -> Self {
        let board = rules.board();
        let side = board.lines().map(<[usize]>::len).max().unwrap_or(0) + 1;
        let mut lines_of = vec![Vec::new(); rules.cells()];
        for (number, line) in board.lines().enumerate() {
            line.iter().for_each(|&cell| lines_of[cell].push(number));
        }
        Self {
            rules: rules.clone(),
            side,
            codes: 0,
            lines_of,
            pegs: Vec::new(),
            held: Vec::new(),
            guess: Vec::new(),
            shown: Vec::new(),
            first: Vec::new(),
            second: Vec::new(),
            costs: Vec::new(),
            tried_first: Vec::new(),
            tried_second: Vec::new(),
            tried: Vec::new(),
            counts: vec![0; side * side],
            places: Vec::new(),
            weighted: vec![0.0],
            first_alone,
        }
    }

    /// Takes on a sample.
    pub(super) fn look_at(&mut self, sample: &[Code]) {
        let (cells, colors, codes) = (self.rules.cells(), usize::from(self.rules.colors()), sample.len());
        let lines = self.rules.board().line_count();
        self.codes = codes;
        let more_counts = self.weighted.len()..=codes;
        self.weighted
            .extend(more_counts.map(|count| count as f64 * portable::ln(count as f64) / std::f64::consts::LN_2));
        self.pegs.clear();
        self.pegs.extend((0..cells).flat_map(|cell| sample.iter().map(move |code| code[cell].index() as u8)));
        self.held.clear();
        if self.rules.feedback().model().colors {
            self.held.resize(lines * colors * codes, 0);
            for (number, line) in self.rules.board().lines().enumerate() {
                for &cell in line {
                    for (at, code) in sample.iter().enumerate() {
                        self.held[(number * colors + code[cell].index()) * codes + at] += 1;
                    }
                }
            }
        }
        for column in [&mut self.first, &mut self.second, &mut self.tried_first, &mut self.tried_second] {
            column.clear();
            column.resize(lines * codes, 0);
        }
        self.places.resize(codes, 0);
    }

    /// Takes on a guess; what is left open about the codes, in bits, summed over codes and lines.
    pub(super) fn ask(&mut self, guess: &[Color]) -> f64 {
        let (colors, codes) = (usize::from(self.rules.colors()), self.codes);
        let rules = self.rules.clone();
        let model = rules.feedback().model();
        self.guess.clear();
        self.guess.extend(guess.iter().map(|color| color.index() as u8));
        self.shown.clear();
        self.shown.resize(rules.board().line_count() * colors, 0);
        self.costs.clear();
        for (number, line) in rules.board().lines().enumerate() {
            let first = &mut self.first[number * codes..][..codes];
            let second = &mut self.second[number * codes..][..codes];
            first.fill(0);
            second.fill(0);
            for &cell in line {
                let own = self.guess[cell];
                let pegs = &self.pegs[cell * codes..][..codes];
                if model.cell != CellTerm::Nothing {
                    first.iter_mut().zip(pegs).for_each(|(first, &peg)| *first += u8::from(peg == own));
                }
                let shown = &mut self.shown[number * colors + usize::from(own)];
                if model.cell == CellTerm::Ordered {
                    second.iter_mut().zip(pegs).for_each(|(second, &peg)| *second += u8::from(peg > own));
                }
                if model.colors {
                    let held = &self.held[(number * colors + usize::from(own)) * codes..][..codes];
                    second.iter_mut().zip(held).for_each(|(second, &held)| *second += u8::from(held > *shown));
                }
                *shown += 1;
            }
            let cost =
                entropy(first, second, self.side, &mut self.counts, &mut self.places, &self.weighted, self.first_alone);
            self.costs.push(cost);
        }
        self.costs.iter().sum()
    }

    /// What a change would cost more.
    fn judge(&mut self, change: Change<'_>) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if pegwise_game::cpu::Avx2::detect().is_some() {
            // SAFETY: the processor has AVX2.
            return unsafe { self.judge_avx2(change) };
        }
        self.judge_lines(change)
    }

    /// [`Climber::judge_lines`], compiled for wider vectors.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn judge_avx2(&mut self, change: Change<'_>) -> f64 {
        self.judge_lines(change)
    }

    #[inline(always)]
    fn judge_lines(&mut self, change: Change<'_>) -> f64 {
        self.tried.clear();
        let mut more = 0.0;
        for (at, &(cell, ..)) in change.iter().enumerate() {
            for index in 0..self.lines_of[cell].len() {
                let line = self.lines_of[cell][index];
                let earlier = change[..at].iter().any(|&(other, ..)| self.lines_of[other].contains(&line));
                if !earlier {
                    let cost = self.try_line(line, change);
                    more += cost - self.costs[line];
                    self.tried.push((line, cost));
                }
            }
        }
        more
    }

    #[inline(always)]
    fn try_line(&mut self, line: usize, change: Change<'_>) -> f64 {
        let (codes, colors, model) = (self.codes, usize::from(self.rules.colors()), self.rules.feedback().model());
        let slot = self.tried.len() * codes;
        let (first, second) = (&mut self.tried_first[slot..][..codes], &mut self.tried_second[slot..][..codes]);
        first.copy_from_slice(&self.first[line * codes..][..codes]);
        second.copy_from_slice(&self.second[line * codes..][..codes]);
        let mut on_line = 0;
        for &(cell, before, after) in change {
            if !self.lines_of[cell].contains(&line) {
                continue;
            }
            on_line += 1;
            let pegs = &self.pegs[cell * codes..][..codes];
            if model.cell != CellTerm::Nothing {
                for (first, &peg) in first.iter_mut().zip(pegs) {
                    *first = first.wrapping_add(u8::from(peg == after)).wrapping_sub(u8::from(peg == before));
                }
            }
            if model.cell == CellTerm::Ordered {
                for (second, &peg) in second.iter_mut().zip(pegs) {
                    *second = second.wrapping_add(u8::from(peg > after)).wrapping_sub(u8::from(peg > before));
                }
            }
        }
        // Two cells that exchange their colors show the same as before.
        if model.colors && (on_line == 1 || change.len() == 1) {
            for &(cell, before, after) in change.iter().filter(|(cell, ..)| self.lines_of[*cell].contains(&line)) {
                debug_assert!(self.lines_of[cell].contains(&line));
                let place = |color: u8| line * colors + usize::from(color);
                let (fewer, more) = (self.shown[place(before)], self.shown[place(after)]);
                let (lost, won) =
                    (&self.held[place(before) * codes..][..codes], &self.held[place(after) * codes..][..codes]);
                for ((second, &lost), &won) in second.iter_mut().zip(lost).zip(won) {
                    *second = second.wrapping_add(u8::from(won > more)).wrapping_sub(u8::from(lost >= fewer));
                }
            }
        }
        entropy(first, second, self.side, &mut self.counts, &mut self.places, &self.weighted, self.first_alone)
    }

    /// Makes the change that was judged last.
    fn make(&mut self, change: Change<'_>) {
        let (codes, colors) = (self.codes, usize::from(self.rules.colors()));
        for (slot, &(line, cost)) in self.tried.iter().enumerate() {
            self.first[line * codes..][..codes].copy_from_slice(&self.tried_first[slot * codes..][..codes]);
            self.second[line * codes..][..codes].copy_from_slice(&self.tried_second[slot * codes..][..codes]);
            self.costs[line] = cost;
        }
        for &(cell, before, after) in change {
            self.guess[cell] = after;
            for &line in &self.lines_of[cell] {
                self.shown[line * colors + usize::from(before)] -= 1;
                self.shown[line * colors + usize::from(after)] += 1;
            }
        }
    }

    /// How many codes the sample has.
    pub(super) fn codes(&self) -> usize {
        self.codes
    }

    /// The guess, and what it costs.
    pub(super) fn guess(&self) -> (f64, Code) {
        (self.costs.iter().sum(), Code::from_indices(self.guess.iter().map(|&color| u16::from(color))))
    }

    /// Tries so many changes of some cells, and of these colors alone.
    pub(super) fn climb(&mut self, steps: usize, cells: &[usize], colors: &[u16], rng: &mut Rng) {
        let mut allowed = vec![false; usize::from(self.rules.colors())];
        colors.iter().for_each(|&color| allowed[usize::from(color)] = true);
        let repeats = self.rules.repeats();
        for _ in 0..steps {
            let word = rng.word();
            let pick = |bits: u64, length: usize| ((bits & 0xFFFF) as usize * length) >> 16;
            let cell = cells[pick(word, cells.len())];
            let own = self.guess[cell];
            let exchange = |other: usize, theirs: u8| [(cell, own, theirs), (other, theirs, own)];
            if word >> 62 == 0 {
                let other = cells[pick(word >> 16, cells.len())];
                let theirs = self.guess[other];
                if theirs != own {
                    self.try_change(&exchange(other, theirs));
                }
                continue;
            }
            let to = if word >> 63 == 0 {
                colors[pick(word >> 16, colors.len())] as u8
            } else {
                self.pegs[cell * self.codes + pick(word >> 16, self.codes)]
            };
            if to == own || !allowed[usize::from(to)] {
                continue;
            }
            if !repeats && let Some(other) = self.guess.iter().position(|&color| color == to) {
                self.try_change(&exchange(other, to));
                continue;
            }
            self.try_change(&[(cell, own, to)]);
        }
    }

    fn try_change(&mut self, change: Change<'_>) {
        if self.judge(change) <= 0.0 {
            self.make(change);
        }
    }
}

/// What is left open about the codes that give these marks, in bits, summed over codes; and so many times what the first
/// numbers alone leave open.
#[inline(always)]
fn entropy(
    first: &[u8],
    second: &[u8],
    side: usize,
    counts: &mut [u16],
    places: &mut [u16],
    weighted: &[f64],
    first_alone: f64,
) -> f64 {
    for ((place, &first), &second) in places.iter_mut().zip(first).zip(second) {
        *place = u16::from(first) * side as u16 + u16::from(second);
    }
    for &place in &*places {
        counts[usize::from(place)] += 1;
    }
    let (mut cost, mut alone) = (0.0, 0.0);
    // A small table is read through; of a large one, the places that codes are at.
    if counts.len() <= 2 * places.len() {
        for row in counts.chunks_exact_mut(side) {
            let mut sum = 0;
            for count in row {
                cost += weighted[usize::from(*count)];
                sum += *count;
                *count = 0;
            }
            alone += weighted[usize::from(sum)];
        }
        return cost + first_alone * alone;
    }
    for &place in &*places {
        let count = std::mem::take(&mut counts[usize::from(place)]);
        cost += weighted[usize::from(count)];
    }
    if first_alone > 0.0 {
        first.iter().for_each(|&first| counts[usize::from(first)] += 1);
        for count in &mut counts[..side] {
            alone += weighted[usize::from(std::mem::take(count))];
        }
    }
    cost + first_alone * alone
}

#[cfg(test)]
mod tests {
    use pegwise_game::feedback;

    use super::*;

    /// The naive twin: the marks of each line collected and counted, and the first numbers of them.
    fn naive(rules: &Rules, guess: &Code, codes: &[Code], first_alone: f64) -> f64 {
        let mut cost = 0.0;
        for line in 0..rules.board().line_count() {
            let mark = |code: &Code| feedback(rules, guess, code).marks()[line].sums();
            for code in codes {
                let own = mark(code);
                let same = codes.iter().filter(|other| mark(other) == own).count();
                let same_first = codes.iter().filter(|other| mark(other)[0] == own[0]).count();
                cost += (same as f64).log2() + first_alone * (same_first as f64).log2();
            }
        }
        cost
    }

    const BOARDS: [&str; 8] = [
        "5x4",
        "12x12",
        "6x6:no-repeats",
        "5x8:no-repeats",
        "6x5:black-only",
        "5x6:higher-lower",
        "grid:3x3x4",
        "ring:7x3",
    ];

    #[test]
    fn costs_are_sums_of_entropies_at_every_step() {
        for (text, first_alone) in BOARDS.iter().flat_map(|text| [(text, 0.0), (text, 0.5)]) {
            let rules: Rules = text.parse().unwrap();
            let mut rng = Rng::new(5);
            let codes: Vec<Code> = (0..60).map(|_| rng.code(&rules)).collect();
            let mut climber = Climber::new(&rules, first_alone);
            climber.look_at(&codes);
            let mut before = climber.ask(&rng.code(&rules));
            let (cells, colors): (Vec<usize>, Vec<u16>) = ((0..rules.cells()).collect(), (0..rules.colors()).collect());
            for _ in 0..40 {
                climber.climb(3, &cells, &colors, &mut rng);
                let (cost, guess) = climber.guess();
                rules.check_code(&guess).unwrap();
                assert!(cost <= before + 1e-9, "{text}");
                assert!((cost - naive(&rules, &guess, &codes, first_alone)).abs() < 1e-6, "{text}");
                assert!((cost - climber.ask(&guess)).abs() < 1e-9, "{text}");
                before = cost;
            }
        }
    }

    #[test]
    fn only_cells_and_colors_of_the_window_change() {
        let rules: Rules = "10x8".parse().unwrap();
        let mut rng = Rng::new(2);
        let codes: Vec<Code> = (0..50).map(|_| rng.code(&rules)).collect();
        let mut climber = Climber::new(&rules, 0.0);
        climber.look_at(&codes);
        let start = Code::from_indices([0u16; 10]);
        climber.ask(&start);
        climber.climb(500, &[2, 5], &[0, 3, 4], &mut rng);
        let (_, guess) = climber.guess();
        for (cell, color) in guess.iter().enumerate() {
            assert!(if [2, 5].contains(&cell) { [0, 3, 4].contains(&color.index()) } else { color.index() == 0 });
        }
        assert_ne!(guess, start);
    }
}
