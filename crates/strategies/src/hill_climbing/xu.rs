//! Xu's program: a hill climber (`shc-xu`), and `shifting` for boards too large for it.
//!
//! `shc-xu` re-creates the stochastic hill climber without tracker, color pool and excluded colors: mutated pegs get any
//! color but that of the favorite in the cell, and a guess replaces the favorite if its answer has more pegs, or as many with
//! more black than white ones. It examines about a hundred codes per game at 4x6; Xu's program stopped at P + N > 18.
//! Beyond the maximum number of draws, backtracking finds the code. The condition of the printed inner loop is inverted,
//! and the numbers of kept and shifted pegs are those of the favorite's answer.
//!
//! `shifting` guesses color 1 in all cells, which counts that color. Then a peg of color 2 is placed in the first cell, the
//! second, and so on; after it a peg of color 3, until every cell is known. Known cells keep their color. If there is one
//! black peg more than expected, the cell has the shifted color; if there is one less, it has color 1. `counting=true`
//! first counts each color, as Xu proposes, skips absent colors, stops shifting a color when all its pegs are placed, and
//! plays the code when only one color is left to place. It takes almost no time and up to P(N-1)+1 guesses, 12 on average
//! at 4x6 and about a hundred at 15x15. White pegs are ignored. A few thousand steps of backtracking per guess detect
//! contradictory answers.
//!
//! `xu` climbs on small boards for ten seconds per game, and shifts otherwise; `counting=true` counts the colors first.
//! Unless the time runs out, games are determined by their seed.
//!
//! # References
//! Y. Xu, Solving Mastermind, Imperial College London.

use std::{collections::HashMap, time::Duration};

use pegwise_game::{Code, Color, History, HistoryChange, HistoryTracker, Rules};

use super::{climb::Score, shc::Shc};
use pegwise_search::candidates;
use pegwise_search::candidates::backtrack::is_contradictory;
use pegwise_search::clock::Moment;
use pegwise_search::{Arguments, Basis, Built, Proposal, Proposed, Search, Strategy, StrategyError, Watch};

pub(super) struct Shifting {
    pub(super) counting: bool,
}

/// Number of steps per guess for detecting contradictory answers.
const MAX_STEPS: u64 = 4_000;

impl Strategy for Shifting {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        if !history.is_empty() && is_contradictory(history, MAX_STEPS, search) {
            return Err(StrategyError::NO_CODE_FITS);
        }
        let guess = match ShiftProcedure::new(history, self.counting).next() {
            ShiftStep::Ask(guess) => guess,
            ShiftStep::Known(code) if history.is_consistent(&code) => return Ok(Proposal::new(code, Basis::Proven)),
            ShiftStep::Known(_) | ShiftStep::Impossible => return candidates::draw(history, search),
        };
        let basis = if history.is_consistent(&guess) {
            Basis::Consistent
        } else {
            Basis::BestEffort("the guess asks about one cell and does not fit".to_owned())
        };
        Ok(Proposal::new(guess, basis))
    }
}

enum ShiftStep {
    Ask(Code),
    Known(Code),
    Impossible,
}

/// Replay of the procedure on the answers so far. Turns that are not part of it are ignored.
struct ShiftProcedure<'a> {
    rules: &'a Rules,
    counting: bool,
    /// Number of black pegs of each guess.
    answers: HashMap<&'a Code, usize>,
}

/// Color of the unknown cells.
const FILL: usize = 0;

impl<'a> ShiftProcedure<'a> {
    fn new(history: &'a History, counting: bool) -> Self {
        let answers = history.turns().iter().map(|turn| (&turn.guess, Score::of(turn).black)).collect();
        Self { rules: history.rules(), counting, answers }
    }

    fn next(&self) -> ShiftStep {
        self.replay().unwrap_or_else(|next| next)
    }

