//! The common parts of hill climbers: the loop that draws codes until one is consistent, and the operators on codes.

use std::collections::HashSet;

use pegwise_game::{Code, Color, History, Rules, Turn};

use pegwise_search::candidates::{self, TurnSet};
use pegwise_search::{Basis, Proposal, Rng, Search, StrategyError, Watch};

/// Maximum number of draws before backtracking searches for a consistent code. Games of the sizes in the papers hardly
/// ever reach it.
const MAX_DRAWS: u64 = 1 << 20;
const DRAWS_PER_CLOCK_CHECK: u64 = 1 << 10;

#[derive(Debug, Clone)]
pub(super) struct HillClimb {
    turns: TurnSet,
    examined: Option<ExaminedCodes>,
}

impl HillClimb {
    pub(super) fn new(rules: &Rules, tracks: bool) -> Self {
        Self { turns: TurnSet::new(rules), examined: tracks.then(|| ExaminedCodes::new(rules)) }
    }

    /// Updates the state. The examined codes are kept if the history extends the last one.
    fn follow(&mut self, history: &History) {
        let change = self.turns.follow(history);
        if let Some(examined) = &mut self.examined {
            if !change.is_extension() {
                examined.clear();
            }
            history.turns()[change.known()..].iter().for_each(|turn| examined.insert(&turn.guess));
        }
    }

    /// Returns the first drawn code that is consistent. Codes that were examined before are skipped, which never changes
    /// the result. `None` if `watch` stops the search.
    pub(super) fn find(
        &mut self,
        history: &History,
        search: &mut Search<'_>,
        watch: Watch<'_>,
        inducer: &mut Inducer,
        mut draw: impl FnMut(&mut Inducer, &mut Rng) -> bool,
    ) -> Result<Option<Proposal>, StrategyError> {
        self.follow(history);
        inducer.reset();
        for draws in 1..=MAX_DRAWS {
            if draws % DRAWS_PER_CLOCK_CHECK == 0 && watch.stop().is_some() {
                return Ok(None);
            }
            let mut stop = search.step(1);
            let drawn = draw(inducer, &mut search.rng);
            if drawn && self.examined.as_ref().is_none_or(|examined| !examined.contains(inducer.code())) {
                stop = stop.or(search.examine(1));
                if self.turns.is_consistent(inducer.code()) {
                    return Ok(Some(Proposal::new(Code::new(inducer.code()), Basis::Consistent)));
                }
                if let Some(examined) = &mut self.examined {
                    examined.insert(inducer.code());
                }
            }
            if stop.is_some() {
                let mut proposal = Proposal::last_resort(history.rules(), stop, search);
                if drawn {
                    // It is consistent at least with the favorite.
                    proposal.guess = Code::new(inducer.code());
                }
                return Ok(Some(proposal));
            }
        }
        candidates::draw(history, search).map(Some)
    }
}

/// Rank of an answer: by the number of pegs, then by the number of black pegs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Score {
    /// Number of black and white pegs.
    pub(super) pegs: usize,
    pub(super) black: usize,
}

impl Score {
    /// Returns the score of a turn on a row, with or without white pegs.
    pub(super) fn of(turn: &Turn) -> Self {
        let mark = turn.feedback.marks()[0];
        let black = mark.black().unwrap_or(0);
        Self::new(black, mark.pegs().map_or(0, |pegs| pegs - black))
    }

    pub(super) fn new(black: usize, white: usize) -> Self {
        Self { pegs: black + white, black }
    }

    pub(super) fn white(self) -> usize {
        self.pegs - self.black
    }
}

/// Generator of new codes from the favorite guess: some pegs are kept, some shifted, the others mutated.
#[derive(Debug, Clone)]
pub(super) struct Inducer {
    code: Vec<Color>,
    /// The cells of the favorite: first those kept, then those shifted, then those mutated.
    order: Vec<usize>,
    /// Cells of the new code without a color.
    open: Vec<usize>,
    /// Number of pegs of the favorite in the new code.
    inherited: usize,
}

impl Inducer {
    pub(super) fn new(cells: usize) -> Self {
        let code = vec![Color::new(0); cells];
        Self { code, order: (0..cells).collect(), open: Vec::with_capacity(cells), inherited: 0 }
    }

    /// Resets the order of the cells, so that the next code only depends on the random numbers.
    pub(super) fn reset(&mut self) {
        self.order.clear();
        self.order.extend(0..self.code.len());
    }

