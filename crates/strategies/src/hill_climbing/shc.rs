//! The stochastic hill climber of Temporel and Kovacs.
//!
//! The favorite is the guess with the best answer. New codes are induced from it: as many of its pegs are kept as the answer
//! has black pegs, as many are shifted as it has white pegs, and the others are mutated. The first induced code that is
//! consistent is played. An answer without pegs excludes the colors of its guess, and the next guess, drawn from the
//! remaining colors, becomes the favorite whatever its answer.
//!
//! # Cost and limits
//! Examines about forty codes per game at 4x6, five hundred at 5x8, and three thousand at 6x8. The number grows with the
//! space; from about 8x10 on most guesses use up their draws, and backtracking finds the code. Without a tracker rare codes
//! take long to be drawn, and the mean is dominated by a few games.
//!
//! # Interpretations
//! The paper does not specify the following; these choices agree best with its tables.
//! - A shifted peg moves to any open cell but its own, after the pegs before it. A draw whose last peg finds no cell is
//!   discarded and does not count as examined.
//! - The pool of colors is computed once per induced code and not per peg: otherwise the longest games without a tracker
//!   are far shorter than printed.
//! - Random colors are drawn uniformly from all that are not excluded, including those just discarded.
//! - Table 2 agrees with games that start with AABB, not with a random guess: AABB takes 4.62 guesses with a deviation of
//!   0.85, as printed, and a random guess 4.63 with 0.88; the codes examined agree as well. On five and six pegs the opening
//!   is AABBC and AABBCC.
//! - The row of table 2 without tracker and with random colors equals the row below it, with the pool, in every number, and
//!   no run with random colors, which examine half as many codes again: it agrees with a run with the pool. Likewise, the
//!   row of 6x8 without tracker in table 4 agrees with the row with tracker, and not with a climber without one.
//!
//! Open differences: 6x8, and 5x8 without a tracker, examine about a third more codes than printed. The other
//! interpretations are parameters, and the published tables list the results of each: none agrees with all sizes at once.
//! `mutation=other` is closest on five and six pegs, and a tenth too low on four.
//!
//! Section 6 makes proposals without measurements.
//! - `diversity=adaptive` keeps the penalty of the pool for the guesses that follow the first two, and then divides it by
//!   two, three and so on, so that codes with repeated colors are found sooner. `diversity=pegs` multiplies it by the share
//!   of pegs that the answers to the first two guesses lack.
//! - `memory=true` adds the pools of all earlier guesses to the pool.
//! - `mutation=circular` moves a mutated peg through the colors in cyclic order, up or down at random, until the pool
//!   accepts one: with half of the weight of a color relative to the highest as the probability.
//! - `flee=true` ignores the favorite after two poor answers in a row (at most one peg for every four cells) and draws from
//!   a pool that penalizes the colors of those two guesses.
//! - `unlike=true` does so for the second guess if the first answer is poor: at most one black and one white peg for every
//!   four cells.
//!
//! # References
//! A. Temporel and T. Kovacs, A heuristic hill climbing algorithm for Mastermind, UK Workshop on Computational
//! Intelligence, 189-196, 2003.

use pegwise_game::{Code, FeedbackKind, History, HistoryTracker, Rules, Turn};

use super::climb::{ColorPool, HillClimb, Inducer, Score};
use pegwise_search::{Arguments, Built, Proposal, Proposed, Search, Strategy, StrategyError, Watch};

pub(super) struct Shc {
    options: ShcOptions,
    climb: HillClimb,
    inducer: Inducer,
    pool: ColorPool,
    /// True if the color may be in the code, for each color.
    allowed: Vec<bool>,
    memory: PoolMemory,
}

/// Pools of the guesses of a game.
#[derive(Default)]
struct PoolMemory {
    tracker: HistoryTracker,
    /// The weights of the pool from which each guess was drawn.
    pools: Vec<Vec<u32>>,
}

impl PoolMemory {
    /// Returns the sum of the pools of the guesses in the history. A turn for which the climber was not asked has none.
    fn recall(&mut self, history: &History) -> Vec<u32> {
        let none = vec![0; usize::from(history.rules().colors())];
        self.pools.truncate(self.tracker.update(history).shared() + 1);
        self.pools.resize(history.len(), none.clone());
        let add = |sum: Vec<u32>, pool: &Vec<u32>| sum.iter().zip(pool).map(|(one, other)| one + other).collect();
        self.pools.iter().fold(none, add)
    }
}