    /// Runs the procedure until a guess has no answer.
    fn replay(&self) -> Result<ShiftStep, ShiftStep> {
        let (cells, colors) = (self.rules.cells(), usize::from(self.rules.colors()));
        let fills = self.answer(&vec![FILL; cells])?;
        // Number of pegs of each color to place, if they were counted.
        let mut left = if self.counting { Some(self.count_colors(fills)?) } else { None };
        let mut fills_left = fills;
        let mut known: Vec<Option<usize>> = vec![None; cells];
        for color in FILL + 1..colors {
            for cell in 0..cells {
                if let Some(only) = left.as_deref().and_then(only_one_left) {
                    known.iter_mut().filter(|cell| cell.is_none()).for_each(|cell| *cell = Some(only));
                }
                if known[cell].is_some() {
                    continue;
                }
                if left.as_ref().is_some_and(|left| left[color] == 0) {
                    break;
                }
                let mut guess: Vec<usize> = known.iter().map(|cell| cell.unwrap_or(FILL)).collect();
                guess[cell] = color;
                let expected = known.iter().flatten().count() + fills_left;
                let black = self.answer(&guess)?;
                let found = if black == expected + 1 {
                    color
                } else if black + 1 == expected {
                    fills_left = fills_left.checked_sub(1).ok_or(ShiftStep::Impossible)?;
                    FILL
                } else if black == expected {
                    continue;
                } else {
                    return Err(ShiftStep::Impossible);
                };
                known[cell] = Some(found);
                if let Some(left) = &mut left {
                    left[found] = left[found].checked_sub(1).ok_or(ShiftStep::Impossible)?;
                }
            }
        }
        let code: Option<Vec<usize>> = known.into_iter().collect();
        code.map(|code| ShiftStep::Known(code_of(&code))).ok_or(ShiftStep::Impossible)
    }

    /// Returns the number of cells with each color; that of the last color is the rest.
    fn count_colors(&self, fills: usize) -> Result<Vec<usize>, ShiftStep> {
        let (cells, colors) = (self.rules.cells(), usize::from(self.rules.colors()));
        let mut counts = vec![fills];
        let mut rest = cells - fills;
        for color in FILL + 1..colors {
            let last = color + 1 == colors;
            let count = if rest == 0 || last { rest } else { self.answer(&vec![color; cells])? };
            rest = rest.checked_sub(count).ok_or(ShiftStep::Impossible)?;
            counts.push(count);
        }
        Ok(counts)
    }

    /// Returns the number of black pegs of a guess, or the guess as an error if it was not played yet.
    fn answer(&self, guess: &[usize]) -> Result<usize, ShiftStep> {
        let guess = code_of(guess);
        self.answers.get(&guess).copied().ok_or(ShiftStep::Ask(guess))
    }
}

fn code_of(colors: &[usize]) -> Code {
    Code::new(colors.iter().map(|&color| Color::new(color as u16)).collect::<Box<[Color]>>())
}

/// Returns the only color with pegs left to place, if there is exactly one.
fn only_one_left(left: &[usize]) -> Option<usize> {
    let mut colors = (0..left.len()).filter(|&color| left[color] > 0);
    colors.next().filter(|_| colors.next().is_none())
}

struct Xu {
    climber: Shc,
    shifting: Shifting,
    /// True if the board is too large for the climber.
    is_large: bool,
    /// Time limit of the climber per game.
    max_time: Duration,
    /// Time used by the climber in this game.
    used_time: Duration,
    tracker: HistoryTracker,
}

pub(super) fn build(_: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    Ok(Box::new(Xu {
        climber: Shc::xu(rules, arguments.code("first", rules)),
        shifting: Shifting { counting: arguments.flag("counting") },
        is_large: is_large(rules, arguments),
        max_time: Duration::from_secs(arguments.integer("seconds")),
        used_time: Duration::ZERO,
        tracker: HistoryTracker::default(),
    }))
}

/// Returns true if a board is too large for the climber.
pub(super) fn is_large(rules: &Rules, arguments: &Arguments) -> bool {
    rules.cells() as u64 + u64::from(rules.colors()) > arguments.integer("switch")
}

impl Strategy for Xu {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        // A repeated request starts the time again.
        if !matches!(self.tracker.update(history), HistoryChange::Extended { known, .. } if known < history.len()) {
            self.used_time = Duration::ZERO;
        }
        if !self.is_large && self.used_time < self.max_time {
            let started = Moment::now();
            let watch = Watch::new(Some(self.max_time - self.used_time), None);
            let found = self.climber.guess(history, search, watch)?;
            self.used_time += started.elapsed();
            if let Some(proposal) = found {
                return Ok(proposal);
            }
        }
        self.shifting.next_guess(history, search)
    }
}