    /// Keeps as many random pegs as the score has black ones, and shifts as many as it has white ones. A shifted peg moves
    /// to another open cell, or with `may_stay` to any open cell. Returns false if there is none.
    #[inline]
    pub(super) fn keep_and_shift(&mut self, favorite: &[Color], score: Score, may_stay: bool, rng: &mut Rng) -> bool {
        self.inherited = score.pegs;
        for place in 0..score.pegs {
            let drawn = place + rng.index(self.order.len() - place);
            self.order.swap(place, drawn);
        }
        let (kept, others) = self.order.split_at(score.black);
        for &cell in kept {
            self.code[cell] = favorite[cell];
        }
        self.open.clear();
        self.open.extend_from_slice(others);
        for &from in &others[..score.white()] {
            let own = self.open.iter().position(|&cell| cell == from && !may_stay);
            let choices = self.open.len() - usize::from(own.is_some());
            if choices == 0 {
                return false;
            }
            let drawn = rng.index(choices);
            // Skips its own cell.
            let place = if own.is_some_and(|own| drawn >= own) { drawn + 1 } else { drawn };
            self.code[self.open.swap_remove(place)] = favorite[from];
        }
        true
    }

    pub(super) fn open_all(&mut self) {
        self.inherited = 0;
        self.open.clear();
        self.open.extend(0..self.code.len());
    }

    /// Returns the colors of the favorite that were not inherited.
    #[inline]
    pub(super) fn discarded<'a>(&'a self, favorite: &'a [Color]) -> impl Iterator<Item = Color> + 'a {
        self.order[self.inherited..].iter().map(|&cell| favorite[cell])
    }

    /// Returns the colors of the favorite that were inherited.
    #[inline]
    pub(super) fn inherited<'a>(&'a self, favorite: &'a [Color]) -> impl Iterator<Item = Color> + 'a {
        self.order[..self.inherited].iter().map(|&cell| favorite[cell])
    }

    /// Fills each open cell with a color of `color(cell)`. Returns false if that is `None` for some cell.
    #[inline]
    pub(super) fn fill(&mut self, mut color: impl FnMut(usize) -> Option<Color>) -> bool {
        for &cell in &self.open {
            match color(cell) {
                Some(color) => self.code[cell] = color,
                None => return false,
            }
        }
        true
    }

    #[inline]
    pub(super) fn code(&self) -> &[Color] {
        &self.code
    }

    /// Replaces the code by one that was not induced.
    pub(super) fn set_code(&mut self, code: &[Color]) {
        self.code.copy_from_slice(code);
    }
}

/// Weight of a color that is neither discarded nor in the new code.
const FULL_WEIGHT: u32 = 100;

/// Weights of the colors that a mutated peg may get, for roulette-wheel selection.
#[derive(Debug, Clone)]
pub(super) struct ColorPool {
    weights: Vec<u32>,
    total: u32,
}

impl ColorPool {
    pub(super) fn new(colors: u16) -> Self {
        Self { weights: vec![0; usize::from(colors)], total: 0 }
    }

    pub(super) fn even(&mut self, allowed: &[bool]) {
        for (weight, &allowed) in self.weights.iter_mut().zip(allowed) {
            *weight = if allowed { FULL_WEIGHT } else { 0 };
        }
        self.sum();
    }

    /// Sets the weights of section 3.4: a color loses its full weight for each discarded peg, and `penalty` for each peg in
    /// the new code, but keeps at least one.
    pub(super) fn diverse(
        &mut self,
        allowed: &[bool],
        discarded: impl Iterator<Item = Color>,
        used: impl Iterator<Item = Color>,
        penalty: u32,
    ) {
        self.weights.fill(FULL_WEIGHT);
        for color in discarded {
            self.reduce(color, FULL_WEIGHT);
        }
        for color in used {
            self.reduce(color, penalty);
        }
        for (weight, &allowed) in self.weights.iter_mut().zip(allowed) {
            *weight = if allowed { (*weight).max(1) } else { 0 };
        }
        self.sum();
    }

    fn reduce(&mut self, color: Color, by: u32) {
        let weight = &mut self.weights[color.index()];
        *weight = weight.saturating_sub(by);
    }

    /// Reduces the weight of a color that was added to the new code, to one at least.
    pub(super) fn penalize(&mut self, color: Color, penalty: u32) {
        let weight = &mut self.weights[color.index()];
        let reduced = weight.saturating_sub(penalty).max(1).min(*weight);
        self.total -= *weight - reduced;
        *weight = reduced;
    }

    pub(super) fn remove(&mut self, color: Color) {
        self.total -= std::mem::take(&mut self.weights[color.index()]);
    }

