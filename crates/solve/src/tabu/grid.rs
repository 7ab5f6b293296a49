//! Tabu search on a grid.
//!
//! The colors of each row are [counted](crate::constructive::counting) side by side. Each guess, also while counting, shows
//! in every row the colors counted so far and the next one, arranged so that every row and every column fits what it was
//! answered. For that, pairs of cells within a random row are swapped: always if the pair is not tabu, and else if more
//! lines fit afterwards. Every 10(n - 2) moves the search goes back to the best arrangement of this turn, the latest of
//! equally good ones; the last 2r swaps are tabu, in a grid of r rows and n columns.
//!
//! A move costs a look at the turns of three lines. Moves are bounded by [`MOST_MOVES`] a guess; then the arrangement with
//! the most fitting lines is played and said to be a best effort. A history whose rows did not count colors like this gets
//! consistent codes by backtracking.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, chapter 5; figure 7-1 for counting in pairs.

use pegwise_game::{Code, Color, History, Rules, Trail};

use super::{lines::Lines, list::TabuList};
use crate::{
    candidates::{
        self,
        backtrack::{Backtrack, End, Order},
    },
    constructive::counting::ColorCounter,
    search::Search,
    spec::Arguments,
    strategy::{Basis, Proposal, Strategy, StrategyError},
};

pub(super) struct TabuGrid {
    start: Vec<ColorCounter>,
    lines: Lines,
    trail: Trail,
    /// The colors of each row so far; nothing when the game counted them in another way.
    counters: Option<Vec<ColorCounter>>,
    tabu: TabuList<(usize, usize, usize)>,
    /// Where the walk stands.
    walk: Vec<Color>,
}

/// The most moves to find one guess.
const MOST_MOVES: usize = 20_000_000;
/// The most steps to find out, after that, whether any code fits.
const MOST_STEPS: u64 = 1_000_000;

impl TabuGrid {
    /// `None` where the rules are not for it.
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Option<Self> {
        let lines = Lines::new(rules)?;
        let row = Rules::classic(lines.columns, rules.colors()).ok()?;
        let start = vec![ColorCounter::new(&row, arguments, false); lines.rows];
        let tabu = TabuList::new(2 * lines.rows);
        Some(Self { counters: Some(start.clone()), start, lines, trail: Trail::default(), tabu, walk: Vec::new() })
    }

    /// Takes in the turns that are new.
    fn follow(&mut self, history: &History) {
        let course = self.trail.follow(history);
        if !course.goes_on() {
            self.lines.clear();
            self.tabu.clear();
            self.walk.clear();
            self.counters = Some(self.start.clone());
        }
        for turn in &history.turns()[course.known()..] {
            self.lines.push(turn);
            self.counters.take_if(|counters| {
                let rows = turn.guess.chunks(self.lines.columns).zip(turn.feedback.marks());
                !counters.iter_mut().zip(rows).all(|(counter, (row, &mark))| counter.update(row, mark))
            });
        }
    }

    /// Each row with the colors to show next, where they are now if those are the same.
    fn begin(&mut self, counters: &[ColorCounter]) {
        let columns = self.lines.columns;
        self.walk.resize(self.lines.rows * columns, Color::new(0));
        for (row, counter) in self.walk.chunks_mut(columns).zip(counters) {
            let colors = counter.next_colors();
            let mut sorted = row.to_vec();
            sorted.sort_unstable();
            if !sorted.iter().eq(colors.iter().rev()) {
                row.copy_from_slice(&colors);
            }
        }
    }

    /// The question that is not free to arrange: every other half of the rows is turned around, so that columns see both
    /// colors too.
    fn fixed_question(&self, counters: &[ColorCounter]) -> Code {
        let mut code = Vec::with_capacity(self.lines.rows * self.lines.columns);
        for (row, counter) in counters.iter().enumerate() {
            let from = code.len();
            code.extend_from_slice(&counter.next_colors());
            if row >= self.lines.rows.div_ceil(2) {
                code[from..].reverse();
            }
        }
        Code::new(code)
    }