#[cfg(test)]
mod tests {
    use std::ops::ControlFlow;

    use super::*;
    use pegwise_search::{Rng, codemaker::Fixed, play};
    use pegwise_solve::catalog;

    fn guesses(rules: &str, secret: &str, counting: bool) -> Vec<String> {
        let rules: Rules = rules.parse().unwrap();
        let mut codemaker = Fixed::new(&rules, rules.parse_code(secret).unwrap()).unwrap();
        let mut shifting = Shifting { counting };
        let game = play(&rules, &mut shifting, &mut codemaker, &mut Search::new(1), |_| ControlFlow::Continue(()));
        game.unwrap().turns.iter().map(|turn| turn.guess.notation(rules.colors()).to_string()).collect()
    }

    #[test]
    fn a_peg_is_shifted_until_its_cell_is_found() {
        let played = guesses("4x6", "1321", false);
        assert_eq!(played, ["1111", "2111", "1211", "1121", "1122", "1321"]);
        assert_eq!(guesses("4x6:black-only", "1321", false), played);
    }

    #[test]
    fn absent_colors_are_skipped() {
        let played = guesses("4x6", "1321", true);
        assert_eq!(played, ["1111", "2222", "3333", "2111", "1211", "1121", "1321"]);
        assert_eq!(guesses("4x6", "6666", true), ["1111", "2222", "3333", "4444", "5555", "6666"]);
    }

    #[test]
    fn games_take_at_most_one_guess_per_cell_and_color() {
        for counting in [false, true] {
            for secret in pegwise_game::Space::new(&"3x4".parse().unwrap()).iter() {
                let secret = secret.notation(4).to_string();
                let played = guesses("3x4", &secret, counting);
                assert_eq!(played.last(), Some(&secret));
                assert!(played.len() <= 3 * 3 + if counting { 3 } else { 2 }, "{played:?}");
            }
        }
    }

    fn first_guess(spec: &str, rules: &str) -> String {
        let rules: Rules = rules.parse().unwrap();
        let history = History::new(rules.clone());
        let guess = catalog::strategy(spec, &rules).unwrap().next_guess(&history, &mut Search::new(1)).unwrap().guess;
        guess.notation(rules.colors()).to_string()
    }

    #[test]
    fn large_boards_are_shifted() {
        assert_ne!(first_guess("xu", "9x9"), "111111111");
        assert_eq!(first_guess("xu", "9x10"), "AAAAAAAAA");
        assert_eq!(first_guess("xu(switch=9)", "4x6"), "1111");
    }

    #[test]
    fn colors_are_counted_on_large_boards() {
        let rules: Rules = "9x10".parse().unwrap();
        let codes = |spec: &str| {
            let mut codemaker = Fixed::random(&rules, &mut Rng::new(5));
            let mut strategy = catalog::strategy(spec, &rules).unwrap();
            let mut search = Search::new(1);
            let game = play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| ControlFlow::Continue(()));
            game.unwrap().turns.into_iter().map(|turn| turn.guess).collect::<Vec<Code>>()
        };
        assert_eq!(codes("xu"), codes("shifting"));
        assert_eq!(codes("xu(counting=true)"), codes("shifting(counting=true)"));
        assert_ne!(codes("xu"), codes("xu(counting=true)"));
    }

    #[test]
    fn pegs_are_shifted_when_the_time_is_up() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut xu = Xu {
            climber: Shc::xu(&rules, None),
            shifting: Shifting { counting: false },
            is_large: false,
            max_time: Duration::from_secs(1),
            used_time: Duration::from_secs(1),
            tracker: HistoryTracker::default(),
        };
        let history = History::parse(&rules, ["2345=1,1"]).unwrap();
        let guess = xu.next_guess(&history, &mut Search::new(1)).unwrap().guess;
        assert_eq!(guess.notation(6).to_string(), "1111");
    }
}