    /// Draws a color; `None` if none is left.
    #[inline]
    pub(super) fn draw(&self, rng: &mut Rng) -> Option<Color> {
        (self.total > 0).then(|| self.at(rng.below(self.total.into()) as u32))
    }

    /// Draws a color other than `except`; `None` if no other is left.
    #[inline]
    pub(super) fn draw_except(&self, except: Color, rng: &mut Rng) -> Option<Color> {
        let before: u32 = self.weights[..except.index()].iter().sum();
        let own = self.weights[except.index()];
        let others = self.total - own;
        (others > 0).then(|| {
            let position = rng.below(others.into()) as u32;
            self.at(if position < before { position } else { position + own })
        })
    }

    /// Draws the first color after `color` in cyclic order, up or down at random, that is accepted with half of its weight
    /// relative to the highest as the probability, so that every color can be drawn; `None` if no color is left.
    pub(super) fn draw_after(&self, color: Color, rng: &mut Rng) -> Option<Color> {
        let highest = *self.weights.iter().max().filter(|&&highest| highest > 0)?;
        let colors = self.weights.len();
        let step = [1, colors - 1][rng.index(2)];
        let mut next = color.index();
        loop {
            next = (next + step) % colors;
            if rng.below(2 * u64::from(highest)) < self.weights[next].into() {
                return Some(Color::new(next as u16));
            }
        }
    }

    pub(super) fn weights(&self) -> &[u32] {
        &self.weights
    }

    /// Adds weights to all colors that have one.
    pub(super) fn add(&mut self, weights: &[u32]) {
        for (weight, added) in self.weights.iter_mut().zip(weights).filter(|(weight, _)| **weight > 0) {
            *weight += added;
        }
        self.sum();
    }

    /// Returns the color at a position of the wheel, from zero.
    #[inline]
    fn at(&self, mut position: u32) -> Color {
        let mut color = 0;
        while position >= self.weights[color] {
            position -= self.weights[color];
            color += 1;
        }
        Color::new(color as u16)
    }

    fn sum(&mut self) {
        self.total = self.weights.iter().sum();
    }
}

/// Set of inconsistent codes. A code that is inconsistent with a history is so with every extension.
#[derive(Debug, Clone)]
pub(super) struct ExaminedCodes {
    colors: u16,
    set: ExaminedSet,
}

#[derive(Debug, Clone)]
enum ExaminedSet {
    /// One bit per code, including invalid ones.
    Bits(Vec<u64>),
    Numbers(HashSet<u128>),
    /// Codes whose numbers exceed 128 bits are not stored: few are drawn twice, and examining one again is harmless.
    None,
}

/// Maximum number of bits: two megabytes, which take much less time to clear than a game of that size.
const MAX_BITS: u128 = 1 << 24;
/// Maximum number of stored numbers; further codes may be examined twice.
const MAX_NUMBERS: usize = 1 << 20;

impl ExaminedCodes {
    pub(super) fn new(rules: &Rules) -> Self {
        let colors = rules.colors();
        let cells = u32::try_from(rules.cells()).unwrap_or(u32::MAX);
        let set = match u128::from(colors).checked_pow(cells) {
            Some(count) if count <= MAX_BITS => ExaminedSet::Bits(vec![0; (count as usize).div_ceil(64)]),
            Some(_) => ExaminedSet::Numbers(HashSet::new()),
            None => ExaminedSet::None,
        };
        Self { colors, set }
    }

    pub(super) fn clear(&mut self) {
        match &mut self.set {
            ExaminedSet::Bits(words) => words.fill(0),
            ExaminedSet::Numbers(numbers) => *numbers = HashSet::new(),
            ExaminedSet::None => {}
        }
    }

    #[inline]
    pub(super) fn contains(&self, code: &[Color]) -> bool {
        match &self.set {
            ExaminedSet::Bits(words) => {
                let number = self.small_number(code);
                words[number / 64] >> (number % 64) & 1 == 1
            }
            ExaminedSet::Numbers(numbers) => numbers.contains(&number(self.colors, code)),
            ExaminedSet::None => false,
        }
    }

    #[inline]
    pub(super) fn insert(&mut self, code: &[Color]) {
        let small = if matches!(self.set, ExaminedSet::Bits(_)) { self.small_number(code) } else { 0 };
        match &mut self.set {
            ExaminedSet::Bits(words) => words[small / 64] |= 1 << (small % 64),
            ExaminedSet::Numbers(numbers) if numbers.len() < MAX_NUMBERS => {
                numbers.insert(number(self.colors, code));
            }
            ExaminedSet::Numbers(_) | ExaminedSet::None => {}
        }
    }

