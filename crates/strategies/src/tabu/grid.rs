//! Tabu search on a grid.
//!
//! The colors of each row are [counted](crate::constructive::counting) in parallel. Each guess, also while counting, shows
//! in every row the colors counted so far and the next one, arranged so that every row and every column is consistent. For
//! that, pairs of cells within a random row are swapped: always if the pair is not tabu, otherwise if more lines are
//! consistent afterwards. Every 10(n - 2) moves the search returns to the best arrangement of this turn, the latest of
//! equally good ones; the last 2r swaps are tabu, in a grid of r rows and n columns.
//!
//! A move takes a pass over the turns of three lines. After [`MAX_MOVES`] the arrangement with the most consistent lines is
//! played as a best effort. A history whose rows did not count colors in this way gets consistent codes by backtracking.
//!
//! # References
//! A. M. Singley, Heuristic solution methods for the 1-dimensional and 2-dimensional Mastermind problem, Master's thesis,
//! University of Florida, 2005, chapter 5; figure 7-1 for counting in pairs.

use pegwise_game::{Code, Color, History, HistoryTracker, Rules, Turn};

use super::TabuList;
use crate::constructive::counting::ColorCounter;
use pegwise_search::candidates::backtrack::{Backtrack, End, Order};
use pegwise_search::candidates::{self, Packed, Packing};
use pegwise_search::{Arguments, Basis, Proposal, Proposed, Search, Strategy, StrategyError};

pub(super) struct TabuGrid {
    start: Vec<ColorCounter>,
    lines: GridTurns,
    tracker: HistoryTracker,
    /// The color counts of each row so far; `None` if the game counted them in another way.
    counters: Option<Vec<ColorCounter>>,
    tabu: TabuList<(usize, usize, usize)>,
    current: Vec<Color>,
}

/// Maximum number of moves per guess.
const MAX_MOVES: usize = 20_000_000;
/// Maximum number of backtracking steps, after that, to find a consistent code.
const MAX_STEPS: u64 = 1_000_000;

impl TabuGrid {
    /// Creates the strategy; `None` for rules that it does not support.
    pub(super) fn new(rules: &Rules, arguments: &Arguments) -> Option<Self> {
        let lines = GridTurns::new(rules)?;
        let row = Rules::classic(lines.columns, rules.colors()).ok()?;
        let start = vec![ColorCounter::new(&row, arguments, false); lines.rows];
        let tabu = TabuList::new(2 * lines.rows);
        Some(Self {
            counters: Some(start.clone()),
            start,
            lines,
            tracker: HistoryTracker::default(),
            tabu,
            current: Vec::new(),
        })
    }

    fn follow(&mut self, history: &History) {
        let change = self.tracker.update(history);
        if !change.is_extension() {
            self.lines.clear();
            self.tabu.clear();
            self.current.clear();
            self.counters = Some(self.start.clone());
        }
        for turn in &history.turns()[change.known()..] {
            self.lines.push(turn);
            self.counters.take_if(|counters| {
                let rows = turn.guess.chunks(self.lines.columns).zip(turn.feedback.marks());
                !counters.iter_mut().zip(rows).all(|(counter, (row, &mark))| counter.update(row, mark))
            });
        }
    }

    /// Gives each row the colors to show next. A row that already has them keeps its arrangement.
    fn set_row_colors(&mut self, counters: &[ColorCounter]) {
        let columns = self.lines.columns;
        self.current.resize(self.lines.rows * columns, Color::new(0));
        for (row, counter) in self.current.chunks_mut(columns).zip(counters) {
            let colors = counter.next_colors();
            let mut sorted = row.to_vec();
            sorted.sort_unstable();
            if !sorted.iter().eq(colors.iter().rev()) {
                row.copy_from_slice(&colors);
            }
        }
    }

