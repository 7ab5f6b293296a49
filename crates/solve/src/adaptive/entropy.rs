//! Entropy of a guess's marks over a sample of codes, summed over the lines, and hill climbing on it.
//!
//! A few hundred codes are nearly always all distinguished by answers of many lines, whatever the guess. So the entropies
//! of the lines are added instead of taking the entropy of whole answers.
//!
//! The most informative guess is often inconsistent. The [`Climber`] recolors a cell or swaps two, and keeps a change if it
//! does not lower the entropy. The sample is stored in columns: the marks of all codes after a change take one pass over
//! two or three columns.
//!
//! The total number of pegs only determines the color counts, which are known long before the places. So the entropy of
//! the black pegs alone is added with a weight: of equally informative guesses, one whose information comes from black
//! pegs leaves more to learn from the totals of later turns.

use std::collections::BTreeMap;

use pegwise_game::{CellTerm, Code, Color, Judge, Mark, Rules};

use super::settings::MAX_COUNTERS;
use pegwise_search::candidates::lines_by_cell;
use pegwise_search::one_step::CONSISTENT_BONUS_BITS;
use pegwise_search::{Rng, portable};

/// A sample of codes in columns.
#[derive(Debug, Clone, Default)]
struct SampleColumns {
    codes: usize,
    /// Color of each code, for each cell.
    pegs: Vec<u8>,
    /// Number of cells with the color in each code, for each line and color; only if the feedback counts colors.
    counts: Vec<u8>,
}

impl SampleColumns {
    /// Returns true if the columns support the marks of these rules, and colors and marks fit in a byte.
    fn supports(rules: &Rules) -> bool {
        let model = rules.feedback().model();
        let is_count = model.cell.is_count() && model.is_aggregate();
        is_count && rules.board().longest_line() < 255 && rules.colors() <= 255
    }

    fn fill(&mut self, rules: &Rules, sample: &[Code]) {
        let (cells, codes, board) = (rules.cells(), sample.len(), rules.board());
        self.codes = codes;
        self.pegs.clear();
        self.pegs.extend((0..cells).flat_map(|cell| sample.iter().map(move |code| code[cell].index() as u8)));
        self.counts.clear();
        if rules.feedback().model().colors {
            let colors = usize::from(rules.colors());
            self.counts.resize(board.line_count() * colors * codes, 0);
            for (number, line) in board.lines().enumerate() {
                for &cell in line {
                    for (at, code) in sample.iter().enumerate() {
                        self.counts[(number * colors + code[cell].index()) * codes + at] += 1;
                    }
                }
            }
        }
    }

    /// Returns the colors of all codes in a cell.
    #[inline(always)]
    fn pegs(&self, cell: usize) -> &[u8] {
        &self.pegs[cell * self.codes..][..self.codes]
    }

    /// Returns the color counts of all codes, where `place` is `line * colors + color`.
    #[inline(always)]
    fn counts(&self, place: usize) -> &[u8] {
        &self.counts[place * self.codes..][..self.codes]
    }

    /// Computes both numbers of the marks of all codes on a line, and the color counts of the guess, which must be zero.
    fn marks(
        &self,
        rules: &Rules,
        (number, line): (usize, &[usize]),
        guess: &[u8],
        guess_counts: &mut [u8],
        [first, second]: [&mut [u8]; 2],
    ) {
        let (model, colors) = (rules.feedback().model(), usize::from(rules.colors()));
        first.fill(0);
        second.fill(0);
        for &cell in line {
            let own = guess[cell];
            let pegs = self.pegs(cell);
            if model.cell != CellTerm::Nothing {
                first.iter_mut().zip(pegs).for_each(|(first, &peg)| *first += u8::from(peg == own));
            }
            let guess_count = &mut guess_counts[usize::from(own)];
            if model.cell == CellTerm::Ordered {
                second.iter_mut().zip(pegs).for_each(|(second, &peg)| *second += u8::from(peg > own));
            }
            if model.colors {
                let counts = self.counts(number * colors + usize::from(own));
                second.iter_mut().zip(counts).for_each(|(second, &count)| *second += u8::from(count > *guess_count));
            }
            *guess_count += 1;
        }
    }
}