struct ShcOptions {
    first: Option<Code>,
    /// Weight removed from a color for each of its pegs in the new code; `None` for uniform pools.
    penalty: Option<u32>,
    diversity: Diversity,
    memory: bool,
    flee: bool,
    unlike: bool,
    replace: Replacement,
    mutation: Mutation,
    /// True if each mutated peg updates the pool.
    pool_per_peg: bool,
    /// True if a shifted peg may stay in its cell.
    may_stay: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Diversity {
    Fixed,
    /// Decreases with the number of turns.
    Turns,
    /// Decreases with the pegs of the first two answers.
    Pegs,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Replacement {
    Better,
    /// Better or equally good ones.
    Equal,
    /// Xu's rule: more pegs, or as many with more black than white ones. No answer excludes colors.
    Xu,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mutation {
    /// Any color of the pool.
    Any,
    /// Any color but that of the favorite in the cell.
    Other,
    /// Any color that was not discarded.
    New,
    /// The first color in cyclic order that the pool accepts.
    Circular,
}

/// Basis of new codes.
enum Source<'a> {
    Favorite(&'a Turn),
    Colors,
    /// The allowed colors, with a penalty for those of poor guesses.
    Escape(&'a [Turn]),
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let options = ShcOptions {
        first: arguments.code("first", rules),
        penalty: (arguments.text("colors") == "fps").then(|| arguments.integer("fps-weight") as u32),
        diversity: match arguments.text("diversity") {
            "adaptive" => Diversity::Turns,
            "pegs" => Diversity::Pegs,
            _ => Diversity::Fixed,
        },
        memory: arguments.flag("memory"),
        flee: arguments.flag("flee"),
        unlike: arguments.flag("unlike"),
        replace: if arguments.text("replace") == "equal" { Replacement::Equal } else { Replacement::Better },
        mutation: match arguments.text("mutation") {
            "other" => Mutation::Other,
            "new" => Mutation::New,
            "circular" => Mutation::Circular,
            _ => Mutation::Any,
        },
        pool_per_peg: arguments.text("pool") == "peg",
        may_stay: arguments.text("shift") == "anywhere",
    };
    Ok(Box::new(Shc::new(rules, options, arguments.flag("tracker"))))
}

impl Strategy for Shc {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let found = self.guess(history, search, Watch::default())?;
        Ok(found.unwrap_or_else(|| Proposal::last_resort(history.rules(), None, search)))
    }
}

/// Penalty of an escape with uniform pools, and that of the paper.
pub(super) const DEFAULT_PENALTY: u32 = 45;

impl Shc {
    fn new(rules: &Rules, options: ShcOptions, tracks: bool) -> Self {
        Self {
            options,
            climb: HillClimb::new(rules, tracks),
            inducer: Inducer::new(rules.cells()),
            pool: ColorPool::new(rules.colors()),
            allowed: vec![true; usize::from(rules.colors())],
            memory: PoolMemory::default(),
        }
    }

    /// Creates the climber that [Xu](super::xu) re-created.
    pub(super) fn xu(rules: &Rules, first: Option<Code>) -> Self {
        let (replace, mutation) = (Replacement::Xu, Mutation::Other);
        let (penalty, diversity, [memory, flee, unlike, pool_per_peg, may_stay]) = (None, Diversity::Fixed, [false; 5]);
        let options =
            ShcOptions { first, penalty, diversity, memory, flee, unlike, replace, mutation, pool_per_peg, may_stay };
        Self::new(rules, options, false)
    }

    /// Returns the next guess; `None` if `watch` stops the search.
    pub(super) fn guess(
        &mut self,
        history: &History,
        search: &mut Search<'_>,
        watch: Watch<'_>,
    ) -> Result<Option<Proposal>, StrategyError> {
        let remembered = self.options.memory.then(|| self.memory.recall(history));
        if history.is_empty() {
            return Ok(Some(Proposal::opening(self.options.first.as_ref(), history.rules(), search)));
        }
        if self.options.replace != Replacement::Xu {
            allow_colors(history, &mut self.allowed);
        }
        let Self { options, climb, inducer, pool, allowed, memory } = self;
        let (turns, repeats) = (history.turns(), history.rules().repeats());
        let penalty = options.penalty_after(turns);
        let source = options.source(turns);
        let mut own_weights = Vec::new();
        let found = climb.find(history, search, watch, inducer, |inducer, rng| {
            match source {
                Source::Favorite(turn) => {
                    if !inducer.keep_and_shift(&turn.guess, Score::of(turn), options.may_stay, rng) {
                        return false;
                    }
                    match penalty {
                        None => pool.even(allowed),
                        Some(penalty) => {
                            pool.diverse(
                                allowed,
                                inducer.discarded(&turn.guess),
                                inducer.inherited(&turn.guess),
                                penalty,
                            );
                        }
                    }
                }
                Source::Colors => {
                    inducer.open_all();
                    pool.even(allowed);
                }
                Source::Escape(turns) => {
                    inducer.open_all();
                    let poor = turns.iter().flat_map(|turn| turn.guess.iter().copied());
                    pool.diverse(allowed, std::iter::empty(), poor, penalty.unwrap_or(DEFAULT_PENALTY));
                }
            }
            if let Some(remembered) = &remembered {
                own_weights.clear();
                own_weights.extend_from_slice(pool.weights());
                pool.add(remembered);
            }
            let favorite = match source {
                Source::Favorite(turn) => Some(turn),
                _ => None,
            };
            if let (false, Some(turn)) = (repeats, favorite) {
                inducer.inherited(&turn.guess).for_each(|color| pool.remove(color));
            }
            if let (Mutation::New, Some(turn)) = (options.mutation, favorite) {
                inducer.discarded(&turn.guess).for_each(|color| pool.remove(color));
            }
            let penalty = penalty.filter(|_| options.pool_per_peg);
            inducer.fill(|cell| {
                let color = match favorite {
                    Some(turn) if options.mutation == Mutation::Other => pool.draw_except(turn.guess[cell], rng)?,
                    Some(turn) if options.mutation == Mutation::Circular => pool.draw_after(turn.guess[cell], rng)?,
                    _ => pool.draw(rng)?,
                };
                if !repeats {
                    pool.remove(color);
                } else if let Some(penalty) = penalty {
                    pool.penalize(color, penalty);
                }
                Some(color)
            })
        });
        if remembered.is_some() {
            memory.pools.push(own_weights);
        }
        found
    }
}

/// Excludes the colors of guesses without a peg. Black pegs alone do not exclude colors.
pub(super) fn allow_colors(history: &History, allowed: &mut [bool]) {
    allowed.fill(true);
    if history.rules().feedback() == FeedbackKind::BlackWhite {
        for turn in history.turns().iter().filter(|turn| Score::of(turn).pegs == 0) {
            turn.guess.iter().for_each(|color| allowed[color.index()] = false);
        }
    }
}

impl ShcOptions {
    fn source<'a>(&self, turns: &'a [Turn]) -> Source<'a> {
        match turns {
            [.., one, other] if self.flee && is_poor(one) && is_poor(other) => {
                return Source::Escape(&turns[turns.len() - 2..]);
            }
            [first] if self.unlike && is_poor_start(first) => return Source::Escape(turns),
            _ => {}
        }
        self.favorite(turns).map_or(Source::Colors, Source::Favorite)
    }

    /// Returns the favorite; `None` after an answer without pegs, except by Xu's rule.
    fn favorite<'a>(&self, turns: &'a [Turn]) -> Option<&'a Turn> {
        let replaces = |score: Score, best: Score| match self.replace {
            Replacement::Better => score > best,
            Replacement::Equal => score >= best,
            Replacement::Xu => score.pegs > best.pegs || (score.pegs == best.pegs && score.black > score.white()),
        };
        turns.iter().fold(None, |favorite: Option<&Turn>, turn| {
            let score = Score::of(turn);
            if score.pegs == 0 && self.replace != Replacement::Xu {
                return None;
            }
            favorite.filter(|favorite| !replaces(score, Score::of(favorite))).or(Some(turn))
        })
    }

    fn penalty_after(&self, turns: &[Turn]) -> Option<u32> {
        let first = &turns[..turns.len().min(2)];
        let cells: usize = first.iter().map(|turn| turn.guess.len()).sum();
        let [share, of] = match self.diversity {
            Diversity::Fixed => [1, 1],
            Diversity::Turns => [1, turns.len().saturating_sub(1).max(1)],
            Diversity::Pegs => [cells - first.iter().map(|turn| Score::of(turn).pegs).sum::<usize>(), cells],
        };
        self.penalty.map(|penalty| (penalty * share as u32 / of as u32).max(1))
    }
}

