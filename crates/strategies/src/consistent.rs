//! Strategies that play a consistent code: a random one, or the first in a fixed order.
//!
//! # Random consistent code
//! In a space that can be listed, each consistent code is equally likely. In larger spaces codes are drawn by
//! backtracking from random starts, which is nearly uniform. `draws=any` is the search that Rosu counted: random codes
//! are drawn until one is consistent, without memory. It plays equally well and examines about as many codes as there
//! are: some 1,290 at 4x6, where 1,295 were printed.
//!
//! With `share` or `sample`, several distinct candidates are drawn from a space that can be listed, and the one that
//! splits the others into the most parts is played, ties at random: Runarsson and Merelo found that a tenth of the
//! candidates, or 20, are as good as all.
//!
//! # Shapiro
//! Plays the first consistent code in an order that is fixed for the game.
//!
//! # Swaszek
//! Plays the next consistent code in cyclic numeric order, from a random start.
//!
//! # References
//! - R. Rosu, Mastermind, Master's thesis, North Carolina State University, 1997.
//! - E. Shapiro, Playing Mastermind logically, SIGART Bulletin 85, 28-29, 1983.
//!   <https://doi.org/10.1145/1056635.1056637>
//! - T. P. Runarsson, J. J. Merelo, Adapting heuristic Mastermind strategies to evolutionary algorithms, NICSO, 2010, as
//!   described by J. J. Merelo and others, 2010.
//! - P. F. Swaszek, The Mastermind novice, Journal of Recreational Mathematics 30(3), 193-198, 2000.

use std::sync::Arc;

use pegwise_game::{Code, History, Rules, Space, Table};

use crate::evolutionary::{Population, Splitter};
use pegwise_search::candidates::backtrack::{Backtrack, End, Order};
use pegwise_search::candidates::{self, CandidateSet, CandidateTracker, LowestCandidate, TurnSet, listed};
use pegwise_search::one_step::Criterion;
use pegwise_search::row::{Arguments, Capability, Condition, Row, always};
use pegwise_search::{Basis, Built, Parameter, PositionStrategy, Proposal, Proposed, Search, Strategy, StrategyError};

const ROSU: &str = "R. Rosu, Mastermind, Master's thesis, North Carolina State University, 1997";
const SHAPIRO: &str = "E. Shapiro, Playing Mastermind logically, SIGART Bulletin 85, 1983";
const SWASZEK: &str = "P. F. Swaszek, The Mastermind novice, J. Recreational Mathematics 30(3), 2000";

const FIRST: Parameter = Parameter::code_or("first", &["random"], "first guess");

const FITTING: Condition = |_, arguments| arguments.text("draws") == "fitting";
const NUMERIC: Condition = |_, arguments| arguments.text("order") == "numeric";

/// Catalog rows of this family.
pub const ROWS: &[Row] = &[
    Row {
        name: "random-consistent",
        title: "Random consistent code",
        family: "consistent",
        paper: ROSU,
        about: "plays a random consistent code",
        plays: "boards of up to 255 cells in up to 255 colors",
        parameters: &[
            Parameter::choice(
                "draws",
                &["fitting", "any"],
                "codes that are drawn: consistent ones, or any until one is consistent, without memory",
            ),
            Parameter::decimal(
                "share",
                0.0..=1.0,
                "0",
                "share of the candidates that are drawn and compared; the one that makes the most parts is played",
            ),
            Parameter::integer("sample", 1..=10_000, "1", "minimum number of candidates drawn"),
            FIRST,
        ],
        capabilities: &[(Capability::Lies, FITTING)],
        can_play: fits_a_table,
        build: build_random,
        ..Row::BLANK
    },
    Row {
        name: "shapiro",
        title: "Shapiro",
        family: "consistent",
        paper: SHAPIRO,
        about: "plays the first consistent code in an order fixed for the game",
        plays: "spaces of up to 1,048,576 codes",
        parameters: &[Parameter::choice("order", &["random", "numeric"], "order of the codes")],
        capabilities: &[
            (Capability::Deterministic, NUMERIC),
            (Capability::ByPosition, NUMERIC),
            (Capability::Lies, always),
        ],
        can_play: listed::is_listable,
        build: build_shapiro,
        ..Row::BLANK
    },
    Row {
        name: "swaszek",
        title: "Swaszek's novice",
        family: "consistent",
        paper: SWASZEK,
        about: "plays the next consistent code in cyclic numeric order, from a random start",
        plays: "boards of up to 255 cells in up to 255 colors",
        parameters: &[FIRST],
        capabilities: &[
            (Capability::Deterministic, |_, arguments| arguments.text("first") != "random"),
            (Capability::Lies, always),
        ],
        can_play: fits_a_table,
        build: |_, rules, arguments| Ok(Box::new(Swaszek { first: arguments.code("first", rules) })),
        ..Row::BLANK
    },
];

