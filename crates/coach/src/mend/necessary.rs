//! Necessary conditions of consistency, fast on boards of any size.
//!
//! The same guess must have the same answer. If the feedback counts colors, some numbers of pegs per color must match
//! the total of every answer; the search over these numbers is exact and much smaller than the code space, because it
//! ignores positions.
//!
//! On a grid, rows and columns partition the same cells, so the totals of the marks must agree, and so must the number
//! of pegs of each color.

use std::collections::HashSet;

use pegwise_game::{CellTerm, Turn};
use pegwise_solve::{Watch, clock};

use crate::notes::{Note, Notes};

/// Maximum number of steps of the search for peg numbers, for all lines together.
const MAX_STEPS: u64 = 300_000;
/// Steps between checks of the clock.
const STEPS_PER_CLOCK_CHECK: u64 = 64;

/// Returns true if a necessary condition is violated. Returns false if the watch stops the check.
pub(super) fn is_contradictory(notes: &Notes, watch: Watch<'_>) -> bool {
    // With lies, no answer is certain.
    if notes.rules().lies() > 0 {
        return false;
    }
    has_conflicting_answers(notes.notes()) || !totals_agree(notes) || !peg_counts_are_feasible(notes, watch)
}

/// Returns true if the same guess has two different answers.
fn has_conflicting_answers(notes: &[Note]) -> bool {
    let differ = |one: &Note, other: &Note| {
        let marks = one.feedback.iter().zip(&other.feedback);
        let mut numbers = marks.flat_map(|(one, other)| one.numbers().iter().zip(other.numbers()));
        one.guess.iter().all(Option::is_some)
            && one.guess == other.guess
            && numbers.any(|(one, other)| one.zip(*other).is_some_and(|(one, other)| one != other))
    };
    notes.iter().enumerate().any(|(at, one)| notes[at + 1..].iter().any(|other| differ(one, other)))
}

/// Returns disjoint sets of lines, found greedily, each of which covers every cell exactly once, such as the rows of a
/// grid and its columns.
fn line_covers(notes: &Notes) -> Vec<Vec<usize>> {
    let board = notes.rules().board();
    let mut covers: Vec<(Vec<usize>, HashSet<usize>)> = Vec::new();
    for (number, line) in board.lines().enumerate() {
        let apart = covers.iter_mut().find(|(_, cells)| line.iter().all(|cell| !cells.contains(cell)));
        match apart {
            Some((lines, cells)) => {
                lines.push(number);
                cells.extend(line);
            }
            None => covers.push((vec![number], line.iter().copied().collect())),
        }
    }
    covers.into_iter().filter(|(_, cells)| cells.len() == board.cells()).map(|(lines, _)| lines).collect()
}

/// Returns true if the totals of each turn agree between all covers.
fn totals_agree(notes: &Notes) -> bool {
    let model = notes.rules().feedback().model();
    let covers = line_covers(notes);
    if model.per_cell || covers.len() < 2 {
        return true;
    }
    let sums_used = if model.cell == CellTerm::Ordered { 2 } else { 1 };
    notes.notes().iter().filter_map(Note::turn).all(|turn| {
        let sums = |lines: &Vec<usize>, at: usize| -> u64 {
            lines.iter().map(|&line| turn.feedback.marks()[line].sums()[at]).sum()
        };
        (0..sums_used).all(|at| covers.windows(2).all(|pair| sums(&pair[0], at) == sums(&pair[1], at)))
    })
}

/// Returns true if some numbers of pegs per color match all complete turns, on every line and in every cover, or if
/// that is undecided.
fn peg_counts_are_feasible(notes: &Notes, watch: Watch<'_>) -> bool {
    let rules = notes.rules();
    let model = rules.feedback().model();
    if !model.colors || model.per_cell {
        return true;
    }
    let turns: Vec<Turn> = notes.notes().iter().filter_map(Note::turn).collect();
    let lines: Vec<LineConstraint> = rules
        .board()
        .lines()
        .enumerate()
        .map(|(line, cells)| LineConstraint::new(notes, &turns, line, cells))
        .collect();
    let mut steps = StepBudget { left: MAX_STEPS, watch };
    if !lines.iter().all(|line| line.is_feasible(None, &mut steps)) {
        return false;
    }
    let covers = line_covers(notes);
    if covers.len() < 2 {
        return true;
    }
    (0..usize::from(rules.colors())).all(|color| {
        // Fewest and most pegs of the color over all lines of a cover.
        let ranges = covers.iter().map(|cover| {
            let ranges = cover.iter().map(|&line| lines[line].range(color, &mut steps));
            ranges.fold((0, 0), |(fewest, most), (low, high)| (fewest + low, most + high))
        });
        let ranges: Vec<(u32, u32)> = ranges.collect();
        let fewest = ranges.iter().map(|range| range.0).max();
        let most = ranges.iter().map(|range| range.1).min();
        fewest <= most
    })
}