/// Returns true if an answer has at most one peg for every four cells.
fn is_poor(turn: &Turn) -> bool {
    4 * Score::of(turn).pegs <= turn.guess.len()
}

/// Returns true if a first answer has at most one black and one white peg for every four cells.
fn is_poor_start(turn: &Turn) -> bool {
    let quarter = turn.guess.len() / 4;
    Score::of(turn) <= Score::new(quarter, quarter)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> ShcOptions {
        ShcOptions {
            first: None,
            penalty: Some(45),
            diversity: Diversity::Fixed,
            memory: false,
            flee: false,
            unlike: false,
            replace: Replacement::Better,
            mutation: Mutation::Any,
            pool_per_peg: false,
            may_stay: false,
        }
    }

    fn favorite(options: &ShcOptions, turns: &[&str]) -> Option<String> {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, turns.iter().copied()).unwrap();
        options.favorite(history.turns()).map(|turn| turn.guess.notation(6).to_string())
    }

    /// The game of figure 2, turn by turn.
    #[test]
    fn favorites_are_those_printed() {
        let turns = ["1122=1,0", "6143=1,1", "6332=0,1", "3155=2,1"];
        let favorites = ["1122", "6143", "6143", "3155"];
        for (length, printed) in (1..).zip(favorites) {
            assert_eq!(favorite(&options(), &turns[..length]).as_deref(), Some(printed));
        }
    }

    #[test]
    fn an_answer_without_pegs_clears_the_favorite() {
        assert_eq!(favorite(&options(), &["1122=1,0", "1333=0,0"]), None);
        assert_eq!(favorite(&options(), &["1122=1,0", "1333=0,0", "4452=0,1"]).as_deref(), Some("4452"));
    }

    #[test]
    fn an_equal_answer_may_replace_the_favorite() {
        let turns = ["1122=1,1", "1344=1,1"];
        assert_eq!(favorite(&options(), &turns).as_deref(), Some("1122"));
        assert_eq!(favorite(&ShcOptions { replace: Replacement::Equal, ..options() }, &turns).as_deref(), Some("1344"));
    }

    #[test]
    fn more_black_than_white_pegs_replace_the_favorite_of_xu() {
        let xu = ShcOptions { replace: Replacement::Xu, ..options() };
        for (turns, printed) in [
            (&[][..], None),
            (&["1122=1,1", "1344=1,1"], Some("1122")),
            (&["1122=1,1", "1344=2,0"], Some("1344")),
            (&["1122=2,0", "1344=0,3"], Some("1344")),
            (&["1122=2,0", "1344=1,0"], Some("1122")),
        ] {
            assert_eq!(favorite(&xu, turns).as_deref(), printed);
        }
    }

    #[test]
    fn adaptive_penalties_decrease() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1122=1,0", "1344=1,1", "3516=0,2", "3145=2,0", "3146=2,1"]).unwrap();
        let penalties = |diversity| {
            let options = ShcOptions { diversity, ..options() };
            (1..6).filter_map(|turns| options.penalty_after(&history.turns()[..turns])).collect::<Vec<u32>>()
        };
        assert_eq!(penalties(Diversity::Fixed), [45; 5]);
        assert_eq!(penalties(Diversity::Turns), [45, 45, 22, 15, 11]);
        // 45 * 3/4, then 45 * 5/8.
        assert_eq!(penalties(Diversity::Pegs), [33, 28, 28, 28, 28]);
    }

    #[test]
    fn a_poor_first_answer_causes_an_escape() {
        let rules: Rules = "4x6".parse().unwrap();
        for (answer, poor) in
            [("0,1", true), ("1,0", true), ("0,2", true), ("1,1", true), ("2,0", false), ("0,3", false)]
        {
            let history = History::parse(&rules, [format!("1122={answer}").as_str()]).unwrap();
            let unlike = ShcOptions { unlike: true, ..options() };
            assert_eq!(matches!(unlike.source(history.turns()), Source::Escape(_)), poor, "{answer}");
            assert!(!matches!(options().source(history.turns()), Source::Escape(_)));
        }
    }

    /// Pools are recalled for the turns that two histories share, and a new game starts without any.
    #[test]
    fn pools_are_remembered_by_turn() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let mut memory = PoolMemory::default();
        let turns = ["1122=1,0", "1344=0,1", "3526=1,2"];
        let mut naive = vec![0; 6];
        for length in 0..=3 {
            assert_eq!(memory.recall(&history(&turns[..length])), naive);
            let pool = vec![length as u32 + 1; 6];
            naive.iter_mut().zip(&pool).for_each(|(sum, weight)| *sum += weight);
            memory.pools.push(pool);
        }
        // The same request, another answer to the second guess, and another game.
        assert_eq!(memory.recall(&history(&turns)), [1 + 2 + 3; 6]);
        assert_eq!(memory.recall(&history(&["1122=1,0", "1344=1,1"])), [1 + 2; 6]);
        assert_eq!(memory.recall(&history(&["1122=2,0"])), [1; 6]);
        assert_eq!(memory.recall(&history(&[])), [0; 6]);
    }

    #[test]
    fn two_poor_answers_in_a_row_cause_an_escape() {
        let rules: Rules = "4x6".parse().unwrap();
        let flees = |turns: &[&str]| {
            let history = History::parse(&rules, turns.iter().copied()).unwrap();
            matches!(ShcOptions { flee: true, ..options() }.source(history.turns()), Source::Escape(_))
        };
        assert!(flees(&["1122=1,0", "1344=0,1"]));
        assert!(!flees(&["1122=1,0", "1344=0,2"]));
        assert!(!flees(&["1122=1,0"]));
    }
}
