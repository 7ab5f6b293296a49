//! Positions whose guesses can be compared exactly, by the least total with best play afterwards.

use pegwise_game::{Code, FeedbackKind, Rules, Space};
use pegwise_search::{Position, Watch};
use pegwise_trees::exact::ExactSolver;

use crate::shipped::shipped;

/// Number of codes up to which positions of every space are searched, and the size of a space that is searched whole.
const SEARCHED: usize = 200;
const SEARCHED_SPACE: u128 = 256;
/// Pairs of the size of a space with a shipped tree, and the number of codes up to which its positions are searched.
const SEARCHED_WITH_TREE: [(u128, usize); 2] = [(1296, 1296), (2401, 512)];
/// Marks that a search evaluates per code of the space, and at most, before it is given up: up to a second.
const MARKS_PER_CODE: u64 = 1 << 18;
const MAX_MARKS: u64 = 1 << 29;
/// The same for rows of at least four cells and three colors with black and white pegs, whose marks are evaluated faster.
/// [`MAX_MARKS`] gave up one in eight positions of 100 to 200 codes at 5x6; this limit gave up none of them.
const MARKS_PER_CODE_OF_ROWS: u64 = 1 << 20;
const MAX_MARKS_OF_ROWS: u64 = 1 << 33;

/// Exact values of the guesses of a position. The results do not depend on the machine, unless the watch stops the search.
#[derive(Default)]
pub struct ExactValues {
    solver: Option<ExactSolver>,
}

/// Guesses with their exact values.
#[derive(Debug, Clone, PartialEq)]
pub struct RankedGuesses {
    /// Least expected number of guesses to the end of the game, including the next one.
    pub expected: f64,
    /// Guesses and the expected number of guesses that they lose against the best, best first; of equally good ones, those
    /// that can be the secret first, then lower codes.
    pub lost: Vec<(Code, f64)>,
}

/// Returns true if positions of `codes` codes are searched.
fn is_searchable(rules: &Rules, codes: usize) -> bool {
    let Some(space) = Space::new(rules).count().exact() else { return false };
    let known = SEARCHED_WITH_TREE.iter().find(|(most, _)| space <= *most).is_some_and(|(_, most)| codes <= *most);
    codes <= SEARCHED || space <= SEARCHED_SPACE || known && shipped(rules).is_some()
}

impl ExactValues {
    /// Returns the guesses from the best one on, while `wanted` accepts the number of guesses so far and whether all of them are
    /// equally good; `None` if the position cannot be searched.
    pub fn ranked(
        &mut self,
        rules: &Rules,
        position: Position<'_>,
        watch: Watch<'_>,
        wanted: impl Fn(usize, bool) -> bool,
    ) -> Option<RankedGuesses> {
        let least = |ranked: &[(Code, u64)]| ranked.first().map(|(_, least)| *least);
        let ranked = self.solver(rules, position, watch)?.position_values_within(Self::marks(rules)).ranked(
            position,
            watch,
            |ranked, next| wanted(ranked.len(), least(ranked).is_none_or(|least| least == next)),
        );
        let (least, codes) = (least(&ranked)?, position.codes.len() as f64);
        let lost = ranked.into_iter().map(|(guess, total)| (guess, (total - least) as f64 / codes)).collect();
        Some(RankedGuesses { expected: least as f64 / codes, lost })
    }

    /// Returns the expected number of guesses with best play, and how many of the given guesses lose; `None` instead of a number
    /// that takes too long.
    pub fn lost(
        &mut self,
        rules: &Rules,
        position: Position<'_>,
        guesses: &[Code],
        watch: Watch<'_>,
    ) -> Option<(f64, Vec<Option<f64>>)> {
        let mut values = self.solver(rules, position, watch)?.position_values_within(Self::marks(rules));
        let (least, codes) = (values.least(position, watch)?, position.codes.len() as f64);
        let mut lost = |guess: &Code| Some((values.after(position, guess, watch)? - least) as f64 / codes);
        Some((least as f64 / codes, guesses.iter().map(&mut lost).collect()))
    }

    fn marks(rules: &Rules) -> u64 {
        let codes = Space::new(rules).count().exact().unwrap_or(0) as u64;
        // With few different marks, guesses make few parts, and the search evaluates marks in small batches.
        let is_kernel_fast = rules.board().is_row()
            && rules.feedback() == FeedbackKind::BlackWhite
            && rules.cells() >= 4
            && rules.colors() >= 3;
        let (per_code, most) = match is_kernel_fast {
            true => (MARKS_PER_CODE_OF_ROWS, MAX_MARKS_OF_ROWS),
            false => (MARKS_PER_CODE, MAX_MARKS),
        };
        codes.saturating_mul(per_code).min(most)
    }

    fn solver(&mut self, rules: &Rules, position: Position<'_>, watch: Watch<'_>) -> Option<&ExactSolver> {
        if !is_searchable(rules, position.codes.len()) {
            return None;
        }
        if self.solver.is_none() {
            self.solver = ExactSolver::new(rules, watch);
        }
        self.solver.as_ref()
    }
}