fn fits_a_table(rules: &Rules) -> bool {
    Table::new(rules).is_ok()
}

struct RandomConsistent {
    first: Option<Code>,
    codes: DrawnCodes,
}

enum DrawnCodes {
    /// The candidates of a space that can be listed.
    Listed(Box<CandidateTracker>),
    /// The same, of which several are drawn.
    Sampled(Box<Sample>),
    /// Consistent codes, found by backtracking.
    Backtracking,
    /// Any codes, compared with the turns: `draws=any`.
    Any(TurnSet),
}

/// Maximum number of draws, many times the size of every space in the papers; then backtracking chooses the guess.
const MAX_DRAWS: u64 = 1 << 23;

fn build_random(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let tracker = CandidateTracker::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
    let (share, count) = (arguments.decimal("share"), arguments.integer("sample") as usize);
    let codes = match arguments.text("draws") {
        words if share > 0.0 || count > 1 => {
            if words == "any" || tracker.all().is_none() {
                let reason = "share and sample need draws=fitting and a board whose codes can be listed; remove them";
                return Err(StrategyError::unplayable(name, rules, &reason));
            }
            let splitter = Splitter::new(rules, Criterion::MostParts);
            DrawnCodes::Sampled(Box::new(Sample { tracker, share, count, splitter }))
        }
        "any" => DrawnCodes::Any(TurnSet::new(rules)),
        _ if tracker.all().is_some() => DrawnCodes::Listed(Box::new(tracker)),
        _ => DrawnCodes::Backtracking,
    };
    Ok(Box::new(RandomConsistent { first: arguments.code("first", rules), codes }))
}

impl Strategy for RandomConsistent {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let first = self.first.clone().filter(|_| history.is_empty());
        match (&mut self.codes, first) {
            (DrawnCodes::Listed(tracker), first) => {
                let view = tracker.after(history, search)?;
                let guess = first.unwrap_or_else(|| view.codes.code(search.rng.index(view.codes.len())));
                Ok(of_candidates(guess, &view))
            }
            (DrawnCodes::Sampled(sample), first) => sample.next_guess(first, history, search),
            (_, Some(first)) => Ok(Proposal::new(first, Basis::Consistent)),
            (DrawnCodes::Backtracking, None) => candidates::draw(history, search),
            (DrawnCodes::Any(turns), None) => draw_any(turns, history, search),
        }
    }
}

/// Candidates of which a sample is compared.
struct Sample {
    tracker: CandidateTracker,
    /// Share of the candidates that is drawn.
    share: f64,
    /// Minimum number of candidates that are drawn.
    count: usize,
    splitter: Splitter,
}

impl Sample {
    fn next_guess(&mut self, first: Option<Code>, history: &History, search: &mut Search<'_>) -> Proposed {
        let view = self.tracker.after(history, search)?;
        if let Some(first) = first {
            return Ok(of_candidates(first, &view));
        }
        let count = self.count.max((self.share * view.codes.len() as f64).ceil() as usize);
        let mut drawn = Population::new(history.rules());
        for row in search.rng.sample(view.codes.len() as u32, count) {
            drawn.push(&view.codes.code(row as usize), 0);
        }
        let mut scores = Vec::new();
        self.splitter.score(&drawn, &mut scores, search);
        let highest = scores.iter().copied().max().unwrap_or(0);
        let best: Vec<usize> = (0..scores.len()).filter(|&index| scores[index] == highest).collect();
        Ok(of_candidates(drawn.code(best[search.rng.index(best.len())]), &view))
    }
}

/// Returns the proposal of a guess chosen from all candidates.
fn of_candidates(guess: Code, view: &CandidateSet) -> Proposal {
    let basis = if view.codes.len() == 1 { Basis::Proven } else { Basis::Consistent };
    Proposal { remaining: view.count, ..Proposal::new(guess, basis) }
}

fn draw_any(turns: &mut TurnSet, history: &History, search: &mut Search<'_>) -> Proposed {
    turns.follow(history);
    for _ in 0..MAX_DRAWS {
        let code = search.rng.code(history.rules());
        let stop = search.examine(1);
        if turns.is_consistent(&code) {
            return Ok(Proposal::new(code, Basis::Consistent));
        }
        if stop.is_some() {
            return Ok(Proposal::last_resort(history.rules(), stop, search));
        }
    }
    candidates::draw(history, search)
}

struct Shapiro {
    remaining: CandidateTracker,
    all: Arc<Table>,
    /// Position of each code in the order, by rank; `None` for numeric order.
    places: Option<Vec<u32>>,
    random: bool,
}