/// Extends a table of `n log2 n` up to `max`. The table must contain at least the entry of zero.
fn extend_n_log_n(table: &mut Vec<f64>, max: usize) {
    let more = table.len()..=max;
    table.extend(more.map(|count| count as f64 * portable::ln(count as f64) / std::f64::consts::LN_2));
}

/// Scorer of guesses by the sum of the entropies of all lines.
#[derive(Debug, Clone)]
pub(super) struct LineScorer {
    rules: Rules,
    /// Marks of a line are numbered `first * side + second`.
    side: usize,
    /// Number of codes with each mark; empty if marks have too wide a range.
    counters: Vec<u32>,
    n_log_n: Vec<f64>,
    columns: SampleColumns,
    /// Both numbers of the marks of all codes on the current line.
    marks: [Vec<u8>; 2],
}

impl LineScorer {
    pub(super) fn new(rules: &Rules) -> Self {
        let side = rules.board().longest_line() + 1;
        let model = rules.feedback().model();
        let is_counted = model.cell.is_count() && model.is_aggregate() && side * side <= MAX_COUNTERS;
        let counters = if is_counted { vec![0; side * side] } else { Vec::new() };
        Self {
            rules: rules.clone(),
            side,
            counters,
            n_log_n: vec![0.0],
            columns: SampleColumns::default(),
            marks: Default::default(),
        }
    }

    /// Returns the best guess of a pool and up to `more` others, best first.
    pub(super) fn best(
        &mut self,
        sample: &[Code],
        pool: Vec<Code>,
        is_consistent: impl Fn(&Code) -> bool,
        more: usize,
    ) -> Vec<Code> {
        self.set_sample(sample);
        let mut scored: Vec<(f64, Code)> = Vec::with_capacity(pool.len());
        for guess in pool {
            let bonus = if is_consistent(&guess) { CONSISTENT_BONUS_BITS as f64 } else { 0.0 };
            scored.push((self.cost(&guess, sample) - bonus, guess));
        }
        scored.sort_by(|one, other| one.0.total_cmp(&other.0).then_with(|| one.1.cmp(&other.1)));
        scored.into_iter().take(more + 1).map(|(_, guess)| guess).collect()
    }

    fn set_sample(&mut self, sample: &[Code]) {
        extend_n_log_n(&mut self.n_log_n, sample.len());
        if !self.counters.is_empty() {
            self.columns.fill(&self.rules, sample);
            self.marks.iter_mut().for_each(|marks| marks.resize(sample.len(), 0));
        }
    }

    /// Returns the remaining entropy of the codes, in bits, summed over codes and lines.
    fn cost(&mut self, guess: &Code, sample: &[Code]) -> f64 {
        if self.counters.is_empty() {
            return self.cost_of_any_marks(guess, sample);
        }
        let guess: Vec<u8> = guess.iter().map(|color| color.index() as u8).collect();
        let mut cost = 0.0;
        for line in self.rules.board().lines().enumerate() {
            let mut guess_counts = vec![0; usize::from(self.rules.colors())];
            let marks = self.marks.each_mut().map(Vec::as_mut_slice);
            self.columns.marks(&self.rules, line, &guess, &mut guess_counts, marks);
            for (&first, &second) in self.marks[0].iter().zip(&self.marks[1]) {
                self.counters[usize::from(first) * self.side + usize::from(second)] += 1;
            }
            for counter in &mut self.counters {
                cost += self.n_log_n[*counter as usize];
                *counter = 0;
            }
        }
        cost
    }