    /// Returns the guess of counters that cannot be rearranged: the lower half of the rows is reversed, so that columns
    /// have both colors as well.
    fn fixed_guess(&self, counters: &[ColorCounter]) -> Code {
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

    /// Swaps cells within rows until every line is consistent. Returns true on success; otherwise keeps the best
    /// arrangement.
    fn arrange(&mut self, search: &mut Search<'_>) -> bool {
        let lines = &self.lines;
        let all = lines.count();
        let mut fits: Vec<bool> = (0..all).map(|line| lines.fits(line, &self.current)).collect();
        let mut fitting = fits.iter().filter(|&&fits| fits).count();
        let mut stop = search.examine(1);
        // Rows of one color cannot change.
        let columns = lines.columns;
        let mixed = |row: &usize| self.current[row * columns..][..columns].windows(2).any(|pair| pair[0] != pair[1]);
        let rows: Vec<usize> = (0..lines.rows).filter(mixed).collect();
        let (mut best, mut best_fits, mut most) = (self.current.clone(), fits.clone(), fitting);
        let restart = 10 * columns.saturating_sub(2).max(1);
        for number in 1..=MAX_MOVES {
            if fitting == all {
                return true;
            }
            if rows.is_empty() || stop.is_some() {
                break;
            }
            if number % restart == 0 {
                self.current.copy_from_slice(&best);
                fits.copy_from_slice(&best_fits);
                fitting = most;
            }
            let row = rows[search.rng.index(rows.len())];
            let (one, other) = (search.rng.index(columns), search.rng.index(columns - 1));
            let (one, other) = if other < one { (other, one) } else { (one, other + 1) };
            let (left, right) = (row * columns + one, row * columns + other);
            if self.current[left] == self.current[right] {
                continue;
            }
            self.current.swap(left, right);
            stop = search.examine(1);
            let touched = [row, lines.rows + one, lines.rows + other];
            let now = touched.map(|line| lines.fits(line, &self.current));
            let before = touched.iter().filter(|&&line| fits[line]).count();
            let after = now.iter().filter(|&&fits| fits).count();
            if self.tabu.contains(&(row, one, other)) {
                if after <= before {
                    self.current.swap(left, right);
                    continue;
                }
            } else {
                self.tabu.push((row, one, other));
            }
            for (line, now) in touched.into_iter().zip(now) {
                fits[line] = now;
            }
            fitting = fitting + after - before;
            // An equally good arrangement replaces the best one; otherwise the search could not leave a bad one.
            if fitting >= most {
                best.copy_from_slice(&self.current);
                best_fits.copy_from_slice(&fits);
                most = fitting;
            }
        }
        self.current.copy_from_slice(&best);
        false
    }
}

impl Strategy for TabuGrid {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        self.follow(history);
        let Some(counters) = self.counters.take() else { return candidates::draw(history, search) };
        let fixed = (!counters.iter().all(ColorCounter::is_free)).then(|| self.fixed_guess(&counters));
        self.set_row_colors(&counters);
        self.counters = Some(counters);
        if let Some(guess) = fixed {
            search.step(1);
            return Ok(Proposal::new(guess, Basis::Planned));
        }
        if self.arrange(search) {
            return Ok(Proposal::new(Code::new(self.current.clone()), Basis::Consistent));
        }
        let why = match search.stop() {
            Some(stop) => stop.to_string(),
            None => {
                let mut rng = search.rng.clone();
                let (code, end) = Backtrack::new(history).first(Order::Random(&mut rng), MAX_STEPS, search);
                search.rng = rng;
                match (code, end) {
                    (Some(guess), _) => return Ok(Proposal::new(guess, Basis::Consistent)),
                    (None, End::NoMore) => return Err(StrategyError::NO_CODE_FITS),
                    (None, _) => format!("{MAX_MOVES} moves were made"),
                }
            }
        };
        let why = format!("no code that fits was found before {why}");
        Ok(Proposal::new(Code::new(self.current.clone()), Basis::BestEffort(why)))
    }
}

/// The turns of a grid, packed line by line.
#[derive(Debug, Clone)]
pub(super) struct GridTurns {
    rows: usize,
    columns: usize,
    packings: [Packing; 2],
    /// The turns of each line, rows first.
    turns: Vec<Vec<LineTurn>>,
}

#[derive(Debug, Clone, Copy)]
struct LineTurn {
    guess: Packed,
    black: u32,
    pegs: u32,
}

impl GridTurns {
    /// Creates an empty history; `None` if the board is not a grid or its lines are too long to pack.
    pub(super) fn new(rules: &Rules) -> Option<Self> {
        let &pegwise_game::Shape::Grid { rows, columns } = rules.board().shape() else { return None };
        let packing = |cells: usize| Packing::new(&Rules::classic(cells, rules.colors()).ok()?);
        let packings = [packing(columns)?, packing(rows)?];
        Some(Self { rows, columns, packings, turns: vec![Vec::new(); rows + columns] })
    }

    fn clear(&mut self) {
        self.turns.iter_mut().for_each(Vec::clear);
    }

    fn push(&mut self, turn: &Turn) {
        for (line, &mark) in turn.feedback.marks().iter().enumerate() {
            let [black, pegs] = mark.sums().map(|sum| sum as u32);
            let guess = self.pack(line, &turn.guess);
            self.turns[line].push(LineTurn { guess, black, pegs });
        }
    }

    fn count(&self) -> usize {
        self.turns.len()
    }

    /// Returns true if a line of an arrangement agrees with all turns.
    #[inline]
    fn fits(&self, line: usize, grid: &[Color]) -> bool {
        let code = self.pack(line, grid);
        self.turns[line].iter().all(|turn| turn.guess.black(code) == turn.black && turn.guess.pegs(code) == turn.pegs)
    }

    #[inline]
    fn pack(&self, line: usize, grid: &[Color]) -> Packed {
        match line.checked_sub(self.rows) {
            None => self.packings[0].pack(&grid[line * self.columns..][..self.columns]),
            Some(column) => self.packings[1].pack_each(grid[column..].iter().step_by(self.columns)),
        }
    }
}
