//! Consistent codes by walks that live through a game.
//!
//! The cost of a code is the number of pegs by which it misses the marks of all turns, line by line, or the sum of the
//! squares; where so many answers may be lies, the turns that are missed most cost nothing. A move recolors a cell or
//! exchanges two, and is judged in one pass over the turns for each line it touches, whatever the number of cells; that pass
//! has no branch and runs on vectors. Colors that a single mark rules out are never tried. Works for every board, feedback
//! kind and repeat rule.
//!
//! Walks at rising temperatures exchange places (parallel tempering, `ladder`), and try colors where walks were seen to
//! have them, corrected by the Hastings ratio (Metropolis-Hastings, `proposals`). At a given temperature codes of equal cost are then visited
//! equally often in the long run, so that the codes found are a near uniform sample. After an answer the walks go on from
//! where they are: most of what was found out about the code still holds. Several ladders stand side by side, each with its
//! own random numbers; what they find depends on the moves they may try and not on their timing.
//!
//! Cost: some twenty nanoseconds a move up to 32 turns. Limits: where the turns leave very few codes of a large space, no
//! walk finds them in reasonable time, and the codes of the coldest walks have to stand for them.
//!
//! # References
//! - J. L. Bernier, C. I. Herráiz, J. J. Merelo, S. Olmeda and A. Prieto, Solving MasterMind using GAs and simulated
//!   annealing: a case of dynamic constraint optimization, Parallel Problem Solving from Nature IV, 1996.
//! - K. Hukushima and K. Nemoto, Exchange Monte Carlo method and application to spin glass simulations, Journal of the
//!   Physical Society of Japan 65, 1996.
//! - W. K. Hastings, Monte Carlo sampling methods using Markov chains and their applications, Biometrika 57, 1970.

#[cfg(target_arch = "x86_64")]
mod bytes;
mod change;
mod domains;
mod field;
mod ladder;
mod number;
mod proposals;
mod tempering;
mod walk;

use std::collections::BTreeSet;

use pegwise_game::{Code, Color, History, Rules};

pub use self::tempering::Tempering;
use self::{
    field::{Field, Sight},
    ladder::{ALL_MOVES, Ladder, Stretch, Temper},
    number::{MOST_FOR_BYTES, Number},
    proposals::Proposals,
};
use crate::{
    parallel, portable,
    rng::Rng,
    search::{Search, Watch},
};

/// How much to look for, and for how long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Different codes to find.
    pub codes: usize,
    /// Moves to try.
    pub moves: u64,
}

/// What a search came back with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Different codes that fit, ascending.
    pub codes: Vec<Code>,
    /// Codes that nearly fit, of the coldest walks, with their costs.
    pub near: Vec<(i64, Code)>,
    /// The code that comes closest to fitting.
    pub closest: Code,
    /// Whether the codes were seen so often that there are likely no others.
    pub all: bool,
}

/// One search for codes that fit a history, from a start.
///
/// ```
/// use pegwise_game::{History, Rules};
/// use pegwise_solve::{Search, candidates::anneal::{Annealer, Effort}};
/// let rules: Rules = "12x12".parse().unwrap();
/// let history = History::parse(&rules, ["AABBCCDDEEFF=2,4", "GGHHAABBIIJJ=1,5"]).unwrap();
/// let mut search = Search::new(1);
/// let start = search.rng.code(&rules);
/// let found = Annealer::new(&history).sample(&start, Effort { codes: 20, moves: 1_000_000 }, &mut search);
/// assert!(found.codes.len() >= 20);
/// assert!(found.codes.iter().all(|code| history.is_consistent(code)));
/// ```
#[derive(Debug, Clone)]
pub struct Annealer<'h> {
    history: &'h History,
}

impl<'h> Annealer<'h> {
    /// Whether walks can be led by these rules: whether a mark is no more than sums over its line.
    #[must_use]
    pub fn can_lead(rules: &Rules) -> bool {
        rules.feedback().model().is_aggregate()
    }

    /// A search for a history, of rules that [walks can be led by](Self::can_lead).
    #[must_use]
    pub fn new(history: &'h History) -> Self {
        Self { history }
    }

    /// Looks for codes that fit, from a start. The moves count as codes examined; time is that of the search.
    pub fn sample(&self, start: &Code, effort: Effort, search: &mut Search<'_>) -> Found {
        let rules = self.history.rules();
        let mut sampler = Sampler::new(rules, Tempering::new(rules), &mut search.rng);
        sampler.start_at(start);
        sampler.sample(self.history, effort, search.watch(), search)
    }
}

/// Walks through the codes of a game.
#[derive(Debug, Clone)]
pub struct Sampler {
    rules: Rules,
    tempering: Tempering,
    sight: Sight,
    /// For each ladder, the codes of its walks, the coldest first, and its random numbers.
    ladders: Vec<(Vec<Code>, Rng)>,
    /// For each cell and color, how often walks were seen with it of late.
    seen: Vec<f32>,
    /// The temperature of the highest rung.
    hot: f64,
    /// Whether walks keep their colors and exchange cells alone.
    keep_colors: bool,
}