/// Remaining steps.
struct StepBudget<'a> {
    left: u64,
    watch: Watch<'a>,
}

impl StepBudget<'_> {
    /// Takes a step. Returns false if none is left.
    fn take(&mut self) -> bool {
        clock::work(clock::STEP_COST);
        if self.left.is_multiple_of(STEPS_PER_CLOCK_CHECK) && self.watch.stop().is_some() {
            self.left = 0;
        }
        self.left = self.left.saturating_sub(1);
        self.left > 0
    }
}

/// Peg counts of a line.
struct LineConstraint {
    cells: u16,
    repeats: bool,
    /// Number of pegs of each color in each guess.
    shown: Vec<Vec<u16>>,
    goals: Vec<u16>,
}

impl LineConstraint {
    fn new(notes: &Notes, turns: &[Turn], line: usize, cells: &[usize]) -> Self {
        let rules = notes.rules();
        let mut shown = vec![vec![0u16; turns.len()]; rules.colors().into()];
        for (turn, played) in turns.iter().enumerate() {
            cells.iter().for_each(|&cell| shown[played.guess[cell].index()][turn] += 1);
        }
        let goals = turns.iter().map(|turn| turn.feedback.marks()[line].sums()[1] as u16).collect();
        Self { cells: cells.len() as u16, repeats: rules.repeats(), shown, goals }
    }

    /// Returns true if some numbers of pegs match, optionally with a fixed number for one color.
    fn is_feasible(&self, fixed: Option<(usize, u16)>, steps: &mut StepBudget<'_>) -> bool {
        let others = self.shown.iter().enumerate().filter(|(color, _)| fixed.is_none_or(|(other, _)| other != *color));
        let (hidden, mut shown): (Vec<_>, Vec<_>) =
            others.map(|(_, shown)| shown.clone()).partition(|shown| shown.iter().all(|&count| count == 0));
        // The most frequent colors have the fewest possible numbers.
        shown.sort_by_key(|shown| std::cmp::Reverse(shown.iter().sum::<u16>()));
        let most = if self.repeats { self.cells } else { 1 };
        // Colors that no guess contains take the remaining cells.
        let room = match (self.repeats, hidden.len()) {
            (true, 1..) => self.cells,
            (_, hidden) => hidden.min(self.cells.into()) as u16,
        };
        let (left, common) = match fixed {
            Some((color, pegs)) => {
                (self.cells - pegs, self.shown[color].iter().map(|&shown| pegs.min(shown)).collect())
            }
            None => (self.cells, vec![0; self.goals.len()]),
        };
        PegCountSearch { shown, goals: &self.goals, most, room, infeasible: HashSet::new() }
            .is_feasible(0, left, common, steps)
    }

    /// Returns the fewest and the most pegs of a color.
    fn range(&self, color: usize, steps: &mut StepBudget<'_>) -> (u32, u32) {
        let most = if self.repeats { self.cells } else { 1 };
        let mut is_feasible = |pegs: &u16| self.is_feasible(Some((color, *pegs)), steps);
        let low = (0..=most).find(&mut is_feasible).unwrap_or(0);
        let high = (low..=most).rev().find(&mut is_feasible).unwrap_or(low);
        (low.into(), high.into())
    }
}

struct PegCountSearch<'a> {
    shown: Vec<Vec<u16>>,
    goals: &'a [u16],
    /// Maximum number of pegs of one color.
    most: u16,
    /// Maximum number of pegs of all colors that no guess contains.
    room: u16,
    /// States without a solution.
    infeasible: HashSet<(usize, u16, Vec<u16>)>,
}