    #[inline]
    fn small_number(&self, code: &[Color]) -> usize {
        code.iter().fold(0, |number, color| number * usize::from(self.colors) + color.index())
    }
}

fn number(colors: u16, code: &[Color]) -> u128 {
    code.iter().fold(0, |number, color| number * u128::from(colors) + color.index() as u128)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use pegwise_search::Rng;

    /// The order of section 3.2, from the worst answer to the best.
    #[test]
    fn scores_are_ordered_as_printed() {
        let four = "00 01 10 02 11 20 03 12 21 30 04 13 22 40";
        let five = "00 01 10 02 11 20 03 12 21 30 04 13 22 31 40 05 14 23 32 50";
        for (cells, printed) in [(4, four), (5, five)] {
            let mut scores: Vec<Score> = (0..=cells)
                .flat_map(|black| (0..=cells - black).map(move |white| Score::new(black, white)))
                .filter(|score| !(score.pegs == cells && score.white() == 1))
                .collect();
            assert_eq!(scores.len(), cells * (cells + 3) / 2);
            scores.sort_unstable();
            let sorted: Vec<String> = scores.iter().map(|score| format!("{}{}", score.black, score.white())).collect();
            assert_eq!(sorted.join(" "), printed);
        }
    }

    /// The printed distance of [2,1] from the goal is a misprint: five answers are better.
    #[test]
    fn five_answers_are_better_than_two_black_and_one_white() {
        let better = [(3, 0), (0, 4), (1, 3), (2, 2), (4, 0)];
        assert!(better.into_iter().all(|(black, white)| Score::new(black, white) > Score::new(2, 1)));
    }

    fn can_induce(favorite: &str, score: Score, color: u16, wanted: &str) -> bool {
        let rules: Rules = "4x6".parse().unwrap();
        let favorite = rules.parse_code(favorite).unwrap();
        let mut inducer = Inducer::new(4);
        let mut rng = Rng::new(1);
        (0..1000).any(|_| {
            inducer.keep_and_shift(&favorite, score, false, &mut rng)
                && inducer.fill(|_| Color::from_number(color))
                && Code::new(inducer.code()).notation(6).to_string() == wanted
        })
    }

    /// The examples of sections 3.1 and 3.4.
    #[test]
    fn printed_codes_are_induced() {
        assert!(can_induce("1233", Score::new(1, 2), 4, "3214"));
        assert!(can_induce("3155", Score::new(2, 1), 6, "5156"));
        // Three pegs are inherited, and only one of them stays.
        assert!(!can_induce("1233", Score::new(1, 2), 4, "1244"));
        assert!(!can_induce("1235", Score::new(1, 2), 4, "1253"));
    }

    proptest! {
        /// Mutated to a new color, an induced code gets the favorite's score, or more black pegs if the favorite has a
        /// color twice.
        #[test]
        fn induced_codes_are_consistent_with_the_favorite(seed: u64, cells in 1usize..8, black in 0usize..8, white in 0usize..8) {
            let black = black.min(cells);
            let score = Score::new(black, white.min(cells - black));
            let rules = Rules::classic(cells, 7).unwrap();
            let mut rng = Rng::new(seed);
            let favorite = Code::from_indices((0..cells).map(|_| rng.below(6) as u16));
            let mut inducer = Inducer::new(cells);
            if inducer.keep_and_shift(&favorite, score, false, &mut rng) && inducer.fill(|_| Some(Color::new(6))) {
                let all = inducer.inherited(&favorite).chain(inducer.discarded(&favorite));
                let mut colors: Vec<Color> = all.collect();
                colors.sort_unstable();
                let mut expected = favorite.to_vec();
                expected.sort_unstable();
                prop_assert_eq!(colors, expected);
                let feedback = pegwise_game::feedback(&rules, &favorite, inducer.code());
                let (black, pegs) = (feedback.marks()[0].black().unwrap(), feedback.marks()[0].pegs().unwrap());
                prop_assert_eq!(pegs, score.pegs);
                prop_assert!(black >= score.black);
                if !favorite.has_repeats() {
                    prop_assert_eq!(black, score.black);
                }
            } else {
                // Only the last open cell can be a dead end.
                prop_assert!(score.white() > 0 && score.pegs == cells);
            }
        }
    }

    fn colors(numbers: &[u16]) -> impl Iterator<Item = Color> {
        numbers.iter().map(|&number| Color::from_number(number).unwrap())
    }

    /// The example of section 3.4: the favorite 3155 became 515x, and its 3 was discarded.
    #[test]
    fn pool_equals_the_printed_one() {
        let mut pool = ColorPool::new(6);
        pool.diverse(&[true; 6], colors(&[3]), colors(&[5, 1, 5]), 45);
        assert_eq!(pool.weights, [55, 100, 1, 100, 10, 100]);
        assert_eq!(pool.total, 366);
        // The paper counts positions from one.
        assert_eq!(pool.at(324 - 1).number(), 6);
        let ends = [(1, 1), (55, 1), (56, 2), (155, 2), (156, 3), (157, 4), (257, 5), (266, 5), (267, 6), (366, 6)];
        for (place, color) in ends {
            assert_eq!(pool.at(place - 1).number(), color, "{place}");
        }
    }

    #[test]
    fn removed_colors_are_never_drawn() {
        let mut pool = ColorPool::new(4);
        pool.even(&[true, false, true, false]);
        pool.remove(Color::new(0));
        let mut rng = Rng::new(1);
        assert!((0..100).all(|_| pool.draw(&mut rng) == Some(Color::new(2))));
        pool.remove(Color::new(2));
        assert_eq!(pool.draw(&mut rng), None);
        assert_eq!(pool.draw_except(Color::new(0), &mut rng), None);
        pool.even(&[true, true, false, true]);
        let mut drawn: Vec<u16> = (0..100)
            .filter_map(|_| pool.draw_except(Color::new(1), &mut rng))
            .map(|color| color.index() as u16)
            .collect();
        drawn.sort_unstable();
        drawn.dedup();
        assert_eq!(drawn, [0, 3]);
    }

    /// Shares of drawn colors are those of a walk that stops at each color with half of its relative weight.
    #[test]
    fn circular_draws_walk_through_the_colors() {
        let mut pool = ColorPool::new(5);
        pool.diverse(&[true, true, true, true, false], colors(&[1]), colors(&[2]), 45);
        assert_eq!(pool.weights, [1, 55, 100, 100, 0]);
        let mut rng = Rng::new(2);
        for start in 0..5 {
            let mut expected = [0.0; 5];
            for step in [1, 4] {
                let (mut reached, mut color) = (0.5, start);
                for _ in 0..100 {
                    color = (color + step) % 5;
                    let stops = f64::from(pool.weights[color]) / 200.0;
                    expected[color] += reached * stops;
                    reached *= 1.0 - stops;
                }
            }
            let mut drawn = [0.0; 5];
            (0..20_000).for_each(|_| {
                drawn[pool.draw_after(Color::new(start as u16), &mut rng).unwrap().index()] += 1.0 / 20_000.0;
            });
            let near = |(one, other): (&f64, &f64)| (one - other).abs() < 0.015;
            assert!(expected.iter().zip(&drawn).all(near), "{start}: {expected:?} {drawn:?}");
        }
        (0..4).for_each(|color| pool.remove(Color::new(color)));
        assert_eq!(pool.draw_after(Color::new(0), &mut rng), None);
    }

    #[test]
    fn weights_are_added_to_colors_that_may_be_drawn() {
        let mut pool = ColorPool::new(4);
        pool.even(&[true, false, true, true]);
        pool.add(&[7, 8, 9, 0]);
        assert_eq!((pool.weights(), pool.total), (&[107, 0, 109, 100][..], 316));
    }

    #[test]
    fn all_representations_agree() {
        for rules in ["4x6", "3x5:no-repeats", "1x1", "24x2", "12x12", "40x9"] {
            let rules: Rules = rules.parse().unwrap();
            let mut examined = ExaminedCodes::new(&rules);
            let mut naive = BTreeSet::new();
            let mut rng = Rng::new(3);
            for _ in 0..300 {
                let code = rng.code(&rules);
                assert_eq!(examined.contains(&code), naive.contains(&code), "{rules}");
                if rng.below(2) == 0 {
                    examined.insert(&code);
                    naive.insert(code);
                }
            }
            assert!(naive.iter().all(|code| examined.contains(code)), "{rules}");
            examined.clear();
            assert!(!naive.iter().any(|code| examined.contains(code)), "{rules}");
        }
    }

    #[test]
    fn codes_past_128_bits_are_not_stored() {
        let rules: Rules = "100x100".parse().unwrap();
        let mut examined = ExaminedCodes::new(&rules);
        let code = Rng::new(1).code(&rules);
        examined.insert(&code);
        assert!(!examined.contains(&code));
    }
}