impl Sampler {
    /// Walks that begin anywhere.
    #[must_use]
    pub fn new(rules: &Rules, tempering: Tempering, rng: &mut Rng) -> Self {
        Self::with_sight(rules, tempering, Sight::All, rng)
    }

    /// Walks that look at how often each color is there, and at nothing else: the codes they find have their colors in
    /// order.
    #[must_use]
    pub fn of_counts(rules: &Rules, tempering: Tempering, rng: &mut Rng) -> Self {
        Self::with_sight(rules, tempering, Sight::Counts, rng)
    }

    fn with_sight(rules: &Rules, tempering: Tempering, sight: Sight, rng: &mut Rng) -> Self {
        let ladder = |_| {
            let mut rng = Rng::new(rng.word());
            let codes = (0..tempering.rungs).map(|_| rng.code(rules)).collect();
            (codes, rng)
        };
        let ladders = (0..tempering.ladders).map(ladder).collect();
        let seen = vec![0.0; rules.cells() * usize::from(rules.colors())];
        Self { rules: rules.clone(), tempering, sight, ladders, seen, hot: tempering.hot, keep_colors: false }
    }

    /// Puts all walks at one code.
    pub fn start_at(&mut self, start: &Code) {
        self.ladders.iter_mut().flat_map(|(codes, _)| codes).for_each(|code| *code = start.clone());
    }

    /// Walks may change how often they show each color, until told otherwise.
    pub fn release_colors(&mut self) {
        self.keep_colors = false;
    }

    /// All walks get the colors of this code, with as few changes as there can be, and keep them from now on.
    pub fn keep_colors(&mut self, counts: &Code) {
        self.keep_colors = true;
        let held = held_by(&self.rules, counts);
        for (codes, rng) in &mut self.ladders {
            codes.iter_mut().for_each(|code| give_colors(code, held.clone(), rng));
        }
    }

    /// Every walk on a row whose colors do not give every turn its pegs gets the colors of the nearest of these codes.
    pub fn mend_colors(&mut self, history: &History, counts: &[Code]) {
        let rules = &self.rules;
        let counts: Vec<Vec<i32>> = counts.iter().map(|code| held_by(rules, code)).collect();
        let asked: Vec<(Vec<i32>, i32)> = history
            .turns()
            .iter()
            .map(|turn| (held_by(rules, &turn.guess), turn.feedback.marks()[0].sums()[1] as i32))
            .collect();
        for (codes, rng) in &mut self.ladders {
            for code in codes {
                let own = held_by(rules, code);
                if asked.iter().all(|(shown, answered)| common(&own, shown) == *answered) {
                    continue;
                }
                let apart = |held: &&Vec<i32>| code.len() as i32 - common(held, &own);
                if let Some(nearest) = counts.iter().min_by_key(apart) {
                    give_colors(code, nearest.clone(), rng);
                }
            }
        }
    }

    /// Walks on, until so many codes that fit the history are found. The moves count as codes examined.
    pub fn sample(&mut self, history: &History, effort: Effort, watch: Watch<'_>, search: &mut Search<'_>) -> Found {
        let effort = Effort { moves: effort.moves.min(search.examined_left()), ..effort };
        let longest = self.rules.board().lines().map(<[usize]>::len).max().unwrap_or(0);
        let bytes = longest <= MOST_FOR_BYTES && usize::from(self.rules.colors()) <= MOST_FOR_BYTES;
        let (found, moves) = match self.rules.feedback().model().cell.is_count() {
            false => self.walk_on::<i64, 8>(history, effort, watch),
            true if bytes => self.walk_on::<i8, 32>(history, effort, watch),
            true => self.walk_on::<i16, 16>(history, effort, watch),
        };
        search.add_examined(moves);
        search.find(found.codes.len() as u64);
        found
    }

    fn walk_on<N: Number, const L: usize>(
        &mut self,
        history: &History,
        effort: Effort,
        watch: Watch<'_>,
    ) -> (Found, u64) {
        let field = Field::<N, L>::new(history, self.tempering.squares, self.sight);
        if field.domains.is_empty() {
            let closest = self.ladders[0].0[0].clone();
            return (Found { codes: Vec::new(), near: Vec::new(), closest, all: true }, 0);
        }
        let mut ladders: Vec<Ladder<N, L>> =
            self.ladders.iter().map(|(codes, rng)| Ladder::new(&field, codes, self.keep_colors, rng.clone())).collect();
        let (found, all) = self.harvest(&field, &mut ladders, effort, watch);
        let near: Vec<(i64, Code)> = ladders.iter_mut().flat_map(|ladder| std::mem::take(&mut ladder.near)).collect();
        let nearest = near.iter().min().map(|(_, code)| code);
        let closest = found.first().or(nearest).unwrap_or(&self.ladders[0].0[0]).clone();
        let moves = ladders.iter().map(|ladder| ladder.moves).sum();
        self.ladders = ladders.into_iter().map(Ladder::into_codes).collect();
        (Found { codes: found.into_iter().collect(), near, closest, all }, moves)
    }