    /// Swaps cells within rows until every line fits; whether all do. Without success the best arrangement is left.
    fn arrange(&mut self, search: &mut Search<'_>) -> bool {
        let lines = &self.lines;
        let all = lines.count();
        let mut fits: Vec<bool> = (0..all).map(|line| lines.fits(line, &self.walk)).collect();
        let mut fitting = fits.iter().filter(|&&fits| fits).count();
        let mut stop = search.examine(1);
        // Rows of one color have nothing to swap.
        let columns = lines.columns;
        let mixed = |row: &usize| self.walk[row * columns..][..columns].windows(2).any(|pair| pair[0] != pair[1]);
        let rows: Vec<usize> = (0..lines.rows).filter(mixed).collect();
        let (mut best, mut best_fits, mut most) = (self.walk.clone(), fits.clone(), fitting);
        let restart = 10 * columns.saturating_sub(2).max(1);
        for number in 1..=MOST_MOVES {
            if fitting == all {
                return true;
            }
            if rows.is_empty() || stop.is_some() {
                break;
            }
            if number % restart == 0 {
                self.walk.copy_from_slice(&best);
                fits.copy_from_slice(&best_fits);
                fitting = most;
            }
            let row = rows[search.rng.index(rows.len())];
            let (one, other) = (search.rng.index(columns), search.rng.index(columns - 1));
            let (one, other) = if other < one { (other, one) } else { (one, other + 1) };
            let (left, right) = (row * columns + one, row * columns + other);
            if self.walk[left] == self.walk[right] {
                continue;
            }
            self.walk.swap(left, right);
            stop = search.examine(1);
            let touched = [row, lines.rows + one, lines.rows + other];
            let now = touched.map(|line| lines.fits(line, &self.walk));
            let before = touched.iter().filter(|&&line| fits[line]).count();
            let after = now.iter().filter(|&&fits| fits).count();
            if self.tabu.contains(&(row, one, other)) {
                if after <= before {
                    self.walk.swap(left, right);
                    continue;
                }
            } else {
                self.tabu.push((row, one, other));
            }
            for (line, now) in touched.into_iter().zip(now) {
                fits[line] = now;
            }
            fitting = fitting + after - before;
            // An arrangement as good as the best takes its place: held to one, the search would never leave a bad one.
            if fitting >= most {
                best.copy_from_slice(&self.walk);
                best_fits.copy_from_slice(&fits);
                most = fitting;
            }
        }
        self.walk.copy_from_slice(&best);
        false
    }
}

impl Strategy for TabuGrid {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Result<Proposal, StrategyError> {
        self.follow(history);
        let Some(counters) = self.counters.take() else { return candidates::draw(history, search) };
        let fixed = (!counters.iter().all(ColorCounter::is_free)).then(|| self.fixed_question(&counters));
        self.begin(&counters);
        self.counters = Some(counters);
        if let Some(question) = fixed {
            search.step(1);
            return Ok(Proposal::new(question, Basis::Planned));
        }
        if self.arrange(search) {
            return Ok(Proposal::new(Code::new(self.walk.clone()), Basis::Consistent));
        }
        let why = match search.stop() {
            Some(stop) => stop.to_string(),
            None => {
                let mut rng = search.rng.clone();
                let (code, end) = Backtrack::new(history).first(Order::Random(&mut rng), MOST_STEPS, search);
                search.rng = rng;
                match (code, end) {
                    (Some(guess), _) => return Ok(Proposal::new(guess, Basis::Consistent)),
                    (None, End::NoMore) => return Err(StrategyError::NO_CODE_FITS),
                    (None, _) => format!("{MOST_MOVES} moves were made"),
                }
            }
        };
        let why = format!("no code that fits was found before {why}");
        Ok(Proposal::new(Code::new(self.walk.clone()), Basis::BestEffort(why)))
    }
}
