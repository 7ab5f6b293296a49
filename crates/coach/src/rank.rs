//! Guesses compared against the codes that fit.

use pegwise_game::{Code, Rules, Table, partition::SLOWDOWN_WITHOUT_KERNEL, symmetry::Symmetry};
use pegwise_solve::{Alternative, Basis, Position, Search, Strategy, candidates::listed, clock, one_step::Ranking};

use crate::{notes::Notes, possible::Possible};

/// Pairs of a guess and a code that are compared: some hundredths of a second.
const PAIRS: usize = 60_000_000;
/// Pairs that are compared when the time is up.
const PAIRS_IN_A_HURRY: usize = 500_000;
/// Pairs that a strategy may compare that looks at every guess.
const PAIRS_OF_ALL: usize = 1_000_000_000;
/// The most codes and guesses of a sample.
const MOST_CODES: usize = 40_000;
const MOST_GUESSES: usize = 40_000;

/// Compares guesses of one set of rules against codes that fit notes.
pub(crate) struct Ranker<'a> {
    notes: &'a Notes,
    possible: &'a Possible,
    ranking: Ranking,
    /// The codes that guesses are compared against.
    codes: Table,
}

impl<'a> Ranker<'a> {
    /// A ranker for these codes; `None` where there are none, or where codes do not fit a table.
    pub(crate) fn new(notes: &'a Notes, possible: &'a Possible, search: &mut Search<'_>) -> Option<Self> {
        let rules = notes.rules();
        let ranking = Ranking::new(rules).ok()?;
        let most = pairs(rules, &ranking, affordable(search)).clamp(1, MOST_CODES);
        let rows = search.rng.sample(possible.codes.len() as u32, most);
        let codes = Table::from_codes(rules, rows.iter().map(|&row| &possible.codes[row as usize])).ok()?;
        (!codes.is_empty()).then_some(Self { notes, possible, ranking, codes })
    }

    /// The best guesses, best first, and what that rests on.
    pub(crate) fn best(&mut self, most: usize, search: &mut Search<'_>) -> (Vec<Alternative>, Basis) {
        let (pool, whole) = self.pool(search);
        let pool = match Table::from_codes(self.notes.rules(), &pool) {
            Ok(pool) => pool,
            Err(_) => self.codes.clone(),
        };
        search.score((pool.len() * self.codes.len()) as u64);
        clock::work((pool.len() * self.codes.len()) as u64);
        let (notes, possible) = (self.notes, self.possible);
        let best = self.ranking.best(&self.codes, &pool, |code| possible.contains(notes, code), most);
        let basis = if whole && possible.complete && self.codes.len() == possible.codes.len() {
            Basis::Scored
        } else {
            let (guesses, codes) = (pool.len(), self.codes.len());
            let all = possible.complete && codes == possible.codes.len();
            let against = if all { "all" } else { "a sample of" };
            Basis::BestEffort(format!("the best of {guesses} guesses against {against} {codes} codes that fit"))
        };
        (best, basis)
    }

    /// The guesses that are compared, and whether these are all that matter.
    fn pool(&self, search: &mut Search<'_>) -> (Vec<Code>, bool) {
        let rules = self.notes.rules();
        let most = (pairs(rules, &self.ranking, affordable(search)) / self.codes.len()).clamp(1, MOST_GUESSES);
        let all = if listed::is_listable(rules) { self.every_guess() } else { None };
        let Some(all) = all else {
            return (pick(&self.possible.codes, most, search), false);
        };
        if all.len() <= most {
            return (all.codes().collect(), true);
        }
        let mut pool = pick(&self.possible.codes, most.div_ceil(2), search);
        let others = search.rng.sample(all.len() as u32, most / 2);
        pool.extend(others.into_iter().map(|row| all.code(row as usize)));
        pool.sort_unstable();
        pool.dedup();
        (pool, false)
    }

    /// Every guess that differs from the others, in a space that is listed.
    fn every_guess(&self) -> Option<std::sync::Arc<Table>> {
        let rules = self.notes.rules();
        match self.notes.history() {
            Some(history) => {
                let guesses: Vec<Code> = history.turns().iter().map(|turn| turn.guess.clone()).collect();
                Some(self.ranking.pool(Position { codes: &self.codes, guesses: &guesses }))
            }
            // Which codes are alike is not known where a guess is not.
            None => Table::all(rules).ok().map(std::sync::Arc::new),
        }
    }
}

/// Pairs that are compared: few when the time is up, since nothing looks at the clock in between.
fn affordable(search: &Search<'_>) -> usize {
    if search.watch().stop().is_some() { PAIRS_IN_A_HURRY } else { PAIRS }
}

/// Pairs that take about as long as so many with a kernel.
fn pairs(rules: &Rules, ranking: &Ranking, pairs: usize) -> usize {
    if ranking.has_kernel() { pairs } else { pairs / SLOWDOWN_WITHOUT_KERNEL / rules.board().line_count() }
}

fn pick(codes: &[Code], most: usize, search: &mut Search<'_>) -> Vec<Code> {
    let rows = search.rng.sample(codes.len() as u32, most);
    rows.into_iter().map(|row| codes[row as usize].clone()).collect()
}

/// The guess of a strategy that looks at nothing but the codes that fit, where they are all there and can be compared in
/// time. It is not told what was guessed, but given guesses among which no codes are alike: which of them are, after turns
/// with forgotten parts, it could not know.
pub(crate) fn by_position(
    notes: &Notes,
    possible: &Possible,
    strategy: &dyn Strategy,
    search: &mut Search<'_>,
) -> Option<Code> {
    let rules = notes.rules();
    if !possible.complete || !listed::is_listable(rules) {
        return None;
    }
    let all = pegwise_game::Space::new(rules).count().exact()?;
    let ranking = Ranking::new(rules).ok()?;
    let affordable = pairs(rules, &ranking, PAIRS_OF_ALL) as u128;
    if all * possible.codes.len() as u128 > affordable {
        return None;
    }
    let mut by_position = strategy.position_strategy()?;
    let codes = Table::from_codes(rules, &possible.codes).ok()?;
    let guesses = all_different(rules, search)?;
    Some(by_position.choose(Position { codes: &codes, guesses: &guesses }))
}

/// Guesses after which no two codes are alike.
pub(crate) fn all_different(rules: &Rules, search: &mut Search<'_>) -> Option<Vec<Code>> {
    /// Random guesses that are added before it is given up.
    const MOST_DRAWS: usize = 200;
    let (cells, colors) = (rules.cells(), usize::from(rules.colors()));
    // First every color is shown.
    let showing = |first: usize| Code::from_indices((0..cells).map(|cell| ((first + cell) % colors) as u16));
    let mut guesses: Vec<Code> = (0..colors).step_by(cells).map(showing).collect();
    for _ in 0..MOST_DRAWS {
        if Symmetry::new(rules, &guesses).is_trivial() {
            return Some(guesses);
        }
        guesses.push(search.rng.code(rules));
    }
    None
}