fn build_shapiro(name: &'static str, rules: &Rules, arguments: &Arguments) -> Built {
    let remaining = CandidateTracker::new(rules).map_err(|error| StrategyError::unplayable(name, rules, &error))?;
    let too_large = || StrategyError::unplayable(name, rules, &"the space is too large to be ordered");
    let all = remaining.all().cloned().ok_or_else(too_large)?;
    Ok(Box::new(Shapiro { remaining, all, places: None, random: arguments.text("order") == "random" }))
}

impl Strategy for Shapiro {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        if self.random && (history.is_empty() || self.places.is_none()) {
            let mut places: Vec<u32> = (0..self.all.len() as u32).collect();
            search.rng.shuffle(&mut places);
            self.places = Some(places);
        }
        let view = self.remaining.after(history, search)?;
        let first = match &self.places {
            None => 0,
            Some(places) => {
                let space = Space::new(history.rules());
                let place = |row: usize| {
                    let rank = space.rank(&view.codes.code(row)).unwrap_or_default();
                    places[rank as usize]
                };
                (0..view.codes.len()).min_by_key(|&row| place(row)).unwrap_or(0)
            }
        };
        Ok(of_candidates(view.codes.code(first), &view))
    }

    fn position_strategy(&self) -> Option<Box<dyn PositionStrategy>> {
        (!self.random).then(|| Box::new(LowestCandidate { first: None }) as Box<dyn PositionStrategy>)
    }
}

struct Swaszek {
    first: Option<Code>,
}

/// Maximum number of backtracking steps, after which a random code is played.
const MAX_STEPS: u64 = 50_000_000;

impl Strategy for Swaszek {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        let Some(last) = history.turns().last() else {
            return Ok(Proposal::opening(self.first.as_ref(), history.rules(), search));
        };
        let constraints = Backtrack::new(history);
        // From the last guess on, then from the start.
        for from in [Some(&last.guess), None] {
            let (code, end) = constraints.first(Order::AscendingFrom(from), MAX_STEPS, search);
            let stop = match (code, end) {
                (Some(guess), _) => return Ok(Proposal::new(guess, Basis::Consistent)),
                (None, End::NoMore | End::Enough) => continue,
                (None, End::OutOfSteps) => None,
                (None, End::Stopped(stop)) => Some(stop),
            };
            return Ok(Proposal::last_resort(history.rules(), stop, search));
        }
        Err(StrategyError::NO_CODE_FITS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pegwise_search::{codemaker::Fixed, play};
    use pegwise_solve::catalog;

    /// Rosu printed 1,295 codes per game.
    #[test]
    fn any_draws_examine_about_as_many_codes_as_there_are() {
        let rules: Rules = "4x6".parse().unwrap();
        let mut strategy = catalog::strategy("random-consistent(draws=any,first=1122)", &rules).unwrap();
        let (mut examined, mut guesses) = (0, 0);
        for seed in 0..400 {
            let mut search = Search::new(seed);
            let mut codemaker = Fixed::random(&rules, &mut search.rng);
            let game =
                play(&rules, &mut *strategy, &mut codemaker, &mut search, |_| std::ops::ControlFlow::Continue(()));
            let game = game.unwrap();
            examined += game.counts.examined;
            guesses += game.turns.len();
        }
        assert!((1100..1500).contains(&(examined / 400)), "{}", examined / 400);
        assert!((440..490).contains(&(guesses / 4)), "{guesses}");
    }

    /// A sample of all candidates plays the code with the most parts; a sample is of distinct codes.
    #[test]
    fn samples_are_of_the_given_size() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = History::parse(&rules, ["1231=2,1"]).unwrap();
        for (parameters, drawn) in [("share=1", 40), ("share=0.1", 4), ("sample=20", 20), ("share=0.1,sample=6", 6)] {
            let mut strategy = catalog::strategy(&format!("random-consistent({parameters})"), &rules).unwrap();
            let mut search = Search::new(1);
            let guess = strategy.next_guess(&history, &mut search).unwrap().guess;
            assert!(history.is_consistent(&guess));
            assert_eq!(search.counts().scored, drawn * (drawn - 1), "{parameters}");
            // Table II of Merelo and others: ABDC has the most parts, ten.
            if drawn == 40 {
                let candidates: Vec<Code> =
                    Space::new(&rules).iter().filter(|code| history.is_consistent(code)).collect();
                let parts = |code: &Code| {
                    let feedbacks = candidates.iter().filter(|other| *other != code);
                    let feedbacks = feedbacks.map(|other| pegwise_game::feedback(&rules, code, other).to_string());
                    feedbacks.collect::<std::collections::BTreeSet<_>>().len()
                };
                assert_eq!(parts(&guess), 10);
            }
        }
        for (spec, rules) in [("random-consistent(sample=2)", "8x12"), ("random-consistent(share=1,draws=any)", "4x6")]
        {
            let error = catalog::strategy(spec, &rules.parse().unwrap()).err().unwrap().to_string();
            assert!(error.contains("a board whose codes can be listed"), "{error}");
        }
    }
}