    fn cost_of_any_marks(&mut self, guess: &Code, sample: &[Code]) -> f64 {
        let mut judge = Judge::new(&self.rules);
        let mut counters: Vec<BTreeMap<Mark, usize>> = vec![BTreeMap::new(); self.rules.board().line_count()];
        for code in sample {
            for (counters, mark) in counters.iter_mut().zip(judge.marks(guess, code)) {
                *counters.entry(mark).or_default() += 1;
            }
        }
        counters.iter().flat_map(BTreeMap::values).map(|&count| self.n_log_n[count]).sum()
    }
}

/// Hill climbing from a guess to one with a higher entropy over a sample.
#[derive(Debug, Clone)]
pub(super) struct Climber {
    rules: Rules,
    lines_of: Vec<Vec<usize>>,
    columns: SampleColumns,
    entropy: EntropyTable,
    /// The current guess.
    guess: Vec<u8>,
    /// Number of cells of the current guess with the color, for each line and color.
    guess_counts: Vec<u8>,
    /// Marks and costs of the current guess, for each line.
    marks: LineMarks,
    costs: Vec<f64>,
    /// Marks, line numbers and costs of the lines that a tried change affects.
    tried_marks: LineMarks,
    tried: Vec<(usize, f64)>,
}

/// Both numbers of the marks of all codes, for each line.
#[derive(Debug, Clone, Default)]
struct LineMarks {
    first: Vec<u8>,
    second: Vec<u8>,
}

impl LineMarks {
    fn reset(&mut self, size: usize) {
        for column in [&mut self.first, &mut self.second] {
            column.clear();
            column.resize(size, 0);
        }
    }

    #[inline(always)]
    fn line(&self, line: usize, codes: usize) -> [&[u8]; 2] {
        [&self.first[line * codes..][..codes], &self.second[line * codes..][..codes]]
    }

    #[inline(always)]
    fn line_mut(&mut self, line: usize, codes: usize) -> [&mut [u8]; 2] {
        [&mut self.first[line * codes..][..codes], &mut self.second[line * codes..][..codes]]
    }
}

/// A cell that gets another color. A change consists of one or two of these.
#[derive(Debug, Clone, Copy)]
struct Recolor {
    cell: usize,
    from: u8,
    to: u8,
}

impl Climber {
    /// Returns true if guesses of these rules can be improved by hill climbing.
    pub(super) fn supports(rules: &Rules) -> bool {
        SampleColumns::supports(rules)
    }

    pub(super) fn new(rules: &Rules, black_weight: f64) -> Self {
        Self {
            rules: rules.clone(),
            lines_of: lines_by_cell(rules.board()),
            columns: SampleColumns::default(),
            entropy: EntropyTable::new(rules.board().longest_line() + 1, black_weight),
            guess: Vec::new(),
            guess_counts: Vec::new(),
            marks: LineMarks::default(),
            costs: Vec::new(),
            tried_marks: LineMarks::default(),
            tried: Vec::new(),
        }
    }

    pub(super) fn set_sample(&mut self, sample: &[Code]) {
        self.columns.fill(&self.rules, sample);
        self.entropy.set_size(sample.len());
        let size = self.rules.board().line_count() * sample.len();
        self.marks.reset(size);
        self.tried_marks.reset(size);
    }

    /// Sets the current guess and returns its cost: the remaining entropy in bits, summed over codes and lines.
    pub(super) fn set_guess(&mut self, guess: &[Color]) -> f64 {
        let (colors, codes) = (usize::from(self.rules.colors()), self.columns.codes);
        self.guess.clear();
        self.guess.extend(guess.iter().map(|color| color.index() as u8));
        self.guess_counts.clear();
        self.guess_counts.resize(self.rules.board().line_count() * colors, 0);
        self.costs.clear();
        for (number, line) in self.rules.board().lines().enumerate() {
            let guess_counts = &mut self.guess_counts[number * colors..][..colors];
            let marks = self.marks.line_mut(number, codes);
            self.columns.marks(&self.rules, (number, line), &self.guess, guess_counts, marks);
            self.costs.push(self.entropy.cost(self.marks.line(number, codes)));
        }
        self.costs.iter().sum()
    }