impl PegCountSearch<'_> {
    /// Returns true if the colors from `from` on can take the `left` pegs.
    fn is_feasible(&mut self, from: usize, left: u16, common: Vec<u16>, steps: &mut StepBudget<'_>) -> bool {
        // Undecided counts as feasible.
        if !steps.take() {
            return true;
        }
        let Some(shown) = self.shown.get(from) else { return left <= self.room && common == self.goals };
        let ahead = |turn: usize| self.shown[from..].iter().map(|shown| shown[turn]).sum::<u16>();
        let lacking = common.iter().zip(self.goals).enumerate();
        let reachable =
            lacking.into_iter().all(|(turn, (common, goal))| common <= goal && goal - common <= left.min(ahead(turn)));
        if !reachable || self.infeasible.contains(&(from, left, common.clone())) {
            return false;
        }
        let shown = shown.clone();
        for pegs in 0..=left.min(self.most) {
            let next = common.iter().zip(&shown).map(|(common, shown)| common + pegs.min(*shown)).collect();
            if self.is_feasible(from + 1, left - pegs, next, steps) {
                return true;
            }
        }
        self.infeasible.insert((from, left, common));
        false
    }
}

#[cfg(test)]
mod tests {
    use pegwise_game::{Rules, Space};
    use pegwise_solve::{Rng, Search};

    use super::*;

    fn certain(rules: &str, turns: &[&str]) -> bool {
        is_contradictory(&Notes::parse(&rules.parse().unwrap(), turns.iter().copied()).unwrap(), Search::new(1).watch())
    }

    #[test]
    fn plain_contradictions_are_seen() {
        assert!(certain("20x20", &["AABBCCDDEEFFGGHHIIJJ=1,9", "AABBCCDDEEFFGGHHIIJJ=2,9"]));
        assert!(certain("20x20", &["AABBCCDDEEFFGGHHIIJJ=1,10", "KKLLMMNNOOPPQQRRSSTT=2,10"]));
        assert!(!certain("20x20", &["AABBCCDDEEFFGGHHIIJJ=1,9", "KKLLMMNNOOPPQQRRSSTT=2,8"]));
        assert!(certain("4x6", &["1122=0,0", "3344=0,1", "5566=0,0"]));
        assert!(certain("4x6", &["1122=1,?", "1122=2,?"]) && !certain("4x6", &["1122=1,?", "1122=?,1"]));
        assert!(certain("grid:2x2x3", &["1111=1,0/0,0/0,0/0,0", "1111=0,0/0,0/0,0/0,0"]));
    }

    /// Rows and columns cover the same cells.
    #[test]
    fn rows_and_columns_agree() {
        // Two black pegs in the rows, none in the columns.
        assert!(certain(
            "grid:6x6x6",
            &[&format!("{}={}/1,0{}", "111111".repeat(6), "1,0", "/0,0".repeat(10))[..]].map(|turn| turn)
        ));
        // Every row has a peg of color 1, and no column has two.
        let ones = |answers: &str| format!("{}={answers}", "1".repeat(6));
        let few = ones("2,0/2,0/1,0/1,0/1,0");
        assert!(certain("grid:2x3x4", &[&few]));
        assert!(!certain("grid:2x3x4", &[&ones("2,0/1,0/1,0/1,0/1,0")]));
        // The rows have four pegs of colors 1 and 2, the columns at most two.
        let turns = ["111222=1,1/1,1/1,0/0,0/1,0", "222111=1,1/1,1/1,0/0,0/1,0"];
        assert!(certain("grid:2x3x4", &turns));
    }

    /// Random notes reported as contradictory are so.
    #[test]
    fn reported_contradictions_are_real() {
        let mut rng = Rng::new(2);
        let mut found = 0;
        for text in [
            "3x3", "3x4:no-repeats", "4x3:color-only", "grid:2x2x2", "grid:2x3x2", "grid:2x2x3:higher-lower",
            "3x4:black-only",
        ] {
            let rules: Rules = text.parse().unwrap();
            for _ in 0..200 {
                let mut notes = Notes::new(rules.clone());
                for _ in 0..3 {
                    let (guess, secret) = (rng.code(&rules), rng.code(&rules));
                    notes.push(Turn::against(&rules, &secret, guess).into()).unwrap();
                }
                if is_contradictory(&notes, Search::new(1).watch()) {
                    assert!(Space::new(&rules).iter().all(|code| !notes.is_consistent(&code)), "{text}: {notes:?}");
                    found += 1;
                }
            }
        }
        assert!(found > 100, "{found}");
    }
}