    fn tempers(&self, usual_change: f64) -> Vec<Temper> {
        let Tempering { rungs, cold, .. } = self.tempering;
        let factor = portable::exp(portable::ln(self.hot / cold) / (rungs.max(2) - 1) as f64);
        let temperatures = std::iter::successors(Some(cold * usual_change), |temperature| Some(temperature * factor));
        temperatures.take(rungs).map(Temper::new).collect()
    }

    /// Walks in stretches. Between stretches the ladders lay together what they found and where they were, and end when it is
    /// enough or when there is likely no more.
    fn harvest<N: Number, const L: usize>(
        &mut self,
        field: &Field<N, L>,
        ladders: &mut [Ladder<N, L>],
        effort: Effort,
        watch: Watch<'_>,
    ) -> (BTreeSet<Code>, bool) {
        let own = self.tempering;
        let (cells, walks) = (self.rules.cells() as u64, (own.rungs * ladders.len()) as u64);
        // A small budget makes for short rounds, a large one for many.
        let moves = (own.moves_a_cell * cells).min(effort.moves / walks).max(1);
        let rounds_in_all = effort.moves / (moves * walks);
        let least_rounds = (own.least_share * rounds_in_all as f64).min((own.least_moves / (moves * walks)) as f64);
        let stretch = Stretch {
            rounds: 0,
            moves,
            swaps: if self.keep_colors { ALL_MOVES } else { own.swaps },
            spacing: own.spacing * cells,
            cold: own.near_rungs,
            most_others: effort.codes,
            sorted: self.sight == Sight::Counts,
            watch,
        };
        let (mut rounds, mut done, mut all) = (FIRST_ROUNDS, 0, false);
        let mut found: BTreeSet<Code> = BTreeSet::new();
        while done < rounds_in_all && found.len() < effort.codes && !all && watch.stop().is_none() {
            let stretch = Stretch { rounds: rounds.min(rounds_in_all - done), ..stretch };
            let proposals = Proposals::new(&field.domains, &self.rules, &self.seen, own.uniform);
            let tempers = self.tempers(field.usual_change());
            parallel::for_each(ladders.iter_mut().collect(), |ladder| {
                ladder.advance(field, &proposals, &tempers, stretch);
            });
            let made: u64 = ladders.iter_mut().map(|ladder| std::mem::take(&mut ladder.lively)).sum();
            let lively = made as f64 / (stretch.rounds * stretch.moves * ladders.len() as u64) as f64;
            let heated = if lively < own.lively { self.hot * HEATING } else { self.hot / HEATING };
            self.hot = heated.clamp(own.hot, own.hottest);
            done += stretch.rounds;
            rounds = (rounds * 2).min(MOST_ROUNDS);
            self.seen.iter_mut().for_each(|seen| *seen *= own.memory);
            for ladder in &mut *ladders {
                self.seen.iter_mut().zip(&mut ladder.seen).for_each(|(all, seen)| *all += std::mem::take(seen));
                found.append(&mut ladder.apart);
            }
            // To see all of n once takes about n (ln n + 1) sightings.
            let sightings: u64 = ladders.iter().map(|ladder| ladder.sightings).sum();
            let enough = found.len() as f64 * (portable::ln(found.len().max(1) as f64) + 3.0) * own.sightings;
            all = !found.is_empty() && sightings as f64 > enough && done as f64 >= least_rounds;
        }
        for ladder in ladders {
            for code in std::mem::take(&mut ladder.others) {
                if found.len() >= effort.codes {
                    break;
                }
                found.insert(code);
            }
        }
        (found, all)
    }
}

/// Rounds of the first stretch, and the most; each stretch has twice as many as the one before.
const FIRST_ROUNDS: u64 = 16;
const MOST_ROUNDS: u64 = 256;

/// By how much the highest rung is heated or cooled after a stretch.
const HEATING: f64 = 1.1;

/// How often a code shows each color.
fn held_by(rules: &Rules, code: &[Color]) -> Vec<i32> {
    let mut held = vec![0; rules.colors().into()];
    code.iter().for_each(|color| held[color.index()] += 1);
    held
}

/// The pegs that two codes have in common, by how often they show each color.
fn common(one: &[i32], other: &[i32]) -> i32 {
    one.iter().zip(other).map(|(one, other)| one.min(other)).sum()
}

/// Changes a code so that it shows each color so many times.
fn give_colors(code: &mut Code, mut left: Vec<i32>, rng: &mut Rng) {
    let mut order: Vec<usize> = (0..code.len()).collect();
    rng.shuffle(&mut order);
    let mut too_many = Vec::new();
    for cell in order {
        let left = &mut left[code[cell].index()];
        *left -= 1;
        if *left < 0 {
            too_many.push(cell);
        }
    }
    let missing = (0..).zip(&left).flat_map(|(color, &times)| (0..times).map(move |_| Color::new(color)));
    for (cell, color) in too_many.into_iter().zip(missing) {
        code.colors_mut()[cell] = color;
    }
}

#[cfg(test)]
mod tests;