    /// Returns the increase of the cost by a change.
    fn try_change(&mut self, change: &[Recolor]) -> f64 {
        #[cfg(target_arch = "x86_64")]
        if pegwise_game::cpu::Avx2::detect().is_some() {
            // SAFETY: the processor has AVX2.
            return unsafe { self.try_change_avx2(change) };
        }
        self.try_change_portable(change)
    }

    /// Like [`Climber::try_change_portable`], compiled for AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn try_change_avx2(&mut self, change: &[Recolor]) -> f64 {
        self.try_change_portable(change)
    }

    #[inline(always)]
    fn try_change_portable(&mut self, change: &[Recolor]) -> f64 {
        self.tried.clear();
        let mut increase = 0.0;
        for (at, recolor) in change.iter().enumerate() {
            for index in 0..self.lines_of[recolor.cell].len() {
                let line = self.lines_of[recolor.cell][index];
                let is_done = change[..at].iter().any(|other| self.lines_of[other.cell].contains(&line));
                if !is_done {
                    let cost = self.try_line(line, change);
                    increase += cost - self.costs[line];
                    self.tried.push((line, cost));
                }
            }
        }
        increase
    }

    /// Returns the cost of a line after a change.
    #[inline(always)]
    fn try_line(&mut self, line: usize, change: &[Recolor]) -> f64 {
        let (codes, colors) = (self.columns.codes, usize::from(self.rules.colors()));
        let model = self.rules.feedback().model();
        let [first, second] = self.tried_marks.line_mut(self.tried.len(), codes);
        let [old_first, old_second] = self.marks.line(line, codes);
        first.copy_from_slice(old_first);
        second.copy_from_slice(old_second);
        let mut on_line = 0;
        for &Recolor { cell, from, to } in change {
            if !self.lines_of[cell].contains(&line) {
                continue;
            }
            on_line += 1;
            let pegs = self.columns.pegs(cell);
            if model.cell != CellTerm::Nothing {
                for (first, &peg) in first.iter_mut().zip(pegs) {
                    *first = first.wrapping_add(u8::from(peg == to)).wrapping_sub(u8::from(peg == from));
                }
            }
            if model.cell == CellTerm::Ordered {
                for (second, &peg) in second.iter_mut().zip(pegs) {
                    *second = second.wrapping_add(u8::from(peg > to)).wrapping_sub(u8::from(peg > from));
                }
            }
        }
        // A swap within the line keeps its color counts.
        if model.colors && (on_line == 1 || change.len() == 1) {
            for &Recolor { from, to, .. } in change.iter().filter(|recolor| self.lines_of[recolor.cell].contains(&line))
            {
                let place = |color: u8| line * colors + usize::from(color);
                let (count_from, count_to) = (self.guess_counts[place(from)], self.guess_counts[place(to)]);
                let (lost, won) = (self.columns.counts(place(from)), self.columns.counts(place(to)));
                for ((second, &lost), &won) in second.iter_mut().zip(lost).zip(won) {
                    *second = second.wrapping_add(u8::from(won > count_to)).wrapping_sub(u8::from(lost >= count_from));
                }
            }
        }
        self.entropy.cost([first, second])
    }

    /// Applies the change that was tried last.
    fn apply(&mut self, change: &[Recolor]) {
        let (codes, colors) = (self.columns.codes, usize::from(self.rules.colors()));
        for (slot, &(line, cost)) in self.tried.iter().enumerate() {
            let tried = self.tried_marks.line(slot, codes);
            for (marks, tried) in self.marks.line_mut(line, codes).into_iter().zip(tried) {
                marks.copy_from_slice(tried);
            }
            self.costs[line] = cost;
        }
        for &Recolor { cell, from, to } in change {
            self.guess[cell] = to;
            for &line in &self.lines_of[cell] {
                self.guess_counts[line * colors + usize::from(from)] -= 1;
                self.guess_counts[line * colors + usize::from(to)] += 1;
            }
        }
    }

    /// Returns the sample size.
    pub(super) fn codes(&self) -> usize {
        self.columns.codes
    }

    /// Returns the current guess and its cost.
    pub(super) fn guess(&self) -> (f64, Code) {
        (self.costs.iter().sum(), Code::from_indices(self.guess.iter().map(|&color| u16::from(color))))
    }

    /// Tries `steps` changes of the given cells and colors, and keeps those that do not raise the cost.
    pub(super) fn climb(&mut self, steps: usize, cells: &[usize], colors: &[u16], rng: &mut Rng) {
        let mut allowed = vec![false; usize::from(self.rules.colors())];
        colors.iter().for_each(|&color| allowed[usize::from(color)] = true);
        let repeats = self.rules.repeats();
        for _ in 0..steps {
            let word = rng.word();
            let pick = |bits: u64, length: usize| ((bits & 0xFFFF) as usize * length) >> 16;
            let cell = cells[pick(word, cells.len())];
            let own = self.guess[cell];
            let swap = |other: usize, color: u8| {
                [Recolor { cell, from: own, to: color }, Recolor { cell: other, from: color, to: own }]
            };
            if word >> 62 == 0 {
                let other = cells[pick(word >> 16, cells.len())];
                let color = self.guess[other];
                if color != own {
                    self.climb_by(&swap(other, color));
                }
                continue;
            }
            let to = if word >> 63 == 0 {
                colors[pick(word >> 16, colors.len())] as u8
            } else {
                self.columns.pegs(cell)[pick(word >> 16, self.columns.codes)]
            };
            if to == own || !allowed[usize::from(to)] {
                continue;
            }
            if !repeats && let Some(other) = self.guess.iter().position(|&color| color == to) {
                self.climb_by(&swap(other, to));
                continue;
            }
            self.climb_by(&[Recolor { cell, from: own, to }]);
        }
    }

    fn climb_by(&mut self, change: &[Recolor]) {
        if self.try_change(change) <= 0.0 {
            self.apply(change);
        }
    }
}

