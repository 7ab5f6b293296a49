//! The engine that every evolutionary strategy runs on: the population, the turns of the game, and the first guess.
//!
//! A strategy is an [`Algorithm`]: it turns the population and the history into a guess. The engine compares each
//! history with the last one, so that an algorithm knows if its population was bred for the same game.

use pegwise_game::{Code, Color, History, HistoryTracker, Rules};

use super::opening;
use super::operators::Roulette;
use super::population::{CodeSet, Population, draw_distinct};
use pegwise_search::{Arguments, Basis, Built, Proposal, Proposed, Rng, Search, Strategy, candidates::TurnSet};

/// The part of a strategy that differs from the others.
pub(super) trait Algorithm: Send {
    /// Starts a game. Returns the first guess if the algorithm has its own way to draw it; a first guess set by a
    /// parameter takes precedence.
    fn start(&mut self, state: &mut EvolutionState, _search: &mut Search<'_>) -> Option<Code> {
        state.population.clear();
        None
    }

    fn next_guess(&mut self, state: &mut EvolutionState, history: &History, search: &mut Search<'_>) -> Proposed;
}

/// Population and game, with the buffers that breeding needs.
#[derive(Debug)]
pub(super) struct EvolutionState {
    pub(super) rules: Rules,
    /// Number of codes in a generation.
    pub(super) size: usize,
    pub(super) turns: TurnSet,
    /// True if the population was bred for the same game, one turn earlier.
    pub(super) continues: bool,
    pub(super) population: Population,
    pub(super) next: Population,
    /// Selects parents from the population.
    pub(super) wheel: Roulette,
    pub(super) pair: [Vec<Color>; 2],
    /// Codes drawn for the population.
    pub(super) drawn: CodeSet,
}

impl EvolutionState {
    pub(super) fn new(rules: &Rules, size: usize) -> Self {
        let code = vec![Color::default(); rules.cells()];
        Self {
            rules: rules.clone(),
            size,
            turns: TurnSet::new(rules),
            continues: false,
            population: Population::new(rules),
            next: Population::new(rules),
            wheel: Roulette::default(),
            pair: [code.clone(), code],
            drawn: CodeSet::new(rules),
        }
    }

    /// Draws a population of distinct random codes.
    pub(super) fn draw_population(&mut self, cost: impl Fn(&mut TurnSet, &[Color]) -> u32, search: &mut Search<'_>) {
        self.population.clear();
        self.drawn.clear();
        let code = &mut self.pair[0];
        for _ in 0..self.size {
            draw_distinct(code, &self.rules, &mut self.drawn, &mut search.rng);
            self.population.push(code, cost(&mut self.turns, code));
        }
        search.examine(self.size as u64);
    }

    /// Copies two parents, selected by roulette, to `pair`.
    pub(super) fn select_parents(&mut self, rng: &mut Rng) {
        for child in &mut self.pair {
            child.copy_from_slice(self.population.member(self.wheel.spin(rng)));
        }
    }

    /// Replaces the population by the next generation. The old population stays in `next`.
    pub(super) fn advance(&mut self) {
        std::mem::swap(&mut self.population, &mut self.next);
    }

    /// Returns the first of the cheapest members that pass a test.
    pub(super) fn cheapest(&self, passes: impl Fn(&[Color]) -> bool) -> Option<Code> {
        self.population.cheapest(passes).map(|index| self.population.code(index))
    }

    /// Returns the cheapest member that was not guessed before.
    pub(super) fn cheapest_new(&self, history: &History) -> Option<Code> {
        self.cheapest(|code| history.turns().iter().all(|turn| *turn.guess != *code))
    }
}

pub(super) struct Evolution<A> {
    algorithm: A,
    state: EvolutionState,
    game: OwnGame,
    /// First guess; random if `None`.
    first: Option<Code>,
}

impl<A: Algorithm + 'static> Evolution<A> {
    /// Creates a strategy with the parameters `population` and `first`.
    pub(super) fn build(algorithm: A, rules: &Rules, arguments: &Arguments) -> Built {
        let first = match arguments.text("first") {
            "pairs" => Some(opening(rules)),
            "cycle" => Some(cycle(rules)),
            _ => arguments.code("first", rules),
        };
        let state = EvolutionState::new(rules, arguments.integer("population") as usize);
        Ok(Box::new(Self { algorithm, state, game: OwnGame::default(), first }))
    }
}

impl<A: Algorithm> Strategy for Evolution<A> {
    fn next_guess(&mut self, history: &History, search: &mut Search<'_>) -> Proposed {
        self.state.continues = self.game.follow(history);
        self.state.turns.follow(history);
        let proposal = if history.is_empty() {
            let drawn = self.algorithm.start(&mut self.state, search);
            let guess = self.first.clone().or(drawn).unwrap_or_else(|| search.rng.code(history.rules()));
            Proposal::new(guess, Basis::Consistent)
        } else {
            self.algorithm.next_guess(&mut self.state, history, search)?
        };
        self.game.tracker.propose(&proposal.guess);
        Ok(proposal)
    }
}

/// Detector of games in which every guess was proposed by this strategy.
#[derive(Debug, Default)]
struct OwnGame {
    /// True if every guess so far was the proposed one.
    is_own: bool,
    tracker: HistoryTracker,
}

impl OwnGame {
    /// Updates to a history. Returns true if the game is the strategy's own and one turn longer than at the last call.
    fn follow(&mut self, history: &History) -> bool {
        let continues = self.tracker.update(history).is_as_proposed() && self.is_own;
        self.is_own = continues || history.is_empty();
        continues
    }
}

/// Returns the opening of Merelo and others: half of the colors in a cycle, or all of them if colors must not repeat.
fn cycle(rules: &Rules) -> Code {
    let colors = if rules.repeats() { (rules.colors() / 2).max(1) } else { rules.colors() };
    Code::from_indices((0..rules.cells()).map(|cell| (cell % usize::from(colors)) as u16))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_continues_after_its_own_guess_only() {
        let rules: Rules = "4x6".parse().unwrap();
        let history = |turns: &[&str]| History::parse(&rules, turns.iter().copied()).unwrap();
        let mut game = OwnGame::default();
        assert!(!game.follow(&history(&[])));
        game.tracker.propose(&rules.parse_code("1122").unwrap());
        assert!(game.follow(&history(&["1122=1,0"])));
        assert!(!game.follow(&history(&["1122=1,0", "1111=0,0"])));
        game.tracker.propose(&rules.parse_code("3333").unwrap());
        assert!(!game.follow(&history(&["1122=1,0", "1111=0,0", "3333=0,0"])), "turn 2 was not its own");
        assert!(!game.follow(&history(&[])));
        game.tracker.propose(&rules.parse_code("1122").unwrap());
        assert!(game.follow(&history(&["1122=1,0"])));
        assert!(!game.follow(&history(&["1122=1,0"])), "asked again");
    }

    #[test]
    fn openings_cycle_through_half_the_colors() {
        for (rules, code) in
            [("4x6", "1231"), ("5x8", "12341"), ("4x1", "1111"), ("3x7", "123"), ("4x4:no-repeats", "1234")]
        {
            let rules: Rules = rules.parse().unwrap();
            assert_eq!(cycle(&rules), rules.parse_code(code).unwrap());
        }
    }
}
