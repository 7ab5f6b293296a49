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
//! Section 6 makes proposals without measurements. `diversity=adaptive` keeps the penalty of the pool for the guesses that
//! follow the first two, and then divides it by two, three and so on, so that codes with repeated colors are found sooner.
//! `flee=true` ignores the favorite after two poor answers in a row (at most one peg for every four cells) and draws from a
//! pool that penalizes the colors of those two guesses.
//!
//! # References
//! A. Temporel and T. Kovacs, A heuristic hill climbing algorithm for Mastermind, UK Workshop on Computational
//! Intelligence, 189-196, 2003.

use pegwise_game::{Code, FeedbackKind, History, Rules, Turn};

use super::climb::{ColorPool, HillClimb, Inducer, Score};
use pegwise_search::{Arguments, Built, Proposal, Proposed, Search, Strategy, StrategyError, Watch};

pub(super) struct Shc {
    options: ShcOptions,
    climb: HillClimb,
    inducer: Inducer,
    pool: ColorPool,
    /// True if the color may be in the code, for each color.
    allowed: Vec<bool>,
}

struct ShcOptions {
    first: Option<Code>,
    /// Weight removed from a color for each of its pegs in the new code; `None` for uniform pools.
    penalty: Option<u32>,
    adaptive: bool,
    flee: bool,
    replace: Replacement,
    mutation: Mutation,
    /// True if each mutated peg updates the pool.
    pool_per_peg: bool,
    /// True if a shifted peg may stay in its cell.
    may_stay: bool,
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
}

/// Basis of new codes.
enum Source<'a> {
    Favorite(&'a Turn),
    Colors,
    /// The allowed colors, with a penalty for those of two poor guesses.
    Escape([&'a Turn; 2]),
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let options = ShcOptions {
        first: arguments.code("first", rules),
        penalty: (arguments.text("colors") == "fps").then(|| arguments.integer("fps-weight") as u32),
        adaptive: arguments.text("diversity") == "adaptive",
        flee: arguments.flag("flee"),
        replace: if arguments.text("replace") == "equal" { Replacement::Equal } else { Replacement::Better },
        mutation: match arguments.text("mutation") {
            "other" => Mutation::Other,
            "new" => Mutation::New,
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

/// Penalty of an escape with uniform pools.
const DEFAULT_PENALTY: u32 = 45;

impl Shc {
    fn new(rules: &Rules, options: ShcOptions, tracks: bool) -> Self {
        Self {
            options,
            climb: HillClimb::new(rules, tracks),
            inducer: Inducer::new(rules.cells()),
            pool: ColorPool::new(rules.colors()),
            allowed: vec![true; usize::from(rules.colors())],
        }
    }

    /// Creates the climber that [Xu](super::xu) re-created.
    pub(super) fn xu(rules: &Rules, first: Option<Code>) -> Self {
        let (replace, mutation) = (Replacement::Xu, Mutation::Other);
        let (penalty, [adaptive, flee, pool_per_peg, may_stay]) = (None, [false; 4]);
        let options = ShcOptions { first, penalty, adaptive, flee, replace, mutation, pool_per_peg, may_stay };
        Self::new(rules, options, false)
    }

    /// Returns the next guess; `None` if `watch` stops the search.
    pub(super) fn guess(
        &mut self,
        history: &History,
        search: &mut Search<'_>,
        watch: Watch<'_>,
    ) -> Result<Option<Proposal>, StrategyError> {
        if history.is_empty() {
            return Ok(Some(Proposal::opening(self.options.first.as_ref(), history.rules(), search)));
        }
        self.exclude_colors(history);
        let Self { options, climb, inducer, pool, allowed } = self;
        let (turns, repeats) = (history.turns(), history.rules().repeats());
        let penalty = options.penalty_after(turns.len());
        let source = options.source(turns);
        climb.find(history, search, watch, inducer, |inducer, rng| {
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
                    if !repeats {
                        inducer.inherited(&turn.guess).for_each(|color| pool.remove(color));
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
            let favorite = match source {
                Source::Favorite(turn) => Some(turn),
                _ => None,
            };
            if let (Mutation::New, Some(turn)) = (options.mutation, favorite) {
                inducer.discarded(&turn.guess).for_each(|color| pool.remove(color));
            }
            let penalty = penalty.filter(|_| options.pool_per_peg);
            inducer.fill(|cell| {
                let color = match favorite {
                    Some(turn) if options.mutation == Mutation::Other => pool.draw_except(turn.guess[cell], rng)?,
                    _ => pool.draw(rng)?,
                };
                if !repeats {
                    pool.remove(color);
                } else if let Some(penalty) = penalty {
                    pool.penalize(color, penalty);
                }
                Some(color)
            })
        })
    }

    /// Excludes the colors of guesses without a peg. Black pegs alone do not exclude colors.
    fn exclude_colors(&mut self, history: &History) {
        self.allowed.fill(true);
        if history.rules().feedback() != FeedbackKind::BlackWhite || self.options.replace == Replacement::Xu {
            return;
        }
        for turn in history.turns().iter().filter(|turn| Score::of(turn).pegs == 0) {
            turn.guess.iter().for_each(|color| self.allowed[color.index()] = false);
        }
    }
}

impl ShcOptions {
    fn source<'a>(&self, turns: &'a [Turn]) -> Source<'a> {
        if let (true, [.., one, other]) = (self.flee, turns)
            && is_poor(one)
            && is_poor(other)
        {
            return Source::Escape([one, other]);
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

    fn penalty_after(&self, turns: usize) -> Option<u32> {
        let shares = if self.adaptive { turns.saturating_sub(1).max(1) as u32 } else { 1 };
        self.penalty.map(|penalty| (penalty / shares).max(1))
    }
}

/// Returns true if an answer has at most one peg for every four cells.
fn is_poor(turn: &Turn) -> bool {
    4 * Score::of(turn).pegs <= turn.guess.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn options() -> ShcOptions {
        ShcOptions {
            first: None,
            penalty: Some(45),
            adaptive: false,
            flee: false,
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
        let adaptive = ShcOptions { adaptive: true, ..options() };
        let penalties: Vec<u32> = (1..6).filter_map(|turns| adaptive.penalty_after(turns)).collect();
        assert_eq!(penalties, [45, 45, 22, 15, 11]);
        assert_eq!(options().penalty_after(5), Some(45));
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