/// Tables for the remaining entropy of a sample by the marks of one line.
#[derive(Debug, Clone)]
struct EntropyTable {
    /// Marks are numbered `first * side + second`.
    side: usize,
    counters: Vec<u16>,
    numbers: Vec<u16>,
    n_log_n: Vec<f64>,
    /// Weight of the entropy of the first numbers (black pegs) alone.
    black_weight: f64,
}

impl EntropyTable {
    fn new(side: usize, black_weight: f64) -> Self {
        Self { side, counters: vec![0; side * side], numbers: Vec::new(), n_log_n: vec![0.0], black_weight }
    }

    fn set_size(&mut self, codes: usize) {
        extend_n_log_n(&mut self.n_log_n, codes);
        self.numbers.resize(codes, 0);
    }

    /// Returns the entropy that the marks leave, in bits summed over codes, plus that of the first numbers, weighted.
    #[inline(always)]
    fn cost(&mut self, [first, second]: [&[u8]; 2]) -> f64 {
        let Self { side, counters, numbers, n_log_n, black_weight } = self;
        for ((number, &first), &second) in numbers.iter_mut().zip(first).zip(second) {
            *number = u16::from(first) * *side as u16 + u16::from(second);
        }
        for &number in &*numbers {
            counters[usize::from(number)] += 1;
        }
        let (mut cost, mut black_cost) = (0.0, 0.0);
        // A small table is scanned; of a large one, only the counters in use are read.
        if counters.len() <= 2 * numbers.len() {
            for row in counters.chunks_exact_mut(*side) {
                let mut sum = 0;
                for counter in row {
                    cost += n_log_n[usize::from(*counter)];
                    sum += *counter;
                    *counter = 0;
                }
                black_cost += n_log_n[usize::from(sum)];
            }
            return cost + *black_weight * black_cost;
        }
        for &number in &*numbers {
            let count = std::mem::take(&mut counters[usize::from(number)]);
            cost += n_log_n[usize::from(count)];
        }
        if *black_weight > 0.0 {
            first.iter().for_each(|&first| counters[usize::from(first)] += 1);
            for counter in &mut counters[..*side] {
                black_cost += n_log_n[usize::from(std::mem::take(counter))];
            }
        }
        cost + *black_weight * black_cost
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Space, feedback};

    use super::*;

    /// Computes the cost by its definition, without columns and tables.
    fn naive(rules: &Rules, guess: &Code, codes: &[Code], black_weight: f64) -> f64 {
        let mut cost = 0.0;
        for line in 0..rules.board().line_count() {
            let mark = |code: &Code| feedback(rules, guess, code).marks()[line].sums();
            for code in codes {
                let own = mark(code);
                let same = codes.iter().filter(|other| mark(other) == own).count();
                let same_first = codes.iter().filter(|other| mark(other)[0] == own[0]).count();
                cost += (same as f64).log2() + black_weight * (same_first as f64).log2();
            }
        }
        cost
    }

    const BOARDS: &str = "5x4 12x12 6x6:no-repeats 5x8:no-repeats 6x5:black-only 5x6:higher-lower grid:3x3x4 ring:7x3";

    #[test]
    fn costs_are_sums_of_entropies_at_every_step() {
        for (text, black_weight) in BOARDS.split(' ').flat_map(|text| [(text, 0.0), (text, 0.5)]) {
            let rules: Rules = text.parse().unwrap();
            let mut rng = Rng::new(5);
            let codes: Vec<Code> = (0..60).map(|_| rng.code(&rules)).collect();
            let mut climber = Climber::new(&rules, black_weight);
            climber.set_sample(&codes);
            let mut before = climber.set_guess(&rng.code(&rules));
            let (cells, colors): (Vec<usize>, Vec<u16>) = ((0..rules.cells()).collect(), (0..rules.colors()).collect());
            for _ in 0..40 {
                climber.climb(3, &cells, &colors, &mut rng);
                let (cost, guess) = climber.guess();
                rules.check_code(&guess).unwrap();
                assert!(cost <= before + 1e-9, "{text}");
                assert!((cost - naive(&rules, &guess, &codes, black_weight)).abs() < 1e-6, "{text}");
                assert!((cost - climber.set_guess(&guess)).abs() < 1e-9, "{text}");
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
        climber.set_sample(&codes);
        let start = Code::from_indices([0u16; 10]);
        climber.set_guess(&start);
        climber.climb(500, &[2, 5], &[0, 3, 4], &mut rng);
        let (_, guess) = climber.guess();
        for (cell, color) in guess.iter().enumerate() {
            assert!(if [2, 5].contains(&cell) { [0, 3, 4].contains(&color.index()) } else { color.index() == 0 });
        }
        assert_ne!(guess, start);
    }

    #[test]
    fn line_scores_are_sums_of_entropies() {
        let boards = "3x3 grid:2x2x3 3x4:higher-lower 3x4:distance 4x3:black-only 4x3:color-only 4x3:per-cell \
            triangle:3x3 lines:1.2.3/4/2.4x4";
        for text in boards.split(' ') {
            let rules: Rules = text.parse().unwrap();
            let codes: Vec<Code> = Space::new(&rules).iter().step_by(3).collect();
            let mut scorer = LineScorer::new(&rules);
            scorer.set_sample(&codes);
            for guess in codes.iter().step_by(5) {
                let mut naive = 0.0;
                for line in 0..rules.board().line_count() {
                    let marks: Vec<_> = codes.iter().map(|code| feedback(&rules, guess, code).marks()[line]).collect();
                    for mark in &marks {
                        let same = marks.iter().filter(|other| *other == mark).count();
                        naive += (same as f64).log2();
                    }
                }
                assert!((scorer.cost(guess, &codes) - naive).abs() < 1e-6, "{text}");
            }
        }
    }
}
